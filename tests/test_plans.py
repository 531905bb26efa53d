"A plan is of the run that the same words make, and what it calls a ceiling is one"
from importlib import import_module
import pytest
from rbkit.policies.memories import MEMORIES, memory_class
from rbkit.reports import terminal
from rbkit.reports.cli import main
from rbkit.reports.report import folder_of
from rbkit.trials.costs import whole_cost
from rbkit.trials.inputs import prepare
from rbkit.trials.learners import NO_MEMORY, Learner, PlantedErrors, memory_arms
from rbkit.trials.learning import learn, prepare_streams
from rbkit.trials.plans import stream_place
from rbkit.trials.stream_plans import ASKS, most_beside, plan_streams

TYPED = {"E1": "", "E5": "--n-tasks 4", "E9": "--memory none,bank", "E10": "", "E11": "--n-tasks 4 --n-streams 3", "E12": "--profile compact",
    "E13": "--half", "E9 ": "--world household --n-tasks 4"}

@pytest.mark.parametrize("exp", TYPED)
def test_a_plan_is_of_the_run_that_the_same_words_make(exp, monkeypatch, tmp_path):
    "The same suite, tasks, profile and folder"
    typed = [*TYPED[exp].split(), "--out", str(tmp_path)]
    exp = exp.strip()
    planned, ran = {}, {}
    module = import_module(f"rbkit.experiments.e{int(exp[1:]):02}")
    monkeypatch.setattr(module, "cost", lambda **params: planned.update(params))
    monkeypatch.setattr(terminal, "show_plan", lambda *shown: None)
    assert main(["plan", exp, *typed]) == 0
    monkeypatch.setattr("rbkit.reports.report.execute", lambda nb, out, params: ran.update(params) or dict(status="error", error="", secs=0))
    main(["run", exp, *typed])
    arms = module.ARMS if hasattr(module, "ARMS") else module.arms(planned.pop("half"))
    ran.pop("half", 0)
    assert ran.pop("rows") == "new"
    assert {**planned, "lm": "sim"} == ran, "the words that the notebook is given"
    known = {k: v for k, v in planned.items() if k not in ("out", "memory")}
    opened = prepare_streams if "n_streams" in planned else prepare
    spec, inputs = opened(f"E{int(exp[1:]):02}", arms, ping=False, **known)
    inputs.close()
    place = stream_place(spec, planned["out"])
    if "memory" not in planned: assert place == folder_of(exp, **ran)

def test_after_a_run_its_plan_finds_its_rows(tmp_path, capsys):
    typed = ["--memory", "none,bank", "--n-tasks", "2", "--n-streams", "2", "--out", str(tmp_path)]
    assert main(["run", "E9", *typed]) == 0 and main(["plan", "E9", *typed]) == 0
    said = capsys.readouterr().out
    assert "expected from its own rows so far" in said and "4 tasks (2 to learn from, 2 held out) x 2 streams" in said

LOOPS = [NO_MEMORY, Learner("lessons", learn="lessons"), Learner("tried", learn="lessons", judge=PlantedErrors(.6, .95), verify="rerun"),
    Learner("each", learn="lessons", rollouts=3, read="each"), Learner("sequential", learn="lessons", rollouts=3, scaling="sequential")]
KINDS = memory_arms(f"none,{','.join(MEMORIES)}")

@pytest.mark.parametrize("arms", [LOOPS, KINDS[:6], pytest.param([NO_MEMORY, *KINDS[6:]], marks=pytest.mark.slow)], ids=["loops", "kinds", "more kinds"])
def test_a_ceiling_of_calls_is_one(arms):
    "No step asks more often than its plan says, judging and drawing lessons included"
    how = dict(suite="seeds/library", n_tasks=3, n_streams=2, n_held_out=1, sim_p_discover=.4)
    rows = learn("demo", arms, **how).valid_rows
    planned = plan_streams("demo", arms, **how).frame
    for arm in arms:
        mine = [whole_cost(r, "calls") for r in rows if r["arm"] == arm.name]
        assert max(mine) <= arm.rollouts*11+most_beside(arm, 10) and planned.loc[arm.name, "calls_at_most"] == len(mine)*(arm.rollouts*11+most_beside(arm, 10)), arm.name

def test_of_a_memory_that_somebody_brings_nobody_knows_how_often_it_asks():
    class Mine(memory_class("raw")): name = "mine"
    assert set(ASKS) == set(MEMORIES)
    assert most_beside(Learner("own", memory=Mine), 10) is None and most_beside(Learner("raw", memory="raw"), 10) is not None
