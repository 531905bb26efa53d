# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from rbkit.retrieval.dense import Dense
from rbkit.retrieval.embedders import Embedder
from pathlib import Path
from rbkit.retrieval.interface import Retriever
import math
import re
import sqlite3
'A past question becomes a key to the entry that answered it, once two independent uses say so'
__all__ = ['LEARNED', 'normalized_question', 'word_overlap', 'open_db', 'within', 'WordLikeness', 'VectorLikeness', 'likeness_of', 'FactAnchors', 'RetrievalFeedback']
_OPENING = re.compile('^[\\"\'“”‘’«»(\\[{¿¡]+')
_CLOSING = re.compile('(?:[.,;:?)\\]}]|(?<!\\d)[!\\"\'“”‘’«»])+$')

def _usual_form(sign):
    """NFKC; but what is raised, lowered or a fraction stays, since there it means something else"""

def normalized_question(text: str) -> str:
    """A question without case, end punctuation and spare spaces; all that can change its meaning stays"""

def word_overlap(a: str, b: str) -> float:
    """Share of their stemmed words that two texts have in common, from 0 to 1"""
_TABLES = '\ncreate table if not exists events(id text primary key, at integer, session text, arm text, query text,\n    ranker text, version integer, shown text);\ncreate table if not exists usage(n integer primary key, event text unique, used text);\ncreate table if not exists facts(key text primary key, hash text, version integer);\ncreate index if not exists facts_version on facts(version);\ncreate index if not exists events_at on events(at);\ncreate table if not exists texts(key text primary key, text text, window text, tags text);\ncreate table if not exists heirs(fact text primary key, heir text);\ncreate table if not exists checks(query text, wrong integer);\ncreate table if not exists gone(fact text primary key, version integer);\ncreate table if not exists shows(fact text primary key, n integer);\ncreate table if not exists wrong(key text primary key, at integer);\ncreate table if not exists fact_anchors(n integer primary key, fact text, text text, source text,\n    sessions text, misses text, status text);\ncreate table if not exists query_fact_weights(query text, fact text, weight real, at integer,\n    primary key(query, fact));\ncreate table if not exists query_cache(key text primary key, facts text, version integer, shown integer, used integer);\ncreate table if not exists counts(fact text primary key, shown integer, used integer);\ncreate table if not exists scopes(name text primary key);\ncreate table if not exists hidden(key text primary key);\n'
LEARNED = ('fact_anchors', 'query_fact_weights', 'query_cache', 'counts')
_UPGRADE = "\nbegin;\nupdate fact_anchors set status = 'gone' where status = 'retired' and source != 'feedback' and misses = '[]';\ninsert or ignore into gone select key, version from facts where hash is null;\ninsert or ignore into shows select fact, shown from counts;\npragma user_version = 1;\ncommit;\n"

def open_db(path: str | Path=':memory:') -> sqlite3.Connection:
    """The tables of the layer"""

def within(given: dict[str, Any], least: float, most: float=math.inf) -> None:
    """Raise ValueError for settings that are out of bounds"""

class WordLikeness:
    """Questions are alike by the words that they share"""
    alike = 0.1
    weight = 0.5
    lost = math.inf

    def new_index(self) -> Retriever:
        """An index that anchors are looked up in"""

    @property
    def outdated(self) -> bool:
        """Must the index be built again before it can answer?"""

    def between(self, a: str, b: str) -> float:
        """How much alike two questions are"""

    def shares(self, index: Retriever, query: str, pool: int) -> list[tuple[str, float]]:
        """The anchors that are like a question, the nearest first"""

class VectorLikeness:
    """Questions are alike as their vectors are"""
    alike = 0.3
    weight = 1.0
    lost = 1

    def __init__(self, embedder: Embedder, floor: float=0.2):
        within(dict(floor=floor), 0, 0.99)
        self.embedder = embedder
        self.by_chance = getattr(embedder, 'by_chance', 0.0)
        self.floor = floor
        self.vectors = Dense(embedder, cache=4096)

    def new_index(self) -> Retriever:
        ...

    @property
    def outdated(self) -> bool:
        ...

    def _above(self, cosine):
        ...

    def between(self, a: str, b: str) -> float:
        ...

    def shares(self, index: Retriever, query: str, pool: int) -> list[tuple[str, float]]:
        ...

def likeness_of(ranker: Retriever) -> WordLikeness | VectorLikeness:
    """By vectors over a ranking that is dense or has a dense channel, by words over any other"""

class FactAnchors:
    """Past questions as keys to the facts that were used for them"""

    def __init__(self, db: sqlite3.Connection | None=None, admit: int=2, alike: float | None=None, most: int=20, likeness: WordLikeness | VectorLikeness | None=None):
        self.likeness = likeness or WordLikeness()
        if alike is None:
            alike = self.likeness.alike
        within(dict(admit=admit, most=most), 1)
        within(dict(alike=alike), 0, 1)
        self.db = db or open_db()
        self.admit = admit
        self.alike = alike
        self.most = most
        self.fill()

    def __len__(self):
        ...

    def of(self, fact: str, *status: str) -> list[dict[str, Any]]:
        """The anchors of a fact, oldest first"""

    def fill(self) -> None:
        """The index of active anchors, built from the table"""

    def refresh(self) -> None:
        """Build the index again if another connection changed which anchors are active"""

    def _activate(self, n, fact, text):
        ...

    def _deactivate(self, n, fact):
        ...

    def learn(self, fact: str, query: str, session: str) -> None:
        """One use of a fact for a question: support for similar anchors, and a new anchor"""

    def _support(self, fact, anchor, session):
        """One more session that used an anchor's fact for a similar question; it takes back one miss"""

    def add(self, fact: str, text: str, source: str='manual') -> bool:
        """An anchor that did not come from use; it is active at once. Raises ValueError for another source"""

    def _make_room(self, fact, there, source, status):
        """Retire the anchor that is worth least, if the new one may take its place"""

    def _enter(self, fact, text, source, sessions, status):
        """A new anchor; False if it is not taken"""

    def _retire(self, fact, anchor, status='retired'):
        ...

    def miss(self, fact: str, query: str, session: str) -> None:
        """A fact was shown above what was used, and was not wanted: a mark for its anchors that are like the question"""

    def give_up(self, fact: str, heir: str='') -> None:
        """The anchors of a fact that is removed: they move to its heir as far as there is room, and are gone without one"""

    def _move(self, anchor, fact, heir):
        ...

    def scores(self, query: str, pool: int=200) -> dict[str, float]:
        """For each fact that has an anchor like this question, how much it is like it"""

def _nearly_same(a, b):
    ...

def _worth(anchor):
    """What sorts anchors: by hand, active, often supported, young"""

class RetrievalFeedback:
    """Per question and fact, what using it and passing it by say; a factor between 0.85 and 1.15"""

    def __init__(self, db: sqlite3.Connection | None=None, bound: float=0.15, half_life: int=2000, clip: float=5.0):
        within(dict(bound=bound), 0, 1)
        within(dict(half_life=half_life, clip=clip), 1)
        self.db = db or open_db()
        self.bound = bound
        self.half_life = half_life
        self.clip = clip

    def learn(self, query: str, shown: list[str], used: list[str], at: int) -> None:
        """One list that was shown, and what was used of it"""

    def _faded(self, weight, requests):
        ...

    def _change(self, query, fact, by, at):
        """Add to a weight, both brought to the later of their two times"""

    def weights(self, query: str, at: int) -> dict[str, float]:
        """What was learned about a question"""

    def factors(self, query: str, at: int) -> dict[str, float]:
        """What its scores are multiplied by"""
