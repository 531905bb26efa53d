# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.retrieval.adaptive import Adaptive
from typing import Any
from rbkit.bank.bank import Bank
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from rbkit.bank.quarantine import MOST_HELD
from collections import OrderedDict
from pathlib import Path
from rbkit.retrieval.guarded import Recalled
from rbkit.bank.quarantine import SHARE
from rbkit.tools.memory import check_gate
from rbkit.bank.quarantine import check_share
from contextlib import contextmanager
from rbkit.bank.index import default_retriever
import threading
'Six calls that bring no trust with them'
__all__ = ['MOST_NAME', 'MOST_VISITS', 'MOST_OPEN', 'MOST_K', 'MOST_QUERY', 'SNIPPET', 'MOST_READ', 'FIELDS', 'PROBATION_LOSSES', 'AgentMemory', 'advice_text']

class AgentMemory:
    """A bank, and the retrieval that learns from its use, behind six calls for agents that are not ours"""

    def __init__(self, bank: Bank | str | Path | None=None, most_held: int=MOST_HELD, share: float=SHARE, most_scopes: int=1000, open_scopes: int=8, tools: Collection[str]=(), gate: str='quarantine', trust_users: Collection[str] | str=(), trust_agents: Collection[str] | str=(), **layer: Any):
        check_share(share)
        _check_counts(most_held=most_held, most_scopes=most_scopes, open_scopes=open_scopes)
        self.gate = check_gate(gate)
        self.trust_users = _names(trust_users, 'scope')
        self.trust_agents = _names(trust_agents, 'agent')
        self.bank = bank if isinstance(bank, Bank) else Bank(bank, journal='wal')
        self.tools = frozenset(tools)
        self.most_held = most_held
        self.share = share
        self.most_scopes = most_scopes
        self.open_scopes = open_scopes
        self._lock = threading.RLock()
        path = f'{self.bank.path}.learned' if self.bank.path else ':memory:'
        self.layer = Adaptive(default_retriever(), path, **layer)
        self.layer.db.execute('pragma synchronous=full')
        self.layer.db.execute('create table if not exists bank_seen (head integer, hash text)')
        self.layer.db.execute(_VISITS)
        self._scopes = OrderedDict()
        self._placed = self._scopes_with_items()
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

    def _scopes_with_items(self):
        """Scopes that hold an item which is not archived"""

    def _known_head(self):
        """The bank's event up to which the layer's file has its items; None where it is another bank's, or new"""

    def _in_step(self):
        """Take over what changed in the bank"""

    def _has_place(self, scope):
        """Does a scope hold items, or has it given feedback? The shared one does"""

    def _check_place(self, scope):
        """A ValueError where a new scope finds no place"""

    def _all_places(self):
        ...

    def _layer_of(self, scope):
        """The layer of a scope, in step with the bank; the shared one for an empty name"""

    def _close_some(self):
        """Close the scopes that were used longest ago, if too many are open"""

    def _open(self, scope):
        """A scope's layer, with the items that are its own"""

    def search(self, query: str, k: int=5, min_score: float=0.0, scope: str='', polarity: str | None=None, domain: str | None=None, tier: int=1, session: str='') -> dict:
        """Items that may be shown for a question; nothing in quarantine is"""

    def _visit(self, scope, query, k, filters, min_score, session):
        """A list for a scope without a place, noted outside of every layer"""

    def _readable(self, id, scope):
        """An item that this scope may read, or a ValueError"""

    def get(self, ids: Iterable[str] | str, scope: str='', offset: int=0, limit: int=MOST_READ) -> list[dict]:
        """Items by their ids"""

    def quote(self, id: str, offset: int=0, max_chars: int=500, scope: str='') -> dict:
        """A part of what one item says"""

    def add(self, lesson: dict, agent: str='unknown', scope: str='') -> dict:
        """Take in a lesson through the gate; a ValueError says what is wrong with it"""

    def _gate_for(self, agent, scope):
        """The gate for what an agent adds to a scope"""

    def _waits(self, item):
        """Why no search finds an item, and what changes that; empty if searches do"""

    def feedback(self, search: str, used: Iterable[str] | str, success: bool | None=None, scope: str | None=None, session: str='') -> dict:
        """Feedback on a search; given again, it changes nothing that was learned"""

    def _known_search(self, search, scope):
        """Scope and request of a search that was made; a ValueError for any other name"""

    def _has_search(self, scope, request):
        """Was this search made by this scope?"""

    def _waiting_search(self, scope, session):
        """The only search of a session that waits for feedback; a ValueError if there is none, or more than one"""

    def _check_shown(self, search, used):
        """Refuse an item that this search did not show"""

    def _take_over_visit(self, layer, request):
        """Enter a visit into the layer of its scope, which has a place from now on"""

    def _withdraw(self, used):
        """Put items on probation into quarantine that failed too often by what agents report; their ids"""

    def health(self, examine: bool=False) -> dict[str, Any]:
        """What the memory is made of, and how it is used"""

    def close(self) -> None:
        """Close the files"""

def _check_counts(**given):
    """Refuse what is no number of items or scopes"""

def _names(given, what):
    """Names that the owner gave, checked"""

def _row(item):
    """An item as a layer takes it"""

def _settle(layer, name, items, changed):
    """Put into a layer which of these items belong there; of those that changed, or of all, take out what does not"""
MOST_NAME = 100
MOST_VISITS = 10000
_VISITS = 'create table if not exists visits (n integer primary key, scope text, session text, query text, shown text)'

def _named(name, what):
    """A name that can be written down"""
MOST_OPEN = 500000
MOST_K = 50
MOST_QUERY = 4000
SNIPPET = 200

def _checked_search(query, k, min_score, polarity, tier):
    """Refuse what cannot be asked"""

@contextmanager
def _least_score(layer, query, min_score) -> Iterator[None]:
    """Let a layer leave out what is below a score"""

def _recalled(layer, query, k, filters, min_score, session):
    """A list, noted, of what reaches a score"""

def _scores(layer, query, found: Recalled):
    """What each item of a list comes to; those of a list from the cache are looked up"""

def _excerpt(text, query):
    """The part of a text that says most of what a query asks, and where it begins"""

def _hit(item, score, tools, query):
    """An item in a list"""
MOST_READ = 8000

def _checked_page(name, offset, size):
    """The size of a page, or a ValueError"""

def _is_whole(x):
    ...
_TEXTS = ('title', 'description', 'content', 'pitfalls', 'preconditions', 'domain')

def _whole(x, tools):
    """An item as it is read"""

def advice_text(items: Iterable[dict[str, Any]], secret: str='') -> str:
    """Items as a text for a prompt, marked as data"""
FIELDS = ('title', 'description', 'content', 'polarity', 'domain', 'tags', 'preconditions', 'pitfalls', 'time')

def _long(item):
    """What a search shows of a long item; empty for a short one"""
PROBATION_LOSSES = 2

def _counts(bank):
    """What can be said of a bank without looking at its items"""
