# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.models.sim_episodes import EpisodeStep
from rbkit.models.sim_episodes import Form
from rbkit.models.sim_household import HouseholdAgent
from collections.abc import Mapping
from rbkit.models.sim_episodes import Move
from random import Random
from collections.abc import Sequence
from rbkit.models.sim_sql import SqlAsked
from dataclasses import dataclass
import re
'It writes what comes to mind, unless it looked at the data or was told what is in them'
__all__ = ['ASK', 'ASK_NOT', 'told_way', 'looks', 'table_move', 'as_code', 'as_turn', 'way_shown', 'table_lessons', 'TablesAgent']
ASK = Form('Questions about {about}.', ('How to ask for {about}', 'What counts for {about}'), ('For questions about {about}, take: {words}.', 'What was right for questions about {about}: {words}.'))
ASK_NOT = Form('Questions about {about}.', ('How not to ask for {about}', 'What does not count for {about}'), ('For questions about {about}, do not take: {words}.', 'What was not right for questions about {about}: {words}.'))

def told_way(asked: SqlAsked, system: str) -> str:
    """The way that advice names, or the other one of the way that it warns of"""

def looks(asked: SqlAsked, seed: int, p_discover: float=0.0) -> bool:
    """Does an attempt that was told nothing look at the data first?"""

def _seen(steps, statement):
    """What a statement returned; None if it was not run"""

def _answer(asked, seen):
    """An answer of what was seen last"""

def table_move(question: str, steps: Sequence[EpisodeStep], system: str, seed: int, p_discover: float=0.0) -> Move:
    """What to do next"""
_RUN = re.compile('^r = sql\\((.*)\\); print\\(r\\)$', re.M)

def as_code(action: str) -> str:
    """The same as a step in a REPL"""

def as_turn(code: str) -> str:
    """What a turn agent would have said"""

def _printed(output):
    """What a step printed, with rows as a turn agent sees them"""

def _as_row(line):
    """A line with a row as JSON, or as it is"""

def way_shown(goal: str, episode: str) -> tuple[SqlAsked | None, str]:
    """Which way the last statement of an episode took"""

def _taught(goal, episode, form):
    """Advice in one form about what an episode did"""

def table_lessons(sections: Mapping[str, str], rng: Random, p_reword: float=0.0) -> list[dict[str, str]]:
    """What attempts at a question teach: successes if there are any, else failures"""

@dataclass(frozen=True)
class TablesAgent(HouseholdAgent):
    """Asks a database by what comes to mind, by what it saw, and by what it is told"""

    def act(self, system: str, goal: str, history: str, seed: int, steps: Sequence[EpisodeStep] | None=None) -> Move:
        """What to do next"""

    def lessons(self, sections: Mapping[str, str], rng: Random) -> list[dict[str, str]]:
        """What the attempts in a request teach"""

    def reached(self, goal: str, episode: str) -> bool:
        """Does its last statement take a way that is not known to be short?"""

    def respond(self, system: str, user: str, seed: int) -> str:
        """What it says to a request; a pure function"""

    def _ended_well(self, sections):
        """Was an answer given, and does the episode show no slip?"""
