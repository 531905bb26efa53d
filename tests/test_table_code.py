"The world of tables played by code: the same steps as by turns, rows behind a handle, and neither gold nor database within reach"
import json
import pytest
from house import no_lock
from rbkit.agents.interpreter import Interpreter
from rbkit.ground.ledger import Ledger, check_tool, tool
from rbkit.models.connect import connect
from rbkit.models.sim_sql import TRAPS, read_question
from rbkit.models.sim_tables import TablesAgent, as_code, as_turn, way_shown
from rbkit.reports.cli import main
from rbkit.trials.learners import NO_MEMORY, Learner
from rbkit.trials.learning import learn
from rbkit.worlds.graph import open_world
from rbkit.worlds.table_code import TABLE_BASE, TableWorld, run_table_code, table_functions, table_tools
from rbkit.worlds.tables import Tables
from rbkit.worlds.tool_code import code_context

@pytest.fixture(scope="module")
def world():
    with Tables() as env: yield env

def begun(world, id):
    world.reset(id)
    made = table_tools(world)
    return {f.__name__: tool(f) for f in table_functions(world, made)}, made.store

def by_code(world, task, told="", **chances):
    agent = connect("sim", 0, profile=TablesAgent(**{"p_error": 0.0, **chances}))
    return run_table_code(world, task, code_context(base=f"{TABLE_BASE}\n{told}"), agent, Ledger(), interpreter="trusted")

def steps_of(a): return [t for t in a.trace if t["kind"] == "step"]

def test_functions_keep_the_contract_and_a_result_is_a_handle(world):
    calls, store = begun(world, "tables-missing-1")
    r = check_tool(calls["sql"], statement="SELECT name, email, donor_id FROM donor ORDER BY donor_id")
    assert r["total"] > len(r["rows"]) > 3
    assert len(json.dumps(r)) <= 1000 and r["columns"] == ["name", "email", "donor_id"] and json.loads(store.get(r["key"]))["rows"][0][2] == r["rows"][0][2]
    page = check_tool(calls["sql_slice"], ref=r["key"], offset=5)
    assert page["rows"][0][2] == r["rows"][0][2]+5 and page["total"] == r["total"]
    assert "No payload" in calls["sql_slice"]("nothing")["error"]

def test_what_the_world_refuses_is_an_error_and_the_end_is_an_end(world):
    calls, _ = begun(world, "tables-missing-1")
    for wrong, why in (("DELETE FROM donor", "Not allowed"), ("SELECT x FROM donor", "no such column"), ("", "no statement")):
        assert why in calls["sql"](wrong)["error"] and "try" in calls["sql"]("nonsense")
    while not world.over: calls["sql"]("SELECT 1")
    assert "over" in calls["sql"]("SELECT 1")["error"] and "over" in calls["answer"]([[1]])["error"] and world.score == 0

@pytest.mark.parametrize("how", ["handle", "dict", "rows", "text"])
def test_an_answer_is_rows_or_a_handle_or_text(world, how):
    for id in ("tables-ties-1", "tables-missing-1"):
        calls, store = begun(world, id)
        r = calls["sql"](world.asked_of().gold)
        assert r["total"] == len(r["rows"])
        rows = dict(handle=r["key"], dict=r, rows=r["rows"], text=json.dumps(r["rows"]))[how]
        assert calls["answer"](rows) == dict(over=True) and world.score == 1 and not world.reason

def test_no_value_goes_to_code_and_back(world):
    calls, _ = begun(world, "tables-missing-1")
    r = calls["sql"]("SELECT NULL, '', x'00ff', 1.5")
    assert r["rows"] == [["NULL", "", "(blob of 2 bytes)", 1.5]]
    world.gold_rows = lambda: [(None, "NULL and void")]
    try: assert calls["answer"]([["NULL", "NULL and void"]])["over"] and world.score == 1
    finally: del world.gold_rows

def test_code_changes_the_copy_of_its_episode_alone(world):
    task = next(t for t in world.tasks() if world.asked_of(t).changes)
    calls, _ = begun(world, task.id)
    assert calls["sql"](world.asked_of().gold)["changed"] >= 1
    assert calls["answer"]([["done"]])["over"] and world.score == 1
    calls, _ = begun(world, task.id)
    assert calls["answer"]([["done"]])["over"] and world.score == 0 and "not as it should be" in world.reason

def test_every_row_of_a_long_result_is_there_for_code(world):
    world.reset("tables-missing-1")
    frame = Interpreter(profile="trusted")
    frame.tools = {f.__name__: tool(f) for f in table_functions(world)}
    said = frame.execute("r = sql('SELECT name, donor_id FROM donor ORDER BY donor_id LIMIT 150')\nprint(r)\nprint(len(r.all()), r.all()[149] == sql_slice(r, 149)['rows'][0])")
    frame.shutdown()
    assert "150 rows, columns ['name', 'donor_id']" in said and "150 True" in said

@pytest.mark.skipif(bool(no_lock()), reason=no_lock() or "locked")
def test_code_reaches_neither_the_right_statement_nor_the_database(world):
    world.reset("tables-missing-1")
    frame = Interpreter(profile="locked")
    frame.tools = {f.__name__: tool(f) for f in table_functions(world)}
    assert "[]" in str(frame.execute("import sys\nprint([m for m in sys.modules if m.startswith('rbkit')])"))
    for code in ("from rbkit.worlds.tables import Tables", f"print(open({__file__!r}).read())", "print(answer.__closure__[0].cell_contents.gold_rows())"):
        said = str(frame.execute(code))
        assert "rror" in said and "SELECT COUNT" not in said
    frame.shutdown()

@pytest.mark.slow
def test_the_stand_in_is_right_when_told_and_wrong_when_misled_as_by_turns(world):
    right, short = ("\n".join(f"For questions about {trap.about}, take: {getattr(trap, way)}." for trap in TRAPS) for way in ("right", "short"))
    for t in world.tasks()[::3]:
        assert by_code(world, t, right, p_discover=0.0).outcome == by_code(world, t, p_discover=1.0).outcome == "success", t.id
        assert by_code(world, t, short, p_discover=1.0).outcome == "wrong", t.id

def test_both_agents_run_the_same_statements(world):
    for id in ("tables-missing-1", "tables-ties-1", "tables-removed-4"):
        task, agent = world.named(id), TablesAgent(p_discover=1.0, p_error=0.0)
        a = by_code(world, task, p_discover=1.0)
        history, done, turns = world.reset(task), False, []
        while not done:
            action = agent.act("", task.question, history, 0).action
            seen, _, done, _ = world.step(action)
            history += f"\n> {action}\n{seen}"
            turns.append(action)
        assert [as_turn(s["code"]) for s in steps_of(a)][:-2] == turns[:-1] and a.outcome == "success", id

def test_an_attempt_that_never_answers_says_so_and_what_it_did_can_be_learned_from(world):
    task = world.named("tables-missing-1")
    a = by_code(world, task, p_error=1.0, p_discover=0.0)
    assert a.outcome in ("not_converged", "wrong") and world.reason == "no answer was given" and a.outputs["invalid"] > 3
    asked = read_question(task.question)
    for way in ("right", "short"):
        code = as_code(f"sql: {asked.statement(way)};")
        assert as_turn(code) == f"sql: {asked.statement(way)};" and way_shown(task.question, f"> {code}\n[1]") == (asked, way)

def test_a_trial_opens_it_by_name_and_agents_have_rows_of_their_own():
    by_turns, code = (open_world("tables", options=options) for options in ({}, dict(agent="code")))
    task = by_turns.named("tables-missing-1")
    assert isinstance(code, TableWorld) and (by_turns.agent, code.agent) == ("turns", "code") and by_turns.stamp(task) != code.stamp(task)
    assert {TableWorld, Tables, TablesAgent} <= set(code.roots())
    told = code.builder(NO_MEMORY, "full")(task)
    assert "sql(statement)" in told.text and "answer: ROWS" not in told.text and "answer: ROWS" in by_turns.builder(NO_MEMORY, "full")(task).text
    with pytest.raises(ValueError, match="use one of turns, code"): open_world("tables", options=dict(agent="robot"))

@pytest.mark.parametrize("agent", ["turns", pytest.param("code", marks=pytest.mark.slow)])
def test_what_is_learned_of_a_trap_answers_other_questions(agent):
    arms = [NO_MEMORY, Learner("bank", learn="lessons", judge="oracle", ops=("duplicate",), k=2)]
    trial = learn("worlds", arms, None, world="tables", options=dict(agent=agent), n_tasks=10, n_held_out=10, n_streams=2, lm="sim", sim_p_discover=.25)
    asked = trial.phase("held out")
    right = {arm: sum(r["correct"] for r in asked if r["arm"] == arm) for arm in ("no memory", "bank")}
    assert len(asked) == 2*2*10 and right["bank"] > right["no memory"]+4
    assert all(r["outcome"] in ("success", "wrong", "not_converged") for r in trial.rows)

@pytest.mark.slow
def test_e9_is_played_by_code_from_the_command_line(tmp_path):
    typed = ["run", "E9", "--world=tables", "--memory=none,bank", "--n-tasks=2", "--n-streams=2", "--options=agent=code", "--out", str(tmp_path)]
    assert main(typed) == 0
    rows = [json.loads(line) for p in tmp_path.rglob("rows.jsonl") for line in p.read_text(encoding="utf-8").splitlines()]
    assert rows and all("sql" in r["tools"] for r in rows if r["correct"])
