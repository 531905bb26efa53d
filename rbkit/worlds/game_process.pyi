# Written by `rbkit stubs` from the module beside it; do not edit.
from pathlib import Path
'Text games run in a process of their own, which can be thrown away'
__all__ = ['GameProcess']

def _described(state):
    """A state of a game as JSON"""

def _open_game(path, alfred):
    """The game as an environment, and its first state"""

def _cache_parsing():
    """Let TextWorld parse each phrase once, and translate each problem once"""

def _make_quest(path, rooms, things, steps, seed, compiled):
    """Write a quest as JSON, and as a program too if it is to be `compiled`"""

def _serve():
    """Play games that are asked for, a line of JSON each way"""

class GameProcess:
    """A process that plays, and is replaced when it has grown too big"""

    def __init__(self, alfred: bool, most_mb: int=2000, secs: float=60):
        self.alfred = alfred
        self.most_mb = most_mb
        self.secs = secs
        self.process = None

    def start(self, path: str | Path) -> dict:
        """Begin a game; what it says"""

    def mb(self) -> float:
        """Memory of the process now; 0 if there is none"""

    def close(self) -> None:
        """End the process"""

    def _answer(self, line):
        """None if there is no answer in time, empty if there will be none"""

    def ask(self, what: str, argument: object) -> dict:
        """What the game says. TimeoutError if it does not answer, RuntimeError if it breaks or has ended"""

def _start_process():
    ...
_ENDED = 'the process that played has ended'
