# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from rbkit.bank.events import Event
from rbkit.bank.items import Item
from collections.abc import Iterable
from typing import NamedTuple
from rbkit.bank.similarity import Near
from collections.abc import Sequence
from dataclasses import dataclass
'Is a bank learning, or only growing?'
__all__ = ['used_in', 'gini', 'Contradiction', 'contradictions', 'Health', 'health', 'item_events']

def _word_runs(words: list[str], span: int) -> set[tuple[str, ...]]:
    ...

def _names_title(title: list[str], said: list[str]) -> bool:
    ...

def used_in(items: Iterable[Item], said: str, span: int=5) -> list[str]:
    """Which items a run made use of, as far as words can tell: the id, the title, or a run of words from the item"""

def gini(counts: Sequence[float]) -> float:
    """How unevenly counts are spread"""

class _Drift(NamedTuple):
    early: float | None
    late: float | None
    runs: int

def _drift(bank: Bank) -> _Drift:
    ...

def _dead(bank: Bank, items: list[Item], patience: int) -> list[str]:
    ...

class _Around(NamedTuple):
    """An item and what is near it"""
    item: Item
    found: list[Near]

    def earlier(self, place: dict[str, int]) -> float:
        """The highest likeness to an item that came earlier; place: id -> order of addition"""

def _examined(bank: Bank, items: Iterable[Item]) -> list[_Around]:
    ...

class Contradiction(NamedTuple):
    """Two items that disagree"""
    a: str
    b: str
    why: str

def _at_odds(around: list[_Around]) -> list[Contradiction]:
    ...

def contradictions(bank: Bank, items: Iterable[Item] | None=None) -> list[Contradiction]:
    """Pairs of active items that give opposite advice for the same situation"""

@dataclass(frozen=True)
class Health:
    """What a bank is made of, how it is used, and what is wrong with it"""
    size: int
    quarantined: int
    archived: int
    guardrails: int
    chars: int
    examined: int
    duplicate_rate: float
    novelty_rate: float
    contradictions: tuple[Contradiction, ...]
    dead: tuple[str, ...]
    gini: float
    used_share: float | None
    early: float | None
    late: float | None
    runs: int
    refused: int

    def figures(self) -> dict[str, float | None]:
        """Numbers alone, for a row: lists by their length"""

    def __repr__(self) -> str:
        ...

    def _repr_markdown_(self) -> str:
        ...

def _share(part: int, of: int) -> float:
    ...

def _rounded(x: float | None) -> float | None:
    ...

def health(bank: Bank, same: float=0.8, near: float=0.5, recent: int=50, patience: int=20, most: int=500) -> Health:
    """Examine a bank"""

def _percent(x: float | None) -> str:
    ...

def item_events(bank: Bank, id: str) -> list[Event]:
    """The events that made an item, changed it, or showed it to a run, and those that rolled the bank back"""
