# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Callable
from collections.abc import Iterable
from rbkit.models.replay import Line
from rbkit.models.connect import ModelEngine
from pathlib import Path
from rbkit.models.connect import Spend
from rbkit.models.replay import Tape
import threading
from uuid import uuid4
'An answer is on disk before it is used, and is never bought again'
__all__ = ['PAID', 'Slot', 'slot_key', 'Journal', 'PaidTape', 'paid_by']
PAID = 'paid.jsonl'
Slot = dict[str, Any]

def slot_key(slot: Slot) -> str:
    """A slot as a name"""

class Journal:
    """What a run has paid for; any number of threads and processes write to it"""

    def __init__(self, path: str | Path, begin: int=0):
        self.path = Path(path)
        self.me = uuid4().hex[:8]
        self.read_to = begin
        self._held = {}
        for line in self.lines():
            self._held.setdefault(line['slot'], {})[line['key'], line['nth']] = line
        self._lock = threading.Lock()

    def lines(self) -> list[Line]:
        """What it holds; a torn last line was never used, and is left out"""

    def add(self, line: Line) -> None:
        """Write a line, which is on disk when this comes back; OSError where the disk does not take it"""

    def held(self, slot: Slot) -> dict[tuple[str, int], Line]:
        """Answers that were paid for before: by an earlier sitting, or by an earlier try of the same attempt"""

    def _by_earlier_tries(self, slot):
        """What tries that broke had been answered; a first try looks nowhere"""

    def news(self) -> list[Line]:
        """Whole lines that others wrote since it was last asked"""

    def enter(self, spend: Spend) -> None:
        """Enter into a purse what others have paid since it was last done"""

    def follow(self, spend: Spend) -> None:
        """Let a purse do so before each call"""

class PaidTape(Tape):
    """Answers the requests of one attempt: from the journal those that were paid for, else from the model"""

    def __init__(self, journal: Journal, slot: Slot, inner: Callable | None=None):
        super().__init__(slot['repeat'], slot['arm'], slot['attempt'])
        self.journal = journal
        self.place = slot
        self.about = {name: slot.get(name) for name in ('config', 'task', 'repeat')}
        self.inner = inner
        self.move({})

    def move(self, place: dict[str, Any]) -> None:
        """Go to another place in the same stream; what was asked elsewhere is counted there"""

    @property
    def lines(self) -> list[Line]:
        """What the recorder noted"""

    def __call__(self, name: str, make: Callable[[], ModelEngine]) -> ModelEngine:
        ...

class _Paid:
    """An engine whose answers are in the journal before anybody has them"""

    def __init__(self, tape, name, engine):
        self.tape = tape
        self.name = name
        self.engine = engine

    def complete(self, request):
        ...

    def _line(self, asked, request, response):
        ...

    def price(self, response, tokens):
        ...

    def close(self):
        ...

def paid_by(lines: Iterable[Line], belongs: Callable[[Line], bool]) -> dict[str, Any]:
    """What lines of a journal have cost"""
