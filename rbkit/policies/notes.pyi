# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.items import Item
from rbkit.policies.memory import Memory
from rbkit.policies.rollouts import Rollout
from rbkit.policies.memory import SeenStep
'A note for each episode, with keywords, tags and links; its neighbours are revised when it comes'
__all__ = ['NEIGHBOURS', 'Notes', 'note_line']

class Notes(Memory):
    """A linked note for each episode (A-Mem)"""
    name = 'notes'
    STATE = ('notes',)
    needs_verdict = False
    k = 2
    published = dict(k=10, chars=12000)

    def begin(self) -> None:
        """No notes"""

    def recall(self, task: object) -> list[Item]:
        """The k nearest notes, then those that they link to"""

    def observe(self, rollouts: list[Rollout], step: SeenStep) -> None:
        """Write a note, link it, and revise its neighbours"""

    def _link(self, note, task):
        """Links of a new note, and what its neighbours are to say from now on"""

def _words(value):
    ...

def _findable(note):
    """A note with the text that it is found by"""

def _as_item(note):
    """What a note says, then the episode itself"""
NEIGHBOURS = 5

def note_line(note: dict) -> str:
    """A note as prompts show it"""

def _revised(note, revision):
    """A note as a revision has it; itself where there is none"""
