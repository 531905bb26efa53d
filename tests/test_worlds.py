"""Worlds behind one interface: contracts, hostile agents, resumed streams, and memory that works through its words"""
import json, re, shutil, time
from dataclasses import replace
from functools import lru_cache
from random import Random
from statistics import fmean
import pytest
from rbkit.agents.evidence import history
from rbkit.agents.turns import Actor, memory_layer, turn_context
from rbkit.bank.bank import Bank
from rbkit.bank.items import Item
from rbkit.models.connect import Spend
from rbkit.models.sim_errands import parse_errand
from rbkit.models.sim_experiments import objects_in
from rbkit.models.sim_household import HouseholdAgent
from rbkit.models.sim_textworld import (QuestStep, TextWorldAgent, candidate_commands, parse_step, quest_lessons,
    quest_progress, quest_steps, word_hints)
from rbkit.ground.text import read_lines
from rbkit.policies.extraction import extract
from rbkit.policies.judging import ModelJudge, Oracle
from rbkit.packers.memory import pack_memory
from rbkit.trials.acted import identical
from rbkit.reports.worlds import stored_attempts, stored_worlds
from rbkit.reports.trajectory import story
from rbkit.ground.settings import data_path
from rbkit.trials.episodes import EVOLVE, one_rollout, run_evolution_episode, run_matts_parallel, run_matts_sequential
from rbkit.trials.inputs import prepare
from rbkit.trials.learners import NO_MEMORY, NO_MEMORY_AGAIN, Learner
from rbkit.trials.learning import learn
from rbkit.trials.runs import RunFolder
from rbkit.worlds.graph import GraphEnv, GraphWorld, open_world
from rbkit.worlds.household import GOALS, Household, parse_goal
from rbkit.worlds.interface import BaseEnv, WorldTask, check_env, env_class, gold, play, survives, worlds
from rbkit.trials.versions import code_version
from rbkit.worlds.world import SIM_AGENTS, Episodes, gold_check, sim_agent_of
from house import cells, root

needs = lambda name: pytest.mark.skipif(bool(worlds()[name]), reason=f"the world {name!r} needs {worlds()[name]}")
GAMES = bool(data_path()) and (data_path()/"worlds"/"alfworld").is_dir()

def test_a_thousand_hostile_actions_break_neither_house_nor_graph():
    with Household() as house: assert survives(house, house.tasks(), 1000) > 30
    with GraphEnv("seeds/toy") as graph: assert survives(graph, graph.tasks(), 1000) > 30

def test_every_errand_has_a_plan_and_each_kind_is_there():
    house = Household()
    assert gold_check(house, house.tasks()) == (90, 90) and {t.kind for t in house.tasks()} == set(GOALS)
    assert max(len(gold(house)) for t in house.tasks() if house.reset(t)) <= house.max_steps

@pytest.mark.parametrize("seed", range(20))
def test_no_errand_is_done_before_it_begins(seed):
    house = Household()
    for t in house.tasks():
        house.reset(t, seed=seed)
        assert not house.step("look")[3]["success"], t

def test_examining_before_going_anywhere_does_nothing():
    house = Household()
    house.reset()
    seen, _, done, info = house.step("examine apple 1")
    assert seen == "Nothing happens." and not done and "broken" not in info

def test_held_out_errands_share_no_pair_of_kind_and_thing():
    pairs = lambda split: {(t.kind, parse_goal(t.question).thing) for t in Household().tasks(split)}
    assert not pairs("train") & pairs("held_out")

@pytest.mark.parametrize("seed", range(5))
def test_a_house_is_the_same_for_a_seed_and_another_for_another(seed):
    house = Household()
    task = house.tasks()[seed]
    assert house.reset(task, seed=seed) == house.reset(task, seed=seed)
    rooms = {json.dumps((house.reset(task, seed=s), house.room), sort_keys=True) for s in range(8)}
    assert len(rooms) == 8

def test_rewards_add_up_to_the_score_and_an_episode_stays_over():
    house = Household()
    for t in house.tasks()[:12]:
        house.reset(t)
        rewards = [house.step(a)[1] for a in gold(house)]
        assert sum(rewards) == 1 and house.evaluate().correct
        assert house.step("look")[2] and house.evaluate().correct

def test_resetting_by_id_variation_and_seed_and_what_is_wrong_with_them():
    house = Household()
    house.reset("house-001")
    assert house.task.id == "house-001"
    house.reset("house-001", variation=7)
    assert house.task.variation == 7 and house.task.kind == "light"
    with pytest.raises(ValueError, match="no variation"): house.reset("house-001", variation=0)
    with pytest.raises(ValueError, match="no task"): house.reset("attic")
    with pytest.raises(ValueError, match="call reset"): Household().evaluate()

class Odd(BaseEnv):
    name = "odd"
    def _tasks(self): return [WorldTask("a", "Say yes.", "odd")]
    def _begin(self, task, seed): return "?"
    def _gold(self): return ["yes"]
    def _act(self, action): return "!", 7.0 if action == "yes" else -3.0, action == "yes", False

def test_scores_are_clipped_and_a_single_action_world_keeps_the_contract():
    assert check_env(Odd)["solved"] == 1
    env = Odd()
    env.reset()
    assert env.step("no")[1:] == (0.0, False, dict(step=1, score=0.0, success=False, invalid=False, truncated=False))
    assert env.step("yes")[1] == 1.0

@pytest.mark.parametrize("broken, said", [
    (dict(_act=lambda self, a: (None, float(a == "yes"), a == "yes", False)), "not text"), (dict(_gold=lambda self: ["no"]), "ground truth"),
    (dict(_act=lambda self, a: ("!", 1.0, True, False)), "without its end"), (dict(_tasks=lambda self: []), "has no tasks|at least"),
    (dict(_begin=lambda self, t, s: str(id(object()))+str(__import__("time").time_ns())), "another episode")])
def test_a_world_that_breaks_a_promise_is_told_which(broken, said):
    with pytest.raises((AssertionError, ValueError), match=said): check_env(type("Bad", (Odd,), broken))

# --- actors -----------------------------------------------------------------------------------------------------------

class Says:
    "Replies with given actions, and keeps what it was shown"
    def __init__(self, *actions): self.actions, self.systems = list(actions), []
    def respond(self, system, user, seed):
        self.systems.append(system)
        act = self.actions.pop(0) if self.actions else "look"
        return act if act.startswith("RAW") else f"[[ ## thought ## ]]\nSo.\n\n[[ ## action ## ]]\n{act}\n\n[[ ## completed ## ]]"

TIP = Item("Where eggs are", "Finding eggs.", "Look for egg in: fridge, before other places.")

def test_memory_stands_whole_in_the_request_and_nothing_does_without_it():
    house, task = Household(), Household().tasks()[0]
    with_, without = Says(), Says()
    Actor(profile=with_, max_steps=1)(house, task, [TIP]); Actor(profile=without, max_steps=1)(house, task)
    assert TIP.content in with_.systems[0] and "Related experience" in with_.systems[0]
    assert "Related experience" not in without.systems[0] and memory_layer([]).text == ""
    assert with_.systems[0].index("thought") < with_.systems[0].rindex("action")

@pytest.mark.parametrize("said, done", [("Action: look", "look"), ("`look`", "look"), ("\n\n  'look'\nbecause", "look"), ("LOOK.", "LOOK.")])
def test_an_action_is_taken_out_of_its_decoration(said, done):
    a = Actor(profile=Says(said), max_steps=1)(Household(), Household().tasks()[0])
    assert [t["code"] for t in a.trace if t["kind"] == "step"] == [done]

def test_endings_are_told_apart():
    house, task = Household(), Household().tasks()[0]
    house.reset(task)
    plan = gold(house)
    assert Actor(profile=Says(*plan))(house, task).outcome == "success"
    lost = Actor(profile=Says(*["fly"]*4), max_steps=4)(house, task)
    assert (lost.outcome, lost.outputs["invalid"], lost.outputs["repeated"]) == ("not_converged", 4, 3)
    class Breaks(Household):
        def _act(self, action): raise RuntimeError("pipe burst")
    broke = Actor(profile=Says("look"))(Breaks(), task)
    assert broke.outcome == "infrastructure" and "pipe burst" in broke.error
    assert Actor(profile=Says("RAW nothing that can be read"))(house, task).outcome not in ("", "success", "wrong")

def test_what_is_shown_of_the_past_is_bounded():
    steps = [("", "begin")]+[(f"go to shelf {i}", "x"*5000) for i in range(60)]
    text = history(steps)
    assert len(text) < 20*1700 and text.startswith("begin") and "go to shelf 59" in text and "left out" in text

# --- the newcomer -----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("goal, want", [
    ("Your task is to: put a clean lettuce in diningtable.", ("clean", "lettuce", "diningtable")), ("Your task is to: clean some potato and put it in fridge.", ("clean", "potato", "fridge")),
    ("Your task is to: look at alarmclock under the desklamp.", ("light", "alarmclock", "desklamp")),
    ("Your task is to: find two pen and put them in drawer.", ("two", "pen", "drawer")), ("Your task is to: put some mug on shelf.", ("place", "mug", "shelf")),
    ("Your task is to: examine the bowl with the desklamp.", ("light", "bowl", "desklamp")), ("What is 2+2?", None)])
def test_errands_are_read_in_the_words_of_both_houses(goal, want):
    assert parse_errand(goal) == want

def test_the_newcomer_hears_words_and_nothing_else():
    house, actor = Household(), Actor(profile=HouseholdAgent(p_discover=0))
    hot = [t for t in house.tasks() if t.kind == "cool"][:6]
    tip = Item("How to cool", "Tasks that say cool.", "To cool a thing, take it to a fridge, cool it there, then bring it.")
    deaf = replace(tip, description="·"*10, content="· "*20)
    won = lambda items: sum(one_rollout(actor, house, t, items, seed=3).evidence.reward for t in hot)
    assert won([tip]) > won([]) == won([deaf]) == 0

def test_it_means_what_it_carries_wherever_a_menu_lists_it():
    goal = "Your task is to find a(n) non-living thing. First, focus on the thing. Then, move it to the green box in the kitchen."
    menu = "Ambiguous request: Please enter the number for the action you intended (or blank to cancel):\n{}"
    here, mine = "move table (in kitchen) to green box (in kitchen)", "move table (in inventory, in agent, in kitchen) to green box (in kitchen)"
    for options, number in (((here, mine), "1"), ((mine, here), "0"), ((here, here), "0")):
        seen = menu.format("\n".join(f"{i}:\t{o}" for i, o in enumerate(options)))
        assert HouseholdAgent(p_error=0).act("", "find it", f"{goal}\n> move table to green box\n{seen}", 0)[1] == number

def test_it_answers_the_same_request_the_same_way():
    house, task = Household(), Household().tasks()[7]
    runs = [[t["code"] for t in Actor(profile=HouseholdAgent())(house, task, seed=5).trace if t["kind"] == "step"] for _ in range(2)]
    assert runs[0] == runs[1]

# --- episodes ---------------------------------------------------------------------------------------------------------

def hot_tasks(): return [t for t in Household().tasks("train") if t.kind == "heat"]

def test_an_episode_learns_credits_and_refuses_as_a_stream_does():
    bank, actor = Bank(), Actor(profile=HouseholdAgent(p_discover=1))
    a, b = (run_evolution_episode(Household, actor, bank, t, seed=i) for i, t in enumerate(hot_tasks()[:2]))
    assert a.success and a.figures["stored"] and b.figures["shown"]
    assert all(x.provenance["prompt"].startswith("embodied-success/1") and x.domain == "household" for x in bank.all())
    assert sum(x.shown for x in bank.all()) == len(b.figures["shown"]) and len(bank.events(kind="step")) == 2

def test_ground_truth_enters_under_its_label_alone():
    bank, actor = Bank(), Actor(profile=HouseholdAgent(p_discover=0))
    run_evolution_episode(Household, actor, bank, hot_tasks()[0], replace(EVOLVE, truth=True))
    assert {x.provenance.get("arm") for x in bank.all()} == {"oracle"}
    plain = Bank()
    run_evolution_episode(Household, actor, plain, hot_tasks()[0])
    assert not [x for x in plain.all() if x.provenance.get("arm")] and not any("microwave" in x.content for x in plain.all())
    r = one_rollout(Actor(profile=HouseholdAgent(p_discover=1)), Household(), hot_tasks()[0])
    with pytest.raises(ValueError, match="failure alone"): extract([(r.evidence, Oracle()(r.evidence))], actor.connect(), truth="take egg")

def test_rollouts_side_by_side_share_the_memory_and_differ():
    e = run_matts_parallel(Household, Actor(profile=HouseholdAgent(p_discover=.5)), Bank(), hot_tasks()[2], n=4)
    paths = {tuple(s.action for s in r.evidence.steps) for r in e.rollouts}
    assert len(e.rollouts) == 4 and len(paths) > 1 and e.success == (max(r.evidence.reward for r in e.rollouts) >= 1)
    again = run_matts_sequential(Household, Actor(profile=HouseholdAgent(p_discover=0, p_error=0)), Bank(), hot_tasks()[2], n=3)
    assert len(again.rollouts) == 3 and again.best == 2

def test_a_world_s_rows_have_both_bills():
    how = dict(world="household", n_tasks=6, n_held_out=3, n_streams=2, options=dict(n_train=24, n_held_out=12), sim_p_discover=.6)
    trial = learn("worlds", [NO_MEMORY, Learner("bank", learn="lessons")], **how)
    paid = {a.name: [sum(r[f"learn_{name}"] for r in trial.rows if r["arm"] == a.name) for name in ("calls", "tokens", "usd", "secs")] for a in trial.arms}
    assert paid["no memory"] == [0, 0, 0, 0] and paid["bank"][0] > 0 < paid["bank"][1] and paid["bank"][3] > 0
    assert sum(r["calls"]+r["learn_calls"] for r in trial.rows) == trial.inputs.spend.calls
    assert all(r["usd"] == 0 and r["secs"] > 0 for r in trial.rows)

def test_an_episode_says_what_acting_and_what_learning_took():
    spend = Spend()
    with Bank() as bank:
        e = run_evolution_episode(Household, Actor(profile=HouseholdAgent(p_discover=.5), spend=spend), bank, hot_tasks()[0], replace(EVOLVE, judge="model", rollouts=2, scaling="sequential"))
        kept = bank.events(kind="step")[0].body["body"]
    assert e.figures["calls"]+e.figures["learn_calls"] == spend.calls and e.figures["tokens"]+e.figures["learn_tokens"] == spend.tokens
    assert e.figures["learn_calls"] >= 3 and e.figures["learn_secs"] > 0 and e.figures["secs"] > 0 and e.figures["usd"] == e.figures["learn_usd"] == 0
    assert {name: kept[name] for name in e.figures if name != "said"} == {name: v for name, v in e.figures.items() if name != "said"}

def test_worlds_that_an_episode_makes_are_closed_and_one_that_is_given_stays_open():
    made, alone = [], Household()
    class Counted(Household):
        def __init__(self): super().__init__(); made.append(self); self.closed = 0
        def _end(self): self.closed += 1
    with Bank() as bank: run_matts_parallel(Counted, Actor(profile=HouseholdAgent()), bank, hot_tasks()[0], n=3)
    assert made and all(e.closed for e in made)
    with Bank() as bank: run_evolution_episode(alone, Actor(profile=HouseholdAgent()), bank, hot_tasks()[0])
    assert alone.task is not None and not alone.step("look")[3].get("broken")

def test_rollouts_wait_for_a_world_that_there_is_once():
    class Busy(Household):
        now = 0
        def _act(self, action):
            self.now += 1
            assert self.now == 1, "two episodes at a time"
            time.sleep(.002)
            self.now -= 1
            return super()._act(action)
    flow = dict(task=hot_tasks()[0], n=4)
    with Bank() as a, Bank() as b:
        one, own = (run_matts_parallel(w, Actor(profile=HouseholdAgent()), k, **flow) for w, k in ((Busy(), a), (Busy, b)))
    told = lambda e: [[s for s in r.evidence.steps] for r in e.rollouts]
    assert told(one) == told(own) and not any(r.payload.error.startswith("AssertionError") for r in one.rollouts)

def test_a_model_that_judges_does_not_see_the_reward():
    seen = []
    class Judge:
        def respond(self, system, user, seed): seen.append(user); return '{"verdict": "failure", "confidence": 0.7, "reason": "no"}'
    r = one_rollout(Actor(profile=HouseholdAgent(p_discover=1)), Household(), hot_tasks()[0])
    j = ModelJudge(Actor(profile=Judge()).connect(), family="embodied")(r.evidence)
    assert j.success is False and "reward" not in seen[0] and "1.0" not in seen[0]

@pytest.mark.parametrize("bad", [dict(scaling="best"), dict(judge="me"), dict(rollouts=0)])
def test_a_learner_that_cannot_be_is_refused(bad):
    with pytest.raises(ValueError): replace(EVOLVE, **bad)

def test_what_must_not_be_written_down_is_in_no_bank_row_or_tape(tmp_path):
    secret = "Which of the nine hidden enzymes of the marsh violet turns indigo under ultraviolet light at dusk"
    class Closed(BaseEnv):
        name, single, max_steps = "closed", True, 1
        def _tasks(self): return [WorldTask(f"p{i}", f"{secret}, trial {i}?", "closed", variation=i, private=True) for i in range(3)]
        def _begin(self, task, seed): return task.question
        def _gold(self): return ["B"]
        def _act(self, action): return f"You said {action} to: {self.task.question}", float(action == "B"), True, False
    class Parrot:
        def respond(self, system, user, seed):
            if '"items"' in system: return json.dumps(dict(items=[dict(title="Repeat it", description="Questions like this.", content=user[-900:])]))
            return f"[[ ## thought ## ]]\n{user}\n\n[[ ## answer ## ]]\nB {secret}\n\n[[ ## completed ## ]]"
    path, episodes = tmp_path/"bank.db", []
    with Bank(path) as bank:
        for i in range(3): episodes.append(run_evolution_episode(Closed, Actor(profile=Parrot()), bank, f"p{i}"))
    said = path.read_bytes().decode("utf-8", "ignore")+repr(episodes)+repr([r.evidence for e in episodes for r in e.rollouts])
    said += repr([e.rollouts for e in episodes])+repr([r.payload for e in episodes for r in e.rollouts])
    assert "marsh violet" not in said and "hidden enzymes" not in said and "private item" in said
    with pytest.raises(ValueError, match="must not be written down"):
        Actor(profile=Parrot(), tape=lambda name, make: make())(Closed(), Closed().tasks()[0])

# --- trials -----------------------------------------------------------------------------------------------------------

SMALL = dict(world="household", n_tasks=6, n_held_out=3, n_streams=2, options=dict(n_train=24, n_held_out=12), sim_p_discover=.6)
BANK = Learner("bank", learn="lessons", judge="oracle", ops=("duplicate",))
STEPS = 6+6+2*3+2*1 # of a stream: learned, asked again, held out twice, one anchor twice
def walked(*arms, exp="worlds", **how): return learn(exp, [NO_MEMORY, *arms], **{**SMALL, **how})
KEYS = ("arm", "stream", "phase", "position", "task", "correct", "iterations", "shown", "stored")
@lru_cache(maxsize=None)
def whole(): return walked(BANK) # one that is only read
def keyed(t): return sorted(tuple(json.dumps(r[k]) for k in KEYS) for r in t.rows)

def test_a_stream_that_is_cut_goes_on_to_the_same_rows(tmp_path, monkeypatch):
    import rbkit.trials.streams as s
    import rbkit.trials.learning as l
    real, left = s._step_row, [9]
    def dies(*step):
        left[0] -= 1
        if left[0] == 0: raise KeyboardInterrupt
        return real(*step)
    monkeypatch.setattr(s, "_step_row", dies)
    with pytest.raises(KeyboardInterrupt): walked(BANK, out=str(tmp_path/"b"))
    monkeypatch.setattr(s, "_step_row", real)
    again = walked(BANK, out=str(tmp_path/"b"))
    assert keyed(again) == keyed(whole())
    calls = []
    monkeypatch.setattr(l, "walk", lambda *job: calls.append(job) or [])
    assert keyed(walked(BANK, out=str(tmp_path/"b"))) == keyed(whole()) and not calls

def test_other_settings_do_not_mix_and_more_streams_add(tmp_path):
    a = walked(out=str(tmp_path))
    more = walked(out=str(tmp_path), n_streams=3)
    assert len(more.rows) == 3*STEPS and set(keyed(a)) < set(keyed(more))
    other = walked(out=str(tmp_path), n_tasks=4)
    assert len(other.rows) == 2*(4+4+2*3+2*1) and len(walked(out=str(tmp_path)).rows) == 2*STEPS
    options = walked(out=str(tmp_path), options=dict(n_train=12, n_held_out=12))
    assert len(options.rows) == 2*STEPS and not {r["code"] for r in options.rows} & {r["code"] for r in a.rows}
    assert len(list((tmp_path/"worlds").glob("*/run.json"))) == 1, "nothing is moved, nothing is lost"

@pytest.fixture(scope="module")
def beside_placebo(tmp_path_factory):
    return walked(BANK, Learner("placebo", learn="lessons", judge="oracle", show="placebo"), out=str(tmp_path_factory.mktemp("placebo")))

def test_a_placebo_and_its_gain_stand_in_the_summary(beside_placebo):
    trial = beside_placebo
    found = trial.note_summary("bank", gold_ok=3, gold_n=3)
    assert found["world"] == "household" and found["streams"] == 2 and {"gain", "low", "high", "alone", "placebo_gain"} <= found.keys()
    table = stored_worlds(str(trial.folder.path.parent.parent))
    assert list(table.index) == ["household"] and table.loc["household", "gold_ok"] == 3 and abs(table.loc["household", "gain"]-found["gain"]) < .001

def test_runs_of_worlds_are_listed(tmp_path, capsys):
    from rbkit.reports.cli import main
    trial = walked(BANK, out=str(tmp_path))
    trial.note_summary("bank")
    def listed(*more): return capsys.readouterr().out if main(["list", *more]) == 0 else ""
    mine, table, shipped = listed("--out", str(tmp_path), "--json"), listed("--out", str(tmp_path)), listed("--json")
    line, = json.loads(mine)["worlds"]
    wanted = dict(world="household", model="sim", arms="no memory,bank", tasks=6, held_out=3, streams=2, rows=len(trial.rows), warnings=len(trial.warnings()), status="success", where="here")
    assert line | wanted == line and line["folder"].endswith(trial.folder.path.name)
    assert "Worlds;" in table and "household" in table
    assert len({line["world"] for line in json.loads(shipped)["worlds"]}) >= 7

def test_no_memory_twice_stands_beside_what_memory_was_worth(tmp_path):
    trial = walked(NO_MEMORY_AGAIN, BANK, out=str(tmp_path))
    by = {a: {(r["stream"], r["phase"], r["position"], r["task"]): r for r in trial.rows if r["arm"] == a} for a in ("no memory", "no memory again")}
    assert by["no memory"].keys() == by["no memory again"].keys() and any(by["no memory"][k]["answer"] != r["answer"] or by["no memory"][k]["iterations"] != r["iterations"] for k, r in by["no memory again"].items()), "noise of its own"
    said = trial.aa("held out")
    assert said.startswith("A/A: no memory again - no memory: correct") and said == f"A/A: {trial.compare('no memory again', phase='held out')!r}" and said != trial.aa()
    assert [c.arm for c in trial.table(phase="held out")] == ["bank"], "a repeat is no planned contrast"
    found = trial.note_summary("bank")
    assert found["again_gain"] == round(trial.compare("no memory again", phase="held out").estimate, 4) and found["again_low"] <= found["again_gain"] <= found["again_high"]
    assert "again_gain" in stored_worlds(str(tmp_path)).columns

def test_a_table_of_worlds_says_whose_verdict_what_did_not_act_and_what_is_one_by_construction(beside_placebo, tmp_path):
    found = beside_placebo.note_summary("bank")
    made = beside_placebo.folder.path
    shutil.copytree(made.parent.parent, tmp_path, dirs_exist_ok=True)
    said = lambda: stored_worlds(str(tmp_path)).loc["household"]
    gained = f"{found['placebo_gain']:+.3f} [{found['placebo_low']:+.3f}, {found['placebo_high']:+.3f}]"
    assert said().verdict == "the check" and said().placebo == gained and found["placebo_low"] < found["placebo_high"]
    path = tmp_path/made.parent.name/made.name/"run.json"
    kept = json.loads(path.read_text())
    put = lambda **new: path.write_text(json.dumps({**kept, **new}))
    put(acted=[dict(arm="bank", act="duplicate", count=7, least=8, rows=160, enough=False), dict(arm="placebo", act="shown", count=0, least=8, rows=160, enough=False)])
    assert said().did_not_act == "a duplicate was left out 7 times, 8 are needed"
    put(acted=[])
    assert said().did_not_act == "–"
    path.write_text(json.dumps({k: v for k, v in kept.items() if k not in ("acted", "warnings")}))
    assert said().did_not_act == "not counted: an older run"
    put(arms=[{**arm, "judge": "model"} for arm in kept["arms"]])
    assert said().verdict == "a model"
    rows = read_lines(path.with_name("rows.jsonl"))
    plain = {(r["stream"], r["phase"], r["position"], r["task"]): r for r in rows if r["arm"] == "no memory"}
    ends = lambda r: {name: plain[r["stream"], r["phase"], r["position"], r["task"]][name] for name in ("correct", "iterations")}
    alike = [{**r, **ends(r)} if r["arm"] == "placebo" else r for r in rows]
    path.with_name("rows.jsonl").write_text("".join(json.dumps(r)+"\n" for r in alike))
    assert said().placebo == "the same as no memory, by construction"
    put(settings={**kept["settings"], "lm": "openai/other"})
    assert said().placebo == gained, "of a model with noise of its own, sameness is a finding"

def test_a_placebo_that_says_other_words_and_ends_alike_is_one_with_no_memory():
    made = lambda arm, steps: [dict(arm=arm, task=i, repeat=0, stream=0, phase="learn", position=i, correct=1, iterations=n, answer=arm) for i, n in enumerate(steps)]
    ends = ("correct", "iterations")
    assert identical(made("placebo", [3, 4])+made("none", [3, 4]), ("placebo", "none"), ends) == [("placebo", "none")]
    assert not identical(made("placebo", [3, 5])+made("none", [3, 4]), ("placebo", "none"), ends) and not identical(made("placebo", [3, 4])+made("none", [3, 4]), ("placebo", "none"))

def test_an_attempt_that_was_chosen_stands_beside_the_mean_one(tmp_path):
    arm = Learner("three", learn="lessons", judge="oracle", rollouts=3)
    trial = walked(BANK, arm, out=str(tmp_path))
    table = trial.frame()
    assert list(table.columns)[:3] == ["held out", "as they came", "one attempt"]
    rows = [r for r in trial.phase() if r["arm"] == "three"]
    assert table.loc["three", "one attempt"] == round(fmean(fmean(r["each_correct"]) for r in rows), 2) <= table.loc["three", "as they came"]
    assert table.loc["bank", "one attempt"] == table.loc["bank", "as they came"]
    trial.note_summary("bank")
    [line] = stored_attempts(str(tmp_path)).to_dict("records")
    assert (line["arm"], line["chosen by"]) == ("three", "the check") and line["chosen"] == round(fmean(r["any_correct"] for r in rows), 3)
    assert "one attempt" not in whole().frame().columns

@pytest.mark.parametrize("name", ["household", "questions", "scienceworld", "textworld", "alfworld", "peg", "tools", "tables"])
def test_every_world_is_walked_twice_without_memory(name):
    code = "".join(s for kind, s, *_ in cells(root/"nbs"/"worlds"/f"{name}.ipynb") if kind == "code")
    if name == "peg": assert 'AGAIN = "no memory again"' in code and "A/A" in code
    else: assert "arms = [NO_MEMORY, NO_MEMORY_AGAIN, " in code and 'print(trial.aa("held out"))' in code and "trial.costs()" in code

def test_a_folder_that_is_in_use_is_left_alone(tmp_path, monkeypatch):
    folder = walked(out=str(tmp_path)).folder
    before = {p: p.read_bytes() for p in folder.path.glob("*.json*")}
    folder.hold()
    kept = RunFolder.hold
    monkeypatch.setattr(RunFolder, "hold", lambda self, secs=0.1: kept(self, .1))
    with pytest.raises(RuntimeError, match="Another process is writing"): walked(out=str(tmp_path), n_tasks=4)
    assert {p: p.read_bytes() for p in folder.path.glob("*.json*")} == before
    folder.release()

def test_arms_that_do_the_same_are_refused_and_arms_that_were_not_run_are_named(tmp_path):
    with pytest.raises(ValueError, match="Arms 'a' and 'b' are the same"): walked(replace(BANK, name="a"), replace(BANK, name="b"))
    with pytest.raises(ValueError, match="Two arms are called 'a'"): walked(replace(BANK, name="a"), replace(BANK, name="a", show="placebo"))
    trial = walked(out=str(tmp_path))
    with pytest.raises(ValueError, match="No arm 'bank' in this run; there are no memory"): trial.learned("bank")

def test_a_cap_stops_a_stream_and_a_larger_one_goes_on(tmp_path):
    first = walked(out=str(tmp_path), max_calls=40)
    assert first.status == "budget" and len(first.rows) < 2*STEPS and "budget" not in {r["outcome"] for r in first.rows}
    whole = walked(out=str(tmp_path), max_calls=50_000)
    assert keyed(whole) == keyed(walked()) and whole.status == "success"

def test_a_stream_that_broke_on_our_side_is_begun_anew(tmp_path, monkeypatch):
    real, count = Household._act, []
    def breaks(self, action):
        count.append(action)
        if 30 < len(count) < 60: raise RuntimeError("pipe burst")
        return real(self, action)
    monkeypatch.setenv("RBKIT_WORKERS", "1"); monkeypatch.setenv("RBKIT_RETRIES", "0")
    whole() # is made before anything breaks
    monkeypatch.setattr(Household, "_act", breaks)
    first = walked(BANK, out=str(tmp_path))
    assert any(r["outcome"] == "infrastructure" for r in first.rows)
    monkeypatch.setattr(Household, "_act", real)
    again = walked(BANK, out=str(tmp_path))
    assert keyed(again) == keyed(whole()) and not any(r["outcome"] == "infrastructure" for r in again.rows)

@pytest.mark.parametrize("folder", sorted((root/"results/shipped/worlds").glob("*/run.json")), ids=lambda p: p.parent.name)
def test_a_stored_run_of_an_older_version_is_read_without_a_crash(folder):
    assert story(folder.parent).lacks

# --- quests -----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("said, asked", {
    "First off, attempt to go to the north.": QuestStep("north", how="go"),
    "If you have opened the chest, venture through the east door.": QuestStep("east", how="go"),
    "Then, make absolutely sure that the old chest inside the attic is wide open.": QuestStep("is wide open", "old chest"),
    "After shutting the locker, doublecheck the locker in the cubicle is locked.": QuestStep("is locked", "locker"),
    "Next, assure that the safe is unlocked with the brass key.": QuestStep("is unlocked", "safe", "brass key", "with"),
    "Unlock the box inside the studio with the key.": QuestStep("unlock", "box", "key", "with"),
    "And then, insert the key into the box inside the studio's lock to unlock it.": QuestStep("unlock it", "box", "key", "with"),
    "Place the key into the box within the cellar to lock it.": QuestStep("lock it", "box", "key", "with"),
    "Having pulled open the safe, recover the wool mat from the safe in the attic.": QuestStep("recover", "wool mat", "safe", "from"),
    "Pick up the cup from the floor of the attic.": QuestStep("pick up", "cup"),
    "Then, toss the cup on the floor of the attic.": QuestStep("toss on the floor", "cup", how="floor"),
    "You can deposit the cup into the safe inside the attic.": QuestStep("deposit into", "cup", "safe", "into"),
    "After that, rest the cup on the shelf within the attic.": QuestStep("rest on", "cup", "shelf", "on"),
    "Then, take the milk from the north fridge.": QuestStep("take", "milk", "north fridge", "from"),
    "Thereafter, nothing.": None}.items())
def test_a_sentence_of_a_quest_is_read_as_what_it_asks_for(said, asked): assert parse_step(said) == asked

def test_greetings_ask_for_nothing():
    quest = "It's time to explore the amazing world of games! Eat the pear. And if you do that, you're the winner!"
    assert quest_steps(quest) == [QuestStep("eat", "pear")]

def test_what_it_was_told_comes_first_then_the_verb_of_the_sentence_and_last_what_did_nothing():
    told = word_hints('Where a quest says "rest on", the command is: put. Where a quest says "rest on", it does nothing to: drop, eat.')
    order = candidate_commands(QuestStep("rest on", "cup", "shelf", "on"), told, Random(1))
    assert order[0] == "put cup on shelf" and {*order[-2:]} == {"drop cup", "eat cup"} and len({*order}) == len(order)
    assert candidate_commands(QuestStep("open", "safe"), word_hints(""), Random(2))[0] == "open safe"
    locked = candidate_commands(QuestStep("unlock", "safe"), word_hints(""), Random(3), ["pear", "key"])
    assert locked[:2] == ["unlock safe with key", "unlock safe with pear"], "what was picked up last is the likeliest key"
    assert not any("lock" in c for c in candidate_commands(QuestStep("unlock", "safe"), word_hints(""), Random(3))), "no key, no lock"

QUEST = "Hello! Recover the cup from the box. After that, move north. Then, rest the cup on the shelf. Got that? Good!"
WALK = """-= Attic =-
> inventory
You are carrying: a type A key and some salt.
> eat cup
That's plainly inedible.
> take cup from box
You take the cup from the box.
> go north
You have to open the oak door first.
> open oak door
You open the oak door.
> go north
-= Study =-
> drop cup
You drop the cup on the ground."""

def test_a_history_says_how_far_a_quest_is():
    p = quest_progress(QUEST, WALK)
    assert [a for _, a in p.done] == ["take cup from box", "go north", "drop cup"] and p.held == ["type A key", "salt"]
    early = quest_progress(QUEST, WALK.partition("> open")[0])
    assert early.door == "oak door" and len(early.done) == 1 and quest_progress(QUEST, "-= Attic =-\n> \n").done == []
    assert early.held == ["type A key", "salt", "cup"]
    assert not quest_progress("Open the box.", "-= Attic =-\n> open box lid\nYou open the box lid.").done, "another thing"

def quest_items(*tries):
    said = "\n".join(f"Attempt {i}: {v}\n{text}" for i, (v, text) in enumerate(tries, 1))
    return [x["content"] for x in quest_lessons(dict(goal=QUEST, episodes=said))]

def test_a_quest_teaches_what_its_words_mean_or_what_did_nothing():
    won = WALK.replace("> drop cup\nYou drop the cup on the ground.", "> put cup on shelf\nYou put the cup on the shelf.")
    means = 'Where a quest says "recover", the command is: take.\nWhere a quest says "rest on", the command is: put.'
    assert quest_items(("success", won)) == quest_items(("failure", WALK), ("success", won)) == [means]
    stuck = WALK.replace("You drop the cup on the ground.", "You haven't got that.")
    assert quest_items(("failure", stuck)) == ['Where a quest says "rest on", it does nothing to: drop.']
    assert quest_items(("failure", "-= Attic =-")) == []

def test_several_failures_teach_all_that_did_nothing_and_a_locked_door_teaches_nothing():
    tried = [f"-= Attic =-\n> {v} cup\nThat does nothing." for v in ("eat", "open", "eat")]
    assert quest_items(*(("failure", t) for t in tried)) == ['Where a quest says "recover", it does nothing to: eat, open.']
    locked = WALK.partition("> open")[0].replace("You have to open the oak door first.", "You can't go that way.")
    assert quest_progress(QUEST, locked).idle == ["go north"] and quest_items(("failure", locked)) == []

def test_a_quests_solution_teaches_what_its_words_mean():
    said = dict(goal=QUEST, episodes="Attempt 1: failure\n-= Attic =-", ground_truth="take cup from box\nopen oak door\ngo north\nput cup on shelf")
    [lesson] = quest_lessons(said)
    assert lesson["content"].splitlines() == ['Where a quest says "recover", the command is: take.', 'Where a quest says "rest on", the command is: put.']

def test_in_other_worlds_a_quester_is_the_newcomer_that_is_known_there():
    house, advice = Household(), [Item("Heat", "Tasks that say heat.", "To heat a thing, take it to a microwave.")]
    of_kinds = {t.kind: t for t in house.tasks()}
    assert set(of_kinds) == set(GOALS)
    for t in of_kinds.values():
        play_as = lambda who: one_rollout(Actor(profile=who), house, t, advice, seed=4)
        assert (r := play_as(TextWorldAgent())).evidence == play_as(HouseholdAgent()).evidence
        r.judgment = ModelJudge(Actor(profile=HouseholdAgent()).connect(), family="embodied")(r.evidence)
        teach = lambda who: [x.content for x in extract([(r.evidence, r.judgment)], Actor(profile=who).connect()).items]
        assert teach(TextWorldAgent()) == teach(HouseholdAgent())
    assert type(sim_agent_of("textworld", p_error=.5)) is TextWorldAgent and type(sim_agent_of("household")) is HouseholdAgent

def test_every_world_of_steps_says_which_commands_it_understands():
    classes = {w: env_class(w) for w in ("household", "alfworld", "scienceworld", "textworld")}
    for c in classes.values(): assert len(c.commands.split("; ")) > 8
    text = turn_context(Household()).text
    assert "Commands: go to R; open R" in text and "Commands" not in turn_context(Odd()).text
    assert "teleport" in classes["scienceworld"](simplification="easy").commands and "teleport" not in classes["scienceworld"]().commands

def test_a_score_that_is_none_is_the_worlds_fault():
    for score, said in ((float("nan"), "score is nan"), (float("inf"), "score is inf"), (None, "TypeError")):
        env = type("Bad", (Odd,), dict(_act=lambda self, a, score=score: ("ok", score, False, False)))()
        env.reset("a")
        _, reward, done, info = env.step("yes")
        assert done and said in info["broken"] and info["score"] == reward == 0 and not info["success"]
    env = type("Bad", (Odd,), dict(_act=lambda self, a: ("ok", 0, False, False, {"score": 7})))()
    env.reset("a")
    assert "called score" in env.step("yes")[3]["broken"]

def test_a_call_that_cannot_be_leaves_what_was_run_alone(tmp_path):
    folder = walked(BANK, out=str(tmp_path)).folder.path
    there = {p: p.read_bytes() for p in folder.glob("*.json*")}
    for how, said in ((dict(n_tasks=400), "400 were asked for"), (dict(options=dict(m=8)), "'m'"), (dict(sim=dict(huch=.1)), "huch"), (dict(n_stream=8), "knows no 'n_stream'; it takes"),
        (dict(n_tasks=0), "n_tasks=0; it must be"), (dict(n_held_out=-1), "n_held_out=-1; it must"), (dict(n_streams=-1), "n_streams=-1; it must"), (dict(world="moon"), "No world 'moon'")):
        with pytest.raises((ValueError, TypeError), match=said): walked(BANK, out=str(tmp_path), **how)
    assert {p: p.read_bytes() for p in folder.glob("*.json*")} == there and len(list((tmp_path/"worlds").iterdir())) == 1

def version_of(world): return code_version(*Episodes(world).roots())

def test_a_worlds_version_follows_a_notebook(monkeypatch):
    import sys, types
    from rbkit.worlds import interface as envs
    monkeypatch.setitem(sys.modules, "cells", types.ModuleType("cells"))
    class Base(Odd): KEY = 7
    class Leaf(Base): pass
    for c in (Base, Leaf): c.__module__ = "cells" # its methods can be read, and no file is its own
    monkeypatch.setitem(envs.ENVS, "noted", Leaf)
    before = version_of("noted")
    Base.KEY = 3
    assert version_of("noted") != before

def test_a_world_that_is_nowhere_written_is_refused(monkeypatch):
    from rbkit.worlds import interface as envs
    scope = dict(BaseEnv=BaseEnv, __name__="typed")
    exec("class T(BaseEnv):\n    name = 'typed'\n    def _act(self, a): return '', 0, True, False", scope)
    import sys, types
    monkeypatch.setitem(sys.modules, "typed", types.ModuleType("typed"))
    monkeypatch.setitem(envs.ENVS, "typed", scope["T"])
    with pytest.raises(ValueError, match="code of T cannot be read again.*module or a notebook"): version_of("typed")

class Cottage(Household): "A world that only this module knows"

def test_worker_processes_know_a_world_that_was_registered(monkeypatch):
    from rbkit.worlds import interface as envs
    monkeypatch.setenv("RBKIT_BACKEND", "processes"); monkeypatch.setenv("RBKIT_WORKERS", "2")
    monkeypatch.setitem(envs.ENVS, "cottage", Cottage)
    assert len(walked(world="cottage").rows) == 2*STEPS

def test_a_game_leaves_no_folder_behind(tmp_path):
    from rbkit.worlds.text_games import AlfWorld
    (tmp_path/"alfred.pddl").write_text("d"); (tmp_path/"grammar_template.twl2").write_text("@@TASK@@")
    world = AlfWorld(folder=tmp_path)
    path = world._file(dict(task="put it", pddl_problem="p", solvable=True, walkthrough=[]))
    assert path.exists()
    world.close()
    assert not path.parent.exists()

@pytest.mark.parametrize("item", [
    Item("Count", "How many?", "Use COUNT."),
    Item("Count things per group", "A number for each thing.", "SELECT ?g\nWHERE { ?x a ?g }\nGROUP BY ?g\n\nORDER BY ?g", exemplar="SELECT ?x"),
    Item("A whole attempt", "d", "\n".join("> go to fridge 1 and look for what is in it" for _ in range(30)), pitfalls="A pan is no cup.")])
@pytest.mark.parametrize("world", [GraphWorld("seeds/toy"), Episodes("household")], ids=["graph", "household"])
def test_a_placebo_is_as_long_as_what_it_stands_for(world, item):
    sham, = world.placebo([item])
    assert abs(sham.chars-item.chars) <= item.chars/4 and sham.polarity == item.polarity
    told, said = (len(pack_memory([x], 2000).text) for x in (item, sham))
    assert told*.75 <= said <= told*1.25, "as it stands in the prompt"
    assert len(sham.content.splitlines()) <= len(item.content.splitlines())

def test_a_placebo_is_no_longer_than_what_it_stands_for():
    said = ("title", "description", "content", "preconditions", "pitfalls")
    lessons = [Item("Where apples are", "For errands with an apple", "Apples are on the diningtable: go there first."),
        Item("Heat", "d", "x"*700, pitfalls="a pan is no cup")]
    for shown in (lessons, lessons[:1], []):
        found = Episodes("household").placebo(shown)
        assert len(found) == len(shown)
        for p, x in zip(found, shown):
            assert all(len(getattr(p, k)) <= len(getattr(x, k)) for k in said) and p.title and p.content
            assert "apple" not in p.content.lower() and len(p.content) > .6*min(len(x.content), 250)

def test_the_version_of_a_world_knows_what_can_be_said_to_it(monkeypatch):
    world = Episodes("household")
    before = world.stamp(None)
    monkeypatch.setattr(env_class("household"), "commands", "fly")
    assert world.stamp(None) != before

def test_where_there_are_no_games_it_says_what_was_looked_for(tmp_path, monkeypatch):
    from rbkit.worlds.text_games import AlfWorld
    with pytest.raises(ValueError, match="n=0.*1 or more"): AlfWorld(n=0, folder=tmp_path)
    with pytest.raises(FileNotFoundError, match="No ALFWorld games of train and valid_seen are in .*Give AlfWorld"): AlfWorld(folder=tmp_path).tasks()
    monkeypatch.setattr("rbkit.worlds.text_games.data_path", lambda: None)
    with pytest.raises(FileNotFoundError, match="are known. Give AlfWorld"): AlfWorld().tasks()

@needs("textworld")
def test_a_quest_is_told_before_it_is_compiled_and_is_the_same_for_everybody(tmp_path):
    from rbkit.worlds.text_games import TextWorld
    with TextWorld(n=2, folder=tmp_path) as one, TextWorld(n=2, folder=tmp_path/"other") as two:
        asked = [t.question for t in one.tasks()]
        assert asked == [t.question for t in two.tasks()] and len({*asked}) == 3 and not list(tmp_path.glob("*.z8"))
        seen = one.reset("quest-1")
        assert seen.startswith(asked[1]) and "-= " in seen and len(list(tmp_path.glob("*.z8"))) == 1
        assert not re.search(r"\n>|=-\d+/", seen+"".join(one.step(a)[0] for a in ("look", "inventory", *gold(one))))

@pytest.mark.parametrize("size", [dict(rooms=0), dict(things=-1), dict(steps=0), dict(n=0), dict(max_steps=0)])
def test_a_quest_without_rooms_things_or_steps_is_refused_at_once(size):
    from rbkit.worlds.text_games import TextWorld
    [(name, value)] = size.items()
    with pytest.raises(ValueError, match=f"{name}={value}: n, rooms, .* are 1 or more"): TextWorld(**size)

def test_a_quest_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    from rbkit.worlds.game_process import GameProcess
    from rbkit.worlds.text_games import TextWorld
    def slow(self, what, arg): raise TimeoutError("no answer within 60 s")
    monkeypatch.setattr(GameProcess, "ask", slow)
    with pytest.raises(RuntimeError, match="could not make quest 0 of 9 rooms, 6 things and 3 steps: no answer"): TextWorld(rooms=9, folder=tmp_path).tasks()

@needs("textworld")
def test_a_game_whose_process_ends_costs_one_episode(tmp_path):
    from rbkit.worlds.text_games import TextWorld
    with TextWorld(n=1, folder=tmp_path) as quest:
        quest.reset()
        for _ in range(2): # between two steps, and between two episodes
            quest._player.process.kill(); quest._player.process.wait()
            if not quest.over: assert "process that played has ended" in quest.step("look")[3]["broken"]
            quest.reset()
            assert "broken" not in quest.step("look")[3]
            quest.over = True
        assert gold_check(quest, quest.tasks()[:1]) == (1, 1)

@pytest.mark.slow
@needs("textworld")
def test_a_phrase_book_wins_quests(tmp_path):
    from rbkit.worlds.text_games import TextWorld
    verbs = dict(take=("recover", "retrieve", "lift", "pick up", "pick-up"), open=("is open", "is opened", "is ajar", "is wide open"),
        unlock=("is unlocked", "unlock it"), insert=("place into", "deposit into", "put into"), put=("place on", "rest on", "sit on"),
        drop=tuple(f"{v} on the floor" for v in ("place", "toss", "throw", "ditch", "deposit")), lock=("is locked", "lock it"))
    book = [Item("Words", "Quests.", "\n".join(f'Where a quest says "{w}", the command is: {v}.' for v, ws in verbs.items() for w in ws))]
    with TextWorld(n=6, things=8, steps=5, max_steps=12, folder=tmp_path) as quests:
        won = lambda items: sum(one_rollout(Actor(profile=TextWorldAgent(), budget=9000), quests, t, items).evidence.reward for t in quests.tasks("train"))
        assert won(book) >= won([])+2

# --- worlds of others -------------------------------------------------------------------------------------------------

@pytest.mark.slow
@needs("scienceworld")
def test_scienceworld_keeps_the_contract():
    from rbkit.worlds.scienceworld import ScienceWorld
    with ScienceWorld(["find-plant"], 1, max_steps=60) as world:
        assert gold_check(world, world.tasks()) == (2, 2)
        world.max_steps = 40
        assert survives(world, world.tasks(), 60)
        world.reset("find-plant/0")
        for a in ("look around", "open door to hallway"): world.step(a)
        score = world.score
        path = world.get_ground_truth()
        assert len(path) > 5 and world.score == score and not world.over and world.step("look around")[0]

@needs("scienceworld")
def test_a_wrong_focus_ends_a_menu_is_no_error_and_a_heap_is_small():
    from rbkit.worlds.scienceworld import ScienceWorld
    with ScienceWorld(["find-animal"], 1, "easy") as world:
        info = play(world, "find-animal/0", ["focus on agent"])[1]
        assert info["failed"] and info["score"] == 0 and not info["success"]
        world.reset("find-animal/0")
        assert world.step("fly")[3]["invalid"]
        said = [world.step(a) for a in ("teleport to kitchen", "open drawer", "look at drawer")]
        assert all(not s[3]["invalid"] for s in said)
    with pytest.raises(ValueError, match="no task 'fly'"): ScienceWorld(["fly"]).tasks()

@needs("alfworld")
@pytest.mark.skipif(not GAMES, reason="ALFWorld's games are not here; see the setting data_path")
def test_real_games_are_won_by_their_walkthroughs():
    from rbkit.worlds.text_games import AlfWorld
    with AlfWorld(n=1, max_steps=30) as world:
        assert gold_check(world, world.tasks("held_out")) == (6, 6)
        assert survives(world, world.tasks("held_out")[:1], 30)

@pytest.mark.slow
@needs("alfworld")
@pytest.mark.skipif(not GAMES, reason="ALFWorld's games are not here; see the setting data_path")
def test_what_is_remembered_changes_no_word_of_a_game():
    import rbkit.worlds.game_process as games
    from rbkit.worlds.text_games import AlfWorld
    with AlfWorld(n=1) as world:
        first = world.tasks("held_out")[0].id
        row = world._rows[first].row
        path, said = str(world._file(row)), []
        for cache in (lambda: None, games._cache_parsing, games._cache_parsing):
            games._cache_parsing, kept = cache, games._cache_parsing
            try: env, state = games._open_game(path, True)
            finally: games._cache_parsing = kept
            said.append([games._described(state), *(games._described(env.step(a)[0]) for a in ("fly", "look", *row["walkthrough"]))])
    assert said[0] == said[1] == said[2] and said[0][-1]["won"]

@pytest.mark.slow
@needs("textworld")
def test_generated_quests_are_won_and_survive_nonsense(tmp_path):
    from rbkit.worlds.text_games import TextWorld
    with TextWorld(n=1, folder=tmp_path) as quest:
        assert gold_check(quest, quest.tasks()) == (2, 2)
        assert survives(quest, quest.tasks()[:1], 150)

def test_advice_is_followed_first_and_left_where_it_led_nowhere():
    task = "Your task is to find a(n) plant. Then move it to the red box in the kitchen.\n"
    room = "This room is called the {}. In it, you see: \n\ta stone\n\ta fork\nYou also see:\n\tA door"
    def asked(system, *rooms):
        history = task+"".join(f"> teleport to {r}\nYou teleport.\n> look around\n{room.format(r)}\n" for r in rooms)
        user = f"[[ ## goal ## ]]\nfind a plant\n\n[[ ## history ## ]]\n{history}\n\n[[ ## action ## ]]"
        return HouseholdAgent(p_discover=0, p_error=0).respond("[[ ## action ## ]]\n"+system, user, 1).partition("[[ ## action ## ]]\n")[2].partition("\n")[0]
    told = "Look for plant in: greenhouse, before others. For plant, focus on what is called: tree. "
    assert asked(told) == "teleport to greenhouse" and asked("", "workshop") in ("focus on stone", "focus on fork")
    assert asked(told, "greenhouse") in ("focus on stone", "focus on fork"), "it knows no better than without advice"
    assert asked(told+"Look for plant in: outside.", "greenhouse") == "teleport to outside", "not everywhere was looked yet"

ACTIONS = dict( # what a model wrote, and the action that a world is given
    plain=("open", "open"), quoted=('"open"', "open"), ticked=("`open`", "open"), bold=("**open**", "open"), fenced=("```\nopen\n```", "open"),
    bullet=("* open", "open"), prompt=("> open", "open"), both=("> `open`", "open"), named=("Action: look", "look"), bold_name=("**Next action:** look", "look"),
    quoted_after_its_name=("Action: 'look'", "look"), name_in_quotes=('"Action: look"', "look"),
    quotes_at_the_end=('say "hello"', 'say "hello"'), quotes_at_both_ends=('"a" and "b"', '"a" and "b"'), all_in_quotes=("'say \"hello\"'", 'say "hello"'),
    ticks_at_the_end=("sql: SELECT `name` FROM `pumps`", "sql: SELECT `name` FROM `pumps`"), an_iri=("describe <http://example.org/a>", "describe <http://example.org/a>"),
    a_word_at_the_end=("sql: SELECT 1 WHERE x = 'y'", "sql: SELECT 1 WHERE x = 'y'"), quotes_alone=('""\nlook', "look"), nothing=("", ""), none=(None, ""),
)

@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_loses_its_decoration_and_keeps_its_quotes(name):
    from rbkit.agents.turns import _one
    written, action = ACTIONS[name]
    assert _one(written) == action

def test_the_fence_of_a_layer_is_not_known_to_who_wrote_the_item():
    "Its mark differs from task to task, by the way in of each world, and is the same when a task is tried again"
    from types import SimpleNamespace as of
    from rbkit.worlds.tool_code import CodeEpisodes
    from rbkit.worlds.world import Episodes
    items, arm = [Item("Look twice", "Always", "Look at it twice.")], of(limits={}, cite=False)
    def marks(build): return [re.search("<memory (.{6})", build(of(question=q), items)["memory"].text)[1] for q in ("one", "two", "one")]
    env = of(commands="", single=False)
    for kind, world in ((Episodes, of(pool=lambda f: f(env))), (CodeEpisodes, of(base="Do it.", agent="code"))):
        first, other, again = marks(kind.builder(world, arm, "full"))
        assert first == again != other, kind
    actor = Actor("sim")
    seen = []
    import rbkit.agents.turns as turns
    old, turns.run_turns = turns.run_turns, lambda env, task, context, *a: seen.append(context["memory"].text[:60])
    try:
        for q in ("one", "two"): actor(env, of(question=q, private=False), items, lm=object())
    finally: turns.run_turns = old
    assert seen[0] != seen[1]

# Caps

def test_every_chapter_of_a_world_that_takes_a_model_takes_its_caps_and_says_which_one_ended_it(tmp_path):
    import json
    from rbkit.reports.execution import execute, parameters
    from rbkit.trials.spec import CAPS
    chapters = [nb for nb in (root/"nbs"/"worlds").glob("*.ipynb") if '"parameters"' in nb.read_text(encoding="utf-8") and "lm" in parameters(nb)]
    assert len(chapters) >= 7
    for nb in chapters:
        text = nb.read_text(encoding="utf-8")
        assert set(CAPS) <= set(parameters(nb)) and text.count('learn(\\"worlds\\"') == text.count("**caps)") >= 1, nb.name
    ended = execute(root/"nbs"/"worlds"/"household.ipynb", tmp_path/"report.ipynb", dict(max_calls=40, n_hostile=5, out=str(tmp_path)))
    [made] = [json.loads(path.read_text()) for path in tmp_path.glob("*/*/run.json")]
    assert made["status"] == "budget" and made["rows"] and "Raise max_calls and run again to go on" in ended["error"]
