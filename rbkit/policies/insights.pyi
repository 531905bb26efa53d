# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.items import Item
from rbkit.policies.memory import Memory
from rbkit.policies.rollouts import Rollout
from rbkit.policies.memory import SeenStep
'Rules that are added, agreed with and disagreed with, over pairs of a success and a failure'
__all__ = ['FIRST_COUNT', 'MOST_OPERATIONS', 'MOST_RULES', 'CROWDED', 'GROUP_OF', 'voted_rules', 'Insights']
FIRST_COUNT = 2
MOST_OPERATIONS = 4
MOST_RULES = 20
CROWDED = 25

def voted_rules(rules: list[dict], operations: list[dict], made: int) -> list[dict]:
    """The rules after a vote"""

def _listed(rules):
    """Rules with their numbers"""
GROUP_OF = 3

class Insights(Memory):
    """Rules under vote, and successes (ExpeL)"""
    name = 'insights'
    STATE = ('rules', 'made', 'episodes', 'fresh')
    k = 2
    published = dict(k=2, chars=12000)

    def begin(self) -> None:
        """No rules"""

    def recall(self, task: object) -> list[Item]:
        """The rules, then the nearest successes"""

    def observe(self, rollouts: list[Rollout], step: SeenStep) -> None:
        """Compare what can be compared, and vote"""

    def _waiting(self, new):
        """Ids of successes that nothing was compared with, a new one among them"""

    def _beside(self, new, task):
        """The episodes that are compared with a new one, itself among them; none where there is nothing to compare yet"""

    def _note_compared(self, new, compared):
        """Keep in mind which successes still wait"""

    def _vote(self, episodes):
        """Ask for operations, and carry out those that can be read"""

def _count(rule):
    ...

def _of_both_endings(rollouts):
    """The attempts at a task as episodes, where some succeeded and some failed; none otherwise"""

def _is_operation(op):
    """Can it be read?"""
