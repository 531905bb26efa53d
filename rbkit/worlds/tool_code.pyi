# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.agents.code import Attempt
from collections.abc import Callable
from rbkit.context import Context
from rbkit.tools.described import DescribedTools
from rbkit.worlds.world import EnvPool
from rbkit.worlds.world import Episodes
from rbkit.bank.items import Item
from rbkit.worlds.world import OneEnv
from collections.abc import Sequence
from rbkit.worlds.tools import ToolTasks
from rbkit.worlds.interface import WorldTask
'The tools of a conversation as functions that code calls, with long results as handles'
__all__ = ['FAILED', 'CODE_STEPS', 'CODE_BASE', 'AGENTS', 'conversation_tools', 'tool_functions', 'code_context', 'played', 'run_tool_code', 'CodeEpisodes', 'ToolWorld']
FAILED = 'Error during execution: '

def _acts(env):
    """How a call is made in this world"""

def _own_functions(env, made):
    """Functions that every conversation has"""

def conversation_tools(env: ToolTasks) -> DescribedTools:
    """What makes functions of an episode's tools, with a store of its own"""

def tool_functions(env: ToolTasks, made: DescribedTools | None=None) -> list[Callable]:
    """What code can call in an episode"""
CODE_STEPS = 25
CODE_BASE = "You serve a user with tools, which are functions here. Do what `question` asks, then call reply(text='...'): it returns the user's next request, to be done in the same way, until over is True; then SUBMIT(answer='done', sparql=''). Do no more and no less than is asked: what is compared is the state after each request. If something is missing that only the user can give, say so in the reply."

def code_context(items: Sequence[Item]=(), budget: int=2000, item_chars: int | None=None, base: str=CODE_BASE, secret: str='') -> Context:
    """What a code agent is told before its tools"""

def _ending(a, score, why):
    """How an attempt ended, and the reason where it did not succeed"""

def played(a: Attempt, context: Context, begin: str, score: float, why: str) -> Attempt:
    """The attempt, with its outcome and with what an attempt by turns says of itself"""

def run_tool_code(env: ToolTasks, task: WorldTask, context: Context, lm: object, ledger: object=None, seed: int=0, max_iters: int=CODE_STEPS, interpreter: str | None=None) -> Attempt:
    """Let a code agent go through a conversation"""
AGENTS = ('turns', 'code')

class CodeEpisodes(Episodes):
    """A world of steps as a trial sees it, played by a turn agent or by one that writes code"""
    base = CODE_BASE
    run = staticmethod(run_tool_code)

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
        """Let an agent go through an episode"""

class ToolWorld(CodeEpisodes):
    """The world of tools, played by a turn agent or by one that writes code"""
