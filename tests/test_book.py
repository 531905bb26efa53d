"The promises that the notebooks cannot make about themselves"
import ast, json, re, shutil
import pytest
from house import clean_env, experiments, modules, name_of, notebooks, root, sh

def cells(p): return [(c["cell_type"], "".join(c["source"]), c["metadata"].get("tags", []), c.get("outputs", [])) for c in json.loads(p.read_text(encoding="utf-8"))["cells"]]
def code(p): return [s for kind, s, *_ in cells(p) if kind == "code"]
def exported(p): return [s for s in code(p) if re.match(r"#\|\s*exports?\b", s)]
def module(p): return next((m[1] for s in code(p) if (m := re.search(r"^#\|\s*default_exp\s+(\S+)", s, re.M))), None)

def imported(source):
    "Modules of ours that a cell imports, wherever in it"
    out = set()
    for n in ast.walk(ast.parse("\n".join(l for l in source.splitlines() if not l.lstrip().startswith(("%", "!"))))):
        if isinstance(n, ast.ImportFrom) and n.module and n.module.split(".")[0] == "rbkit":
            out |= {n.module[6:]} if n.module != "rbkit" else {a.name for a in n.names}
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

@pytest.fixture(scope="module")
def export(tree, tmp_path_factory):
    "The package as the notebooks say it, written anew"
    to = tmp_path_factory.mktemp("export")/"tree"
    shutil.copytree(tree, to, ignore=shutil.ignore_patterns("results"))
    for p in (to/"rbkit").rglob("*.py"):
        if p.name != "__init__.py": p.unlink()
    sh("nbdev-export", cwd=to, check=True)
    return {p.relative_to(to).as_posix(): p.read_text(encoding="utf-8") for p in (to/"rbkit").rglob("*.py")}

@pytest.mark.xdist_group("copies")
def test_modules_equal_a_fresh_export(export):
    now = {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in modules}
    assert sorted(now) == sorted(export), "a module without its notebook, or the other way round: run nbdev-export"
    assert not [k for k in now if now[k] != export[k]], "edited by hand, or not exported: run nbdev-export"

# Parameters

def parameter_cells(p): return [s for kind, s, tags, _ in cells(p) if kind == "code" and "parameters" in tags]

@pytest.mark.parametrize("nb", **exps)
def test_one_parameters_cell(nb):
    assert len(parameter_cells(nb)) == 1, f"{nb.name} has {len(parameter_cells(nb))} cells tagged `parameters`; papermill would silently run the defaults"

@pytest.fixture(scope="module")
def cleaned(tree, tmp_path_factory):
    "The notebooks after nbdev-clean"
    to = tmp_path_factory.mktemp("cleaned")/"tree"
    shutil.copytree(tree, to, ignore=shutil.ignore_patterns("results"))
    sh("nbdev-clean", cwd=to, check=True)
    return to

@pytest.mark.xdist_group("copies")
def test_cleaning_keeps_the_parameters_cell(cleaned):
    for nb in experiments: assert parameter_cells(cleaned/nb.relative_to(root)) == parameter_cells(nb), f"nbdev-clean took the tag of {nb.name}"

@pytest.mark.xdist_group("copies")
def test_notebooks_are_clean(cleaned):
    dirty = [name_of(nb) for nb in notebooks if nb.read_text(encoding="utf-8") != (cleaned/nb.relative_to(root)).read_text(encoding="utf-8")]
    assert not dirty, "run nbdev-clean"

# Every notebook runs

@pytest.mark.parametrize("nb", **book)
def test_notebook_runs(nb): sh("nbdev-test", nb, check=True, secs=400)

# Rules of the house

@pytest.mark.parametrize("nb", **book)
def test_cells_are_small(nb):
    assert len(cells(nb)) <= 90, f"{nb.name} has {len(cells(nb))} cells; split it"
    for s in exported(nb):
        n = sum(bool(l.strip()) and not l.strip().startswith("#") for l in s.splitlines())
        assert n <= 25, f"{nb.name} exports a cell of {n} lines: {s.splitlines()[1]}"

@pytest.mark.parametrize("nb", **book)
def test_code_and_prose_alternate(nb):
    run = 0
    for kind, s, *_ in cells(nb):
        if s.startswith(("#| hide", "#| default_exp")): continue
        run = run+1 if kind == "code" else 0
        assert run < 3, f"{nb.name} has three code cells in a row without a word between, the last: {s.splitlines()[:2]}"

@pytest.mark.parametrize("m", public, ids=name_of)
def test_lines_are_at_most_120_columns(m):
    long = [f"line {i}: {len(l)}" for i, l in enumerate(m.read_text(encoding="utf-8").splitlines(), 1) if len(l) > 120]
    assert not long, f"{m.name}: {', '.join(long[:8])} ({len(long)} in all)"

@pytest.mark.parametrize("m", public, ids=name_of)
def test_public_things_say_what_they_are(m):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    tree = ast.parse(m.read_text(encoding="utf-8"))
    bare = [n.name for n in tree.body if isinstance(n, kinds) and not n.name.startswith("_") and not ast.get_docstring(n)]
    patched = lambda n: any("patch" in ast.unparse(d) for d in getattr(n, "decorator_list", ()))
    assert not [b for b in bare if b not in {n.name for n in tree.body if patched(n) and len(n.body) == 1}], f"{m.name}: no docstring on {', '.join(bare)}"

_HERE = re.compile(r"(?<![\w.])/(root|home|tmp|work|Users)/|\bat 0x[0-9a-f]{4,}|\b[A-Z]:\\\\")

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
            m = _HERE.search(text)
            assert not m, f"{nb.name} stores {text[max(0, m.start()-60):m.end()+40]!r}"
            assert "Traceback (most recent call last)" not in text, f"{nb.name} stores a traceback"

def test_stored_results_show_no_machine():
    for p in sorted((root/"results").rglob("*")):
        if p.suffix not in (".json", ".md", ".ipynb", ".html", ".jsonl") or p.name == "trace.jsonl": continue
        text = p.read_text(encoding="utf-8")
        if p.suffix in (".html", ".ipynb"): text = re.sub(r"[A-Za-z0-9+/=\\n]{200,}", "", text) # pictures
        m = _HERE.search(text)
        assert not m, f"{p.relative_to(root)} holds {text[max(0, m.start()-80):m.end()+40]!r}"

# The documents

def blocks(p): return [b.strip().splitlines() for b in re.findall(r"```sh\n(.*?)```", p.read_text(encoding="utf-8"), re.S)]

@pytest.mark.xdist_group("copies")
def test_readme_is_made_from_the_index(tree):
    assert (root/"nbs/index.ipynb").exists(), "nbs/index.ipynb is missing"
    sh("rbkit", "readme", cwd=tree, check=True, env=clean_env(RBKIT_ROOT=str(tree)))
    assert (tree/"README.md").read_text(encoding="utf-8") == (root/"README.md").read_text(encoding="utf-8"), "run `rbkit readme`"

def test_links_of_the_documents_lead_somewhere():
    for doc in ("README.md", "CONTRIBUTING.md", "seeds/README.md", "results/README.md"):
        p = root/doc
        for to in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", p.read_text(encoding="utf-8")):
            assert to.startswith(("http://", "https://")) or (p.parent/to).exists(), f"{doc} leads to {to}, which is not there"

def test_commands_of_contributing_are_those_of_the_readme():
    ours = [l for b in blocks(root/"CONTRIBUTING.md") for l in b]
    readme = (root/"README.md").read_text(encoding="utf-8")
    assert "pip install -e '.[dev]' && pytest" in readme, "the README does not say how everything is checked"
    assert "pip install -e '.[dev]'" in ours and "pytest" in ours and (root/".ci/run").read_text().rstrip().endswith("pytest")
    for l in ours: assert shutil.which(l.split()[0], path=clean_env()["PATH"]), f"CONTRIBUTING.md says {l!r}; there is no such command"

@pytest.mark.xdist_group("copies")
def test_commands_of_contributing_run(tree, tmp_path):
    "Those that are quick, in a copy that is a repository of its own; the order is the page's"
    shutil.copytree(tree, tmp_path/"tree", dirs_exist_ok=True)
    sh("git", "init", "-q", cwd=tmp_path/"tree", check=True)
    for l in [l for b in blocks(root/"CONTRIBUTING.md") for l in b]:
        if l.startswith(("pip", "pytest")): continue
        sh(*l.split(), cwd=tmp_path/"tree", check=True, env=clean_env(RBKIT_ROOT=str(tmp_path/"tree")))
