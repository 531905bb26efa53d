# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.retrieval.bm25 import BM25
from collections.abc import Callable
from rbkit.retrieval.arrays import Mask
from rbkit.retrieval.bm25 import Ranking
from rbkit.retrieval.interface import Retriever
import numpy as np
import sqlite3
'What others have built, behind the same interface, to compare with'
__all__ = ['RETRIEVERS', 'FTS5', 'Rebuilt', 'RankBM25', 'TfIdf', 'BM25s', 'Tantivy', 'make_retriever']

class FTS5(Retriever):
    """SQLite's full-text index, in a file or in memory"""
    name = 'fts5'

    def __init__(self, wide: bool=False, path: str=':memory:'):
        super().__init__(wide)
        self.db = sqlite3.connect(path, check_same_thread=False)
        self.db.executescript('create table if not exists t(slot integer primary key, key, tags text);\n            create virtual table if not exists f using fts5(said,\n                tokenize="unicode61 remove_diacritics 0 categories \'L* M* N* S* P* Co Cn\'")')
        self._read()

    def _payload(self, text):
        ...

    def _add(self, slot, said):
        ...

    def _remove(self, slot):
        ...

    def _place(self, key, tags):
        ...

    def _read(self):
        """Keys and tags, from the file"""

    def _in_transaction(self, change: Callable, *args):
        ...

    def _put(self, rows: list[tuple]):
        ...

    def remove(self, key: str | int) -> bool:
        """Take an item out, in a transaction"""

    def _search(self, query: str, k: int, mask: Mask) -> Ranking:
        ...

def _widened(hits: Callable[[int], list[tuple]], k: int, mask: Mask) -> Ranking:
    """The k best hits that the mask allows"""

class Rebuilt(Retriever):
    """A library that knows only whole collections: `build` makes one of all texts, `score_all` scores every slot"""

    def _empty(self):
        ...

    def _tidy(self):
        ...

    def _add(self, slot, text):
        ...

    def _held(self, slot):
        ...

    def _remove(self, slot):
        ...

    def _search(self, query, k, mask):
        ...

class RankBM25(Rebuilt):
    """rank-bm25, the reference"""
    name = 'rank-bm25'

    def build(self, texts: list[str]) -> object:
        ...

    def score_all(self, query: str) -> np.ndarray:
        ...

class TfIdf(Rebuilt):
    """scikit-learn's TF-IDF and the cosine"""
    name = 'tfidf'

    def build(self, texts: list[str]) -> object:
        ...

    def score_all(self, query: str) -> np.ndarray:
        ...

class BM25s(Rebuilt):
    """bm25s, which computes all scores in advance"""
    name = 'bm25s'

    def build(self, texts: list[str]) -> object:
        ...

    def score_all(self, query: str) -> np.ndarray:
        ...

class Tantivy(Retriever):
    """tantivy; what was added is committed before the next search"""
    name = 'tantivy'

    def _empty(self):
        ...

    def _payload(self, text):
        ...

    def _add(self, slot, said):
        ...

    def _remove(self, slot):
        ...

    def _commit(self):
        ...

    def _search(self, query: str, k: int, mask: Mask) -> Ranking:
        ...
RETRIEVERS = {kind.name: kind for kind in (BM25, FTS5, RankBM25, TfIdf, BM25s, Tantivy)}

def make_retriever(name: str='memory', **options: bool | float | str) -> Retriever:
    """An empty retriever; a ValueError for an unknown name, an ImportError for a missing package"""
