"A row's version follows what can change the row, and nothing else"
import re, shutil, subprocess, sys
from functools import lru_cache
import pytest
from house import clean_env, root

ASK = "from rbkit.trials.versions import ROWS, STREAMS, code_version; print(code_version(ROWS), code_version(STREAMS))"

@lru_cache
def before():
    "The versions of the package as it is"
    return versions(root)

def versions(tree):
    "The versions that a copy of the package gives itself"
    run = subprocess.run([sys.executable, "-c", ASK], cwd=tree, env=clean_env(PYTHONPATH=str(tree), RBKIT_ROOT=str(tree)),
        capture_output=True, text=True, check=True)
    return run.stdout.split()

@pytest.fixture
def copied(tmp_path):
    "A copy of the package and the seeds that may be changed"
    for name in ("rbkit", "seeds"):
        shutil.copytree(root/name, tmp_path/name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root/"settings.ini", tmp_path)
    return tmp_path

def edit(file, pattern, new):
    text = file.read_text(encoding="utf-8")
    changed, n = re.subn(pattern, new, text, count=1)
    assert n == 1, f"{file.name} has no {pattern!r}"
    file.write_text(changed, encoding="utf-8")

def test_prose_leaves_a_version_alone(copied):
    for file in (copied/"rbkit").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace('"""\n', ' And more prose."""\n# A comment\n', 1), encoding="utf-8")
    assert versions(copied) == before()

def test_a_moved_module_leaves_a_version_alone(copied):
    (copied/"rbkit/handles.py").rename(copied/"rbkit/grips.py")
    for file in (copied/"rbkit").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r"from (\.+)handles import", r"from \1grips import", text), encoding="utf-8")
    assert versions(copied) == before()

def test_a_changed_constant_changes_a_version(copied):
    rows, streams = before()
    edit(copied/"rbkit/ground/text.py", r"\[:12\]", "[:11]")
    changed = versions(copied)
    assert changed[0] != rows and changed[1] != streams

def test_what_learns_has_a_version_of_its_own(copied):
    rows, streams = before()
    edit(copied/"rbkit/policies/consolidation.py", r"(?m)\Z", "\nLIMIT = 3\n")
    assert versions(copied)[0] == rows and versions(copied)[1] != streams

def test_how_a_page_looks_changes_nothing(copied):
    edit(copied/"rbkit/reports/report.py", r"(?m)\Z", "\nLIMIT = 3\n")
    assert versions(copied) == before()

def test_a_changed_pack_changes_a_version(copied):
    rows, streams = before()
    edit(copied/"seeds/strategies.jsonl", r"\Z", "\n")
    assert versions(copied)[0] != rows and versions(copied)[1] != streams
