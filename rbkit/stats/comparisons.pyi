# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.stats.paired import Comparison
from matplotlib.figure import Figure
from collections.abc import Iterable
from typing import NamedTuple
from collections.abc import Sequence
import math
import pandas as pd
'Planned contrasts, adjusted together, as a table and a figure'
__all__ = ['SPLIT', 'short', 'Interval', 'intervals', 'table', 'Comparisons', 'adjusted', 'compare', 'as_one', 'ratio_of_sums']

def short(x: float) -> str:
    """A number as a table shows it: three decimals, none where it is large, powers of ten where it is tiny"""

class Interval(NamedTuple):
    """An estimate with its interval and a name, as a figure shows it"""
    label: str
    estimate: float
    lo: float
    hi: float

def _limits(lines):
    """How far the axis goes: all finite ends, zero, and a little more"""

def intervals(lines: Sequence[Interval], label: str='difference, 95 % interval') -> 'Figure':
    """Estimates with their intervals, and zero; grey where the interval holds zero"""

def _two_digits(x):
    ...
_NOTHING_TESTED = dict.fromkeys(('low', 'high', 'p', 'p (Holm)', 'p (signs)'), math.nan)
_IDENTITY = {'difference': 'identical', **_NOTHING_TESTED}

def _tested(c, costs):
    """The cells of a comparison of two arms that are not one"""

def _least(c):
    ...

def _line(c, costs):
    """A comparison as a row of a table"""

def table(comparisons: Iterable[Comparison], costs: bool=False) -> 'pd.DataFrame':
    """Comparisons as a frame, one per row"""
SPLIT = 'the interval leaves 0 out, and p (Holm) does not fall below .05. A claim is judged by the interval of its own contrast; whoever asks about all of these lines at once goes by p (Holm).'

def _is_split(c):
    """Do its interval and its adjusted p say different things?"""

def _own_notes(contrasts):
    """The notes of each contrast; what is to be said of all of them stands there once"""

class Comparisons(list):
    """Planned contrasts, adjusted together; a list of `Comparison` that prints as a table and plots as intervals"""

    def __init__(self, found: Iterable[Comparison]=(), instead: str=''):
        super().__init__(found)
        self.instead = instead

    def table(self) -> 'pd.DataFrame':
        """One row per contrast, costs beside quality"""

    def plot(self) -> 'Figure':
        """Differences with their intervals"""

    def _name(self, c):
        """An arm, with what sets its contrast apart from the others"""

    def __repr__(self):
        ...

    def _repr_html_(self):
        ...

    def notes(self) -> list[str]:
        """What was left out, and what to mind, contrast by contrast"""

    def _left_out(self):
        """Which contrasts take no part in the adjustment, in a sentence"""

def _planned(rows, arms, baseline, by):
    """The planned pairs of arms: (arm, baseline)"""

def adjusted(comparisons: Iterable[Comparison]) -> Comparisons:
    """Comparisons with p adjusted by Holm over all of them in which a task came out differently"""

def compare(rows: Sequence[dict], by: str='arm', baseline: str='baseline', arms: Iterable[str | tuple[str, str]] | str | None=None, metrics: str | Iterable[str]='correct', unit: str='task', level: int | None=None, alternative: str='two-sided') -> Comparisons:
    """The planned contrasts, each with its interval, p adjusted by Holm over those in which a task moved"""

def as_one(rows: Iterable[dict], arms: Iterable[str], name: str) -> list[dict]:
    """Rows in which several arms are one"""

def _log_ratio(rows, arm, baseline, over, under):
    """The logarithm of a ratio of two ratios of sums; infinite or NaN where a sum is 0"""

def ratio_of_sums(rows: Sequence[dict], arm: str, baseline: str, over: str='request_chars', under: str='correct') -> Interval:
    """How many times as much an arm takes for each of something, with the 95 % interval of the jackknife over tasks"""
