# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.graphs.guard import Guarded
from collections.abc import Iterable
from collections.abc import Iterator
from typing import Protocol
from dataclasses import dataclass
from dataclasses import field
import pandas
'The same answer from every engine, in plain text and bounded'
__all__ = ['MAX_SHOWN', 'Row', 'Rows', 'Engine', 'run_guarded']

@dataclass
class Rows:
    """What a query returned, as text"""
    columns: list[str]
    rows: list[list[str | None]]
    kind: str = 'select'
    truncated: bool = False
    limit: int = 100
    capped: bool = False
    secs: float = field(default=0.0, compare=False)

    def __len__(self):
        ...

    def __iter__(self):
        ...

    def __repr__(self):
        ...

    def to_frame(self) -> 'pandas.DataFrame':
        """The rows as a pandas frame"""

    def _repr_html_(self) -> str:
        ...
MAX_SHOWN = 20

def _table_row(cells: list[str | None], tag: str) -> str:
    """One row of an HTML table; `tag` is td or th"""
Row = list[str | None]

class Engine(Protocol):
    """What runs queries that have passed the guard"""

    def run(self, query: Guarded) -> tuple[list[str], Iterable[Row]]:
        """Names of the columns, and the rows as text"""

def _bounded(rows: Iterable[Row], limit: int, max_chars: int) -> tuple[list[Row], bool]:
    """The first rows, and whether there were more"""

def _distinct(rows: Iterable[Row]) -> Iterator[Row]:
    """Each row once: CONSTRUCT and DESCRIBE return sets"""

def _why_unread(error: SyntaxError, ungrouped: tuple[str, ...]) -> str:
    """What an engine's parser objects to"""

def _run(engine: Engine, query: Guarded, max_chars: int) -> tuple[list[str], list[Row], bool]:
    """Columns, bounded rows, and whether there were more"""

def run_guarded(engine: Engine, query: Guarded, max_chars: int) -> dict:
    """The bounded answer of an engine to one query"""

def _picked(row: Row, order: list[int]) -> Row:
    """The cells of a row in another order"""
