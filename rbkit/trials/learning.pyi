# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from typing import ClassVar
from rbkit.trials.inputs import Inputs
from rbkit.trials.learners import Learner
from collections.abc import Mapping
from pathlib import Path
from rbkit.trials.ablation import Run
from rbkit.policies.loop import Slot
from rbkit.trials.spec import Spec
from rbkit.trials.streams import StreamJob
from rbkit.trials.stream_trial import Streams
from dataclasses import dataclass
'Every stream of every arm, walked once, whatever happens meanwhile'
__all__ = ['StreamRun', 'named_options', 'prepare_streams', 'check_own_bank', 'world_setting', 'learn']

@dataclass
class StreamRun(Run):
    """A run of streams, whatever their world"""
    fresh: bool | None = None
    trial: ClassVar[type] = Streams

    def streams(self) -> list[tuple[Learner, int]]:
        """Every stream of the run: an arm and a number"""

    def slots(self, arm: Learner, stream: int) -> list[Slot]:
        """What a stream asks, in order"""

    def length(self, arm: Learner, stream: int) -> int:
        """Steps of a stream"""

    def walk_one(self, arm: Learner, stream: int, say: Callable | None=None) -> list[dict]:
        """Walk through one stream, or go on where it was left; `say` is told of each step"""

    def wanted(self) -> int:
        ...

    def tries(self) -> list[dict]:
        ...

    def about(self) -> dict[str, object]:
        ...

    def bank(self, arm: Learner, stream: int) -> Path:
        """Where a stream keeps its bank; another one where code, tasks or settings are others"""

    def make(self) -> None:
        """Walk through every stream that is missing"""

    def broken(self) -> list[tuple[Learner, int]]:
        """Streams with an attempt that failed on our side"""

    def whole_rows(self) -> list[dict]:
        """Rows of streams that go on"""

    def _old_banks_aside(self):
        ...

    def _forget(self, arm, stream):
        """Take a stream's bank away, with what its database wrote beside it"""

    def walk_all(self, rows: list[dict]) -> None:
        """Walk through the streams that are not whole"""

    def jobs(self, todo: list[tuple[Learner, int]]) -> list[StreamJob]:
        """Streams, ready to be sent"""

    def enter(self, steps: list[dict], done: set, known: set) -> None:
        """The steps of a stream into the folder, those that are new"""

    def healths(self) -> dict[str, dict[str, float | None]]:
        """Per arm that learns, the health of its banks in the end: means over streams"""

def _mean_of_known(values):
    """Mean of a figure over the streams that can tell it; None where none can"""

def named_options(given: str | Mapping[str, object] | None) -> dict[str, object]:
    """Options of a world, by name. ValueError for a text that names none"""

def _named_option(text):
    """A name, and a number or a truth value where the text is one, else the text"""

def prepare_streams(exp: str, arms: list[Learner], ping: bool=True, **given) -> tuple[Spec, Inputs]:
    """A learning run, checked: tasks to learn from, and others that are held out"""

def _begins_with_items(arm):
    """A bank that learns begins with the shipped items, in whose place `prepare` puts one's own"""

def check_own_bank(given: str | Path) -> None:
    """Raise ValueError where memory of one's own cannot be read; of a pack it names line and field"""

def world_setting() -> str:
    """The world that streams walk where nobody says otherwise"""

def learn(exp: str, arms: list[Learner], out: str | None=None, fresh: bool | None=None, **given) -> Streams:
    """Walk the same streams under every arm"""
