# Written by `rbkit stubs` from the module beside it; do not edit.
from dspy.primitives.code_interpreter import CodeInterpreterError
from pathlib import Path
from dspy.primitives.python_interpreter import PythonInterpreter
import dspy.primitives.python_interpreter as _stock
from rbkit.ground.settings import import_dspy
from functools import lru_cache
from rbkit.ground.settings import setting
import tempfile
'A second wall, for machines that have no lock: Python in WebAssembly, in a process that may open nothing'
__all__ = ['dspy', 'HASH_SEED', 'MESSAGE_CHARS', 'fetched', 'NoWasm', 'pyodide_folder', 'own_folder', 'Wasm']
dspy = import_dspy()
_RUNNER = Path(_stock.__file__).with_name('runner.js')

@lru_cache(maxsize=1)
def fetched() -> list[str]:
    """What dspy's runner would fetch when it starts"""
_LINES = 'export async function* readLines(reader) {\n  const decoder = new TextDecoder(), part = new Uint8Array(65536);\n  let rest = "";\n  for (let n; (n = await reader.read(part)) !== null;) {\n    const lines = (rest + decoder.decode(part.subarray(0, n), { stream: true })).split("\\n");\n    rest = lines.pop();\n    yield* lines;\n  }\n  if (rest) yield rest;\n}\n'
HASH_SEED = '0'
_PYODIDE = 'import { createRequire } from "node:module";\nimport { loadPyodide } from "FOLDER_URI/pyodide.mjs";\nglobalThis.require = createRequire("FOLDER_URI/pyodide.mjs");\nglobalThis.__dirname = "FOLDER";\nconst env = { PYTHONHASHSEED: "HASH_SEED" };\nexport default { loadPyodide: (how) => loadPyodide({ ...how, env, indexURL: "FOLDER/" }) };\n'

def _write_map(place: Path, folder: Path) -> Path:
    """Files that stand for what is fetched, and the map that leads to them"""

class NoWasm(CodeInterpreterError):
    """Pyodide could not be started, and no code was run"""
    ends_run = True

def _refuse(why):
    ...

def _wanted_version() -> str:
    ...

def pyodide_folder(given: str | Path | None=None) -> Path:
    """The folder of Pyodide's files, if they are of the version that dspy's runner is for"""
_KEEP_ENV = ('PATH', 'LANG', 'LC_ALL', 'SYSTEMROOT', 'TEMP')
_DIE_WITH_US = 'import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execv(sys.argv[1], sys.argv[1:])'
_PAGES_PER_MB = 16

def _command(place: Path, max_mb: int) -> list[str]:
    """How Deno is started: with leave to read what it is made of, and no other"""

def _remove(folder):
    """Remove a folder, however deep its folders lie in each other"""

class _Own(tempfile.TemporaryDirectory):
    """A folder that can be removed whatever was done in it"""

    def cleanup(self):
        ...
_LEFT_SECS = 24 * 3600

@lru_cache(maxsize=8)
def _sweep(kind):
    """Remove folders of processes that are no more"""

def own_folder(kind: str) -> tempfile.TemporaryDirectory:
    """An empty folder of this process; what processes that were killed have left is removed"""
_BRIDGE = '\nimport json as _json\nfrom pyodide.ffi import run_sync as _rb_wait\ndef _rb_bridge(name):\n    def call(*args, **kwargs):\n        said = _rb_wait(_js_tool_call(name, _json.dumps({"kwargs": {"args": args, "kwargs": kwargs}})))\n        if isinstance(said, str): return _json.loads(said)\n        raise RuntimeError(said.to_py().get("message", "the tool said nothing"))\n    return call\ndef _rb_final(names):\n    def SUBMIT(*args, **kwargs):\n        if args and kwargs: raise TypeError("SUBMIT accepts positional or keyword values, not both")\n        values = dict(zip(names, args)) if args else kwargs\n        if set(values) != set(names) or len(args) > len(names):\n            raise TypeError("SUBMIT fields do not match the configured output fields")\n        raise _DSPyFinalOutput(values)\n    return SUBMIT\ndef _rb_begin(tools, names):\n    globals().update({name: _rb_bridge(name) for name in tools}, SUBMIT=_rb_final(names))\n'
MESSAGE_CHARS = 4000000

class Wasm(PythonInterpreter):
    """dspy's Pyodide interpreter, from files of this machine, with a clock and a cap of memory"""
    profile = 'wasm'
    ready = ''

    def __init__(self, execution_timeout: float=60.0, max_mb: int | None=None):
        self._place = own_folder('wasm')
        place = Path(self._place.name).resolve()
        super().__init__(deno_command=_command(place, setting('wasm_max_mb', max_mb)))
        self.step_secs = execution_timeout

    def _register_tools(self):
        """Tools are made by `_BRIDGE`"""

    def _spawn_process(self):
        ...

    def _read_response_line(self, context):
        ...

    def invoke_tool(self, tool_name: str, kwargs: dict) -> str:
        """What a tool returns, as JSON"""

    def _within(self, secs, call):
        """What a call returns, unless it takes longer: then the process is killed"""

    def execute(self, code: str, variables: dict | None=None) -> object:
        """Evaluate an expression; raises `CodeExecutionError`, or `CodeInterpreterError` where the process has ended"""

    def shutdown(self) -> None:
        """End it, whatever it does"""
