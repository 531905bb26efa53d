# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from collections.abc import Callable
from rbkit.agents.evidence import Evidence
from rbkit.bank.trust import GATES
from rbkit.bank.items import Item
from collections.abc import Iterable
from rbkit.policies.memory import Memory
from typing import NamedTuple
from rbkit.policies.rollouts import Rollout
from rbkit.policies.memory import SeenStep
from collections.abc import Sequence
from dataclasses import dataclass
'Retrieve, run, judge, extract, verify, keep, forget; then the next task'
__all__ = ['SCOPES', 'learned_on', 'Recall', 'Slot', 'schedule', 'Policies', 'BankMemory', 'credited', 'Tried', 'memory_for', 'step', 'said_of', 'figures_alone', 'run_stream']

def learned_on(item: Item) -> set[str]:
    """The tasks that an item was learned on"""
SCOPES = ('domain', 'any')

@dataclass(frozen=True)
class Recall:
    """Which items a task is shown; called with a bank and the task"""
    k: int = 1
    most: int = 3
    scope: str = 'domain'
    own: bool = False
    curriculum: bool = False
    rank: Callable | None = None
    gate: str = 'open'
    min_score: float | None = 0

    def __post_init__(self):
        if self.gate not in GATES:
            raise ValueError(f"gate={self.gate!r} is unknown; use one of {', '.join(GATES)}.")
        if self.scope not in SCOPES:
            raise ValueError(f"scope={self.scope!r} is unknown; use one of {', '.join(SCOPES)}.")
        if not isinstance(self.k, int) or self.k < 0:
            raise ValueError(f'k={self.k!r}; it must be a whole number of 0 or more.')

    def __call__(self, bank: Bank, task: object) -> list[Item]:
        ...

    def side(self, bank: Bank, task: object, polarity: object) -> list[Item]:
        """Items of one side that may be shown"""

    def experiences(self, items: list[Item]) -> list[Item]:
        """The best items, each with those that were learned beside it"""

    def kept_back(self, bank: Bank, task: object) -> int:
        """How many items would have been shown if they were not too far from the task"""

@dataclass(frozen=True)
class Slot:
    """One place in a stream"""
    phase: str
    at: int
    task: object
    learned: int | None = None
    wrong: bool = False

    @property
    def place(self) -> dict[str, object]:
        """What a row of it says: where in the stream it stands"""

def schedule(order: list[object], held_out: Sequence[object]=(), checkpoints: tuple[float, ...]=(0.5, 1), anchors: int=0, frozen: bool=False) -> list[Slot]:
    """All that a stream does, in order"""

@dataclass(frozen=True)
class Policies:
    """What is done at each step of a loop"""
    recall: Callable = Recall()
    judge: Callable | None = None
    lessons: Callable | None = None
    keep: Callable | None = None
    upkeep: tuple[Callable, ...] = ()
    choose: Callable | None = None
    show: Callable | None = None
    explore: Callable | None = None
    check: Callable | None = None
    memory: Callable[[], Memory] | None = None

class BankMemory(Memory):
    """A bank behind the seam of a memory; what it does is in its policies"""
    name = 'bank'
    STATE = ('digest',)

    def __init__(self, bank: Bank, policies: Policies):
        self.bank = bank
        self.policies = policies
        self.frozen = False
        self.said = []
        self.lessons = ()

    @property
    def digest(self) -> str:
        """A hash of what the bank holds, which is its state; its file keeps it"""

    @property
    def held(self) -> list[str]:
        """What its active items say"""

    def recall(self, task: object) -> list[Item]:
        """Items for a task"""

    def render(self, items: list[Item]) -> list[Item]:
        """The items, or what an arm shows in their place"""

    def observe(self, rollouts: list[Rollout], step: SeenStep) -> None:
        """Draw lessons, where anybody has judged"""

    def reranked(self, task: object, items: list[Item]) -> bool:
        """Would the bank's own order have shown something else?"""

    def abstained(self, task: object) -> int:
        """How many items were found and kept back, since they are too far from the task"""

    def to_try(self, task: object) -> list[Item]:
        """Unproven items, shown beside the others where something is learned"""

    def save(self, rollouts: list[Rollout], step: SeenStep) -> dict[str, object]:
        """Credit what was shown, take in what passes verification, and tidy up"""

def _cites(text, id):
    ...

def credited(items: list[Item], seen: Evidence) -> list[str] | None:
    """Items that an attempt made use of: those that it cites, else those whose words it repeats, else all of them"""

def _judged(rollout, policies):
    """The judgment that counts: that of an objective check where there is one and something to check"""

def _credit(bank, step, rollout, policies):
    """Note what was shown, and what came of it; whether it was a success, and the items that it is credited to"""

class Tried(NamedTuple):
    """What a step found out before anything is written"""
    seen: SeenStep
    rollouts: list[Rollout]
    reranked: bool
    abstained: int = 0

def _tried(slot, memory, act, policies, run):
    """Everything of a step that leaves the bank as it is"""

def _judge(rollouts, judge):
    """Have those judged that say something of the agent"""

def _turn_round(rollouts):
    """Success for failure, and failure for success; the judge's reason no longer fits and goes"""

def memory_for(bank: Bank, policies: Policies) -> Memory:
    """The memory of a loop: the bank, or another one in the state that its log has last"""

def step(slot: Slot, bank: Bank, act: Callable, policies: Policies, run: str, record: Callable, memory: Memory | None=None) -> dict[str, object]:
    """One slot of a stream, from retrieval to the note that it is done"""

def _mixed(rollouts):
    """Did attempts at the task end both ways, as far as was judged?"""

def _figures(tried, changed):
    """What the memory did in a step"""

def _judge_line(number, judgment):
    """What a judge said of one rollout"""

def _memory_lines(items, credit):
    """The items that a step was shown, and those of them that its ending is credited to"""

def said_of(rollouts: Iterable[Rollout], lessons: object=(), kept: object=None) -> list[dict[str, object]]:
    """What judges, the extractor and the checks said in a step"""

def figures_alone(slot: Slot, rollouts: list[Rollout], best: int, figures: dict[str, object]) -> dict[str, object]:
    """Of a step, what the memory did and nothing else"""

def run_stream(slots: list[Slot], bank: Bank, act: Callable, policies: Policies, name: str='stream', record: Callable=figures_alone, say: Callable | None=None) -> list[dict[str, object]]:
    """Walk through a stream, learning; what is done already is not done again"""

def _check_same_stream(done, slots, name):
    """Refuse a bank that holds steps of another stream"""
