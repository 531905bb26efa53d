# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from rbkit.bank.items import CONTENT_FIELDS
from collections.abc import Callable
from rbkit.policies.consolidation import Consolidation
from rbkit.policies.consolidation import Decision
from rbkit.bank.trust import GATES
from rbkit.bank.items import Item
from collections.abc import Iterable
from rbkit.bank.quarantine import MOST_HELD
from rbkit.bank.quarantine import SHARE
from rbkit.bank.rerank import Scoring
from rbkit.bank.trust import TierChange
from rbkit.bank.trust import Trust
from rbkit.bank.quarantine import check_share
from dataclasses import dataclass
from dataclasses import field
'A memory behind three calls, for any agent'
__all__ = ['EPISODE', 'REMEMBERED', 'Service', 'same_task', 'as_item']
EPISODE = dict(run='a name that no other attempt has', task='what it was about', success='True, False or None', said='what the agent wrote: reasoning, code', items='lessons, as Items or dicts; or leave it to `extract`', used='ids that it made use of, of those that its run was shown; found in `said` if not given', graph='domain', scope='user or agent to whom the lessons belong, unless an item says; all share them if not given', agent='who brings it, where several do; its share of the quarantine is counted by that, else by the run')

@dataclass
class Service:
    """A bank, and who looks after it, behind three calls"""
    bank: Bank = field(default_factory=Bank)
    extract: Callable | None = None
    policies: tuple[Callable, ...] = (Consolidation(),)
    domain: str | None = None
    gate: str = 'gated'
    checked: bool = False
    explore: int = 10
    most: int = 3
    scoring: Scoring | None = Scoring(effectiveness=0.5)
    most_held: int = MOST_HELD
    share: float = SHARE
    asked: dict[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self):
        if self.gate not in GATES:
            raise ValueError(f"gate={self.gate!r} is unknown; use one of {', '.join(GATES)}.")
        check_share(self.share)
        is_path = isinstance(self.bank, (str, bytes)) or hasattr(self.bank, '__fspath__')
        if is_path:
            self.bank = Bank(self.bank)
        if not isinstance(self.bank, Bank):
            raise ValueError(f'{type(self.bank).__name__} is no bank; give a Bank or a path.')

    def retrieve_strategies(self, context: str, k: int=1, run: str='', scope: str | None='') -> list[Item]:
        """The strategies on record that fit a task; a warning says how many wait in quarantine where none is found"""

    def _best(self, context, k, scope):
        """The best procedures and the best guardrails"""

    def _trial(self, context, run, scope):
        """One unproven item for one run in so many, chosen by its name"""

    def _check_used(self, episode):
        """Refuse an episode that says it used what its run was not shown"""

    def _credit(self, episode):
        """Enter how a run went for the items that it was shown"""

    def let_in(self, item: Item) -> Item:
        """An item in quarantine, or among the others where the gate is open"""

    def _proved(self):
        """Raise and lower what has proved itself or failed"""

    def _lessons(self, episode):
        """What an episode brings, or what is extracted from it"""

    def _unlearned(self, episode):
        """A decision that says why nothing was learned, where an episode brought no lesson and credited none"""

    def _take(self, items):
        """Ask every policy"""

    def _told(self, decision):
        """A decision that says of an item in quarantine why no task is shown it yet"""

    def add_experiences(self, episodes: Iterable[dict] | dict) -> list[Decision]:
        """Credit what the runs were shown, and take in what they learned; ValueError for no episode"""

    def consolidate(self, updates: Iterable[Item | dict] | Item | dict=()) -> list[Decision]:
        """Take in lessons from outside, change items, and let the policies tidy up"""

    def _check_change(self, id, change):
        """Refuse a change that only the bank's owner may make"""
REMEMBERED = 10000

def same_task(words: str) -> str:
    """A task as it is compared with others: capitals, spaces and what follows 200 characters make no other task of it"""
_POOL = 20
_NEEDED = ('title', 'description', 'content')

def as_item(x: Item | dict) -> Item:
    """An item from an item, or from a dict of its fields; raises ValueError for anything else"""

def _as_list(given, what, of):
    """One thing or several as a list; a ValueError for what is neither"""

def _tasks_of(episode, service):
    """The tasks that an episode was about: what its run asked with, now or before a restart, and what it says itself"""

def _stamped(x, episode, service):
    """An item that says where it comes from"""

def _checked(episode, extract):
    """An episode that can be used; an extractor may read more from it than a service does"""

class _Wary(Trust):
    """One win more for what an episode brought without a word on its task: one of the wins may be on that very task"""

    def move(self, bank: Bank, item: Item) -> TierChange | None:
        """What an item's proof makes of its tier"""

def _is_change(update):
    """Is it a change to an item, rather than an item?"""
_SAYS = {*CONTENT_FIELDS} - {'id', 'provenance', 'polarity'}
