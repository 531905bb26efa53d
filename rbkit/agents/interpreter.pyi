# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from dspy.primitives.code_interpreter import CodeInterpreterError
from dspy.primitives.code_interpreter import FinalOutput
from rbkit.ground.ledger import Ledger
from collections.abc import Sequence
from rbkit.ground.settings import import_dspy
from rbkit.agents.repl import profile_of
'Tools are called as one would call any function, and no step is lost'
__all__ = ['dspy', 'MOST', 'PRELUDE', 'too_much', 'UsedUp', 'Interpreter']
dspy = import_dspy()
_REF = '\nclass Ref(dict):\n    def __repr__(self): return self._rows() if "rows" in self else self._size()\n    __str__ = __repr__\n    def _size(self): return f"Ref({self[\'key\']!r}, {self[\'dtype\']}, {self[\'sz\']} chars)"\n    def _rows(self):\n        rows, total = self["rows"], self["total"]\n        more = " (the graph has more)" if self.get("truncated") else ""\n        lines = [f"{self[\'key\']}: {total} rows{more}, columns {self[\'columns\']}", *map(str, rows)]\n        if total > len(rows): lines.append(f"... {total-len(rows)} rows more; r.all() has every one")\n        if "note" in self: lines.append(self["note"])\n        return "\\n".join(lines)\n    def all(self):\n        rows = []\n        while len(rows) < self["total"]:\n            page = (globals().get("sql_slice") or sparql_slice)(self["key"], len(rows), 10**6)\n            if not page.get("rows"): raise RuntimeError(page.get("error", "no more rows"))\n            rows += page["rows"]\n        return rows\n    def __getattr__(self, k):\n        if k in self: return self[k]\n        raise AttributeError(f"a Ref has {\', \'.join(self)}")\nclass _Mistake(dict):\n    def __getattr__(self, k): raise AttributeError(f"the call failed: {self[\'error\']} Try: {self.get(\'try\', \'\')}")\n'
MOST = dict(code=50000, answer=200000, argument=100000, reply=1000000, error=1000, depth=50)

def too_much(value: object, what: str, most: int) -> str:
    """What to say of a value that is too large, too deep or no JSON, and cannot be passed on"""

def _levels(value):
    """How deep a value is nested"""
_VALUES = f'_rb_most = {MOST}' + _REF + '\nimport ast as _ast, contextlib as _ctx, io as _io, json as _json, os as _os, sys as _sys\n_sys.stdin = _io.StringIO() # input() would wait for ever\ndef _rb_in(v):\n    if isinstance(v, dict):\n        kind = Ref if {"key", "dtype", "sz"} <= v.keys() else _Mistake if "error" in v else dict\n        return kind((k, _rb_in(x)) for k, x in v.items())\n    return [_rb_in(x) for x in v] if isinstance(v, list) else v\ndef _rb_out(v, deep=2):\n    if deep > _rb_most["depth"]: raise ValueError(f"what is nested deeper than {deep-1} levels is not passed on")\n    if isinstance(v, Ref): return v["key"]\n    if isinstance(v, dict): return {str(k): _rb_out(x, deep+1) for k, x in v.items()}\n    if isinstance(v, (list, tuple, set, frozenset)): return [_rb_out(x, deep+1) for x in v]\n    if isinstance(v, float) and v-v != 0: return str(v)\n    return v if isinstance(v, (str, int, float, bool)) or v is None else str(v)\ndef _rb_fits(v, what, kind):\n    chars, most = len(_json.dumps(v)), _rb_most[kind]\n    if chars > most: raise ValueError(f"{what} takes {chars:,} characters, and at most {most:,} are passed on")\n    return v\n'
_CALLS = _VALUES + '\ndef _rb_tool(name, raw):\n    def call(*a, **k):\n        a, k = _rb_fits([_rb_out(a), _rb_out(k)], f"what {name} is given", "argument")\n        return _rb_in(raw(*a, **k))\n    call.__name__ = name\n    return call\ndef _rb_submit(raw, fields):\n    def SUBMIT(*a, **k):\n        k = {**dict(zip(fields, a)), **k}\n        if "sparql" in fields: k.setdefault("sparql", "")\n        return raw(*a[len(fields):], **_rb_fits(_rb_out(k, 1), "the answer", "answer"))\n    return SUBMIT\nclass _rb_Printed(_io.TextIOBase):\n    def __init__(self, cap): self.cap, self.kept, self.chars = cap, [], 0\n    def writable(self): return True\n    def write(self, text):\n        if not isinstance(text, str): raise TypeError(f"string argument expected, got {type(text).__name__!r}")\n        if self.chars < self.cap: self.kept.append(text[:self.cap-self.chars])\n        self.chars += len(text)\n        return len(text)\n'
PRELUDE = _CALLS + '\ndef _rb_error(e):\n    tb, line, most = e.__traceback__, getattr(e, "lineno", None), _rb_most["error"]\n    while tb: line, tb = (tb.tb_lineno if tb.tb_frame.f_code.co_filename == "<step>" else line), tb.tb_next\n    try: said = f"{type(e).__name__}: {e}"\n    except Exception: said = f"{type(e).__name__}, which cannot be shown"\n    if len(said) > most: said = f"{said[:most]} ... cut at {most:,} of {len(said):,} characters"\n    return said+(f" (line {line})" if line else "")\ndef _rb_run(_src, _names, _fields, _cap):\n    g, out, shown, error = globals(), _rb_Printed(_cap), "", None\n    for n in _names: g[n] = _rb_tool(n, g[n])\n    g["SUBMIT"] = _rb_submit(g["SUBMIT"], _fields)\n    try:\n        tree = _ast.parse(_src)\n        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], _ast.Expr) else None\n        with _ctx.redirect_stdout(out):\n            exec(compile(tree, "<step>", "exec"), g)\n            value = eval(compile(_ast.Expression(last.value), "<step>", "eval"), g) if last else None\n            if value is not None: shown = repr(value)\n    except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit) as e: error = _rb_error(e)\n    finally:\n        with _ctx.suppress(Exception): _os.ftruncate(1, 0) # written past print\n    text, chars = "".join(out.kept)+shown[:_cap], out.chars+len(shown)\n    cut = text if chars <= _cap else text[:_cap]+f"\\n... cut at {_cap} of {chars} characters"\n    return {"text": cut, "chars": chars, "error": error}\n'

class UsedUp(CodeInterpreterError):
    """The code ended its REPL more often than it is restarted"""

class Interpreter:
    """A REPL that restarts after a crash, keeps what was printed, logs every step, and caps what crosses"""
    execution_instructions = 'Code runs as Python in a persistent REPL; state persists. Tools are global functions that take positional or keyword arguments and return dicts; a handle prints what it stands for and works as a tool argument.'

    def __init__(self, tools: Sequence[Callable]=(), ledger: Ledger | None=None, trace: list[dict] | None=None, step_secs: float=60.0, max_chars: int=4000, max_restarts: int=3, profile: str | None=None):
        self.own = {t.__name__: t for t in tools}
        self.tools = {}
        self.output_fields = None
        self.ledger = ledger
        self.trace = trace if trace is not None else []
        self.step_secs = step_secs
        self.max_chars = max_chars
        self.restarts = 0
        self.max_restarts = max_restarts
        self.profile = profile_of(profile)
        self._worker = None

    def start(self) -> None:
        """Start the worker, if it does not run"""

    def shutdown(self) -> None:
        """Stop the worker; its variables are gone"""

    def _restart(self, why):
        """Start the worker anew, or give up after the last restart; what to tell the model"""

    def _send(self, code, variables):
        """Run one step in the worker; what the prelude returns, or the submission"""

    def _run(self, code, variables):
        """Run one step; an error of the code, or the end of its process, is a part of what came of it"""

    def _told(self, found, code, secs):
        """Enter a step into the trace; what the model is shown of it"""

    def execute(self, code: str, variables: dict | None=None) -> str | FinalOutput | None:
        """Run a step; raises `CodeInterpreterError` where the REPL cannot be kept running"""

    def __call__(self, code, variables=None):
        """Run a step, as dspy calls it"""

    def variables(self) -> str:
        """Names, kinds and sizes of what the REPL holds, a line each"""

def _counted(f, ledger):
    """A tool of dspy's (a question to a sub-model, or a list of them), entered into the ledger"""

def _without_places(f, args, kwargs):
    """Call a tool; an error that it raises keeps its name, and says nothing of where things lie on this machine"""

def _capped(f, name):
    """A tool that takes and returns no more than crosses"""
_KINDS = dict(text=str, chars=int, error=(str, type(None)))

def _believed(found):
    """What came of a step, if it has the form of a submission or of the prelude's report; else an error"""

def _error(said):
    ...

def _cut(text, most):
    """A text up to a cap, which is named where it was cut"""
_NOTE = 100

def _output_of(found):
    """What a step printed; of the last step, what it submitted"""
_NAMES = '[f"{k}: {type(v).__name__}" + (f", {len(v)} long" if isinstance(v, (str, list, tuple, dict, set)) else\n    f", {v}" if isinstance(v, (int, float)) else "") for k, v in list(globals().items())\n    if k[0] != "_" and not callable(v) and type(v).__name__ != "module"][-40:]'
