"The world of tools: calls are read and never evaluated, the package's checker decides, and code reaches neither it nor the solution"
import json, re, subprocess, sys
from dataclasses import replace
import pytest
from rbkit.agents.evidence import Step
from rbkit.agents.turns import Actor
from rbkit.agents.interpreter import Interpreter
from house import no_lock
from rbkit.ground.ledger import check_tool, tool
from rbkit.models.connect import connect
from rbkit.models.prompts import prompt
from rbkit.models.sim_requests import HABITS, said_in
from rbkit.models.sim_tools import CALLS, CALLS_NOT, ToolsAgent, conversation_lessons, next_call, talk_of, way_of
from rbkit.models.sim_episodes import EpisodeStep, parse_advice
from rbkit.policies.extraction import extract
from rbkit.policies.judging import Judgment
from rbkit.trials.episodes import one_rollout
from rbkit.trials.learners import NO_MEMORY, Learner
from rbkit.trials.learning import learn
from rbkit.worlds.bfcl import VARIANTS, bfcl_gold, bfcl_lack, bfcl_tasks, bfcl_tools, check_turns, parse_call, without_last_call
from rbkit.worlds.graph import open_world
from rbkit.worlds.interface import check_env, gold, play, survives
from rbkit.worlds.tool_code import code_context, conversation_tools, run_tool_code, tool_functions
from rbkit.worlds.tools import HOSTILE_CALLS, ToolTasks, opening_of
from random import Random

needed = pytest.mark.skipif(bool(bfcl_lack()), reason=f"the world 'tools' needs {bfcl_lack()}")

@needed
@pytest.mark.parametrize("variant", [v if v == "base" else pytest.param(v, marks=pytest.mark.slow) for v in VARIANTS])
def test_every_solution_passes_and_none_without_its_last_call(variant):
    tasks = bfcl_tasks(variant)
    assert len(tasks) == 200
    assert sum(check_turns(t, bfcl_gold(t)).right for t in tasks) == 200
    assert sum(check_turns(t, without_last_call(bfcl_gold(t))).right for t in tasks) == 0

@needed
@pytest.mark.slow
def test_played_in_the_world_all_but_three_solutions_succeed():
    with ToolTasks(tuple(VARIANTS)) as world:
        lost = [t.id for t in world.tasks() if not play(world, t, gold(world) if not world.reset(t) else gold(world))[1]["success"]]
    assert lost == ["multi_turn_long_context_8", "multi_turn_long_context_18", "multi_turn_miss_func_49"]

@needed
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_sample_of_solutions_passes_and_changed_ones_do_not(variant):
    for t in bfcl_tasks(variant)[7::50]:
        calls = bfcl_gold(t)
        assert check_turns(t, calls) == (True, "")
        assert not check_turns(t, without_last_call(calls)).right
        for n in range(1, len(calls)): assert check_turns(t, calls[:n]).right, "each turn is right by itself"

@needed
def test_one_changed_argument_is_found_in_the_turn_where_it_was_made():
    with ToolTasks() as world:
        world.reset("multi_turn_base_1")
        actions = [a.replace("'log.txt', destination='archive'", "'log.txt', destination='other'") for a in gold(world)]
        assert actions != gold(world)
        _, info = play(world, "multi_turn_base_1", actions)
    assert info["score"] == .25 and info["reason"] == "request 2 of 4: multi_turn:instance_state_mismatch" and not info["success"]

@needed
def test_nothing_is_evaluated_and_no_number_is_too_large(tmp_path):
    tools, marker = bfcl_tools(), tmp_path/"was here"
    for said in (f"__import__('pathlib').Path({str(marker)!r}).touch()", f"ls(a=open({str(marker)!r}, 'w'))", "power(10, 1000000000)", "power(1e300*1e300, 2)",
        "multiply('x', 2)", "round_number(5, -1000000000000)", "square_root(2, 100000)", "ls(**{})", "ls(*[])", "cd()", "nothing()", "cat(file_name=f'{1}')", "("*5000):
        with pytest.raises(ValueError): parse_call(said, tools)
    assert not marker.exists()
    assert parse_call("cd('a')", tools).text == "cd(folder='a')"

@needed
@pytest.mark.parametrize("id", ["multi_turn_base_15", "multi_turn_base_75", "multi_turn_base_120", "multi_turn_base_170"])
def test_hostile_calls_break_no_environment(id):
    with ToolTasks() as world:
        for start in (0, 11):
            seen, info = play(world, id, [*HOSTILE_CALLS[start:], *HOSTILE_CALLS[:start]])
            assert "broken" not in info and len(seen) > 20

@needed
def test_the_contract_holds_and_splits_are_by_number_or_by_environment():
    assert check_env(ToolTasks, ToolTasks().tasks()[::90], 60)["solved"] == 3
    both = ToolTasks("base,miss_func")
    sides = {}
    for t in both.tasks(): sides.setdefault(int(t.id.rsplit("_", 1)[1]), set()).add(t.split)
    assert len(sides) == 200 and all(len(found) == 1 for found in sides.values()), "no request is learned in one variant and held out in another"
    assert {t.level for t in both.tasks()} == {1, 4}
    cars = ToolTasks(held_out="vehicle")
    assert {t.kind for t in cars.tasks("held_out")} == {"vehicle"} and {t.kind for t in cars.tasks("train")} == {"files", "trading", "travel"}
    for wrong in (dict(variants="hard"), dict(environments="kitchen"), dict(requests=0), dict(variants="")):
        with pytest.raises(ValueError): ToolTasks(**wrong)

@needed
def test_a_tool_that_is_missing_comes_with_the_user():
    with ToolTasks("miss_func") as world:
        world.reset("multi_turn_miss_func_1")
        assert "mv" not in world.tools_now()
        assert world.step("mv(source='a', destination='b')")[3]["invalid"]
        for action in ("reply(text='a')", "reply(text='b')"): seen, *_ = world.step(action)
        assert "New tools: mv(source, destination)" in seen and "mv" in world.tools_now()

@needed
def test_sessions_leave_nothing_and_do_not_meet():
    from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_utils as hands
    one, other = ToolTasks(), ToolTasks()
    for world in (one, other): world.reset("multi_turn_base_1")
    one.step("cd('workspace')")
    assert '"/alex"' in other.step("pwd()")[0] and '"/alex/workspace"' in one.step("pwd()")[0]
    one.close(), other.close()
    assert not [name for name in vars(hands) if name.startswith("rbkit")]

@needed
def test_tools_in_a_repl_keep_the_contract_and_long_results_are_handles():
    with ToolTasks("long_context") as world:
        world.reset("multi_turn_long_context_1")
        made = conversation_tools(world)
        calls = {f.__name__: tool(f) for f in tool_functions(world, made)}
        calls["cd"]("workspace")
        check_tool(calls["grep"], file_name="log.txt", pattern="Final line.")
        calls["cd"]("archive")
        kept = calls["ls"]()
        assert kept["key"] == "text_0" and kept["sz"] == len(made.store.get("text_0")) > 1000
        assert "error" in calls["cd"]("nowhere") and "try" in calls["cd"]()
        assert "error" not in calls["ctx_find"]("text_0", "txt")
        while not world.over: calls["pwd"]()
        assert "over" in calls["pwd"]()["error"]

@needed
@pytest.mark.skipif(bool(no_lock()), reason=no_lock() or "locked")
def test_code_reaches_neither_the_solution_nor_the_environments():
    with ToolTasks() as world:
        world.reset("multi_turn_base_1")
        frame = Interpreter(profile="locked")
        frame.tools = {f.__name__: tool(f) for f in tool_functions(world)}
        found = str(frame.execute("import sys\nprint([m for m in sys.modules if 'bfcl' in m or m.startswith('rbkit')])"))
        assert "[]" in found
        for code in ("import bfcl_eval", "from rbkit.worlds.bfcl import bfcl_tasks; print(bfcl_tasks())", f"print(open({__file__!r}).read())"):
            try: said = str(frame.execute(code))
            except Exception as e: said = f"error {e}"
            assert "rror" in said and "ground_truth" not in said
        frame.shutdown()

@needed
@pytest.mark.parametrize("agent", ["turns", pytest.param("code", marks=pytest.mark.slow)])
def test_what_is_learned_of_cars_starts_other_cars(agent):
    arms = [NO_MEMORY, Learner("bank", learn="lessons", judge="oracle", ops=("duplicate",), k=2)]
    options = dict(environments="vehicle", requests=1, agent=agent)
    trial = learn("worlds", arms, None, world="tools", options=options, n_tasks=16, n_held_out=12, n_streams=2, lm="sim", sim_p_discover=.5)
    asked = trial.phase("held out")
    right = {arm: sum(r["correct"] for r in asked if r["arm"] == arm) for arm in ("no memory", "bank")}
    assert len(asked) == 2*2*12 and right["bank"] > right["no memory"] and any(r["stored"] for r in trial.rows if r["arm"] == "bank")
    assert all(r["outcome"] in ("success", "wrong", "not_converged") for r in trial.rows)

@needed
def test_both_agents_make_the_same_calls():
    with ToolTasks(environments="files", requests=2) as world:
        task = world.named("multi_turn_base_12")
        agent = connect("sim", 0, profile=ToolsAgent(p_discover=1.0, p_error=0.0))
        a = run_tool_code(world, task, code_context(), agent, interpreter="trusted")
        by_code = list(world.said)
        history, done = world.reset(task), False
        while not done:
            action = ToolsAgent(p_discover=1.0, p_error=0.0).act("", task.question, history, 0).action
            seen, _, done, _ = world.step(action)
            history += f"\n> {action}\n{seen}"
        assert by_code == world.said and len(by_code) == 2 and a.outcome == "success"

def test_a_request_offers_its_arguments():
    said = said_in("Copy 'a b.txt' and notes.txt to 'old', book LAX to JFK on December 5th, 2026 in first class for 1,500 from San Francisco")
    assert "notes.txt" in said.file and "old" in said.quoted and said.symbol == ("LAX", "JFK") and said.day == ("2026-12-05",)
    assert "1500" in said.number and "San Francisco" in said.place and said.cabin == ("first",)

def test_advice_changes_the_way_and_a_warning_does_too():
    talk = talk_of([EpisodeStep("", "User: Start the engine of my car.\nTools: lockDoors; pressBrakePedal; startEngine.")])
    assert next_call(talk, "", 0).startswith("startEngine")
    for told in ("For requests about engines to start, call: lockDoors and pressBrakePedal and startEngine.", "For requests about engines to start, do not only call: startEngine."):
        assert next_call(talk, told, 0).startswith("lockDoors")

def test_what_attempts_teach_is_about_calls_and_names_nothing_of_the_request():
    shown = "User: Start the engine of Bob's car.\n> startEngine(ignitionMode='START')\n{}"
    items = conversation_lessons(dict(goal="x", episodes=f"Attempt 1: failure\n{shown}"), Random(0))
    assert len(items) == 1 and "do not only call: startEngine" in items[0]["content"] and "Bob" not in str(items)
    truth = "lockDoors(unlock=False, door=['passenger', 'driver', 'rear_left', 'rear_right'])\npressBrakePedal(pedalPosition=1.0)\nstartEngine(ignitionMode='START')\nreply(text='Done.')"
    told = conversation_lessons(dict(goal="Start the engine of my car.", episodes="", ground_truth=truth), Random(0))
    assert "lockDoors and pressBrakePedal" in told[0]["content"]

# What an episode teaches

REQUESTS = { # habit with two ways -> a request that calls for it, and for no other such habit
    "hidden files": "Show me the hidden things here.",
    "words to count": "How many words has 'notes.txt'?",
    "characters to count": "How many characters has 'notes.txt'?",
    "last lines to show": "I need the last line of 'notes.txt'.",
    "copies with another name": "Please copy 'notes.txt' to 'old' and name it 'kept.txt'.",
    "engines to start": "Please start the engine of Bob's car.",
    "distances between cities": "What is the distance from Rivermist to Stonebrook?",
    "fuel in liters": "Please add 38 liters to the tank.",
    "orders at the price of the day": "Please buy 100 shares of XTC.",
    "posts": "Please post 'The herons are back' for me."}
TWO_WAYS = [habit for habit in HABITS if habit.short != habit.right]
ABOUT = pytest.mark.parametrize("habit", TWO_WAYS, ids=lambda habit: habit.about)

def calls_of(way): return [re.sub(r"\{.*?\}", "'x'", call) for call in way.calls]

def served(habit, calls, form="{}"):
    "A request and what was called for it, as an episode shows it"
    return "\n".join([f"User: {REQUESTS[habit.about]}\nTools: ls(a); wc(file_name, mode); startEngine(ignitionMode).", *(f"> {form.format(call)}\n{{}}" for call in calls)])

def replied(goal, *tries, truth="", seed=0, who=ToolsAgent(p_reword=0)):
    "Contents of the items that attempts (verdict, episode) yield, through the prompts that a run uses"
    intent = f"embodied-{tries[0][0]}" if len(tries) == 1 else "embodied-contrast"
    episodes = "\n".join(f"Attempt {i}: {verdict}\n{goal}\n{text}" for i, (verdict, text) in enumerate(tries, 1))
    shown = dict(goal=goal, episodes=episodes) | (dict(ground_truth=truth) if truth else {})
    return [x["content"] for x in json.loads(who.respond(*prompt(intent).render(**shown), seed))["items"]]

def taught(habit, verdict, calls, **how): return replied(REQUESTS[habit.about], (verdict, served(habit, calls, **how)))

def way_told(habit, lessons, **chances): return way_of(habit, "\n".join(lessons), Random(0), **chances)

def stranger(habit):
    "Another habit, none of whose tools serves this one"
    def tools(h): return {call.partition("(")[0] for call in h.right.calls}
    return next(h for h in TWO_WAYS if not tools(h) & tools(habit))

def scrambled(text):
    "The same letters in each word, in another order"
    return re.sub(r"(\w)(\w+)", r"\2\1", text)

def test_every_habit_with_two_ways_is_asked_for_by_one_request():
    assert {*REQUESTS} == {habit.about for habit in TWO_WAYS}
    for about, request in REQUESTS.items(): assert [h.about for h in TWO_WAYS if re.search(h.cue, request, re.S)] == [about]

@ABOUT
def test_a_lesson_is_drawn_from_the_calls_that_an_episode_shows(habit):
    [praised], [blamed] = taught(habit, "success", calls_of(habit.right)), taught(habit, "failure", calls_of(habit.short))
    assert parse_advice(CALLS, praised) == {habit.about: [habit.right.words.lower()]} and parse_advice(CALLS_NOT, praised) == {}
    assert parse_advice(CALLS_NOT, blamed) == {habit.about: [habit.short.words.lower()]} and parse_advice(CALLS, blamed) == {}
    assert way_told(habit, [praised]) == way_told(habit, [blamed]) == habit.right and way_told(habit, []) == habit.short
    assert not re.search(r"notes|old|Bob|Rivermist|38|XTC|heron|'", praised+blamed), "nothing of the request is in it"
    for verdict, way in (("success", habit.right), ("failure", habit.short)):
        assert taught(habit, verdict, calls_of(way), form="r = {}; print(r)") == taught(habit, verdict, calls_of(way)), "in a REPL as by turns"
    assert replied(REQUESTS[habit.about], ("failure", "banana"), truth="\n".join([*calls_of(habit.right), "reply(text='Done.')", "ls()"])) == [praised]

@ABOUT
def test_a_wrong_verdict_teaches_nothing_right(habit):
    for verdict, way in (("success", habit.short), ("failure", habit.right)):
        lessons = taught(habit, verdict, calls_of(way))
        told = parse_advice(CALLS, "\n".join(lessons)).get(habit.about, [])
        assert way_told(habit, lessons) == habit.short and habit.right.words.lower() not in told
    both = [("success", served(habit, calls_of(habit.short))), ("failure", served(habit, calls_of(habit.right)))]
    assert way_told(habit, replied(REQUESTS[habit.about], *both)) == habit.short

@ABOUT
@pytest.mark.parametrize("verdict", ["success", "failure"])
def test_a_scrambled_episode_teaches_nothing(habit, verdict):
    goal, known = REQUESTS[habit.about], [*calls_of(habit.short), *calls_of(habit.right)]
    named = [re.sub(r"^\w+", "banana", call) for call in known]
    for shown in ("banana", "", "> banana\nError: there is no tool.", served(habit, ()), served(habit, named), served(habit, map(scrambled, known)), scrambled(served(habit, known)),
        served(habit, known).partition("\n")[2], served(habit, [f"reply(text={call!r})" for call in known]), served(habit, calls_of(stranger(habit).right))):
        for seed in range(3): assert replied(goal, (verdict, shown), seed=seed, who=ToolsAgent()) == [], shown

@ABOUT
def test_another_episode_teaches_another_lesson(habit):
    goal, other = REQUESTS[habit.about], stranger(habit)
    praised, blamed = taught(habit, "success", calls_of(habit.right)), taught(habit, "failure", calls_of(habit.short))
    assert praised != taught(habit, "success", calls_of(habit.short)) and blamed != taught(habit, "failure", calls_of(habit.right)), "the same request, other calls"
    assert not {*praised} & {*blamed} and len(praised) == len(blamed) == 1
    def talk(first, then): return "\n> reply(text='Done.')\n".join([served(habit, calls_of(first)), served(other, calls_of(then))])
    assert replied(goal, ("success", talk(habit.right, other.right))) == [*praised, *taught(other, "success", calls_of(other.right))], "of each request what was called for it"
    assert replied(goal, ("success", talk(other.right, habit.right))) == [], "calls behind another request serve nothing"

@ABOUT
def test_a_wrong_way_that_was_called_right_is_taught_and_followed(habit):
    lessons = taught(habit, "success", calls_of(habit.short))
    assert parse_advice(CALLS, "\n".join(lessons)) == {habit.about: [habit.short.words.lower()]} and way_told(habit, lessons, p_discover=1) == habit.short

@pytest.mark.parametrize("about, calls", [("words to count", ["wc(file_name='notes.txt', mode='l')"]), ("hidden files", ["ls(a=False)"]),
    ("engines to start", ["lockDoors(unlock=True, door=[])", "pressBrakePedal(pedalPosition=0.0)", "startEngine(ignitionMode='STOP')"])])
def test_another_value_of_an_argument_is_not_taken_for_the_right_way(about, calls):
    [habit] = (h for h in TWO_WAYS if h.about == about)
    assert way_told(habit, taught(habit, "success", calls)) == habit.short

@needed
def test_lessons_of_a_played_conversation_are_those_of_its_calls():
    habit = next(h for h in TWO_WAYS if h.about == "engines to start")
    def drawn(ev, success):
        made = extract([(ev, Judgment(success))], connect("sim", profile=ToolsAgent(p_reword=0)), family=ev.kind)
        return [x.content for x in made.items if habit.about in x.content]
    with ToolTasks(environments="vehicle", requests=1) as world:
        task = next(t for t in world.tasks() if re.search(habit.cue, t.question) and not re.search(r"liter|distance", t.question))
        right, short = (one_rollout(Actor(profile=ToolsAgent(p_discover=p, p_error=0)), world, task).evidence for p in (1, 0))
    assert way_told(habit, drawn(right, True)) == way_told(habit, drawn(short, False)) == habit.right
    assert way_told(habit, drawn(short, True)) == way_told(habit, drawn(right, False)) == habit.short, "a wrong verdict teaches nothing right"
    for change in (scrambled, lambda action: "banana"):
        changed = replace(right, steps=tuple(Step(change(s.action) if s.action else "", s.observation, s.reasoning) for s in right.steps))
        assert drawn(changed, True) == drawn(changed, False) == []

def test_importing_the_kit_and_naming_the_world_read_nothing_of_the_package():
    code = "import sys, rbkit, rbkit.worlds.interface as i; i.env_class('tools'); print([m for m in sys.modules if m.startswith(('bfcl', 'mpmath', 'dspy'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
