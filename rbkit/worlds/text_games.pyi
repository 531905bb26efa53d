# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from collections.abc import Callable
from rbkit.worlds.game_process import GameProcess
from rbkit.worlds.household import Household
from collections.abc import Iterable
from typing import NamedTuple
from pathlib import Path
from rbkit.ground.settings import data_path
import re
"ALFWorld's houses and TextWorld's quests behind the one interface"
__all__ = ['AlfWorld', 'TextWorld']
_KINDS = dict(pick_and_place_simple='place', look_at_obj_in_light='light', pick_clean_then_place_in_recep='clean', pick_heat_then_place_in_recep='heat', pick_cool_then_place_in_recep='cool', pick_two_obj_and_place='two')

class _Game(NamedTuple):
    kind: str
    id: str
    source: object

def _always(source) -> bool:
    ...

def _digest_of_id(game: _Game) -> str:
    ...

def _spread(games: Iterable[_Game], n: int, fits: Callable=_always) -> list:
    """n games of each kind, spread over all of them"""

def _read_compact(folder: Path, split: str, n: int) -> list[dict]:
    ...

def _published_kind(path: Path) -> str:
    ...

def _published_id(path: Path) -> str:
    ...

def _read_json(path: Path) -> dict:
    ...

def _is_solvable(path: Path) -> bool:
    ...

def _published_row(path: Path) -> dict:
    ...

def _read_published(folder: Path, split: str, n: int) -> list[dict]:
    ...

def _read_games(folder: Path, split: str, n: int) -> list[dict]:
    ...

def _check_sizes(world: str, **sizes: int) -> None:
    """Refuse what there cannot be so few of"""

class AlfWorld(BaseEnv):
    """Real ALFWorld games, from a folder"""
    name = 'alfworld'
    max_steps = 50
    commands = Household.commands

    def __init__(self, n: int=4, folder: str | Path | None=None, splits: tuple[str, str]=('train', 'valid_seen'), max_steps: int=50, most_mb: int=2000):
        _check_sizes(self.name, n=n, max_steps=max_steps)
        data = data_path()
        if folder is None and data:
            folder = data / 'worlds' / 'alfworld'
        self.folder = Path(folder) if folder else None
        self.n = n
        self.splits = splits
        self.max_steps = max_steps
        self._player = GameProcess(True, most_mb)
        self._rows = None
        self._tmp = None

    @classmethod
    def needs(cls) -> str:
        """What has to be installed first; empty if nothing"""

    def _end(self):
        ...

    def _read(self):
        ...

    def _tasks(self):
        ...

    def _file(self, row):
        """The game as a file"""

    def _begin(self, task, seed):
        ...

    def _act(self, action):
        ...

    def _gold(self):
        ...

class _SplitRow(NamedTuple):
    split: str
    row: dict

def _alfworld_kind(row):
    ...

class _Size(NamedTuple):
    rooms: int
    things: int
    steps: int

class TextWorld(BaseEnv):
    """Quests that TextWorld makes from a number"""
    name = 'textworld'
    max_steps = 20
    commands = 'go north (or south, east, west); open X; close X; unlock X with Y; lock X with Y; take X; take X from Y; drop X; put X on Y; insert X into Y; eat X; examine X; look; inventory'

    def __init__(self, n: int=10, rooms: int=3, things: int=6, steps: int=3, folder: str | Path | None=None, max_steps: int=20, most_mb: int=2000):
        _check_sizes(self.name, n=n, rooms=rooms, things=things, steps=steps, max_steps=max_steps)
        self.n = n
        self.size = _Size(rooms, things, steps)
        self.max_steps = max_steps
        self.folder = Path(folder or _quest_folder())
        self._player = GameProcess(False, most_mb)
        self._all = None

    @classmethod
    def needs(cls) -> str:
        """What has to be installed first; empty if nothing"""

    def _end(self):
        ...

    def _quest(self, i, compiled=False):
        """The file of the i-th quest, made if it is not there"""

    def _task(self, i, split):
        ...

    def _tasks(self):
        ...

    def _begin(self, task, seed):
        ...

    def _act(self, action):
        ...

    def _gold(self):
        ...

def _quest_folder():
    ...
_PLAIN = re.compile("[A-Za-z0-9 ',.\\-]{1,200}")

def _seen(said):
    """What is told, without the prompt and the status line after it, and without the score"""
