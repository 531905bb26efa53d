"Every promise has tests that are there, and the stored table is of these promises and has no failure"
import json, os, re, sys
import pytest
from house import clean_env, root, sh, slow
from promises import MARKS, PROMISES, SETS

@pytest.mark.parametrize("id", PROMISES)
def test_a_promise_has_tests_that_are_there(id):
    for test in PROMISES[id][2]:
        file, name = test.split("::")
        assert re.search(rf"^def {name}\(", (root/"tests"/file).read_text(encoding="utf-8"), re.M), f"{id} names {test}, which is not there"

@pytest.mark.parametrize("must", ["1", slow("")])
def test_where_the_lock_must_hold_a_machine_without_one_fails(tmp_path, must):
    "And where it need not, its tests are skipped and all others go on without it"
    (tmp_path/"broken.py").write_text(f"""
from pathlib import Path
from rbkit.agents import lock, repl
broken = Path({str(tmp_path)!r})/"lock.py"
broken.write_text(Path(lock.__file__).read_text()+"\\ndef close_files(*args): raise OSError(38, 'Function not implemented')")
repl._locks = lambda: str(broken)
""")
    env = clean_env(PYTHONPATH=f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', root)}", RBKIT_MUST_LOCK=must)
    done = sh(sys.executable, "-m", "pytest", "-n0", "-p", "broken", "tests/test_lock.py", "-k", "this_machine", env=env)
    assert (done.returncode != 0) == bool(must) and ("RBKIT_MUST_LOCK is set" if must else "3 skipped") in done.stdout+done.stderr, done.stdout+done.stderr

@pytest.mark.slow # it runs pytest, which collects all tests once more
def test_whoever_keeps_what_they_find_runs_them_alone(tmp_path):
    "Workers too, which read the command line themselves; and what is not a whole set says so"
    done = sh(sys.executable, "-m", "pytest", "-n1", "tests/test_promises.py", "-k", "that_are_there", env=clean_env(RBKIT_PROMISES=str(tmp_path/"found.json")))
    found = json.loads((tmp_path/"found.json").read_text(encoding="utf-8"))
    assert "no tests ran" in done.stdout, done.stdout+done.stderr
    assert found["set"] == "part" and found["made"]["commit"] and not any(p["tests"] for p in found["promises"].values())

def test_the_stored_table_is_of_these_promises():
    kept = json.loads((root/"results/shipped/safety.json").read_text(encoding="utf-8"))
    found = kept["promises"]
    assert kept.get("set", "short") in SETS.values(), "a part of the tests is no table"
    assert {id: (p["promise"], p["attack"], p["mark"]) for id, p in found.items()} == {id: (*p[:2], MARKS[id]) for id, p in PROMISES.items()}, "run the tests of safety anew; nbs/safety.ipynb says how"
    assert all(p["tests"] == p["passed"]+p["skipped"] and p["passed"] for p in found.values())
