# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from rbkit.policies.consolidation import Decision
from rbkit.bank.items import Item
from collections.abc import Iterable
from dataclasses import dataclass
'Keep a bank within bounds by archiving what is worth least'
__all__ = ['PAIRS_MOST', 'Worth', 'worth', 'Forgetting', 'purge']

@dataclass(frozen=True)
class Worth:
    """What an item is worth, and why"""
    effectiveness: float
    recency: float
    uniqueness: float

    @property
    def utility(self) -> float:
        """The product of the three"""

    @property
    def text(self) -> str:
        """As it stands in a decision"""

def _ages(bank, items):
    """Runs since each item last counted, or came, by id"""

def _repetition_by_index(bank, order):
    """Likeness of each item to the nearest one before it, by the bank's index"""

def _repetition_by_pairs(order):
    """The same by comparing all pairs, which is quicker for few items"""
PAIRS_MOST = 2000

def worth(bank: Bank, items: Iterable[Item] | None=None, half_life: float=50) -> dict[str, Worth]:
    """What items are worth, from what is known in the bank and nothing else"""

def _is_whole(n):
    ...

@dataclass(frozen=True)
class Forgetting:
    """Keep a bank within bounds by archiving what is worth least; called with a bank"""
    max_items: int | None = None
    max_chars: int | None = None
    floor_advice: int = 1
    floor_guardrails: int = 1
    keep_seeds: bool = True
    half_life: float = 50

    def __post_init__(self):
        for name in ('max_items', 'max_chars'):
            bound = getattr(self, name)
            if bound is not None and (not _is_whole(bound)):
                raise ValueError(f'{name}={bound!r}; give a whole number, 0 or more, or None.')
        for name in ('floor_advice', 'floor_guardrails'):
            floor = getattr(self, name)
            if not _is_whole(floor):
                raise ValueError(f'{name}={floor!r}; give a whole number, 0 or more.')
        if not self.half_life > 0:
            raise ValueError(f'half_life={self.half_life!r}; give a number of runs above 0.')
        floors = self.floor_advice + self.floor_guardrails
        if self.max_items is not None and floors > self.max_items:
            raise ValueError(f'The floors ask for {self.floor_advice}+{self.floor_guardrails} items and the bound is {self.max_items}; lower the floors or raise the bound.')

    def _room(self, items):
        """The room that there is before anything is chosen"""

    def _check_room(self, room, n_kept):
        """Raise ValueError if seeds and floors leave no room"""

    def _kept(self, items, value):
        """Ids of the items that stay"""

    def _is_full(self, items):
        """Are there more items, or more characters, than may be?"""

    def __call__(self, bank: Bank, items: Iterable[Item]=()) -> list[Decision]:
        """Archive what is worth least until a bank is within bounds; ValueError if floors forbid it"""

@dataclass
class _Room:
    """What may still be kept; a side is True for guardrails"""
    items: float
    chars: float
    need: dict[bool, int]
    waiting: dict[bool, list[int]]

    @property
    def needed_items(self):
        ...

    @property
    def needed_chars(self):
        ...

    def keep(self, x: Item) -> None:
        """Keep an item that must stay"""

    def keep_if_it_fits(self, x: Item) -> bool:
        """Keep an item if there is room for it and for what must still be kept"""

def _charge(room, x):
    ...

def _taught_by(items, run):
    """Ids of the items that a run taught, and of all that was merged from them"""

def _take_back(bank, gone, why):
    """Take out of all other items what these said against them"""

def purge(bank: Bank, run: str) -> list[Decision]:
    """Archive all that a run taught and all that was merged from it; what that had displaced is what it was before"""
