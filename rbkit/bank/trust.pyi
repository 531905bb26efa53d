# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from rbkit.bank.items import COUNTS
from rbkit.bank.items import EPISODES
from rbkit.bank.bank import Hit
from rbkit.bank.items import Item
from rbkit.bank.items import MOST_CHARS
from typing import NamedTuple
from dataclasses import dataclass
'Nothing unproven is shown by itself'
__all__ = ['GATES', 'FRESH', 'unproven', 'Proof', 'proof', 'TierChange', 'Trust', 'to_try']
GATES = ('open', 'gated')
FRESH = (*COUNTS, *EPISODES, 'version', 'created', 'last_used', 'superseded_by', 'tier_at', 'embedding')

def _free_id(bank: Bank, item: Item) -> str:
    """The id that the item gets from what it is, or one like it if another item has that id"""

def unproven(item: Item, bank: Bank, keep: tuple[str, ...]=(), longest: int=MOST_CHARS, **origin: object) -> Item:
    """An item as somebody else may bring it: what it says, its scope and time, and nothing of its life; a ValueError if too long"""

def _copy(value: object) -> object:
    ...

class Proof(NamedTuple):
    """What speaks for and against an item since its tier last changed"""
    won: frozenset[str]
    lost: frozenset[str]

def _its_own(item: Item) -> set[str]:
    """Runs and tasks that an item comes from"""

def proof(bank: Bank, item: Item) -> Proof:
    """Tasks that it was checked to help with, and runs that it was checked to fail"""

class TierChange(NamedTuple):
    """An item that was given another tier"""
    id: str
    before: int
    after: int
    why: str

@dataclass(frozen=True)
class Trust:
    """Raise an item that has proved itself, lower one that has failed; called with a bank, like any policy"""
    wins: int = 2
    losses: int = 2
    highest: int = 2

    def __call__(self, bank: Bank, items: object=()) -> list[TierChange]:
        ...

    def move(self, bank: Bank, item: Item) -> TierChange | None:
        """What an item's proof makes of its tier"""

def _tried(bank: Bank) -> list[str]:
    ...

def _some(names: frozenset[str]) -> str:
    ...

def to_try(bank: Bank, question: str, domain: str | None=None, task: str='', losses: int=2, scope: str | None=None) -> Hit | None:
    """The unproven item nearest to a question"""
