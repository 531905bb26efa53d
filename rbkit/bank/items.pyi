# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Iterable
from pathlib import Path
from rbkit.retrieval.interface import WeightedText
from dataclasses import dataclass
from dataclasses import field
from dataclasses import fields
'A lesson, where it came from, and its life'
__all__ = ['POLARITIES', 'STATUSES', 'TIERS', 'PROVENANCE', 'TIMES', 'WHERE', 'CONTENT_FIELDS', 'REQUIRED', 'EPISODES', 'COUNTS', 'DEFAULTS', 'BY_LINES', 'BROUGHT', 'MOST_CHARS', 'MOST_LONG', 'MOST_KEPT', 'FIELD_WEIGHTS', 'MOST_QUESTIONS', 'Life', 'Item', 'check_known', 'as_lines', 'as_given', 'as_brought', 'scope_of', 'time_of', 'identity', 'made_id', 'earlier_ids', 'check_size', 'asked_for', 'search_text', 'said_text', 'is_foreign', 'with_kept', 'pack_item', 'read_pack', 'pack_line']
POLARITIES = ('success', 'failure', 'seed', 'contrastive', 'pattern')
STATUSES = ('active', 'quarantined', 'archived')
TIERS = ('quarantine', 'probation', 'trusted', 'curated')
PROVENANCE = ('source', 'run', 'stream', 'task', 'steps', 'verdict', 'prompt', 'graph')
TIMES = ('time', 'date', 'at')
WHERE = ('scope', *TIMES)

def _life(default: object):
    ...

def _life_list():
    ...

@dataclass(kw_only=True)
class Life:
    """Who vouches for an item, how it fared, and what took its place"""
    confidence: float | None = _life(None)
    support_for: list[str] = _life_list()
    support_against: list[str] = _life_list()
    shown: int = _life(0)
    uses: int = _life(0)
    wins: int = _life(0)
    losses: int = _life(0)
    version: int = _life(1)
    supersedes: list[str] = _life_list()
    superseded_by: str = _life('')
    status: str = _life('active')
    tier: int = _life(1)
    tier_at: float = _life(0.0)
    created: float = _life(0.0)
    last_used: float = _life(0.0)
    embedding: list[float] | None = _life(None)

@dataclass
class Item(Life):
    """One procedure or guardrail: what to do (or not), when, and where it was learned"""
    title: str
    description: str
    content: str
    polarity: str = 'success'
    domain: str = ''
    tags: list[str] = field(default_factory=list)
    preconditions: str = ''
    pitfalls: str = ''
    provenance: dict = field(default_factory=dict)
    id: str = ''
    triggers: list[str] = field(default_factory=list)
    exemplar: str = ''
    parameters: dict = field(default_factory=dict)
    applicability: str = ''
    question: str = ''

    def __post_init__(self):
        self.check()

    def __repr__(self):
        ...

    def _keep_given(self):
        """Lists and tables as text, and what was given beside it"""

    def check(self) -> None:
        """Refuse an item that could not be shown, with a ValueError, and give it its id"""

    def _need(self, ok: bool, name: str, what: str):
        ...

    def _check_numbers(self):
        ...

    def _repr_markdown_(self) -> str:
        ...

    @property
    def chars(self) -> int:
        """Characters of what it says, as a bound counts them"""
CONTENT_FIELDS = tuple((f.name for f in fields(Item) if f.compare))
REQUIRED = ('title', 'description', 'content')
EPISODES = ('support_for', 'support_against', 'supersedes')
COUNTS = ('shown', 'uses', 'wins', 'losses')

def _default(f) -> object:
    ...
DEFAULTS = {f.name: _default(f) for f in fields(Item) if f.name not in REQUIRED}

def _as_list(value: object) -> list[str]:
    ...

def check_known(name: str, given: Iterable[object], known: tuple[str, ...]) -> None:
    """Raise ValueError for a value of an argument that names nothing"""

def _one_of(kind: str, value: str, known: tuple[str, ...]):
    ...
BY_LINES = ('preconditions', 'pitfalls', 'applicability')

def _one_line(value: object) -> str:
    ...

def as_lines(value: str | list | dict) -> str:
    """A list or a table as text, one line an entry; a table's by name, since a bank keeps no order of names"""

def as_given(item: Item) -> dict:
    """The fields of an item for a file: lists and tables as they were given, unless the text was changed since"""
BROUGHT = 'imported from '

def as_brought(item: Item) -> Item:
    """An item with the provenance that its file gave it, so that no round of import and export wraps it once more"""

def scope_of(item: Item) -> str:
    """The scope that an item belongs to"""

def time_of(item: Item) -> str:
    """The time that an item is about, as its provenance says"""

def _hashed(text: str) -> str:
    ...

def identity(item: Item) -> tuple[str, ...]:
    """What makes an item this item and no other: its title and content, its scope, domain and time"""

def made_id(item: Item) -> str:
    """An id from the identity of an item; an item without scope, domain and time has it from title and content alone"""

def earlier_ids(item: Item) -> tuple[str, ...]:
    """The ids that earlier versions of rbkit made for an item, which older banks hold"""

def _is_number(x: object) -> bool:
    ...

def _is_count(x: object) -> bool:
    ...
MOST_CHARS = 20000
MOST_LONG = 200000
MOST_KEPT = 1000000
_MOST = dict(id=200, domain=200, superseded_by=200, title=1000, tags=1000, triggers=1000, supersedes=10000, embedding=20000)

def check_size(item: Item, most: int=MOST_KEPT) -> None:
    """Raise ValueError for an item that is larger than a bank takes"""
FIELD_WEIGHTS = dict(title=4, tags=3, triggers=3, description=2, question=2, content=1)
MOST_QUESTIONS = 8

def asked_for(questions: Iterable[str]) -> str:
    """The questions that an item was learned on, as its `question` holds them"""

def search_text(item: dict) -> WeightedText:
    """What an item is found by"""

def said_text(item: dict) -> str:
    """What an item says: title, description and content"""
_KNOWN = tuple((f.name for f in fields(Item)))

def is_foreign(name: str, value: object) -> bool:
    """Is this a field of somebody else's record, which an item has no place for? A vector that is only named is one"""

def with_kept(item: Item, kept: dict) -> Item:
    """An item that keeps such fields in its provenance"""

def pack_item(said: str | dict, place: str) -> Item:
    """An item of a pack; what it says beyond the fields of an item is kept in its provenance"""

def read_pack(path: str | Path) -> list[Item]:
    """Items of a JSONL pack; a ValueError names the first bad line"""

def pack_line(item: Item) -> str:
    """An item as a line of a pack: the first ten fields always, the others where they say something"""
