# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Callable
from typing import NamedTuple
from collections.abc import Sequence
import inspect
import threading
'Count every character that reaches the prompt, and hold every tool to one contract'
__all__ = ['MAX_DEPTH', 'FLAGS', 'NOTED_CHARS', 'portable', 'without_none', 'bounded', 'ToolError', 'placeless', 'tool', 'check_tool', 'Returned', 'Ledger', 'excerpt', 'relay', 'own_tools', 'describe_tools']
MAX_DEPTH = 20

def _text(value: Any) -> str:
    """A value as text that a file can hold, without memory addresses"""

def _whole(value: int) -> int | str:
    """A whole number, as text where a sandbox would lose digits"""

def _scalar(value: Any) -> str | bool | int | float | None:
    """One value that holds no others"""

def portable(value: Any) -> Any:
    """The same value as every interpreter carries it: no NaN, big integers, objects or loops"""

def without_none(**fields: Any) -> dict[str, Any]:
    """The fields of a tool's return that have a value; None stands for one that is left out"""

def _portable(value: Any, above: tuple[int, ...]) -> Any:
    """The same, below containers with these ids"""

def _size(value: Any) -> int:
    """Characters of JSON"""

def _keep(items: list, room: int) -> int:
    """How many items from the front fit in `room` characters of JSON"""

def _trim(item: Any, room: int) -> Any:
    """One item in about `room` characters of JSON, by cutting its longest texts"""

def _cut(text: str, over: int) -> str:
    """A text without its last `over` characters"""

def _shorten(fields: dict, name: str, over: int, max_chars: int) -> None:
    """Make one field of a dict shorter by `over` characters, if it has so many"""

def _first_items(items: list, room: int, max_chars: int) -> list:
    """The items that fit in `room` characters; a first one that takes half of the cap is cut"""

def bounded(value: dict, max_chars: int, rest: str='ask for less') -> dict:
    """Shorten a dict until its JSON fits, and say so"""

class ToolError(ValueError):
    """A mistake that a tool can explain: what was wrong, and a call that would work"""

    def __init__(self, msg: str, fix: str=''):
        super().__init__(msg)
        self.fix = fix

def placeless(text: str) -> str:
    """The text without paths (an IRI is none) and addresses in memory"""

def _clean(error: Exception) -> str:
    """What an exception says"""

def _error(name: str, sig: inspect.Signature, error: Exception) -> dict[str, str]:
    """What the model is told about a mistake"""

def _bind(name: str, sig: inspect.Signature, args: tuple, kwargs: dict) -> inspect.BoundArguments:
    """Positional and keyword arguments alike, with defaults; a wrong name is met with the right one"""

def tool(f: Callable | None=None, *, ledger: 'Ledger|None'=None, max_chars: int=1000, rest: str='ask for less, or use ctx_slice on a handle') -> Callable:
    """Hold a function to the tool contract; a decorator"""

class _Last(threading.local):
    """The size before the cap of what the last tool call of this thread returned; a tool around that tool reads it"""
    whole = 0
_last = _Last()

def _quiet(f: Callable, *args, **kwargs) -> dict:
    """Call a tool; it must print nothing, raise nothing, and return a bounded JSON dict"""

def check_tool(t: Callable, **good) -> dict:
    """Assert the contract: documented, bounded, JSON, silent, both call styles, errors as values.
    Raises AssertionError at the first promise that is broken."""
FLAGS = dict(max_single_return=1000, memory_items_injected=3, context_size=4000)

class Returned(NamedTuple):
    """What one tool call returned"""
    name: str
    chars: int
    outcome: str
    secs: float
    whole: int = 0

class Ledger:
    """What reached the prompt in one run, in characters, measured where it crossed"""

    def __init__(self, threshold: int=1000):
        self.threshold = threshold
        self.returns: list[Returned] = []
        self.stdout: list[int] = []
        self.requests: list[int] = []
        self.variables: list[int] = []
        self.subcalls = 0
        self.memory_items = 0
        self.context_size = 0
        self.trace: list[dict] = []

    def returned(self, name: str, chars: int, outcome: str='ok', secs: float=0.0, args: object=None, result: object=None, whole: int=0) -> None:
        """A tool returned `chars` characters"""

    def printed(self, chars: int) -> None:
        """The REPL printed `chars` characters"""

    def asked(self, chars: int, variables: int=0) -> None:
        """A request of `chars` characters went out, `variables` of them about variables"""

    def subcall(self) -> None:
        """A model was called from within the REPL"""

    def injected(self, items: int, context_size: int) -> None:
        """The context of the run: memory items, and characters in all"""

    def figures(self) -> dict[str, int | float]:
        """The figures of a run, in characters unless the name says otherwise"""

    def growth(self) -> float:
        """Characters by which a request is longer than the one before, on average"""

    def by_tool(self) -> dict[str, dict[str, int]]:
        """Calls by tool name and outcome"""

    def red_flags(self) -> list[str]:
        """Figures above their limit, as text"""

    def __repr__(self) -> str:
        ...
NOTED_CHARS = 2000

def excerpt(value: object, most: int=NOTED_CHARS) -> str:
    """A value as text; where it is cut, it says so"""
_TAKEN = ('SUBMIT', 'finish', 'llm_query', 'llm_query_batched')
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

def _lacks(f, taken):
    """What keeps an object from being a tool; empty if nothing does"""

def relay(t: Callable, call: Callable | None=None, ledger: Ledger | None=None, max_chars: int=1000) -> Callable:
    """A tool around a tool, with another ledger or cap; a mistake stays a mistake"""

def own_tools(functions: Sequence[Callable], ledger: Ledger | None=None, max_chars: int=1000, taken: Sequence[str]=()) -> list[Callable]:
    """A user's functions as tools of a run; raises `ValueError` that says what one of them lacks"""

def describe_tools(tools: Sequence[Callable]) -> str:
    """A line per tool: how it is called, and what its docstring says"""
