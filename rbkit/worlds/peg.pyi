# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from rbkit.worlds.contact import Clamp
from rbkit.worlds.contact_learning import ContactAttempt
from rbkit.worlds.contact_learning import ContactMeasurements
from rbkit.bank.items import Item
from collections.abc import Iterable
from typing import NamedTuple
from rbkit.worlds.contact import Options
from random import Random
from rbkit.worlds.interface import WorldTask
from dataclasses import dataclass
from functools import lru_cache
import math
import mujoco
'A world where nothing is seen, everything is felt, and physics keeps the score'
__all__ = ['PEG_MM', 'GOAL_MM', 'BEARS_N', 'LIMIT_SECS', 'TICK_SECS', 'STEPS', 'PLAYS', 'Part', 'Point', 'search_path', 'Insertion', 'insert', 'PegEnv', 'PegEpisode', 'peg_episode']
PEG_MM = 20.0
GOAL_MM = 12.0
BEARS_N = 24.0
LIMIT_SECS = 8.0
TICK_SECS = 0.01
STEPS = 4

@dataclass(frozen=True)
class Part:
    """A plate with a hole; of all this the hand is told only the play"""
    play_mm: float
    x_mm: float
    y_mm: float
    friction: float = 0.4
    tilt_deg: float = 0.0
_WALL = '<geom type="box" pos="{x} {y} -.01" size="{half_x} {half_y} .01"/>'

def _walls(half: float, width: float=0.03) -> str:
    """Four boxes around a square hole"""
_MJCF = '<mujoco>\n<option timestep="{step}" gravity="0 0 0" cone="elliptic" impratio="5" integrator="implicitfast"/>\n<default>\n  <geom friction="{part.friction} .005 .0001" solref=".004 1"/>\n  <joint type="slide" damping="20"/>\n  <position kp="2500" forcerange="-60 60"/>\n</default>\n<worldbody>\n  <body pos="{x} {y} 0" euler="0 {part.tilt_deg} 0">{walls}</body>\n  <body pos="0 0 .045">\n    <joint name="x" axis="1 0 0"/>\n    <joint name="y" axis="0 1 0"/>\n    <joint name="z" axis="0 0 1" damping="60" armature="2"/>\n    <geom type="sphere" size=".005" mass=".4" contype="0" conaffinity="0"/>\n    <body>\n      <joint name="pitch" type="hinge" axis="0 1 0" pos="0 0 -.04" damping=".3"/>\n      <joint name="roll" type="hinge" axis="1 0 0" pos="0 0 -.04" damping=".3" stiffness="6"/>\n      <site name="wrist"/>\n      <geom type="box" pos="0 0 -.02" size=".01 .01 .02" mass=".1"/>\n    </body>\n  </body>\n</worldbody>\n<actuator>\n  <position joint="x"/>\n  <position joint="y"/>\n  <position joint="z" kp="3000"/>\n  <position joint="pitch" kp="6" forcerange="-3 3"/>\n</actuator>\n<sensor><force site="wrist"/></sensor>\n</mujoco>'

@lru_cache(maxsize=64)
def _model(part: Part):
    """The compiled MuJoCo model of a part"""

class Point(NamedTuple):
    """A place in the plane of the plate, as seen from where the hole should be"""
    x_mm: float
    y_mm: float

def _spiral(radius_mm, s_mm, pitch_mm):
    ...

def _line(radius_mm, s_mm):
    ...

def _raster(radius_mm, s_mm, pitch_mm):
    ...

def search_path(search: str, radius_mm: float, s_mm: float, pitch_mm: float=1.0) -> Point | None:
    """Where a search pattern is after some distance"""

class Insertion:
    """One attempt: a controller with given options on one part"""

    def __init__(self, part: Part, options: Options, seed: str | int='0'):
        import mujoco
        self.model = _model(part)
        self.data = mujoco.MjData(self.model)
        self.step = mujoco.mj_step
        self.options = options
        self.rng = Random(seed)
        self.model.actuator_forcerange[2] = [-options.force_n, 40]
        self.data.ctrl[3] = math.radians(options.approach_deg)
        self._begin()
        self.home = [self.rng.gauss(0, 0.1), self.rng.gauss(0, 0.1)]
        self.at = self.home

    def _begin(self):
        ...

    @property
    def depth(self) -> float:
        """Of the peg's end below the plate, in mm"""

    def _read(self):
        ...

    def _decide(self):
        """How the attempt ended, or None"""

    def _advance(self):
        ...

    def run(self) -> ContactMeasurements:
        """Go on until the peg is in, or it is certain that it will not be"""

    def _approach(self):
        ...

    def _search(self):
        """Along the path, pressing"""

    def _enter(self):
        """It dropped: stop searching, stand upright, push"""

    def _push_in(self):
        """Push, until it is stuck"""

    def _lift(self):
        """Lift, until it is high enough"""

@lru_cache(maxsize=20000)
def insert(part: Part, options: Options, seed: str | int='0') -> ContactMeasurements:
    """One attempt, from above the plate to its end; the same attempt is not computed twice"""
PLAYS = dict(train=(0.25, 0.4, 0.55, 0.8), held_out=(0.3, 0.48, 0.68))
_OFFSETS = dict(train=(1.6, 3.8, 2.7, 4.9, 5.4), held_out=(2.2, 4.4, 3.3, 5.1))

def _variation(i: int, split: str) -> dict:
    ...

def _level(play_mm: float) -> int:
    ...

def _tasks_of(world: str, split: str, n: int) -> list[WorldTask]:
    """The parts of a split as tasks"""
_HELP = 'Say insert, and options: search=none|line|spiral|raster radius_mm=1..12 speed_mm_s=2..80 force_n=1..40 approach_deg=0..20 back_off_mm=0..8 retries=0..3.'
_FIGURES = ('depth_mm', 'peak_n', 'jerk_n_s', 'secs', 'back_offs')

class PegEnv(BaseEnv):
    """A peg, a hole that is not quite where it should be, and a few attempts"""
    name = 'peg'
    max_steps = 4

    def __init__(self):
        self.log = []

    @classmethod
    def needs(cls) -> str:
        """MuJoCo, if it is not there"""

    def _tasks(self):
        ...

    def _begin(self, task, seed):
        ...

    def _act(self, action):
        ...

    def _gold(self):
        ...
_FORCES_AND_SPEEDS = ((10, 22), (8, 16), (14, 30), (6, 22), (18, 40))

class PegEpisode(NamedTuple):
    """What an episode leaves"""
    attempts: list[ContactAttempt]
    figures: list[dict]
    clamps: list[Clamp]

def peg_episode(env: BaseEnv, task: WorldTask, items: Iterable[Item], seed: int | str=0) -> PegEpisode:
    """An episode of the agent that knows nothing but what it is shown.
    ValueError if the world gives no code of an attempt"""
