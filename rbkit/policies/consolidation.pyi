# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from collections.abc import Callable
from rbkit.bank.items import Item
from typing import NamedTuple
from dataclasses import dataclass
from rbkit.bank.similarity import likeness
'Merge what repeats and settle what disagrees, and lose nothing'
__all__ = ['OPS', 'CONSOLIDATIONS', 'Decision', 'strength', 'is_seed', 'is_guardrail', 'Consolidation', 'join', 'check_policy']
OPS = ('append', 'revise', 'duplicate', 'supersede', 'merge', 'dispute', 'discard', 'forget', 'purge', 'restore', 'promote', 'demote', 'nothing')

@dataclass(frozen=True)
class Decision:
    """What became of one item"""
    op: str
    id: str
    of: tuple[str, ...] = ()
    likeness: float = 0.0
    why: str = ''

    def __post_init__(self):
        if self.op not in OPS:
            raise ValueError(f"Decision {self.op!r} is unknown; use one of {', '.join(OPS)}.")

    @property
    def note(self) -> str:
        """What the bank's log says of it"""

def strength(x: Item) -> int:
    """What speaks for an item less what speaks against it: wins and losses, and episodes"""

def is_seed(x: Item) -> bool:
    """Was it there before anything was learned? By polarity, id or source"""

def is_guardrail(x: Item) -> bool:
    """Does it warn, rather than advise?"""
CONSOLIDATIONS = ('duplicate', 'contradiction', 'supersede', 'merge')

@dataclass(frozen=True)
class Consolidation:
    """What becomes of new items; called with a bank and the items"""
    ops: tuple[str, ...] = CONSOLIDATIONS
    same: float = 0.8
    near: float = 0.5
    same_cosine: float = 0.95
    near_cosine: float = 0.85
    conflict: str = 'support'
    margin: int = 2
    merge: Callable | None = None

    def __post_init__(self):
        if (unknown := (set(self.ops) - set(CONSOLIDATIONS))):
            known = ', '.join(CONSOLIDATIONS)
            raise ValueError(f'Consolidation {sorted(unknown)} is unknown; use any of {known}.')
        if self.conflict not in ('support', 'keep'):
            raise ValueError(f"conflict={self.conflict!r} is unknown; use 'support' or 'keep'.")
        if not 0 < self.near <= self.same <= 1:
            raise ValueError(f'near={self.near} and same={self.same}; give 0 < near <= same <= 1.')

    def _compared(self, x, y):
        """How alike two items are"""

    def _conflict(self, x, found):
        """A decision about the first item that contradicts x; None if there is none"""

    def _nearest(self, x, found):
        """A decision by the nearest items of the same side"""

    def decide(self, bank: Bank, x: Item) -> Decision:
        """What should become of a new item; changes nothing"""

    def take(self, bank: Bank, x: Item) -> Decision:
        """Decide about one new item and carry it out"""

    def __call__(self, bank: Bank, items: list[Item] | tuple[Item, ...]=()) -> list[Decision]:
        """Take items into a bank, one after the other"""

    def _settle(self, bank, x):
        """Settle one active item with those around it; the decision, or None if nothing changed"""

    def _once_over(self, bank):
        """Settle every item once"""

    def sweep(self, bank: Bank) -> list[Decision]:
        """Consolidate what is in a bank already, until nothing changes"""

class _Comparison(NamedTuple):
    same: bool
    near: bool
    likeness: float

def _same_side(x, y):
    """Are two items of one kind, about one domain and one time? `nearby` keeps to one scope"""

def _names(x, y):
    """Does an item say already that another disputes it?"""

def _op_for_lead(lead, margin):
    """What becomes of an item that leads its opposite by so much"""

def _heir(bank, x):
    """The item that stands for x now: itself, or what took its place"""

def _known(bank, x):
    """A decision about an item whose id is in the bank; None if nothing stands for it any more"""

def _united(*items):
    """Support and counts of several items, added up, and what they were learned on"""

def _each_once(values):
    ...

def _as_low(x, y):
    ...

def _discard(bank, x, d):
    """Keep what was not taken in the log"""

def _append(bank, x, d):
    ...

def _revise(bank, x, d):
    ...

def _duplicate(bank, x, d):
    ...

def _supersede(bank, x, d):
    ...

def _disputed(x, y):
    """The pitfalls of x, with what y says against it"""

def _dispute(bank, x, d):
    ...

class _NoMerge(Exception):
    """Two items were not merged, and why"""

def _merged(merge, y, x):
    """The item that says what both say; `_NoMerge` if there is none"""

def _merge(bank, x, d, made):
    """Put an item in the place of two"""
_CARRY_OUT = dict(append=_append, revise=_revise, duplicate=_duplicate, supersede=_supersede, dispute=_dispute, discard=_discard)

def _is_stale(bank, x, d):
    """Has an item of a decision been archived since?"""

def _sentences(text):
    ...

def _with_new_sentences(text, other):
    """A text, and the sentences of another that it does not say already"""

def join(a: Item, b: Item, max_chars: int=1500) -> Item | None:
    """Merge two items without a model, sentence by sentence"""

def _fold(bank, x, y, d):
    """Two items that are there become one: the stronger, or the one that was first"""

class _Outcome(NamedTuple):
    bank: Bank
    decisions: list[Decision]

def _tried(policy, bank, items):
    """A copy of the bank, and what the policy did to it"""

def _demander(policy):
    """A function that demands something of a policy, by name"""

def _refused(bank):
    """Items that were refused, as dicts"""

def _episodes(items):
    """Every episode that supports an item, or speaks against it"""

def _all_episodes(bank):
    """Every episode that a bank knows, in items and in what was refused"""

def _check_log(demand, bank, after):
    """The log only grows, and adds up to what is there"""

def _touched(bank, after):
    """Ids of the items that came, went or changed"""

def _check_kept(demand, bank, after, decisions, items):
    """What changed is named, and no item and no episode is lost"""

def check_policy(policy: Callable, items: list[Item] | tuple[Item, ...]=(), bank: Bank | None=None) -> int:
    """Assert the contract of a policy; raises AssertionError with what it breaks"""
