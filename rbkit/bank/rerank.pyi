# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from rbkit.bank.bank import Hit
from rbkit.bank.items import Item
from dataclasses import dataclass
from dataclasses import field
'What was found, put in the order in which it should be believed'
__all__ = ['Scoring', 'Scored', 'effectiveness', 'coverage']

@dataclass(frozen=True)
class Scoring:
    """How hits are put in order, and which are left out; called with hits, the question and the bank"""
    similarity: float = 1.0
    recency: float = 0.0
    effectiveness: float = 0.0
    diversity: float = 0.0
    tau: float = 50.0
    alpha: float = 1.0
    beta: float = 1.0
    shrink: float = 4.0
    least: float = 0.0

    def __post_init__(self):
        for name in ('tau', 'alpha', 'beta'):
            if not getattr(self, name) > 0:
                raise ValueError(f'{name}={getattr(self, name)!r}; it must be above 0.')
        for name, value in vars(self).items():
            if not value >= 0:
                raise ValueError(f'{name}={value!r}; it must be 0 or more, and 0 switches a term off.')

    def __call__(self, hits: list[Hit], question: str, bank: Bank) -> list[Scored]:
        """Score hits, and put them in order"""

    def _parts(self, hit: Hit, best: float, now: float) -> dict[str, float]:
        ...

@dataclass(frozen=True, repr=False)
class Scored(Hit):
    """A hit whose score is a sum of parts"""
    parts: dict[str, float] = field(default_factory=dict)

    def explain(self) -> str:
        """What each term adds to the score"""

    def __repr__(self):
        ...

def effectiveness(item: Item, alpha: float=1.0, beta: float=1.0, shrink: float=4.0) -> float:
    """How well it went for those who were shown an item"""

def _all_terms(item: Item) -> set[str]:
    ...

def coverage(bank: Bank, question: str, items: list[Item]) -> list[float]:
    """How much of a question items speak of, rare words counting more"""

def _ranked(left: list[Scored], diversity: float) -> list[Scored]:
    """The best, then the best of the rest"""
