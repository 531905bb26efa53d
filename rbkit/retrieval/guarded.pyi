# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from rbkit.retrieval.bm25 import BM25
from collections.abc import Callable
from rbkit.retrieval.anchors import FactAnchors
from collections.abc import Iterable
from collections.abc import Iterator
from pathlib import Path
from rbkit.retrieval.cache import QueryCache
from rbkit.retrieval.expansion import QueryExpander
from rbkit.retrieval.anchors import RetrievalFeedback
from rbkit.retrieval.interface import Retriever
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import field
from rbkit.retrieval.anchors import likeness_of
from rbkit.retrieval.anchors import open_db
import threading
from rbkit.retrieval.anchors import within
'Past questions move facts that were used, and facts that nobody has used yet keep their places'
__all__ = ['protect_unseen', 'keep_plain', 'Recalled', 'GuardedRanking', 'text_of', 'total_score', 'checked_question']

def protect_unseen(control: list[str], learned: list[str], unseen: Callable[[str], bool], strong: Callable[[str], bool], k: int, most: int=2) -> list[str]:
    """The learned order, around the facts of the plain order on which nothing could be learned"""

def keep_plain(plain: list[str], learned: list[str], lost: float) -> list[str]:
    """The learned list with the facts of the plain one, save the last few, in it"""

@dataclass
class Recalled:
    """What was shown for one request"""
    context_id: str
    keys: list[str]
    via: list[str]
    scores: dict[str, dict[str, float]]
    cached: bool = False
    propensity: list[float] = field(default_factory=list)
    arm: str = ''

    def explain(self, key: str) -> str:
        """Which channel gave what. Raises ValueError for a key that is not in the list"""

    def __repr__(self):
        ...

class GuardedRanking:
    """A ranker whose order is moved by anchors and feedback, within bounds; over any facts"""
    _written = None

    def __init__(self, ranker: Retriever | None=None, path: str | Path=':memory:', weight: float | None=None, strong: float=0.9, guard: bool=True, expander: QueryExpander | None=None, lost: float | None=None, min_score: float=0.0, **anchors: Any):
        self.ranker = ranker if ranker is not None else BM25()
        likeness = anchors.setdefault('likeness', likeness_of(self.ranker))
        self.weight = likeness.weight if weight is None else weight
        self.lost = likeness.lost if lost is None else lost
        within(dict(weight=self.weight, strong=strong, lost=self.lost, min_score=min_score), 0)
        self.path = path
        self.db = open_db(path)
        self.strong = strong
        self.guard = guard
        self.min_score = min_score
        self.anchors = FactAnchors(self.db, **anchors)
        self.feedback = RetrievalFeedback(self.db)
        self.cache = QueryCache(self.db)
        self.expander = expander or QueryExpander()
        if self.expander.anchors is None:
            self.expander.anchors = self.anchors
        self._lock = threading.RLock()
        self._open()

    def __len__(self):
        ...

    def __repr__(self):
        ...

    def _catch_up(self):
        """Take over what the file has and this layer has not: facts, and anchors"""

    def _take_over(self, rows, first):
        """Facts as the file has them; those that a ranker brought along stay as they are when the file is opened"""

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        ...

    def _beside(self):
        """Where the ranker is kept; None for a layer in memory, and for a ranker that came with facts"""

    def _open(self):
        """Bring the ranker up to the file"""

    def save(self) -> bool:
        """Keep a large ranker beside the file, if facts have changed since it was last kept"""

    def stored(self, key: str) -> tuple | None:
        """A fact as the file has it, for `add_many`; None if it is not there"""

    def add(self, key: str, text: str, window: str='', supersedes: str='', **tags: str | float | None) -> None:
        """A fact, new or changed. Raises ValueError for a key that is no text or that supersedes itself"""

    def add_many(self, rows: Iterable[tuple]) -> None:
        """Facts, new or changed; all are checked before the first is added"""

    def remove(self, key: str) -> None:
        """Give a fact up, with its anchors"""

    def _give_up(self, key, heir=''):
        """A fact goes; its anchors go to its heir, or with it"""

    def _note_facts(self, said):
        """Changes of ours; those that another process made meanwhile stay to be read"""

    def unseen(self, key: str) -> bool:
        """Was nothing learned on this fact yet?"""

    def propose(self, fact: str, questions: list[str], k: int=10) -> list[str]:
        """Anchors by a model, filtered by a round trip. Raises ValueError for a fact that is not here"""

    def _share(self, query, score):
        """A score as a share of a match of the whole question; 0 where a ranker knows no such match"""

    def _least(self, query):
        """`min_score` as a share"""

    def _anchor_scores(self, query):
        ...

    def _factors(self, query):
        ...

    def _plain(self, phrasings, filters, pool):
        """Keys in the plain order, and their scores from 0 to about 1; of several phrasings the best"""

    def _anchored(self, query, filters):
        """What anchors say of facts that are there and that the filters allow"""

    def ranked(self, query: str, k: int=5, filters: dict[str, Any] | None=None, learned: bool=True, pool: int=50) -> Recalled:
        """The list for a question; nothing is written down"""

    def _static(self, query, k, filters, pool):
        """The plain list"""

    def _learned(self, query, k, filters, pool):
        """The list that anchors and feedback move"""

    def _ordered(self, scores, control, pool):
        """Keys by their score, then by their place in the list that does not learn"""

    def _way(self, key, anchored, control):
        """What put an item into the list"""

def _stored(text):
    """A text as the file holds it, with the weights of its parts where it has such"""

def text_of(stored: str) -> str:
    """A text as it was added"""
_REWEIGHTED = 'delete from kept where exists (select 1 from texts join facts using (key)\n    where key = ? and text != ? and facts.version <= kept.version)'
_NEAR = 0.5

def total_score(scores: dict[str, float], weight: float) -> float:
    """What a fact's own score and its anchors come to"""

def checked_question(query: str, k: int, filters: dict[str, Any] | None, *names: str) -> str:
    """Raise ValueError for arguments that cannot be asked"""
