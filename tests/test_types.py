"Types: programs that a user would write, read by mypy"
import ast, re, sys
from pathlib import Path
import pytest
import rbkit
from house import clean_env, root, sh

programs = root/"tests/programs"

def test_a_type_checker_sees_the_names_of_the_front():
    tree = ast.parse(Path(rbkit.__file__).read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    assert {alias.asname: (node.module, alias.name) for node in block.body for alias in node.names} == {name: (module, name) for name, module in rbkit._HOMES.items()}

def test_programs_are_typed_and_mistakes_are_found(tmp_path):
    pytest.importorskip("mypy")
    files = sorted(programs.glob("*.py"))
    r = sh(sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", tmp_path, "--no-error-summary", *files,
        cwd=programs, env=clean_env(MYPYPATH=str(root)))
    found = {(Path(name).name, int(line)) for name, line in re.findall(r"^(.+?\.py):(\d+): error", r.stdout, re.M)}
    wanted = {(p.name, i) for p in files for i, line in enumerate(p.read_text().splitlines(), 1) if "# mistake: " in line}
    assert len(files) == 6 and len(wanted) == 6
    assert found == wanted, r.stdout+r.stderr
