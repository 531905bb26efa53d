# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from pathlib import Path
from rbkit.retrieval.interface import Retriever
import sqlite3
'A large index is kept beside the file that its items come from, and believed only if it fits'
__all__ = ['LEAST_SAVED', 'made_with', 'keep_snapshot', 'restore_snapshot', 'MarkedSnapshot']
LEAST_SAVED = 1000

def made_with(retriever: Retriever) -> str:
    """What an index depends on besides its items"""

def keep_snapshot(retriever: Retriever, path: str | Path | None, **stamp: str | int) -> bool:
    """Keep a large index, where that is possible"""

def restore_snapshot(retriever: Retriever, path: str | Path | None, fits: Callable[[dict], bool]) -> bool:
    """Replace what is in an index by what was kept"""

class MarkedSnapshot:
    """The snapshot of an index over an SQLite file; a mark in the file says which one fits"""

    def __init__(self, retriever: Retriever, db: sqlite3.Connection, path: str | Path | None):
        self.retriever = retriever
        self.db = db
        self.path = path
        self.mark = ''
        db.execute('create table if not exists kept(n integer primary key, version integer, mark text)')

    def _row(self):
        ...

    def _stamp(self, version, mark):
        ...

    @property
    def version(self) -> int:
        """The number of changes in what was kept of this index"""

    def restore(self) -> int:
        """Take the index from its snapshot"""

    def save(self, version: int) -> bool:
        """Keep the index"""
