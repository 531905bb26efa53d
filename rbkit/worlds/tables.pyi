# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from pathlib import Path
from rbkit.worlds.database import SqlResult
from rbkit.worlds.interface import WorldTask
from dataclasses import dataclass
"Sixty questions to a museum's tables, and any of your own: look, ask in SQL, answer; or change what is asked for"
__all__ = ['SHOWN_ROWS', 'SHOWN_CHARS', 'CELL_CHARS', 'TABLES_SAY', 'TableTask', 'read_table_tasks', 'Tables', 'shown']

@dataclass(frozen=True)
class TableTask:
    """A question to a database, with the statement that answers it"""
    id: str
    question: str
    gold: str
    family: str = ''
    level: int = 1
    split: str = 'train'
    changes: bool = False
    ordered: bool = False

def _table_task(line, number, name):
    """A task of a line; ValueError names a bad one"""

def read_table_tasks(folder: Path) -> list[TableTask]:
    """The questions of a folder. ValueError names a bad line"""
SHOWN_ROWS = 20
SHOWN_CHARS = 1400
CELL_CHARS = 120
TABLES_SAY = 'sql: STATEMENT; runs one statement of SQLite\'s SQL, on one line. answer: ROWS ends it: rows as JSON, such as answer: [["a", 1], ["b", 2]] or answer: [[7]]; after a change that was asked for, answer: [["done"]]'

class Tables(BaseEnv):
    """Questions to a database, answered in rows or by a change of the tables"""
    name = 'tables'
    family = 'question'
    max_steps = 10
    commands = TABLES_SAY

    def __init__(self, source: str='', max_steps: int=10):
        self.source = source
        self.max_steps = max_steps
        self._asked = None
        self._base = None
        self._wanted = {}
        self.session = None
        self.found = None
        self.reason = ''

    def _end(self):
        ...

    def _read(self):
        """Questions and database, once"""

    def _tasks(self):
        ...

    def _task(self, asked):
        ...

    def asked_of(self, task: WorldTask | None=None) -> TableTask:
        """The question behind a task, with what the agent is not told"""

    def _begin(self, task, seed):
        ...

    def _act(self, action):
        ...

    def _answered(self, text):
        """The end of an episode"""

    def gold_rows(self) -> list[tuple[object, ...]]:
        """What the right statement returns"""

    def _changed(self):
        """Do the tables hold what they should?"""

    def _wanted_tables(self):
        """Digests of what the tables should hold"""

    def _check(self, prediction):
        """Are rows, or a text with rows, the answer?"""

    def _gold(self):
        ...

def _cell(value):
    """A value as JSON shows it, bounded"""

def shown(found: SqlResult, writes: bool=False) -> str:
    """A result as an agent sees it"""
