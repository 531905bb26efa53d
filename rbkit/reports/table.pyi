# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections.abc import Iterable
from rbkit.trials.learners import Learner
from rbkit.trials.sets import Pass
from pathlib import Path
from dataclasses import dataclass
from dataclasses import field
from functools import partial
import pandas as pd
'Sets down the side, no memory and several kinds of it across, in one command'
__all__ = ['PLANNED', 'TABLE_OPTIONS', 'set_lines', 'ResultTable', 'Sets', 'open_sets', 'make_table', 'table_from_options', 'stored_tables']

def _rates(rows, unit, value):
    """Mean of a value over the rows of each unit"""

def _rate(rows, unit, value):
    """Mean of a value between 0 and 1, with its interval where there are two units"""

def _difference(rows, arm, unit):
    """An arm against none, over the units that both have"""

def _pass_at(rows, arm, unit):
    """pass@k for every k that all rows allow: k attempts of one step, which had the same memory"""

def set_lines(world: str, arms: Iterable[Learner], rows: list[dict], wanted: int, unit: str='stream') -> list[dict]:
    """What rows say of every arm: accuracy, difference to none, pass@k, and what it took"""

def _is_right(row):
    ...

def _bill(rows):
    """What steps took, acting and learning together: means, and dollars in all"""

@dataclass(frozen=True)
class ResultTable:
    """Arms by sets, and what has to be said with them"""
    title: str
    lines: list[dict] = field(repr=False)
    words: list[str] = field(repr=False)
    about: dict[str, object] = field(default_factory=dict, repr=False)
    stopped: tuple[str, ...] = ()
    broken: float = 0.0

    def __len__(self):
        ...

    def _repr_markdown_(self):
        ...

    @property
    def frame(self) -> 'pd.DataFrame':
        """The table as it is read, a line for each set and arm"""

    @property
    def markdown(self) -> str:
        """The table as a page of Markdown"""

    def save(self, folder: Path) -> Path:
        """Write the table as Markdown and JSON beside the runs that it is made from"""

    def show(self) -> None:
        """Print it: in three parts where the window is too narrow"""

def _between(found, sign=''):
    """A mean with its interval, in a few characters"""

def _cells(line, most):
    """A line as texts and numbers, by column"""

@dataclass
class Sets:
    """Runs of one table, by the names of their sets"""
    runs: dict[str, Pass]
    out: str
    given: dict[str, object]

    @property
    def first(self) -> Pass:
        ...

    @property
    def params(self) -> dict[str, object]:
        ...

    def close(self) -> None:
        """Let go of all worlds"""

    def plan(self, say: Callable[[str], object] | None=None) -> 'pd.DataFrame':
        """What the table would cost, and the difference in success that each set would find four times in five"""

    def plan_words(self) -> str:
        """Where the plan comes from, and what caps the table"""

    def _unreasoned(self):
        """In which sets a live model would write more than the simulated one"""

    def _fewer(self):
        """Which sets have fewer tasks than settings.ini says, where nobody asked for a number"""

    def make(self) -> None:
        """Walk through every set, each under what the others have left of the caps"""

    def _make_one(self, name):
        """Walk through one set, if the caps allow it"""

    def table(self) -> ResultTable:
        """The table that the stored rows make; a set without any is refused where nothing may be made"""

    def _title(self):
        """Whose rows these are: the model, the profile, what is of one's own, the seed"""

    def _stored(self, name):
        """The rows of a set; offline there must be some"""

    def _reason(self, name):
        """Which cap has ended a set; empty where none has"""

    def _about(self):
        """What the runs were made with"""

    def _words(self, stopped, whole):
        """What has to be said with the numbers"""

    def caveats(self) -> list[str]:
        """What the rows are no evidence of: of test runs the reason, else a sentence on the model"""

def open_sets(world: str, arms: str='', one_pass: bool=False, out: str | None=None, memory: str='', memory_budget: str | None=None, memory_k: int | str | None=None, **given) -> Sets:
    """Every run of a table, checked; ValueError before anything is paid"""
PLANNED = ('calls', 'tokens', 'tokens_out', 'usd')

def _forms(rows):
    """In which forms replies came, where not all of them came in the one that was asked for"""

def _unread(rows):
    """That replies could not be read, where some could not: such an attempt says how a model writes, not what it knows"""

def _without_difference(line):
    """A line of a test run: what an arm did, and no difference to the baseline"""

def make_table(world: str, arms: str='', one_pass: bool=False, out: str | None=None, plan_only: bool=False, say: Callable[[str], object]=partial(print, flush=True), **given) -> ResultTable | None:
    """Plan, walk and lay out a table; offline, only what is stored is laid out"""
TABLE_OPTIONS = dict(arms=('str', 'Arms with commas between them, none first: placebo, bank, trajectories, matts3, best3 ...'), memory=('str', 'Kinds of memory beside the arms, or in their place (then none first): raw, recent, cheatsheet ...'), one_pass=('bool', 'Each set once, whole unless --n-tasks is said, in its own order: one stream, paired by task'), plan=('bool', 'Print what it would cost, and stop'))

def table_from_options(options: dict[str, object]) -> ResultTable | None:
    """Plan, walk and lay out what was asked for"""

def stored_tables(out: str | Path | None=None) -> 'pd.DataFrame':
    """The runs of tables that are stored, one for each set"""

def _stored_line(manifest):
    """A run as a row of the list"""
