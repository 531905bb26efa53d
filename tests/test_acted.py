"A claim is about what it names: what an arm has to do is counted, and arms that are one are called so"
from dataclasses import replace
from types import SimpleNamespace
import pandas as pd
import pytest
from rbkit.agents.evidence import Evidence, Step
from rbkit.bank.bank import Bank, seed_bank
from rbkit.bank.items import Item
from rbkit.policies.loop import Recall, Slot, credited
from rbkit.stats.bounds import rate_interval
from rbkit.stats.curves import curve, plot_curves
from rbkit.stats.style import MARK, MARK_WORDS
from rbkit.trials.ablation import ablate
from rbkit.trials.acted import ACTS, at_limit, count_acts, flat, has_to, identical, short_banks, uneven_sizes
from rbkit.trials.attempts import Cell, seed_of
from rbkit.trials.inputs import build_contexts, prepare
from rbkit.trials.learners import NO_MEMORY, NO_MEMORY_AGAIN, Learner, PlantedErrors, appended
from rbkit.trials.learning import learn
from rbkit.trials.spec import AA_REPEAT, ACT_NAMES, BASELINE, Arm, Spec, check_settings, run_again
from rbkit.trials.stream_trial import Streams
from rbkit.trials.trial import Trial

SMALL = dict(suite="seeds/library", n_tasks=6, n_held_out=2, n_streams=2, sim_p_discover=.5)

# What an arm has to do follows from its fields

@pytest.mark.parametrize("arm, acts", [
    (Arm("L0+L2", ("L0", "L2")), ("sense", "shown")),
    (Arm("by tools", ("L2",), mode="tools"), ("asked",)),
    (Arm("nothing in it", ("L2",), bank="empty"), ("looked",)),
    (BASELINE, ("looked",)),
    (Arm("naive tools", toolset="naive"), ("looked",)),
    (Arm("naive tools, L0", ("L0",), toolset="naive"), ("sense", "looked")),
    (NO_MEMORY, ("sense", "constraints")),
    (Learner("lessons", ("L2",), learn="lessons"), ("shown", "stored")),
    (Learner("tidy", ("L2",), learn="lessons", ops=("duplicate", "merge")), ("shown", "stored", "duplicate", "merge")),
    (Learner("bound", ("L2",), learn="lessons", bound=dict(max_items=8)), ("shown", "stored", "archived")),
    (Learner("best of 3", ("L0",), rollouts=3), ("sense", "chosen")),
    (Learner("contrast", ("L2",), learn="lessons", rollouts=3), ("shown", "stored", "mixed")),
    (Learner("best read", ("L2",), learn="lessons", rollouts=3, read="best"), ("shown", "stored", "chosen")),
    (Learner("each read", ("L2",), learn="lessons", rollouts=3, read="each"), ("shown", "stored", "several")),
    (Learner("sequential", ("L2",), learn="lessons", rollouts=3, scaling="sequential"), ("shown", "stored", "looked_back")),
    (Learner("tried", ("L2",), learn="lessons", verify="rerun"), ("shown", "stored", "refused")),
    (Learner("misled", ("L2",), learn="lessons", judge=PlantedErrors(.6, .95)), ("shown", "stored", "misjudged")),
    (Learner("never wrong", ("L2",), learn="lessons", judge=PlantedErrors()), ("shown", "stored")),
    (Learner("two judges", ("L2",), learn="lessons", judge=("model", "rules")), ("shown", "stored", "disagreed")),
    (Learner("easy first", ("L2",), learn="lessons", curriculum=True), ("shown", "reranked", "stored")),
], ids=lambda x: getattr(x, "name", None))
def test_what_an_arm_has_to_do(arm, acts):
    assert has_to(arm) == acts and set(acts) <= ACTS.keys()

def rows_of(arm, n=40, **columns):
    usual = dict(phase="learn", stream=0, repeat=0, outcome="success", correct=1, level=1, ops=[], stored=1, archived=0, shown=["x"], memory_chars=9)
    return [dict(usual, arm=arm.name, task=f"t{i}", position=i, answer=str(i), **columns) for i in range(n)]

BOUND = Learner("eight items", ("L2",), learn="lessons", bound=dict(max_items=8))

def test_a_bound_that_never_bound_is_not_tested():
    lacking = [c.act for c in count_acts([BOUND], rows_of(BOUND)) if not c.enough]
    assert lacking == ["archived"]
    assert all(c.enough for c in count_acts([BOUND], rows_of(BOUND, archived=1)))

def test_probes_are_no_place_to_archive():
    rows = [*rows_of(BOUND, 20, archived=1), *[{**r, "phase": "probe", "archived": 0} for r in rows_of(BOUND, 100)]]
    archived = next(c for c in count_acts([BOUND], rows) if c.act == "archived")
    assert (archived.count, archived.rows, archived.least) == (20, 20, 1)

def test_three_merges_in_three_hundred_tasks_are_too_few():
    arm = Learner("merged", ("L2",), learn="lessons", ops=("merge",))
    rows = rows_of(arm, 297)+[dict(r, ops=["merge"]) for r in rows_of(arm, 3)]
    merge = next(c for c in count_acts([arm], rows) if c.act == "merge")
    assert not merge.enough and merge.least == 15
    asked = replace(arm, acts=dict(merge=2))
    assert next(c for c in count_acts([asked], rows) if c.act == "merge").enough

@pytest.mark.parametrize("arm, idle, acting", [
    (Learner("tried", ("L2",), learn="lessons", verify="rerun"), dict(refused=[]), dict(refused=["the trial failed"])),
    (Learner("misled", ("L2",), learn="lessons", judge=PlantedErrors(.6, .95)), dict(judged=1, judge_right=1), dict(judged=1, judge_right=0)),
    (Learner("two judges", ("L2",), learn="lessons", judge=("model", "rules")), dict(judged=1), dict(judged=None)),
], ids=lambda x: getattr(x, "name", None))
def test_a_choice_of_the_loop_that_never_chose_is_not_tested(arm, idle, acting):
    def enough(columns): return count_acts([arm], [{**row, **columns} for row in rows_of(arm)])[-1].enough
    assert not enough(idle) and enough(acting)

def test_naive_tools_that_nobody_called_are_not_tested():
    naive = Arm("naive tools", toolset="naive")
    assert not count_acts([naive], rows_of(naive, tool_calls=0))[0].enough
    assert count_acts([naive], rows_of(naive, tool_calls=2))[0].enough
    assert not count_acts([naive], rows_of(naive), cards=False), "rows of another world do not count calls of tools"

def test_what_an_arm_asks_of_itself_is_counted_as_well():
    assert has_to(Arm("x", ("L0",), acts=dict(asked=3))) == ("sense", "asked")
    assert set(ACT_NAMES) <= set(ACTS), "every name that an arm may give is counted"

@pytest.mark.parametrize("acts", [dict(dancing=1), dict(merge=0), dict(merge="3")])
def test_an_act_that_is_none_is_refused(acts):
    with pytest.raises(ValueError, match="acts"): Arm("x", acts=acts)

def test_an_arm_without_rows_did_nothing():
    assert not any(c.enough for c in count_acts([BOUND], []))

# Verdicts

@pytest.fixture(scope="module")
def bounded(tmp_path_factory):
    arms = [NO_MEMORY, NO_MEMORY_AGAIN, Learner("no bound", learn="lessons"),
        Learner("a thousand items", learn="lessons", bound=dict(max_items=1000)),
        Learner("one item", learn="lessons", bound=dict(max_items=1, floor_advice=0, floor_guardrails=0))]
    return judging(learn("E11", arms, out=str(tmp_path_factory.mktemp("bounded")), **SMALL))

def judging(trial):
    "A trial of arms of one's own that gives verdicts nevertheless, so that the rules of verdicts are seen"
    return replace(trial, spec=replace(trial.spec, params={**trial.spec.params, "dry_run": []}))

def test_a_claim_about_a_bound_that_did_not_bind_is_not_tested(bounded):
    finding = bounded.judge("A bound of a thousand costs nothing.", "a thousand items", "no bound", beyond=-.15)
    assert finding.verdict == "not tested"
    assert "was archived by the bound 0 times" in finding.why
    m = bounded.folder.manifest()
    assert m["verdict"]["verdict"] == "not tested"
    line = next(a for a in m["acted"] if a["arm"] == "a thousand items" and a["act"] == "archived")
    assert line["count"] == 0 and not line["enough"]

def test_a_bound_that_binds_is_tested(bounded):
    acted = {c.act: c for c in bounded.counted() if c.arm == "one item"}
    assert acted["archived"].enough
    assert bounded.judge("One item is enough.", "one item", "no bound").verdict != "not tested"

def test_a_repeat_gives_other_rows(bounded):
    rows = bounded.valid_rows
    assert not identical(rows, ["no memory", "no memory again"]), "an A/A arm has noise of its own"

def test_every_report_has_a_table_of_what_acted(bounded):
    from rbkit.reports.figure import sections
    words = [section.words for section in sections(bounded)]
    assert any("what every arm did" in w for w in words)
    table = bounded.acted()
    assert {"arm", "what its treatment does", "times", "at least", "in attempts"} == set(table.columns) and len(table) == len(bounded.counted())

def test_noise_is_shared_by_place_and_set_apart_by_salt():
    arms = [BASELINE, AA_REPEAT, Arm("L0", ("L0",))]
    spec, inputs = prepare("X", arms, suite="seeds/toy", n_tasks=2)
    seeds = [seed_of(spec, Cell(arm, inputs.tasks[0], 0)) for arm in arms]
    inputs.close()
    assert len(set(seeds)) == 3, "each arm has noise of its own, as the repeat has"

def test_noise_follows_the_arm_and_the_place():
    "A change of a verdict does not count as a place"
    spec, inputs = prepare("X", [BASELINE, AA_REPEAT], suite="seeds/toy", n_tasks=2)
    def seed(arm=BASELINE, **place): return seed_of(spec, Cell(arm, inputs.tasks[0], 0, place=tuple(place.items())))
    clean = dict(stream=0, phase="learn", position=3, walk="a")
    assert seed(**clean) == seed(**clean, misled=1) == seed(**{**clean, "walk": "b"})
    others = [seed(AA_REPEAT, **clean), seed(**{**clean, "stream": 1}), seed(**{**clean, "phase": "probe"}), seed(**{**clean, "position": 4})]
    assert len({seed(**clean), *others}) == 5
    inputs.close()

# Arms that are told the same

def test_two_arms_of_which_neither_is_the_baseline_are_told_apart_as_well():
    arms = [BASELINE, Arm("memory", ("L2",)), Arm("memory as well", ("L2",), slice_sense=False)]
    with pytest.raises(ValueError, match="'memory as well' and 'memory' were told exactly the same"):
        ablate("X", arms, suite="seeds/toy", n_tasks=2, n_repeats=1)

def test_the_same_text_in_two_layers_is_no_trouble(monkeypatch):
    from rbkit.trials import ablation
    def twice(spec, inputs, folder):
        build_contexts(spec, inputs, folder)
        for key, context in inputs.contexts.items():
            text = context["sense"].text
            layers = tuple(replace(l, text=text) if l.name == "constraints" else l for l in context.layers)
            inputs.contexts[key] = replace(context, layers=layers)
    monkeypatch.setattr(ablation, "build_contexts", twice)
    both = Arm("L0+L1", ("L0", "L1"))
    trial = ablation.ablate("X", [both, replace(both, name="again", salt="again")], suite="seeds/toy", n_tasks=2, n_repeats=1)
    assert trial.status == "success" and {r["sense_hash"] == r["constraints_hash"] for r in trial.rows} == {True}

# Credit

def item(id, content): return Item(id=id, title="A title of an item", description="d", content=content)
def seen(*actions): return Evidence("q", steps=tuple(Step(action=a, observation="") for a in actions))

ITEMS = [item("a1b2c3", "Take the red mug from the shelf by the door."), item("d4e5f6", "Look in the fridge before the cupboard.")]

@pytest.mark.parametrize("said, ids", [
    (("I follow d4e5f6 here", "take the red mug from the shelf"), ["d4e5f6"]),
    (("take the red mug from the shelf",), ["a1b2c3"]),
    (("go to fridge 1",), None),
    ((), None),
])
def test_credit_prefers_the_citation_then_the_words_then_all(said, ids):
    assert credited(ITEMS, seen(*said)) == ids

@pytest.mark.slow
def test_in_a_household_credit_is_given():
    trial = learn("E9", [NO_MEMORY, Learner("lessons", learn="lessons", judge="oracle")], world="household", n_tasks=8,
        n_held_out=2, n_streams=2, sim_p_discover=.5)
    with Bank(trial.bank_path("lessons")) as bank:
        assert sum(x.wins+x.losses for x in bank.all()) > 0

def test_a_share_that_no_trace_tells_is_not_zero(bounded):
    health = bounded.folder.manifest()["health"]
    with Bank(bounded.bank_path("no bound")) as bank: told = bank.rows("select count(*) from usage where used is not null")[0][0]
    assert told == 0 and health["no bound"]["used_share"] is None and health["no bound"]["size"] > 0

# Append only

def test_append_only_appends():
    bank = Bank()
    lesson = Item(title="Count", description="How many.", content="Use COUNT.")
    for _ in range(3): appended(bank, lesson)
    assert len(bank.all()) == 3
    bank.add(replace(bank.all()[-1], status="archived"))
    appended(bank, lesson)
    assert len(bank.all()) == 3 and len({e.id for e in bank.all()}) == 3, "an archived item keeps its id"

# Floors, ceilings, banks that are too small

def test_floors_and_ceilings_are_named():
    rows = [dict(arm="a", level=1, correct=1)]*20+[dict(arm="a", level=5, correct=0)]*20+[dict(arm="a", level=3, correct=0)]*3
    assert [line.split(":")[0] for line in flat(rows)] == ["Ceiling", "Floor"]

def test_a_k_that_no_bank_can_give_is_named():
    four = Learner("four shown", learn="lessons", k=4)
    assert short_banks([four], rows_of(four, bank_items=3)) and not short_banks([four], rows_of(four, bank_items=9))
    plain = Arm("three shown", ("L2",), k=3)
    assert short_banks([plain], rows_of(plain, memory_items_injected=2))

# Ranking

def test_a_rank_that_changes_nothing_did_not_act():
    from rbkit.policies.loop import BankMemory, Policies
    bank = seed_bank()
    task = SimpleNamespace(id="t", question="How many proteins are there in each class?", graph="toy", level=1)
    def reversed_hits(hits, question, bank): return hits[::-1]
    def as_it_is(hits, question, bank): return hits
    for rank, acted in ((reversed_hits, True), (as_it_is, False)):
        recall = Recall(rank=rank, scope="any")
        assert BankMemory(bank, Policies(recall)).reranked(task, recall(bank, task)) is acted

# Floors and ceilings are seen

def plain_trial(solved, arms=(BASELINE, Arm("L0", ("L0",))), kind=Trial, **columns):
    "A trial of two levels, six tasks each, asked twice; `solved` says which share by arm and level"
    rows = [dict(arm=a.name, config=a.name, task=f"L{level}-{i}", task_hash=f"{level}{i}", level=level, repeat=r, stream=r, outcome="success", iterations=3,
        request_chars=9000, correct=int((2*i+r)/12 < solved(a.name, level)), **{**columns, **({"position": i} if columns else {})}) for a in arms for level in (1, 2) for i in range(6) for r in range(2)]
    return kind(Spec("demo", arms, check_settings(dict(suite="seeds/toy")), learning=kind is Streams), rows, rows, SimpleNamespace(note=lambda **kw: None))

def marks(fig): return [sum(t.get_text() == MARK for t in ax.texts) for ax in fig.axes], any(MARK_WORDS in t.get_text() for t in fig.texts)

def test_a_figure_marks_what_can_show_no_more():
    assert marks(plain_trial(lambda arm, level: .5).figure()) == ([0, 0], False)
    ceiling = plain_trial(lambda arm, level: 1 if arm == "L0" and level == 2 else .5)
    assert marks(ceiling.figure()) == ([1, 0], True) and len(flat(ceiling.rows)) == 1
    floor = plain_trial(lambda arm, level: 0 if arm == "baseline" else .5)
    assert marks(floor.figure()) == ([3, 1], True), "both levels and all of them; and the point of its cost"
    many = (BASELINE, *(Arm(name, ("L0",), k=i+1) for i, name in enumerate("abcdef")))
    assert marks(plain_trial(lambda arm, level: 1 if arm == "c" else .5, many).figure()) == ([1, 0], True)

def test_a_figure_of_streams_marks_them_too():
    arms = (NO_MEMORY, Learner("bank", learn="lessons"), Learner("other", learn="lessons", show="placebo"))
    trial = plain_trial(lambda arm, level: 1 if arm == "bank" else .5, arms, Streams, phase="learn", learned=0)
    assert marks(trial.figure()) == ([1, 1], True)
    assert marks(plain_trial(lambda arm, level: .5, arms, Streams, phase="learn", learned=0).figure()) == ([0, 0], False)

def test_a_curve_is_marked_by_its_own_success_and_by_nothing_else():
    rows = [dict(arm=arm, stream=s, task=f"t{i}", position=i, correct=int(arm == "all" or (s+i)%2), iterations=1) for arm in ("all", "half") for s in range(3) for i in range(8)]
    assert marks(plot_curves([curve(rows, "all"), curve(rows, "half")])) == ([1], True)
    assert marks(plot_curves([curve(rows, "half"), curve(rows, "all", "half"), curve(rows, "all", metric="iterations")])) == ([0], False)

def test_warnings_and_figures_have_the_same_limits():
    rows = [dict(arm="a", level=1, correct=int(i < 1)) for i in range(60)]
    assert at_limit(rows, "a") == "floor" and at_limit(rows[:20], "a") == "" and at_limit(rows[1:10], "a") == "" and at_limit(rows, "b") == ""
    assert flat(rows) == ["Floor: 'a' over all: 1 of 60 solved."] and not flat(rows[:20])
    mixed = [*rows, *(dict(arm="a", level=2, correct=1) for _ in range(60))]
    assert flat(mixed) == ["Floor: 'a' at level 1: 1 of 60 solved.", "Ceiling: 'a' at level 2: 60 of 60 solved."]
    thin = [dict(arm="a", level=level, correct=1) for level in range(5) for _ in range(3)]
    assert flat(thin) == ["Ceiling: 'a' over all: 15 of 15 solved."], "three tasks at a level say nothing, fifteen of an arm do"

def test_a_claim_between_arms_at_one_limit_is_not_tested():
    for success, solve in ((0, "nothing"), (1, "everything")):
        trial = plain_trial(lambda arm, level: success)
        found = trial.judge("L0 raises success.", "L0")
        assert found.verdict == "not tested" and f"'L0' and 'baseline' solve {solve}" in found.why
        assert " solve " not in trial.judge("L0 saves steps.", "L0", metric="iterations", more=False).why
    apart = plain_trial(lambda arm, level: float(arm == "L0"))
    assert " solve " not in apart.judge("L0 raises success.", "L0").why

def test_success_by_level_has_an_interval_within_its_bounds():
    table = plain_trial(lambda arm, level: 1 if level == 1 else .5).by_level()
    assert list(table.index) == [("baseline", 1), ("baseline", 2), ("L0", 1), ("L0", 2)] and table["limit"].tolist() == ["ceiling", "", "ceiling", ""]
    low, high = rate_interval([1.0]*6, 2)[1:]
    assert table.loc[("L0", 1), ["success", "low", "high", "tasks", "attempts"]].tolist() == [1.0, round(low, 2), round(high, 2), 6, 12]
    alone = plain_trial(lambda arm, level: .5)
    single = replace(alone, rows=[r for r in alone.rows if r["task"] in ("L1-0", "L2-1", "L2-2")]).by_level()
    assert pd.isna(single.loc[("L0", 1), "low"]) and single.loc[("L0", 2), "high"] <= 1

# What a claim is beside

def claimed(solved, arms, **how):
    "A trial that has learned, whose A/A arm and others solve what `solved` says"
    return plain_trial(solved, arms, Streams, phase="learn", learned=0, **how)

LOOP = (NO_MEMORY, NO_MEMORY_AGAIN, Learner("a", learn="lessons"), Learner("b", learn="lessons", sides="success"))

def test_a_floor_of_the_repeat_is_no_floor_of_an_effect():
    trial = plain_trial(lambda arm, level: 0 if arm == AA_REPEAT.name else .5, (BASELINE, AA_REPEAT, Arm("L0", ("L0",))))
    assert flat(trial.rows) and not any("Floor" in line for line in trial.warnings())

def test_arms_that_are_one_where_claims_are_judged_are_named():
    trial = claimed(lambda arm, level: .5, LOOP)
    frozen = [{**r, "phase": "frozen", "correct": int(r["arm"] == "a")} for r in trial.rows]
    trial = replace(trial, rows=trial.rows+frozen)
    assert "Identical where claims are judged: 'a' and 'b'; they differ elsewhere alone." in trial.warnings()
    assert not any("Identical: 'a'" in line for line in trial.warnings())

def test_a_margin_that_the_baseline_would_keep_is_minded():
    same = claimed(lambda arm, level: .5, LOOP)
    assert "'no memory' would keep this margin against 'a' too" in same.kept_anyway("b", "a", "correct", -1.5, True)
    assert same.kept_anyway("b", "a", "correct", .05, True) == "" == same.kept_anyway("b", "no memory", "correct", -1.5, True)
    better = claimed(lambda arm, level: 1 if arm in "ab" else 0, LOOP)
    assert better.kept_anyway("b", "a", "correct", -.05, True) == ""

def test_how_many_tasks_can_move_a_difference_is_said_for_one_attempt_and_for_several():
    trial = plain_trial(lambda arm, level: .55)
    assert trial.movable("L0", "baseline") == "2 of 12 tasks were solved in some of these attempts and not in others; no other can move a difference."
    single = replace(trial, rows=[r for r in trial.rows if r["repeat"] == 0])
    assert single.movable("L0", "baseline").startswith("0 of 12 tasks came out differently in these arms, with one attempt in each")

def test_of_streams_a_task_is_counted_in_each_by_itself():
    rows = [dict(arm=arm, stream=s, task=f"t{t}", repeat=0, phase="learn", outcome="success", correct=int(s == 0 or (arm, t) == ("b", 0))) for arm in "ab"
        for s in range(2) for t in range(4)]
    trial = replace(claimed(lambda arm, level: .5, LOOP), rows=rows)
    assert trial.movable("b", "a").startswith("1 of 8 tasks (counted in each of 2 streams) came out differently in these arms")

def test_a_report_of_streams_sets_an_a_a_beside_each_phase():
    trial = claimed(lambda arm, level: .5, LOOP)
    trial = replace(trial, rows=trial.rows+[{**r, "phase": "frozen"} for r in trial.rows])
    assert [line.partition(":")[0] for line in trial.aa_lines()] == ["as they came", "asked again"]
    assert len(plain_trial(lambda arm, level: .5).aa_lines()) == 1

def test_a_learner_that_was_run_twice_is_set_beside_itself():
    def success(arm, level): return {"lessons": .75, "lessons again": .5}.get(arm, .25)
    learner = Learner("lessons", learn="lessons")
    trial = claimed(success, (NO_MEMORY, run_again(NO_MEMORY), learner, run_again(learner)))
    assert trial.repeats() == {"no memory again": "no memory", "lessons again": "lessons"}
    assert trial.compared() == ["lessons"], "a repeat is no arm that a claim could be about"
    assert [line.split(": ")[2] for line in trial.aa_lines()] == ["no memory again - no memory", "lessons again - lessons"]
    assert trial.aa().count(";") >= 1 and repr(trial.compare("lessons again", "lessons")) in trial.aa()

@pytest.mark.parametrize("chars, warned", [(240, False), (310, True), (170, True)])
def test_a_placebo_of_another_length_is_named(chars, warned):
    arms = [Learner("lessons", learn="lessons"), Learner("placebo", learn="lessons", show="placebo"), Learner("k", learn="lessons", k=2)]
    rows = [row for arm, n in zip(arms, (241, chars, 900)) for row in rows_of(arm, memory_chars=n)]
    assert bool(uneven_sizes(arms, rows)) is warned

@pytest.mark.slow
def test_a_placebo_is_as_long_as_what_a_learner_is_shown(tmp_path):
    arms = [NO_MEMORY, Learner("lessons", learn="lessons", judge="oracle"), Learner("placebo", learn="lessons", judge="oracle", show="placebo")]
    trial = learn("E9", arms, suite="seeds/library", n_tasks=6, n_held_out=2, n_streams=2, sim_p_discover=.6, out=str(tmp_path))
    assert not uneven_sizes(trial.arms, trial.rows) and any(r["memory_chars"] for r in trial.rows if r["arm"] == "placebo")

def test_a_comparison_in_which_no_task_moved_is_not_tested_by_one_rule():
    from rbkit.stats.paired import moved
    from rbkit.trials.acted import NOT_TESTED, word_of
    from rbkit.trials.protocols import against_expected, protocol_lines
    def learned(arm, stream, i, c, **more): return dict(arm=arm, stream=stream, phase="learn", position=i, task=f"t{i}", learned=i, outcome="success", correct=c, iterations=2, **more)
    rows = [learned(arm, s, i, int((s, i) == (0, 0) and arm == "b")) for arm in ("none", "a", "b") for s in range(3) for i in range(4)]
    assert moved(rows, "a", "none") == (0, 12) and moved(rows, "b", "none") == (1, 12)
    assert moved([r for r in rows if (r["arm"], r["task"]) != ("b", "t0")], "b", "none") == (0, 9), "what one arm lacks did not come out differently"
    found = against_expected("online", rows, [("success", "a", "none", "above"), ("success", "b", "none", "above"), ("success", "b", "a", "same"), ("success", "c", "a", "same")], ["b"])
    assert [(x["found"], x["moved"], x["tasks"]) for x in found] == [(NOT_TESTED, 0, 12), (NOT_TESTED, 1, 12), (NOT_TESTED, 1, 12)] and not any("p_holm" in x for x in found[1:])
    found = against_expected("online", rows, [("success", "a", "none", "above"), ("success", "b", "none", "above")])
    assert [x["found"] for x in found] == [NOT_TESTED, "cannot be told apart"] and found[1]["p_holm"] == found[1]["p"], "what was not tested takes no part in a correction"
    assert [word_of(d, p, 1) for d, p in ((.2, .01), (-.2, .01), (.2, .06))] == ["above", "below", "cannot be told apart"]
    def asked(arm, at, c, stream): return dict(learned(arm, stream, at, c), phase="probe", task="h", learned=None)
    probes = [asked(arm, at+stream, int(arm == "m" and at == 8), stream) for arm in ("none", "m") for stream in range(2) for at in (4, 8)]
    assert [(x["figure"], x["moved"]) for x in protocol_lines("repair", probes, "m")] == [("first_pass", 0), ("second_pass", 2), ("repair_gain", 2)], "of the rows that a figure is made of"

def test_a_figure_rests_on_its_own_rows_alone():
    from rbkit.trials.protocols import FIGURES_OF, FORMULAS, TRIES, protocol_lines, rows_of_figure
    def at(arm, stream, place, task, c): return dict(arm=arm, stream=stream, phase="learn", position=place, task=task, learned=place, outcome="success", correct=c, iterations=2, level=place % 2)
    tries = [at(arm, s, TRIES*i+n, f"t{i}", int(arm == "m" and n == 1)) for arm in ("none", "m") for s in range(2) for i in range(3) for n in range(TRIES)]
    assert {x["figure"]: x["moved"] for x in protocol_lines("retries", tries, "m")} == dict(success=6, first=0, second=6, third=6)
    came = [at(arm, s, i, f"t{i}", int(arm == "m" and i == 4)) for arm in ("none", "m") for s in range(2) for i in range(9)]
    assert {x["figure"]: x["moved"] for x in protocol_lines("online", came, "m")} == dict(success=2, forward_transfer=2, learning_gain=0, stability_loss=2)
    asked = [dict(at("m", 0, place, task, c), phase="probe", learned=learned) for place, task, c, learned in ((0, "h", 1, None), (9, "h", 0, None), (4, "t1", 1, 1), (9, "t1", 0, 1))]
    walk = [r for r in came if (r["arm"], r["stream"]) == ("m", 0)]+asked
    thrice = [r for r in tries if (r["arm"], r["stream"]) == ("m", 0)]
    for protocol, figures in FORMULAS.items():
        if protocol == "retries": walk = thrice
        whole = FIGURES_OF[protocol](walk)
        for figure in figures:
            if figure not in ("forward_transfer", "learning_gain"): assert FIGURES_OF[protocol](rows_of_figure(protocol, figure, walk))[figure] == whole[figure], (protocol, figure)
