# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.agents.code import Attempt
from rbkit.worlds.interface import BaseEnv
from collections.abc import Callable
from rbkit.context import Context
from rbkit.agents.evidence import Evidence
from rbkit.bank.items import Item
from threading import RLock
from rbkit.worlds.interface import WorldTask
from rbkit.worlds.interface import make_env
from functools import partial
'Tasks, a context, an attempt, and what a judge may see of it: the same six questions for every world'
__all__ = ['SIM_AGENTS', 'SIM_AGENT', 'ORDERS', 'World', 'EnvPool', 'OneEnv', 'sim_agent_class', 'sim_agent_of', 'Episodes', 'order_of', 'score_of', 'gold_check']

class World:
    """What a trial needs to know of a world. A subclass answers for graphs, or for worlds of steps"""
    name = ''
    family = ''
    suite = None

    def tasks(self, split: str | None=None) -> list[object]:
        """The tasks that it offers: "train", "held_out", or both if not given"""

    def pick(self, n: int, rng_seed: int=0, split: str | None=None) -> list[object]:
        """So many of its tasks, drawn evenly over their kinds"""

    def builder(self, arm: object, profile: str) -> Callable[..., Context]:
        """(task, items, guide) -> what an arm tells an agent of a task"""

    def attempt(self, task: object, context: Context, lm: object, **how) -> Attempt:
        """Run an agent on a task, whatever goes wrong"""

    def columns(self, task: object, attempt: Attempt) -> dict[str, object]:
        """What the check says of an attempt, as columns of its row; `outcome` and `correct` among them"""

    def evidence(self, task: object, attempt: Attempt) -> Evidence:
        """What a judge and an extractor may see of it"""

    def roots(self) -> tuple[type, ...]:
        """Classes whose code can change a row"""

    def stamp(self, task: object) -> str:
        """What else can change a row about a task: the data of a graph, the options of a world"""

    def check(self, arm: object) -> None:
        """Refuse an arm that it has no use for"""

    def graph(self, task: object) -> object | None:
        """The graph that a task is about, if there is one"""

    def solution(self, task: object, seed: int=0) -> str:
        """What would have solved it, as text; for extractors that may know, never for agents"""

    def placebo(self, items: list[Item]) -> list[Item]:
        """As many items about something else, of the same size"""

    def manifest(self) -> dict[str, object]:
        """What a run's manifest says of the data that it was made with"""

    def maker(self) -> object | None:
        """What makes it, where workers elsewhere have to be told"""

    def hide(self, record: object, task: object) -> object:
        """A record without what must not be written down"""

    def close(self) -> None:
        """Let go of what it holds"""

    def __repr__(self):
        ...

class EnvPool:
    """As many worlds of one kind as there are rollouts at a time, made when they are needed"""

    def __init__(self, make: Callable[[], BaseEnv]):
        self.make = make
        self.free = []

    def __call__(self, f: Callable[[BaseEnv], object]) -> object:
        """What a function says of a world that it has for itself"""

    def close(self) -> None:
        """Close all of them"""

class OneEnv:
    """A single world, for which rollouts wait; whoever made it closes it"""

    def __init__(self, env: BaseEnv):
        self.env = env
        self.lock = RLock()

    def __call__(self, f: Callable[[BaseEnv], object]) -> object:
        """What a function says of the world"""

    def close(self) -> None:
        """Nothing: it is somebody else's"""
SIM_AGENTS = dict(graph='rbkit.models.sim_reader:Profile', textworld='rbkit.models.sim_textworld:TextWorldAgent', tools='rbkit.models.sim_tools:ToolsAgent', tables='rbkit.models.sim_tables:TablesAgent')
SIM_AGENT = 'rbkit.models.sim_household:HouseholdAgent'

def sim_agent_class(world: str) -> type:
    """The class of a world's simulated agent"""

def sim_agent_of(world: str, **how) -> object:
    """The simulated agent of a world; it answers by what it is told, in place of a model"""

class Episodes(World):
    """A world of steps, as a trial sees it: episodes that a turn agent goes through"""

    def __init__(self, env: str, options: dict[str, object] | None=None, pool: EnvPool | OneEnv | None=None, name: str=''):
        self.env = env
        self.name = name or env
        self.options = dict(options or {})
        self.pool = pool or EnvPool(partial(make_env, env, **self.options))

    def tasks(self, split: str | None=None) -> list[WorldTask]:
        """The episodes that it offers"""

    def named(self, id: str | None=None) -> WorldTask:
        """A task by its id; the first if not given"""

    @property
    def family(self) -> str:
        """Which prompts judge it: the world says so"""

    def profile(self, **how) -> object:
        """Its simulated agent"""

    def close(self) -> None:
        """Close its worlds"""

    def roots(self) -> tuple[type, ...]:
        """The world and its simulated agent"""

    def stamp(self, task: WorldTask) -> str:
        """Its options, and what can be said to it"""

    def maker(self) -> object | None:
        """The class that was registered in this process, where workers elsewhere have to be told"""

    def pick(self, n: int, rng_seed: int=0, split: str | None=None) -> list[WorldTask]:
        """So many of its tasks, evenly over their kinds"""

    def check(self, arm: object) -> None:
        """A turn agent has no tools and no graph: memory reaches it in the prompt or not at all"""

    def builder(self, arm: object, profile: str) -> Callable[..., Context]:
        """(task, items) -> the rules and, for an arm with memory, what it was shown"""

    def attempt(self, task: WorldTask, context: Context, lm: object, ledger: object=None, seed: int=0, **_) -> Attempt:
        """Let a turn agent go through an episode"""

    def columns(self, task: WorldTask, a: Attempt) -> dict[str, object]:
        """How it ended, the score, and two signs of failure"""

    def evidence(self, task: WorldTask, a: Attempt) -> Evidence:
        """The steps, the ending, and for an oracle the reward; without what is private"""

    def hide(self, record: object, task: WorldTask) -> object:
        """A record without what is private"""

    def solution(self, task: WorldTask, seed: int=0) -> str:
        """What would have solved it, an action a line"""

    def placebo(self, items: list[Item]) -> list[Item]:
        """Advice about queries where advice about a world would stand, of the same size"""
ORDERS = ('random', 'curriculum')

def order_of(tasks: list[object], stream: int, rng_seed: int=0, kind: str='random') -> list[object]:
    """The tasks in the order in which a stream meets them"""

def score_of(a: Attempt) -> float:
    """The score that an episode ended with"""

def gold_check(env: BaseEnv, tasks: list[WorldTask]) -> tuple[int, int]:
    """Does each task's own solution solve it?"""
