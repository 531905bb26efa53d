# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import NamedTuple
from pathlib import Path
import re
import sqlite3
'A copy for each attempt, one statement at a time, and nothing but what the task allows'
__all__ = ['FILE_MB', 'FILES', 'READS', 'CHANGES', 'DESCRIBING', 'NO_FUNCTIONS', 'MOST_STEPS', 'MOST_SECS', 'MOST_MB', 'CELL_BYTES', 'MOST_ROWS', 'SQL_CHARS', 'GROWTH_PAGES', 'HOSTILE_SQL', 'load_database', 'tables_of', 'SqlError', 'SqlResult', 'SqlSession']
FILE_MB = 256
FILES = ('.db', '.sqlite', '.sqlite3')

def _from_text(folder: Path) -> sqlite3.Connection:
    """A database of a folder's schema.sql and CSV files"""

def _from_file(path: Path) -> sqlite3.Connection:
    """A copy of a SQLite file"""

def load_database(place: str | Path) -> sqlite3.Connection:
    """A database, in memory. ValueError where there is none"""

def tables_of(base: sqlite3.Connection) -> dict[str, list[str]]:
    """The tables of a database"""
READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
CHANGES = {sqlite3.SQLITE_INSERT: 'INSERT', sqlite3.SQLITE_UPDATE: 'UPDATE', sqlite3.SQLITE_DELETE: 'DELETE'}
DESCRIBING = {'table_info', 'table_xinfo', 'table_list', 'foreign_key_list', 'index_list', 'index_info'}
NO_FUNCTIONS = {'load_extension', 'random', 'randomblob', 'zeroblob', 'fts3_tokenizer', 'printf', 'format'}
_DONE = {sqlite3.SQLITE_ATTACH: 'ATTACH', sqlite3.SQLITE_DETACH: 'DETACH', sqlite3.SQLITE_PRAGMA: 'PRAGMA', sqlite3.SQLITE_TRANSACTION: 'a transaction', sqlite3.SQLITE_SAVEPOINT: 'a savepoint', sqlite3.SQLITE_ALTER_TABLE: 'ALTER TABLE', sqlite3.SQLITE_REINDEX: 'REINDEX', sqlite3.SQLITE_ANALYZE: 'ANALYZE', sqlite3.SQLITE_CREATE_VTABLE: 'a virtual table', sqlite3.SQLITE_DROP_TABLE: 'DROP TABLE', sqlite3.SQLITE_FUNCTION: 'the function', **CHANGES}

def _allowed(writes: bool) -> str:
    """What may be done, in words"""

def _may(action: int, one: str | None, other: str | None, writes: bool) -> bool:
    """Is this part of a statement allowed?"""

def _is_schema(table: str | None) -> bool:
    ...
MOST_STEPS = 50000000
MOST_SECS = 5.0
MOST_MB = 256
CELL_BYTES = 20000
MOST_ROWS = 200
SQL_CHARS = 4000
GROWTH_PAGES = 2000
_EVERY = 10000

class SqlError(ValueError):
    """What is wrong with a statement, what is allowed, and what to do"""

class SqlResult(NamedTuple):
    """What a statement returned"""
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    more: bool
    changed: int

class SqlSession:
    """A copy of a database of one's own, in which statements run under limits"""

    def __init__(self, base: sqlite3.Connection, writes: bool=False, steps: int=MOST_STEPS, secs: float=MOST_SECS):
        self.writes = writes
        self.steps = steps
        self.secs = secs
        self.refused = ''
        self.conn = sqlite3.connect(':memory:', isolation_level=None, check_same_thread=False)
        base.backup(self.conn)
        self.tables = tables_of(self.conn)
        self.conn.text_factory = _text
        self._limit()

    def close(self) -> None:
        """Let go of the copy"""

    def __enter__(self) -> 'SqlSession':
        ...

    def __exit__(self, *_) -> None:
        ...

    def _limit(self):
        """Set the gates"""

    def _asked(self, action, one, other, *_):
        """The authorizer: a number that lets a part of a statement pass, or refuses it"""

    def _goes_on(self):
        """Called by the machine; anything but 0 stops it"""

    def run(self, sql: str) -> SqlResult:
        """Run a statement; `SqlError` says what is wrong with it"""

    def _why(self, error):
        """A mistake, what is allowed, and what to do"""

    def _columns_said(self):
        """All columns, in so many words"""

    def digests(self) -> dict[str, str]:
        """What the tables hold, in a form that can be compared"""

def _text(raw):
    ...

def _named(action, one, other):
    """What is refused, in words"""

def _resident_mb() -> float:
    """How large this process is"""
_COMMENT = re.compile('--[^\\n]*|/\\*.*?\\*/', re.S)

def _row_text(row):
    """A row, with each number in floating point at nine significant digits"""
HOSTILE_SQL = ("ATTACH DATABASE '/tmp/other.db' AS other", "ATTACH ':memory:' AS other", 'DETACH main', 'PRAGMA writable_schema = 1', 'PRAGMA journal_mode = OFF', 'PRAGMA max_page_count = 1000000000', "PRAGMA temp_store_directory = '/tmp'", "SELECT load_extension('/tmp/x.so')", "VACUUM INTO '/tmp/copy.db'", 'VACUUM', 'BEGIN EXCLUSIVE', 'COMMIT', 'SAVEPOINT a', 'CREATE TABLE mine (x)', 'CREATE TEMP TABLE mine AS SELECT 1', 'CREATE VIEW v AS SELECT 1', 'CREATE TRIGGER t AFTER INSERT ON loan BEGIN DELETE FROM loan; END', 'CREATE VIRTUAL TABLE f USING fts5(x)', 'DROP TABLE loan', 'ALTER TABLE loan RENAME TO gone', 'DELETE FROM sqlite_master', "UPDATE sqlite_master SET sql = ''", 'REINDEX', 'ANALYZE', 'SELECT zeroblob(1000000000)', 'SELECT hex(randomblob(100000000))', "SELECT printf('%.*c', 1000000000, 'x')", "WITH RECURSIVE c(x) AS (SELECT 'aaaaaaaaaa' UNION ALL SELECT x||x FROM c) SELECT MAX(LENGTH(x)) FROM c", 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT COUNT(*) FROM c', "WITH RECURSIVE c(x) AS (SELECT hex(hex(hex(hex('many of these'))))||1 UNION ALL SELECT x||2 FROM c) SELECT x FROM c ORDER BY x", 'SELECT COUNT(*) FROM object a, object b, object c, object d', 'SELECT 1; DROP TABLE loan', 'SELECT \x00', 'SELECT ?', 'nonsense', ';', '-- nothing', 'SELECT ' + '(' * 3000 + '1' + ')' * 900, 'SELECT 1' + ', 1' * 1400)
