# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections.abc import Iterable
from rbkit.policies.loop import Policies
from rbkit.models.prices import Tokens
'Two bills, never added up unseen: what an attempt took, and what was paid to learn from it'
__all__ = ['SPENT', 'APART', 'added', 'learning_cost', 'whole_cost', 'LearningMeter']
SPENT = ('calls', 'tokens', 'usd', 'secs')
APART = Tokens._fields

def added(amounts: Iterable[float | None]) -> float | None:
    """A sum of amounts; None as soon as one of them is not known"""

def learning_cost(row: dict, name: str) -> float | None:
    """What was paid to learn from the attempt of a row, whichever version made the row"""

def whole_cost(row: dict, name: str) -> float | None:
    """What a row's attempt took, acting and learning together"""

class LearningMeter:
    """What learning has taken so far: the model that judges and extracts, trials of lessons, time by the clock"""

    def __init__(self, lm: object):
        self.lm = lm
        self.trials = []
        self.taped = []
        self.secs = 0.0
        self.before = self.total()

    def total(self) -> dict[str, float | None]:
        """All that it has counted"""

    def taken(self) -> dict[str, float | None]:
        """What has been added since it was last asked"""

    def tried(self, tries: list[object]) -> None:
        """Enter an attempt that tried a lesson"""

    def timed(self, learn: Callable) -> Callable:
        """The same, and the time that it takes is counted"""

    def around(self, policies: Policies) -> Policies:
        """The policies of a loop, and the time that they take to learn is counted"""

def _new_usd(calls, now, then):
    """Dollars that were added; None where calls were made and their price is not known"""

def _timed_memory(meter, make):
    """A memory whose recall and learning are timed"""
