# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections import Counter
from rbkit.bank.items import Item
from collections.abc import Iterable
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple
from random import Random
from dataclasses import dataclass
import re
import threading
import time
'Memory may choose how a robot pushes, but only inside limits that it cannot widen'
__all__ = ['LIMITS', 'Limit', 'format_action', 'Options', 'Clamp', 'ClampedOptions', 'clamp', 'parse_action', 'format_ranges', 'parse_hints', 'ranges_of', 'ClippedRanges', 'clip_ranges', 'draw_options', 'ChosenOptions', 'choose_options', 'Prefetched']

@dataclass(frozen=True)
class Limit:
    """What an option may be: a number from low to high, or one of some words"""
    low: float = 0.0
    high: float = 0.0
    default: object = 0.0
    whole: bool = False
    words: tuple[str, ...] = ()
LIMITS = MappingProxyType(dict(search=Limit(default='none', words=('none', 'line', 'spiral', 'raster')), radius_mm=Limit(1, 12, 3.0), speed_mm_s=Limit(2, 80, 10.0), force_n=Limit(1, 40, 5.0), approach_deg=Limit(0, 20, 0.0), back_off_mm=Limit(0, 8, 1.0), retries=Limit(0, 3, 0, whole=True)))

def _as_number(x: object) -> float | None:
    """A finite number, or None"""

def _fit(x: object, limit: Limit) -> tuple[object, str]:
    """A value inside a limit, and why it is not the one that was wanted"""

def _brief(x: object) -> str:
    """What was wanted, whatever it was"""

def _short(value: str | float) -> str:
    ...

def format_action(options: Mapping[str, object]) -> str:
    """Options as an action in words"""

@dataclass(frozen=True)
class Options:
    """One value of each option, inside the limits; `clamp` makes them of anything"""
    search: str = 'none'
    radius_mm: float = 3.0
    speed_mm_s: float = 10.0
    force_n: float = 5.0
    approach_deg: float = 0.0
    back_off_mm: float = 1.0
    retries: int = 0

    def __post_init__(self):
        for name, limit in LIMITS.items():
            value = getattr(self, name)
            _, why = _fit(value, limit)
            if why:
                raise ValueError(f'{name}={_brief(value)} is beyond the limits; let `clamp` make the options.')

    @property
    def line(self) -> str:
        """As an action in words"""

@dataclass(frozen=True)
class Clamp:
    """One correction: what was wanted, and what was used instead"""
    name: str
    wanted: str
    used: str
    why: str

    def __repr__(self):
        ...

class ClampedOptions(NamedTuple):
    """What the gate lets through"""
    options: object
    clamps: list[Clamp]

def clamp(wanted: Mapping[str, object], limits: Mapping[str, Limit]=LIMITS, kind: Callable=Options) -> ClampedOptions:
    """Options inside the limits, whatever was wanted"""
_PAIR = re.compile('(\\w+)\\s*=\\s*([^\\s,;]+)')

def parse_action(text: str) -> dict[str, object] | None:
    """The options that an action names"""

def _format_range(allowed: list) -> str:
    ...

def format_ranges(ranges: Mapping[str, list]) -> str:
    """Ranges in words, one line each"""
_LINE = re.compile('^[^\\w\\n]{0,9}(\\w+): (.+)$', re.M)

def _parse_range(stated: str, limit: Limit) -> list:
    ...

def parse_hints(text: str) -> dict[str, list]:
    """The ranges that a text states"""

def ranges_of(item: Item) -> dict[str, list]:
    """What a record says: its parameters, or its text where it has none"""

def _numbers_inside(ends: list, limit: Limit) -> list:
    """The part of a range that lies within a limit; empty if there is none"""

class ClippedRanges(NamedTuple):
    """What is left of a record's ranges"""
    ranges: dict[str, list]
    clamps: list[Clamp]

def clip_ranges(ranges: Mapping[str, object], limits: Mapping[str, Limit]=LIMITS) -> ClippedRanges:
    """The part of some ranges that lies within the limits"""

def draw_options(ranges: Mapping[str, list], rng: Random, limits: Mapping[str, Limit]=LIMITS) -> dict[str, object]:
    """A random value of each option, inside its range or else inside its limits"""

class ChosenOptions(NamedTuple):
    """Options for one attempt, and where they come from"""
    options: object
    clamps: list[Clamp]
    followed: str

def choose_options(items: Iterable[Item], rng: Random, limits: Mapping[str, Limit]=LIMITS, kind: Callable=Options) -> ChosenOptions:
    """Options for one attempt"""
_LOG_SIZE = 20000

class Prefetched:
    """Answers fetched ahead of need; reading one never waits"""

    def __init__(self, find: Callable, default: object=None, deadline_secs: float=0.001, clock: Callable=time.perf_counter):
        self.find = find
        self.default = default
        self.deadline_secs = deadline_secs
        self.clock = clock
        self.held = {}
        self.log = []
        self._fetches = Counter()
        self._lock = threading.Lock()

    def _fetch(self, key, n):
        ...

    def _note(self, key, what):
        ...

    def prefetch(self, *keys: object) -> list[threading.Thread]:
        """Begin to fetch answers"""

    def get(self, key: object) -> object:
        """The answer if it is there within the deadline, else the default"""

    def clear(self) -> None:
        """Take every answer away: until they are fetched again, control takes the default"""
