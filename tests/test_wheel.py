"The wheel with its lab runs an experiment in an environment outside the checkout that holds what it asks for and nothing else; without the lab it is light, and says what it lacks"
import json, os, shutil, sys, sysconfig, venv, zipfile
from importlib.metadata import distribution
from pathlib import Path
import pytest
from packaging.requirements import Requirement
from house import clean_env, experiments, modules, notebooks, root, sh

@pytest.fixture(scope="module")
def wheel(tree, tmp_path_factory):
    "Built in a copy, so that the checkout stays clean"
    to = tmp_path_factory.mktemp("wheel")
    sh(sys.executable, "-m", "build", "--wheel", "--outdir", to, tree, check=True, secs=900)
    return next(to.glob("*.whl"))

def test_wheel_holds_the_house(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    home = [*(p for p in notebooks if "benchmarks" not in p.parts), root/"settings.ini", *(p for p in (root/"seeds").rglob("*") if p.is_file())]
    wanted = {p.relative_to(root).as_posix() for p in (*modules, root/"rbkit/py.typed")} | {f"rbkit/_home/{p.relative_to(root).as_posix()}" for p in home}
    assert not wanted-names, f"the wheel lacks {sorted(wanted-names)[:9]}"
    assert not [n for n in names if n.startswith(("tests", "results", "rbkit/_home/tests", "rbkit/_home/results", "rbkit/_home/rbkit")) or "__pycache__" in n]
    assert {n for n in names if n.startswith("rbkit/_home/") and n.count("/") == 2} == {"rbkit/_home/settings.ini"}, "of the root's own files, settings alone"
    meta = next(zipfile.ZipFile(wheel).read(n).decode() for n in names if n.endswith("/METADATA"))
    assert "License-Expression: Apache-2.0" in meta and "License-File: LICENSE" in meta and "Provides-Extra: dev" in meta

def alone(bins, **more):
    env = clean_env(PATH=f"{bins}{os.pathsep}{os.environ['PATH']}", **more)
    return {k: v for k, v in env.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}

def asked_of(meta): return [l.split(": ", 1)[1] for l in meta.splitlines() if l.startswith("Requires-Dist: ")]

def closure(asked, *extras):
    "The distributions that requirements lead to, and theirs in turn, as they are installed here"
    found, todo = {}, [(Requirement(r), extra) for r in asked for extra in ("", *extras)]
    while todo:
        r, extra = todo.pop()
        if r.marker and not r.marker.evaluate(dict(extra=extra)): continue
        dist, known = distribution(r.name), found.setdefault(r.name.lower().replace("_", "-"), set())
        assert r.specifier.contains(dist.version, prereleases=True), f"{r} is asked for, {dist.version} is here"
        for e in {"", *r.extras}-known: known.add(e); todo += [(Requirement(x), e) for x in dist.requires or ()]
    return [distribution(n) for n in found]

def lend(dist, site):
    "Link a distribution's packages into another environment, compiled as they are, and its other files, all but its commands"
    here = Path(sysconfig.get_path("purelib")).resolve()
    packages = {Path(f).parts[0] for f in dist.files or () if Path(f).name == "__init__.py" and len(Path(f).parts) == 2}
    for name in packages:
        if not (site/name).exists(): (site/name).symlink_to(here/name)
    for f in dist.files or ():
        if Path(f).parts[0] in packages: continue
        at, to = Path(f.locate()).resolve(), Path(os.path.normpath(site/f))
        if not at.is_file() or not at.is_relative_to(here) and "share" not in f.parts: continue
        to.parent.mkdir(parents=True, exist_ok=True)
        if not to.exists(): to.symlink_to(at)

@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    "The bin folder of a new environment that holds the wheel and, lent from this one, what it asks for"
    home = tmp_path_factory.mktemp("env")/"env"
    venv.create(home, symlinks=os.name != "nt")
    bins = home/("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", bins/"python", "--disable-pip-version-check"]
    sh(*pip, "install", "-q", "--no-deps", "--no-index", wheel, secs=900, check=True, env=alone(bins))
    site = Path(sh(bins/"python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", env=alone(bins), check=True).stdout.strip())
    meta = next(site.glob("rbkit-*.dist-info/METADATA")).read_text()
    for dist in closure(asked_of(meta), "lab"): lend(dist, site)
    sh(*pip, "check", check=True, env=alone(bins))
    assert not list(site.glob("nbdev*")), "what only `dev` asks for is not lent"
    return bins

def site_of(bins): return Path(sh(bins/"python", "-c", "import rbkit; print(rbkit.__file__)", cwd=bins, env=alone(bins), check=True).stdout.strip()).parent

def test_installed_wheel_runs_e1(installed, tmp_path):
    site = site_of(installed)
    assert root not in site.parents
    before = {p for p in site.rglob("*") if "__pycache__" not in p.parts}
    r = sh(installed/"rbkit", "run", "E1", "--n-tasks", 3, "--n-repeats", 1, cwd=tmp_path, env=alone(installed), check=True)
    folder = next((tmp_path/"results"/"E01").glob("*"))
    m = json.loads((folder/"run.json").read_text())
    assert m["status"] == "success" and m["rows"] == m["expected_rows"] == 6 and m["verdict"] and "Traceback" not in r.stderr
    for f in ("report.html", "report.md", "report.ipynb", "figure.png", "rows.jsonl"): assert (folder/f).stat().st_size > 100
    assert {p.name for p in tmp_path.iterdir()} == {"results"}, "a run leaves nothing but its results"
    assert {p for p in site.rglob("*") if "__pycache__" not in p.parts} == before, "a run wrote into the installed package"

def test_the_book_is_taken_out_of_an_installed_wheel(installed, tmp_path):
    said = sh(installed/"rbkit", "book", "mine", "--no-open", cwd=tmp_path, env=alone(installed), check=True).stdout
    taken = {p.relative_to(tmp_path/"mine").as_posix() for p in (tmp_path/"mine").rglob("*") if p.is_file()}
    assert {p.relative_to(root).as_posix() for p in notebooks} <= taken and "settings.ini" in taken and str(len(notebooks)) in said
    lacks = sh(installed/"rbkit", "docs", "build", cwd=tmp_path, env=alone(installed))
    assert lacks.returncode == 1 and "rbkit[docs]" in lacks.stderr

def test_what_writes_into_a_clone_is_refused_in_an_installed_wheel(installed, tmp_path):
    before = {p: p.stat().st_mtime_ns for p in site_of(installed).rglob("*") if p.is_file() and p.suffix != ".pyc"}
    r = sh(installed/"rbkit", "readme", cwd=tmp_path, env=alone(installed))
    assert r.returncode == 1 and "installed from a wheel" in r.stderr and "pip install -e" in r.stderr and len(r.stderr.splitlines()) == 1
    assert {p: p.stat().st_mtime_ns for p in site_of(installed).rglob("*") if p.is_file() and p.suffix != ".pyc"} == before

def test_installed_command_line(installed, tmp_path):
    run = lambda *a: sh(installed/"rbkit", *a, cwd=tmp_path, env=alone(installed), check=True).stdout
    assert run("--version").startswith("rbkit ")
    assert "E01 · A bare model" in run("list") and '"installed": true' in run("doctor", "--json")
    assert "sound" in run("tasks", "check", "seeds/toy")
    assert not list(tmp_path.iterdir())

# The light part

LIGHT_MB, LIGHT_PACKAGES = 120, 25 # as installed, this kit included

def test_the_light_install_is_small(wheel):
    names = zipfile.ZipFile(wheel)
    meta = next(names.read(n).decode() for n in names.namelist() if n.endswith("/METADATA"))
    lent = [d for d in closure(asked_of(meta)) if d.metadata["Name"].lower() != "rbkit"]
    size = sum(f.locate().stat().st_size for d in lent for f in d.files if f.locate().is_file() and "__pycache__" not in f.parts)
    size += sum(i.file_size for i in names.infolist())
    assert len(lent)+1 <= LIGHT_PACKAGES and size < LIGHT_MB*1e6, f"{len(lent)+1} packages, {size/1e6:.0f} MB"

HIDE = """
import contextlib, io, sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN: raise ModuleNotFoundError(f"No module named {name!r}", name=name.partition(".")[0])
from rbkit.ground.extras import BRINGS
HIDDEN = {p for extra, packages in BRINGS.items() if extra != "mcp" for p in packages} | {"IPython", "litellm", "nbformat", "jinja2"}
sys.meta_path.insert(0, Hidden())
"""

def without_lab(code): return sh(sys.executable, "-c", HIDE+code, check=True).stdout

def test_bank_retrieval_and_service_need_no_lab():
    "Every module of the light parts is imported, and the first names of a memory are used, where the lab's packages cannot be imported"
    said = without_lab("""
from importlib import import_module
from pkgutil import iter_modules
for part in ("ground", "retrieval", "bank"):
    for m in iter_modules(import_module(f"rbkit.{part}").__path__): import_module(f"rbkit.{part}.{m.name}")
from rbkit.policies import consolidation, forgetting, service
from rbkit.reports import banks, cli
from rbkit import Bank, Item, Service
memory = Service(gate="open")
memory.add_experiences(dict(run="r", success=True, items=[dict(title="Count once", description="How many", content="COUNT(DISTINCT ?x)")]))
print([x.title for x in memory.retrieve_strategies("How many are there?")])
""")
    assert said == "['Count once']\n"

def test_what_is_missing_is_named_with_its_extra(tmp_path):
    "No traceback, and a command that can be typed"
    said = without_lab(f"""
from rbkit.reports.cli import main
for argv in (["run", "E1"], ["list"], ["view", "x"], ["plan", "E2"], ["batch", "x"], ["tasks", "check", "x"]):
    with contextlib.redirect_stderr(io.StringIO()) as err: code = main(argv)
    print(code, err.getvalue().strip())
rules = "{tmp_path}/rules.md"
open(rules, "w").write("# Rules\\n\\n## Say the unit [success]\\n\\nAny length.\\n\\nName the unit.\\n")
assert main(["bank", "import", rules, "--into", "{tmp_path}/m.db"]) == main(["bank", "show", "{tmp_path}/m.db"]) == main(["bank", "health", "{tmp_path}/m.db"]) == main(["doctor"]) == 0
import rbkit
for name in ("load_graph", "make_tools", "run_agent", "ablate", "learn", "ContextBuilder"):
    try: getattr(rbkit, name)
    except ImportError as e: print(1, f"rbkit: {{e}}")
""")
    lines = [l for l in said.splitlines() if l.startswith("1 rbkit: ")]
    assert len(lines) == 12 and all(l.endswith("pip install 'rbkit[lab]'.") for l in lines), said
    assert "Say the unit" in said and "quarantine" in said

def test_the_site_names_its_own_extra_at_once():
    "Not the lab's first, and its own after that"
    said = without_lab("""
HIDDEN |= {"sphinx", "myst_nb", "furo"}
from rbkit.reports.cli import main
with contextlib.redirect_stderr(io.StringIO()) as err: code = main(["docs", "build"])
print(code, err.getvalue().strip())
""")
    assert said.startswith("1 rbkit: ") and said.endswith("pip install 'rbkit[docs]'\n") and "rbkit[lab]" not in said

# Quick to import

@pytest.mark.parametrize("name, most", [("rbkit", .05), ("rbkit.context", 2)])
def test_import_is_quick_and_light(name, most):
    code = f"import sys, time; t = time.perf_counter(); import {name}; print(time.perf_counter()-t, [m for m in ('dspy', 'pandas', 'matplotlib', 'sklearn', 'papermill') if m in sys.modules])"
    best = min((sh(sys.executable, "-c", code, check=True).stdout.split(" ", 1) for _ in range(3)), key=lambda x: float(x[0]))
    assert best[1].strip() == "[]", f"import {name} loads {best[1]}"
    assert float(best[0]) < most, f"import {name} took {best[0]} s at best"

@pytest.mark.parametrize("name", ["ground.settings", "handles", "ground.ledger", "ground.text", "graphs.guard", "graphs.engines", "graphs.graph", "graphs.schema", "graphs.checks", "bank.events", "bank.bank", "bank.recall", "bank.health",
    "retrieval.bm25", "tools.toolset", "packers", "context"])
def test_early_chapters_do_not_load_dspy(name):
    sh(sys.executable, "-c", f"import sys, rbkit.{name}; assert 'dspy' not in sys.modules", check=True)
