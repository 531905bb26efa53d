# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections.abc import Iterator
from typing import NamedTuple
from pathlib import Path
from typing import Self
from contextlib import contextmanager
from dataclasses import dataclass
from rbkit.bank.database import open_database
import sqlite3
import threading
import time
'The present state of a memory is what has happened to it'
__all__ = ['Event', 'Log', 'Diff', 'check_file']

@dataclass(frozen=True)
class Event:
    """One change: its number, when, what kind, and all that is needed to make it again"""
    n: int
    time: float
    kind: str
    body: dict
    hash: str

    def __repr__(self):
        ...

def _text(value: object) -> str:
    """The canonical text of a value"""

def _checked(kind: str, body: dict) -> str:
    """The text of a body that can be stored, or a ValueError"""

class Log:
    """Events in SQLite, chained by hash, and the state that they add up to"""
    tables = ''
    version = 1
    _written = 0.0

    def __init__(self, path: str | Path | None=None, clock: Callable[[], float]=time.time, journal: str='delete', key: str | bytes | None=None):
        self.path = path
        self.named = str(path or 'a log in memory')[-80:]
        self.clock = clock
        self.journal = journal
        self.key = key.encode() if isinstance(key, str) else key
        self.lock = threading.RLock()
        self._create(journal)
        self._db = open_database(path, journal)
        try:
            self._migrate()
            self._begun = self.head
        except BaseException:
            self._db.close()
            raise

    @property
    def in_transaction(self) -> bool:
        """Is a transaction open?"""

    def close(self) -> None:
        """Close the file with a digest of what is in it; a log in memory is gone"""

    def __enter__(self):
        ...

    def __exit__(self, *exc):
        ...

    def _create(self, journal: str):
        """Make the file if there is none"""

    def _is_new(self) -> bool:
        """Is there anything new in the file?"""

    def rows(self, sql: str, *args) -> list[tuple]:
        """Run one reading statement"""

    def _apply(self, kind: str, body: dict, time: float):
        """Change the tables as an event says"""

    def _state(self) -> dict[str, dict]:
        """The state, as records by key"""

    def _before(self, version: int) -> list[tuple[str, dict]]:
        """Events, as (kind, body), that stand for what is in a file from before there were events"""

    def _rolled_back(self):
        """Called after a transaction was taken back"""

    @contextmanager
    def transaction(self) -> Iterator[Log]:
        """All changes inside happen together or not at all; may be nested. A TimeoutError if another writer is busy"""

    @property
    def head(self) -> int:
        """The number of the last event; 0 where nothing has happened"""

    def hash_of(self, n: int) -> str:
        """The hash of an event and of all before it"""

    def append(self, kind: str, body: dict) -> Event:
        """Write an event and apply it, both or neither"""

    def _check_chain(self, key: bytes | None=None) -> int:
        ...

    def events(self, since: int=0, until: int | None=None, kind: str | None=None) -> list[Event]:
        """What has happened"""

    def _spans(self, n: int) -> list[_Span]:
        """The events that make up state n, oldest first"""

    def _rebuild(self, n: int):
        """Empty the tables and replay the events of state n"""

    def _version_found(self) -> int:
        ...

    def _migrate(self):
        """Bring the tables up to this version"""

    def dump(self) -> str:
        """The whole state as canonical JSON lines: equal states, equal bytes"""

    @property
    def digest(self) -> str:
        """A hash of the state, not of the way to it"""

    def _past(self, n: int | None) -> int:
        """The number of an event that has happened, the last if not given; or a ValueError"""

    def at(self, n: int | None=None) -> Self:
        """The state as it was right after event `n`"""

    def rollback(self, n: int) -> Event:
        """Make the state what it was right after event `n`; the log keeps what happened since"""

    def diff(self, a: int, b: int | None=None) -> Diff:
        """What changed between events `a` and `b` (the last if not given)"""

    def _tables(self) -> dict[str, list[tuple]]:
        """All rows of all tables, as they lie there"""

    def _made(self) -> set[tuple]:
        """How tables and indexes were made; that of events got a column later"""

    def _check_tables(self):
        ...

    def verify(self, key: str | bytes | None=None) -> int:
        """Check that no page is damaged, no event missing or edited, and that the tables are what the events add up to"""

    def backup_to(self, target: sqlite3.Connection) -> None:
        """Copy what is on the disk, whole, while others may read and write"""

    def backup(self, path: str | Path) -> Path:
        """A copy in a file: copying the file itself may lose what lies in a journal beside it"""
_LAST = 'select hash from events order by n desc limit 1'

def _hash(before: str, n: int, time: float, kind: str, text: str) -> str:
    ...

def _seal(key: bytes | None, hash: str) -> str:
    ...

class _Span(NamedTuple):
    """Events that follow each other"""
    first: int
    last: int
_EVENTS = "create table if not exists events (n integer primary key, time real not null, kind text not null,\n    body text not null, hash text not null, seal text not null default '')"

@dataclass(frozen=True)
class Diff:
    """What differs between two states: keys that came, went, or changed"""
    came: dict
    went: dict
    changed: dict

    def __bool__(self):
        ...

    def __repr__(self):
        ...

    def _repr_markdown_(self):
        ...

def _short(value: object) -> str:
    ...

def _changes(a: dict, b: dict) -> dict[str, tuple]:
    ...

def check_file(path: str | Path) -> bool:
    """A ValueError if a log's file is not what was closed, though no event has come since"""
