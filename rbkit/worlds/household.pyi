# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from collections.abc import Callable
from typing import NamedTuple
from random import Random
from rbkit.worlds.interface import WorldTask
import re
'Rooms in which things have to be found and dealt with, in pure Python'
__all__ = ['GOALS', 'APPLIANCES', 'OPENABLE', 'KITCHEN', 'BEDROOM', 'HOMES', 'P_AT_HOME', 'Goal', 'parse_goal', 'Household']
GOALS = dict(place='put some {thing} on {target}', light='examine the {thing} with the {target}', clean='clean some {thing} and put it in {target}', heat='heat some {thing} and put it in {target}', cool='cool some {thing} and put it in {target}', two='find two {thing} and put them in {target}')
APPLIANCES = dict(clean='sinkbasin', heat='microwave', cool='fridge')
OPENABLE = ('fridge', 'microwave', 'cabinet', 'drawer', 'safe')
KITCHEN = dict(fridge=1, microwave=1, sinkbasin=1, coffeemachine=1, countertop=2, cabinet=5, drawer=3, shelf=2, diningtable=1, garbagecan=1)
BEDROOM = dict(bed=1, desk=2, dresser=1, sidetable=2, drawer=4, shelf=3, armchair=1, safe=1, garbagecan=1)
HOMES = dict(apple='diningtable', potato='countertop', tomato='sinkbasin', egg='fridge', bread='cabinet', mug='coffeemachine', cup='shelf', plate='drawer', pan='garbagecan', knife='drawer', book='bed', pencil='sidetable', cd='safe', pillow='armchair', keychain='dresser', watch='shelf', cellphone='desk')
P_AT_HOME = 0.8
_FOOD = ('apple', 'potato', 'tomato', 'egg', 'bread')
_WARE = ('mug', 'cup', 'plate', 'pan', 'knife')
_SMALL = ('book', 'pencil', 'cd', 'pillow', 'keychain', 'watch', 'cellphone')
_IN_KITCHEN = (*_FOOD, *_WARE)
_FITS = dict(place=(*_WARE, *_SMALL), light=_SMALL, clean=(*_FOOD[:3], *_WARE), heat=(*_FOOD, 'mug', 'cup'), cool=(*_FOOD, 'mug', 'plate'), two=(*_FOOD, *_SMALL))
_KITCHEN_TARGETS = ('countertop', 'diningtable', 'shelf', 'cabinet')
_BEDROOM_TARGETS = ('desk', 'shelf', 'sidetable', 'drawer')

def _kind(name: str) -> str:
    """apple, of apple 1"""

def _is_openable(receptacle: str) -> bool:
    ...

class Goal(NamedTuple):
    """What a household task wants, and where"""
    thing: str
    target: str

def parse_goal(question: str) -> Goal:
    """The kind of thing and the kind of place that a goal names"""

def _task(i: int, n_train: int) -> WorldTask:
    """The i-th task of a household; its kind, thing and target are drawn by its number"""

def _of_kind(room: dict[str, list[str]], *kinds: str) -> list[str]:
    ...

def _empty_room(in_kitchen: bool) -> dict[str, list[str]]:
    ...

def _furnish(task: WorldTask, rng: Random) -> dict[str, list[str]]:
    """What stands in the room: receptacle -> things in it"""

class Household(BaseEnv):
    """Six kinds of task in small furnished rooms, with ALFWorld's commands"""
    name = 'household'
    max_steps = 20
    commands = 'go to R; open R; close R; take X from R; move X to R; clean X with R; heat X with R; cool X with R; use X; examine X; look; inventory'

    def __init__(self, n_train: int=60, n_held_out: int=30, max_steps: int=20):
        self.max_steps = max_steps
        self._all = [_task(i, n_train) for i in range(n_train + n_held_out)]

    def _tasks(self):
        ...

    def _begin(self, task, seed):
        ...

    def _sight(self, receptacle):
        """What is seen of a receptacle"""

    def _reaches(self, receptacle):
        """Can the agent put its hand into it?"""

    def _act(self, action):
        ...

    def _won(self):
        """Is the goal reached?"""

    def _errand(self, receptacle, x):
        """From a receptacle to the goal, with one thing"""

    def _gold(self):
        """A shortest plan of somebody who knows where everything is"""

def _listed(things: list[str]) -> str:
    """Things as a sentence lists them"""

def _go(house, receptacle):
    ...

def _open(house, receptacle):
    ...

def _close(house, receptacle):
    ...

def _take(house, thing, receptacle):
    ...

def _move(house, thing, receptacle):
    ...

def _treat(house, verb, thing, receptacle):
    ...

def _use(house, thing):
    ...

def _look(house):
    ...

def _inventory(house):
    ...

def _examine(house, thing):
    ...

class _Command(NamedTuple):
    pattern: re.Pattern
    do: Callable
_R = '(?P<receptacle>\\w+ \\d+)'
_X = '(?P<thing>\\w+ \\d+)'
_COMMANDS = (_Command(re.compile(f'go to {_R}$'), _go), _Command(re.compile(f'open {_R}$'), _open), _Command(re.compile(f'close {_R}$'), _close), _Command(re.compile(f'take {_X} from {_R}$'), _take), _Command(re.compile(f'move {_X} to {_R}$'), _move), _Command(re.compile(f'use {_X}$'), _use), _Command(re.compile(f'(?P<verb>clean|heat|cool) {_X} with {_R}$'), _treat), _Command(re.compile('look$'), _look), _Command(re.compile('inventory$'), _inventory), _Command(re.compile(f'examine {_X}$'), _examine))

def _approach(receptacle):
    """Actions that bring the agent's hand to a receptacle"""
