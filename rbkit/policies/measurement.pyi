# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.agents.evidence import Evidence
from rbkit.policies.judging import Judgment
from typing import NamedTuple
from pathlib import Path
from dataclasses import dataclass
'How often a judge is wrong, and what its errors do to a memory'
__all__ = ['Calibration', 'JudgeReport', 'wilson', 'measure_judge', 'ExpertCase', 'expert_cases', 'PlantedJudge', 'stored_precision', 'false_success_for']

class Calibration(NamedTuple):
    """Verdicts of about the same confidence"""
    confidence: float
    right: float
    n: int

@dataclass(frozen=True)
class JudgeReport:
    """How a judge compares with the truth; success is the positive class"""
    tp: int
    fp: int
    fn: int
    tn: int
    silent: int = 0
    curve: tuple[Calibration, ...] = ()
    brier: float | None = None
    name: str = ''

    @property
    def n(self) -> int:
        """Runs with a verdict"""

    @property
    def accuracy(self) -> float | None:
        """Share of verdicts that are right; None without any"""

    @property
    def precision(self) -> float | None:
        """Share of true successes among what it calls successes"""

    @property
    def recall(self) -> float | None:
        """Share of successes that it calls successes"""

    @property
    def false_success(self) -> float | None:
        """Share of failures that it lets pass"""

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance (Cohen 1960): 1 is perfect, 0 is chance"""

    def __repr__(self):
        ...

    def _repr_markdown_(self):
        ...

def _share(part, whole):
    ...

def wilson(part: int, whole: int, z: float=1.96) -> tuple[float, float]:
    """The interval of a share (Wilson 1927)"""

def _said(share):
    ...

def _share_line(name, part, whole):
    """A row of the table of shares"""

class _Case(NamedTuple):
    said: bool
    confidence: float
    truth: bool

def _calibration(cases, n_bins):
    """Cases by how sure the judge was"""

def _brier(cases):
    """Mean squared error of the probability of success that follows from verdict and confidence"""

def measure_judge(verdicts: list[Judgment | bool | None], oracle: list[Judgment | bool], n_bins: int=5) -> JudgeReport:
    """Compare a judge's verdicts with the truth; raises ValueError where a truth is missing"""

class ExpertCase(NamedTuple):
    """A run, and what an expert says of it"""
    evidence: Evidence
    success: bool

def expert_cases(path: Path) -> list[ExpertCase]:
    """Runs with an expert's verdict, as evidence without results"""

class PlantedJudge:
    """An oracle that errs at declared rates: for measuring what errors do, never for judging"""
    oracle = True

    def __init__(self, judge: Callable[[Evidence], Judgment], recall: float=1.0, false_success: float=0.0, seed: int=0):
        for name, rate in dict(recall=recall, false_success=false_success).items():
            if not 0 <= rate <= 1:
                raise ValueError(f'{name}={rate!r}; it must be a share from 0 to 1.')
        self.judge = judge
        self.recall = recall
        self.false_success = false_success
        self.seed = seed
        self.name = f'planted, recall {recall:g}, false success {false_success:g}'

    def __call__(self, ev: Evidence) -> Judgment:
        ...

def stored_precision(base: float, recall: float=1.0, false_success: float=0.0, caught: float=0.0) -> float | None:
    """Share of true successes in what is stored"""

def false_success_for(precision: float, base: float, recall: float=1.0) -> float:
    """The share of failures that such a judge lets pass; raises ValueError if there is no such judge"""
