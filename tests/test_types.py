"What a type checker sees: stubs in step with the code, and programs that a user would write"
import ast, builtins, re, sys
from pathlib import Path
import pytest
from house import clean_env, root, sh
from rbkit.reports.stubs import stale_stubs

programs = root/"tests/programs"

def test_stubs_are_in_step_with_the_code():
    assert stale_stubs() == [], "type checkers see another package: rbkit stubs"

def undefined(stub):
    "Names in a stub's annotations that nothing there defines"
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    known = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)): known.add(node.name)
        if isinstance(node, ast.alias): known.add((node.asname or node.name).split(".")[0])
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store): known.add(node.id)
    said = [getattr(node, name) for node in ast.walk(tree) for name in ("annotation", "returns") if getattr(node, name, None)]
    words = [x for a in said for x in ast.walk(a)]
    words += [x for w in words if isinstance(w, ast.Constant) and isinstance(w.value, str) for x in ast.walk(ast.parse(w.value))]
    return {x.id for x in words if isinstance(x, ast.Name)}-known

@pytest.mark.parametrize("stub", sorted((root/"rbkit").rglob("*.pyi")), ids=lambda p: p.relative_to(root/"rbkit").as_posix())
def test_a_stub_names_nothing_unknown(stub): assert not undefined(stub)

def test_programs_are_typed_and_mistakes_are_found(tmp_path):
    pytest.importorskip("mypy")
    files = sorted(programs.glob("*.py"))
    r = sh(sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", tmp_path, "--no-error-summary", *files,
        cwd=programs, env=clean_env(MYPYPATH=str(root)))
    found = {(Path(name).name, int(line)) for name, line in re.findall(r"^(.+?\.py):(\d+): error", r.stdout, re.M)}
    wanted = {(p.name, i) for p in files for i, line in enumerate(p.read_text().splitlines(), 1) if "# mistake: " in line}
    assert len(files) == 6 and len(wanted) == 6
    assert found == wanted, r.stdout+r.stderr
