# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from rbkit.graphs.graph import Graph
from rbkit.graphs.manifest import GraphEntry
from typing import NamedTuple
from pathlib import Path
from rbkit.graphs.rows import Rows
from dataclasses import dataclass
from dataclasses import field
import re
'A task is a question with a gold query; a suite is a folder of them'
__all__ = ['LEVELS', 'SPLITS', 'TASKS', 'MAX_GOLD_ROWS', 'LIMIT', 'NO_GOLD', 'Task', 'read_tasks', 'level_of', 'Suite', 'load_suite', 'gold_rows', 'usable']
LEVELS = {1: 'entity lookup', 2: 'relationships', 3: 'multi-hop', 4: 'filtering', 5: 'aggregation'}
SPLITS = ('train', 'held_out')

@dataclass(frozen=True)
class Task:
    """A question over one graph, with the query whose result is right"""
    id: str
    question: str
    gold: str
    level: int
    graph: str
    split: str = 'train'
    ordered: bool = False
    ties: bool = False
    tags: tuple[str, ...] = ()
    private = False

    @property
    def kind(self) -> str:
        """Which kind of task it is: graph and level"""

    @property
    def hash(self) -> str:
        """A short hash of what is asked and what is right"""

    def __repr__(self):
        ...
_FIELDS = {'id': str, 'level': int, 'question': str, 'gold': str}

def _check_row(row: Any) -> None:
    """Say what is wrong with one line of tasks.jsonl"""

def _task(row: Any, graphs: tuple[str, ...]) -> Task:
    """One line of tasks.jsonl as a task; ValueError says what is missing"""

def read_tasks(path: str | Path, *graphs: str) -> list[Task]:
    """Tasks of a tasks.jsonl"""
_AGGREGATES = ('COUNT(', 'AVG(', 'SUM(', 'MAX(', 'MIN(', 'GROUP BY')
_FILTERS = ('FILTER', 'MINUS', 'NOT EXISTS', 'ORDER BY')
_STEPS = (' .', ';', '. ', '/ <', '/<')

def level_of(gold: str) -> int:
    """The level that a query's shape suggests"""

class _Record(NamedTuple):
    """A question of somebody else's suite"""
    id: str
    question: str
    gold: str

def _qald(entry: dict) -> _Record:
    """A question of QALD, in English"""

def _records(path: Path) -> list[_Record]:
    """Questions and queries of a file, whatever its shape; one of `_NO_RECORDS` when it has none"""
_RDF = ('.ttl', '.nt', '.rdf', '.owl', '.jsonld', '.trig', '.gz')

def _rdf_files(folder: Path) -> list[Path]:
    ...

def _unpacked(archive: Path) -> Path:
    """A temporary folder with what a zip holds"""
_NO_RECORDS = (ValueError, KeyError, TypeError, AttributeError, IndexError)

def _outside(folder: Path) -> tuple[list[Task], list[Path]]:
    """Tasks and graph files of a folder in somebody else's format"""

def _outside_task(record: _Record, name: str) -> Task:
    ...

@dataclass
class Suite:
    """Tasks and the graphs that they are about"""
    name: str
    tasks: list[Task]
    files: dict[str, list[Path]]
    strict: bool = True
    engine: str | None = None
    open: dict[str, Graph] = field(default_factory=dict, repr=False)
    entries: dict[str, GraphEntry] = field(default_factory=dict, repr=False)

    def __repr__(self):
        ...

    @property
    def hash(self) -> str:
        """A short hash of all its tasks"""

    def graph(self, name: str) -> Graph:
        """The graph of a task, by name"""

    def forget(self) -> int:
        """Forget what the services of a manifest have said"""

    def close(self) -> None:
        """Stop the query processes of all graphs"""

    def pick(self, n: int, rng_seed: int=0, split: str | None=None) -> list[Task]:
        """Tasks drawn in turn from each level of each graph"""
TASKS = 'tasks.jsonl'

def _homes(folder: Path) -> list[Path]:
    """The folder itself if it holds tasks, else those of its subfolders that do"""

def load_suite(path: str | Path | None=None, engine: str | None=None) -> Suite:
    """A suite from a folder: a suite, a folder of suites, or one in a known outside format"""

def _add_home(suite: Suite, home: Path) -> None:
    """Put the tasks and graphs of a folder into a suite"""

def _check_suite_files(suite: Suite) -> None:
    ...

def _bare(query):
    """A query without what white space and letter case add"""

def _check_examples(suite: Suite) -> None:
    """Refuse an example that is the gold query of a task"""
MAX_GOLD_ROWS = 1000
LIMIT = re.compile('\\s*LIMIT\\s+\\d+\\s*$', re.I)
NO_GOLD = 'the question has no gold query; write one in its field gold (in a list of questions also sparql)'

def gold_rows(suite: Suite, task: Task) -> Rows:
    """What the gold query returns now; its limit is the check's, not an agent's"""

def usable(suite: Suite, task: Task) -> bool:
    """Does the gold query run, and find something?"""
