# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Iterator
from typing import NamedTuple
from pathlib import Path
from contextlib import contextmanager
import sqlite3
'What a service has said once is not asked again'
__all__ = ['Reply', 'answer_key', 'KeptAnswers']

class Reply(NamedTuple):
    """What a service sent"""
    kind: str
    body: bytes

def answer_key(*parts: str) -> str:
    """A key for an answer"""
_ANSWERS_TABLE = 'create table if not exists answers (key text primary key, service text, kind text, body blob)'

class KeptAnswers:
    """Answers of services on disk, and whose turn it is to ask them"""

    def __init__(self, path: str | Path, keep: bool=True):
        self.path = Path(path)
        self.keep = keep

    def __repr__(self):
        ...

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """The file, for one transaction"""

    def find(self, key: str) -> Reply | None:
        """The answer that was kept under a key"""

    def put(self, key: str, service: str, answer: Reply) -> None:
        """Keep an answer of a service; a later one takes its place"""

    def forget(self, service: str) -> int:
        """Forget all that a service said"""

    def take_turn(self, service: str, gap_secs: float, now: float, most_secs: float=60.0) -> float:
        """The next free place in the row of a service"""

    def put_off(self, service: str, until: float) -> None:
        """Nobody's turn comes before a time, since the service asked for that"""
