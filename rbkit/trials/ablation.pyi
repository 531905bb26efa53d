# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.trials.spec import Arm
from collections.abc import Callable
from rbkit.trials.attempts import Cell
from typing import ClassVar
from rbkit.trials.inputs import Inputs
from collections.abc import Iterable
from rbkit.trials.attempts import Made
from pathlib import Path
from rbkit.models.replay import ReplayMiss
from rbkit.trials.runs import RunFolder
from rbkit.trials.spec import Spec
from rbkit.models.connect import Spend
from rbkit.trials.trial import Trial
from dataclasses import dataclass
from dataclasses import field
'One procedure behind every experiment'
__all__ = ['NOT_KEPT', 'Run', 'carried_out', 'miss_of', 'stored_trial', 'known_as_stored', 'is_older', 'lacking', 'Cells', 'run_cells', 'trace_of', 'enter', 'charge', 'charge_elsewhere', 'enter_paid', 'ablate']

@dataclass
class Run:
    """A specification, its inputs and its folder; a subclass says how its rows are made"""
    spec: Spec
    inputs: Inputs
    folder: RunFolder | None = None
    trial: ClassVar[type] = Trial

    def wanted(self) -> int:
        """How many rows a whole run has"""

    def tries(self) -> list[dict]:
        """Rows of the folder that are this run's, failed tries and all, under the names that its arms have now"""

    def rows(self) -> list[dict]:
        """The last try of each"""

    def make(self) -> None:
        """Make the rows that are missing"""

    def about(self) -> dict[str, object]:
        """What else its manifest says"""

    def know(self, by_rows: bool=False) -> None:
        """Find out, offline, what rows were told; if older, from the rows"""

    def check(self) -> None:
        """Refuse rows that are not what their arms say"""

    def finished(self, status: str='success') -> Trial:
        """The trial that its rows make"""
NOT_KEPT = "No folder of results is named (out), so neither the rows of this run nor the answers that are paid for are kept: they go when this process ends. Name one, such as out='results', to keep them and to go on after a cap."
_BEGINS_ANEW = 'Its rows are not kept, since no `out` is named: name one, or the next run begins anew.'

def carried_out(run: Run, out: str | None=None, fresh: bool | None=None) -> Trial:
    """Make a run's rows in its folder"""

def _first_word(run, path):
    """Ask a live model for a word before a folder is made: a wrong name, key, address or option is an error here"""

def miss_of(miss: ReplayMiss, recording: str | Path) -> ReplayMiss:
    """A miss that names the version to replay with"""

def _made(run, kept=True):
    """Make the rows, and enter how that ended into the manifest"""

def _open_manifest(run):
    """What is going to be made, and with what"""

def _arm_entry(spec, arm):
    """An arm as the manifest has it"""

def _guide_sums(guides):
    """What writing the guides took; empty where none was written"""

def _close_manifest(run, status, stopped, error):
    """Read the rows back, and enter what happened"""

def _hashes(inputs):
    """Per arm and layer, one hash over the texts of all tasks"""

def stored_trial(run: Run, path: Path) -> Trial:
    """The trial whose rows lie in a folder, whatever version made them; nothing is asked, nothing of the run changed"""

def known_as_stored(inputs: Inputs, path: Path) -> dict:
    """Let a folder's rows be known by the code that made them"""

def is_older(manifest: dict) -> bool:
    """Was a run made by another version than the one that is here?"""

def lacking(path: Path, there: int, n: int) -> str:
    """What the run of a folder lacks when `there` of `n` attempts can be used, and what to do"""

@dataclass
class Cells(Run):
    """A run whose attempts are independent of each other"""
    reuse: tuple[str, ...] = ()
    told: dict[tuple, str] = field(default_factory=dict)

    def cells(self) -> list[Cell]:
        """Every attempt to be made, in an order that the seed shuffles"""

    def wanted(self) -> int:
        ...

    def key(self, cell: Cell) -> tuple:
        """The identity that a cell's row will have; see `runs.KEY`"""

    def hash_of_context(self, config: str, cell: Cell) -> str:
        """Of what a cell's attempt is told; empty where an older version did not say"""

    def names(self) -> dict[tuple, str]:
        """Identity of each cell's row -> its arm's name"""

    def tries(self) -> list[dict]:
        ...

    def make(self) -> None:
        """All that a run does, between its first word in the manifest and its last"""

    def check(self) -> None:
        """Refuse rows that were not told what their arm says"""

    def know(self, by_rows: bool=False) -> None:
        """What was told: by the rows of an older version, or as far as it can be said without asking a model"""

def run_cells(run: Cells) -> None:
    """Make every attempt that is not finished yet"""

def trace_of(folder: Path, one_try: Made) -> list[dict]:
    """The trace of a try; of one that broke on our side, what was on disk by then"""

def enter(run: Cells, made: list[Made], known: set[str], elsewhere: bool) -> None:
    """The tries of one cell into the folder; what a worker elsewhere has spent counts towards the caps"""

def charge(spend: Spend, rows: Iterable[dict]) -> None:
    """Enter what rows have cost, acting and learning together"""

def charge_elsewhere(inputs: Inputs, rows: list[dict]) -> None:
    """Enter what other processes have paid, from the journal or else from their rows, and look at the caps"""

def _missing(run):
    """Cells that are not finished, each with the number of tries made so far"""

def _borrow(run):
    """Enter the rows of other experiments that are what this run would make"""

def _cell_of(row):
    ...

def enter_paid(inputs: Inputs, belongs: Callable[[dict], bool]) -> None:
    """Count answers that were paid for and that no row holds: of attempts that were cut short, and the first word"""

def _resume_spend(run):
    """Enter what this run's cells have cost so far"""

def _keep_texts(run):
    """The text of every layer that an arm was given, once per hash, in contexts.jsonl"""

def ablate(exp: str, arms: list[Arm], guide: str='model', out: str | None=None, fresh: bool | None=None, reuse: tuple[str, ...]=(), **given) -> Trial:
    """Run the same tasks under every arm"""
