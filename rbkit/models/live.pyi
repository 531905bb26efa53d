# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from dspy.lm15 import Request
from dspy.lm15 import Response
from tenacity import RetryCallState
from rbkit.models.prices import Tokens
from dataclasses import dataclass
import dspy
from math import inf
from functools import lru_cache
from rbkit.ground.turns import open_turns
import os
import threading
'A request to a real model: its turn, its deadline, its length, and asking again'
__all__ = ['MOST_PAUSE_SECS', 'PACKED_ONCE', 'COUNTS', 'TRIES', 'ANSWERS', 'Turns', 'turns_at', 'in_time', 'AnswerTooLong', 'packed_as', 'without_odd_counts', 'counting', 'count_answers', 'pause_secs', 'check_answered', 'served_nonsense', 'clean_answer', 'clean_error', 'LiveEngine']

class Turns:
    """The row of an endpoint: places a fixed time apart, and the pauses that its server asks for"""

    def __init__(self, endpoint: str='', per_minute: float=0, path: Path | None=None):
        self.endpoint = endpoint
        self.gap_secs = 60 / per_minute if per_minute else 0.0
        self.path = path
        self._own = None if path else open_turns(':memory:')
        self._lock = threading.Lock()

    def _ask(self, what, *args):
        """Look something up in the row or change it; where the file cannot be used, this process goes on by itself"""

    @property
    def _pauses(self):
        ...

    def take(self, now: float) -> float:
        """The next free place"""

    def paused(self, now: float) -> float:
        """How long the server still wants to be left alone"""

    def pause(self, secs: float, now: float) -> None:
        """Leave the server alone, all that ask it"""

    def wait(self, most_secs: float=inf) -> None:
        """Wait for the next free place"""

@lru_cache(maxsize=None)
def turns_at(endpoint: str, per_minute: float, path: Path | None=None) -> Turns:
    """The row of an endpoint, one for all of this process"""
MOST_PAUSE_SECS = 3600.0

def in_time(secs: float, call: Callable[[], Any]) -> Any:
    """What a call returns or raises; `LMTimeoutError` where it takes longer"""

class AnswerTooLong(RuntimeError):
    """A server sent more than any answer may have, or packed it so that nobody knows how much it is"""
PACKED_ONCE = ('gzip', 'x-gzip', 'deflate')

@dataclass
class _Room:
    """How much of an answer is taken"""
    most_mb: float
    left: float = 0
    refused: AnswerTooLong | None = None

    def __post_init__(self):
        self.left = self.most_mb * 2 ** 20

    def take(self, size: int) -> None:
        """Take so many bytes more, or raise `AnswerTooLong`"""

    def refuse(self, why: str) -> None:
        """Raise `AnswerTooLong`, and keep it"""
_ROOM = ContextVar('room', default=None)

def packed_as(headers: Any) -> list[str]:
    """The ways in which a server says that it packed its answer"""

def _check_packed(room, ways):
    """Refuse what may unpack to anything"""
COUNTS = ('usage', 'usageMetadata')

def _is_count(name, value):
    """Can this stand under its name? Only what is named after tokens has to be a count"""

def _can_be(said, name=''):
    """Is this a count, or what holds counts?"""

def _is_odd(counts):
    """Is this no table of counts?"""

def without_odd_counts(body: bytes) -> bytes:
    """An answer without a count of tokens that cannot be"""

def counting(chunks: Callable) -> Callable:
    """The same method; of a request with a room it gives the whole, and ends where there is no room left"""

@dataclass(frozen=True)
class _Reader:
    """Where a library reads an answer"""
    module: str
    kind: str
    method: str
    sender: str = ''

    def count(self) -> None:
        """Make it count"""

    def _ask_for_less(self, kind):
        ...
_OWN_READER = _Reader('dspy._vendor.lm15.transports', 'TransportResponse', '__iter__')
_READERS = [_Reader(name, 'Response', 'iter_bytes', 'Client') for name in ('httpx', 'httpx2')]

@lru_cache(maxsize=1)
def count_answers() -> None:
    """Let every library count, once in a process"""
TRIES = 5

def pause_secs(state: RetryCallState) -> float:
    """How long to wait before the next try"""
ANSWERS = ('choices', 'content', 'candidates', 'output', 'message', 'outputs')

def _holds(name, said):
    """Is an answer in this part of a reply? A choice without a message is none"""

def check_answered(response: Response) -> Response:
    """Raise `LMServerError` where a reply holds no answer at all; an empty text is one"""

def served_nonsense(error: Exception) -> bool:
    """Did a server say 200, and send what no library can read as an answer?"""

def clean_answer(response: Response) -> Response:
    """A response with its reasoning apart, in which no part holds a key or a lone surrogate"""

def _clean_part(part):
    """A part of a reply without keys: text, reasoning, refusal, or what a tool call says"""

def clean_error(error: Exception) -> Exception:
    """An error whose words hold no key"""

class LiveEngine:
    """A real model through dspy"""

    def __init__(self, name: str, api_base: str | None=None, timeout_secs: float=120, per_minute: float=0, answer_mb: float=16, turns_path: Path | None=None):
        count_answers()
        os.environ.setdefault('LITELLM_LOCAL_MODEL_COST_MAP', 'true')
        provider = name.split('/')[0].upper()
        extra = {'api_base': api_base} if api_base else {}
        if api_base and (not os.environ.get(f'{provider}_API_KEY')):
            extra['api_key'] = 'none'
        self.name = name
        self.timeout_secs = timeout_secs
        self.answer_mb = answer_mb
        self.turns = turns_at(api_base or provider, per_minute, turns_path)
        self.tries = TRIES
        self.lm = dspy.LM(name, cache=False, num_retries=0, timeout=timeout_secs, **extra)

    def price(self, response: Response, tokens: Tokens) -> float | None:
        """US dollars for a response"""

    def close(self) -> None:
        ...

    def _once(self, asked, deadline):
        """Ask once"""

    def _pause_secs(self, state):
        """How long to wait before the next try"""

    def _sleep(self, deadline, secs):
        """Wait before the next try, and for its turn"""

    def complete(self, request: Request) -> Response:
        """Answer one request"""
