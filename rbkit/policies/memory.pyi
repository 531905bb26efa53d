# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.bank.items import Item
from collections.abc import Iterable
from typing import NamedTuple
from rbkit.bank.index import Retriever
from rbkit.policies.rollouts import Rollout
from rbkit.bank.index import default_retriever
'What is recalled, how it is shown, and what an attempt changes: four names that every kind of memory answers to'
__all__ = ['NO_EVIDENCE', 'SeenStep', 'Memory', 'toy_steps', 'check_memory']

class SeenStep(NamedTuple):
    """A step of a stream, as its memory sees it"""
    slot: object
    items: list[Item] = ()
    best: int = 0
    choice: object = None
    run: str = ''

    @property
    def task(self) -> object:
        """The task of the step"""

class Memory:
    """What an agent remembers: what it recalls for a task, how that is shown, and what an attempt changes"""
    name = ''
    STATE: tuple[str, ...] = ()
    needs_verdict = True
    chars = 2000
    k: int | None = None
    counted = False
    published: dict[str, int] = {}

    def __init__(self, lm: object=None, chars: int | None=None, k: int | None=None, retriever: Callable[[], Retriever] | None=None):
        self.lm = lm
        self.chars = self.chars if chars is None else chars
        self.k = self.k if k is None else k
        self.make_retriever = retriever or default_retriever
        self.frozen = False
        self.said = []
        self.noted = []
        self.begin()

    def __repr__(self):
        ...

    def begin(self) -> None:
        """Make the attributes of an empty state"""

    @property
    def state(self) -> dict[str, object]:
        """All that it has learned, as JSON can hold it; what is set is taken over from another of its kind"""

    @state.setter
    def state(self, saved: dict[str, object]) -> None:
        ...

    def recall(self, task: object) -> list[Item]:
        """What it knows about a task; its state stays as it is"""

    def render(self, items: list[Item]) -> list[Item]:
        """What is shown of what was recalled"""

    def observe(self, rollouts: list[Rollout], step: SeenStep) -> None:
        """Learn from the attempts at a task"""

    def to_try(self, task: object) -> list[Item]:
        """Unproven entries, shown beside the others where something is learned"""

    def reranked(self, task: object, items: list[Item]) -> bool:
        """Was another order shown than that of the retriever?"""

    def abstained(self, task: object) -> int:
        """How many entries were found and kept back, since they are too far from the task"""

    @property
    def held(self) -> list[str]:
        """Its entries, each as text: what rows count as items and characters of memory"""

    def save(self, rollouts: list[Rollout], step: SeenStep) -> dict[str, object]:
        """What has changed since it was last saved"""

    def lesson_of(self, rollouts: list[Rollout], step: SeenStep) -> Rollout | None:
        """The attempt that counts; None where it says nothing of the agent, or nobody judged it who has to"""

    def ask(self, intent: str, **sections: str) -> str:
        """Ask the model that keeps this memory"""

    def nearest(self, records: Iterable[dict], task: object, k: int | None, by: str='question') -> list[dict]:
        """The records that are most like a task, without those that were made on it"""

def _restore(memory, saved):
    """Go on from a state that was saved"""

def _is_entry(value):
    ...
NO_EVIDENCE = ('infrastructure', 'budget')
_GROUPS = 'SELECT ?g (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x ex:worksOn ?g } GROUP BY ?g'
_TOP = _GROUPS + ' ORDER BY DESC(?n) LIMIT 1'
_PLAIN = 'SELECT ?x WHERE { ?x a ex:Person }'
_TOY = (('toy-1', 'How many people work on each project?', _GROUPS, True), ('toy-2', 'How many people work on each book?', _PLAIN, False), ('toy-3', 'Which project has the most people?', _TOP, True))

class _ToyTask(NamedTuple):
    id: str
    question: str
    graph: str = 'toy'
    level: int = 1
    private: bool = False

class _ToySlot(NamedTuple):
    task: _ToyTask
    at: int
    phase: str = 'learn'

def toy_steps() -> list[tuple[list[Rollout], SeenStep]]:
    """Three tasks of a toy graph with a judged attempt each: two successes and a failure"""

def _texts(memory, task):
    """What a memory shows for a task"""

def _is_plain(state):
    """Does it come back from JSON as it was?"""

def _check_answers(memory, steps):
    """It answers in items that fit, and answering leaves it as it is"""

def _check_restored(make, memory, steps):
    """A memory that was restored answers as the one that was saved, and goes on as it would"""

def check_memory(make: Callable[[], Memory], steps: list[tuple[list[Rollout], SeenStep]] | None=None) -> Memory:
    """Assert the contract of a memory; raises AssertionError with what it breaks"""
