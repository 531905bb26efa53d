"The promises that the notebooks cannot make about themselves"
import ast, builtins, dis, gzip, json, re, shutil
import pytest
from house import blocks, cells, clean_env, experiments, modules, name_of, no_lock, notebooks, parameter_cells, root, run_in_fork

def code(p): return [s for kind, s, *_ in cells(p) if kind == "code"]
def exported(p): return [s for s in code(p) if re.match(r"#\|\s*exports?\b", s)]
def module(p): return next((m[1] for s in code(p) if (m := re.search(r"^#\|\s*default_exp\s+(\S+)", s, re.M))), None)

def plain(source):
    "A cell's Python, without the lines that speak to the notebook or the shell"
    return "\n".join(l for l in source.splitlines() if not l.lstrip().startswith(("%", "!")))

def imported(source):
    "Modules of ours that a cell imports, wherever in it"
    out = set()
    for n in ast.walk(ast.parse(plain(source))):
        if isinstance(n, ast.ImportFrom) and n.module and n.module.split(".")[0] == "rbkit":
            inside = {f"{n.module}.{a.name}"[6:] for a in n.names}
            last = max((m for m in order if m.startswith(f"{n.module[6:]}.")), key=order.get, default="")
            out |= {n.module[6:]} if n.module[6:] in order else {m if m in order or not last else last for m in inside} # a package gives what its chapters hold
        if isinstance(n, ast.Import): out |= {a.name[6:] for a in n.names if a.name.startswith("rbkit.")}
    return {m for m in out if not m.startswith("__")}

order = {m: i for i, p in enumerate(notebooks) if (m := module(p))}
book = dict(argvalues=notebooks, ids=name_of)
exps = dict(argvalues=experiments, ids=name_of)
public = [p for p in modules if not p.name.startswith("_")]

# Imports and exports

def test_there_is_a_book(): assert len(notebooks) > 20 and len(experiments) >= 6 and len(order) == len([p for p in notebooks if module(p)])

@pytest.mark.parametrize("nb", **book)
def test_imports_run_one_way(nb):
    mine = module(nb)
    late = {m for s in exported(nb) for m in imported(s) if order[m] >= order[mine]}
    assert not late, f"{nb.name} exports code that imports {late}, which the reader has not met yet"

def test_nothing_imports_a_star():
    for nb in notebooks:
        for s in exported(nb): assert not re.search(r"import\s+\*", s), f"{nb.name} exports an `import *`"

# Names: a chapter that is executed late, or on a slow day, still says each name that it uses

GIVEN = {*dir(builtins), "__annotations__", "In", "display", "get_ipython"} # Python's own and a notebook's

def names(body, *opcodes):
    "Names that a piece of compiled code, and the functions within it, look up or set outside of themselves"
    found = {step.argval for step in dis.get_instructions(body) if step.opname in opcodes}
    return found.union(*(names(inner, *opcodes) for inner in body.co_consts if hasattr(inner, "co_code")))

def unknown(source):
    "Names that a notebook's code uses and nobody gives"
    body = compile(source, "a notebook", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return names(body, "LOAD_NAME", "LOAD_GLOBAL") - names(body, "STORE_NAME", "STORE_GLOBAL") - GIVEN

def test_an_unknown_name_is_found(): assert unknown("def f(x): return json.dumps(x)\nfor y in 'ab': f(y)") == {"json"}

@pytest.mark.parametrize("nb", **book)
def test_every_name_is_given(nb): assert not unknown("\n".join(map(plain, code(nb))))

# Parameters

@pytest.mark.parametrize("nb", **exps)
def test_one_parameters_cell(nb):
    assert len(parameter_cells(nb)) == 1, f"{nb.name} has {len(parameter_cells(nb))} cells tagged `parameters`; papermill would silently run the defaults"

# Every notebook runs

chapters = [p for p in notebooks if p not in experiments] # experiments run under papermill, in test_reports

LOCKS = ("01_lock", "02_repl", "03_interpreter", "live", "locked", "safety") # show the lock at work

LATER_PARTS = ("benchmarks/", "12_reports/", "worlds/", # long ones, whose code has tests of its own
    "experiments/E") # and those that test_reports.py executes, with smaller numbers
LATER = ("09_worlds/09_scienceworld", "09_worlds/11_text_games", "08_policies/02_measurement", "experiments/index",
    *(f"11_trials/{name}" for name in ("09_ablation", "10_plans", "14_learning", "15_stream_plans", "22_between")))

def is_later(name):
    "Is a notebook executed by `pytest -m slow` alone?"
    return name in LATER or name.startswith(LATER_PARTS) and name != "worlds/bring_your_own"

def when(p): return pytest.param(p, id=name_of(p), marks=[pytest.mark.slow] if is_later(name_of(p)) else [])

@pytest.mark.parametrize("nb", [when(p) for p in chapters])
def test_notebook_runs(nb, tmp_path):
    if nb.stem in LOCKS and no_lock(): pytest.skip(no_lock())
    run_in_fork(nb, tmp_path/"said")

@pytest.mark.slow
@pytest.mark.parametrize("nb", [pytest.param(p, id=name_of(p)) for p in chapters if not name_of(p).startswith("benchmarks/")]) # where times are shown
def test_a_chapter_stores_what_it_shows(nb, tmp_path):
    if nb.stem in LOCKS and no_lock(): pytest.skip(no_lock())
    run_in_fork(nb, tmp_path/"said", fresh=True)

# Rules of the house

def never_ran(source):
    "Refusals that a cell announces and never tries: expect_fail judges the body of a `with`, and calls nothing that it is given"
    if "expect_fail" not in source: return []
    tree = ast.parse(plain(source))
    judged = {id(item.context_expr) for n in ast.walk(tree) if isinstance(n, (ast.With, ast.AsyncWith)) for item in n.items}
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func).split(".")[-1] == "expect_fail"]
    return [ast.unparse(n) for n in calls if id(n) not in judged or any(isinstance(a, ast.Lambda) for a in [*n.args, *(k.value for k in n.keywords)])]

@pytest.mark.parametrize("source, n", [("with expect_fail(ValueError, 'no'): f()", 0), ("with a() as b, expect_fail(E): f(b)", 0), ("with expect_fail(lambda: f()): pass", 1),
    ("expect_fail(lambda: f(), 'no')", 1), ("def f():\n    expect_fail(ValueError)", 1), ("with expect_fail(E), test.expect_fail(contains=lambda: 1): f()", 1)])
def test_a_refusal_that_never_ran_is_found(source, n): assert len(never_ran(source)) == n

@pytest.mark.parametrize("nb", **book)
def test_every_refusal_is_tried(nb):
    found = [said for s in code(nb) for said in never_ran(s)]
    assert not found, f"{nb.name} calls nothing with {found[0]}; write `with expect_fail(ValueError, ...): f()`"

STAGED = {"how_to/live", "how_to/use_your_own_graph", "how_to/add_an_experiment"} # a stand-in for what the reader has is set up out of sight

def to_type(nb):
    "The code that a reader is shown and may type: neither hidden nor exported, and what a text says to begin with"
    for kind, s, *_ in cells(nb):
        if kind != "code": yield from re.findall(r"```python\n(.*?)```", s, re.S)
        elif not s.startswith(("#| hide\n", "#| export", "#| default_exp")): yield s

def unbound(code):
    "Names that a page's code uses and nothing in it brings"
    nodes = list(ast.walk(ast.parse(code)))
    bound = set(dir(builtins)) | {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    bound |= {n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler))}
    bound |= {(n.asname or n.name).split(".")[0] for n in nodes if isinstance(n, ast.alias)}
    return {n.id for n in nodes if isinstance(n, ast.Name)}-bound

@pytest.mark.parametrize("nb", [pytest.param(p, id=name_of(p)) for p in chapters if name_of(p).startswith("how_to/") and name_of(p) not in STAGED])
def test_a_how_to_can_be_typed(nb):
    lacks = unbound("\n".join(to_type(nb)))
    assert not lacks, f"{nb.name} uses {', '.join(sorted(lacks))}, and does not show where from"

@pytest.mark.parametrize("m", public, ids=name_of)
def test_public_things_say_what_they_are(m):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    tree = ast.parse(m.read_text(encoding="utf-8"))
    bare = [n.name for n in tree.body if isinstance(n, kinds) and not n.name.startswith("_") and not ast.get_docstring(n)]
    patched = lambda n: any("patch" in ast.unparse(d) for d in getattr(n, "decorator_list", ()))
    assert not [b for b in bare if b not in {n.name for n in tree.body if patched(n) and len(n.body) == 1}], f"{m.name}: no docstring on {', '.join(bare)}"

# each begins with what is rare in a text: there is much to search
_HERE = [re.compile(p) for p in (r"/(?<![\w.]/)(?:root|home|tmp|work|Users)/", r"at 0x(?<!\wat 0x)[0-9a-f]{4,}", r":(?<=[A-Z]:)(?<!\w[A-Z]:)\\\\")]

def machine(text):
    "Where a text shows the machine that it was made on"
    return next((m for p in _HERE if (m := p.search(text))), None)

@pytest.mark.parametrize("text, shows", [("in /root/x", 1), ("a/root/x", 0), (".//home/x", 1), ("x./tmp/", 0), ("<f at 0x1234ab>", 1), ("what 0x1234ab", 0),
    ("flat 0x12ab", 0), ("on C:\\\\me", 1), ("ABC:\\\\me", 0), ("at 0x12", 0)])
def test_what_shows_a_machine(text, shows): assert bool(machine(text)) == bool(shows)

def shown(outputs):
    "The text that a cell's stored outputs show"
    for o in outputs:
        yield "".join(o.get("text", ""))
        for kind, v in o.get("data", {}).items():
            if not kind.startswith("image/"): yield "".join(v) if isinstance(v, list) else json.dumps(v)
        yield "\n".join(o.get("traceback", ()))

@pytest.mark.parametrize("nb", **book)
def test_stored_outputs_show_no_machine(nb):
    for *_, outputs in cells(nb):
        for text in shown(outputs):
            m = machine(text)
            assert not m, f"{nb.name} stores {text[max(0, m.start()-60):m.end()+40]!r}"
            assert "Traceback (most recent call last)" not in text, f"{nb.name} stores a traceback"

_CLOCK = re.compile(r"<th>(?:secs|seconds)(?: to learn)?</th>")

@pytest.mark.parametrize("nb", **book)
def test_stored_tables_show_no_time_of_a_clock(nb):
    if nb.parent.name == "benchmarks" or nb.stem == "peg": return # where time is what is measured, or simulated
    found = [text for *_, outputs in cells(nb) for text in shown(outputs) if _CLOCK.search(text)]
    assert not found, f"{nb.name} stores seconds: {found[0][:200]}; show counts"

def test_stored_results_show_no_machine():
    for p in sorted((root/"results").rglob("*")):
        if p.suffix not in (".json", ".md", ".ipynb", ".html", ".jsonl", ".gz") or p.name == "trace.jsonl": continue
        text = gzip.decompress(p.read_bytes()).decode() if p.suffix == ".gz" else p.read_text(encoding="utf-8")
        if p.suffix in (".html", ".ipynb"): text = re.sub(r"[A-Za-z0-9+/=\\n]{200,}", "", text) # pictures
        m = machine(text)
        assert not m, f"{p.relative_to(root)} holds {text[max(0, m.start()-80):m.end()+40]!r}"

# The documents

def test_links_of_the_documents_lead_somewhere():
    for doc in ("README.md", "CONTRIBUTING.md", "seeds/README.md", "results/README.md"):
        p = root/doc
        text = re.sub(r"```.*?```|`[^`\n]*`|^    .*$", "", p.read_text(encoding="utf-8"), flags=re.S | re.M)
        for to in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            assert to.startswith(("http://", "https://")) or (p.parent/to).exists(), f"{doc} leads to {to}, which is not there"

def test_commands_of_contributing_are_those_of_the_readme():
    ours = [l for b in blocks(root/"CONTRIBUTING.md") for l in b]
    readme = (root/"README.md").read_text(encoding="utf-8")
    assert "pip install -e '.[dev]' && pytest" in readme, "the README does not say how everything is checked"
    assert "pip install -e '.[dev]'" in ours and "pytest" in ours and (root/".ci/run").read_text().rstrip().endswith("pytest")
    for l in ours: assert shutil.which(l.split()[0], path=clean_env()["PATH"]), f"CONTRIBUTING.md says {l!r}; there is no such command"
