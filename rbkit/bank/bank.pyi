# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.retrieval.bm25 import BM25
from collections.abc import Callable
from rbkit.bank.items import Item
from rbkit.bank.store import ItemStore
from collections.abc import Iterable
from rbkit.bank.index import LiveIndex
from typing import NamedTuple
from pathlib import Path
from rbkit.retrieval.interface import Retriever
from rbkit.bank.store import TABLES
from dataclasses import dataclass
from rbkit.bank.index import default_retriever
from dataclasses import field
from rbkit.bank.items import said_text
import time
'Items that are searched, shown and credited'
__all__ = ['RULES', 'Bank', 'Hit', 'seed_bank']
_TABLES = TABLES + ';\ncreate table usage (run text, item text, rank integer, task text, at real, won integer, used integer,\n    told integer not null default 0, checked integer not null default 0, primary key (run, item)) without rowid;\ncreate index usage_by_item on usage (item)'

class Bank(ItemStore):
    """Memory items that are searched through a retriever, every change an event; in memory, or in a file"""
    tables = _TABLES
    version = 5

    def __init__(self, path: str | Path | None=None, retriever: Retriever | None=None, clock: Callable[[], float]=time.time, journal: str='delete', key: str | bytes | None=None):
        first = LiveIndex(self, default_retriever() if retriever is None else retriever)
        self._words = LiveIndex(self, BM25(), ('active', 'quarantined'), said_text, 'words')
        self._indexes = {id(first.retriever): first}
        self.retriever = first.retriever
        super().__init__(path, clock, journal, key)

    def _rolled_back(self):
        ...

    def close(self) -> None:
        """Close the file, after saving a large index beside it; a bank in memory is lost"""

    def search(self, text: str, k: int=5, polarity: str | Iterable[str] | None=None, domain: str | None=None, retriever: Retriever | None=None, tier: int=0, scope: str | None=None) -> list[Hit]:
        """Find active items"""

    def _in_step(self, retriever: Retriever | None) -> Retriever:
        ...

    def word_index(self) -> BM25:
        """An index of the words of active and quarantined items, kept in step with the log"""

    def load(self, *paths: str | Path, rule: str='replace', status: str | None=None, tier: int | None=1) -> list[str]:
        """Add the items of JSONL packs, all of them or none"""

    def save(self, path: str | Path, status: str | None='active') -> None:
        """Write items as a JSONL pack, whole or not at all"""

    def record_exposure(self, run: str, ids: str | Iterable[str], task: str='', trial: str | Iterable[str]=()) -> int:
        """Note which items a run was shown"""

    def _fates(self, run: str) -> dict[str, _Fate]:
        ...

    def outcome(self, run: str, won: bool | None, used: str | Iterable[str] | None=None, checked: bool=False) -> int:
        """Note how a run ended, and credit what it was shown"""

    def _on_shown(self, body: dict, time: float):
        ...

    def _on_outcome(self, body: dict, time: float):
        ...

    def usage(self, run: str | None=None, item: str | None=None) -> list[dict]:
        """What was shown to which run, and what came of it; won and used are None where unknown"""

    def _state(self) -> dict[str, dict]:
        ...

    def _before(self, version: int) -> list[tuple[str, dict]]:
        ...

    def trust(self, id: str, tier: int, why: str='') -> Item:
        """Give an item a tier"""

    def tried(self, run: str) -> list[str]:
        """What a run was shown only to find out"""

@dataclass(frozen=True)
class Hit:
    """An item and how well it matched; higher is better"""
    item: Item
    score: float
    why: Callable[[], str] | None = field(default=None, compare=False, repr=False)

    def explain(self) -> str:
        """Where the score comes from"""

class _Found(NamedTuple):
    id: str
    score: float

def _ranked(search: Callable[[int], list[tuple]], k: int) -> list[_Found]:
    """The k best; equal scores are ordered by id"""

def seed_bank(*packs: str) -> Bank:
    """A bank in memory with the packs that rbkit ships"""
RULES = ('replace', 'keep', 'newer', 'join')

def _met(new: Item, old: Item, rule: str) -> Item:
    """The item that stays when a pack's item meets ours"""

class _Fate(NamedTuple):
    """What came of one exposure, as far as it is known"""
    won: int | None
    used: int | None
    told: int
    checked: int

def _not_shown(run: str, id: str, shown: Iterable[str]) -> str:
    """Why an outcome is refused that says a run used an item"""

def _fate(won: bool | None, used: list[str] | None, id: str, checked: bool) -> _Fate:
    ...

def _credit(fate: _Fate) -> dict[str, int]:
    """What an exposure adds to the counts of its item"""
_USAGE = ('run', 'item', 'rank', 'task', 'at', 'won', 'used', 'told', 'checked')

def _as_bool(value: int | None) -> bool | None:
    ...
