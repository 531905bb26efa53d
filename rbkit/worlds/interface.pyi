# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from typing import NamedTuple
from rbkit.graphs.checks import Verdict
from dataclasses import dataclass
import re
'One interface for a question that is answered once and a world that answers back'
__all__ = ['MOST_CHARS', 'RECORDED', 'OWN', 'HOSTILE', 'NO_TEXT', 'WORDS', 'ENVS', 'WorldTask', 'BaseEnv', 'Answered', 'without_verdict', 'nonsense', 'play', 'gold', 'check_env', 'survives', 'register_env', 'load_named', 'env_class', 'make_env', 'worlds']

@dataclass(frozen=True)
class WorldTask:
    """One episode of a world: what is wanted, and which of its variations"""
    id: str
    question: str
    world: str
    level: int = 1
    split: str = 'train'
    variation: object = None
    kind: str = ''
    private: bool = False

    @property
    def graph(self) -> str:
        """The domain, under the name that it has for questions over graphs"""

    @property
    def hash(self) -> str:
        """A short hash of what is asked"""

    def __repr__(self):
        ...
MOST_CHARS = 4000
RECORDED = 'Answer recorded.'
_CONTROLS = re.compile('[\\x00-\\x08\\x0b-\\x1f\\x7f\\ud800-\\udfff]')

class BaseEnv:
    """A world of tasks. A subclass has `_tasks`, `_begin(task, seed)`, `_act(action)`, `_gold()`, and may have `_end`,
    `_check(answer)`, `family`, which prompts fit it, and `commands`, what can be said to it"""
    name = ''
    max_steps = 50
    single = False
    family = 'embodied'
    same_again = True
    task = None
    t = 0
    score = 0.0
    over = True
    commands = ''

    def tasks(self, split: str | None=None) -> list[WorldTask]:
        """The episodes that this world offers"""

    @classmethod
    def needs(cls) -> str:
        """What has to be installed first; empty if nothing"""

    def _end(self):
        ...

    def __enter__(self):
        ...

    def __exit__(self, *_):
        ...

    def __repr__(self):
        ...

    def reset(self, task: WorldTask | str | None=None, variation: object=None, seed: int | None=None) -> str:
        """Begin an episode"""

    def named(self, id: str | None=None) -> WorldTask:
        """A task by its id; the first if not given"""

    def _varied(self, task, variation):
        ...

    def get_ground_truth(self) -> str | list[str]:
        """What solves the episode: the answer, or a list of actions. For judges that may know, never for agents"""

    def _begun(self):
        ...

    def close(self) -> None:
        """Let go of what it holds; twice is once"""

    def step(self, action: object) -> tuple[str, float, bool, dict[str, object]]:
        """Do one thing"""

    def _info(self, invalid, truncated=False, **more):
        ...

    def _answer(self, action):
        """What the world makes of an action, and nothing that it throws"""

    def evaluate(self, prediction: object=None) -> Verdict:
        """Is the task done, or is this answer right? ValueError where a world has no answers"""

    def _check(self, prediction):
        """Is an answer right? A world that has answers says so"""

class Answered(NamedTuple):
    """What a world makes of an action"""
    seen: str
    score: float
    done: bool = False
    invalid: bool = False
    more: dict[str, object] = {}
OWN = {'step', 'score', 'success', 'invalid', 'truncated'}

def _checked_answer(seen, score, done, invalid, more=()):
    """What an action came to, in the types that a step promises"""
_TOLD = re.compile('^\\W*(?:the end|your score has |you(?: have)? scored |you(?: have)? (?:won|lost)\\b[.! *]*$|(?:the )?(?:task|game|quest) (?:is |was |has been )?(?:over|completed?|failed|won|lost)\\b|would you like to (?:restart|quit)).*$\\n?', re.I | re.M)

def without_verdict(text: str) -> str:
    """What is seen, without lines that tell the score or how it went"""
HOSTILE = ('', ' ', '\n', '\x00', 'fly', '1', '-1', 'None', '{}', '[]', '()', "'; drop table x; --", '../../etc', '𝔘𝔫𝔦', '🙂' * 20, 'مرحبا', '\ud800', 'go ' * 900, 'x' * 5000, 'look\nlook\nlook', '%s%n', '\\boxed{', 'SELECT * WHERE {')
NO_TEXT = (None, 7, b'open', ['open'], {'open': 1})
WORDS = ('go', 'take', 'open', 'look', 'put', 'use', 'to', '1', '2', 'north', 'table', 'focus on', 'answer')

def nonsense(n: int, rng_seed: int=0, words: tuple[str, ...]=WORDS) -> list[object]:
    """What an agent might say at its worst"""

def _nonsense(rng, words):
    """A hostile text, something that is no text, or words in any order"""

def play(env: BaseEnv, task: WorldTask | str, actions: list[str], seed: int=0) -> tuple[list[str], dict[str, object]]:
    """Play an episode with given actions"""

def gold(env: BaseEnv) -> list[str]:
    """What solves the present episode, as actions"""

def check_env(make: Callable[[], BaseEnv], tasks: list[WorldTask] | None=None, n_hostile: int=200, solved: bool=True) -> dict[str, int]:
    """Assert the contract of a world"""

def _describes_itself(env, tasks):
    """Its tasks are its own and can be told apart; its commands are text"""

def _refuses(ask):
    ...

def _solves(env, task, must):
    """A gold solution scores in full, and less without its end"""

def survives(env: BaseEnv, tasks: list[WorldTask], n: int, rng_seed: int=0) -> int:
    """Assert that nothing raises whatever is said, and that every episode ends"""

def _said(env, action):
    """Do one hostile thing, and look at what comes back; is the episode over?"""

def _repeats(env, task):
    ...
ENVS = dict(graph='rbkit.worlds.graph:GraphEnv', questions='rbkit.worlds.questions:Questions', household='rbkit.worlds.household:Household', scienceworld='rbkit.worlds.scienceworld:ScienceWorld', alfworld='rbkit.worlds.text_games:AlfWorld', textworld='rbkit.worlds.text_games:TextWorld', peg='rbkit.worlds.peg:PegEnv', metaworld_peg='rbkit.worlds.gymnasium:MetaworldPeg', tools='rbkit.worlds.tools:ToolTasks', tables='rbkit.worlds.tables:Tables')

def register_env(name: str, what: type | str | Callable) -> None:
    """Enter a world; another one under the same name is refused"""

def load_named(name: str) -> object:
    """What stands under a name in a module, which is imported for it"""

def _known():
    ...

def env_class(name: str) -> type | Callable:
    """What makes a world, by its name"""

def make_env(name: str, **kwargs) -> BaseEnv:
    """A world by its name; one that lacks something says what"""

def worlds() -> dict[str, str]:
    """All worlds that are known, and what each one lacks"""

def _lack(name):
    """A stranger's world that cannot be imported does not take the others with it"""
