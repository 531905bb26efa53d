# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.retrieval.adaptive import Adaptive
from typing import Any
from rbkit.retrieval.bm25 import BM25
from rbkit.bank.bank import Bank
from collections.abc import Collection
from rbkit.bank.items import Item
from collections.abc import Iterable
from rbkit.bank.quarantine import MOST_HELD
from collections import OrderedDict
from pathlib import Path
from rbkit.retrieval.guarded import Recalled
from rbkit.bank.quarantine import SHARE
from rbkit.bank.quarantine import check_share
import threading
'Six calls that bring no trust with them'
__all__ = ['MOST_NAME', 'MOST_K', 'MOST_QUERY', 'SNIPPET', 'MOST_READ', 'FIELDS', 'AgentMemory', 'scope_of', 'advice_text']

class AgentMemory:
    """A bank, and the retrieval that learns from its use, behind six calls for agents that are not ours"""

    def __init__(self, bank: Bank | str | Path | None=None, most_held: int=MOST_HELD, share: float=SHARE, most_scopes: int=1000, open_scopes: int=8, tools: Collection[str]=(), **layer: Any):
        self.bank = bank if isinstance(bank, Bank) else Bank(bank, journal='wal')
        check_share(share)
        self.tools = frozenset(tools)
        self.most_held = most_held
        self.share = share
        self.most_scopes = most_scopes
        self.open_scopes = open_scopes
        self._lock = threading.RLock()
        path = f'{self.bank.path}.learned' if self.bank.path else ':memory:'
        self.layer = Adaptive(BM25(once=True), path, **layer)
        self.layer.db.execute('pragma synchronous=full')
        self.layer.db.execute('create table if not exists bank_seen (head integer, hash text)')
        self._scopes = OrderedDict()
        self._head = self._known_head()
        with self._lock:
            self._in_step()
            self.layer.save()

    def __repr__(self):
        ...

    def __enter__(self):
        ...

    def __exit__(self, *error):
        ...

    def _known_head(self):
        """The bank's event up to which the layer's file has its items; None where it is another bank's, or new"""

    def _in_step(self):
        """Take over what changed in the bank"""

    def _layer_of(self, scope):
        """The layer of a scope, in step with the bank; the shared one for an empty name"""

    def _open(self, scope):
        """A scope's layer, with the items that are its own"""

    def search(self, query: str, k: int=5, min_score: float=0.0, scope: str='', polarity: str | None=None, domain: str | None=None, tier: int=1, session: str='') -> dict:
        """Items that may be shown for a question; nothing in quarantine is"""

    def _readable(self, id, scope):
        """An item that this scope may read, or a ValueError"""

    def get(self, ids: Iterable[str] | str, scope: str='') -> list[dict]:
        """Items by their ids"""

    def quote(self, id: str, offset: int=0, max_chars: int=500, scope: str='') -> dict:
        """A part of what one item says"""

    def add(self, lesson: dict, agent: str='unknown', scope: str='') -> dict:
        """Take in a lesson, into quarantine; a ValueError says what is wrong with it"""

    def feedback(self, search: str, used: Iterable[str] | str, success: bool | None=None, scope: str | None=None) -> dict:
        """Feedback on a search; given again, it changes nothing that was learned"""

    def _check_used(self, scope, used):
        """Refuse an id that no item has which this scope may see"""

    def health(self, examine: bool=False) -> dict[str, Any]:
        """What the memory is made of, and how it is used"""

    def close(self) -> None:
        """Close the files"""

def scope_of(item: Item) -> str:
    """The scope that an item belongs to"""

def _row(item):
    """An item as a layer takes it"""

def _settle(layer, name, items, changed):
    """Put into a layer which of these items belong there; of those that changed, or of all, take out what does not"""
MOST_NAME = 100

def _named(name, what):
    """A name that can be written down"""
MOST_K = 50
MOST_QUERY = 4000
SNIPPET = 200

def _checked_search(query, k, min_score, polarity, tier):
    """Refuse what cannot be asked"""

def _recalled(layer, query, k, filters, min_score, session):
    """A list, noted, of what reaches a score"""

def _scores(layer, query, found: Recalled):
    """What each item of a list comes to; those of a list from the cache are looked up"""

def _hit(item, score, tools):
    """An item in a list"""
MOST_READ = 8000
_TEXTS = ('title', 'description', 'content', 'pitfalls', 'preconditions', 'domain')

def _whole(x, tools):
    """An item as it is read"""

def advice_text(items: Iterable[dict[str, Any]], secret: str='') -> str:
    """Items as a text for a prompt, marked as data"""
FIELDS = ('title', 'description', 'content', 'polarity', 'domain', 'tags', 'preconditions', 'pitfalls')

def _own_id(item, scope):
    """An id that the same text has in one scope only"""

def _counts(bank):
    """What can be said of a bank without looking at its items"""
