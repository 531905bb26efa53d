"The loop: orders, guards, kills, blanked text; streams as experiments"
import json, os, random, re, signal, time
from collections import Counter
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
import pytest
from hypothesis import given, settings, strategies as st
from rbkit.bank.bank import Bank
from rbkit.bank.items import Item
from rbkit.ground.text import read_lines
from rbkit.policies.loop import Policies, Recall, Slot, learned_on, run_stream, schedule
from rbkit.policies.storing import store
from rbkit.agents.evidence import Evidence
from rbkit.policies.judging import Judgment, Oracle
from rbkit.policies.rollouts import Rollout, vary
from rbkit.policies.consolidation import Consolidation
from rbkit.policies.forgetting import Forgetting
from rbkit.models.prices import Tokens
from rbkit.trials.costs import SPENT, LearningMeter
from rbkit.trials.runs import RunFolder
from rbkit.trials.inputs import blanked
from rbkit.trials.learners import NO_MEMORY, NO_MEMORY_AGAIN, Learner, PlantedErrors
from rbkit.trials.learning import StreamRun, learn, prepare_streams
from rbkit.trials.stream_plans import plan_streams
from rbkit.trials.streams import slots_of, walk
from rbkit.worlds.world import order_of

def task(level, i): return SimpleNamespace(id=f"L{level}-{i}", level=level, question=f"What of thing {level} {i}?", graph="toy")
TASKS = [task(l, i) for l in (1, 2, 3) for i in range(8)]

def act(slot, items):
    "Succeeds on level 1, and where an item names its level"
    ok = slot.task.level == 1 or any(f"level {slot.task.level}" in x.title for x in items)
    return [Rollout(vary(slot.task.question, 1)[0], Evidence(slot.task.question, steps=(("think", ""),), task=slot.task, reward=float(ok)))]

def lessons(slot, rollouts, choice):
    if not rollouts[0].judgment.success: return ()
    level = slot.task.level+1
    return [Item(title=f"Climb to level {level} from {slot.task.id}", description=f"What of thing {level}.", content=f"One step up from {slot.task.id}.",
        provenance=dict(source="run", task=slot.task.id))]

def keep(bank, items, rollouts): return store(items, bank, skip=("placeholder", "duplicate"), take=Consolidation(("duplicate",)).take, status="active")
LEARNER = Policies(Recall(k=2), Oracle(), lessons, keep, (Forgetting(max_items=6),))
SLOTS = schedule(order_of(TASKS, 3), checkpoints=(.5, 1), anchors=2, frozen=True)

# Orders and slots
@given(st.lists(st.integers(1, 5), min_size=1, max_size=40), st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_an_order_holds_every_task_and_depends_on_nothing_but_its_number(levels, stream):
    tasks = [task(l, i) for i, l in enumerate(levels)]
    order = order_of(tasks, stream)
    assert sorted(t.id for t in order) == sorted(t.id for t in tasks)
    assert [t.id for t in order_of(tasks[::-1], stream)] == [t.id for t in order]
    easy_first = [t.level for t in order_of(tasks, stream, kind="curriculum")]
    assert easy_first == sorted(easy_first)

def test_orders_differ_and_are_balanced():
    assert len({tuple(t.id for t in order_of(TASKS, s)) for s in range(8)}) == 8
    for s in range(8):
        for at in range(0, 24, 6): assert set(Counter(t.level for t in order_of(TASKS, s)[at:at+6])) == {1, 2, 3}

def test_a_schedule_learns_each_task_once_and_probes_only_what_was_learned():
    slots = schedule(TASKS[:8], TASKS[8:10], (0, .5, 1), anchors=3, frozen=True)
    assert [s.task for s in slots if s.phase == "learn"] == TASKS[:8] == [s.task for s in slots if s.phase == "frozen"]
    assert all(s.learned < s.at for s in slots if s.phase == "probe" and s.learned is not None)
    assert all(s.learned is None for s in slots if s.task in TASKS[8:10])

# The guard against self-retrieval
@pytest.mark.parametrize("said", [dict(provenance=dict(source="run", task="t1")), dict(support_for=["t1"]), dict(provenance=dict(source="run", task=["t1"]))])
def test_what_was_learned_on_a_task_alone_is_not_shown_to_it(said):
    bank, t1, t2 = Bank(), SimpleNamespace(id="t1", question="How many things?", graph="g", level=1), SimpleNamespace(id="t2", question="How many things?", graph="g", level=1)
    bank.add(Item(title="Count things", description="How many.", content="Use COUNT(DISTINCT ?x).", **said))
    assert Recall()(bank, t1) == [] and len(Recall()(bank, t2)) == 1 == len(Recall(own=True)(bank, t1))
    bank.change(bank.all()[0].id, support_for=["t1", "t2"])
    assert len(Recall()(bank, t1)) == 1, "another task taught it as well"

def test_an_experience_is_an_item_with_those_learned_beside_it():
    bank, q = Bank(), SimpleNamespace(id="t9", question="Which author has the most books?", graph="g", level=1)
    for title, tasks in (("Books by author", ["a"]), ("Most books: rank", ["a", "b"]), ("Author names", ["c"]), ("Books at large", ["a"]), ("More about books", ["a"])):
        bank.add(Item(title=title, description="books author most", content="something to do with it, said at length", support_for=tasks))
    one, two = Recall(k=1)(bank, q), Recall(k=2)(bank, q)
    assert len(one) == 3 and all(learned_on(x) & learned_on(one[0]) for x in one)
    assert two[:3] == one and len({x.id for x in two}) == len(two) > 3
    assert Recall(k=0)(bank, q) == []

def test_curriculum_prefers_what_was_no_harder():
    bank, q = Bank(), SimpleNamespace(id="t9", question="Count the books?", graph="g", level=2)
    for level in (5, 1): bank.add(Item(title=f"Count books {level}", description="count books", content="count the books "*level, provenance=dict(source="run", task=f"x{level}", level=level)))
    assert Recall(curriculum=True)(bank, q)[0].provenance["level"] == 1

# Struck down
def _go_on(path, seed):
    "Walk on, slowly enough to be struck down"
    def slow(slot, items):
        time.sleep(random.Random(f"{seed}{slot.task.id}").random()*.004)
        return act(slot, items)
    with Bank(path) as b: run_stream(SLOTS, b, slow, LEARNER, "s")

def test_a_stream_struck_down_at_50_moments_ends_with_the_same_bank(tmp_path):
    with Bank(tmp_path/"whole.db") as b:
        want, digest, events = run_stream(SLOTS, b, act, LEARNER, "s"), b.digest, [(e.kind, e.body) for e in b.events()]
    rng, ctx, path, killed = random.Random(7), get_context("fork"), tmp_path/"struck.db", 0
    while killed < 50:
        p = ctx.Process(target=_go_on, args=(path, killed)); p.start()
        p.join(rng.random()*.06)
        if p.is_alive(): os.kill(p.pid, signal.SIGKILL); killed += 1
        p.join()
        with Bank(path) as b:
            b.verify()
            done = len(b.events(kind="step"))
        if done == len(SLOTS) and killed < 50: path.rename(tmp_path/f"done{killed}.db")
    for f in [*tmp_path.glob("done*.db"), path]:
        with Bank(f) as b:
            assert run_stream(SLOTS, b, act, LEARNER, "s") == want
            assert b.digest == digest and [(e.kind, e.body) for e in b.events()] == events

def test_a_bank_of_another_stream_is_refused():
    with Bank() as b:
        run_stream(SLOTS[:3], b, act, LEARNER, "s")
        with pytest.raises(ValueError, match="3 steps of another stream than 'x'"): run_stream(SLOTS, b, act, LEARNER, "x")
        with pytest.raises(ValueError, match="another stream"): run_stream(SLOTS[::-1], b, act, LEARNER, "s")

def test_only_learning_changes_the_bank_and_bounds_hold_at_every_step():
    with Bank() as b:
        seen = []
        def say(slot, body):
            seen.append((slot.phase, b.digest)); assert len(b) <= 6
        run_stream(SLOTS, b, act, LEARNER, "s", say=say)
    assert all(x[1] == y[1] for x, y in zip(seen, seen[1:]) if y[0] != "learn")

# Text alone
def test_blanked_items_have_the_size_and_say_nothing():
    x = Item(title="Rank groups", description="the most", content="ORDER BY DESC(?n)\nLIMIT 1", exemplar="SELECT ?x")
    y, = blanked([x])
    assert y.chars == x.chars and not re.search(r"\w", y.title+y.description+y.content+y.exemplar) and y.content.count("\n") == 1

SMALL = dict(suite="seeds/library", n_tasks=6, n_streams=2, sim_p_discover=.6)
ARMS = [NO_MEMORY, NO_MEMORY_AGAIN, Learner("lessons", learn="lessons", judge="oracle"), Learner("blanked", learn="lessons", judge="oracle", show="blank")]

def wanted(trial): return StreamRun(trial.spec, trial.inputs).wanted()

@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    return learn("E09", ARMS, out=str(tmp_path_factory.mktemp("streams")), **SMALL)

def test_every_step_is_a_row_and_orders_are_paired(trial):
    assert trial.status == "success" and len(trial.rows) == wanted(trial)
    walks = {(r["arm"], r["stream"], r["position"]): r["task"] for r in trial.phase()}
    for (arm, stream, at), t in walks.items(): assert walks["no memory", stream, at] == t
    assert trial.compare("lessons").unit == "stream" and trial.compare("lessons").units == 2

def test_memory_is_shown_and_learned_and_the_baseline_gets_none(trial):
    chars = lambda arm: [r["memory_chars"] for r in trial.rows if r["arm"] == arm]
    assert not any(chars("no memory")) and any(chars("lessons")) and any(chars("blanked"))
    assert all(c.enough for c in trial.counted() if c.act == "shown" and c.arm != "blanked") and len(trial.learned("lessons")) >= 1
    for r in trial.phase():
        if r["arm"] == "lessons": assert r["judged"] == r["correct"], "the oracle is never wrong"
    assert all(r["stored"] == 0 and r["learn_calls"] == 0 for r in trial.rows if r["phase"] != "learn")

def test_every_text_that_was_shown_is_kept(trial):
    texts = {t["hash"]: t["text"] for t in read_lines(trial.folder.path/"contexts.jsonl")}
    for r in trial.rows:
        for name in ("base", "sense", "constraints", "memory"):
            if r[f"{name}_chars"]: assert len(texts[r[f"{name}_hash"]]) == r[f"{name}_chars"]

def test_no_task_is_shown_what_was_learned_on_it_alone(trial):
    for i in range(2):
        order = [s.task.id for s in slots_of(trial.spec, trial.inputs, ARMS[2], i) if s.phase == "learn"]
        items = {x.id: learned_on(x) for x in trial.learned("lessons", i)}
        for r in trial.rows:
            if r["arm"] == "lessons" and r["stream"] == i and r["phase"] != "learn": assert all(items.get(x) != {r["task"]} for x in r["shown"])

def test_the_same_run_in_processes_and_taken_up_again(trial, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_BACKEND", "processes")
    arms = [ARMS[0], ARMS[2]]
    other = learn("E09", arms, out=str(tmp_path), **SMALL)
    bare = lambda rows: sorted(json.dumps({k: v for k, v in r.items() if not k.endswith(("secs", "usd"))}, sort_keys=True) for r in rows)
    want = bare(r for r in trial.rows if r["arm"] in ("no memory", "lessons"))
    assert bare(other.rows) == want
    folder = other.folder.path # a run that lost half its rows goes on from the banks, and makes no attempt
    lines = (folder/"rows.jsonl").read_text().splitlines(True)
    (folder/"rows.jsonl").write_text("".join(lines[::2]))
    calls = sum(len(RunFolder.read(p.parent)) for p in tmp_path.rglob("rows.jsonl"))
    again = learn("E09", arms, out=str(tmp_path), **SMALL)
    by_key = lambda t: sorted(t.rows, key=lambda r: json.dumps([r["arm"], r["stream"], r["phase"], r["position"], r["task"]]))
    assert by_key(again) == by_key(other), "the very rows, their seconds too: no attempt was made again"
    assert again.folder.made == len(lines)-calls

def test_how_often_memory_said_nothing_is_counted(tmp_path):
    "A bank that shares one word of its content with some questions: by the retriever's own score it is not shown, and the row says so"
    pack = tmp_path/"own.jsonl"
    pack.write_text(json.dumps(dict(title="Prune a tree", description="Saws, ladders and a dry day in late summer.", content="Once a year cut it back, burn the wood and oil the saws.")))
    arms = [NO_MEMORY, Learner("far", bank=str(pack), min_score=None), Learner("any", bank=str(pack))]
    trial = learn("E09", arms, out=str(tmp_path/"out"), **SMALL)
    rows = {(r["arm"], r["stream"], r["phase"], r["position"], r["task"]): r for r in trial.rows}
    kept_back = [r for r in trial.phase() if r["arm"] == "far" and r["abstained"]]
    assert kept_back and all(r["abstained"] == 1 and not r["shown"] and r["memory_chars"] == 0 for r in kept_back)
    for (arm, *place), r in rows.items():
        if arm == "far": assert r["abstained"]+len(r["shown"]) == len(rows["any", *place]["shown"]), "what is kept back is what another arm is shown"
        else: assert r["abstained"] == 0
    assert trial.silences() == [f"'far' kept back items that were too far from the question in {len(kept_back)} attempts, and showed no memory at all in {len(kept_back)} of them."]

def test_several_attempts_cost_what_they_cost():
    spec, inputs = prepare_streams("E12", [NO_MEMORY, *(Learner(f"{n} {how}", learn="lessons", rollouts=n, scaling=how) for n, how in ((3, "parallel"), (3, "sequential")))], **{**SMALL, "n_tasks": 3})
    try:
        for arm in spec.arms[1:]:
            rows = [x["rows"][-1] for x in walk(spec, inputs, arm, 0)]
            learned = [r for r in rows if r["phase"] == "learn"]
            assert all(1 <= r["rollouts"] <= 3 and r["any_correct"] >= r["correct"] for r in learned)
            assert all(r["rollouts"] == 1 for r in rows if r["phase"] != "learn")
            if arm.scaling == "parallel": assert all(r["rollouts"] == 3 and r["calls"] >= 6 for r in learned)
    finally: inputs.close()

def test_acting_and_learning_are_two_bills(tmp_path):
    trial = learn("E09", [NO_MEMORY, Learner("loop", learn="lessons", verify="rerun"), Learner("looks back", learn="lessons", rollouts=2, scaling="sequential")], out=str(tmp_path), **dict(SMALL, n_tasks=3))
    bills = [f"learn_{name}" for name in SPENT]
    assert all(row[b] == 0 for row in trial.rows for b in bills if row["arm"] == "no memory")
    for arm in ("loop", "looks back"):
        rows = [r for r in trial.rows if r["arm"] == arm and r["phase"] == "learn"]
        assert sum(r["learn_calls"] for r in rows) > 0 < sum(r["learn_tokens"] for r in rows) and sum(r["learn_secs"] for r in rows) > 0
        assert all(r["learn_calls"] >= 1 and r["all_tokens"] == r["tokens"]+r["learn_tokens"] for r in rows), "each attempt is judged"
    table, said = trial.costs(), trial.folder.manifest()
    assert list(table.index) == ["no memory", "loop", "looks back"] and table.loc["no memory", "calls to learn"] == 0 < table.loc["loop", "calls to learn"]
    assert said["learning"]["calls"] == sum(r["learn_calls"] for r in trial.rows) and said["calls"] == sum(r["calls"] for r in trial.rows)
    assert said["calls"]+said["learning"]["calls"] == trial.inputs.spend.calls, "what the model was asked stands in the rows, every call of it"
    older = [{k: v for k, v in r.items() if k not in ("learn_usd", "learn_secs")} for r in trial.rows]
    assert not [name for name in table if "seconds" in name], "a stand-in's seconds are this machine's"
    live = replace(trial.spec, params={**trial.spec.params, "lm": "openai/gpt-5-mini"})
    before = replace(trial, rows=older, spec=live).costs()
    assert before.loc["loop", "USD to learn"] == before.loc["loop", "seconds to learn"] == "unknown" and before.loc["no memory", "USD to learn"] == 0
    assert (before["calls to learn"] == table["calls to learn"]).all()
    unpriced = replace(trial, rows=[{**r, "usd": None, "learn_usd": None if r["learn_calls"] else 0} for r in trial.rows]).costs()
    assert set(unpriced["USD"]) == {"unknown"} and unpriced["USD to learn"].tolist() == [0, "unknown", "unknown"]

def test_a_price_that_nobody_knows_is_unknown_from_the_first_call_on():
    lm = SimpleNamespace(meter=SimpleNamespace(calls=0, tokens=0, usd=0.0, counts=Tokens()))
    meter = LearningMeter(lm)
    lm.meter.calls, lm.meter.usd = 1, .5
    assert meter.taken()["learn_usd"] == .5
    lm.meter.calls, lm.meter.usd = 2, None
    assert meter.taken()["learn_usd"] is None and meter.taken()["learn_usd"] == 0, "nothing was asked, nothing was paid"

@pytest.mark.parametrize("bad,said", [(dict(judge="hearsay"), "judge='hearsay' is unknown"), (dict(show="x"), "show='x' is unknown"),
    (dict(scaling="x"), "scaling='x' is unknown"), (dict(verify="x"), "verify='x' is unknown"), (dict(order="x"), "order='x' is unknown"), (dict(bank="x.db"), "bank='x.db' names no bank"), (dict(judge=PlantedErrors(2)), "recall=2"), (dict(learn="all"), "learn='all'"), (dict(k=-1), "k=-1")])
def test_an_arm_that_cannot_be_is_refused_before_anything_is_written(tmp_path, bad, said):
    with pytest.raises(ValueError, match=re.escape(said)): learn("E09", [NO_MEMORY, Learner("x", **{"learn": "lessons", **bad})], out=str(tmp_path), **SMALL)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="2 or more"): learn("E09", ARMS, out=str(tmp_path), **{**SMALL, "n_streams": 1})

def test_a_plan_costs_nothing_and_says_streams():
    p = plan_streams("E09", ARMS, lm="openai/gpt-5-mini", **SMALL)
    assert p.lm == "openai/gpt-5-mini" and all(p.frame["usd"] > 0) and "2 streams" in repr(p) and "USD in all" in repr(p)
    assert len(set(p.frame["usd"])) > 1, "learning is paid too"
    p = plan_streams("E09", ARMS, lm="openai/nobody-knows", **SMALL)
    assert set(p.frame["usd"]) == {"unknown"} and "--prices" in repr(p)

@pytest.mark.slow
def test_a_cap_stops_streams_before_a_step_is_done_and_a_larger_one_goes_on(tmp_path):
    said = dict(SMALL, n_tasks=3, out=str(tmp_path))
    arms = [NO_MEMORY, Learner("lessons", learn="lessons", judge="oracle")]
    first = learn("E09", arms, max_calls=30, **said)
    assert first.status == "budget" and len(first.rows) < wanted(first)
    assert not any(r["outcome"] == "budget" for r in first.rows)
    whole = learn("E09", arms, **said)
    assert whole.status == "success" and len(whole.rows) == wanted(whole)
    plain = learn("E09", arms, **{**said, "out": None})
    bare = lambda t: sorted(json.dumps({k: v for k, v in r.items() if not k.endswith(("secs", "usd"))}, sort_keys=True) for r in t.rows)
    assert bare(whole) == bare(plain)

def test_fresh_streams_begin_with_fresh_banks(tmp_path):
    said = dict(SMALL, n_tasks=2, out=str(tmp_path))
    arms = [NO_MEMORY, Learner("lessons", learn="lessons", judge="oracle")]
    first, again = learn("E09", arms, **said), learn("E09", arms, fresh=True, **said)
    assert again.folder.made == len(again.rows) == len(first.rows) and (again.folder.path/"banks.old").exists()

def test_streams_recorded_are_replayed_without_a_model(tmp_path):
    said = dict(SMALL, n_tasks=2)
    arms = [NO_MEMORY, Learner("lessons", learn="lessons"), Learner("two", learn="lessons", rollouts=2)]
    made = learn("E09", arms, out=str(tmp_path/"a"), record=True, **said)
    again = learn("E09", arms, out=str(tmp_path/"b"), replay=str(made.folder.path/"recording.jsonl"), **said)
    bare = lambda t: sorted(json.dumps({k: v for k, v in r.items() if not k.endswith(("secs", "usd"))}, sort_keys=True) for r in t.rows)
    assert bare(again) == bare(made)

# What a user hands over

def test_an_arm_takes_the_bank_that_a_stream_left(trial, tmp_path):
    from rbkit.trials.ablation import ablate
    from rbkit.trials.spec import BASELINE, Arm
    path = str(trial.bank_path("lessons"))
    before = Path(path).read_bytes()
    told = ablate("E05", [BASELINE, Arm("learned", ("L2",), bank=path)], suite="seeds/library", n_tasks=12, n_repeats=1, out=str(tmp_path))
    assert any(r["memory_chars"] for r in told.rows if r["arm"] == "learned") and Path(path).read_bytes() == before
    went_on = learn("E09", [NO_MEMORY, Learner("went on", bank=path)], out=str(tmp_path), **SMALL)
    assert {x.id for x in went_on.learned("went on")} == {x.id for x in trial.learned("lessons")} and all(c.enough for c in went_on.counted())
    pack = tmp_path/"pack.jsonl"
    with Bank(path) as bank: bank.save(pack)
    spec, inputs = prepare_streams("E09", [NO_MEMORY, Learner("pack", bank=str(pack)), Learner("database", bank=path)], **SMALL)
    inputs.close()
    assert len({spec.config(a) for a in spec.arms}) == 3

def test_a_judge_of_ones_own_judges_and_is_part_of_the_version(tmp_path):
    asked = []
    class Strict:
        name, oracle = "strict", False
        def __call__(self, ev):
            asked.append(ev.question)
            return Judgment(False, .9, "never", self.name)
    mine = Learner("mine", learn="lessons", judge=Strict())
    made = learn("E09", [NO_MEMORY, mine], **{**SMALL, "n_tasks": 2})
    assert asked and not any(r["judged"] for r in made.phase() if r["arm"] == "mine")
    assert {r["judge"] for r in made.phase() if r["arm"] == "mine"} == {"strict"} and Strict in made.inputs.roots

def test_a_ranking_of_ones_own_is_told_apart():
    from rbkit.bank.rerank import Scoring
    arms = [NO_MEMORY, Learner("a", learn="lessons"), Learner("b", learn="lessons", rank=Scoring(recency=.5)), Learner("c", learn="lessons", rank=Scoring(recency=.7))]
    spec, inputs = prepare_streams("E09", arms, **SMALL)
    inputs.close()
    assert len({spec.config(a) for a in arms}) == 4
