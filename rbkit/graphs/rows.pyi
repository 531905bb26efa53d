# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.graphs.guard import Guarded
from collections.abc import Iterable
from collections.abc import Iterator
from typing import Protocol
from dataclasses import dataclass
from dataclasses import field
import pandas
import re
'The same answer from every engine, in plain text and bounded'
__all__ = ['IRI', 'BLANK', 'XSD', 'XSD_STRING', 'XSD_BOOLEAN', 'MAX_SHOWN', 'Row', 'Rows', 'Term', 'kinds_of', 'Engine', 'run_guarded']

@dataclass
class Rows:
    """What a query returned, as text"""
    columns: list[str]
    rows: list[list[str | None]]
    kind: str = 'select'
    truncated: bool = False
    limit: int = 100
    capped: bool = False
    kinds: list[str | list[str | None]] | None = field(default=None, compare=False, repr=False)
    secs: float = field(default=0.0, compare=False)

    def __len__(self):
        ...

    def __iter__(self):
        ...

    def __repr__(self):
        ...

    def to_frame(self) -> 'pandas.DataFrame':
        """The rows as a pandas frame"""

    def terms(self) -> list[list[str | None]]:
        """The rows with the kind of each term, where it is known"""

    def _repr_html_(self) -> str:
        ...
IRI = 'iri'
BLANK = 'blank'
XSD = 'http://www.w3.org/2001/XMLSchema#'
XSD_STRING = f'{XSD}string'
XSD_BOOLEAN = f'{XSD}boolean'

class Term(str):
    """The text of a term, and its kind"""
    __slots__ = ('kind',)

    def __new__(cls, text: str, kind: str | None=None) -> 'Term':
        ...

    def __reduce__(self):
        ...

def kinds_of(rows: list[list[str | None]]) -> list[str | list[str | None]]:
    """Kinds of the terms of each column: one where all are alike, else one for each row (None where unbound)"""
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
_AT = re.compile('error at (?P<line>\\d+):(?P<column>\\d+): *')

def _why_unread(error: SyntaxError, query: Guarded) -> str:
    """What an engine's parser objects to, with the place in the text as it was written"""

def _run(engine: Engine, query: Guarded, max_chars: int) -> tuple[list[str], list[Row], bool]:
    """Columns, bounded rows, and whether there were more"""

def run_guarded(engine: Engine, query: Guarded, max_chars: int) -> dict:
    """The bounded answer of an engine to one query"""

def _picked(row: Row, order: list[int]) -> Row:
    """The cells of a row in another order"""
