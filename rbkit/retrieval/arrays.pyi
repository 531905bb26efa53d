# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Iterable
from collections.abc import Iterator
from typing import NamedTuple
from pathlib import Path
from collections.abc import Sequence
import numpy as np
'What is looked up for all items at once lies in arrays, and arrays are kept in one file'
__all__ = ['Mask', 'Grown', 'grouped', 'nth_best', 'kth_best', 'TagColumn', 'write_snapshot', 'read_snapshot', 'check_array', 'check_that', 'check_lists']

class Grown:
    """An array, of numbers or of rows, that grows by doubling"""

    def __init__(self, dtype: type, values: Sequence=(), empty: float=0, shape: tuple[int, ...]=()):
        self.a = np.asarray(values, dtype).reshape(len(values), *shape)
        self.n = len(values)
        self.empty = empty

    @property
    def all(self) -> np.ndarray:
        """The part of the array that is in use"""

    def upto(self, n: int) -> np.ndarray:
        """The array, with room for at least `n` values"""

    def extend(self, values: Sequence) -> None:
        """Append all of these"""

    def append(self, value: float) -> None:
        """Append one number"""

def grouped(numbers: np.ndarray, *beside: np.ndarray) -> Iterator[tuple[int, *tuple[np.ndarray, ...]]]:
    """For each number that occurs, what stands beside it"""
Mask = np.ndarray | None

def nth_best(scores: np.ndarray, n: int) -> float:
    """The n-th best of all scores"""

def kth_best(scores: np.ndarray, lists: list[np.ndarray], k: int, mask: Mask=None, most: int=4096) -> float:
    """A score that k allowed slots reach at least, from a part of each list; lists of rare words come first"""

class TagColumn(NamedTuple):
    """The values of one tag: a number for each slot, -1 where an item does not have it"""
    codes: Grown
    numbers: dict

    @classmethod
    def of(cls, codes: Sequence=(), values: Iterable=()) -> 'TagColumn':
        """A column with these numbers and values"""

    def put(self, slot: int, value: str | int | float | None) -> None:
        """Note the value of one slot"""

    def matches(self, wanted: tuple, n: int) -> np.ndarray:
        """A mask over `n` slots: which of them have one of these values"""

def write_snapshot(path: str | Path, said: dict, **arrays: np.ndarray) -> None:
    """One file, written whole or not at all"""

def _check_packing(path: str | Path) -> None:
    """Nothing is packed, so that a file takes no more memory than it takes on the disk"""

def read_snapshot(path: str | Path) -> tuple[dict, dict[str, np.ndarray]]:
    """What `write_snapshot` wrote; a ValueError if there is no such file or it is damaged"""

def check_array(what: str, array: np.ndarray, shape: tuple[int | None, ...], least: float=-np.inf, most: float=np.inf, whole: bool=True) -> np.ndarray:
    """A ValueError where an array has another shape or kind, or a value that leads nowhere"""

def check_that(what: str, holds: bool) -> None:
    """A ValueError that says what does not hold"""

def check_lists(n: int, words: list[str], arrays: dict[str, np.ndarray]) -> None:
    """Do the lists of words and the words of slots fit each other?"""
