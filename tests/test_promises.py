"Every promise has tests that are there, and the stored table is of these promises and has no failure"
import json, re
import pytest
from house import root
from promises import PROMISES

@pytest.mark.parametrize("id", PROMISES)
def test_a_promise_has_tests_that_are_there(id):
    for test in PROMISES[id][2]:
        file, name = test.split("::")
        assert re.search(rf"^def {name}\(", (root/"tests"/file).read_text(encoding="utf-8"), re.M), f"{id} names {test}, which is not there"

def test_the_stored_table_is_of_these_promises():
    found = json.loads((root/"results/shipped/safety.json").read_text(encoding="utf-8"))["promises"]
    assert {id: (p["promise"], p["attack"]) for id, p in found.items()} == {id: p[:2] for id, p in PROMISES.items()}, "run the tests of safety anew; nbs/safety.ipynb says how"
    assert all(p["tests"] == p["passed"]+p["skipped"] and p["passed"] for p in found.values())
