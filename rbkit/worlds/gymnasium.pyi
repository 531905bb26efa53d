# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from collections.abc import Callable
from collections.abc import Iterable
from rbkit.worlds.contact import Limit
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple
'Any Gymnasium environment becomes a world, by named actions or by a script with options'
__all__ = ['SAWYER', 'Outcome', 'GymEnv', 'won_by_reward', 'named_actions', 'scripted_options', 'sawyer_policy', 'MetaworldPeg']

class Outcome(NamedTuple):
    """What an action came to"""
    seen: str
    score: float
    done: bool

def _reset_by_seed(env, seed):
    ...

class GymEnv(BaseEnv):
    """A Gymnasium environment as a world of tasks"""

    def __init__(self, make: Callable, do: Callable, name: str, question: str, seeds: dict, gold: Callable | None=None, begin: Callable=_reset_by_seed, max_steps: int=50):
        self.name = name
        self.question = question
        self.seeds = seeds
        self.max_steps = max_steps
        self.inner = None
        self.log = []
        self._make = make
        self._do = do
        self._solve = gold
        self._start = begin

    def again(self) -> object:
        """Begin the inner episode anew; its first observation"""

    @classmethod
    def needs(cls) -> str:
        """Gymnasium, if it is not there"""

    def _tasks(self):
        ...

    def _begin(self, task, seed):
        ...

    def _help(self):
        ...

    def _act(self, action):
        ...

    def _gold(self):
        ...

    def _end(self):
        ...

def won_by_reward(reward: float, terminated: bool, info: Mapping) -> float:
    """1 where the environment reports success, or ends with a positive reward"""

def named_actions(names: Iterable[str], say: Callable=str, won: Callable=won_by_reward) -> Callable:
    """Discrete actions by name, in any case. ValueError if two have one name"""

def _nothing_felt(info):
    ...

def _described(limits):
    """The options and their limits, for an agent"""

class _Attempted(NamedTuple):
    score: float
    ticks: int
    info: dict

def _attempt(world, move, won, ticks):
    """Run a policy from the beginning of the variation"""

def scripted_options(policy: Callable, limits: Mapping[str, Limit], won: Callable=won_by_reward, ticks: int=500, say: Callable=_nothing_felt) -> Callable:
    """A scripted policy whose options are chosen in words. ValueError if `ticks` is below 1"""
SAWYER = MappingProxyType(dict(gain=Limit(1, 25, 5.0), grip=Limit(0, 1, 0.2), stand_off_mm=Limit(100, 500, 200.0), align_mm=Limit(5, 80, 60.0)))

def sawyer_policy(options: dict) -> Callable:
    """Meta-World's own script for the peg, its constants made options"""

def _make_sawyer():
    """The environment, with its fifty placements of peg and box"""

def _reset_by_placement(env, i):
    ...
_NEARBY = dict(gain=(8, 25), grip=(0.4, 1), stand_off_mm=(300, 500), align_mm=(10, 40))

def _best_known(world):
    """Options that solve the placement, searched for in the simulation"""

def _say_distance(info):
    ...

class MetaworldPeg(GymEnv):
    """Meta-World's peg-insert-side-v3, by options"""

    def __init__(self):
        super().__init__(make=_make_sawyer, do=scripted_options(sawyer_policy, SAWYER, say=_say_distance), name='metaworld_peg', question='Put the peg into the side of the box.', seeds={'train': range(30), 'held_out': range(30, 50)}, gold=_best_known, begin=_reset_by_placement, max_steps=4)

    @classmethod
    def needs(cls) -> str:
        """Meta-World, if it is not there"""
