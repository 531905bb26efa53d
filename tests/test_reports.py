"Every experiment is a report: by papermill alone, and by `rbkit run`"
import json
import pytest
from house import clean_env, data, experiments, name_of, rbkit, root, sh

def only(folder, exp): return next((folder/exp).glob("*"))
def rows(folder): return [json.loads(l) for l in (folder/"rows.jsonl").read_text(encoding="utf-8").splitlines()]
def manifest(folder): return json.loads((folder/"run.json").read_text(encoding="utf-8"))
def identity(r): return tuple(r[k] for k in ("arm", "task", "task_hash", "repeat", "stream", "code"))

def complete(folder):
    "Assert that a run is whole; its rows"
    m, found = manifest(folder), rows(folder)
    arms, s = m["arms"], m["settings"]
    assert m["status"] == "success" and m["rows"] == m["expected_rows"] == len(found) == len({identity(r) for r in found})
    assert len({r["task"] for r in found})*len(arms)*s["n_repeats"] == len(found), "rows are not arms x tasks x repeats"
    return found

@pytest.mark.parametrize("nb", experiments, ids=name_of)
def test_papermill_alone_runs_it(nb, tmp_path):
    sh("papermill", nb, "report.ipynb", "-p", "n_tasks", 3, "-p", "n_repeats", 1, "-p", "suite", "seeds/graphs", "-p", "out", tmp_path/"results",
        "--no-progress-bar", cwd=tmp_path, check=True)
    assert (tmp_path/"report.ipynb").exists()
    found = complete(only(tmp_path/"results", nb.stem[:3]))
    assert len({r["task"] for r in found}) == 3

# `rbkit run`

SAID = ("run", "E1", "E6", "--n-tasks", 4, "--n-repeats", 1)

@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    out = tmp_path_factory.mktemp("ran")
    return rbkit(*SAID, "--out", out, check=True), out

group = pytest.mark.xdist_group("ran")

@group
def test_run_says_what_came_out(ran):
    said = ran[0].stdout
    for exp in ("E01", "E06"): assert f"{exp}: " in said
    assert said.count("report.html") == 2 and "Traceback" not in ran[0].stderr

@group
@pytest.mark.parametrize("exp, arms", [("E01", 2), ("E06", 3)])
def test_run_leaves_a_report(ran, exp, arms):
    folder = only(ran[1], exp)
    for f in ("report.ipynb", "report.html", "report.md", "figure.png", "rows.jsonl", "run.json"):
        assert (folder/f).stat().st_size > 100, f"{f} is missing or empty"
    assert len(complete(folder)) == arms*4
    text = (folder/"report.md").read_text(encoding="utf-8")
    assert "Simulated model: a stand-in" in text and "A/A" in text, "a report says what made it, and shows its A/A spread"

@group
@pytest.mark.parametrize("exp", ["E01", "E06"])
def test_manifest_is_enough_to_repeat(ran, exp):
    m = manifest(only(ran[1], exp))
    assert m["verdict"]["verdict"] in ("held", "failed", "undecided") and m["verdict"]["claim"] and "A/A" in m["verdict"]["aa"]
    assert {"lm", "suite", "profile", "n_tasks", "n_repeats", "rng_seed", "max_iters", "engine", "budgets", "code"} <= m["settings"].keys()
    made = m["made_with"]
    assert {"dspy", "rdflib", "pyoxigraph", "papermill"} <= {k for k, v in made["packages"].items() if v}
    assert made["rbkit"] and made["code"] and made["python"]
    assert made["commit"] or not (root/".git").exists()
    assert m["suite_hash"] and m["graphs"] and m["contexts"] and sum(m["outcomes"].values()) == m["rows"]

@group
def test_leakage_is_measured(ran):
    for r in rows(only(ran[1], "E06")):
        for k in ("total_chars_returned", "max_single_return", "stdout_chars", "variables_info_chars", "request_chars", "max_request", "requests", "context_size"):
            assert r[k] > 0, f"{k} is {r[k]} in {identity(r)}"
        assert r["subcalls"] == 0 and r["max_single_return"] <= 1000

@group
def test_treatment_is_recorded_and_differs(ran):
    by = {}
    for r in rows(only(ran[1], "E06")): by.setdefault(r["arm"], {})[r["task"]] = r
    for t, base in by["baseline"].items():
        assert base["context_hash"] == by["baseline again"][t]["context_hash"] != by["full cake"][t]["context_hash"]
        for layer in ("sense", "constraints", "memory", "guide"):
            assert base[f"{layer}_chars"] == 0 < by["full cake"][t][f"{layer}_chars"] and by["full cake"][t][f"{layer}_hash"]
    assert len({r["template"] for arm in by.values() for r in arm.values()}) == 1, "arms differ in more than memory"

@group
def test_running_again_adds_no_row(ran):
    before = {e: rows(only(ran[1], e)) for e in ("E01", "E06")}
    rbkit(*SAID, "--out", ran[1], check=True)
    assert before == {e: rows(only(ran[1], e)) for e in ("E01", "E06")}
    for e in before: assert manifest(only(ran[1], e))["status"] == "success"

# Other people's tasks

@pytest.mark.skipif(not (data/"suites").exists(), reason="the suites beside the checkout (../shared/data) are not here")
@pytest.mark.parametrize("suite", ["pathquestion", "bestiary"])
def test_an_outside_suite_runs(suite, tmp_path):
    rbkit("run", "E3", "--suite", data/"suites"/suite, "--n-tasks", 3, "--n-repeats", 1, "--out", tmp_path, check=True)
    assert len(complete(only(tmp_path, "E03"))) == 3*3

# A mistake is one line, and leaves nothing

WRONG = {"unknown parameter": (["E1", "--no-such-thing", "3"], "no-such-thing"), "not a number": (["E1", "--n-tasks", "many"], "many"),
    "bad suite": (["E1", "--suite", "no/such/folder"], "no/such/folder"), "bad model": (["E1", "--lm", "nonsense"], "nonsense"),
    "missing key": (["E1", "--lm", "openai/gpt-x", "--interpreter", "trusted"], "OPENAI_API_KEY"), "bad profile": (["E1", "--profile", "huge"], "huge"),
    "unknown experiment": (["E99"], "E99"), "too few tasks": (["E1", "--n-tasks", "1"], "n_tasks")}

@pytest.mark.parametrize("args, names", WRONG.values(), ids=WRONG)
def test_a_mistake_is_one_line(args, names, tmp_path):
    r = rbkit("run", *args, "--out", tmp_path/"out")
    lines = [l for l in r.stderr.splitlines() if l.strip()]
    assert r.returncode not in (0, 3), "a refused run must not end well"
    assert len(lines) == 1 and names in lines[0], "\n".join(lines)
    assert not list(tmp_path.rglob("*")), f"a refused run left {sorted(p.name for p in tmp_path.rglob('*'))}"
