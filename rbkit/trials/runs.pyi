# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.ground.traces import BegunTrace
from collections.abc import Callable
from types import FunctionType
from collections.abc import Iterable
from pathlib import Path
from rbkit.ground.text import make_folder
from rbkit.ground.text import mend_lines
import threading
import time
import warnings
'A run is rows, plus enough to repeat it'
__all__ = ['USUAL', 'PACKAGES', 'KEY', 'UNFINISHED', 'FILES', 'BEGUN', 'ROWS_MB', 'NAMES', 'SYNC_SECS', 'slug', 'condition', 'provenance', 'write_json', 'manifest_in', 'key_of', 'step_key', 'latest', 'valid_rows', 'config_key', 'under_names', 'altered', 'RunFolder', 'note_digest', 'begin_trace', 'begun_in', 'StoredFolder', 'manifest_of', 'run_place']

def slug(text: str) -> str:
    """Text as it may stand in a folder's name"""
USUAL = dict(grade='strict', max_iters=10)

def _unusual(params):
    """How answers are graded and how many steps there are, where that is not as usual"""

def condition(params: dict[str, object]) -> str:
    """A run's folder: model, suite or world, profile, what is unusual or compared, and seed, but not how many tasks"""

def _compared(params):
    """What a run compares beside an experiment's own arms and data: kinds of memory, and one's own files by content"""

def _older_names(params):
    """The folder names that earlier versions gave such a run, newest first"""
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
    """Write a JSON file whole or not at all; it is on disk when this comes back"""

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
FILES = ('contexts.jsonl', 'recording.jsonl', 'trace.jsonl', 'rows.sum', 'rows.jsonl', 'paid.jsonl')
BEGUN = 'begun'

class RunFolder:
    """The folder of one run: rows, trace, manifest, and the recording if one was asked for"""
    read_only = False

    def __init__(self, path: str | Path, fresh: bool=False):
        self.path = Path(path)
        make_folder(self.path)
        self.made = 0
        self.paid = False
        self.texts = None
        self.systems = None
        self._lock = threading.Lock()
        self._held = None
        self._unsynced = set()
        self._synced_at = time.monotonic()
        if (self.path / 'rows.jsonl.gz').exists():
            _unpack(self.path, fresh)
        if fresh:
            _aside(self.path)
        for name in FILES:
            cut = mend_lines(self.path / name)
            if cut:
                warnings.warn(_mended(self.path / name, cut), stacklevel=2)
        for said in altered(self.path):
            warnings.warn(said, stacklevel=2)

    def __repr__(self):
        ...

    def sealed(self) -> dict[str, object]:
        """The digest of the rows that are there; of rows that were changed since the last one, that one"""

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

    def _put(self, name, text, sync):
        """Append to a file of this folder; on disk now, or at the next `sync`"""

    def _sync(self):
        """Have on disk what was appended, rows last: a row that is there has all that belongs to it"""

    def sync(self) -> None:
        """Have on disk what was appended so far"""

    def clear_begun(self) -> None:
        """Forget what was begun, when nothing is left to be made"""

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

def _aside(path):
    """Move what an earlier run left out of the way, and take the digest of its rows out of the manifest"""
_CHANGED = 'The rows of {name} are not those that were there when its run ended (rows_digest in run.json): somebody has changed them since. Restore rows.jsonl, or make the run again with --fresh.'
_UNVOUCHED = 'changed'

def _rows_data(path):
    """The lines of a folder's rows, as bytes"""

def _digest_of(data):
    ...

def _as_noted(path, data):
    """Do rows begin with those that a manifest has the digest of? Where it has none, or no rows came with it, they do"""

def note_digest(path: str | Path) -> dict[str, object]:
    """Enter the digest of a folder's rows as they are into its run.json, and change nothing else there"""

def _has(row, values):
    ...
ROWS_MB = 512

def _unpack(path, fresh):
    """rows.jsonl out of rows.jsonl.gz, where only that is there; moved aside where the run begins anew"""
NAMES = ('arm', 'config', 'task', 'repeat', 'stream', 'phase', 'position', 'attempt')

def _trace_line(name, line):
    """A line of a trace as text; a system text belongs to no attempt alone"""

def _systems(path):
    """Hashes of the system texts that a trace holds"""

def _sum_up(path):
    """Note the digests of rows that came without rows.sum, so that what is noted from now on is of all"""
SYNC_SECS = 5.0

def _slot(row):
    """What a row and the trace of its attempt have in common, as the name of a file"""

def begin_trace(folder: Path, row: dict[str, object], rollout: int | None=None) -> BegunTrace:
    """A trace that is on disk as it grows"""

def begun_in(folder: str | Path) -> list[tuple[dict, list[dict]]]:
    """The attempts of a run that are no rows: those under way, or cut short by a kill"""

def _cut_rowless(path):
    """Cut a trace off that was written by a process that was killed before it wrote the row: it is written again"""

def _has_row(text, there):
    """Is a line of a trace of an attempt that has a row? One that cannot be read is left to who reads it"""

class StoredFolder(RunFolder):
    """The folder of a stored run that is read and never written; what is noted stays in memory"""
    read_only = True

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self.noted: dict[str, object] = {}

    def manifest(self) -> dict[str, object]:
        ...

    def note(self, **kw) -> dict[str, object]:
        ...

def manifest_of(folder: str | Path, must: bool=True) -> dict[str, object]:
    """The manifest of a stored run"""

def run_place(home: Path, params: dict[str, object]) -> Path:
    """Where a run is kept; a run that an earlier version gave another name stays where it is"""
_SAME = dict(**USUAL, memory='', memory_budget='equal', memory_k='', own={})

def _is_same_run(said, params):
    """Does a folder of an earlier version hold a run with these parameters? It did not know the content of files"""
