# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections.abc import Iterable
from rbkit.models.sim_episodes import Lesson
from collections.abc import Mapping
from rbkit.models.sim_episodes import Move
from typing import NamedTuple
from random import Random
from dataclasses import dataclass
from rbkit.models.sim_errands import errand_lessons
from rbkit.models.sim_errands import errand_warnings
from rbkit.models.sim_experiments import experiment_lessons
from rbkit.models.sim_experiments import experiment_warnings
from rbkit.models.sim_errands import plan_as_episode
from rbkit.models.sim_sums import rule_lessons
from rbkit.models.sim_sums import rule_warnings
'It knows of each world only what its prompt says'
__all__ = ['episode_lessons', 'HouseholdAgent']

class _Teaching(NamedTuple):
    """What is learned in one kind of world"""
    from_success: Callable[[str, str], Iterable[Lesson]]
    from_failure: Callable[[str, str], Iterable[Lesson]]
    as_episode: Callable[[str], str]

def _answer_as_episode(answer):
    ...
_ERRANDS = _Teaching(errand_lessons, errand_warnings, plan_as_episode)
_SUMS = _Teaching(rule_lessons, rule_warnings, _answer_as_episode)
_EXPERIMENTS = _Teaching(experiment_lessons, experiment_warnings, str)

def _teaching_of(goal):
    ...

def episode_lessons(sections: Mapping[str, str], rng: Random | None=None, p_reword: float=0.0) -> list[dict[str, str]]:
    """What attempts at one goal teach: successes if there are any, else failures"""

@dataclass(frozen=True)
class HouseholdAgent:
    """Answers actors', judges' and extractors' requests by their text; chances lie between 0 and 1"""
    p_discover: float = 0.15
    p_error: float = 0.03
    p_reword: float = 0.5
    lenient: float = 0.0
    harsh: float = 0.0

    def respond(self, system: str, user: str, seed: int) -> str:
        """What it says to a request; a pure function"""

    def lessons(self, sections: Mapping[str, str], rng: Random) -> list[dict[str, str]]:
        """What the attempts in a request teach"""

    def act(self, system: str, goal: str, history: str, seed: int) -> Move:
        """What to do next"""

    def errs(self, goal: str, history: str, seed: int) -> bool:
        """Is this one of the steps at which the agent does something that makes no sense?"""

    def _report(self, system, sections, seed):
        """What it says as a judge, as an extractor, or of its own attempt"""

    def _verdict(self, sections, seed):
        ...

    def _ended_well(self, sections):
        """Did an attempt that was not stopped do what it had to?"""

    def reached(self, goal: str, episode: str) -> bool:
        """Does an episode show that a goal was reached?"""

    def _look_back(self, sections):
        """Was anything wasted in an episode?"""
