# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.stats.paired import Comparison
from rbkit.stats.comparisons import Comparisons
from matplotlib.figure import Figure
from rbkit.bank.items import Item
from rbkit.policies.measurement import JudgeReport
from typing import NamedTuple
from pathlib import Path
from collections.abc import Sequence
from rbkit.trials.trial import Trial
import pandas as pd
'Rows of streams, and the questions that are asked of them: as tasks came, asked again, and held out'
__all__ = ['PHASES', 'ONE', 'MOST_CURVES', 'last_probes', 'Streams', 'bank_file']
PHASES = {'learn': 'as they came', 'frozen': 'asked again', 'held out': 'held out'}

def last_probes(rows: list[dict]) -> list[dict]:
    """The last time that tasks were asked on which nothing was learned"""

class Streams(Trial):
    """A finished learning run: rows of streams, and what they say; its unit is the stream"""
    unit = 'stream'

    def phase(self, name: str='learn') -> list[dict]:
        """Rows of one phase: `learn`, `frozen`, or `held out` for the last probes of tasks that nothing was learned on"""

    def claimed_rows(self) -> list[dict]:
        """Claims are judged by what happened as the tasks came"""

    def _last_probes(self):
        ...

    def compare(self, arm: str, baseline: str | None=None, metric: str='correct', level: int | None=None, phase: str='learn') -> Comparison:
        """Paired comparison of two arms over streams; an order of another kind is compared by what it holds"""

    def chooses(self) -> bool:
        """Did an arm make several attempts at a task, so that the answer that counts was chosen?"""

    def _success(self):
        """Success by phase; where attempts were chosen from, that of the mean attempt beside it, and what is held out first"""

    def frame(self) -> 'pd.DataFrame':
        """Per arm: success by phase, of one attempt too where several were made, what was learned, steps, and red flags"""

    def by_kind(self, *arms: str, phase: str='held out') -> 'pd.DataFrame':
        """Success by kind of task"""

    def mean(self, column: str, phase: str='learn') -> 'pd.Series':
        """Mean of a column in a phase, by arm"""

    def table(self, arms: Sequence[str | tuple[str, str]] | None=None, metrics: tuple[str, ...]=('correct',), phase: str='learn') -> Comparisons:
        """Every arm against the baseline over streams; p adjusted by Holm over those in which a task moved"""

    def aa(self, phase: str='learn') -> str:
        """Arms that were run twice, beside which an effect in this phase is to be read"""

    def aa_lines(self) -> list[str]:
        """Arms that were run twice, in every phase that was walked and can be compared"""

    def judged(self, arm: str) -> JudgeReport:
        """How an arm's judge compares with the truth, over the attempts that it judged"""

    def judges(self) -> 'pd.DataFrame':
        """Every arm's judge, over the runs that it judged, and on how many it kept silent"""

    def bank_path(self, arm: str, stream: int=0) -> Path:
        """Where a stream of an arm keeps its bank"""

    def learned(self, arm: str, stream: int=0) -> list[Item]:
        """The items that one stream ends with"""

    def healths(self, *columns: str) -> 'pd.DataFrame':
        """Health of the banks in the end, means over streams"""

    def transfer(self) -> 'pd.DataFrame':
        """Backward transfer, forgetting and generalisation from the probes, streams as units"""

    def figure(self) -> 'Figure':
        """Differences with intervals over streams, and growth along the stream"""

    def summary(self, arm: str, phase: str='held out') -> dict[str, object]:
        """What memory was worth in this world, what a placebo was, and how far two runs of one arm lie apart"""

    def note_summary(self, arm: str, **seen) -> dict[str, object]:
        """Enter the summary into run.json, where tables of worlds read it, with what acted and what is to be minded.
    The gains of a test run are not entered."""
ONE = 'one attempt'

def bank_file(folder: Path, config: str, stream: int, walk: str) -> Path:
    """The file of a stream's bank"""

class _Mark(NamedTuple):
    """How a phase is drawn in the line of its arm"""
    phase: str
    shift: float
    symbol: str
    width: float
    size: float
_MARKS = (_Mark('learn', 0.14, 'o', 2, 5), _Mark('held out', -0.14, 'D', 1, 3.5))

def _forest(trial, ax, arms, colour):
    """A line per arm: the difference while learning, and on what was held out"""
MOST_CURVES = 5

def _learners(trial):
    """Arms that learn, in the order of tasks of the baseline"""

def _curves(trial):
    """The curves of the arms that learn: names of arms with the same curve -> that curve; repeats are left out"""

def _growth(trial, ax, curves, colour):
    """Success so far along the stream, the baseline's taken off"""

def _placebos(trial):
    ...
