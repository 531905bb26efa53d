# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Iterable
from rbkit.retrieval.anchors import open_db
import sqlite3
'A list that was used each time it was shown is served again, and the cache measures how often that is wrong'
__all__ = ['sorted_filters', 'QueryCache']

def sorted_filters(filters: dict[str, Any] | None) -> list[tuple[str, Any]]:
    """Filters as JSON can hold them, in one order"""

class QueryCache:
    """Lists for questions that came again in the same words"""

    def __init__(self, db: sqlite3.Connection | None=None, least: int=3, rate: float=0.8, verify: float=0.05):
        self.db = db or open_db()
        self.least = least
        self.rate = rate
        self.verify = verify

    @staticmethod
    def key(query: str, k: int, filters: dict[str, Any] | None=None, ranker: str='') -> str:
        """A question with all that its answer depends on"""

    @property
    def version(self) -> int:
        """Changes of facts so far"""

    @property
    def checks(self) -> tuple[int, int]:
        """Served lists that were compared with a search"""

    def note(self, fact: str, said: list | None=None) -> None:
        """What a fact says now; nothing happens if it said so before"""

    def note_many(self, said: Iterable[tuple[str, list | None]]) -> None:
        """What many facts say now"""

    def changed(self, version: int) -> set[str]:
        """Facts that were added, changed or removed after a version"""

    def get(self, key: str) -> tuple[list[str], int] | None:
        """The list of a question, if it has proved itself and none of its facts has changed"""

    def _stale(self, facts, version):
        """Has one of these facts changed since?"""

    def drop(self, key: str) -> None:
        """Forget a list"""

    def learn(self, key: str, facts: list[str], used: bool, version: int) -> None:
        """One showing of a list; what has changed since proves nothing"""
