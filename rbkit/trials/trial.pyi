# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.trials.spec import AA_REPEAT
from rbkit.trials.acted import ActCount
from rbkit.stats.paired import Comparison
from rbkit.stats.comparisons import Comparisons
from matplotlib.figure import Figure
from rbkit.stats.claims import Finding
from rbkit.stats.claims import Findings
from rbkit.trials.inputs import Inputs
from rbkit.trials.runs import RunFolder
from rbkit.trials.spec import Spec
from rbkit.reports.trajectory import Trajectory
from dataclasses import dataclass
from dataclasses import field
import pandas as pd
'A finished run, and what its rows say'
__all__ = ['STAND_IN', 'COLUMNS', 'CONTEXT_MOST', 'MOST_ITEMS', 'UNITS', 'PAID', 'all_failed', 'caveat_of', 'Trial', 'red_flags', 'entered']
STAND_IN = 'Simulated model: a stand-in that checks the instrument; no evidence about language models.'

def all_failed(rows: list[dict]) -> str:
    """What to say where every attempt failed on our side"""

def caveat_of(lm: str) -> str:
    """What rows of a model are evidence of, in a sentence"""

@dataclass
class Trial:
    """A finished run: its rows and what they say"""
    spec: Spec
    rows: list[dict] = field(repr=False)
    tries: list[dict] = field(repr=False)
    folder: RunFolder = field(repr=False)
    inputs: Inputs | None = field(default=None, repr=False)
    status: str = 'success'
    unit = 'task'

    @property
    def exp(self) -> str:
        ...

    @property
    def arms(self) -> tuple:
        ...

    @property
    def valid_rows(self) -> list[dict]:
        """Rows that say something of the agent; ValueError where every attempt failed on our side"""

    @property
    def dry_run(self) -> list[str]:
        """The user's own parts that the simulated model cannot judge; empty where the run gives verdicts"""

    @property
    def caveat(self) -> str:
        """What these rows are no evidence of"""

    def __repr__(self):
        ...

    def report(self, plan: object=None) -> None:
        """Show the report: figure, table of arms, details"""

    def figure(self) -> 'Figure':
        """Paired differences with intervals, and cost beside quality"""

    def by_level(self) -> 'pd.DataFrame':
        """Success by level with its 95 % interval, per arm, and where it is at a floor or a ceiling"""

    def trajectory(self, i: int | None=None, **where) -> 'Trajectory':
        """One of a trial's attempts: the i-th of its rows, or the first with these values"""

    def failed_trajectory(self) -> 'Trajectory':
        """The first attempt that was wrong; else the first that did not succeed, or the first of all"""

    def in_order(self, frame: 'pd.DataFrame') -> 'pd.DataFrame':
        """A table with a line per arm, in the order of the arms"""

    def means(self, *columns: str, claimed: bool=False) -> 'pd.DataFrame':
        """Means of columns of the rows, per arm"""

    def frame(self) -> 'pd.DataFrame':
        """Per arm: success, cost and leakage, averaged over attempts; shares of attempts with a red flag or an anti-pattern"""

    def retried(self) -> 'pd.DataFrame':
        """Success as first tried and in the end, and the number of tries"""

    def outcomes(self) -> 'pd.DataFrame':
        """How attempts ended, by arm"""

    def costs(self) -> 'pd.DataFrame':
        """Per attempt: calls, tokens, US dollars, a live model's seconds, and the same of learning; unknown is never 0"""

    def bill(self) -> str:
        """What all tries took, in a sentence: acting, learning, and writing guides"""

    def _guide_bill(self):
        ...

    def silences(self) -> list[str]:
        """How often memory had found too little that fits"""

    def retrieved(self) -> 'pd.DataFrame':
        """What each arm was shown for each task: its layers, memory items, and how the text of memory begins"""

    def compare(self, arm: str, baseline: str | None=None, metric: str='correct', level: int | None=None) -> Comparison:
        """Paired comparison of two of its arms; attempts that broke on our side are left out"""

    def table(self, arms: list[str] | None=None, metrics: tuple[str, ...]=('correct', 'iterations', 'request_chars'), baseline: str | None=None) -> Comparisons:
        """Every arm against the baseline, quality beside cost; p adjusted by Holm over the arms, metric by metric"""

    def compared(self) -> list[str]:
        """Names of the arms that are compared with the baseline: repeats are left out, unless there is nothing else"""

    def repeats(self) -> dict[str, str]:
        """Arms that differ from another in their noise alone"""

    def aa(self) -> str:
        """Arms that were run twice, beside which an effect is to be read"""

    def aa_lines(self) -> list[str]:
        """The same, a line for each phase of a run; attempts of their own have one"""

    def counted(self) -> list[ActCount]:
        """What the arms did, beside what they had to do; a world of steps has no cards of a graph to show"""

    def acted(self) -> 'pd.DataFrame':
        """What every arm did: how often, how often it had to, and in how many of the attempts in which it could"""

    def without_verdict(self, finding: Finding) -> Finding:
        """The claim of a finding, and why a test run says nothing about it"""

    def tested(self, finding: Finding, *arms: str, metric: str='correct') -> Finding:
        """A finding, if the arms did what they are for and could differ; and whether they came to the same in every row"""

    def warnings(self) -> list[str]:
        """Treatments that did not act, equal arms or answers, floors and ceilings, short banks, items without content"""

    def judge(self, claim: str, arm: str, baseline: str | None=None, metric: str='correct', beyond: float=0.0, more: bool=True, also: str='') -> Finding:
        """Held, failed or undecided, or not tested where an arm did not act; entered into run.json"""

    def judge_each(self, claims: dict[str, str], baseline: str | None=None, metric: str='correct') -> Findings:
        """A verdict for each of several arms, entered into run.json. Of several, one counts as decided only where
    p adjusted by Holm over them is below .05, too."""

    def claimed_rows(self) -> list[dict]:
        """The rows that a claim is judged by"""

    def movable(self, *arms: str, metric: str='correct') -> str:
        """On how many tasks a difference can show: those in which attempts of these arms differ, stream by stream"""

    def kept_anyway(self, arm: str, baseline: str, metric: str, beyond: float, more: bool) -> str:
        """Would the run's own baseline keep a claim that allows a loss? Then the margin is wider than what is at stake"""

    def judge_equal(self, claim: str, margin: float, arm: str=AA_REPEAT.name, baseline: str | None=None, metric: str='correct') -> Finding:
        """Held when the whole interval lies within the margin of zero; failed when it lies outside"""

    def note(self, f: Finding, also: str='') -> Finding:
        """Enter a finding into run.json, with manipulation checks and warnings; of a test run without its verdict"""

    def guide_costs(self, arm: str, baseline: str | None=None, metric: str='request_chars') -> dict[str, object]:
        """Cost of a guide, cost per question without and with, and questions until it has paid; all in one unit"""

    def guides(self) -> 'pd.DataFrame':
        """The guides that were written or brought: how long, how good by the graph where it was asked, and what they cost"""

    def guide_shown(self, arm: str) -> tuple[str, str]:
        """The guide to the graph of the first task, and what of it is shown"""

def _of_reports(module, name):
    """A function of rbkit.reports, imported when it is called"""
COLUMNS = dict(correct='success', sparql_correct='query right', converged='converged', iterations='steps', request_chars='request chars', growth='growth a turn', total_chars_returned='tool chars', large_returns='large returns', context_size='context chars')
CONTEXT_MOST = 4000
MOST_ITEMS = 3

def red_flags(rows: 'pd.DataFrame') -> 'dict[str, pd.Series]':
    """Red flags and anti-patterns, as truth values of each attempt"""

def _success(rows):
    """Mean success of rows, by arm"""
UNITS = dict(calls='calls', tokens='tokens', usd='USD', secs='seconds')
_DIGITS = dict(calls=2, tokens=0, usd=5, secs=1)

def _acting_cost(row, name):
    ...

def _mean_cost(rows, name, cost_of):
    """Mean of a cost over rows, or the word that it is not known"""

def _bills(rows, names):
    """One arm's line"""

def _dollars(usd):
    """An amount as words"""

def _total(rows, cost_of):
    """What rows took, as words"""
_EXCERPT = 160
_PLACES = ('stream', 'phase', 'position')

def _layers_shown(row):
    """The layers of an attempt with their characters, in words"""

def _items_shown(row):
    ...

def _memory_shown(row, texts):
    """How the text of memory begins; of memory that tools read, how many characters they gave"""

def _same_arms(trial, names):
    """A line for each two arms that came to the same, in every row or where claims are judged"""

def _too_much_shown(rows, names):
    """A line for each arm whose prompts hold too many characters of context, or too many memory items"""

def _judged(trial, claim, comparison, beyond=0.0, more=True):
    """What a comparison of two arms says of a claim, with what has to be said beside it"""

def _after_holm(finding, comparison, n):
    """A finding of several at once: undecided where the adjusted p does not fall below .05"""

def entered(f: Finding) -> dict[str, str]:
    """A finding as run.json keeps it"""

def _several(arms, judged, first):
    """Several findings as run.json keeps them: each, and all of them in one"""
PAID = ('request_chars', 'tokens', 'calls')

def _questions(once, saved):
    """Questions until what is saved on each has paid for what was spent once; None if it never does"""

def _brought(trial):
    """Guides that arms name as files of their own, by graph"""
