# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.items import Item
from rbkit.policies.memory import Memory
from rbkit.policies.rollouts import Rollout
from rbkit.policies.memory import SeenStep
'Bullets with counts of what helped and harmed; a reflector tags, a curator adds, nothing is rewritten whole'
__all__ = ['SECTIONS', 'ALIKE', 'merged_bullets', 'bullet_line', 'Playbook']
SECTIONS = ('strategies', 'mistakes')
ALIKE = 0.9

def merged_bullets(bullets: list[dict], new: dict) -> list[dict]:
    """Bullets with a new one; one that says nearly the same takes its counts"""

def bullet_line(bullet: dict) -> str:
    """A bullet as prompts show it"""

class Playbook(Memory):
    """Bullets with counters, by section; only added to and merged (ACE)"""
    name = 'playbook'
    STATE = ('bullets', 'met')
    counted = True
    published = dict(chars=320000)

    def begin(self) -> None:
        """No bullets"""

    def worth_showing(self, chars: int) -> list[dict]:
        """The bullets with the best record that so many characters hold"""

    def recall(self, task: object) -> list[Item]:
        """The playbook, an item for each section"""

    def observe(self, rollouts: list[Rollout], step: SeenStep) -> None:
        """Tag what was shown, then add what is new"""

    def _count(self, tags, shown):
        """Enter what the reflector says of bullets that were shown"""

    def _add(self, made, task):
        """A bullet of the curator; a section that there is not is that of strategies"""
_FRAMES = 350
_POLARITY = dict(strategies='success', mistakes='failure')

def _section_items(name, lines):
    """A section as items"""

def _record(bullet):
    ...
