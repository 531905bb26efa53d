# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.agents.code import Attempt
from rbkit.handles import BlobStore
from collections.abc import Callable
from rbkit.context import Context
from rbkit.worlds.world import EnvPool
from rbkit.worlds.world import Episodes
from rbkit.bank.items import Item
from rbkit.worlds.world import OneEnv
from rbkit.worlds.bfcl import ToolEntry
from rbkit.worlds.tools import ToolTasks
from rbkit.worlds.interface import WorldTask
'The tools of a conversation as functions that code calls, with long results as handles'
__all__ = ['LONG', 'CODE_STEPS', 'CODE_BASE', 'AGENTS', 'returned', 'tool_function', 'tool_functions', 'code_context', 'run_tool_code', 'ToolWorld']
_TYPES = dict(string=str, integer=int, float=float, boolean=bool, array=list, dict=dict)

def _signature(entry):
    """The signature that a description tells"""

def _given(signature, args, kwargs):
    """The arguments that were given, by name, without those that only repeat a default"""
LONG = 600

def _value(text):
    """What a tool returned, as a dict"""

def returned(text: str, store: BlobStore, name: str) -> dict[str, object]:
    """What a function returns to code; `ToolError` for a mistake that the tool reports"""

def _does(env, call, store):
    """One step of the world, as a function returns it"""

def tool_function(env: ToolTasks, entry: ToolEntry, store: BlobStore) -> Callable:
    """A tool of the episode as a function"""

def _own_functions(env, store):
    """Functions that every conversation has"""

def tool_functions(env: ToolTasks, store: BlobStore | None=None) -> list[Callable]:
    """What code can call in an episode"""
CODE_STEPS = 25
CODE_BASE = "You serve a user with tools, which are functions here. Do what `question` asks, then call reply(text='...'): it returns the user's next request, to be done in the same way, until over is True; then SUBMIT(answer='done', sparql=''). Do no more and no less than is asked: what is compared is the state after each request. If something is missing that only the user can give, say so in the reply."

def code_context(items: list[Item]=(), budget: int=2000, item_chars: int | None=None) -> Context:
    """What a code agent is told before its tools"""

def _outcome(a, env):
    """How an attempt ended, and why"""

def run_tool_code(env: ToolTasks, task: WorldTask, context: Context, lm: object, ledger: object=None, seed: int=0, max_iters: int=CODE_STEPS, interpreter: str | None=None) -> Attempt:
    """Let a code agent go through a conversation"""
AGENTS = ('turns', 'code')

class ToolWorld(Episodes):
    """The world of tools as a trial sees it, played by a turn agent or by one that writes code"""

    def __init__(self, env: str='tools', options: dict[str, object] | None=None, pool: EnvPool | OneEnv | None=None, name: str=''):
        given = dict(options or {})
        self.agent = given.pop('agent', 'turns')
        if self.agent not in AGENTS:
            raise ValueError(f"agent={self.agent!r} is unknown; use one of {', '.join(AGENTS)}.")
        super().__init__(env, given, pool, name)

    def roots(self) -> tuple[type, ...]:
        """The world, its simulated agent, and this"""

    def stamp(self, task: WorldTask) -> str:
        """Its options, who plays it, and what can be said to it"""

    def builder(self, arm: object, profile: str) -> Callable[..., Context]:
        """(task, items) -> the rules and, for an arm with memory, what it was shown"""

    def attempt(self, task: WorldTask, context: Context, lm: object, ledger: object=None, seed: int=0, interpreter: str | None=None, **how) -> Attempt:
        """Let an agent go through a conversation"""
