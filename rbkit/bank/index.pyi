# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.bank.store import ItemStore
from pathlib import Path
from rbkit.retrieval.interface import Retriever
from rbkit.bank.items import search_text
'What a search finds is what the log says: never more, never less, and never from a transaction that failed'
__all__ = ['default_retriever', 'LiveIndex']

def default_retriever() -> Retriever:
    """What ranks memory where nobody names another: BM25 over words"""

class LiveIndex:
    """A retriever kept in step with the items of a store"""

    def __init__(self, store: ItemStore, retriever: Retriever, statuses: tuple[str, ...]=('active',), text: Callable[[dict], str]=search_text, name: str='ranked'):
        self.store = store
        self.retriever = retriever
        self.statuses = statuses
        self.text = text
        self.name = name
        self.seen = None
        self.pending = set()
        self.saved = None
        self._settle()

    def _settle(self):
        ...

    def sync(self) -> Retriever:
        """The retriever, brought up to the last event"""

    def _catch_up(self):
        ...

    def _row(self, item: dict) -> tuple:
        ...

    def _refresh(self, ids: set[str]):
        """Look at these items again"""

    def _fill(self):
        """Put in all items of the store, and take out what is not there"""

    def revert(self) -> None:
        """Called when a transaction of the store was rolled back"""

    def _path(self) -> Path | None:
        ...

    def _stamp(self, head: int) -> dict[str, str | int]:
        ...

    def _fits(self, stamp: dict) -> bool:
        ...

    def _build(self):
        ...

    def save(self) -> bool:
        """Keep a large index beside the store's file, if it has changed since it was last kept"""
