# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from rbkit.worlds.bfcl import MAIN
from collections.abc import Sequence
from rbkit.worlds.bfcl import ToolCall
from rbkit.worlds.bfcl import ToolEntry
from rbkit.worlds.bfcl import VARIANTS
'Tool calls as a world of steps: a user asks, the agent calls tools and answers, and the user goes on'
__all__ = ['MOST_SEEN', 'OWN_TOOLS', 'HOW_TO', 'OPENING_CHARS', 'HOSTILE_CALLS', 'ToolTasks', 'opening_of']
MOST_SEEN = 3000
OWN_TOOLS = dict(describe='tool', reply='text')
HOW_TO = "Call one tool at a time, with plain values, such as ls(a=True). describe(tool='NAME') says all about a tool. reply(text='...') answers the user, and brings the next request."

def _own_entry(name, parameter):
    ...

def _names(given, allowed, what):
    """A list of names, given as such or as text with commas; ValueError for one that there is not"""

class ToolTasks(BaseEnv):
    """Conversations in which tools of eight environments are called, checked by state"""
    name = 'tools'
    max_steps = 50
    commands = HOW_TO

    def __init__(self, variants: str | Sequence[str]='base', environments: str | Sequence[str]=MAIN, held_out: str | Sequence[str]=(), requests: int | None=None, max_steps: int=50):
        self.variants = _names(variants, VARIANTS, 'variants')
        self.environments = _names(environments, MAIN, 'environments')
        self.held_out = _names(held_out, MAIN, 'held_out') if held_out else ()
        if requests is not None and requests < 1:
            raise ValueError(f'requests={requests}; it must be 1 or more.')
        self.requests = requests
        self.max_steps = max_steps
        self._session = None
        self._all = None

    def __repr__(self):
        ...

    @classmethod
    def needs(cls) -> str:
        """What has to be installed first; empty if nothing"""

    def _read(self):
        """Tasks of the package by id"""

    def _is_held_out(self, t):
        ...

    def _tasks(self):
        ...

    def _task(self, t):
        ...

    def _begin(self, task, seed):
        ...

    def _end(self):
        ...

    def asked(self) -> tuple[str, ...]:
        """The requests of this conversation that are made"""

    def tools_now(self) -> dict[str, ToolEntry]:
        """The tools that there are in this turn, by name"""

    def _act(self, action):
        ...

    def carry_out(self, call: ToolCall) -> tuple[str, float, bool, bool, dict[str, object]]:
        """Do what a call says"""

    def described(self, name: str) -> tuple[str, bool]:
        """All that a tool's description says"""

    def _next_turn(self):
        """The user's next request, or the end"""

    def request_now(self) -> str:
        """What the user says in this turn"""

    def _gold(self):
        ...
OPENING_CHARS = 1450

def _brief(t):
    """A call without the arguments that may be left out"""

def opening_of(request: str, tools: Sequence[ToolEntry]) -> str:
    """The first request, and the tools in as many words as there is room for"""
_OWN_ENTRIES = {name: _own_entry(name, p) for name, p in OWN_TOOLS.items()}
HOSTILE_CALLS = ('power(base=10, exponent=1000)', 'power(10.0, 1e300)', 'square_root(number=2, precision=1000)', "multiply(a='x', b=1000000000)", 'round_number(number=5, decimal_places=-1000000000000)', "mean(numbers='ab')", "mkdir(dir_name='a')", "cp(source='a', destination='a')", 'find()', 'du(human_readable=True)', "cd(folder='..')", "find(path='/', name='')", "tail(file_name='log.txt', lines=-1000000)", "__import__('os')", "ls(a=__import__('os'))", "open('x')", "eval('1')", 'exit()', 'kill()', 'run()', "popen('ls')", '_load_scenario(scenario={})', 'lambda: 0', 'ls() + ls()', 'ls(); ls()', "ls(**{'a': 1})", 'ls(*[1])', 'describe(tool=5)', 'reply(text=5)', 'reply()', "post_tweet(content='ls(' * 9)", "post_tweet(content='ls()')", 'edit_ticket(ticket_id=1, updates={})')
