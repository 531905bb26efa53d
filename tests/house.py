"Where things lie, and how the tests start a command"
import json, os, re, shutil, subprocess, sys, tempfile, time
from collections import Counter
from functools import lru_cache
from multiprocessing import forkserver, get_context
from pathlib import Path
import pytest

root = Path(__file__).resolve().parent.parent
data = (root/"../shared/data").resolve()
bins = Path(sys.executable).parent
part = re.compile(r"\d\d_")

def _place(p):
    "Parts by number and in each its chapters, then benchmarks, experiments and the like; the tables of contents last"
    if part.match(p.parent.name): return 0, p.parent.name, p.name
    return 1 if p.stem != "index" else 2, p.as_posix(), ""

notebooks = sorted((p for p in (root/"nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts), key=_place)
experiments = [p for p in notebooks if re.match(r"E\d\d_", p.stem)]
modules = sorted((root/"rbkit").rglob("*.py"))
def name_of(p): return p.relative_to(root/("nbs" if p.suffix == ".ipynb" else "rbkit")).with_suffix("").as_posix()

QUIET = dict(PYDEVD_DISABLE_FILE_VALIDATION="1", LITELLM_LOCAL_MODEL_COST_MAP="true") # dspy would fetch a price list from the network

def clean_env(**more):
    "The environment without what would change a run: settings by environment, and keys"
    keep = {k: v for k, v in os.environ.items() if not k.startswith("RBKIT_") and not k.endswith("_API_KEY")}
    return {**keep, "PATH": f"{bins}{os.pathsep}{keep.get('PATH', '')}", **QUIET, **more}

def sh(*command, cwd=None, secs=300, env=None, check=False):
    "Run a command to its end; its output stands in the failure message"
    r = subprocess.run([str(c) for c in command], cwd=cwd or root, env=env or clean_env(), capture_output=True, text=True, timeout=secs)
    assert not check or r.returncode == 0, f"{' '.join(map(str, command))} ended with {r.returncode}\n{r.stdout[-3000:]}\n{r.stderr[-5000:]}"
    return r

_HEARS = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])"

def start(*command):
    "Start a command that hears Ctrl-C, even where these tests run in a shell's background, whose processes are born deaf to it"
    argv = [sys.executable, "-c", _HEARS, *map(str, command)]
    return subprocess.Popen(argv, cwd=root, env=clean_env(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

# Commands and notebooks, without the seconds in which an interpreter imports

warm = get_context("forkserver") # a process that has imported what is slow to import; each notebook gets a fork of it
warm.set_forkserver_preload(["rbkit.reports.report", "rbkit.reports.cli", "rbkit.reports.batch", "papermill", "nbdev.test", "matplotlib.pyplot", "fastcore.test", "scipy.stats"])

@lru_cache(maxsize=None)
def warm_up():
    "Start that process; it looks for what it imports along PYTHONPATH alone, so that this folder has to be there while it starts"
    path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (path, str(root/"tests"))))
    try: forkserver.ensure_running()
    finally:
        if path is None: del os.environ["PYTHONPATH"]
        else: os.environ["PYTHONPATH"] = path

def forked(what, *args):
    "A process that does something, begun as a fork of the warm one"
    warm_up()
    p = warm.Process(target=what, args=args)
    p.start()
    return p

def into(out, err):
    "What this process says goes to two files from now on"
    for fd, path in ((1, out), (2, err)):
        with open(path, "a") as f: os.dup2(f.fileno(), fd)

def command(args, cwd, env, out, err):
    "Be the command `rbkit`, in a fork"
    into(out, err)
    os.environ.clear(); os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["rbkit", *args]
    from rbkit.reports.cli import main
    sys.exit(main())

def rbkit(*args, cwd=None, secs=300, env=None, check=False):
    "Run the command line to its end, in a fork of a process that has imported what it needs; tests of the wheel and of interruptions start the command itself"
    args = [str(a) for a in args]
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder)/"out", Path(folder)/"err"
        p = forked(command, args, cwd or root, env or clean_env(), out, err)
        p.join(secs)
        if p.is_alive():
            p.kill(); p.join()
            raise subprocess.TimeoutExpired(["rbkit", *args], secs, out.read_text(), err.read_text())
        r = subprocess.CompletedProcess(["rbkit", *args], p.exitcode, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))
    assert not check or r.returncode == 0, f"rbkit {' '.join(args)} ended with {r.returncode}\n{r.stdout[-3000:]}\n{r.stderr[-5000:]}"
    return r

def script(code, cwd, env, out, err):
    "Be a program of so much text, in a fork"
    into(out, err)
    os.environ.clear(); os.environ.update(env)
    os.chdir(cwd)
    exec(code, {"__name__": "__main__"})

class Fork:
    "A command or a program in such a fork, while it runs: it can be waited for and killed like any process"
    def __init__(self, folder, what, said, env=None):
        folder.mkdir(parents=True, exist_ok=True)
        self.out, self.err = (folder/f"{name}-{time.monotonic_ns()}" for name in ("out", "err"))
        for file in (self.out, self.err): file.touch()
        self.p = forked(what, said, root, env or clean_env(), self.out, self.err)
    returncode = property(lambda self: self.p.exitcode)
    def poll(self): return self.p.exitcode
    def kill(self): self.p.kill(); self.p.join()
    def communicate(self, timeout=None):
        self.p.join(timeout)
        assert self.p.exitcode is not None, f"it did not end in {timeout} s"
        return self.out.read_text(encoding="utf-8"), self.err.read_text(encoding="utf-8")

def told(outputs):
    "What the outputs of a cell say in words: printed text, values, pages of Markdown; a picture says nothing"
    said = []
    for o in outputs:
        if o["output_type"] == "stream" and o["name"] == "stdout": said.append("".join(o["text"]))
        data = o.get("data", {})
        if "image/png" not in data: said.append("".join(data.get("text/markdown", data.get("text/plain", ""))))
    lines = [re.sub(r" at 0x[0-9a-f]+", "", line).strip() for text in said for line in text.splitlines()]
    return "\n".join(filter(None, lines))

def execute(nb, said, fresh):
    "Execute a notebook as nbdev-test does, with its words in a file; where outputs have to be fresh, say which cells show something else than is stored"
    into(said, said)
    import nbdev.test
    if fresh:
        import pandas as pd
        pd.set_option("display.max_columns", 20) # as a notebook shows a table; a terminal leaves out what is too wide for it
    kept = []
    nbdev.test.write_nb = lambda book, path: kept.append(json.loads(json.dumps(book, default=dict)))
    if not nbdev.test.test_nb(nb, skip_flags=["notest", "net"], basepath=root, save=True)[0]: sys.exit(1)
    if not fresh: return
    stored = json.loads(nb.read_text(encoding="utf-8"))["cells"]
    pairs = [(i, told(was["outputs"]), told(now["outputs"])) for i, (was, now) in enumerate(zip(stored, kept[0]["cells"])) if was["cell_type"] == "code"]
    stale = [(i, was, now) for i, was, now in pairs if was != now]
    for i, was, now in stale: print(f"cell {i} stores\n{was[:1500]}\nand shows\n{now[:1500]}\n")
    if stale: sys.exit(f"{nb.name} stores other outputs than it gives: execute it anew")

def run_in_fork(nb, said, fresh=False):
    "Execute a notebook to its end; its words stand in the failure message"
    p = forked(execute, nb, said, fresh)
    p.join(400)
    if p.is_alive(): p.kill()
    assert p.exitcode == 0, f"{nb.stem} ended with {p.exitcode}\n{said.read_text()[-5000:]}"

# What a notebook holds

def cells(p): return [(c["cell_type"], "".join(c["source"]), c["metadata"].get("tags", []), c.get("outputs", [])) for c in json.loads(p.read_text(encoding="utf-8"))["cells"]]
def parameter_cells(p): return [s for kind, s, tags, _ in cells(p) if kind == "code" and "parameters" in tags]

# What a run leaves

def only(folder, exp): return next((folder/exp).glob("*"))
def rows(folder):
    from rbkit.ground.text import read_lines
    return read_lines(folder/"rows.jsonl")
def manifest(folder): return json.loads((folder/"run.json").read_text(encoding="utf-8"))
KEY = ("config", "task", "task_hash", "repeat", "stream", "code", "context_hash")
def identity(r): return *(r[k] for k in KEY), r.get("phase"), r.get("position")

def complete(folder):
    "Assert that a run is whole; its rows"
    m, found = manifest(folder), rows(folder)
    assert m["status"] == "success" and m["rows"] == m["expected_rows"] == len(found) == len({identity(r) for r in found})
    if m["unit"] == "stream":
        walks = Counter((r["config"], r["stream"]) for r in found)
        assert len(walks) == len(m["arms"])*m["settings"]["n_streams"] and len(set(walks.values())) == 1, "streams differ in length"
    else: assert len({r["task"] for r in found})*len(m["arms"])*m["settings"]["n_repeats"] == len(found), "rows are not arms x tasks x repeats"
    return found

def blocks(p):
    "The sh blocks of a document, as lines"
    return [b.strip().splitlines() for b in re.findall(r"```sh\n(.*?)```", p.read_text(encoding="utf-8"), re.S)]

def slow(*values):
    "A case that only `pytest -m slow` runs, since another one like it runs always"
    return pytest.param(*values, marks=pytest.mark.slow)

# A browser

browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
in_browser = pytest.mark.skipif(not browser, reason="no chromium on this machine (Debian: apt-get install chromium)")

# Where code runs

@lru_cache(maxsize=None)
def no_lock():
    "Why no code can be locked on this machine; empty where it can"
    from rbkit.agents.repl import NotLocked, check_profile
    try: check_profile("locked")
    except NotLocked as e: return f"this machine cannot lock: {str(e).partition('. ')[0][:150]}"
    return ""

QUIET.update({k: os.environ[k] for k in ("RBKIT_WASM_PATH",) if k in os.environ}) # what is there to be tested with
if no_lock() and os.environ.get("RBKIT_MUST_LOCK"): pytest.exit(f"RBKIT_MUST_LOCK is set, and {no_lock()}. Unset it to skip the tests of the lock.", returncode=1)
if no_lock(): QUIET["RBKIT_INTERPRETER"] = "trusted" # tests of the lock are skipped, and say why; all others go on without it
