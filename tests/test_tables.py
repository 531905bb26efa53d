"seeds/tables and its world: one right answer a question, a naive statement that is wrong, a copy that nobody escapes from, and a stand-in that reads what it is shown"
import json, re, sqlite3
from collections import Counter, defaultdict
from random import Random
import pytest
from house import root
from tables import made, written
from rbkit.agents.turns import Actor
from rbkit.models.prompts import prompt
from rbkit.models.sim_episodes import EpisodeStep
from rbkit.models.sim_sql import QUESTIONS, TRAPS, knows_columns, read_question, way_gone
from rbkit.models.sim_tables import TablesAgent, table_lessons, table_move, told_way
from rbkit.reports.cli import main
from rbkit.trials.episodes import one_rollout
from rbkit.trials.learners import NO_MEMORY, Learner, PlantedErrors
from rbkit.trials.learning import learn
from rbkit.trials.learning import named_options
from rbkit.worlds.database import HOSTILE_SQL, SqlError, SqlSession, load_database
from rbkit.worlds.interface import RECORDED, check_env, gold, play, worlds
from rbkit.worlds.museum import museum_rows, write_museum
from rbkit.worlds.table_answers import check_rows, said_rows
from rbkit.worlds.tables import Tables
from rbkit.worlds.world import Episodes

SEEDS = root/"seeds/tables"
NAIVE = {m.task["id"]: m.naive for m in made()}

@pytest.fixture(scope="module")
def base(): return load_database(SEEDS)

@pytest.fixture(scope="module")
def world():
    with Tables() as env: yield env

# The data

def test_tables_and_questions_are_those_of_their_sources(tmp_path):
    for path in write_museum(tmp_path): assert path.read_text(encoding="utf-8") == (SEEDS/path.name).read_text(encoding="utf-8"), f"{path.name}: write it again"
    assert (SEEDS/"questions.jsonl").read_text(encoding="utf-8") == written(), "python tests/tables.py > seeds/tables/questions.jsonl"
    assert sum(path.stat().st_size for path in SEEDS.iterdir()) < 400_000
    assert museum_rows(1) != museum_rows(), "another seed is another museum"

def test_families_and_splits_are_balanced(world):
    by = Counter((t.kind, t.split) for t in world.tasks())
    assert len(by) == 20 and all(n == (4 if split == "train" else 2) for (_, split), n in by.items())
    assert sum(world.asked_of(t).changes for t in world.tasks()) == 15

def test_each_gold_passes_and_a_changed_one_and_the_naive_statement_fail(world):
    for t in world.tasks():
        world.reset(t)
        [sql, answer] = gold(world)
        assert play(world, t, [sql, answer])[1]["success"], t.id
        wrong = [answer.replace("[[", "[[0, ")] if not world.asked_of(t).changes else [answer]
        assert not play(world, t, wrong)[1]["success"], t.id
        world.reset(t)
        seen, _, _, info = world.step(f"sql: {NAIVE[t.id]}")
        rows = [line for line in seen.splitlines() if line.startswith("[")]
        assert not info["invalid"] and not world.step(f"answer: [{', '.join(rows) or '[0]'}]")[3]["success"], t.id

def test_gold_answers_have_one_form(world):
    "As many columns as the question asks for, no empty cell, few rows"
    for t in world.tasks():
        world.reset(t)
        if world.asked_of(t).changes: continue
        rows, asked = world.gold_rows(), t.question.split("Return ")[1]
        assert 1 <= len(rows) <= 6 and {len(row) for row in rows} == {1+(" and the " in asked)}, (t.id, rows)
        assert all(cell not in (None, "") for row in rows for cell in row), (t.id, rows)

def test_every_name_in_a_question_is_in_the_tables(base, world):
    words = {str(cell) for rows in museum_rows().values() for row in rows for cell in row}
    for t in world.tasks():
        for name in re.findall(r"'([^']+)'", t.question): assert name in words or "@" in name or any(name in word for word in words), (t.id, name)

def test_definitions_do_not_tell_the_traps():
    assert not re.search(r"--|cents|prolonged|cancel|empty|both", (SEEDS/"schema.sql").read_text(encoding="utf-8"))

# Safety

@pytest.mark.parametrize("writes", [False, True])
def test_hostile_statements_are_refused_with_what_is_allowed(base, writes):
    with SqlSession(base, writes, steps=2_000_000) as session:
        before = session.digests()
        for sql in HOSTILE_SQL:
            with pytest.raises(SqlError) as e: session.run(sql)
            said = str(e.value)
            assert 20 < len(said) < 400 and re.search(r"[Aa]llowed|Ask |alone", said) and "\n" not in said, (sql, said)
        assert session.digests() == before and session.run("SELECT COUNT(*) FROM loan").rows == [(460,)]
    assert len(HOSTILE_SQL) > 15

def test_reading_writes_no_file_and_changing_needs_leave(base, tmp_path):
    place = tmp_path/"other.db"
    for writes in (False, True):
        with SqlSession(base, writes) as session:
            for sql in (f"ATTACH '{place}' AS o", f"VACUUM INTO '{place}'", f"ATTACH DATABASE 'file:{place}?mode=rwc' AS o"):
                with pytest.raises(SqlError, match="Not allowed"): session.run(sql)
    assert not place.exists()
    with SqlSession(base) as session:
        for sql in ("DELETE FROM loan", "INSERT INTO remark VALUES (1, 2)", "UPDATE loan SET status = 'R'", "WITH x AS (SELECT 1) DELETE FROM loan", "REPLACE INTO loan (loan_id) VALUES (1)"):
            with pytest.raises(SqlError, match="changes nothing"): session.run(sql)

def test_a_statement_is_stopped_by_work_by_the_clock_and_by_the_size_of_the_copy(base):
    for how, said in ((dict(steps=100_000), "steps of work"), (dict(secs=0.0), "seconds")):
        with SqlSession(base, **how) as session, pytest.raises(SqlError, match=said): session.run("SELECT COUNT(*) FROM object a, object b, object c")
    with SqlSession(base, writes=True) as session:
        before = session.digests()
        with pytest.raises(SqlError, match="may not grow"): session.run("INSERT INTO remark WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x, x FROM c")
        assert session.digests() == before
        assert session.run("UPDATE loan SET status = 'R'").changed == 460 and session.digests() != before
    with SqlSession(base) as session: assert session.digests() == before, "the next attempt has a copy of its own"

def test_what_is_shown_is_bounded_and_says_what_was_cut(world):
    world.reset("tables-missing-1")
    for sql in ("SELECT * FROM object", "SELECT title||title||title||title||title||title||title||title FROM object", "SELECT 'x' FROM valuation", f"SELECT {', '.join(['number']*60)} FROM object"):
        seen = world.step(f"sql: {sql}")[0]
        assert len(seen) <= 1500 and "left out" in seen and "Rows: 200 or more" in seen
    seen = world.step("sql: SELECT NULL, '', 'a ', 1.5, x'00ff' AS b")[0]
    assert '[null, "", "a ", 1.5, "(blob of 2 bytes)"]' in seen

def test_the_last_quote_of_a_statement_reaches_the_database(world):
    from rbkit.agents.turns import _one
    world.reset("tables-missing-1")
    for written in ("sql: SELECT COUNT(*) FROM donor WHERE country = 'Norway'", "`sql: SELECT COUNT(*) FROM donor WHERE country = 'Norway'`"): assert "Rows: 1." in world.step(_one(written))[0]
    assert "Error" in world.step("sql: SELECT COUNT(*) FROM donor WHERE country = 'Norway")[0], "nothing is guessed"

def test_the_contract_holds(world): assert check_env(Tables, world.tasks()[::12], 60)["solved"] == 5

# Answers

@pytest.mark.parametrize("said, right", [("[[1.0, \"a\"]]", True), ("1.0 | a", True), ("[[1.005, \"a\"]]", False), ("[1, \"a\"]", True), ("[[\"a\", 1]]", False), ("[[1, \"A\"]]", False), ("[[1, \"a\"], [1, \"a\"]]", False), ("", False), ("{}", False), ("[[[1]]]", False)])
def test_an_answer_is_right_or_wrong(said, right): assert check_rows([(1, "a")], said_rows(said)).correct == right

def test_nothing_that_is_seen_tells_the_verdict(world):
    for t in world.tasks()[::7]:
        world.reset(t)
        *_, last = gold(world)
        seen = [play(world, t, [action])[0][-1] for action in (last, "answer: [[-1]]")]
        assert seen == [RECORDED, RECORDED]

# A database of one's own

def shop(folder, **more):
    folder.mkdir(exist_ok=True)
    with sqlite3.connect(folder/"shop.db") as made_:
        made_.executescript("DROP TABLE IF EXISTS sale; CREATE TABLE sale (day TEXT, cents INTEGER); INSERT INTO sale VALUES ('2024-01-02', 250), ('2024-01-03', 400)")
    made_.close()
    lines = [dict(id=f"s{n}", question=f"How many sales were above {n} cents? Return the number.", gold=f"SELECT COUNT(*) FROM sale WHERE cents > {n}", split="train" if n < 300 else "held_out", **more) for n in (100, 200, 300, 350)]
    (folder/"questions.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return folder

def test_a_file_of_ones_own_is_a_world_and_stays_as_it_is(tmp_path):
    folder = shop(tmp_path/"mine")
    before = (folder/"shop.db").read_bytes()
    assert check_env(lambda: Tables(str(folder)), n_hostile=40)["solved"] == 3
    one = Tables(str(folder)).tasks()[0]
    with sqlite3.connect(folder/"shop.db") as other: other.execute("UPDATE sale SET cents = 1")
    other.close()
    assert (folder/"shop.db").read_bytes() != before and Tables(str(folder)).tasks()[0].hash != one.hash, "other data, another row"
    assert sorted(p.name for p in folder.iterdir()) == ["questions.jsonl", "shop.db"]

@pytest.mark.parametrize("spoil, said", [
    (lambda f: (f/"shop.db").unlink(), "no database"), (lambda f: (f/"shop.db").write_text("no database at all, and long enough to be read as one "*9), "cannot be read as a database"),
    (lambda f: (f/"questions.jsonl").write_text(""), "there are no tasks"), (lambda f: (f/"questions.jsonl").write_text('{"id": 1, "question": "?"}'), "line 1: no gold"),
    (lambda f: shop(f, answer=1), "line 1: answer"), (lambda f: (f/"other.db").write_text(""), "other.db, shop.db")])
def test_what_cannot_be_read_is_named(tmp_path, spoil, said):
    folder = shop(tmp_path/"mine")
    spoil(folder)
    with pytest.raises(ValueError, match=said): Tables(str(folder)).tasks()

def test_options_are_named_in_a_text():
    assert named_options("source=a b,max_steps=4") == dict(source="a b", max_steps=4) and named_options('{"a": "1,2"}') == dict(a="1,2") and named_options(None) == {}
    for wrong in ("source", "a=1,b", "{a"):
        with pytest.raises(ValueError, match="name=value"): named_options(wrong)

@pytest.mark.slow
def test_options_come_from_the_command_line(tmp_path, capsys):
    folder = shop(tmp_path/"mine")
    typed = ["table", "--world=tables", "--arms=none,bank", "--n-tasks=2", "--n-streams=2", f"--options=source={folder},max_steps=3", "--out", str(tmp_path/"out")]
    assert main(typed) == 0
    rows = [json.loads(line) for p in (tmp_path/"out").rglob("rows.jsonl") for line in p.read_text(encoding="utf-8").splitlines()]
    assert {r["task"] for r in rows} == {"s100", "s200"} and len(rows) == 8
    capsys.readouterr()
    assert main(["run", "E9", "--world=tables", "--options=sorce=x", "--out", str(tmp_path/"out")]) == 1
    assert "has no such option" in capsys.readouterr().err

@pytest.mark.slow
def test_e9_runs_over_a_file_of_ones_own(tmp_path):
    typed = ["run", "E9", "--world=tables", "--memory=none,bank", "--n-tasks=2", "--n-streams=2", f"--options=source={shop(tmp_path/'mine')}", "--out", str(tmp_path/"out")]
    assert main(typed) == 0 and list((tmp_path/"out").rglob("rows.jsonl"))

# The stand-in

RIGHT, SHORT = ("\n".join(f"For questions about {trap.about}, take: {getattr(trap, way)}." for trap in TRAPS) for way in ("right", "short"))

def answered(world, task, system="", seed=0, **chances):
    agent = TablesAgent(**{"p_error": 0, **chances})
    history, done = world.reset(task), False
    while not done:
        action = agent.act(system, task.question, history, seed).action
        seen, _, done, info = world.step(action)
        history += f"\n> {action}\n{seen[:1500]}"
    return info["success"]

def test_the_stand_in_is_right_when_told_or_when_it_looks_and_wrong_when_misled(world):
    for t in world.tasks():
        assert answered(world, t, RIGHT, p_discover=0) and answered(world, t, p_discover=1), t.id
        assert not answered(world, t, SHORT, p_discover=1), t.id

def test_it_is_told_nothing_by_scrambled_letters_and_knows_no_column_that_it_was_not_shown(world):
    for t in world.tasks()[::4]:
        asked = read_question(t.question)
        lesson = next(line for line in RIGHT.splitlines() if asked.trap.about in line)
        scrambled = " ".join("".join(Random(1).sample(word, len(word))) for word in lesson.split())
        assert told_way(asked, lesson) == "right" and told_way(asked, scrambled) == told_way(asked, "") == ""
        opening = world.reset(t)
        move = table_move(t.question, [EpisodeStep("", opening)], lesson, 0)
        assert move.action.startswith("sql: ") and way_gone(asked, move.action) == "right"
        for need in asked.kind.needs.split():
            hidden = re.sub(rf"\b{need.partition('.')[2]}\b", "other", opening)
            assert not knows_columns(asked, hidden) and table_move(t.question, [EpisodeStep("", hidden)], lesson, 0).action == "answer: unknown"

def test_each_question_has_one_wording(world):
    for t in world.tasks(): assert sum(bool(re.search(kind.cue, t.question)) for kind in QUESTIONS) == 1, t.id

def test_told_nothing_it_is_right_about_half_of_the_time(world):
    by = defaultdict(list)
    for seed in range(3):
        for t in world.tasks(): by[t.kind].append(answered(world, t, seed=seed, p_discover=.25, p_error=.03))
    mean = sum(map(sum, by.values()))/180
    assert .3 <= mean <= .7 and all(sum(found) not in (0, len(found)) for found in by.values()), dict(by)

def replied(goal, *tries, truth="", seed=0):
    "Contents of the items that attempts (verdict, episode) yield, through the prompts of a run"
    intent = f"question-{tries[0][0]}" if len(tries) == 1 else "question-contrast"
    shown = dict(goal=goal, episodes="\n".join(f"Attempt {i}: {verdict}\n{goal}\n{text}" for i, (verdict, text) in enumerate(tries, 1)))
    if truth: shown["ground_truth"] = truth
    return [x["content"] for x in json.loads(TablesAgent(p_reword=0).respond(*prompt(intent).render(**shown), seed))["items"]]

def test_a_lesson_is_drawn_from_the_episode_and_a_wrong_verdict_teaches_a_wrong_one(world):
    for t in world.tasks()[::2]:
        asked = read_question(t.question)
        for way, other in (("right", "short"), ("short", "right")):
            episode = f"Tables: x(y).\n> sql: {asked.statement(way)};\nColumns: n\n[1]\nRows: 1.\n> answer: [[1]]\n{RECORDED}"
            [praised], [blamed] = (replied(t.question, (verdict, episode)) for verdict in ("success", "failure"))
            assert told_way(asked, praised) == way and told_way(asked, blamed) == other
            assert not re.search(r"\d{4}|'", praised+blamed), "nothing of the question is in it"
        assert replied(t.question, ("success", "Tables: x(y).")) == replied(t.question, ("failure", "> put it there\nSay sql")) == []
        world.reset(t)
        [told] = replied(t.question, ("failure", "> answer: [[1]]"), truth="\n".join(gold(world)))
        assert told_way(asked, told) == "right"

def test_as_a_judge_it_reads_the_statement_and_errs_as_planted(world):
    t = world.named("tables-status-1")
    asked = read_question(t.question)
    def verdict(way, ending="answered", **chances):
        shown = dict(question=t.question, episode=f"> sql: {asked.statement(way)}\n[1]\n> answer: [[1]]\n{RECORDED}", ending=ending)
        return json.loads(TablesAgent(**chances).respond(*prompt("question-judge").render(**shown), 0))["verdict"]
    assert (verdict("right"), verdict("short"), verdict("right", "not_converged")) == ("success", "failure", "failure")
    assert (verdict("right", harsh=1.0), verdict("short", lenient=1.0)) == ("failure", "success")

def test_an_episode_is_evidence_of_a_question():
    with Tables() as env:
        ev = one_rollout(Actor(profile=TablesAgent(p_error=0)), env, env.named("tables-keys-1")).evidence
    assert ev.kind == "question" and ev.ending == "answered" and ev.steps[-1].observation == RECORDED and "Tables: place(" in ev.steps[0].observation

def test_the_world_is_known_by_its_name_and_reads_nothing_before_it_is_asked():
    house = Episodes("tables")
    assert type(house.profile()) is TablesAgent and house.family == "question"
    house.close()
    env = Tables()
    assert env._base is env._asked is None and len(env.tasks()) == 60 and env._base is not None
    assert "tables" in worlds() and not worlds()["tables"]

@pytest.mark.slow
def test_lessons_help_with_other_questions_and_a_bad_judge_does_harm(tmp_path):
    arms = [NO_MEMORY, Learner("bank", learn="lessons", judge="oracle", k=2), Learner("misled", learn="lessons", judge=PlantedErrors(recall=.6, false_success=.95), verify="", k=2),
        Learner("placebo", learn="lessons", judge="oracle", show="placebo", k=2)]
    trial = learn("worlds", arms, str(tmp_path), world="tables", n_tasks=40, n_held_out=20, n_streams=2, lm="sim", sim_p_discover=.25)
    asked = trial.phase("held out")
    right = {arm.name: sum(r["correct"] for r in asked if r["arm"] == arm.name)/40 for arm in arms}
    assert right["bank"] > right["no memory"]+.3 > right["misled"]+.3 and abs(right["placebo"]-right["no memory"]) < .1, right
