# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field
'Same tasks, two arms: the difference, its interval, and what was left out'
__all__ = ['IMAGINED', 'IDENTICAL', 'COSTS', 'PLACE', 'CAME_OUT', 'Cost', 'Comparison', 'in_short', 'task_means', 'Pair', 'came_to', 'same_rows', 'moved', 'contrast']

@dataclass(frozen=True)
class Cost:
    """What both arms cost on the same units: means of one column"""
    column: str
    baseline: float
    arm: float

@dataclass(frozen=True)
class Comparison:
    """One arm against another over the same units"""
    arm: str
    baseline: str
    metric: str
    estimate: float
    lo: float
    hi: float
    p: float
    units: int
    rollouts: int
    mde: float
    mean: float
    base_mean: float
    dropped: int = 0
    unit: str = 'task'
    alternative: str = 'two-sided'
    here: tuple[float, ...] = ()
    diffs: tuple[float, ...] = field(default=(), repr=False)
    beside: tuple[Cost, ...] = ()
    notes: tuple[str, ...] = ()
    p_holm: float | None = None
    contrasts: int = 1
    moved: int | None = None
    identical: bool = False
    score: tuple[float, float] | None = None

    @property
    def ties(self) -> int:
        """Units without any difference"""

    @property
    def imagined(self) -> bool:
        """Do more than half of the units share a difference, so that two imagined ones join them?"""

    @property
    def could_tell(self) -> bool:
        """Did any task come out differently? Else it takes no part in an adjustment of several"""

    @property
    def ends(self) -> tuple[float, float]:
        """The interval as a table or a figure shows it: none of an identity"""

    @property
    def furthest(self) -> float:
        """Where the interval ends at the right, or the difference itself where there is none"""

    @property
    def test(self) -> str:
        """What the p value is of"""

    @property
    def p_sign(self) -> float:
        """p of the sign-flip test, beside that of the t test"""

    def __repr__(self):
        ...

    def _repr_markdown_(self):
        ...
IMAGINED = 'so two imagined ones join them in interval and p (the chapter on tests says why)'

def _p_values(c):
    """The p of a comparison, adjusted and by sign-flips where there are such"""
IDENTICAL = 'identical in every row'

def _size(c):
    ...

def in_short(c: Comparison) -> str:
    """A difference with its interval, in a few characters"""

def _interval(lo, hi):
    ...

def _tested(c):
    """Its intervals and its p, as pairs of a name and a text"""

def _facts(c):
    """What a comparison says, as pairs of a name and a text"""
COSTS = ('calls', 'tokens', 'request_chars', 'usd')

def _cells(rows, arm, metric, unit, by):
    """unit -> task -> values, of one arm"""

def task_means(rows: Iterable[dict], arm: str, metric: str) -> dict[str, tuple[float, int]]:
    """Average a task's rollouts"""

@dataclass(frozen=True)
class Pair:
    """The values of both arms for one task of a unit"""
    arm: list[float]
    baseline: list[float]

def _shared(a, b):
    ...

def _pairs(arm, baseline):
    """unit -> pairs, for the units and tasks that both arms have"""

def _of_all_units(pairs):
    ...

def _values(pairs):
    """Those of all rollouts, of both arms"""

def _unit_mean(values):
    """Rollouts are averaged first, then tasks"""

def _of_these_arms(rows, arms, level, by):
    """Rows of the two arms and of a level; ValueError where one of the arms has none"""

def _valid(rows, metric, unit):
    """The rows that count, and notes on the others"""

def _notes(a, b, pairs, unit, rows):
    """What a reader must know about the pairing"""

def _on_these_tasks(pairs, scale):
    """Interval of the difference on these very tasks, from the spread of rollouts alone; empty with one rollout"""

def _score(diffs, values, metric, alternative):
    """Tango's interval where each unit has one right or wrong answer in each arm, else None"""

def _estimate(diffs, scale, alternative):
    """The paired t of a question; of a one-sided one the far end is the metric's bound"""

def _checked_pairs(rows, a, b, arm, baseline, metric, unit, by):
    """The pairs of units, or why there is no comparison"""

def _costs(rows, arm, baseline, unit, by, units):
    """What both arms cost on the same units"""

def _orders(rows, arm, by):
    """stream -> task -> position, of one arm"""

def _same_orders(rows, arm, baseline, by):
    """The tasks of a stream must come in the same order in both arms (ValueError)"""
PLACE = ('task', 'repeat', 'stream', 'phase', 'position')
CAME_OUT = ('outcome', 'correct', 'answer', 'iterations')

def _texts(row, columns):
    ...

def came_to(rows: Iterable[dict], arms: Iterable[str], columns: tuple[str, ...]=CAME_OUT, by: str='arm') -> dict[str, dict[tuple, tuple]]:
    """What each arm came to, place by place"""

def same_rows(first: dict[tuple, tuple], other: dict[tuple, tuple]) -> bool:
    """Did two arms come to the same wherever both have a row?"""

def moved(rows: Iterable[dict], arm: str, other: str, metric: str='correct', by: str='arm') -> tuple[int, int]:
    """Tasks of a stream that came out differently in two arms; those that both have as often are counted"""

def _position(row):
    ...

def _by_task(rows, arm, metric, by):
    """(stream, task) -> what came out, in order"""

def _is_one(rows, arm, baseline, metric, by):
    """Did both arms come to the same in every row, answers and steps among it?"""

def contrast(rows: Iterable[dict], arm: str, baseline: str, metric: str='correct', level: int | None=None, unit: str='task', by: str='arm', alternative: str='two-sided') -> Comparison:
    """Paired difference between two arms over the units that both have; ValueError with fewer than 2, or with a NaN"""
