# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Callable
from collections.abc import Iterable
from rbkit.models.connect import ModelEngine
from pathlib import Path
from dspy.lm15 import Request
from dspy.lm15 import Response
from typing import Self
from collections.abc import Sequence
from rbkit.models.prices import Tokens
from functools import lru_cache
'What a model answered once can be asked for again, without the model'
__all__ = ['Line', 'USAGE', 'request_parts', 'request_key', 'usage_of', 'response_of', 'Tape', 'Recorder', 'recording_text', 'read_recording', 'ReplayMiss', 'load_recording', 'Replayer']
Line = dict[str, Any]
USAGE = ('input_tokens', 'output_tokens', 'total_tokens', 'cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens')

def request_parts(request: Request) -> dict[str, Any]:
    """What of a request decides its answer"""

def request_key(model: str, repeat: int, parts: dict[str, Any]) -> str:
    """What an answer is found by"""

def usage_of(response: Response) -> list[int | None]:
    """What a provider counted"""

def response_of(line: Line, request: Request) -> Response:
    """A response from a line of a recording; reasoning that an older line has in its reply is taken apart"""

class Tape:
    """One attempt, and how often it has asked each thing"""

    def __init__(self, repeat: int=0, arm: str='', attempt: int=1):
        self.slot = dict(repeat=repeat, arm=arm, attempt=attempt)
        self.seen = {}

    def asked(self, name: str, request: Request) -> Line:
        """The part of a line that is known before the answer; counts the request"""

class Recorder(Tape):
    """Notes every call of one attempt in `lines`, errors included"""

    def __init__(self, repeat: int=0, arm: str='', attempt: int=1):
        super().__init__(repeat, arm, attempt)
        self.lines = []

    def __call__(self, name: str, make: Callable[[], ModelEngine]) -> ModelEngine:
        ...

class _Taped:
    """An engine whose calls are noted"""

    def __init__(self, tape, name, engine):
        self.tape = tape
        self.name = name
        self.engine = engine

    def complete(self, request):
        ...

    def _answer(self, request, response):
        ...

    def price(self, response, tokens):
        ...

    def close(self):
        ...

def recording_text(lines: Iterable[Line], known: set[str]) -> str:
    """Lines as they stand in a file; new instructions come first, once each"""

def read_recording(path: str | Path) -> list[Line]:
    """The calls of a recording, instructions put back in; a torn last line is left out"""

class ReplayMiss(LookupError):
    """A request that the recording does not hold"""
    ends_run = True

@lru_cache(maxsize=4)
def _index(path, modified):
    """Lines by key; read again when the file was modified"""

def load_recording(path: str | Path) -> dict[str, list[Line]]:
    """A recording by key, read once per process; a `ValueError` if it is none"""

class Replayer(Tape):
    """Answers the requests of one attempt from a recording; no model is there"""

    def __init__(self, path: str | Path, repeat: int=0, arm: str='', attempt: int=1):
        super().__init__(repeat, arm, attempt)
        self.index = load_recording(path)
        self.usd = 0.0

    def __call__(self, name: str, make: Callable[[], ModelEngine]) -> Self:
        ...

    def complete(self, request: Request) -> Response:
        """The recorded answer; raises `ReplayMiss`, or the error that was recorded"""

    def price(self, response: Response, tokens: Tokens) -> float | None:
        ...

    def close(self) -> None:
        ...

    def pick(self, lines: Sequence[Line], nth: int) -> Line:
        """The line of the same arm and attempt, where there are several, and of the same count"""

    def nearest(self, asked: Line) -> str:
        """What a recording has that is most like a request, and what differs"""
_COMPARED = ('model', 'repeat', 'params', 'system', 'messages')

def _last_words(line):
    ...

def _distance(line, asked):
    """How unlike two requests are, in words of their last message; another model weighs most"""

def _difference(name, recorded, asked):
    """Where two values part, in a few words"""

def _first_difference(a, b):
    """Where two texts part"""

def _around(text, at):
    ...
