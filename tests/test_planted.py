"Planted sizes beside what was found: inside an interval, outside, or at its edge"
import json, math, re
from types import SimpleNamespace
import pytest
from house import root
from rbkit.stats.paired import contrast
from rbkit.stats.planted import PlantedEffect, agreement, over_repeats, recovery, simulate_rows
from rbkit.trials.ablation import ablate
from rbkit.trials.spec import BASELINE, Arm

def interval(lo, hi): return SimpleNamespace(estimate=(lo+hi)/2, lo=lo, hi=hi)

@pytest.mark.parametrize("planted,error,verdict", [(.2, 0, "inside"), (.1, 0, "inside"), (.31, 0, "outside"), (-.2, 0, "outside"),
    (.2, .04, "inside"), (.29, .01, "at the edge"), (.31, .01, "at the edge"), (.33, .01, "outside"), (.2, math.inf, "at the edge")])
def test_where_a_planted_size_lies(planted, error, verdict):
    assert recovery("x", planted, interval(.1, .3), error).verdict == verdict

@pytest.mark.parametrize("planted,error,lo", [(math.nan, 0, .1), (.2, math.nan, .1), (.2, 0, math.nan)])
def test_what_is_no_number_has_no_verdict(planted, error, lo):
    with pytest.raises(ValueError, match="NaN"): recovery("x", planted, interval(lo, .3), error)

def test_a_tiny_run_beside_a_right_and_a_wrong_size():
    trial = ablate("E02", [BASELINE, Arm("L1", ("L1",))], suite="seeds/toy", n_tasks=3, n_repeats=4)
    found = trial.compare("L1")
    def sizes(rows): return {"L1": contrast(rows, "L1", "baseline").estimate}
    size = over_repeats(trial.rows, sizes)["L1"]
    assert size.size == pytest.approx(found.estimate) # the same rows, so the same size
    assert recovery("right", size.size, found).verdict == "inside"
    assert recovery("wrong", found.hi+.2, found).verdict == "outside"

def test_the_mean_over_repeats_has_an_error():
    rows = [dict(arm=arm, task=t, repeat=r, correct=int(arm == "a" and r < 2)) for arm in "ab" for t in range(4) for r in range(4)]
    def sizes(rows): return {"a": contrast(rows, "a", "b").estimate}
    found = over_repeats(rows, sizes)["a"]
    assert found == pytest.approx((.5, math.sqrt(1/3)/2))
    assert over_repeats([r for r in rows if r["repeat"] == 0], sizes)["a"].error == math.inf

@pytest.mark.parametrize("relation,lo,hi,verdict", [("above", .01, .3, "agrees"), ("above", -.1, .3, "undecided"), ("above", -.3, -.01, "contradicts"),
    ("not below", -.05, .3, "agrees"), ("not below", -.2, .3, "undecided"), ("not below", -.3, -.15, "contradicts"),
    ("same", -.05, .05, "agrees"), ("same", -.2, .05, "undecided"), ("same", .12, .3, "contradicts")])
def test_directions(relation, lo, hi, verdict): assert agreement(relation, interval(lo, hi)) == verdict

def test_two_arms_that_are_one_agree_that_neither_is_below():
    one = SimpleNamespace(estimate=0, lo=-.4, hi=.4, identical=True)
    assert [agreement(relation, one, .05) for relation in ("same", "not below", "above")] == ["agrees", "agrees", "undecided"]

def test_nineteen_of_twenty_intervals_hold_what_was_planted():
    planted = PlantedEffect(effect=.2, tasks=20)
    verdicts = [recovery("x", .2, contrast(simulate_rows(planted, seed=s), "treatment", "baseline")).verdict for s in range(100)]
    assert 88 <= verdicts.count("inside") <= 100

def test_the_command_of_the_stored_sizes_is_that_of_the_list():
    from rbkit.reports.remade import recipes
    stored = json.loads((root/"results/shipped/benchmarks/planted.json").read_text(encoding="utf-8"))
    said = recipes()["benchmarks/planted.json"].parameters
    assert said == {name: stored[name] for name in ("n_tasks", "n_seeds", "n_factorial")}
