# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.retrieval.embedders import Embedder
from collections.abc import Iterable
from collections import OrderedDict
from rbkit.retrieval.interface import Retriever
from collections.abc import Sequence
from rbkit.retrieval.encoder import embedder as make_embedder
from rbkit.ground.extras import need
import numpy as np
'Find the item that means the same, though it shares no word with the question'
__all__ = ['Dense']

class Dense(Retriever):
    """A retriever by vectors: keys, texts and tags in, the nearest keys out"""
    is_costly = True

    def __init__(self, embedder: str | Embedder='hash', window: float=0.3, backend: str='numpy', cache: int=256):
        if not 0 <= window < float('inf'):
            raise ValueError(f'window={window!r}; give 0 or more.')
        if backend not in ('numpy', 'faiss'):
            raise ValueError(f'No backend {backend!r}; use numpy, or faiss.')
        if backend == 'faiss':
            need('faiss', f'backend={backend!r}')
        if cache < 0:
            raise ValueError(f'cache={cache!r}; give 0 or more.')
        self.embedder = make_embedder(embedder)
        self.window = window
        self.backend = backend
        self.cache = cache
        self._seen = OrderedDict()
        self.has_warned = False
        super().__init__()

    def __repr__(self):
        ...

    @property
    def min_score(self) -> float:
        ...

    @property
    def name(self) -> str:
        ...

    @property
    def setup(self) -> str:
        ...

    @property
    def _fits_items(self) -> bool:
        ...

    def _empty(self):
        ...

    def _asked(self, query):
        ...

    def _remove(self, slot):
        ...

    def _held(self, slot):
        ...

    def _payloads(self, pairs):
        """Per item its row, its (text, window) where the embedder may learn from them again, and rows of further parts"""

    def _parts_of(self, text):
        """A text in as many parts as its embedder needs"""

    def _add(self, slot, payload):
        ...

    def _ready(self, payloads):
        """Refuse to mix rows of one embedder with rows of another"""

    def vector(self, query: str | Sequence[float]) -> np.ndarray:
        """The vector of a query. Raises ValueError for a row of another size"""

    def _given_vector(self, query):
        """A row of numbers as a query"""

    def _search(self, query, k, mask):
        """The nearest of the slots that may be found"""

    def add_many(self, rows: Iterable[tuple]) -> None:
        """Add many items, all or none; waits for an embedder that is being fitted"""

    def refit(self) -> Dense:
        """Fit the embedder to the items that are here and embed them again. Raises ValueError where it does not learn"""

    def _faiss_index(self, faiss, dims, slots):
        """The copy in half precision, brought up to date"""

    def _faiss(self, query, allowed, k):
        """The k best rows if half precision can be sure of them, else None"""

    def _packed(self):
        ...

    def _fits(self, said):
        """What a snapshot must have been made with; a server is not asked for its dims"""

    def _unpacked(self, said, got):
        ...
_NEAR = 0.0001

def _best_parts(rows, owners, query, slots, scores):
    """Scores of slots that rise, each raised to that of its nearest further part"""

def _top(rows, query, rough, slots, k, more=None):
    """The k best of the slots by score, then by order of addition; and their scores"""
_HALF_ERROR = 0.0006

def _is_pair(texts):
    """Is this a text with its window, or nothing, as an embedder needs that learns from no item?"""
