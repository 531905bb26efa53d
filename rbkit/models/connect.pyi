# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Callable
from dspy.lm15 import Config
from collections.abc import Iterator
from rbkit.ground.ledger import Ledger
from typing import NamedTuple
from rbkit.models.sim_reader import Profile
from typing import Protocol
from dspy.lm15 import Request
from dspy.lm15 import Response
from rbkit.models.prices import Tokens
import dspy
from rbkit.models.options import prompt_heats
import threading
import time
'Simulated or live: one seam'
__all__ = ['HELD', 'REPLY_CHARS', 'KEPT_CHARS', 'KEYS', 'BudgetReached', 'NotServed', 'Reserved', 'Spend', 'RequestText', 'request_text', 'filled_in', 'ModelEngine', 'Metered', 'is_held', 'price_of', 'count_tokens', 'Simulated', 'SimEngine', 'check_model', 'Offline', 'connect', 'Preflight', 'preflight']

class BudgetReached(RuntimeError):
    """A cap on calls, tokens, money or time was reached; the run ends cleanly and can be resumed"""
    ends_run = True

class NotServed(BudgetReached):
    """A provider takes no more requests: a key that is refused, an account without money; the run ends as at a cap"""

class Reserved(NamedTuple):
    """What is set aside for a request that is under way"""
    tokens: float = 0
    usd: float = 0

class Spend:
    """What a run has spent, and the caps that end it; shared by all its calls"""

    def __init__(self, max_calls: int=0, max_tokens: int=0, max_usd: float=0, max_secs: float=0):
        self.caps = dict(calls=max_calls, tokens=max_tokens, usd=max_usd, secs=max_secs)
        self.calls = 0
        self.tokens = 0
        self.usd = 0.0
        self.unpriced = 0
        self.news = None
        self.largest = Reserved()
        self.most_chars = 0
        self.under_way = []
        self._changed = threading.Condition()
        self._start = time.monotonic()

    @property
    def secs(self) -> float:
        """Seconds since the run began, earlier invocations included"""

    def __repr__(self):
        ...

    @property
    def is_used_up(self) -> bool:
        """Would `check` raise?"""

    def check(self) -> None:
        """Raise `BudgetReached` when a cap is reached, or when one on money cannot be kept"""

    def needs(self, chars: int) -> Reserved:
        """What a request is taken to need: what the largest so far took, and more where it is longer than any before"""

    def _too_much(self, need):
        """The cap that this request could pass, beside what is spent and reserved: its name; empty if there is none"""

    def begin(self, chars: int=0) -> Reserved:
        """Count one call that is about to be made, and reserve what it may take; raises `BudgetReached`. Where the rest of a
    cap is reserved by calls under way, it waits for them"""

    def release(self, reserved: Reserved | None) -> None:
        """Give back what was reserved for a call that is over"""

    def back(self, reserved: Reserved | None=None) -> None:
        """Take back a call that was not made after all"""

    def add(self, tokens: int, usd: float | None, calls: int=0, reserved: Reserved | None=None, chars: int=0) -> None:
        """Enter what an answered call took"""

    def resume(self, calls: int, tokens: int, usd: float | None, secs: float) -> None:
        """Enter what earlier invocations of the same run took"""

    def at_least(self, calls: int=0, tokens: int=0, usd: float=0.0, largest: tuple[float, float]=(0, 0)) -> None:
        """Enter what earlier invocations took beyond what is entered already: calls of steps that were not finished"""

    def told(self) -> dict[str, Any]:
        """This purse as it is now, for a worker elsewhere"""

    @classmethod
    def of(cls, told: dict[str, Any]) -> Spend:
        """The purse that a worker was told of"""

def _ended(name, cap, spent, need=0):
    """That a cap is reached, how much was spent, and what to do"""

class RequestText(NamedTuple):
    """A request as text"""
    system: str
    user: str

def request_text(request: Request) -> RequestText:
    """A request's instructions and its conversation, as text"""

def filled_in(request: Request, config: Config) -> Request:
    """A request with the options of its run; its own are stronger, and so is its wish for no temperature"""

class ModelEngine(Protocol):
    """What answers requests"""

    def complete(self, request: Request) -> Response:
        ...

    def close(self) -> None:
        ...

class Metered:
    """An engine with a meter: caps, ledger and trace around any other engine"""

    def __init__(self, engine: ModelEngine, ledger: Ledger | None=None, spend: Spend | None=None, trace: list[dict] | None=None, name: str='sim', config: Config | None=None, heats: dict[str, float | None] | None=None):
        self.engine = engine
        self.ledger = ledger
        self.spend = spend or Spend()
        self.trace = trace if trace is not None else []
        self.name = name
        self.config = config or Config()
        self.heats = prompt_heats() if heats is None else heats
        self.calls = 0
        self.counts = Tokens()
        self.usd = 0.0
        self.last = None
        self.reply = None
        self.finish = None
        self.attempt_ledger = None
        self.replies = ''
        self.stopped = None
        self.begun = None

    @property
    def tokens(self) -> int:
        """Tokens in and out"""

    def close(self) -> None:
        ...

    def complete(self, request: Request) -> Response:
        """Answer one request, if the caps allow, and enter it; reasoning is a part of its own in what is returned"""

    def stream(self, request: Request) -> Iterator:
        """The whole reply, cut into events"""

    def _enter(self, request, response, secs, reserved):
        """Count one answered request"""

    def _ledgers(self):
        """Those that count this request, each once"""

def _ending(error, name):
    """What ends the run, if an error does"""
HELD = 'paid before'

def is_held(response: Response) -> bool:
    """Does an answer cost nothing now, since it was paid for before?"""
REPLY_CHARS = 2000
KEPT_CHARS = 100000

def price_of(engine: ModelEngine, response: Response, tokens: Tokens) -> float | None:
    """US dollars for a response; an engine that has no `price` costs nothing"""

def count_tokens(request: Request, response: Response, name: str) -> Tokens:
    """What an answered request took"""

class Simulated(Protocol):
    """A simulated agent that answers for itself"""

    def respond(self, system: str, user: str, seed: int) -> str:
        ...

class SimEngine:
    """The simulated model as a dspy engine"""

    def __init__(self, profile: Profile | Simulated | None=None, seed: int=0):
        self.profile = profile or Profile()
        self.seed = seed

    def complete(self, request: Request) -> Response:
        """Answer one request"""

    def reply(self, system: str, user: str) -> str:
        """What it says to a request: as a role that others brought, or as the agent that it is"""

    def say(self, intent: str, **fields: str) -> str:
        """What it says to a registered prompt"""

    def close(self) -> None:
        ...
KEYS = dict(openai='OPENAI_API_KEY', anthropic='ANTHROPIC_API_KEY', gemini='GEMINI_API_KEY', groq='GROQ_API_KEY', mistral='MISTRAL_API_KEY', deepseek='DEEPSEEK_API_KEY', openrouter='OPENROUTER_API_KEY', together_ai='TOGETHERAI_API_KEY')

def check_model(name: str, keyed: bool=True) -> str:
    """Refuse a model name that cannot work: a `ValueError` says what to do"""

class Offline(RuntimeError):
    """A model would have to be asked, and the setting `offline` is on"""
    ends_run = True

def _engine(name, seed, profile, api_base=None):
    """The engine behind a name; none where nobody may be asked"""

def connect(name: str='sim', seed: int=0, ledger: Ledger | None=None, spend: Spend | None=None, trace: list[dict] | None=None, profile: Profile | Simulated | None=None, tape: Callable[[str, Callable[[], ModelEngine]], ModelEngine] | None=None, options: dict[str, Any] | None=None, api_base: str | None=None, **config: Any) -> dspy.LM:
    """A model by name, behind the meter; raises `Offline`, or `ValueError` for a wrong name"""

class Preflight(NamedTuple):
    """What a small request to a model took, one at each temperature"""
    reply: str
    tokens: Tokens
    usd: float | None
    secs: float
    calls: int = 1

    def __str__(self):
        ...

def preflight(name: str, learns: bool=False, **config: Any) -> Preflight | None:
    """A tiny call to a live model at each temperature: a wrong name, key, address or option is a `ConnectionError`"""

def _word(name, options, config, said, heat):
    """The meter of a model that was asked for one word at one temperature; an error says what to change"""

def _blamed(name, options, said, heat, why):
    """What a model refused, and which setting to change; empty where its server named nothing that was sent"""

def _all_names(options):
    ...

def _why(e):
    """The first line of an error"""
