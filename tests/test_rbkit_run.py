"What `rbkit run` leaves behind: one run, looked at from every side"
import pytest
from house import complete, identity, manifest, only, rbkit, root, rows

SAID = ("run", "E1", "E6", "--n-tasks", 4, "--n-repeats", 1)

@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    out = tmp_path_factory.mktemp("ran")
    return rbkit(*SAID, "--out", out, check=True), out

def test_run_says_what_came_out(ran):
    said = ran[0].stdout
    for exp in ("E01", "E06"): assert f"{exp}: " in said
    assert said.count("report.html") == 2 and "Traceback" not in ran[0].stderr

@pytest.mark.parametrize("exp, arms", [("E01", 2), ("E06", 3)])
def test_run_leaves_a_report(ran, exp, arms):
    folder = only(ran[1], exp)
    for f in ("report.ipynb", "report.html", "report.md", "figure.png", "rows.jsonl", "run.json"):
        assert (folder/f).stat().st_size > 100, f"{f} is missing or empty"
    assert len(complete(folder)) == arms*4
    text = (folder/"report.md").read_text(encoding="utf-8")
    assert "Simulated model: it checks the instrument" in text and "A/A" in text, "a report says what made it, and shows its A/A spread"

@pytest.mark.parametrize("exp", ["E01", "E06"])
def test_manifest_is_enough_to_repeat(ran, exp):
    m = manifest(only(ran[1], exp))
    assert m["verdict"]["verdict"] in ("held", "failed", "undecided", "not tested") and m["verdict"]["claim"] and "A/A" in m["verdict"]["aa"]
    assert {"lm", "suite", "profile", "n_tasks", "n_repeats", "rng_seed", "max_iters", "engine", "budgets", "temperature", "backend"} <= m["settings"].keys()
    made = m["made_with"]
    assert {"dspy", "rdflib", "pyoxigraph", "papermill"} <= {k for k, v in made["packages"].items() if v}
    assert made["rbkit"] and made["schema"] and made["python"]
    assert made["commit"] or not (root/".git").exists()
    assert m["suite_hash"] and m["codes"] and m["graphs"] and m["contexts"] and sum(m["outcomes"].values()) == m["rows"]

def test_leakage_is_measured(ran):
    for r in rows(only(ran[1], "E06")):
        for k in ("total_chars_returned", "max_single_return", "stdout_chars", "variables_info_chars", "request_chars", "max_request", "requests", "context_size"):
            assert r[k] > 0, f"{k} is {r[k]} in {identity(r)}"
        assert r["subcalls"] == 0 and r["max_single_return"] <= 1000

def test_treatment_is_recorded_and_differs(ran):
    by = {}
    for r in rows(only(ran[1], "E06")): by.setdefault(r["arm"], {})[r["task"]] = r
    for t, base in by["baseline"].items():
        assert base["context_hash"] == by["baseline again"][t]["context_hash"] != by["full cake"][t]["context_hash"]
        for layer in ("sense", "constraints", "memory", "guide"):
            assert base[f"{layer}_chars"] == 0 < by["full cake"][t][f"{layer}_chars"] and by["full cake"][t][f"{layer}_hash"]
    assert len({r["template"] for arm in by.values() for r in arm.values()}) == 1, "arms differ in more than memory"

def test_running_again_adds_no_row(ran):
    before = {e: rows(only(ran[1], e)) for e in ("E01", "E06")}
    rbkit("run", "E6", *SAID[3:], "--out", ran[1], check=True)
    assert before == {e: rows(only(ran[1], e)) for e in ("E01", "E06")}
    for e in before: assert manifest(only(ran[1], e))["status"] == "success"

@pytest.mark.slow
def test_several_worlds_are_a_report_each_and_one_table(tmp_path):
    said = rbkit("run", "E10", "--world", "household,questions", "--n-tasks", 3, "--n-streams", 2, "--out", tmp_path, check=True).stdout
    there = sorted(p.name for p in (tmp_path/"E10").iterdir())
    folders = [name for name in there if "." not in name]
    assert folders == ["sim-household-full-s0", "sim-questions-full-s0"] and set(there)-set(folders) == {"household-questions.html", "household-questions.md"}
    for name in folders: assert (tmp_path/"E10"/name/"report.html").exists() and complete(tmp_path/"E10"/name)
    table = said[said.index("difference to the baseline"):].splitlines()
    assert table[1].split() == ["arm", "household", "questions"] and any(line.strip().startswith("all of it") for line in table)

@pytest.mark.slow
def test_a_guide_of_ones_own_is_run_and_shown_in_the_report(tmp_path):
    (tmp_path/"toy.md").write_text("# Mine\n\nA capital is linked to its country.\n", encoding="utf-8")
    rbkit("run", "E4", "--guide", tmp_path, "--suite", "seeds/toy", "--n-tasks", 2, "--n-repeats", 1, "--out", tmp_path/"out", check=True)
    text = (only(tmp_path/"out", "E04")/"report.md").read_text(encoding="utf-8")
    assert "# Mine\n" in text and "A capital is linked to its country.\n" in text.partition("its summary")[2]
