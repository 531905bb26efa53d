# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.retrieval.adaptive import Adaptive
from collections.abc import Iterable
from rbkit.retrieval.interface import Retriever
import threading
'An adaptive layer with the interface of a retriever, so that whatever takes one can learn from use'
__all__ = ['LayeredRetriever']

class LayeredRetriever(Retriever):
    """An adaptive layer as a retriever: ranks by what was learned, and writes no requests down"""

    def __init__(self, layer: Adaptive):
        self.layer = layer
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        ...

    @property
    def setup(self) -> str:
        ...

    def __getattr__(self, name):
        ...

    def add_many(self, rows: Iterable[tuple]) -> None:
        """Add facts; all rows are checked before the first is added"""

    def remove(self, key: str) -> bool:
        """Take a fact out, with all that was learned on it"""

    def search(self, query: str, k: int=10, filters: dict | None=None) -> list[tuple[str, float]]:
        """The best `k` in the learned order"""

    def max_score(self, query: str) -> float:
        """The score of the first place"""

    def explain(self, query: str, key: str, filters: dict | None=None) -> str:
        """Which channel of the layer gave what to a fact"""
