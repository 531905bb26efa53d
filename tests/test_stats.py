"The statistics against references on fixed data: scipy, statsmodels, and counting by hand"
import itertools, json, math
from dataclasses import replace
from statistics import fmean
import numpy as np
import pytest
from scipy import stats
from house import root
from rbkit.stats import comparisons
from rbkit.stats.curves import curve, slope, thirds
from rbkit.stats.retention import kept
from rbkit.stats.room import room, room_table
from rbkit.stats.exploring import explore
from rbkit.stats.factorial import factorial, factors_of, mark, odds
from rbkit.stats.tests import fdr
from rbkit.stats.passes import pass_all_k, pass_at_k, passes
from rbkit.stats.planted import PlantedEffect as Planted, differences, draw, simulate_rows
from rbkit.stats.power import detectable, fit_profile, needed, power, spread
from rbkit.stats.claims import check_treatment, judge_claim, judge_equal
from rbkit.stats.comparisons import Comparisons, compare, table
from rbkit.stats.paired import contrast, task_means
from rbkit.stats.bounds import least_effect, rate_interval, scale_of, score_interval
from rbkit.stats.tests import holm, mostly_same, paired_t, sign_flip
from rbkit.trials.retrieval import paired_difference, unpaired_difference

rng = np.random.default_rng(7)
DIFFS = [list(rng.choice([-.4, -.2, 0, .2, .4, .6], n)) for n in (5, 8, 12, 13, 30)]+[list(rng.normal(.1, .3, n)) for n in (2, 9, 40)]
ROWS = simulate_rows(Planted(effect=.15, tasks=20, repeats=5), seed=3)
PS = [.04, .001, .2, .012, .5, .012]

FACTORS = ("L0", "L1", "L2", "L3")

def cells_of_16(tasks=14, repeats=2, seed=0):
    "Rows of a 2^4 with unequal rollouts and some cells missing when `seed` is odd"
    r, rows = np.random.default_rng(seed), []
    for t in range(tasks):
        easy = r.uniform(.2, .6)
        for on in itertools.product((0, 1), repeat=4):
            if seed % 2 and r.random() < .1: continue
            p = easy+.2*on[0]+.1*on[1]-.15*on[0]*on[1]
            rows += [{**dict(zip(FACTORS, on)), "arm": "+".join(f for f, x in zip(FACTORS, on) if x) or "baseline", "task": t, "repeat": k,
                      "correct": int(r.random() < p)} for k in range(repeats)]
    return rows

# The paired comparison

@pytest.mark.parametrize("d", DIFFS, ids=len)
def test_paired_t_is_scipys(d):
    ref = stats.ttest_1samp(d, 0)
    mean, lo, hi, p = paired_t(d)
    assert (mean, p, lo, hi) == pytest.approx((fmean(d), ref.pvalue, *ref.confidence_interval(.95)))

def test_many_experiments_at_once_are_the_same_as_one_by_one():
    d = differences(Planted(effect=.1, tasks=9, repeats=3), 50, rng=1)
    d[0] = 0
    d[1] = 1/3
    at_once = paired_t(d, bound=1)
    for i in range(50): assert [x[i] for x in at_once] == pytest.approx(paired_t(list(d[i]), bound=1))

@pytest.mark.parametrize("d", DIFFS, ids=len)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_sign_flip_is_scipys(d, alternative):
    n = sum(x != 0 for x in d)
    ref = stats.permutation_test((np.array(d),), lambda x, axis: x.mean(axis).round(12), permutation_type="samples", vectorized=True,
        n_resamples=2**len(d) if len(d) <= 13 else 9999, alternative=alternative, rng=5)
    assert sign_flip(d, alternative) == pytest.approx(ref.pvalue, abs=1e-9 if len(d) <= 13 else .02)

def test_sign_flip_by_enumeration():
    d = [.4, .2, -.2, .6, 0, .2]
    flips = [abs(sum(s*x for s, x in zip(signs, d))) for signs in itertools.product((-1, 1), repeat=len(d))]
    assert sign_flip(d) == pytest.approx(sum(f >= abs(sum(d))-1e-12 for f in flips)/len(flips))

def test_without_any_difference_there_is_no_evidence():
    assert sign_flip([0]*30) == 1 and paired_t([0.0]*30)[1:] == pytest.approx((-.1, .1, 1))

def test_a_contrast_is_a_paired_t_over_task_means():
    c = contrast(ROWS, "treatment", "baseline")
    a, b = ([m for _, (m, n) in sorted(task_means(ROWS, x, "correct").items())] for x in ("treatment", "baseline"))
    ref = stats.ttest_rel(a, b)
    assert (c.estimate, c.p, c.lo, c.hi) == pytest.approx((fmean(a)-fmean(b), ref.pvalue, *ref.confidence_interval(.95)))
    assert (c.units, c.rollouts, c.unit, c.dropped) == (20, 200, "task", 0) and (c.mean, c.base_mean) == pytest.approx((fmean(a), fmean(b)))

@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_is_scipys(alternative):
    c = contrast(ROWS, "treatment", "baseline", alternative=alternative)
    ref = stats.ttest_1samp(c.diffs, 0, alternative=alternative)
    ends = [max(-1, min(x, 1)) for x in ref.confidence_interval(.95)] # of success: the far end is its bound
    assert (c.p, c.lo, c.hi) == pytest.approx((ref.pvalue, *ends))

def test_these_tasks_by_formula():
    c = contrast(ROWS, "treatment", "baseline")
    by = {(r["arm"], r["task"]): [] for r in ROWS}
    for r in ROWS: by[r["arm"], r["task"]].append(r["correct"])
    se = math.sqrt(sum(np.var(v, ddof=1)/len(v) for v in by.values()))/20
    q = stats.t.ppf(.975, 200-40)
    assert c.here == pytest.approx((c.estimate-q*se, c.estimate+q*se))
    assert contrast([r for r in ROWS if r["repeat"] == 0], "treatment", "baseline").here == ()

def test_streams_average_tasks_first_and_pair_by_stream():
    rows = simulate_rows(Planted(tasks=6, repeats=2, streams=9, fate=.5), seed=1)
    c = contrast(rows, "treatment", "baseline", unit="stream")
    cell = lambda arm, s: fmean(fmean(r["correct"] for r in rows if (r["arm"], r["stream"], r["task"]) == (arm, s, f"t{t:02}")) for t in range(6))
    d = [cell("treatment", s)-cell("baseline", s) for s in range(9)]
    assert (c.units, c.unit, c.p) == (9, "stream", pytest.approx(stats.ttest_1samp(d, 0).pvalue)) and "8 df" in c.test
    gone = [r for r in rows if not (r["arm"] == "treatment" and r["stream"] == 2 and r["task"] == "t01")]
    c = contrast(gone, "treatment", "baseline", unit="stream")
    assert c.units == 9 and "1 tasks inside streams left out" in " ".join(c.notes)

def test_what_is_left_out_is_said():
    rows = [dict(r, outcome="success") for r in ROWS]
    rows = [dict(r, outcome="infrastructure") if r["task"] == "t01" and r["arm"] == "treatment" else r for r in rows]
    rows = [dict(r, correct=None) if r["task"] == "t02" and r["repeat"] == 0 and r["arm"] == "baseline" else r for r in rows]
    said = repr(contrast(rows, "treatment", "baseline"))
    assert "6 rows left out" in said and "1 task left out: only one arm has them" in said and "1 tasks with more rollouts" in said and "19 tasks" in said

@pytest.mark.parametrize("rows, kw, text", [
    (ROWS, dict(arm="nobody"), "No rows with arm='nobody'"),
    ([r for r in ROWS if r["task"] == "t00"], {}, "share 1 tasks"),
    (ROWS, dict(unit="stream"), "better 8"),
    ([{k: v for k, v in r.items() if k != "stream"} for r in ROWS], dict(unit="stream"), "no column 'stream'"),
    (ROWS, dict(alternative="bigger"), "'two-sided', 'greater' or 'less'"),
    (ROWS, dict(level=9), "at level 9")], ids=lambda x: x if isinstance(x, str) else "")
def test_what_cannot_be_tested_is_refused(rows, kw, text):
    with pytest.raises(ValueError, match=text): contrast(rows, **{"arm": "treatment", "baseline": "baseline", **kw})

def test_streams_in_other_orders_are_refused():
    rows = simulate_rows(Planted(tasks=6, repeats=1, streams=8), seed=1)
    contrast(rows, "treatment", "baseline", unit="stream")
    turned = [dict(r, position=5-r["position"]) if r["arm"] == "treatment" else r for r in rows]
    with pytest.raises(ValueError, match="another order"): contrast(turned, "treatment", "baseline", unit="stream")

# Bounds and ties

SPARSE = ((0, 0), (.02, 0), (.05, .05), (.1, 0), (.2, 0), (.2, .1), (.8, 0), (1, 0))

def tasks_that_differ(n, up, down, sims=2000):
    "Differences of which a share is one up, and a share one down"
    u = np.random.default_rng(n).random((sims, n))
    return (u < up)*1.0-((u >= up) & (u < up+down))

@pytest.mark.parametrize("n", [5, 8, 12, 20, 30, 45])
def test_an_interval_holds_the_truth_where_tasks_tie(n):
    for up, down in SPARSE:
        t = paired_t(tasks_that_differ(n, up, down), bound=1)
        truth = up-down
        assert np.mean((t.lo <= truth+1e-9) & (truth-1e-9 <= t.hi)) >= .93, (up, down) # .94, less two standard errors
        assert t.lo.min() >= -1 and t.hi.max() <= 1 and (t.hi-t.lo).min() > 0 and np.all((t.lo <= t.mean) & (t.mean <= t.hi))

@pytest.mark.parametrize("n", [5, 12, 45])
def test_the_interval_of_a_rate_holds_it(n):
    r = np.random.default_rng(n)
    for p, (each, agree) in itertools.product((0, .02, .3, .9, 1), ((1, 0), (2, .5), (5, .9))):
        fixed = r.random((200, n)) < agree # tasks whose rollouts all end alike
        rates = np.where(fixed, r.random((200, n)) < p, r.binomial(each, p, (200, n))/each)
        found = [rate_interval(x, each) for x in rates]
        assert np.mean([f.lo-1e-9 <= p <= f.hi+1e-9 for f in found]) >= .91, (p, each) # of 200: .94, less two standard errors
        assert all(0 <= f.lo <= f.mean <= f.hi <= 1 and f.lo < f.hi for f in found)

def test_single_outcomes_have_the_exact_interval():
    exact = pytest.importorskip("statsmodels.stats.proportion").proportion_confint
    for n, right in ((5, 4), (9, 0), (30, 30), (45, 13)):
        assert rate_interval([1]*right+[0]*(n-right))[1:] == pytest.approx(exact(right, n, method="beta"))

def test_with_many_ties_the_signs_must_agree_too():
    for k in range(1, 9):
        d = [.5]*k+[0]*(45-k)
        assert (paired_t(d, bound=1).p < .05) == (sign_flip(d) < .05) == (k >= 6)
    spread = list(np.random.default_rng(0).normal(.2, .3, 30))
    assert not mostly_same(np.array(spread)) and paired_t(spread).p == pytest.approx(stats.ttest_1samp(spread, 0).pvalue)

@pytest.mark.parametrize("n", [6, 8, 12])
@pytest.mark.parametrize("gain", [.03, .25, 1.0])
def test_equal_gains_are_information(n, gain):
    t = paired_t([gain]*n, 1, 1)
    assert t.mean == pytest.approx(gain) and 0 < t.lo < t.mean <= t.hi and t.p < .05 and sign_flip([gain]*n) < .05

def test_streams_that_all_change_alike_are_information():
    rows = [dict(arm="a", stream=s, task=(s+p) % 4, position=p, correct=p/4) for s in range(8) for p in range(4)]
    alike = slope(rows, "a")
    assert 0 < alike.lo < alike.change < alike.hi and alike.p < .05
    none = slope([{**r, "correct": 1.0} for r in rows], "a")
    assert none.change == 0 and none.lo < 0 < none.hi and none.p == 1

def test_where_nothing_could_be_found_it_says_none():
    tiny = contrast([dict(arm=a, task=t, correct=1) for a in "ab" for t in range(5)], "a", "b")
    assert tiny.mde == math.inf and "minimum detectable effect none" in repr(tiny)
    assert table([tiny])["detectable"].tolist() == ["none"] and tiny.imagined and "imagined" in tiny._repr_markdown_()
    few = compare([dict(arm=a, task=t, correct=(t+(a == "a")) % 2 if t < 2 else 1) for a in "ab" for t in range(9)], baseline="b")
    assert sum("imagined" in note for note in few.notes()) == 1

def test_an_interaction_that_is_the_same_everywhere_is_not_estimable():
    rows = [dict(task=t, L0=a, L1=b, correct=int(t % 2 or (a and t % 3 == 0))) for t in range(12) for a in (0, 1) for b in (0, 1)]
    both = factorial(rows, ("L0", "L1"))
    pair = both["L0:L1"]
    assert not pair.estimable and "not estimable" in repr(pair) and "e-1" not in repr(pair)
    line = both.table().set_index("effect").loc["L0:L1"]
    assert line["low"] == line["p"] == "not estimable" and line["detectable"] == "none" and both["L0"].estimable
    assert len(both.plot().axes[0].get_yticklabels()) == sum(e.estimable for e in both)

def test_intervals_are_drawn_also_of_nothing():
    for lines in ([], [("a", 0.0, 0.0, 0.0)], [("a", 0.0, -math.inf, math.inf)]):
        low, high = comparisons._limits([comparisons.Interval(*line) for line in lines])
        assert low < 0 < high and len(comparisons.intervals(lines).axes[0].get_yticklabels()) == len(lines)

def test_a_band_that_nobody_saw_is_not_drawn():
    rows = [dict(arm=a, stream=s, task=p, position=p, correct=int(p and a == "a" and s == 0)) for a in "ab" for s in range(8) for p in range(3)]
    c = curve(rows, "a", "b")
    lo, hi = c.band
    assert c.tied == (True, False, False) and math.isnan(lo[0]) and c.hi[0] == pytest.approx(3/8) and lo[1:] == list(c.lo[1:])

def test_forgetting_needs_three_probes():
    def probes(checkpoints): return [dict(arm="a", stream=s, task=0, learned=0, checkpoint=c, correct=int(c < 3)) for s in range(3) for c in checkpoints]
    assert set(kept(probes((1, 3)))["figure"]) == {"backward_transfer"}
    assert set(kept(probes((1, 2, 3)))["figure"]) == {"backward_transfer", "forgetting"}

def test_a_margin_says_what_its_p_is_of():
    c = contrast([dict(arm=a, task=t, correct=t % 2) for a in "ab" for t in range(9)], "a", "b")
    assert "margin" in judge_claim("x", c, beyond=-.05).why and "margin" in judge_equal("x", c, .5).why
    assert "margin" not in judge_claim("x", c).why

@pytest.mark.parametrize("d, low, high", [([0]*45, .06, .13), ([.5, .5, -.5]+[0]*42, .06, .13), ([0]*9, .27, .53), ([0]*5, math.inf, math.inf)])
def test_what_a_run_of_ties_could_find(d, low, high):
    assert low <= least_effect(d, scale_of([0, 1], "correct", 2)) <= high

def test_what_ties_could_find_is_found_four_times_in_five():
    scale = scale_of([0, 1], "correct", 2)
    for n in (9, 20, 45):
        share = least_effect([0]*n, scale)/.5
        gains = .5*(np.random.default_rng(n).random((4000, n)) < share)
        assert .76 < np.mean(paired_t(gains, bound=1).p < .05) < .9

def tied(metric="correct", values=(0, 1, 1), **more): return [dict(arm=a, task=t, repeat=r, **{metric: values[t % len(values)]}, **more) for a in ("baseline", "b") for t in range(18) for r in range(2)]

def test_a_metric_has_its_own_scale():
    c = contrast(tied("request_chars", (310, 700)), "b", "baseline", "request_chars")
    assert (c.lo, c.hi) == pytest.approx((-65, 65)) and c.here == pytest.approx((-390*3/36, 390*3/36)) and c.mde > 50 # 3/18 of 390 characters
    assert contrast(tied("calls", (7,)), "b", "baseline", "calls").hi == pytest.approx(7/6)
    assert scale_of([0, 1], "calls").bound == math.inf and scale_of([0, 1], "hit").is_rate and not scale_of([0, 1.5], "score").is_rate
    success = contrast(tied(), "b", "baseline")
    assert success.hi == pytest.approx(1/6) and .1 < success.mde < .5

@pytest.mark.parametrize("n", [2, 3, 4])
def test_differences_of_rates_stay_within_their_bounds(n):
    for base, arm in itertools.product(itertools.product((0, 1), repeat=n), repeat=2):
        rows = [dict(arm=name, task=t, correct=x) for name, xs in (("a", base), ("b", arm)) for t, x in enumerate(xs)]
        c = contrast(rows, "b", "a")
        assert -1 <= c.lo <= c.estimate <= c.hi <= 1 and c.lo < c.hi and (0 < c.mde <= 1 or math.isinf(c.mde))

def test_what_is_no_number_is_refused():
    odd = [dict(r, correct=math.nan) if r["task"] == "t03" else r for r in ROWS]
    for ask in (lambda: contrast(odd, "treatment", "baseline"), lambda: compare(odd), lambda: curve(odd, "baseline"), lambda: passes(odd), lambda: spread(odd, "treatment"),
            lambda: factorial([dict(r, correct=math.nan) for r in cells_of_16(4)])):
        with pytest.raises(ValueError, match="a comparison needs numbers"): ask()
    c = replace(contrast(ROWS, "treatment", "baseline"), lo=math.nan)
    for ask in (lambda: judge_claim("better", c), lambda: judge_equal("same", c, .1)):
        with pytest.raises(ValueError, match="interval is NaN"): ask()

def test_no_interval_of_streams_or_questions_is_without_width():
    same = [dict(arm=a, stream=s, position=(t+s) % 6, task=t, correct=int((t+s) % 6 > 2)) for a in "ab" for s in range(4) for t in range(6)]
    for c in (curve(same, "a"), curve(same, "a", "b")):
        assert all(lo < hi for lo, hi in zip(c.lo, c.hi)) and min(c.lo) >= -1 and max(c.hi) <= 1
    assert min(curve(same, "a").lo) >= 0
    for t in (thirds(same, "a"), thirds(same, "a", "b")): assert t.lo < t.estimate < t.hi or t.hi == 1
    flat = slope([dict(r, correct=1) for r in same], "a")
    assert flat.lo < 0 < flat.hi and flat.p == 1
    probes = [dict(arm="a", stream=s, task=t, learned=t, checkpoint=c, correct=1) for s in range(4) for t in range(3) for c in (4, 8)]
    k = kept(probes)
    assert ((k.high > k.low) & (k.low >= -1) & (k.high <= 1)).all()
    asked = [dict(arm=a, seed=0, question=q, group=q//2, session=q//3, r5=1.0, hit=1) for a in ("static", "learned") for q in range(21)]
    for d in (paired_difference(asked, "learned"), unpaired_difference(asked, "learned")): assert d.lo < 0 < d.hi and d.p == 1
    p = passes(tied(values=(1,)), k=2)
    assert (p["pass@k low"] < 1).all() and (p["pass@k high"] == 1).all()

def test_an_effect_without_spread_cannot_be_told():
    rows = [dict(L0=x, L1=y, task=t, correct=int(x)) for x in (0, 1) for y in (0, 1) for t in range(6)]
    found = factorial(rows, ["L0", "L1"])
    assert all(math.isnan(e.p) and e.lo < 0 < e.hi for e in found) and (found["L0"].lo, found["L0:L1"].hi) == (-1, 2)
    assert "cannot be told" in repr(found) and judge_claim("L0 helps", found["L0"]).verdict == "undecided"

def test_a_tied_pilot_promises_no_more_than_ties_can_find():
    assert .1 < detectable(18, 2, rows=tied(), arm="b") < .5 and needed(.5, rows=tied(), arm="b") == 6

def test_each_rollout_of_an_attempt_counts():
    tried = np.random.default_rng(3).binomial(1, .4, (9, 3)).tolist()
    rows = [dict(arm="a", task=t, correct=max(o), any_correct=max(o), each_correct=o, rollouts=3) for t, o in enumerate(tried)]
    apart = [dict(arm="a", task=t, correct=x) for t, o in enumerate(tried) for x in o]
    assert passes(rows, k=2).equals(passes(apart, k=2))
    with pytest.raises(ValueError, match="keeps no `each_correct`"): passes([{k: v for k, v in r.items() if k != "each_correct"} for r in rows], k=2)

# Several contrasts

def test_holm_and_benjamini_hochberg_are_statsmodels():
    multi = pytest.importorskip("statsmodels.stats.multitest").multipletests
    assert holm(PS) == pytest.approx(list(multi(PS, method="holm")[1])) and fdr(PS) == pytest.approx(list(multi(PS, method="fdr_bh")[1]))
    assert holm([]) == [] == fdr([])

def attempts(arm, solved, **other):
    "Rows of attempts, an answer each; `other` is what sets the arm apart"
    return [dict(arm=arm, task=f"t{t}", repeat=0, correct=int(t in solved), outcome="success", answer=str(t), iterations=2) | other for t in range(9)]

def test_two_arms_that_are_one_have_no_interval_no_p_and_no_part_in_holm():
    rows = attempts("none", {1, 2})+attempts("placebo", {1, 2}, memory_chars=90)+attempts("good", range(8))+attempts("fair", range(5))
    found = compare(rows, baseline="none")
    one, good, fair = found
    assert [c.identical for c in found] == [True, False, False] and (one.moved, good.moved) == (0, 6) and one.p_holm is None
    assert [good.p_holm, fair.p_holm] == pytest.approx(holm([good.p, fair.p])) and {c.contrasts for c in found} == {2}
    cells = found.table().set_index("arm")
    assert cells.loc["placebo", "difference"] == "identical" and cells.loc["placebo", ["low", "high", "p", "p (Holm)", "p (signs)", "detectable"]].isna().all()
    assert cells.loc["good", ["low", "high", "p", "p (Holm)", "detectable"]].notna().all() and math.isnan(table(found)["detectable"][0])
    for said in (repr(one), one._repr_markdown_()): assert "identical in every row" in said and not any(word in said for word in ("p=", "p = ", "[", "detectable", "95 %"))
    assert "p (Holm) is over the other 2 of 3" in repr(found) and "placebo: no task came out differently" in found._repr_html_() and "NaN" not in repr(found)
    of_one, = (line for line in found.plot().axes[0].lines if list(line.get_ydata()) == [2])
    assert list(of_one.get_xdata()) == [0] and of_one.get_markerfacecolor() == "none", "a hollow mark, and no interval"
    assert judge_claim("x", one).verdict == "undecided" and "[-0.333, +0.333]" in judge_claim("x", one).why
    assert explore([dict(r, level=1) for r in rows], baseline="none").set_index("arm").loc["placebo", ["low", "p", "q"]].isna().all()

@pytest.mark.parametrize("other", [dict(iterations=3), dict(answer="x"), dict(outcome="wrong")])
def test_arms_that_tie_and_are_not_one_have_an_interval(other):
    c, = compare(attempts("none", {1, 2})+attempts("b", {1, 2}, **other), baseline="none")
    assert not c.identical and c.moved == 0 and c.lo < 0 < c.hi and c.p_holm is None and "[" in repr(c)
    bare = [{name: r[name] for name in ("arm", "task", "correct")} for r in attempts("none", {1})+attempts("b", {1})]
    assert not contrast(bare, "b", "none").identical, "rows of no attempt may tie by chance"
    fewer = attempts("none", {1})+attempts("b", {1})[1:]
    assert not contrast(fewer, "b", "none").identical, "an arm that lacks a row is not the other"

def test_compare_adjusts_over_all_planned_contrasts():
    third = [dict(r, arm="third", correct=1-r["correct"], calls=9) for r in ROWS if r["arm"] == "baseline"]
    rows = [dict(r, calls=3) for r in ROWS]+third
    found = compare(rows, metrics=("correct", "calls"))
    assert isinstance(found, Comparisons) and len(found) == 4
    tested = [c for c in found if c.moved]
    assert [c.arm+c.metric for c in found if not c.moved] == ["treatmentcalls"] and not any(c.identical for c in found)
    assert [c.p_holm for c in tested] == pytest.approx(holm([c.p for c in tested])) and {c.contrasts for c in found} == {3}
    t = found.table()
    assert list(t["arm"]) == ["treatment"]*2+["third"]*2 and list(t["calls ×"].dropna()) == [1.0, 3.0] and "p (Holm)" in t
    assert "<table" in found._repr_html_() and "treatment" in repr(found) and len(found.plot().axes[0].lines) == 2*4+1
    only = compare(rows, arms=[("third", "treatment")])
    assert (only[0].arm, only[0].baseline, only[0].contrasts) == ("third", "treatment", 1)
    with pytest.raises(ValueError, match="name the arms"): compare([r for r in rows if r["arm"] == "baseline"])
    assert {"arm", "p", "tasks", "detectable"} <= set(table([found[0]]).columns)

@pytest.mark.parametrize("lo, hi, equal, claim", [(-.02, .03, "held", "undecided"), (.01, .04, "held", "held"), (.06, .2, "failed", "held"), (-.2, -.06, "failed", "failed"),
    (.01, .2, "undecided", "held"), (-.2, .2, "undecided", "undecided"), (-.3, -.01, "undecided", "failed")])
def test_verdicts_go_by_the_whole_interval(lo, hi, equal, claim):
    c = replace(contrast(ROWS, "treatment", "baseline"), lo=lo, hi=hi)
    assert judge_equal("same", c, .05).verdict == equal and judge_claim("better", c).verdict == claim
    flipped = {"held": "failed", "failed": "held"}
    assert judge_claim("worse", c, more=False).verdict == flipped.get(claim, claim)

def test_labels_that_do_not_fit_the_treatment_are_refused():
    rows = [dict(arm=a, task=t, sense_chars=n, context_hash=f"{a}{t}") for a, n in (("baseline", 0), ("L0", 300)) for t in range(3)]
    arms, built = {"baseline": (), "L0": ("sense",)}, {(r["arm"], r["task"]): r["context_hash"] for r in rows}
    check_treatment(rows, arms, built)
    swap = [dict(r, arm="L0" if r["arm"] == "baseline" else "baseline") for r in rows]
    with pytest.raises(ValueError, match="does not declare"): check_treatment(swap, arms)
    alike = [dict(r, sense_chars=300) for r in rows]
    other = dict(baseline=("sense",), L0=("sense",))
    check_treatment(alike, other, built)
    with pytest.raises(ValueError, match="another context than was built"): check_treatment([dict(r, arm="L0" if r["arm"] == "baseline" else "baseline") for r in alike], other, built)
    with pytest.raises(ValueError, match="no such arm"): check_treatment(rows, {"baseline": ()})

# Factorial

@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("order", [1, 2])
def test_factorial_is_statsmodels_with_task_dummies(seed, order):
    sm = pytest.importorskip("statsmodels.formula.api")
    import pandas as pd
    rows = cells_of_16(seed=seed)
    df = pd.DataFrame(rows).groupby(["task", *FACTORS], as_index=False)["correct"].mean()
    df[list(FACTORS)] -= .5
    what = "+".join(FACTORS) if order == 1 else f"({'+'.join(FACTORS)})**2"
    ref = sm.ols(f"correct ~ {what} + C(task)", df).fit(cov_type="cluster", cov_kwds=dict(groups=df["task"]))
    n, k, full = len(df), (4 if order == 1 else 10), ref.df_model+1
    for e in factorial(rows, order=order):
        assert e.estimate == pytest.approx(ref.params[e.name])
        se = ref.bse[e.name]*math.sqrt((n-full)/(n-k)) # the task levels are nested in the clusters and are not counted
        assert (e.hi-e.lo)/2 == pytest.approx(stats.t.ppf(.975, 13)*se) and e.p == pytest.approx(2*stats.t.sf(abs(e.estimate/se), 13))

def test_on_a_full_plan_main_effects_are_paired_differences():
    rows = cells_of_16()
    by = lambda t, f, x: fmean(r["correct"] for r in rows if r["task"] == t and r[f] == x)
    for e in factorial(rows, order=1):
        d = [by(t, e.name, 1)-by(t, e.name, 0) for t in range(14)]
        se = np.std(d, ddof=1)/math.sqrt(14)*math.sqrt((224-1)/(224-4))
        assert e.estimate == pytest.approx(fmean(d)) and e.hi-e.estimate == pytest.approx(stats.t.ppf(.975, 13)*se)

def test_what_the_cells_do_not_hold_is_named():
    six = [r for r in cells_of_16() if r["arm"] in ("baseline", "L0", "L1", "L2", "L3", "L0+L1+L2+L3")]
    with pytest.raises(ValueError, match="6 of 16 cells cannot tell"): factorial(six)
    assert len(factorial(six, order=1)) == 4
    with pytest.raises(ValueError, match="0 tasks"): factorial([], order=1)
    assert "1 task" not in repr(factorial(cells_of_16(seed=1))) and "lack some cells" in repr(factorial(cells_of_16(seed=1)))
    marked = mark(simulate_rows(), {"baseline": (), "treatment": ("L1",)}, FACTORS)
    assert {(r["arm"], r["L1"], r["L0"]) for r in marked} == {("baseline", 0, 0), ("treatment", 1, 0)}

def test_a_grid_is_adjusted_as_a_whole():
    g = explore([dict(r, graph="ab"[r["task"] in ("t00",)]) for r in ROWS], across="graph")
    assert list(g.said)[1].startswith("treatment and baseline share 1 tasks") and math.isnan(g.p[1])
    by_level = explore(ROWS)
    assert list(by_level.q) == pytest.approx(fdr(by_level.p), abs=1e-3)

# Power

@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_by_enumeration(n):
    for right in range(n+1):
        rolls = [1]*right+[0]*(n-right)
        for k in range(1, n+1):
            sets = list(itertools.combinations(rolls, k))
            assert pass_at_k(n, right, k) == pytest.approx(fmean(any(s) for s in sets)) and pass_all_k(n, right, k) == pytest.approx(fmean(all(s) for s in sets))

def test_pass_at_k_refuses_what_cannot_be():
    for bad in ((3, 1, 4), (3, 1, 0), (3, 4, 1)):
        with pytest.raises(ValueError): pass_at_k(*bad)
    p = passes([r for r in ROWS if not (r["task"] == "t00" and r["repeat"] > 1)], k=3)
    assert list(p.left_out) == [1, 1] and list(p.tasks) == [19, 19] and all(p["pass@k"] >= p["pass^k"])

def test_what_is_planted_is_there():
    for planted in (Planted(effect=.2), Planted(effect=.1, base=.3, interaction=1.5), Planted(effect=-.1, streams=4, fate=1.0, repeats=1)):
        wins = draw(planted, 6000, rng=2)/planted.repeats
        base, arm = wins[:, 0].mean(), wins[:, 1].mean()
        assert base == pytest.approx(planted.base, abs=.01) and arm-base == pytest.approx(planted.effect, abs=.01)

def test_the_moments_of_a_pilot():
    planted = Planted(tasks=3000, repeats=6, interaction=1.0)
    rows = simulate_rows(planted, seed=1)
    s, like = spread(rows, "treatment"), fit_profile(rows, "treatment")
    assert like.difficulty == pytest.approx(1.5, abs=.1) and like.interaction == pytest.approx(1.0, abs=.15)
    d = differences(replace(planted, tasks=30), 4000, rng=3).mean(1)
    assert s.se(30, 6) == pytest.approx(d.std(), rel=.05)
    with pytest.raises(ValueError, match="Raise n_repeats"): spread([r for r in ROWS if r["repeat"] == 0], "treatment")

@pytest.mark.parametrize("n", [4, 12, 40])
def test_detectable_is_the_noncentral_t(n):
    size = detectable(n, 3, between=.15, within=.35)
    se = math.sqrt((.15**2+.35/3)/n)
    q = stats.t.ppf(.975, n-1)
    assert stats.nct.sf(q, n-1, size/se)+stats.nct.cdf(-q, n-1, size/se) == pytest.approx(.8, abs=.003)
    assert needed(size, 3, between=.15, within=.35) == pytest.approx(n, abs=1)

def test_power_keeps_its_promise_and_the_comparisons_own_estimate_is_near():
    p = power(Planted(), (0, .15), tasks=(12, 30), sims=3000).set_index(["effect", "tasks"]).power
    assert p[0, 30] == pytest.approx(.05, abs=.02) and p[.15, 12] < p[.15, 30]
    c = contrast(simulate_rows(Planted(tasks=40), seed=2), "treatment", "baseline")
    assert c.mde == pytest.approx(detectable(40, 1, between=np.std(c.diffs, ddof=1), within=0), rel=.03)
    with pytest.raises(ValueError, match="pilot's rows"): detectable(30)
    with pytest.raises(ValueError, match="Give the smallest effect"): needed(0, between=.1, within=.3)

# Curves

def walk(arm, s, wins): return [dict(arm=arm, stream=s, position=i, task=f"t{i}", correct=w) for i, w in enumerate(wins)]

def test_curves_and_thirds_by_hand():
    rows = walk("a", 0, [0, 0, 1, 1, 1, 1])+walk("a", 1, [0, 1, 0, 0, 1, 0])
    c = curve(rows, "a")
    assert c.mean == pytest.approx((0, .25, 1/3, 3/8, .5, .5)) and c.streams == 2
    assert curve(rows, "a", window=2).mean == pytest.approx((0, .25, .5, .5, .75, .75))
    t = thirds(rows, "a")
    assert t.diffs == (1.0, 0.0) and (t.units, t.unit, t.estimate) == (2, "stream", .5) and t.p == pytest.approx(stats.ttest_1samp([1, 0], 0).pvalue)
    base = walk("b", 0, [0, 0, 0, 0, 1, 1])+walk("b", 1, [0]*6)
    assert thirds(rows+base, "a", "b").diffs == (0.0, 0.0) and curve(rows+base, "a", "b").mean[-1] == pytest.approx(1/3)
    with pytest.raises(ValueError, match="band needs at least 2"): curve(walk("a", 0, [0, 1, 1]), "a")
    with pytest.raises(ValueError, match="needs at least 3"): thirds(walk("a", 0, [0, 1])+walk("a", 1, [0, 1]), "a")
    with pytest.raises(ValueError, match="no position"): curve([dict(arm="a", stream=0, task=1, correct=1)], "a")

def test_a_slope_is_least_squares_with_task_levels():
    sm = pytest.importorskip("statsmodels.formula.api")
    import pandas as pd
    rows = [r for r in simulate_rows(Planted(tasks=12, repeats=1, streams=8), seed=4) if r["arm"] == "baseline"]
    df = pd.DataFrame(rows).assign(place=lambda d: d.position/11)
    assert slope(rows, "baseline").change == pytest.approx(sm.ols("correct ~ place + C(task)", df).fit().params["place"])

def test_what_is_kept_by_hand():
    def probe(s, task, learned, **at): return [dict(arm="a", stream=s, task=task, learned=learned, checkpoint=int(k[1:]), correct=v) for k, v in at.items()]
    one = probe(0, "x", 0, c0=0, c2=1, c4=1, c6=0)+probe(0, "y", 3, c0=0, c2=0, c4=0, c6=1)+probe(0, "new", None, c0=0, c6=1)+probe(0, "z", 5, c0=0, c6=1)
    two = probe(1, "x", 2, c0=0, c2=0, c4=1, c6=1)+probe(1, "new", None, c0=0, c6=0)
    k = kept(one+two).set_index("figure")
    assert k["mean"].to_dict() == pytest.approx(dict(backward_transfer=0, forgetting=0, generalisation=.5)) # x: -1, 1; y: +1, -1; stream 1: 0, 0

# The stored calibration

def test_the_stored_calibration_is_within_its_bounds():
    s = json.loads((root/"results/shipped/calibration/summary.json").read_text(encoding="utf-8"))
    assert s["experiments"] >= 300 and .03 <= s["false_positive_rate"] <= .07 and .03 <= s["false_positive_rate_streams"] <= .07
    assert .93 <= s["coverage_lowest"] <= s["coverage"] <= s["coverage_highest"] <= .97 and s["power_error"] <= 3*s["power_error_mc"]
    assert all(abs(x["bias"]) <= 4*x["bias_error"] for x in (*s["planted"].values(), *s["planted_streams"].values()))
    assert s["naive"]["tasks as units (same arm twice, 8 streams)"]["rate"] > .1 and set(s["caught"]) >= {"blanked layer", "cut line", "swapped arm"}

def test_factors_and_layers_are_read_from_the_rows():
    rows = mark(cells_of_16(), {a: (*a.split("+"), *(["L12"] if a == "L1" else [])) for a in {r["arm"] for r in cells_of_16()} if a != "baseline"})
    assert factors_of(rows) == (*FACTORS, "L12") and factors_of(cells_of_16()) == FACTORS
    with pytest.raises(ValueError, match="no column of a factor"): factors_of(ROWS)
    told = [dict(arm="a", task=1, context_hash="x", base_chars=9, base_hash="b", notes_chars=3, notes_hash="n", stdout_chars=7)]
    with pytest.raises(ValueError, match=r"told \['notes'\]"): check_treatment(told, dict(a=()))
    check_treatment(told, dict(a=["notes"]))

def test_a_null_without_room_is_said_to_have_none_and_streams_are_counted_by_place():
    made = lambda arm, right, **at: [dict(arm=arm, task=f"t{i}", correct=int(i < right), **at) for i in range(30)]
    found = room(made("layers", 29)+made("cards", 29), "layers", "cards")
    assert (found.units, found.moved, found.could_rise, found.could_fall) == (30, 0, 1, 29)
    assert not found.shows(.15) and found.shows(.03) and found.shows(-.9) and "+0.033 was the most gain to be seen" in str(found)
    twice = made("a", 10, stream=0)+made("a", 0, stream=1)+made("b", 0, stream=0)+made("b", 10, stream=1)
    assert (room(twice, "a", "b").units, room(twice, "a", "b").moved, room(twice, "a", "b").could_rise) == (60, 20, 50), "streams do not cancel out"
    repeats = [dict(arm=arm, task="t", repeat=k, correct=k) for arm in "ab" for k in (0, 1)]
    assert (room(repeats, "a", "b").could_rise, room(repeats, "a", "b").could_fall, room(repeats, "a", "b").most_gain) == (1, 1, .5)
    broke = [dict(arm="b", task="t1", correct=0, outcome="infrastructure")]
    assert room([*made("a", 30), *[r for r in made("b", 30) if r["task"] != "t1"], *broke], "a", "b").units == 29
    with pytest.raises(ValueError, match="share no task"): room(made("a", 1), "a", "b")
    assert list(room_table({"one": found}).index) == ["one"] and room_table([found]).loc["layers - cards", "seen_at_most"] == .033

# The score interval of two paired proportions

@pytest.mark.parametrize("gains, losses, n, lo, hi", [(1, 7, 21, -.517, -.026), (6, 16, 161, -.124, -.005), (0, 1, 43, -.121, .061)])
def test_the_score_interval_agrees_with_published_values(gains, losses, n, lo, hi):
    assert score_interval(gains, losses, n) == pytest.approx((lo, hi), abs=6e-4)
    assert score_interval(losses, gains, n) == pytest.approx((-hi, -lo), abs=6e-4)

@pytest.mark.parametrize("gains, losses, n", [(0, 0, 1), (1, 0, 1), (0, 0, 50), (50, 0, 50), (0, 50, 50), (25, 25, 50), (3, 0, 400)])
def test_the_score_interval_holds_the_estimate_and_stays_in_bounds(gains, losses, n):
    lo, hi = score_interval(gains, losses, n)
    assert -1 <= lo <= (gains-losses)/n <= hi <= 1 and lo < hi

@pytest.mark.parametrize("counts", [(3, 3, 5), (-1, 0, 5), (0, 0, 0)])
def test_counts_that_cannot_be_are_refused(counts):
    with pytest.raises(ValueError, match="at most n"): score_interval(*counts)

def once_each(right, n, arm="b"): return [dict(arm=a, task=t, correct=a != arm or t < right) for a in ("a", arm) for t in range(n)]

def test_a_claim_of_no_fewer_is_judged_by_the_score_interval():
    lost_one = contrast(once_each(42, 43), "b", "a")
    assert lost_one.lo > -.1 > lost_one.score[0], "the t interval would hold"
    assert judge_claim("no fewer by ten points", lost_one, beyond=-.1).verdict == "undecided"
    assert judge_claim("no fewer by fifteen points", lost_one, beyond=-.15).verdict == "held"
    assert judge_equal("the same", lost_one, .1).verdict == "undecided" and "Tango" in judge_equal("the same", lost_one, .1).why
    assert "Tango" not in judge_claim("better", lost_one).why

def test_only_single_right_or_wrong_answers_have_a_score_interval():
    assert contrast(once_each(5, 9)*2, "b", "a").score is None, "two rollouts each"
    halves = [dict(row, correct=row["correct"]/2) for row in once_each(5, 9)]
    assert contrast(halves, "b", "a").score is None
    calls = [dict(row, calls=int(row["correct"])) for row in once_each(5, 9)]
    assert contrast(calls, "b", "a", "calls").score is None
    assert contrast(once_each(5, 9), "b", "a", alternative="less").score[0] == -1
