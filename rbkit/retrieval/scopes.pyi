# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.retrieval.adaptive import Adaptive
from typing import Any
from collections.abc import Iterable
from rbkit.retrieval.guarded import Recalled
from rbkit.retrieval.interface import Retriever
from rbkit.retrieval.anchors import within
'Each user or agent has a layer of its own, with own facts and feedback first, above one that all share'
__all__ = ['scope_names', 'Scope']

def _scope_path(shared, name):
    """The file of a scope; in memory where the shared layer is"""

def _checked(name, shared):
    """A name of a scope, as it can be written down, over a layer that can lie below one"""

def scope_names(shared: Adaptive) -> list[str]:
    """The scopes that were ever opened over a layer"""

def _copy_of(shared):
    """The shared layer's index, to go on by itself"""

def _settings_of(shared, likeness):
    """What a scope takes over"""

class Scope(Adaptive):
    """The layer of one user or agent: own facts and feedback first, those of the shared layer below, nobody else's"""

    def __init__(self, name: str, shared: Adaptive, own_first: float=0.05, ranker: Retriever | None=None, **settings: Any):
        self.name = _checked(name, shared)
        within(dict(own_first=own_first), 0)
        self.shared = shared
        self.own_first = own_first
        self.own = set()
        self._below = 0
        with shared._lock:
            shared._catch_up()
            likeness = None
            if ranker is None:
                ranker, likeness = _copy_of(shared)
                self._below = shared.cache.version
            settings = _settings_of(shared, likeness) | settings
            if settings['likeness'] is None:
                del settings['likeness']
            shared.db.execute('insert or ignore into scopes values (?)', (self.name,))
        super().__init__(ranker, _scope_path(shared, self.name), **settings)
        self._follow_heirs()

    def __repr__(self):
        ...

    def _from_below(self, key):
        """The shared fact, unless it is hidden here"""

    def _settle(self, keys):
        """Put under these keys what this scope sees"""

    def _look_below(self):
        """Take over what changed in the shared layer"""

    def _catch_up(self):
        """Both files"""

    def _take_over(self, rows, first):
        ...

    def _beside(self):
        """Nowhere: the ranker holds facts of two files"""

    def _follow_heirs(self):
        """No anchor stays on a fact that is not seen any more"""

    def add(self, key: str, text: str, window: str='', supersedes: str='', **tags: str | float | None) -> None:
        """An own fact, new or changed; seen here alone"""

    def add_many(self, rows: Iterable[tuple]) -> None:
        """Own facts, as for `GuardedRanking.add_many`"""

    def _give_up(self, key, heir=''):
        """An own fact goes, or a shared one is hidden"""

    def ranked(self, query: str, k: int=5, filters: dict[str, Any] | None=None, learned: bool=True, pool: int=50) -> Recalled:
        """The list for a question, own facts first; nothing is written down"""

    def _anchor_scores(self, query):
        """What own anchors say, and below them the shared ones"""

    def _factors(self, query):
        """What its own requests say of a fact, else what those of the shared layer do"""

    def unseen(self, key: str) -> bool:
        """Was nothing learned on this fact, here or below?"""

    @property
    def _depends(self):
        """A proven list holds for one state of what lies below"""

def _present_heir(layer, key, there):
    """The fact that took the place of one that is gone; empty text for none"""

def _own_before(keys, own, worth, least):
    """The same keys; an own one goes before the shared ones that are not nearer by more than `least`"""
