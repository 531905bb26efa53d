# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Iterable
from pathlib import Path
from rbkit.trials.trial import Trial
from dataclasses import dataclass
from dataclasses import field
import re
"What one attempt was told, what it did, and what came back, read from a run's folder"
__all__ = ['CAPS', 'SAID', 'Story', 'slot_of', 'place_of', 'story', 'turns_of', 'plain', 'Trajectory', 'trajectory_of', 'trajectory', 'trajectory_in', 'first_failure']

@dataclass
class Story:
    """All that a run's folder tells about its attempts"""
    manifest: dict
    rows: list[dict]
    traces: dict = field(default_factory=dict, repr=False)
    systems: dict = field(default_factory=dict, repr=False)
    layers: dict = field(default_factory=dict, repr=False)
    tasks: dict = field(default_factory=dict, repr=False)
    lacks: list[str] = field(default_factory=list)
    begun: list[dict] = field(default_factory=list)

    @property
    def attempts(self) -> list[dict]:
        """Its rows, and then what was begun"""

def slot_of(line: dict) -> tuple:
    """What a row and the lines of its trace have in common"""

def place_of(row: dict) -> str:
    """Which of several attempts at its task a row is, in a word or two"""

def _traces(path, systems):
    """A trace's lines by attempt; its system texts are entered"""

def _borrowed_traces(folder, rows, systems):
    """Traces of rows that this run took over from other experiments"""

def _tasks(manifest):
    """The tasks of a run's suite or world, if it is at hand; private ones are not shown"""

def _last_attempts(rows):
    """The last row of each attempt, for a folder whose manifest does not say which rows count"""
_NO_ROW = 'it has no row: its run was stopped before it ended, or is still at it; these are the steps so far'

def _begun(folder, traces):
    """What is known of attempts that did not end, each once; their traces are entered"""

def story(folder: str | Path) -> Story:
    """Read a run's folder; what is missing is noted, not an error"""

def _lacks(story):
    """What a story lacks, as sentences"""

def _blank_turn(rollout=0):
    ...

def _is_begun(turn):
    ...

def turns_of(lines: Iterable[dict]) -> list[dict]:
    """The turns of one attempt's trace"""
_UNSEEN = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]')
CAPS = dict(code=3000, output=2000, reasoning=1500, text=3000, cell=200, args=2000, asked=12000)

def _spelt(found):
    ...

def plain(text: object, cap: int=2000) -> str:
    """Text as it can be shown: cut in the middle, what cannot be seen spelt out"""

def _short(text, most=60):
    """The first line of a text that says something, in few characters"""

def _came_back(step):
    ...
SAID = ('memory', 'judge', 'learning', 'extract', 'refused')

def _said_line(line):
    """What a judge, an extractor or a check said, in a line"""

def _turn_line(number, turn):
    """A turn in a line: size of the request, code, what came back"""

@dataclass
class Trajectory:
    """One attempt: its row, its turns, the layers that it was told, its task"""
    row: dict
    turns: list[dict] = field(default_factory=list)
    layers: list[dict] = field(default_factory=list)
    task: object = None
    lacks: list[str] = field(default_factory=list)
    said: list[dict] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Arm, task, and repeat or place in a stream"""

    def __repr__(self):
        ...

    def _repr_html_(self):
        ...
_NO_LAYERS = ('task_hash', 'context_hash')

def _layers_of(story, row):
    """The layers that a row was told"""

def trajectory_of(story: Story, row: dict) -> Trajectory:
    """The trajectory of a row"""

def _values_there(rows, columns):
    """The values that rows have in some columns, for an error message"""

def _fits(row, where):
    ...

def _chosen(story, i, where):
    """The i-th trajectory of a story among those that fit; ValueError says what there is instead"""

def trajectory(source: str | Path | list[dict], i: int | None=None, **where) -> Trajectory:
    """One attempt of a run; ValueError where none fits"""

def trajectory_in(trial: Trial, i: int | None=None, **where) -> Trajectory:
    """One of a trial's attempts: the i-th of its rows, or the first with these values; `Trial.trajectory` calls this"""

def _first_failure(rows):
    """The number of a row that is worth a look, and a sentence where it was not wrong"""

def first_failure(trial: Trial) -> Trajectory:
    """The first attempt that was wrong; else the first that did not succeed, or the first of all"""
