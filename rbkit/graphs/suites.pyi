# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from rbkit.graphs.question_lists import Asked
from rbkit.graphs.files import FORMATS
from rbkit.graphs.graph import Graph
from rbkit.graphs.manifest import GraphEntry
from typing import NamedTuple
from pathlib import Path
from rbkit.graphs.rows import Rows
from rbkit.graphs.guard import WELL_KNOWN
from dataclasses import dataclass
from dataclasses import field
import re
'A task is a question with a gold query; a suite is a folder of them'
__all__ = ['LEVELS', 'SPLITS', 'TASKS', 'MAX_GOLD_ROWS', 'LIMIT', 'NO_GOLD', 'Task', 'read_tasks', 'level_of', 'Suite', 'load_suite', 'with_prefixes', 'gold_rows', 'usable']
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
    answers: tuple[tuple[str, ...], ...] = ()
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

def _is_list_of_texts(value: Any) -> bool:
    ...

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
_RDF = {*FORMATS, '.gz'} - {'.json', '.xml'}

def _is_rdf(path: Path) -> bool:
    """Does a name look like that of a graph?"""

def _rdf_files(folder: Path) -> list[Path]:
    """The RDF files of a folder; ValueError for a link that leads out of it"""

def _unpacked(archive: Path) -> Path:
    """A temporary folder with what a zip holds"""

class _Outside(NamedTuple):
    """A folder in somebody else's format"""
    tasks: list[Task]
    files: list[Path]
    left_out: list[str]

def _members(folder: Path) -> list[Path]:
    """The files of a folder and of the zips in it"""

def _question_lists(paths: list[Path], left_out: list[str]) -> dict[Path, list[Asked]]:
    """The questions with a query or an answer, by file"""

def _words(text: str) -> str:
    """A text without what white space and letter case add"""

def _stems(paths: list[Path]) -> dict[Path, str]:
    """What the ids of a file's tasks hold beside the suite's name: nothing if it is the only file"""

def _outside_task(asked: Asked, name: str, stem: str) -> Task:
    ...
_SAMPLE = 20

def _holds_questions(path: Path, questions: list[str]) -> bool:
    """Does an RDF file hold the questions of the suite?"""

def _outside(folder: Path) -> _Outside:
    """Tasks and graph files of a folder in somebody else's format"""

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
    left_out: list[str] = field(default_factory=list, repr=False)

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
_MOST_LINES = 5

def _first_lines(left_out: list[str]) -> str:
    """The first lines of what was left out, in one line"""

def _check_suite_files(suite: Suite) -> None:
    ...

def _check_examples(suite: Suite) -> None:
    """Refuse an example that is the gold query of a task"""
MAX_GOLD_ROWS = 1000
LIMIT = re.compile('\\s*LIMIT\\s+\\d+\\s*$', re.I)
NO_GOLD = 'the question has no gold query; write one in its field gold (in a list of questions also sparql)'
_COMMON_PREFIXES = dict(WELL_KNOWN, foaf='http://xmlns.com/foaf/0.1/', skos='http://www.w3.org/2004/02/skos/core#', dc='http://purl.org/dc/elements/1.1/', dct='http://purl.org/dc/terms/', dcterms='http://purl.org/dc/terms/', geo='http://www.w3.org/2003/01/geo/wgs84_pos#', georss='http://www.georss.org/georss/', prov='http://www.w3.org/ns/prov#', vcard='http://www.w3.org/2006/vcard/ns#', org='http://www.w3.org/ns/org#', dcat='http://www.w3.org/ns/dcat#', void='http://rdfs.org/ns/void#', dbo='http://dbpedia.org/ontology/', dbr='http://dbpedia.org/resource/', dbp='http://dbpedia.org/property/', dbc='http://dbpedia.org/resource/Category:', res='http://dbpedia.org/resource/', yago='http://dbpedia.org/class/yago/', wd='http://www.wikidata.org/entity/', wdt='http://www.wikidata.org/prop/direct/', p='http://www.wikidata.org/prop/', ps='http://www.wikidata.org/prop/statement/', pq='http://www.wikidata.org/prop/qualifier/', wikibase='http://wikiba.se/ontology#', up='http://purl.uniprot.org/core/', taxon='http://purl.uniprot.org/taxonomy/')
_PREFIX_USED = re.compile('<[^<>\\s]*>|"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|(?<!\\S)\\#[^\\n]*|(?<![\\w?$:.@-])([A-Za-z][\\w-]*):')
_DECLARED = re.compile('\\bPREFIX\\s+([\\w.-]*)\\s*:', re.I)

def with_prefixes(gold: str, graph: Graph) -> str:
    """A query with the prefixes declared that it uses, that everybody knows, and that neither it nor its graph declares"""

def gold_rows(suite: Suite, task: Task) -> Rows:
    """What the gold query returns now, or the published answers if it cannot be read; its limit is the check's, not an agent's"""

def usable(suite: Suite, task: Task) -> bool:
    """Does the gold query run, and find something, but no more than can be compared?"""
