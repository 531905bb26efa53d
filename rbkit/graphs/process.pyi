# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.graphs.rows import Engine
from rbkit.graphs.files import GraphError
from rbkit.graphs.files import GraphInfo
from rbkit.graphs.files import GraphSource
from rbkit.graphs.guard import Guarded
from rbkit.graphs.guard import Names
from typing import NoReturn
from rbkit.graphs.guard import QueryFailed
from rbkit.graphs.guard import QueryRefused
from rbkit.graphs.guard import QuerySyntax
from rbkit.graphs.guard import QueryTimeout
import os
import re
import socket
import subprocess
import threading
'A thread cannot be killed, a process can'
__all__ = ['hold', 'QueryProcess']

def _die_with(parent: int) -> None:
    """Linux: the operating system kills us when the holder ends, even in the middle of a query"""

def _cap_memory(max_mb: int) -> None:
    """Allow this many megabytes beside what we have now, where the system can"""

def _serve(sock: socket.socket, open_engine: Callable[[Names], Engine], names: Names, source: GraphSource, holder: int) -> NoReturn:
    """The life of a query process: question, answer, until the socket closes"""
_NO_MEMORY = 'The query ran out of memory. Ask for less.'

def _fork_query_process(control: socket.socket, open_engine: Callable[[Names], Engine], names: Names, source: GraphSource) -> int:
    """Fork a query process and send its other end to the parent"""

def _reap(pid: int | None) -> None:
    """Kill a query process, if there is one"""

def _build_apart(source: GraphSource) -> None:
    """Build a store in a process of its own"""

def _too_large(said: str, source: GraphSource) -> str:
    """What to say where there was not memory enough to load"""

def _too_slow(source: GraphSource) -> str:
    """What to say where loading took too long"""

def hold(fd: int) -> None:
    """The holder's whole life, called in a fresh interpreter"""

def _stop(holder: subprocess.Popen, control: socket.socket, owner: int) -> None:
    """End holder and query process; a fork of the owner leaves them alone"""

class QueryProcess:
    """A graph in a process of its own, seen from the parent"""

    def __init__(self, source: GraphSource):
        if not hasattr(os, 'fork'):
            raise GraphError('Deadlines need fork (Linux, macOS). Pass isolate=False.')
        self.source = source
        self.lock = threading.RLock()
        self._start()

    def _start(self) -> None:
        """Start a holder and let it load the graph"""

    def _loaded(self) -> GraphInfo:
        """Send the order to load, and wait for what the holder knows about the graph"""

    def _last_words(self) -> str:
        """What to say about a holder that ended while loading"""

    def _fork(self) -> None:
        """Get a new query process, and our end of the line to it"""

    def _drop(self) -> None:
        """Kill the query process; the next query gets a new one"""

    def _exchange(self, message: bytes, timeout_secs: float) -> bytes:
        """Send a message, wait for the reply no longer than `timeout_secs`"""

    def query(self, text: str, limit: int, timeout_secs: float) -> dict:
        """Answer a query before its deadline"""

    def plan(self, text: str, limit: int, timeout_secs: float, service_graph: str | None=None) -> Guarded:
        """Read a query before its deadline, and run nothing"""

    def _asked(self, message: dict, timeout_secs: float) -> dict:
        """What the query process says; an error is raised"""

    def _asked_anew(self, question: bytes, timeout_secs: float) -> bytes:
        """What the query process says; kept if it is short and the same each time"""

    def close(self) -> None:
        """End both processes"""
_KINDS = (QueryRefused, QuerySyntax, QueryTimeout, QueryFailed)
_ERRORS = {error.__name__: error for error in _KINDS}
_MOST_KEPT = 500
_LONGEST_KEPT = 16000
_CHANGES = re.compile(b'(?i)\\b(now|rand|uuid|struuid|bnode)\\b')
