# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.models.sim_episodes import EpisodeStep
from rbkit.models.sim_episodes import Form
from rbkit.models.sim_requests import Habit
from rbkit.models.sim_household import HouseholdAgent
from collections.abc import Iterable
from rbkit.models.sim_episodes import Lesson
from collections.abc import Mapping
from rbkit.models.sim_episodes import Move
from typing import NamedTuple
from random import Random
from rbkit.models.sim_code import ReplStep
from collections.abc import Sequence
from rbkit.models.sim_requests import Way
from dataclasses import dataclass
import re
'It serves a request by its habits, and takes the short way unless somebody told it better'
__all__ = ['CALLS', 'CALLS_NOT', 'way_of', 'Talk', 'talk_of', 'planned', 'next_call', 'tool_of', 'tool_lessons', 'tool_warnings', 'solution_as_episode', 'conversation_lessons', 'ReplShown', 'shown_in', 'repl_steps', 'ToolsAgent']
CALLS = Form('Requests about {about}.', ('How to serve {about}', 'Calls for {about}'), ('For requests about {about}, call: {words}.', 'What was right for {about}: {words}.'))
CALLS_NOT = Form('Requests about {about}.', ('How not to serve {about}', 'No calls for {about}'), ('For requests about {about}, do not only call: {words}.', 'What was not right for {about}: {words}.'))

def way_of(habit: Habit, system: str, rng: Random, p_discover: float=0.0) -> Way:
    """The way that an attempt takes"""

class Talk(NamedTuple):
    """A conversation so far"""
    request: str
    made: tuple[str, ...]
    files: tuple[str, ...]
    results: dict[str, str]
    tools: frozenset[str]

def _fields(text, found):
    """Enter the plain fields of a JSON text, however deep"""
_TANK = 50

def _enter(name, x, found):
    """Enter a field, and what it was before; of a level of fuel, what is missing"""
_LISTED = re.compile('^(?:New tools|Tools): (.*)$', re.M)
_USER = re.compile('User: (.*?)(?=\\n(?:New tools|Tools): |\\Z)', re.S)

def talk_of(steps: Sequence[EpisodeStep]) -> Talk:
    """What a history says of a conversation"""
_TOLD = dict(access_token='(?:token|access code)\\w*(?: is| of|:)? [\'\\"]?([\\w]{6,})', card_id='(?:card\\b.{0,20}?\\bid|card) (?:of |is )?[\'\\"]?([\\w-]*\\d[\\w-]*)', booking_id='booking (?:id|code) [\'\\"]?([\\w-]*\\d[\\w-]*)')

def _told(request, results):
    """Enter the fields that a request tells"""

def planned(talk: Talk, system: str, seed: int, p_discover: float=0.0) -> list[str]:
    """All calls that a request is thought to need, made ones among them"""

def _next_of(way, said, talk):
    """The calls of a way as far as they can be filled by now"""
_MOST_CALLS = 8
_MOST_OF_A_TOOL = 2

def next_call(talk: Talk, system: str, seed: int, p_discover: float=0.0) -> str:
    """The call to make now"""

def tool_of(call: str) -> str:
    """The name of the tool that is called"""

def _called(code):
    """The call that a step makes, in a history or in a REPL"""

def _observed(output):
    """What a printed result says, as a turn agent would see it"""

def _turns(episode):
    """(request, calls) of each turn that an episode shows"""

def _given(call):
    """What a call was given, by name, as it is written; None for what is no call"""

def _written(value):
    """A value as text; the order of a list makes no other value of it"""

def _is_made(call, made):
    """Is a call of a way the one that was made? What stands in its gaps may be anything"""

def _went(way, calls):
    """Are the calls of a way among those that were made?"""

def _way_gone(habit, calls):
    """The way that some calls took; the right one where they took both, None where neither"""

def _shown(episode, form):
    """Advice in one form about what an episode did"""

def tool_lessons(episode: str) -> Iterable[Lesson]:
    """What a success teaches"""

def tool_warnings(episode: str) -> Iterable[Lesson]:
    """What a failure teaches"""

def solution_as_episode(goal: str, solution: str) -> str:
    """The first request of a solution as if it had been served"""

def conversation_lessons(sections: Mapping[str, str], rng: Random, p_reword: float=0.0) -> list[dict[str, str]]:
    """What attempts at a conversation teach: successes if there are any, else failures"""
_QUESTION = re.compile('Variable: `question`.*?Preview:\\s*```\\s*(.*?)\\s*```', re.S)

class ReplShown(NamedTuple):
    """What a request of a REPL shows"""
    question: str
    steps: list[ReplStep]

def shown_in(user: str) -> ReplShown:
    """The question and the steps that a request of a REPL shows"""

def repl_steps(system: str, user: str) -> list[EpisodeStep]:
    """The history of a REPL as steps of calls"""
_LAST = 'The user has no more requests.'

def _code(call, late):
    """A call as code"""

@dataclass(frozen=True)
class ToolsAgent(HouseholdAgent):
    """Serves a user's requests by habits that it has, and by those that it is told"""

    def respond(self, system: str, user: str, seed: int) -> str:
        """What it says to a request; a pure function"""

    def lessons(self, sections: Mapping[str, str], rng: Random) -> list[dict[str, str]]:
        """What the attempts in a request teach"""

    def reached(self, goal: str, episode: str) -> bool:
        """Did the conversation come to its end?"""

    def call(self, steps: Sequence[EpisodeStep], system: str, seed: int) -> str:
        """The call to make now"""

    def act(self, system: str, goal: str, history: str, seed: int) -> Move:
        """What to do next"""

def _brought(steps):
    """Names of tools that came after the beginning"""
