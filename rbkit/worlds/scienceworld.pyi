# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from collections.abc import Iterable
from threading import Lock
'Thirty school experiments behind the one interface, and what has to be watched out for'
__all__ = ['UNKNOWN', 'MENU', 'ScienceWorld']
UNKNOWN = 'No known action matches that input'
MENU = 'Ambiguous request'
_TELEPORTS = {'easy', 'teleportAction'}

class ScienceWorld(BaseEnv):
    """Thirty kinds of experiment, in variations; needs Java"""
    name = 'scienceworld'
    max_steps = 100
    commands = 'activate X; close X; connect X to Y; deactivate X; disconnect X; dunk X in Y; eat X; flush X; focus on X; go to ROOM; inventory; look around; look at X; look in X; mix X; move X to Y; open X; pick up X; pour X in Y; put down X; read X; task; use X on Y; wait; wait1'

    def __init__(self, kinds: Iterable[str] | None=None, n: int=1, simplification: str='', max_steps: int=100, heap_mb: int=512, recycle: int=200):
        self.kinds = kinds
        self.n = n
        self.simplification = simplification
        self.max_steps = max_steps
        self.heap_mb = heap_mb
        self.recycle = recycle
        self._sim = None
        self._episodes = 0
        self._all = None
        self._paths = {}
        if _TELEPORTS & {*simplification.split(',')}:
            self.commands += '; teleport to ROOM'

    @classmethod
    def needs(cls) -> str:
        """What has to be installed first; empty if nothing"""

    def _end(self):
        ...

    def _ready(self):
        """The simulator, started or replaced if need be"""

    def _tasks(self):
        ...

    def _variations(self, kind):
        ...

    def _simplification_of(self, kind):
        ...

    def _load(self, task, with_solution=False):
        ...

    def _begin(self, task, seed):
        ...

    def _do(self, action):
        """What is seen"""

    def _act(self, action):
        ...

    def _gold(self):
        """The simulator's own solution"""

    def valid_actions(self) -> list[str]:
        """Everything that the simulator would understand now; slow, so only computed on request"""
_STARTING = Lock()
_SAME_EACH_TIME = '-XX:+UseSerialGC -XX:+UnlockExperimentalVMOptions -XX:hashCode=2'

def _start(heap_mb):
    """A simulator with a Java machine of its own"""
