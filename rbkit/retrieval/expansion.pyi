# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.retrieval.anchors import FactAnchors
from functools import lru_cache
'Ask in several wordings at once: by rule, from history, or by a model'
__all__ = ['SYNONYMS', 'synonym_rules', 'QueryExpander', 'content_words']
SYNONYMS = (('most', 'highest', 'maximum'), ('fewest', 'least', 'minimum'), ('average', 'mean'), ('number', 'count', 'many'), ('without', 'no', 'missing'), ('year', 'date'), ('before', 'earlier'), ('after', 'later'), ('name', 'label'), ('like', 'prefer', 'favourite', 'preference'))

def synonym_rules() -> dict[str, tuple[str, ...]]:
    """What `QueryExpander` adds by rule if it is given no rules of its own"""

def _as_tuple(said):
    """One text, several or none, as a tuple"""

class QueryExpander:
    """Other ways to ask, by rule, from history, or by a model; used only when asked for"""

    def __init__(self, how: str='', rules: dict[str, str | list[str]] | None=None, anchors: FactAnchors | None=None, model: Callable[[str], str | list[str]] | None=None, most: int=3):
        if how not in ('', 'rule', 'history', 'model'):
            raise ValueError(f'how={how!r} is unknown; use rule, history, model or an empty text.')
        if how == 'model' and model is None:
            raise ValueError("how='model' needs a function; give model=.")
        if how == 'rule' and rules is None:
            rules = synonym_rules()
        self.how = how
        self.anchors = anchors
        self.most = most
        self.rules = {word: _as_tuple(said) for word, said in (rules or {}).items()}
        self.name = getattr(model, '__qualname__', type(model).__name__)
        self.model = lru_cache(256)(lambda query: _as_tuple(model(query)))

    @property
    def setup(self) -> str:
        """What its wordings depend on"""

    def __call__(self, query: str) -> list[str]:
        """The question, and other ways to ask it"""

    def _by_rule(self, query):
        ...

    def _from_history(self, query):
        """Anchors that share at least three words in ten with the question"""

    def _by_model(self, query):
        ...

def content_words(text: str) -> list[str]:
    """The words of a text as they stand, without case, punctuation and common words"""
