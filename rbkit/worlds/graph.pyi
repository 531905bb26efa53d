# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.agents.code import Attempt
from rbkit.bank.bank import Bank
from rbkit.worlds.interface import BaseEnv
from collections.abc import Callable
from rbkit.context import Context
from rbkit.agents.evidence import Evidence
from rbkit.graphs.grades import GRADES
from typing import NamedTuple
from rbkit.graphs.suites import Suite
from rbkit.graphs.suites import Task
from rbkit.worlds.world import World
from rbkit.graphs.suites import load_suite
'Questions over knowledge graphs are one world among the others'
__all__ = ['PRESETS', 'EPISODES', 'GraphWorld', 'GraphEnv', 'Preset', 'open_world']

class GraphWorld(World):
    """A suite, as a trial sees it: questions that a code agent answers with tools"""
    name = family = 'graph'

    def __init__(self, suite: Suite | str | None=None, grade: str='strict'):
        if grade not in GRADES:
            raise ValueError(f"grade={grade!r} is unknown; use one of {', '.join(GRADES)}.")
        self.suite = suite if isinstance(suite, Suite) else load_suite(suite)
        self.grade = grade

    def tasks(self, split: str | None=None) -> list[Task]:
        """The questions of the suite"""

    def pick(self, n: int, rng_seed: int=0, split: str | None=None) -> list[Task]:
        """So many of its questions, drawn evenly over graphs and levels"""

    def graph(self, task: Task) -> object:
        """The graph that a task is about"""

    def stamp(self, task: Task) -> str:
        """A graph's fingerprint, and the example queries that its cards are made with, if there are any"""

    def manifest(self) -> dict[str, object]:
        """Hashes of the suite and of the graphs that were opened"""

    def profile(self, **how) -> object:
        """The simulated model's competence and noise"""

    def close(self) -> None:
        """Stop the query processes of all graphs"""

    def __repr__(self):
        ...

    def builder(self, arm: object, profile: str) -> Callable[..., Context]:
        """(task, items, guide) -> the layers that an arm gives an agent"""

    def attempt(self, task: Task, context: Context, lm: object, ledger: object=None, seed: int=0, variation: object=None, bank: Bank | None=None, **how) -> Attempt:
        """Let a code agent answer a question"""

    def columns(self, task: Task, a: Attempt) -> dict[str, object]:
        """Is the answer right, is the query, and which bad habits does it show?"""

    def query_right(self, task: Task, sparql: str) -> int:
        """Does a submitted query, run by us, return the gold?"""

    def evidence(self, task: Task, a: Attempt) -> Evidence:
        """The question, the query and what it returns, the answer, the last steps"""

def _kept(answer):
    """What a row keeps of an answer: the first rows and cells, each cut to a size"""

class GraphEnv(BaseEnv):
    """Questions over knowledge graphs: ask QUERY looks, submit QUERY ends"""
    name = 'graph'
    family = 'question'
    max_steps = 20

    def __init__(self, suite: Suite | str | None=None, rows: int=5):
        self.suite = suite if isinstance(suite, Suite) else load_suite(suite)
        self.rows = rows

    def _tasks(self):
        ...

    def _episode(self, t):
        ...

    def _begin(self, task, seed):
        ...

    def _gold(self):
        ...

    def _end(self):
        ...

    def _act(self, action):
        ...

    def _check(self, prediction):
        """Does a query, as text, return the gold? As rows: are they the gold?"""

def _shown(found, most):
    """How many rows a result has, and the first of them"""

def _line(row):
    """A row of a result, each cell bounded"""

class Preset(NamedTuple):
    """A world with options, under a name of its own"""
    env: str
    options: dict[str, object]
PRESETS = {s: Preset('questions', dict(source=s)) for s in ('gsm8k', 'math500', 'aime', 'mmlu_pro', 'gpqa')}
EPISODES = dict(tools='rbkit.worlds.tool_code:ToolWorld', tables='rbkit.worlds.table_code:TableWorld')

def open_world(name: str='graph', suite: str | None=None, options: dict[str, object] | None=None, grade: str='strict') -> World:
    """A world by its name, ready for a trial"""
