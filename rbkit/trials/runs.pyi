# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from types import FunctionType
from collections.abc import Iterable
from pathlib import Path
from rbkit.ground.text import mend_lines
import threading
import warnings
'A run is rows, plus enough to repeat it'
__all__ = ['PACKAGES', 'KEY', 'UNFINISHED', 'NAMES', 'slug', 'condition', 'provenance', 'write_json', 'manifest_in', 'key_of', 'step_key', 'latest', 'valid_rows', 'config_key', 'under_names', 'altered', 'RunFolder', 'manifest_of']

def slug(text: str) -> str:
    """Text as it may stand in a folder's name"""

def condition(params: dict[str, object]) -> str:
    """A run's folder: model, suite or world, profile, what is one's own, and seed; more tasks go into the same one"""
PACKAGES = ('dspy', 'rdflib', 'pyoxigraph', 'pandas', 'scipy', 'papermill')

def _git(*args):
    """What git says; nothing where there is none"""

def _version(name):
    ...

def provenance(*roots: str | type | FunctionType) -> dict[str, object]:
    """Commit and whether the tree is dirty, versions, platform"""

def _mended(path, cut):
    """What to say of a line that was cut off"""

def write_json(path: str | Path, obj: object) -> None:
    """Write a JSON file whole or not at all"""

def manifest_in(path: str | Path) -> dict[str, object]:
    """What a run says of itself; ValueError where the file is none of a run"""

def _is_manifest(found):
    """Is it an object whose settings and experiment are what they should be?"""
KEY = ('config', 'task', 'task_hash', 'repeat', 'stream', 'phase', 'position', 'code', 'context_hash', 'walk')
UNFINISHED = ('infrastructure', 'budget')

def key_of(row: dict) -> tuple:
    """The identity of a row"""

def step_key(row: dict) -> tuple:
    """Which step of which stream a row is of, whatever it was shown"""

def latest(rows: Iterable[dict]) -> list[dict]:
    """The last try of each attempt; of a step of a stream that was begun anew, the later one"""

def valid_rows(rows: Iterable[dict]) -> list[dict]:
    """Rows that say something of the agent"""

def config_key(row: dict) -> str | None:
    """The configuration of the arm that a row was made under"""

def under_names(rows: Iterable[dict], names: dict, identity: Callable[[dict], object]=config_key) -> list[dict]:
    """The rows whose identity is among the names, under these names"""

def _sum(line):
    ...

def altered(path: str | Path) -> list[str]:
    """Rows that are not what was written, or stand there more often than they were"""

class RunFolder:
    """The folder of one run: rows, trace, manifest, and the recording if one was asked for"""

    def __init__(self, path: str | Path, fresh: bool=False):
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self.made = 0
        self.texts = None
        self.systems = None
        self._lock = threading.Lock()
        self._held = None
        if (self.path / 'rows.jsonl.gz').exists():
            _unpack(self.path, fresh)
        for name in ('rows.jsonl', 'rows.sum', 'trace.jsonl', 'recording.jsonl', 'contexts.jsonl', 'paid.jsonl'):
            f = self.path / name
            if fresh and f.exists():
                f.replace(self.path / f'{name}.old')
            cut = mend_lines(f)
            if cut:
                warnings.warn(_mended(f, cut), stacklevel=2)
        for said in altered(self.path):
            warnings.warn(said, stacklevel=2)

    def __repr__(self):
        ...

    def rows(self, **only) -> list[dict]:
        """Rows so far, those that have the given values"""

    @classmethod
    def read(cls, path: str | Path) -> list[dict]:
        """The rows of a folder that nobody opens"""

    def done(self) -> set[tuple]:
        """Identities of finished rows; an infrastructure failure or a cap on spending is not finished"""

    def hold(self, secs: float=10.0) -> None:
        """Keep other processes out of this folder until `release`; says so when one is already in it"""

    def release(self) -> None:
        """Let others in again"""

    def add(self, row: dict, trace: Iterable[dict]=(), recording: str='') -> None:
        """Append one attempt, its trace and recording first, so that a row that is there has both"""

    def append(self, name: str, text: str) -> None:
        """Append whole lines to a file of this folder"""

    def tell(self, texts: Iterable[dict]) -> None:
        """Append texts that models were given to contexts.jsonl, those that are not there yet"""

    def manifest(self) -> dict[str, object]:
        """run.json as it is now; empty before the run began"""

    def note(self, **kw) -> dict[str, object]:
        """Enter things into run.json, whole or not at all; a report that is written anew leaves the time of its rows"""

def _has(row, values):
    ...

def _unpack(path, fresh):
    """rows.jsonl out of rows.jsonl.gz, where only that is there; moved aside where the run begins anew"""
NAMES = ('arm', 'config', 'task', 'repeat', 'stream', 'phase', 'position', 'attempt')

def _trace_line(name, line):
    """A line of a trace as text; a system text belongs to no attempt alone"""

def _systems(path):
    """Hashes of the system texts that a trace holds"""

def manifest_of(folder: str | Path, must: bool=True) -> dict[str, object]:
    """The manifest of a stored run"""
