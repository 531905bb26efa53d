# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple
from pathlib import Path
from typing import Self
from rbkit.retrieval.arrays import TagColumn
import numpy as np
import threading
'Every way of ranking items has the same few methods and keeps the same promises'
__all__ = ['WeightedText', 'as_text', 'term_counts', 'Row', 'as_row', 'as_rows', 'as_count', 'as_filters', 'Retriever', 'check_retriever']

class WeightedText(str):
    """Parts joined into one text; an index of words counts a part `weight` times, any other reads plain text"""

    def __new__(cls, parts: Iterable[tuple[str, int]]):
        ...

def as_text(text: str) -> str:
    """A text that every tokenizer and every file can take; anything but a str is a ValueError"""

def term_counts(text: str) -> Counter:
    """The terms of a text, each counted as often as its parts weigh"""

class Row(NamedTuple):
    """One item for `add_many`, checked"""
    key: str | int
    text: str
    window: str = ''
    tags: dict = {}

def _is_scalar(value: object) -> bool:
    ...

def _is_key(key: object) -> bool:
    ...

def as_row(key: str | int, text: str, window: str='', tags: dict | None=None) -> Row:
    """A checked row; a ValueError says what is wrong with it"""

def as_rows(rows: Iterable[tuple]) -> list[Row]:
    """All rows, checked"""

def as_count(k: int) -> int:
    """`k` as a whole number, or a ValueError"""

def as_filters(filters: dict | None) -> dict[str, tuple]:
    """Filters, checked"""

def _with_window(text: str, window: str) -> str:
    ...

class _Hooks:
    """What an implementation may override"""
    _held = None

    def _payload(self, text: str):
        """What is kept of a text"""

    def _payloads(self, pairs: list[tuple[str, str]]) -> list:
        """What is kept of pairs of text and window"""

    def _ready(self, payloads: list):
        """Refuse, with an exception, what cannot be added to what is here"""

    def _asked(self, query: str):
        """A question in the form that `_search` takes"""

    def _fits(self, said: dict) -> dict:
        """What a snapshot must have been made with"""

    def _parts(self) -> list:
        """Everything that a snapshot replaces"""

    def _packed(self) -> tuple[dict, dict]:
        """For a snapshot: what JSON can hold, and arrays by name"""

class Retriever(_Hooks):
    """Ranks items for a question: the interface, and all that its implementations share"""
    name = ''
    is_costly = False
    stamp = {}
    min_score = 0.0

    def __init__(self, wide: bool=False):
        self.wide = wide
        self._lock = threading.RLock()
        self._empty()

    def _empty(self):
        ...

    def __len__(self):
        ...

    def __bool__(self):
        ...

    def __contains__(self, key):
        ...

    def __repr__(self):
        ...

    def keys(self) -> list[str | int]:
        """All keys, by order of addition"""

    def unit_of(self, query: str) -> float:
        """What its scores for a query are compared in, whatever the number of items"""

    @property
    def setup(self) -> str:
        """What its ranking depends on besides its items"""

    def __deepcopy__(self, memo: dict) -> Retriever:
        """The same items in an index of its own; embedders that do not learn from items are not copied"""

    def add(self, key: str | int, text: str, window: str='', **tags: str | int | float | None) -> None:
        """Add one item; a key that is there is replaced"""

    def add_many(self, rows: Iterable[tuple]) -> None:
        """Add many items, all or none"""

    def remove(self, key: str | int) -> bool:
        """Take an item out"""

    def _put(self, rows: list[tuple]):
        ...

    def _place(self, key: str | int, tags: dict) -> int:
        """A new slot for a key"""

    def _drop(self, key: str | int) -> bool:
        ...

    def _tidy(self):
        """Write everything anew if more items are gone than left"""

    def _all_tags(self) -> list[dict]:
        ...

    def _compact(self):
        """Write everything anew, without what is gone"""

    def allowed(self, filters: dict | None=None) -> 'np.ndarray|None':
        """A mask of the slots that may be returned"""

    def search(self, query: str, k: int=10, filters: dict | None=None) -> list[tuple[str | int, float]]:
        """The best `k` of the items that pass the filters; equal scores by order of addition"""

    def max_score(self, query: str) -> float:
        """What a match of the whole question would score; here, the score of the best hit"""

    def scores(self, query: str, keys: Iterable[str | int], filters: dict | None=None) -> dict[str | int, float]:
        """The scores of some items"""

    def explain(self, query: str, key: str | int, filters: dict | None=None) -> str:
        """Where the score of an item comes from, in one line"""

    def save(self, path: str | Path, **stamp: str | int) -> None:
        """Write a snapshot"""

    def load(self, path: str | Path, fits: Callable[[dict], bool] | None=None) -> Self:
        """Replace what is here by a snapshot; a ValueError, and no change, if it does not fit"""

    def _match(self, said: dict, name: str):
        """Refuse a snapshot that was made by another kind, or with other settings"""

    def _frozen(self) -> tuple[dict, dict[str, np.ndarray]]:
        ...

    def _thaw(self, said: dict, arrays: dict[str, np.ndarray]):
        ...

    def _thawed_tag(self, name: str, values: list, arrays: dict[str, np.ndarray]) -> TagColumn:
        ...
_ODD = ('', '(', '"', '*:', 'NEAR(', '\x00', "it's C++ a.b", '🙂', 'x' * 9999, 'a ' * 5000)
_REFUSED = ([('new', 'fine'), ('k01', 3)], [('new', 'fine'), (None, 'text')], [('new', 'x', '', dict(t=[1]))])

def _found(r: Retriever, query: str, k: int=9, **filters: str) -> list[str | int]:
    ...

def check_retriever(make: Callable[[], Retriever]) -> int:
    """Assert the contract of a retriever"""

def _check_ranking(r: Retriever):
    """Filters and ties, on sixty items"""

def _check_changes(r: Retriever):
    """Replaced, removed and refused items"""
