# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.items import Item
from rbkit.bank.events import Log
from typing import NamedTuple
from rbkit.bank.items import REQUIRED
'Items in SQLite, where every change is an event'
__all__ = ['PLACE', 'TABLES', 'ItemStore', 'Record']
_FTS = "fts5(id unindexed, title, description, content, tags, question, tokenize='porter unicode61')"
PLACE = 25000
_SAYS = "json_extract(case when json_valid(json) then json else '{}' end, '$.%s')"

def _said_text(name: str) -> str:
    ...
_SOURCE = ', '.join((f"nullif({_said_text('provenance.' + name)}, '')" for name in ('agent', 'run', 'source')))
TABLES = f"create table store (n integer primary key, id text unique not null, polarity text not null,\n    domain text not null, status text not null, json text not null, digest text not null,\n    scope text generated always as ({_said_text('provenance.scope')}) virtual,\n    source text generated always as (coalesce({_SOURCE}, '')) virtual,\n    places integer generated always as (length(json)/{PLACE}+1) virtual,\n    held integer generated always as (status='quarantined' or status='archived' and {_SAYS % 'tier'}=0) virtual);\ncreate index store_by_scope on store (scope, status);\ncreate index store_by_status on store (status, places);\ncreate index store_by_source on store (source, held, places);\ncreate view items as select n, id, polarity, domain, json from store where status='active';\ncreate virtual table items_fts using {_FTS};\ncreate virtual table held_fts using {_FTS}"

class ItemStore(Log):
    """Memory items in SQLite, every change an event; in memory, or in a file"""
    tables = TABLES

    def __len__(self):
        ...

    def __repr__(self):
        ...

    def __contains__(self, id):
        ...

    def __bool__(self):
        ...

    def _apply(self, kind, body, time):
        ...

    def record(self, id: str) -> Record:
        """What is stored of an item"""

    def _index(self, n: int, item: dict):
        ...

    def _unindex(self, n: int, item: dict):
        ...

    def write(self, item: dict, old: Record=Record(None, None)) -> None:
        """Write the record of an item; for the use of events"""

    def _on_put(self, body: dict, time: float):
        ...

    def _on_set(self, body: dict, time: float):
        ...

    def _on_refused(self, body: dict, time: float):
        """Kept in the log alone"""

    def _on_step(self, body: dict, time: float):
        """Kept in the log alone"""

    def _unproven_again(self, new: dict, old: dict) -> dict:
        """A record whose earlier wins prove nothing, if it waits in quarantine and says something else than before"""

    def known_id(self, item: Item) -> str:
        """The id under which this store has an item; the item's own id if the store does not have it"""

    def add(self, *items: Item, why: str='') -> list[str]:
        """Add items in one transaction; an item with the same id is replaced"""

    def get(self, id: str) -> Item:
        """One item by its id, whatever its status; or a KeyError"""

    def get_many(self, ids: list[str]) -> dict[str, Item]:
        """Items by their ids, whatever their status"""

    def all(self, polarity: str | None=None, domain: str | None=None, status: str | None='active') -> list[Item]:
        """Every item"""

    def records(self) -> list[dict]:
        """Every item of every status, as it is stored"""

    def change(self, id: str, why: str='', **new: object) -> Item:
        """Change fields of one item; a ValueError if it would no longer be one"""

    def archive(self, id: str, why: str='', by: str='') -> Item:
        """Put an item out of reach of searches"""

    def status_before(self) -> dict[str, str]:
        """The status that each item had before the one in its `superseded_by` took its place in this bank"""

    def _state(self) -> dict[str, dict]:
        ...

    def changed_since(self, n: int) -> set[str] | None:
        """Items whose text, tags or status may have changed after event `n`"""

    def full_text(self, query: str, k: int=5, polarity: str | tuple[str, ...] | None=None, domain: str | None=None) -> list[tuple[str, float]]:
        """Active items by SQLite's BM25"""

class Record(NamedTuple):
    """An item as it is stored"""
    n: int | None
    item: dict | None
_ROW = 'id, polarity, domain, status, json, digest'

def _digest(*columns: str) -> str:
    ...

def _fields(id: str, *columns: str) -> dict:
    """The fields of an item, from its row; a ValueError if that is not what was written"""
_FTS_TABLES = {'active': 'items_fts', 'quarantined': 'held_fts'}

def _fts_row(item: dict) -> list[str]:
    ...

def _joined(new: dict, old: dict) -> dict:
    """A record that takes the place of an older one of the same id, and goes on with its life"""
_PROVED = {*REQUIRED, 'polarity', 'preconditions', 'exemplar', 'parameters', 'applicability'}

def _with_reason(body: dict, why: str) -> dict:
    ...

def _item(row: tuple) -> Item:
    ...
_FOUND_BY = {*REQUIRED, 'tags', 'triggers', 'question', 'polarity', 'domain', 'status', 'tier'}
_FTS_WEIGHTS = '0.0, 4.0, 2.0, 1.0, 3.0, 2.0'
