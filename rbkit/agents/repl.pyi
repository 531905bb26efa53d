# Written by `rbkit stubs` from the module beside it; do not edit.
from dspy.primitives.code_interpreter import CodeInterpreterError
from dspy.primitives.local_interpreter import LocalInterpreter
from typing import NoReturn
from queue import Queue
from rbkit.ground.settings import import_dspy
from functools import lru_cache
import os
import socket
import subprocess
import sys
import threading
'Every attempt gets a fresh Python process, behind a lock, and does not wait for one to start'
__all__ = ['dspy', 'PROFILES', 'BIRTHS', 'UNREAD_BYTES', 'MESSAGE_CHARS', 'SCRATCH_MB', 'MOST_AT_ONCE', 'profile_of', 'NotLocked', 'Repl', 'check_profile', 'lock_holds']
dspy = import_dspy()
_CHILD = '\nimport ast, builtins, contextlib, io, itertools, json, keyword, os, queue, select\nimport shutil, socket, sys, tempfile, threading, types, typing\nscript, locks, link = sys.argv[1], sys.argv[2], socket.socket(fileno=int(sys.argv[3]))\ndef read(path): return compile(open(path, encoding="utf-8").read(), path, "exec")\ncode, lock, here, linux = read(script), {}, os.getpid(), sys.platform == "linux"\nexec(read(locks), lock)\nfor name in "_sqlite3 _hashlib zlib _bz2 _lzma _decimal pyexpat _uuid".split(): # libraries that lie elsewhere\n    with contextlib.suppress(ImportError): __import__(name)\nopened = lock["shelf"]() if linux else []\ndef confine(folder):\n    for name in set(os.environ)-{"TMPDIR", "LANG", "LC_ALL", "TZ"}: del os.environ[name]\n    try: lock["confine"](folder, opened, here)\n    except lock["Missing"] as e:\n        print(json.dumps(dict(type="missing", layer=e.layer, why=e.why)), flush=True); os._exit(1)\ndef trust():\n    for fd in opened: os.close(fd)\n    with contextlib.suppress(AttributeError, OSError): lock["die_with"](here)\ndef born(folder, locked, ready, fds):\n    os.setsid(); os.chdir(folder)\n    for fd in ours: os.close(fd)\n    for i, fd in enumerate(fds): os.dup2(fd, i); os.close(fd)\n    os.environ["TMPDIR"] = folder\n    confine(folder) if locked else trust()\n    made = sys.modules["_ready"] = types.ModuleType("_ready")\n    made.code = prepared[ready]\n    main = sys.modules["__main__"] = types.ModuleType("__main__")\n    main.__file__, sys.argv = script, [script]\n    try: exec(code, main.__dict__)\n    finally: os._exit(0)\n'
_SERVER = _CHILD + '\nwatched, ours, prepared, alive = select.poll(), [link.detach()], {}, {}\nlink = socket.socket(fileno=ours[0])\nwith contextlib.suppress(AttributeError, OSError): # not everywhere; then the link\'s end is all that we hear\n    ours.append(os.pidfd_open(os.getppid())) # readable once the parent has ended\nfor fd in ours: watched.register(fd, select.POLLIN)\nwhile [fd for fd, _ in watched.poll()] == ours[:1]:\n    said, fds, *_ = socket.recv_fds(link, 65536, 2)\n    if not said: break\n    if fds:\n        asked = json.loads(said)\n        text = asked["ready"]\n        if text not in prepared: prepared[text] = compile(text, "<ready>", "exec")\n        child = os.fork() or born(asked["folder"], asked["locked"], text, fds)\n        for fd in fds: os.close(fd)\n        alive[child] = asked["folder"]\n        link.send(b"%d" % child)\n    else:\n        gone = os.waitpid(int(said), os.WNOHANG)[0]\n        alive.pop(gone, None)\n        link.send(b"%d" % gone)\nfor child, folder in alive.items():\n    for kill in os.killpg, os.kill:\n        with contextlib.suppress(OSError): kill(child, 9)\n    os.waitpid(child, 0)\n    shutil.rmtree(folder, ignore_errors=True)\n'
_ALONE = ('-s', '-S', '-P')

class _ForkServer:
    """The process that REPLs are forked from; one request at a time"""

    def __init__(self, script, locks, env):
        self.link, there = socket.socketpair()
        self.lock = threading.Lock()
        command = [sys.executable, *_ALONE, '-c', _SERVER, script, locks, str(there.fileno())]
        self.process = subprocess.Popen(command, pass_fds=[there.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, env=dict(env), cwd=os.path.sep)
        there.close()

    def _send(self, said, fds=()):
        ...

    def fork(self, how: dict[str, object], fds: tuple[int, int]) -> int:
        """A new REPL (its folder, is it locked, what it begins with), with two ends of pipes; its process id"""

    def is_gone(self, pid: int) -> bool:
        """Has this REPL ended?"""

@lru_cache(maxsize=2)
def _fork_server(pid, script, locks, env):
    ...
_PIPE_BYTES = 2 ** 20

def _widen(pipe):
    """Make a pipe larger, where that can be"""

class _Forked:
    """A forked REPL, with the methods of a `Popen`"""

    def __init__(self, server, how):
        self_in, stdin = os.pipe()
        stdout, self_out = os.pipe()
        _widen(stdin)
        try:
            self.pid = server.fork(how, (self_in, self_out))
        except BaseException:
            os.close(stdin)
            os.close(stdout)
            raise
        finally:
            os.close(self_in)
            os.close(self_out)
        self.server = server
        self.stdin = os.fdopen(stdin, 'w', encoding='utf-8')
        self.stdout = os.fdopen(stdout, encoding='utf-8', errors='replace')

    def kill(self):
        ...

    def wait(self, timeout: float) -> None:
        """Wait until it is gone"""

    def _gone(self):
        ...

def _signal(process, name):
    """Send a signal to a forked REPL and what it started"""
PROFILES = dict(locked="a process that reads Python's library and its own folder, and nothing else (Linux)", wasm='Python in WebAssembly, in a process that opens nothing; needs Deno and Pyodide', trusted='a process with all your rights')

def profile_of(given: str | None=None, ours: bool=False) -> str:
    """The profile that code runs under; raises `ValueError` for any other word"""

class NotLocked(CodeInterpreterError):
    """The lock could not be put on, and no code was run"""
    ends_run = True

def _refuse(layer, why):
    """Say which layer is missing, what it would have stopped, and how to go on"""
_KEEP_ENV = ('PATH', 'LANG', 'LC_ALL', 'SYSTEMROOT', 'TMPDIR', 'TEMP')
BIRTHS = ('fork', 'spawn') if hasattr(os, 'fork') else ('spawn',)

class Repl(LocalInterpreter):
    """dspy's local interpreter in a process of ours: scrubbed, bounded, in an empty folder, locked unless trusted"""
    birth = BIRTHS[0]
    profile = 'locked'
    ready = ''
    _open_calls = 0
    _has_run = False

    def start(self) -> None:
        """Start it, if it does not run; raises `NotLocked`, or `CodeInterpreterError` where that fails otherwise"""

    def _kill(self):
        ...

    def shutdown(self) -> None:
        """Stop it; its variables and its folder are gone"""

    def _begin(self, folder):
        """Its process"""

    def _read_responses(self, process):
        """Put what it sends on the queue, line by line"""

    def _send(self, message, *process):
        ...

    def _check_order(self):
        """End a REPL whose next message is not the answer to a word that nobody knew before: a step wrote more results than one"""

    def _receive(self, deadline, timeout_message):
        """The next message; a REPL that sends none in time, or nonsense, is ended"""

    def _next_line(self, deadline, timeout_message):
        """What is on the queue, as soon as it is there"""

    def _end(self, why) -> NoReturn:
        """Kill it, and say why"""

def _script():
    ...

def _locks():
    ...

def _env():
    ...

def _spawn(folder):
    """A REPL started from scratch"""

def _fork_once(how):
    """A REPL from this process's fork server"""

def _fork(how):
    """A forked REPL; from a new server if the old one has been killed"""

@lru_cache(maxsize=4)
def _tried(pid, locks):
    """Put the lock on once, for the sake of what goes wrong"""

@lru_cache(maxsize=4)
def _tried_wasm(folder):
    """Start Pyodide once, for the sake of what goes wrong"""

def check_profile(profile: str) -> str:
    """The profile, if code can run under it here; raises `NotLocked` or `NoWasm`"""

@lru_cache(maxsize=1)
def lock_holds() -> bool:
    """Can code be locked on this machine?"""
UNREAD_BYTES = 8000000

class _Lines(Queue):
    """What a REPL sent and nobody has read; whoever brings more than it holds waits until there is room"""

    def _init(self, maxsize):
        ...

    def _qsize(self):
        ...

    def _put(self, item):
        ...

    def _get(self):
        ...

    def close(self):
        """Let go whoever waits for room"""
MESSAGE_CHARS = 4000000
SCRATCH_MB = 64
MOST_AT_ONCE = 64
_WEIGH_SECS = 0.5
_ORDER_SECS = 10
_ENDS = ('result', 'final', 'syntax', 'execution_error')
_ENTRY_BYTES = 4096
_MOST_OF_A_FILE = 16 * 2 ** 20

def _room(status):
    """Bytes that a file takes: its length, or its blocks where they are more"""

def _weight(folder):
    """Bytes of a folder and what is in it; without end where folders lie too deep in each other to be looked into"""

def _unlinked(pid, folder):
    """Bytes of files without a name that a process holds open or mapped; 0 where the system does not tell (no /proc)"""
