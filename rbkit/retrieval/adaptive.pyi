# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from rbkit.bank.bank import Bank
from rbkit.retrieval.guarded import GuardedRanking
from rbkit.bank.items import Item
from collections.abc import Iterable
from collections.abc import Iterator
from pathlib import Path
from rbkit.retrieval.guarded import Recalled
from rbkit.retrieval.interface import Retriever
from dataclasses import dataclass
from rbkit.retrieval.anchors import within
'Each list is written down, what was used of it is reported, and the next list is better for it'
__all__ = ['Adaptive', 'Request', 'item_text', 'over_bank']

class Adaptive(GuardedRanking):
    """A ranker that learns from what was used of its lists, over any facts"""

    def __init__(self, ranker: Retriever | None=None, path: str | Path=':memory:', explore: float=0.0, fresh: int=3, seed: int=0, control: float=0.0, cache: bool=True, **ranking: Any):
        within(dict(explore=explore, control=control), 0, 1)
        within(dict(fresh=fresh), 0)
        self.explore = explore
        self.fresh = fresh
        self.seed = seed
        self.control = control
        self.caching = cache
        super().__init__(ranker, path, **ranking)

    def recall_with_feedback(self, query: str, context_id: str='', k: int=5, filters: dict[str, Any] | None=None, session: str='', learned: bool=True, arm: str='') -> Recalled:
        """The list for a question, noted so that feedback can follow. Raises ValueError for an id that was given before"""

    def _look_below(self):
        """Take over what changed in a layer below, where there is one: see scopes"""

    def _last_request(self):
        """The number of the latest request; 0 for none"""

    def _arm_name(self, learns, coin):
        ...

    def _fresh_id(self, wanted, at):
        """An id that no request has yet"""

    def _answer(self, query, k, filters, learned, rng, at):
        ...

    def _note(self, out, at, session, query, k, filters, learned):
        """One request into the log"""

    @property
    def _depends(self):
        """What a list depends on beside the facts, the question, and what was learned from use"""

    def _cached(self, query, k, filters):
        """The list that the cache holds for a question; None if a fact of it is gone, or if one came that belongs in it"""

    def _belongs(self, changed, query, k, filters):
        """Does one of these facts belong in the list for a question? It is searched for only if one scores at all"""

    def _serve(self, query, k, filters, held, rng, at):
        """A list from the cache; now and then it is searched for as well, and compared"""

    def _times_shown(self, fact):
        ...

    def _explore_last(self, out, query, k, filters, rng):
        """The last place for a fact that was hardly ever shown, among those that the plain ranking puts next"""

    def record_usage_feedback(self, context_id: str, used_ids: str | Iterable[str] | None) -> bool:
        """What was used of what was shown. Raises ValueError for a request that was never made or a fact that is not here"""

    def _request(self, context_id):
        ...

    def _present(self, fact, version):
        """The fact that stands for one that was used at a version: itself, the one that took its place, or none"""

    def _learn(self, request: Request, used: list[str]):
        """Everything that follows from one request and its feedback"""

    def _prove(self, request, used):
        """What a request says of its list in the cache; an explored, a plain or a refuted list says nothing"""

    def reset(self, session: str) -> int:
        """Take back everything that was learned from a session, by learning the rest again"""

    def _with_feedback(self, order: str) -> Iterator[tuple[Request, list[str]]]:
        """Requests that have feedback, and what was used"""

    def get_retrieval_stats(self) -> dict[str, Any]:
        """Requests, cache, use, anchors; shares are of requests with feedback where it takes feedback to know"""

    def requests(self) -> list[dict[str, Any]]:
        """Requests with feedback: was something of the list used, and was it the first?"""

def _as_keys(used_ids):
    """Keys of facts as a list without repetitions"""

@dataclass
class Request:
    """One request of the log"""
    at: int
    session: str
    query: str
    ranker: str
    version: int
    keys: list[str]
    via: list[str]
    k: int
    filters: dict[str, Any]
    learned: bool
_LOGGED = 'at, session, query, ranker, version, shown'

def _as_request(at, session, query, ranker, version, shown):
    """A row of the log"""

def _upper(wrong, n):
    """Upper end of Wilson's 95 % interval of a share (1927); 1 if nothing was looked at"""

def _mean(values):
    """None where there are none"""

def _hit(request, used):
    """Was something of a list used?"""

def _precision(request, used):
    """Share of a list that was used"""

def item_text(item: 'Item') -> str:
    """What an item of a bank is found by"""

def over_bank(bank: 'Bank', **settings: Any) -> Adaptive:
    """An adaptive layer over the items of a bank; items of its file that the bank no longer has are removed"""
