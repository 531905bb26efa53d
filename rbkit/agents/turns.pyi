# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.agents.code import Attempt
from rbkit.context import Context
from rbkit.bank.items import Item
from collections.abc import Iterable
from rbkit.context import Layer
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from rbkit.agents.evidence import history
from rbkit.ground.settings import import_dspy
import re
'One agent for every world that is played in steps: a thought, an action, and what was learned among its rules'
__all__ = ['dspy', 'HEAD', 'Act', 'Solve', 'memory_layer', 'shown_chars', 'shown_whole', 'turn_context', 'run_turns', 'Actor']
dspy = import_dspy()

class Act(dspy.Signature):
    """Replaced by the instructions"""
    goal: str = dspy.InputField()
    history: str = dspy.InputField(desc='what was seen and done so far, the oldest first')
    thought: str = dspy.OutputField(desc='what the last observation means for the goal, in a sentence; before acting')
    action: str = dspy.OutputField(desc='the one thing to do now, in the words of this world and nothing else')

class Solve(dspy.Signature):
    """Replaced by the instructions"""
    question: str = dspy.InputField()
    thought: str = dspy.OutputField(desc='the reasoning, step by step; always before the answer')
    answer: str = dspy.OutputField(desc='the answer in the form that the question asks for')
HEAD = 'Related experience from earlier tasks:'

def memory_layer(items: Sequence[Item], budget: int=2000, item_chars: int | None=None, secret: str='', cite: bool=False) -> Layer:
    """What was learned, as a layer under a heading of its own"""

def shown_chars(item: Item) -> int:
    """Characters that an item takes in a prompt"""

def shown_whole(items: Iterable[Item], chars: int) -> list[Item]:
    """The first items that a memory layer shows whole; at least one, which the packer may cut"""

def turn_context(env: object, items: Sequence[Item]=(), budget: int=2000, item_chars: int | None=None, secret: str='', cite: bool=False) -> Context:
    """What a turn agent is told before anything else: the rules, then what was learned"""

def run_turns(env: object, task: object, context: Context, lm: object, ledger: object=None, seed: int=0, max_steps: int | None=None) -> Attempt:
    """Make one attempt, from the first observation to the end"""

def _turns(a, env, task, say, seed, most):
    """Look, think, act, until the world or the limit ends it"""

def _next(env, task, say, steps):
    """One request: a thought, and an action that the world can read"""
_AROUND = re.compile('(\\*\\*|\\*|```|`|"|\')(.+)\\1')
_NAMED = re.compile('(next )?action\\**\\s*:[*\\s]*', re.I)

def _one(action):
    """The first line that is not empty, without decoration"""

def _bare(text):
    """A text without marks before it or around the whole of it; quotes inside it are its own"""

def _counts(trace):
    """Numbers of invalid commands, and of steps that repeat a command with the same result"""

def _ending(info, done):
    """The outcome, and the reason for it"""

@dataclass
class Actor:
    """A turn agent with its model; called with a world and a task, gives an `Attempt`"""
    lm: str = 'sim'
    profile: object = None
    max_steps: int | None = None
    budget: int = 2000
    ledger: object = None
    spend: object = None
    tape: object = None
    config: dict = field(default_factory=dict)

    def connect(self, seed: int=0, **config) -> object:
        """Its model; the seed is that of the simulated one's noise"""

    def __call__(self, env: object, task: object, items: list[Item]=(), seed: int=0, context: Context | None=None, lm: object=None) -> Attempt:
        """Make one attempt"""
