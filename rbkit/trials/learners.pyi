# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.trials.spec import Arm
from rbkit.bank.bank import Bank
from collections.abc import Callable
from rbkit.policies.selection import Choice
from rbkit.context import ContextBuilder
from rbkit.policies.consolidation import Decision
from rbkit.bank.items import Item
from rbkit.policies.judging import Judgment
from rbkit.policies.loop import Policies
from rbkit.policies.rollouts import Rollout
from collections.abc import Sequence
from rbkit.policies.loop import Slot
from rbkit.policies.storing import Stored
from rbkit.worlds.world import World
from dataclasses import dataclass
from rbkit.trials.spec import run_again
'An arm that learns on its way: every choice of the loop is a field of it'
__all__ = ['LEARN', 'SIDES', 'VERIFY', 'JUDGES', 'CHECKED_BY', 'SCALING', 'NO_MEMORY', 'NO_MEMORY_AGAIN', 'OWN_KINDS', 'PlantedErrors', 'Learner', 'check_learner', 'judge_of', 'trajectory_items', 'drawn', 'appended', 'keeper', 'policies_of', 'memory_arm', 'memory_arms', 'arms_in_words', 'claims_of_memories', 'with_entries']
LEARN = ('', 'lessons', 'trajectories', 'memory')
SIDES = ('both', 'success', 'failure')
VERIFY = ('', 'form', 'rerun')
JUDGES = ('model', 'rules', 'oracle')
CHECKED_BY = ('rules', 'oracle')
SCALING = ('parallel', 'sequential')

@dataclass(frozen=True)
class PlantedErrors:
    """A judge that knows the answer and errs at declared rates: for measuring what errors do, never for judging"""
    recall: float = 1.0
    false_success: float = 0.0

@dataclass(frozen=True, repr=False)
class Learner(Arm):
    """An arm that walks through streams, and may learn on its way"""
    layers: tuple[str, ...] = ('L0', 'L1', 'L2')
    bank: object = 'empty'
    learn: str = ''
    memory: object = ''
    memory_budget: str = 'equal'
    memory_k: int | None = None
    sides: str = 'both'
    k: int = 1
    min_score: float | None = 0
    scope: str = 'domain'
    own: bool = False
    curriculum: bool = False
    rank: Callable | None = None
    order: str = 'random'
    gate: str = 'open'
    check: str = 'rules'
    judge: object = 'model'
    misled: float = 0.0
    truth: bool = False
    verify: str = 'form'
    ops: tuple[str, ...] = ()
    bound: tuple[tuple[str, float], ...] = ()
    rollouts: int = 1
    scaling: str = 'parallel'
    vary: str = 'none'
    choose: str = 'judge'
    read: str = 'contrast'

    def __post_init__(self):
        Arm.__post_init__(self)
        object.__setattr__(self, 'bound', tuple(sorted(dict(self.bound).items())))
        if self.memory and (not self.learn):
            object.__setattr__(self, 'learn', 'memory')
        check_learner(self)

    @property
    def limits(self) -> dict[str, int]:
        """Budgets that differ from those of the profile; the loop itself shows `k` items"""

    def builder(self, profile: str) -> ContextBuilder:
        """What puts its layers together; what stands in the place of items is the loop's affair"""

def check_learner(arm: Learner) -> None:
    """Raise ValueError when a field names nothing"""

def _check_memory_of(arm):
    """Refuse a memory that there is not, and fields that it has no use for"""
_OF_BANKS = ('bank', 'sides', 'scope', 'own', 'curriculum', 'rank', 'gate', 'truth', 'ops', 'bound', 'k')

def _judges(given):
    ...

def _check_judge(judge):
    ...
NO_MEMORY = Learner('no memory', ('L0', 'L1'))
NO_MEMORY_AGAIN = run_again(NO_MEMORY)

def judge_of(world: World, arm: Learner, lm: object, seed: int=0) -> Callable[[object], Judgment]:
    """Who says, in this arm, that it went well"""

def _judge(world, given, lm, seed):
    """One judge, made for this world"""

def trajectory_items(slot: Slot, rollout: Rollout) -> list[Item]:
    """A whole attempt as an item, nothing drawn from it; none where nobody says how it went"""

def drawn(world: World, arm: Learner, lm: object, seed: int, slot: Slot, rollouts: list[Rollout], choice: Choice | None) -> object:
    """What an arm takes from the judged rollouts of a task"""

def appended(bank: Bank, item: Item) -> Decision:
    """Add an item whatever there is; a text that is there already gets an id of its own"""

def keeper(world: World, arm: Learner, rerun_of: Callable[[Bank, object], Callable | None]) -> Callable[..., Stored]:
    """(bank, items, rollouts) -> what was stored, by what the arm says of verification and consolidation"""

def policies_of(world: World, arm: Learner, lm: object=None, seed: int=0, rerun_of: Callable=lambda bank, task: None, profile: str='full') -> Policies:
    """What an arm does at each step of the loop"""

def _of_memory(world, arm, lm, seed, profile, show):
    """What an arm does whose memory is no bank; one that needs no verdict has nobody judge"""

def _memory_of(arm, lm, profile, show):
    """A new memory of an arm; what it renders may be blanked, or replaced by a placebo of its size"""

def _shown_instead(render, show, items):
    ...

def _to_find_out(arm, bank, task):
    """One unproven item, if there is one near the task that it was not learned on"""

def _last(rollouts):
    """Of attempts one after the other, the last one counts"""
OWN_KINDS = dict(none=NO_MEMORY, again=NO_MEMORY_AGAIN, bank=Learner('', learn='lessons'), placebo=Learner('', learn='lessons', show='placebo'), blank=Learner('', learn='lessons', show='blank'))

def memory_arm(word: str, budget: str='equal') -> Learner:
    """An arm by the kind of its memory; ValueError for a word that names none"""

def memory_arms(words: str, budget: str='equal', k: int | str | None=None) -> list[Learner]:
    """Arms by the kinds of their memory; ValueError where `none` is missing, with which the others are compared"""
_ABOUT_KINDS = dict(none='no memory, the baseline', again='no memory once more (A/A)', bank='a bank that begins empty and stores lessons that a model writes', placebo='the same bank, and unrelated items of the same size are shown', blank='the same bank, and its items are shown with every letter replaced')

def arms_in_words(words: str, budget: str | None=None, k: int | str | None=None) -> str:
    """The arms of a run that compares kinds of memory, a line each"""

def _kind_in_words(arm):
    """What an arm remembers, and how many entries it shows where that was chosen"""

def claims_of_memories(arms: Sequence[Learner], memory: str | None=None, bank: str | None=None) -> dict[str, str]:
    """A claim for each memory that the user named: kinds, or a bank of one's own as it is and with the loop"""

def with_entries(arms: list[Learner], k: int | str | None) -> list[Learner]:
    """Arms that show so many entries; ValueError for a name that is not among them, or has no number"""

def _has_k(arm):
    ...

def _with_k(arm, k):
    ...

def _why_no_entries(name, arms):
    """Why a kind cannot be given a number of entries"""

def _entries_by_name(k, able):
    """How many entries each kind shows"""

def _entries(part, k):
    """A name and its number"""
