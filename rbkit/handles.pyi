# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from pathlib import Path
from dataclasses import dataclass
import sqlite3
import threading
'Refer to a thing without carrying it'
__all__ = ['DTYPES', 'PREVIEW', 'Ref', 'as_key', 'BlobStore']
DTYPES = ('text', 'results', 'graph', 'item', 'guide')
PREVIEW = 80

@dataclass(frozen=True)
class Ref:
    """A name for a payload that is kept elsewhere, with its kind, its size and its beginning"""
    key: str
    dtype: str
    sz: int
    prev: str = ''

    def __repr__(self):
        ...

    def to_dict(self) -> dict[str, str | int]:
        """The handle as a flat dict of text and numbers"""

def as_key(ref: Ref | dict | str) -> str:
    """The key that a handle names, however the handle is written; TypeError for anything else"""
_SCHEMA = 'create table if not exists blobs (\n    key text primary key, dtype text not null, sz integer not null,\n    text text not null, sha256 text not null, made_by text not null, parents text not null)'

class BlobStore:
    """Payloads by key, each with a content hash and what made it"""

    def __init__(self, path: str | Path | None=None, max_chars: int=5000000, max_total: int=200000000):
        self.max_chars = max_chars
        self.max_total = max_total
        self._lock = threading.Lock()
        self._db = sqlite3.connect(str(path or ':memory:'), check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        with self._db:
            self._db.execute(_SCHEMA)

    def _rows(self, sql: str, *args) -> list[sqlite3.Row]:
        ...

    def _total(self) -> sqlite3.Row:
        """Number of payloads, and characters of them all together"""

    def put(self, payload: Any, dtype: str='text', made_by: dict | None=None, parents: list | tuple=()) -> Ref:
        """Store a payload and return its handle.
    Raises ValueError for an unknown dtype and for a payload that does not fit."""

    def _insert(self, text: str, dtype: str, made_by: dict, parents: list[str]) -> Ref:
        """Number the payload within its dtype and write it in one transaction"""

    def get(self, ref: Ref | dict | str) -> str:
        """The whole payload, as text; KeyError names the nearest key"""

    def nearest(self, key: str) -> str | None:
        """The stored key most like this one, or the latest if none is like it; None while nothing is stored"""

    def missing(self, key: str) -> str:
        """The message about a key that does not exist: it names the nearest one that does"""

    def keys(self) -> list[str]:
        """Every key, the oldest first"""

    def meta(self, ref: Ref | dict | str) -> dict[str, Any]:
        """All about a payload but its text: dtype, size, hash, what made it, parents.
    Raises KeyError as `get` does."""

    def ref(self, key: Ref | dict | str) -> Ref:
        """The handle for a key"""

    def lineage(self, ref: Ref | dict | str) -> list[dict[str, Any]]:
        """What `meta` says of a payload, then of those that it was made from, the nearest first. Raises KeyError as `get` does"""

    def query_behind(self, ref: Ref | dict | str) -> str:
        """The query that a payload, or one that it was made from, is the result of. Raises KeyError as `get` does"""

    def close(self) -> None:
        """Close the store; one in memory is lost with its payloads"""

    def __repr__(self) -> str:
        ...
