# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.agents.evidence import Evidence
from rbkit.policies.extraction import Extraction
from rbkit.graphs.checks import Gold
from rbkit.graphs.graph import Graph
from collections.abc import Iterable
from typing import NamedTuple
from rbkit.policies.rollouts import Rollout
from types import SimpleNamespace
from rbkit.graphs.suites import Task
from dataclasses import dataclass
import dspy
from rbkit.ground.text import jaccard
import numpy as np
import re
'What several attempts are good for: an answer, a lesson, and where to make more of them'
__all__ = ['SELECTORS', 'VERSIONS', 'SCHEDULES', 'moves_of', 'vendi', 'same_answers', 'Diversity', 'diversity', 'Choice', 'chance', 'select', 'lessons', 'mixing', 'Scheduler']
_QUERY = re.compile('^\\s*(PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE)\\b', re.I)

def _in_line(text):
    ...

def _place(node):
    ...

def _step_moves(code):
    """Tools and queries of one step; the step itself if it is no Python or calls no tool"""

def moves_of(ev: Evidence, n: int=1) -> frozenset[tuple[str, ...]]:
    """What a run did: the tools that it called and the queries that it made"""

def vendi(similarities: np.ndarray | list[list[float]]) -> float:
    """The number of things that really differ, by their similarities (Friedman and Dieng 2023)"""

def _without_brackets(name):
    ...
_NO_GRAPH = SimpleNamespace(prefixes={}, expand=_without_brackets)

def _rows(ev, graph):
    """What the cells of an answer mean, every row as wide as the widest"""

class _Class(NamedTuple):
    gold: Gold
    places: list[int]

def same_answers(rollouts: list[Rollout], graph: Graph | None=None) -> list[tuple[int, ...]]:
    """Those that answered, put together if they gave the same result set"""

@dataclass(frozen=True)
class Diversity:
    """How different rollouts were"""
    n: int
    vendi: float
    jaccard: float
    distinct_answers: int

def _similarity(a, b):
    ...

def diversity(rollouts: list[Rollout], graph: Graph | None=None, ngram: int=1) -> Diversity:
    """How different the moves and the answers of rollouts were"""

@dataclass(frozen=True)
class Choice:
    """Which of several rollouts, and why"""
    index: int
    why: str
    oracle: bool = False
    votes: tuple[float, ...] = ()

    def __repr__(self):
        ...

def chance(r: Rollout) -> float:
    """The probability of success that its judge gives a rollout; one half if nobody says"""

class _Ranking(NamedTuple):
    votes: list[float]
    keys: list[tuple]
    reasons: list[str]

def _by_judge(rollouts, graph):
    """By the probability of success that the judge gives"""

def _by_consistency(rollouts, graph):
    """By how many gave the same answer; then by the best chance among them, and by the first"""

def _by_oracle(rollouts, graph):
    """By whether it is right"""
SELECTORS = dict(judge=_by_judge, consistency=_by_consistency, oracle=_by_oracle)

def select(rollouts: list[Rollout], by: str='judge', graph: Graph | None=None) -> Choice:
    """Choose one of several rollouts; raises ValueError if they are not judged as `by` needs"""
VERSIONS = ('contrast', 'best', 'each')

def _annotated(r, question):
    """A rollout's evidence, with the correction that led to it as its first step"""

def _read(rollouts, version, choice, graph):
    """The rollouts that are read: all with a verdict, or the best alone"""

def lessons(rollouts: list[Rollout], lm: 'dspy.LM', graph: Graph | None=None, version: str='contrast', choice: Choice | None=None, **about) -> Extraction:
    """What several attempts at one task teach; raises ValueError if the chosen one is not judged"""

def _joined(found):
    """Several extractions as one; what two of them say in the same words is there once"""

def _mean_first_failure(a, b, n):
    """Mean of pⁿ(1-p) over the posterior"""

def mixing(a: float, b: float, n: int) -> float:
    """Probability that one more rollout is the first that comes out otherwise"""
SCHEDULES = ('uniform', 'uncertain')

def _graph_and_level(task):
    ...

class Scheduler:
    """Spends a budget of rollouts over tasks, and never more than that"""

    def __init__(self, budget: int, strategy: str='uniform', least: int=1, most: int=5, kind: Callable=_graph_and_level):
        if strategy not in SCHEDULES:
            known = ', '.join(SCHEDULES)
            raise ValueError(f'strategy={strategy!r} is unknown; use one of {known}.')
        if not 0 <= least <= most or most < 1:
            raise ValueError(f'least={least}, most={most}; give 0 ≤ least ≤ most.')
        if budget < 0:
            raise ValueError(f'budget={budget}; it must be 0 or more rollouts.')
        self.budget = budget
        self.strategy = strategy
        self.least = least
        self.most = most
        self.kind = kind
        self.left = budget
        self.known = {}

    def __repr__(self):
        ...

    def _names(self, task):
        """Under what a task's outcomes are known: itself, and its kind"""

    def posterior(self, task: Task) -> tuple[float, float]:
        """What is believed of a task's success rate, as the two numbers of a Beta distribution"""

    def _worth_of_one_more(self, task, given):
        """What one more rollout of a task is worth that has been given so many"""

    def allot(self, tasks: list[Task]) -> list[int]:
        """How the rest of the budget would be spent now"""

    def next(self, tasks: list[Task]) -> int:
        """How many rollouts the first of these tasks gets"""

    def spend(self, task: Task, outcomes: Iterable[Rollout | bool | None]) -> None:
        """Enter what was spent on a task, and how it went; raises ValueError beyond the budget"""

def _succeeded(outcome):
    """An outcome as True, False, or None if nobody can say"""
