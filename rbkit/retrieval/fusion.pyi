# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Collection
from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator
from rbkit.retrieval.interface import Retriever
from collections.abc import Sequence
import numpy as np
import threading
'Several rankings asked as one: by places until there are labelled questions, then by what each has been worth'
__all__ = ['ChannelScores', 'channel_scores', 'weighted_fusion', 'reciprocal_rank_fusion', 'scored', 'fit_weights', 'Hybrid', 'near_keys']
ChannelScores = dict[str, dict[str | int, float]]

def _calibrated(hits: list[tuple], pool: int) -> dict[str | int, float]:
    ...

def channel_scores(channels: dict[str, Retriever], query: str, pool: int=100, filters: dict | None=None) -> ChannelScores:
    """What each channel says of a question, as shares of its best hit, 0 to 1"""

def _weighted(said: ChannelScores, weights: dict[str, float]) -> Counter:
    ...

def _by_places(said: ChannelScores, c: float=60.0) -> Counter:
    ...

def _first(total: Counter, k: int) -> list[str | int]:
    ...

def weighted_fusion(said: ChannelScores, weights: dict[str, float], k: int=10) -> list[str | int]:
    """The order by the weighted sum of channels"""

def reciprocal_rank_fusion(said: ChannelScores, k: int=10, c: float=60.0) -> list[str | int]:
    """The order by reciprocal ranks (Cormack, Clarke and Büttcher, 2009)"""

def scored(keys: Sequence, gold: Collection) -> dict[str, float]:
    """The usual measures of one ranking: r1, r5, r10 (recall), hit5, mrr, ndcg10"""

def _grid(parts: int, total: int) -> Iterator[tuple[int, ...]]:
    """All ways to divide a whole number into so many parts"""

def _steps(step: float) -> int:
    ...

def _check_fit(names: list[str], metric: str, fallback: str):
    ...

def fit_weights(said: list[ChannelScores], gold: list[str | Collection], metric: str='r5', step: float=0.1, least: int=100, fallback: str='') -> dict[str, float]:
    """Weights of a sum that find most on these questions; ties go to the weights nearest to equal"""

class Hybrid(Retriever):
    """Several retrievers asked as one; each holds every item"""

    def __init__(self, channels: dict[str, Retriever], weights: dict[str, float] | None=None, pool: int=100):
        if not channels:
            raise ValueError('channels={}: give at least one retriever, by name.')
        if len({frozenset(r.keys()) for r in channels.values()}) != 1:
            raise ValueError('The channels do not hold the same keys. Give retrievers that do, such as empty ones.')
        if weights is not None and set(weights) != set(channels):
            raise ValueError(f"weights={weights!r}; give a weight for each of {', '.join(channels)}, or None.")
        self.channels = channels
        self.weights = weights
        self.pool = pool
        self._lock = threading.RLock()

    @property
    def is_costly(self) -> bool:
        ...

    @property
    def name(self) -> str:
        ...

    def __getattr__(self, name):
        ...

    def _weight_of(self, name: str, form: str) -> str:
        ...

    @property
    def setup(self) -> str:
        """What its ranking depends on beside its items"""

    def add_many(self, rows: Iterable[tuple]) -> None:
        """Add many items to every channel, all or none"""

    def remove(self, key: str | int) -> bool:
        """Take an item out of every channel"""

    def _total(self, said: ChannelScores) -> Counter:
        ...

    def search(self, query: str, k: int=10, filters: dict | None=None) -> list[tuple[str | int, float]]:
        """The best `k` of the items that pass the filters, by all channels together"""

    def scores(self, query: str, keys: Iterable[str | int], filters: dict | None=None) -> dict[str | int, float]:
        """The scores of some items, as a search for no more than `pool` gives them"""

    def fit(self, asked: Iterable[tuple], least: int=100, **how: str | float) -> dict[str, float]:
        """Weigh the channels by questions whose answers are known, and which are not those to be tested on"""

    def explain(self, query: str, key: str | int, filters: dict | None=None) -> str:
        """Which channel gave what to an item"""

    def _frozen(self) -> tuple[dict, dict[str, np.ndarray]]:
        ...

    def _parts(self) -> list:
        ...

    def _match(self, said: dict, name: str):
        ...

    def _thaw(self, said: dict, arrays: dict[str, np.ndarray]):
        ...

def near_keys(retriever: Retriever, query: str, keys: Collection[str | int]) -> set[str | int]:
    """The hits that a retriever, or any channel of one, finds near enough by its own threshold"""

def _told(hits: dict[str | int, float], key: str | int) -> str:
    ...
