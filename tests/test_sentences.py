"From rows to sentence: what run.json, report and tables say, computed again from the rows without rbkit's statistics"
import json, math
from collections import defaultdict
from pathlib import Path
import numpy as np
import pytest
from scipy.stats import t as student
from rbkit.ground.text import stored_bytes

SHIPPED = Path(__file__).parents[1]/"results"/"shipped"

# Rows, read as text

def manifest(run): return json.loads((SHIPPED/run/"run.json").read_text(encoding="utf-8"))

def stored(run):
    "The rows that a manifest speaks of, the last of each place, under the names of their arms"
    m = manifest(run)
    text = stored_bytes(SHIPPED/run/"rows.jsonl").decode()
    names = {arm["config"]: arm["name"] for arm in m["arms"]}
    n = dict(repeat=m["settings"]["n_repeats"], stream=m["settings"].get("n_streams") or 1)
    last = {}
    for row in map(json.loads, text.splitlines()):
        counts = row["config"] in names and row["code"] in m["codes"].values() and row["task"] in m["tasks"] and row.get("walk") == m.get("walk")
        if counts and row["repeat"] < n["repeat"] and row["stream"] < n["stream"]:
            last[tuple(row.get(k) for k in ("config", "task", "repeat", "stream", "phase", "position"))] = row | dict(arm=names[row["config"]])
    return [row for row in last.values() if row["outcome"] not in ("infrastructure", "budget")]

def learning(rows): return [row for row in rows if row.get("phase", "learn") == "learn"]

def held_out_last(rows):
    probes = [row for row in rows if row["phase"] == "probe" and row["learned"] is None]
    end = max(row["position"] for row in probes)
    return [row for row in probes if row["position"] == end]

# The difference of two arms, unit by unit

def differences(rows, arm, other, metric, unit):
    "Rollouts are averaged first, then the tasks of a unit"
    cells = defaultdict(lambda: defaultdict(list))
    for row in rows: cells[row["arm"], row[unit]][row["task"]].append(float(row[metric]))
    def of(name): return {u: cells[a, u] for a, u in list(cells) if a == name}
    mine, theirs = of(arm), of(other)
    def mean(tasks): return np.mean([np.mean(values) for values in tasks.values()])
    return np.array([mean(mine[u])-mean(theirs[u]) for u in sorted(mine.keys() & theirs.keys(), key=str)])

def by_t(d, n, df):
    half = student.ppf(.975, df)*math.sqrt(np.mean((d-d.mean())**2)/n)
    return d.mean()-half, d.mean()+half

def interval(d, bound):
    "Student's t; where more than half of the differences are one, the wider of that and the one with two imagined ones more"
    lo, hi = by_t(d, len(d)-1, len(d)-1)
    if np.mean(np.isclose(d, np.median(d))) > .5:
        most = max(abs(d)) or 1.0
        more = by_t(np.append(d, [most, -most]), len(d)+2, len(d)-1)
        lo, hi = min(lo, more[0]), max(hi, more[1])
    return max(lo, -bound), min(hi, bound)

def sentence(rows, arm, other, metric="correct", unit="task"):
    "How a verdict begins, with the numbers that are asked of it"
    d = differences(rows, arm, other, metric, unit)
    lo, hi = interval(d, 1.0 if metric == "correct" else math.inf)
    return f"{arm} - {other}: {metric} {d.mean():+.3g} [{lo:+.3g}, {hi:+.3g}]", lo, hi

def moved(rows, arm, other):
    "Tasks of a stream whose attempts in these arms did not all end alike"
    came = defaultdict(set)
    for row in rows:
        if row["arm"] in (arm, other): came[row["stream"], row["task"]].add(row["correct"])
    return sum(len(ends) > 1 for ends in came.values()), len(came)

def called(held, failed): return "held" if held else "failed" if failed else "undecided"

def within(margin): return lambda lo, hi: called(-margin < lo and hi < margin, lo > margin or hi < -margin)
def above(least): return lambda lo, hi: called(lo > least, hi < least)

CLAIMS = {
    "E1, the same arm twice": ("E01/sim-graphs-full-s0", ("baseline again", "baseline"), within(.15)),
    "E3, constraints": ("E03/sim-graphs-full-s0", ("L1 constraints", "baseline"), above(.05)),
    "E5, memory against its placebo": ("E05/sim-graphs-full-s0", ("L2 memory", "placebo"), above(0)),
    "E7, growth of requests": ("E07/sim-graphs-full-s0", ("rows", "handles", "growth"), above(0)),
    "E9, lessons against no memory": ("E09/sim-library-full-s0", ("lessons", "no memory", "correct", "stream"), above(0)),
}
claims = pytest.mark.parametrize("run, arms, verdict", CLAIMS.values(), ids=CLAIMS)

@claims
def test_a_verdict_follows_from_its_rows(run, arms, verdict):
    rows, m = learning(stored(run)), manifest(run)
    words, lo, hi = sentence(rows, *arms)
    said = m["verdict"]
    assert said["why"].startswith(f"{words}, p=") and said["verdict"] == verdict(lo, hi)
    n = len({row[arms[3] if len(arms) > 3 else "task"] for row in rows})
    assert f", {n} {'streams' if len(arms) > 3 else 'tasks'}" in said["why"]
    if len(arms) < 3 or arms[2] == "correct": assert "{} of {} tasks".format(*moved(rows, *arms[:2])) in said["why"]
    report = (SHIPPED/run/"report.md").read_text(encoding="utf-8")
    assert words in report and f"**{said['verdict'].upper()}** — {said['claim']}" in report

@claims
def test_other_rows_would_say_another_sentence(run, arms, verdict):
    rows = learning(stored(run))
    metric = arms[2] if len(arms) > 2 else "correct"
    row = next(row for row in rows if row["arm"] == arms[0])
    row[metric] = 1-row[metric] if metric == "correct" else row[metric]*10
    assert not manifest(run)["verdict"]["why"].startswith(sentence(rows, *arms)[0])

# What memory was worth in a world, on tasks that nothing was learned from

WORLDS = sorted(path.parent.relative_to(SHIPPED).as_posix() for path in (SHIPPED/"worlds").glob("*/run.json"))

def gain(rows, arm, baseline):
    d = differences(rows, arm, baseline, "correct", "stream")
    alone = [[row["correct"] for row in rows if row["arm"] == baseline and row["stream"] == s] for s in {row["stream"] for row in rows}]
    return [float(np.mean([np.mean(x) for x in alone])), float(d.mean()), *map(float, interval(d, 1.0))]

@pytest.mark.parametrize("run", WORLDS)
def test_the_gain_of_a_memory_follows_from_its_rows(run):
    found, rows = manifest(run)["found"], held_out_last(stored(run))
    said = [found[name] for name in ("alone", "gain", "low", "high")]
    baseline = manifest(run)["arms"][0]["name"]
    assert gain(rows, found["arm"], baseline) == pytest.approx(said, abs=6e-5) and found["streams"] == len({row["stream"] for row in rows})
    row = next(row for row in rows if row["arm"] == found["arm"])
    row["correct"] = 1-row["correct"]
    assert gain(rows, found["arm"], baseline) != pytest.approx(said, abs=6e-5), "one row more or less must show"
