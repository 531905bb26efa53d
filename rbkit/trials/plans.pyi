# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.trials.spec import Arm
from collections.abc import Callable
from rbkit.trials.inputs import Inputs
from pathlib import Path
from rbkit.trials.spec import Spec
from rbkit.trials.trial import Trial
from dataclasses import dataclass
from dataclasses import field
'What a run would cost, and what it could find, before it is made'
__all__ = ['USUAL', 'ASSUMED', 'START_SECS', 'SIM_SECS', 'ASKED_SECS', 'TOKENS_A_SEC', 'PILOT_TASKS', 'PILOT_ATTEMPTS', 'GUIDES', 'GUIDE_STEPS', 'OWN_ROWS', 'LENDERS', 'in_words', 'Plan', 'stream_place', 'cheap', 'expected', 'plan', 'secs_a_call', 'plan_of', 'of_rows', 'earlier', 'experiment']
USUAL = dict(between=0.1, within=0.35)
ASSUMED = ', if tasks vary as they usually do. The tables of a run say what its own rows detect.'
START_SECS = 20
SIM_SECS = 0.1
ASKED_SECS = 1
TOKENS_A_SEC = 40

def in_words(secs: float) -> str:
    """A time, as exactly as an estimate deserves"""

@dataclass(frozen=True)
class Plan:
    """A run before it is made: expected cost per arm, and the smallest difference that it would detect"""
    exp: str
    lm: str
    tasks: int
    repeats: int
    frame: object = field(repr=False)
    source: str
    found: float
    caps: dict[str, float]
    of: str = 'repeats'
    unreasoned: bool = False
    held_out: int = 0
    found_by: str = ''
    secs_a_call: float | None = None

    def __repr__(self):
        ...

    def _repr_html_(self):
        ...

    @property
    def words(self) -> str:
        """The plan in a few sentences"""

    @property
    def tasks_in_words(self) -> str:
        """How many tasks there are, and how many of them are held out where some are"""

    @property
    def thinking(self) -> str:
        """What is missing of the tokens out, in a sentence; empty where nothing is"""

    @property
    def at_once(self) -> int:
        """Requests that can be under way at once; the steps of a stream follow each other"""

    @property
    def secs(self) -> float:
        """Seconds that it takes, apart from those in which a server makes it wait"""

    @property
    def time(self) -> str:
        """How long it takes, in a sentence, and where that is from"""

    @property
    def overshoot(self) -> str:
        """How far a cap on tokens or dollars may be passed, in a sentence; empty where there is none"""

    @property
    def money(self) -> str:
        """What it would cost in all, in a sentence; empty where it costs nothing"""

def stream_place(spec: Spec, out: str | None) -> Path:
    """Where a run of this specification is kept"""

def _own_rows(spec, inputs, out):
    """Rows that this run has already, by arm, the simulated model's or a live one's alike"""

def _codes_carried(inputs, place):
    """How rows are known that an older version made, and that were shown to hold for this one; else none"""

def cheap(spec: Spec) -> Spec:
    """The same run without a live model: replayed, or by the simulated one"""
PILOT_TASKS = 8
PILOT_ATTEMPTS = 48

def _few(spec, tasks):
    """Tasks of a pilot, evenly over levels: three of a recording; else a tenth of a run that costs nothing, or eight"""

def _pilot(spec, inputs):
    """A few attempts that cost nothing"""

def _firsts(arms):
    """Of each arm the first that is equal to it but for its noise: the same noise as in the others, and the same cost"""

def _shared_out(firsts, rows):
    """What was made under the first of equal arms, under the name of each of them"""

def expected(rows: list[dict], arm: str, n: int, max_iters: int, rollouts: int=1, lm: str='', beside: int | None=0) -> dict[str, object]:
    """One arm's line: what its pilot's rows say of n attempts"""

def _dollars(rows, total, lm):
    """What attempts would cost: as they did, or by the price of a model that did not make them"""
GUIDES = 'guides (once)'
GUIDE_STEPS = 12

def _kept_guides(place, inputs):
    """What the guides took that a run has already, by graph"""

def _guides_of(spec, inputs, out):
    """A row for each guide that has to be written: as the run has it already, or as the simulated model writes it"""

def _priced(guide, spec):
    """The row of a guide by the simulated model, at the price of the model that is to write it"""

def plan(exp: str, arms: list[Arm], guide: str='model', out: str | None=None, reuse: tuple[str, ...]=(), **given) -> Plan:
    """What a run would cost and could find; no live model is asked"""

def secs_a_call(rows: list[dict]) -> float | None:
    """Seconds that a request of these attempts took, tools included"""

def plan_of(spec: Spec, inputs: Inputs, out: str | None=None) -> Plan:
    """The same, of a run that is opened already"""
OWN_ROWS = 'its own rows so far'

def _expectation(spec, inputs, out, n):
    """Rows of a pilot, and where they come from"""

def _stand_in_rows(spec, inputs, out):
    """Rows of the simulated model that are this run's but for the model, where every arm has enough of them"""

def _detectable(rows, spec, tasks):
    """From the rows' own spread where they are enough to have one, else from a usual one; and which comparison says so.
    A run whose rows are all there has the figure of its tables."""

def of_rows(rows: list[dict], arm: str, baseline: str, unit: str='task') -> tuple[float, str]:
    """The smallest difference that rows detect, as tables and verdicts have it; ValueError where nothing is paired"""
LENDERS = tuple((f'E{number:02}' for number in range(1, 9)))

def earlier(exp: str) -> tuple[str, ...]:
    """Experiments before this one whose rows it takes over, where they are what it would make"""

def _asked(params):
    """All that decides what a run opens: its parameters, settings, and the files of its suite"""

class _Opened:
    """What a plan has opened, until the run takes it or another plan is made"""

    def __init__(self):
        self.asked = ''
        self.there = None

    def keep(self, params, spec, inputs):
        """Keep it for the run of the same words, unless it reads a recording or files of one's own"""

    def taken(self, params):
        """The specification and the inputs of a run, as new; None where nothing fits"""

    def close(self):
        ...

def experiment(exp: str, arms: list[Arm], about: str, **how) -> tuple[Callable[..., Trial], Callable[..., Plan]]:
    """The two functions of an experiment"""
