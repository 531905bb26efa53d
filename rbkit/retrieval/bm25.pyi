# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections import Counter
from rbkit.retrieval.arrays import Grown
from collections.abc import Iterable
from rbkit.retrieval.arrays import Mask
from typing import NamedTuple
from pathlib import Path
from rbkit.retrieval.interface import Retriever
import numpy as np
'Adding one item costs the same at a thousand items and at a million, and the ranking is exact'
__all__ = ['Ranking', 'BM25', 'load_index']
Ranking = tuple[list[int], list[float]]

def _least_score(asking: float) -> float:
    """The least score of what is shown, fitted on the shipped memory: see the chapter on recall"""

class BM25(Retriever):
    """Exact BM25 over lists that grow: an item is added in the time that its own words take"""
    name = 'memory'
    min_score = 1.75
    short = 2 ** 17
    most_kept = 2 ** 23

    def __init__(self, wide: bool=False, idf: str='lucene', k1: float=0.9, b: float=0.4, once: bool=False, asking: float=1.0):
        if idf not in ('lucene', 'okapi'):
            raise ValueError(f'idf={idf!r} is unknown; use lucene or okapi.')
        self.idf = idf
        self.k1 = k1
        self.b = b
        if not 0 <= asking <= 1:
            raise ValueError(f'asking={asking!r}; give 0 to 1.')
        self.once = once
        self.asking = asking
        self.min_score = _least_score(asking)
        super().__init__(wide)

    def _empty(self):
        ...

    @property
    def setup(self) -> str:
        """What its ranking depends on beside its items"""

    def _payload(self, text: str) -> Counter:
        ...

    def _noted(self, slot: int, counts: Counter) -> list[int]:
        """Note what an item holds"""

    def _add(self, slot: int, counts: Counter):
        """Enter one item into the lists of its words"""

    def _put(self, rows: list[tuple]):
        ...

    def _counted(self, number: int, n: int, most: int):
        """A word has come to so many more items, and to one of them so often"""

    def _new_word(self, word: str) -> int:
        ...

    def _list(self, number: int) -> tuple[Grown, Grown]:
        """Slots that hold a word, and how often each does"""

    def words_of(self, slot: int) -> np.ndarray:
        """The numbers of the distinct words that a slot holds"""

    def count(self, term: str) -> int:
        """How many items hold a term"""

    def _remove(self, slot: int):
        ...

    def _held(self, slot: int) -> dict[str, int]:
        ...

    def _known(self, query: str) -> dict[int, int]:
        """The words of a query that some item holds, by number, and how often the query says each"""

    def _by_bound(self, said: dict[int, int]) -> list[_Word]:
        """The words of a query, the one that can add most first"""

    def _idf(self, df: float, n: int) -> float:
        ...

    def _worth(self, term: str, df: float) -> float:
        """The idf of a term of a question, less where any question may say it"""

    def _mean_idf(self, n: int) -> float:
        ...

    def _part(self) -> Callable[[float, np.ndarray, np.ndarray], np.ndarray]:
        """A function of (weight, frequencies, slots): what one word adds to the scores of the slots"""

    def _word(self, number: int, times: int) -> _Word:
        ...

    def _adds(self, number: int, times: int, dtype: type) -> tuple[np.ndarray, np.ndarray]:
        """The slots of a word's list, and what the word adds to the score of each"""

    def _keep(self, key: tuple, value: tuple, size: int) -> tuple:
        ...

    def _forget(self):
        ...

    def _summed(self, said: dict[int, int], k: int, mask: Mask) -> Ranking:
        """The best, by computing every score"""

    def _search(self, query: str, k: int, mask: Mask) -> Ranking:
        ...

    def _looked_up_rest(self, scan: '_Scan', found: np.ndarray, words: list[_Word], left: float) -> np.ndarray:
        """The candidates that are left when the remaining words were looked up for them"""

    def _looked_up(self, number: int, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of some slots hold a word (a mask), and how often those do"""

    def _score_all(self, words: list[_Word], slots: np.ndarray) -> np.ndarray:
        """The scores of some slots, in double precision"""

    def _exact(self, words: list[_Word], slots: np.ndarray, k: int) -> Ranking:
        ...

    def max_score(self, query: str) -> float:
        """The score of an item of mean length with each word of a query once; unknown words count as the rarest"""

    def unit_of(self, query: str) -> float:
        """What the rarest word of a query adds that any item holds, said once in an item of mean length"""

    def scores(self, query: str, keys: Iterable[str | int], filters: dict | None=None) -> dict[str | int, float]:
        """The scores of some items, without looking at the others"""

    def explain(self, query: str, key: str | int, filters: dict | None=None) -> str:
        """The words of a query that an item holds and what each adds to its score, most first; then the others"""

    def _joined_lists(self) -> _Joined:
        ...

    def __deepcopy__(self, memo: dict) -> BM25:
        """The same items in an index of its own, which copies the list of a word when it is first needed"""

    def _packed(self) -> tuple[dict, dict[str, np.ndarray]]:
        ...

    def _unpacked(self, said: dict, arrays: dict[str, np.ndarray]):
        ...

class _Word(NamedTuple):
    """A word of a question"""
    bound: float
    weight: float
    number: int
_FEW = 2 ** 12
_SAMPLE = 64
_EQUAL = 1e-09

def _ordered(slots: np.ndarray, scores: np.ndarray, k: int) -> Ranking:
    """The best k of slots that rise. Sums that differ by rounding alone are equal: then the older item comes first"""

def _reached(score, listed, n_words, k):
    """A score that the best k reach. A slot is listed once for each word at most, so k*n_words listings are k slots"""

def _within(scores: np.ndarray, found: np.ndarray, k: int, below: float) -> np.ndarray:
    """The candidates whose score is at most so much below the k-th best"""

class _Scan:
    """The first part of a search: scores so far, and the slots that each word brought"""

    def __init__(self, scores: np.ndarray, k: int, mask: Mask):
        self.scores = scores
        self.k = k
        self.mask = mask
        self.fresh = []

    def add(self, slots: np.ndarray, adds: np.ndarray):
        """The list of one word"""

    def kth_score(self) -> float:
        ...

    def over(self, low: float) -> np.ndarray:
        """Allowed slots among those seen whose score is not under `low`"""

class _Joined(NamedTuple):
    """The lists of all words, laid end to end"""
    size: int
    slots: np.ndarray
    freqs: np.ndarray
    starts: list[int]

def load_index(path: str | Path) -> BM25:
    """An index as it was saved, with the settings that it had"""
