"Whatever a memory says, the machine stays inside its limits; and what is learned from tries is what is there"
import threading, json, math, time
from dataclasses import replace
from importlib.util import find_spec
from random import Random
import pytest
from hypothesis import given, settings, strategies as st
from rbkit.bank.bank import Bank
from rbkit.bank.items import Item
from rbkit.worlds.contact import (LIMITS, Options, Prefetched, choose_options, clamp, clip_ranges, draw_options, format_ranges, parse_action,
    parse_hints)
from rbkit.worlds.contact_learning import (FAILURES, RELEVANT_OPTIONS, ContactAttempt, ContactMeasurements, classify, contrastive_ranges,
    separating_range, strategy_item, success_ranges, trajectory_item)
from rbkit.worlds.interface import HOSTILE, check_env, make_env, nonsense, play

needs_mujoco = pytest.mark.skipif(not find_spec("mujoco"), reason="MuJoCo is not installed: pip install 'rbkit[mujoco]'")
quick = settings(max_examples=60, deadline=None)

anything = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["spiral", "none", "1e400"]),
    lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(max_size=4), x, max_size=2), max_leaves=6)
wanted = st.dictionaries(st.sampled_from([*LIMITS, "laser", ""]), anything, max_size=8)
json_only = wanted.map(lambda d: json.loads(json.dumps(d, default=str)))

def legal(o):
    for k, l in LIMITS.items():
        v = getattr(o, k)
        if l.words: assert v in l.words
        else: assert isinstance(v, (int, float)) and l.low <= v <= l.high and (not l.whole or v == int(v)), (k, v)
    return True

def rig(o):
    "Success is planted: a wide search, and little force"
    return "overshoot" if o.force_n > 20 else "done" if o.search in ("spiral", "raster") and o.radius_mm > 5 else "missed"

def practise(n, seed, items=()):
    rng = Random(seed)
    return [ContactAttempt(o, rig(o), f"{seed}.{i}") for i in range(n) for o in [choose_options(items, rng)[0]]]

# Safety

@quick
@given(wanted)
def test_no_wish_leaves_the_limits(d):
    o, log = clamp(d)
    assert legal(o) and clamp(vars(o)) == (o, [])
    logged = {c.name for c in log}
    for k, x in d.items():
        if k not in LIMITS or isinstance(x, (list, dict, bool, type(None))): assert k in logged
        elif isinstance(x, (int, float)) and x != getattr(o, k): assert k in logged

@quick
@given(wanted, st.integers(0, 5))
def test_no_record_leaves_the_limits(d, seed):
    item = Item("Peg", "d", "c", parameters=d)
    ranges, _ = clip_ranges(d)
    assert set(ranges) <= set(LIMITS)
    for k, r in ranges.items():
        if not LIMITS[k].words: assert LIMITS[k].low <= r[0] <= r[1] <= LIMITS[k].high
    assert legal(choose_options([item], Random(seed))[0])

@quick
@given(json_only, st.text(max_size=200))
def test_a_record_that_went_through_the_bank_is_no_worse(d, text):
    with Bank() as bank:
        try: bank.add(Item("Peg", "d", f"c {text}", parameters=d, id="x"))
        except ValueError: return # the bank keeps no infinities
        assert legal(choose_options(bank.all(), Random(0))[0])

def test_the_poisoned_record_is_stopped_and_logged():
    poison = Item("Push", "d", "force_n: 500 to 900\nspeed_mm_s: 40 to 3000")
    made = [choose_options([poison], Random(i)) for i in range(200)]
    assert max(o.force_n for o, *_ in made) <= 40 and min(o.speed_mm_s for o, *_ in made) >= 40
    assert all([c.name for c in log] == ["force_n", "speed_mm_s"] for _, log, _ in made)

def test_limits_cannot_be_written_to():
    with pytest.raises(TypeError): LIMITS["force_n"] = 1
    with pytest.raises(AttributeError): LIMITS["force_n"].high = 500

@quick
@given(st.sampled_from(HOSTILE) | st.text(max_size=80).map(lambda t: f"insert {t}"))
def test_any_line_is_options_or_nothing(text):
    said = parse_action(text)
    assert said is None or legal(clamp(said)[0])

def test_what_is_said_is_heard():
    rng = Random(0)
    for _ in range(50):
        ranges = {k: [draw_options({}, rng)[k]] if l.words else sorted(float(f"{rng.uniform(l.low, l.high):.3g}") for _ in "ab") for k, l in LIMITS.items()}
        assert parse_hints(format_ranges(ranges)) == ranges
    o = clamp(draw_options({}, rng))[0]
    again = clamp(parse_action(o.line))[0]
    assert again.search == o.search and all(math.isclose(getattr(again, k), getattr(o, k), rel_tol=1e-3) for k in LIMITS if k != "search")

# Never wait

def test_a_late_memory_is_no_memory():
    def slow(key): time.sleep(.3); return "late"
    m = Prefetched(slow, default="default")
    threads, begun = m.prefetch("a"), time.perf_counter()
    assert m.get("a") == "default" and time.perf_counter()-begun < .2, "reading waited for memory"
    for t in threads: t.join()
    assert m.held == {"a": "late"} and m.log == [("a", "missing")]

def test_a_broken_memory_is_no_memory():
    m = Prefetched(lambda key: 1/0, default="default")
    for t in m.prefetch("a"): t.join()
    assert m.get("a") == "default" and "ZeroDivisionError" in m.log[0][1]

def test_an_answer_past_its_deadline_is_not_used():
    ticks = iter(range(100))
    m = Prefetched(lambda key: "found", default="default", clock=lambda: next(ticks))
    for t in m.prefetch("a"): t.join()
    assert m.get("a") == "default" and m.log == [("a", "late")]
    m.deadline_secs = 5
    assert m.get("a") == "found"

def test_the_newest_answer_stays_and_a_rollback_takes_all_away():
    gate = threading.Event()
    def find(key, said=iter(["old", "new"])):
        now = next(said)
        if now == "old": gate.wait(5)
        return now
    m = Prefetched(find, default="default")
    [first] = m.prefetch("k"); time.sleep(.05); [second] = m.prefetch("k")
    second.join(); assert m.get("k") == "new"
    gate.set(); first.join(); assert m.get("k") == "new"
    m.clear(); assert m.get("k") == "default"
    late = Prefetched(lambda key: gate.wait(5) and "late", default="default"); gate.clear()
    [t] = late.prefetch("k"); late.clear(); gate.set(); t.join()
    assert late.get("k") == "default", "what was asked before the rollback does not come after it"
    for _ in range(25_000): late.get("k")
    assert len(late.log) <= 20_000

@pytest.mark.parametrize("bad", [dict(force_n=5000), dict(retries=2.5), dict(search="drill"), dict(speed_mm_s=float("nan")), dict(force_n=10**5000)])
def test_no_options_are_made_beyond_the_limits(bad):
    with pytest.raises(ValueError, match=f"{[*bad][0]}=.* is beyond the limits"): Options(**bad)
    o, log = clamp(bad)
    assert legal(o) and [c.name for c in log] == [*bad]
    clip_ranges({k: [v, 1] for k, v in bad.items()})

def test_a_line_that_wants_one_thing_twice_is_no_line():
    assert parse_action("insert force_n=900 force_n=8") is None and parse_action("insert force_n=8 retries=1") == dict(force_n=8, retries=1)

def test_a_long_text_is_read_as_fast_as_a_short_one():
    begun = time.process_time()
    assert parse_hints("\n"*200_000+"force_n: 5 to 9") == {} and parse_hints("-- \n"*900+"- force_n: 5 to 9") == {"force_n": [5, 9]}
    assert time.process_time()-begun < 1

def test_reading_takes_less_than_a_thousandth_of_a_second():
    m = Prefetched(lambda key: [strategy_item(practise(100, 0))])
    for t in m.prefetch("a"): t.join()
    took = []
    for _ in range(2000):
        begun = time.perf_counter(); m.get("a"); took.append(time.perf_counter()-begun)
    assert sorted(took)[1900] < .001

# The taxonomy

felt = st.builds(ContactMeasurements, st.sampled_from(["depth", "force", "searched", "stalled", "time", "odd"]), *[st.floats()]*6, st.booleans(), st.booleans(),
    st.integers(-1, 5), st.floats())

@quick
@given(felt)
def test_every_outcome_has_one_name(f): assert (classify(f) == "done") == (f.ended == "depth") and classify(f) in {"done", *FAILURES}

def test_every_kind_of_failure_can_be_told():
    up = dict(touched=True)
    told = {classify(f) for f in (ContactMeasurements("force"), ContactMeasurements(), ContactMeasurements("time", **up), ContactMeasurements("searched", **up), ContactMeasurements("searched", lag_mm=2, **up),
        ContactMeasurements("searched", airborne=.9, **up), *(ContactMeasurements("stalled", depth_mm=d, back_offs=b, moved_mm=m, **up) for d in (0, 2, 8) for b in (0, 1) for m in (0, 1)),
        *(ContactMeasurements("searched", **sensed, **up) for sensed in (dict(held=False), dict(in_view=.1), dict(light=.1))))}
    assert told == set(FAILURES) == set(RELEVANT_OPTIONS) and {k for k, _ in FAILURES.values()} == {"alignment", "contact", "perception", "execution", "recovery"}

# Learning

def test_a_planted_range_is_found():
    found = contrastive_ranges(practise(150, 1))
    assert set(found) >= {"search", "force_n"} and found["search"] == ["raster", "spiral"] and 15 < found["force_n"][1] <= 20
    rng = Random(1)
    x = [rng.uniform(0, 10) for _ in range(80)]
    s = separating_range(x, [3 < v < 6 for v in x])
    assert s.p < .01 and 3 < s.allowed[0] < 3.6 and 5.4 < s.allowed[1] < 6

def test_nothing_is_found_in_noise():
    found = 0
    for s in range(40):
        tries, rng = practise(60, s), Random(s)
        codes = [t.code for t in tries]
        rng.shuffle(codes)
        found += len(contrastive_ranges([replace(t, code=c) for t, c in zip(tries, codes)]))
    assert found/(40*len(LIMITS)) < .1

def test_too_little_makes_no_record():
    assert strategy_item([]) is None and strategy_item(practise(3, 5)) is None and success_ranges([]) == {} and separating_range([1, 1], [True, False]) is None
    lost = [t for t in practise(60, 0) if not t.won]
    assert strategy_item(lost) is None and strategy_item(lost, success_ranges) is None

def test_memory_helps_and_its_blank_does_not():
    record = strategy_item(practise(150, 0))
    rate = lambda items: sum(t.won for t in practise(300, 9, items))/300
    alone = rate([])
    assert rate([record]) > alone+.4
    assert rate([replace(record, parameters={})]) > alone+.4, "the text says the same as the parameters"
    assert rate([replace(record, parameters={}, content="-")]) == alone
    oven = {f"oven_{k}": r for k, r in record.parameters.items()}
    assert rate([replace(record, parameters=oven, content=format_ranges(oven))]) == alone
    assert rate([replace(record, polarity="failure")]) == alone, "a guardrail is not followed"

def test_versions_and_the_way_back():
    with Bank() as bank:
        bank.add(strategy_item(practise(100, 0), stream=0)); bank.add(strategy_item(practise(150, 0), stream=0))
        good, at = bank.get("contact-peg"), bank.head
        assert good.version == 2 and good.provenance["tries"] == 150 and good.support_for
        bank.change("contact-peg", parameters={"force_n": [30, 40]}, content="force_n: 30 to 40")
        assert bank.get("contact-peg").version == 3 and bank.diff(at)
        bank.rollback(at)
        assert bank.get("contact-peg") == good and bank.get("contact-peg").version == 2

def test_a_trajectory_is_followed_to_the_letter():
    t = practise(1, 3)[0]
    assert choose_options([trajectory_item([replace(t, code="done")], "e")], Random(0))[0] == t.options

# The peg

@needs_mujoco
def test_the_peg_keeps_the_contract():
    tasks = make_env("peg").tasks()
    assert check_env(lambda: make_env("peg"), tasks[::3], n_hostile=1000)["solved"] == len(tasks[::3])

@needs_mujoco
def test_held_out_parts_are_new():
    env = make_env("peg")
    of = lambda split, k: {t.variation[k] for t in env.tasks(split)}
    offset = lambda split: {round(math.hypot(t.variation["x_mm"], t.variation["y_mm"]), 1) for t in env.tasks(split)}
    assert not of("train", "play_mm") & of("held_out", "play_mm") and not offset("train") & offset("held_out")

@needs_mujoco
def test_hostile_actions_end_every_episode():
    words = ("insert", "insert", "force_n=1e99", "force_n=-4", "speed_mm_s=nan", "search=spiral", "retries=99", "=", "radius_mm=", "approach_deg=1e-300")
    env, n = make_env("peg"), 0
    env.reset()
    for a in nonsense(1000, 3, words):
        seen, reward, done, info = env.step(a)
        assert isinstance(seen, str) and "broken" not in info and 0 <= info["score"] <= 1
        n += "code" in info
        if done: env.reset(seed=n)
    assert n > 20 and len(env.log) > 20 and all(c.used != c.wanted for *_, c in env.log)

@needs_mujoco
def test_the_same_seed_is_the_same_episode():
    from rbkit.worlds.peg import peg_episode, insert
    env, tasks = make_env("peg"), make_env("peg").tasks()[:4]
    def once():
        insert.cache_clear()
        return [peg_episode(env, t, [], seed=s) for t in tasks for s in (0, 1)]
    a = once()
    assert a == once() and a[0] != a[1]

@needs_mujoco
def test_on_the_peg_memory_helps_and_its_blank_does_not():
    from rbkit.worlds.peg import peg_episode
    env, text = make_env("peg"), "search: spiral\nradius_mm: 6 to 8\nspeed_mm_s: 18 to 40\nforce_n: 6 to 16\napproach_deg: 0 to 3\nretries: 1 to 3"
    first = lambda text: [peg_episode(env, t, [Item("Peg", "d", text)])[0][0].won for t in env.tasks("held_out")]
    assert sum(first(text)) >= 8 and sum(first("-")) <= 5
    assert [peg_episode(env, t, [Item("Peg", "d", "-")])[0] for t in env.tasks("held_out")] == [peg_episode(env, t, [])[0] for t in env.tasks("held_out")]

def test_a_world_that_gives_no_code_is_refused():
    from rbkit.worlds.peg import peg_episode
    house = make_env("household")
    with pytest.raises(ValueError, match="'household' gives no code of an attempt: give a PegEnv"): peg_episode(house, house.tasks()[0], [])

@needs_mujoco
def test_a_world_that_broke_says_why(monkeypatch):
    from rbkit.worlds import peg
    def torn(*_): raise OSError("no such file")
    monkeypatch.setattr(peg, "insert", torn)
    env = make_env("peg")
    with pytest.raises(ValueError, match="OSError: no such file"): peg.peg_episode(env, env.tasks()[0], [])

@needs_mujoco
def test_what_the_stored_run_promises():
    from house import root
    p = root/"results/shipped/worlds/peg.json"
    r = json.loads(p.read_text(encoding="utf-8"))
    assert r["gold_ok"] == r["gold_n"] and r["n_streams"] >= 8 and r["ci_low"] > 0 and r["placebo_low"] < 0 < r["placebo_high"]

# Machines of others

def test_a_gymnasium_environment_becomes_a_world():
    gymnasium = pytest.importorskip("gymnasium")
    from rbkit.worlds.gymnasium import GymEnv, MetaworldPeg, named_actions
    class Flip(gymnasium.Env):
        action_space = observation_space = gymnasium.spaces.Discrete(3)
        def reset(self, seed=None, options=None): super().reset(seed=seed); self.at = int(self.np_random.integers(3)); return self.at, {}
        def step(self, a): return self.at, float(a == self.at), a == self.at, False, {}
    world = lambda: GymEnv(Flip, named_actions("abc", lambda o: f"It is {'abc'[o]}."), "flip", "Say the letter.", {"train": range(5)}, lambda w: ["abc"[w.inner.at]])
    assert check_env(world, world().tasks(), n_hostile=1000)["solved"] == 5
    assert MetaworldPeg.needs() == "" or "rbkit[metaworld]" in MetaworldPeg.needs()

def test_commas_between_options_are_no_part_of_them():
    for line in ("insert search=spiral, force_n=8, retries=2", "insert search=spiral;force_n=8;retries=2", "insert search=spiral force_n=8 retries=2"):
        assert parse_action(line) == dict(search="spiral", force_n=8, retries=2)
    assert parse_action("insert force_n=0,5") is None

def test_buttons_are_pressed_however_they_are_written():
    gymnasium = pytest.importorskip("gymnasium")
    from rbkit.worlds.gymnasium import GymEnv, named_actions
    class Walk(gymnasium.Env):
        action_space = observation_space = gymnasium.spaces.Discrete(2)
        def reset(self, seed=None, options=None): return 0, {}
        def step(self, a): return a, float(a == 1), a == 1, False, {}
    world = lambda: GymEnv(Walk, named_actions(iter(["Left", "Down"])), "walk", "Go down.", {"train": range(2)}, lambda w: ["Down"])
    assert check_env(world, n_hostile=50)["solved"] == 2
    assert check_env(lambda: GymEnv(Walk, named_actions(["Left", "Down"]), "walk", "Go down.", {"train": range(2)}), n_hostile=50, solved=False)["solved"] == 0
    with pytest.raises(ValueError, match="have one name"): named_actions(["Left", "left"])

def test_options_of_a_machine_are_clamped_logged_and_tried_at_least_once():
    gymnasium = pytest.importorskip("gymnasium")
    from rbkit.worlds.contact import Limit
    from rbkit.worlds.gymnasium import GymEnv, scripted_options
    class Press(gymnasium.Env):
        action_space = observation_space = gymnasium.spaces.Box(0, 100)
        def reset(self, seed=None, options=None): return 0.0, {}
        def step(self, a): return a, 1.0, a >= 40, False, {}
    limits = dict(force_n=Limit(1, 40, 5.0))
    press = lambda options: lambda seen: options["force_n"]
    env = GymEnv(Press, scripted_options(press, limits, ticks=3), "press", "Press.", {"train": [0, 1]})
    seen, info = play(env, env.tasks()[1], ["insert force_n=3", "insert force_n=900"])
    assert info["success"] and "Clamped" in seen[2] and "Clamped" not in seen[1]
    (task, step, c), = env.log
    assert task == env.tasks()[1].id and step == 2 and "force_n" in str(c)
    with pytest.raises(ValueError, match="ticks=0"): scripted_options(press, limits, ticks=0)
