"Every promise has tests that are there, and the stored table is of these promises and has no failure"
import json, re, sys
import pytest
from house import clean_env, root, sh
from promises import PROMISES, SETS

@pytest.mark.parametrize("id", PROMISES)
def test_a_promise_has_tests_that_are_there(id):
    for test in PROMISES[id][2]:
        file, name = test.split("::")
        assert re.search(rf"^def {name}\(", (root/"tests"/file).read_text(encoding="utf-8"), re.M), f"{id} names {test}, which is not there"

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
    assert {id: (p["promise"], p["attack"]) for id, p in found.items()} == {id: p[:2] for id, p in PROMISES.items()}, "run the tests of safety anew; nbs/safety.ipynb says how"
    assert all(p["tests"] == p["passed"]+p["skipped"] and p["passed"] for p in found.values())
