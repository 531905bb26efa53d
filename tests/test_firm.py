"seeds/firm and seeds/merger: each question has one right answer, and a naive query that falls for its family's trap"
import json, re
from collections import Counter, defaultdict
from random import Random
import pytest
import firm, merger
from firm import written
from house import root
from rbkit.bank.bank import seed_bank
from rbkit.context import ContextBuilder
from rbkit.graphs.checks import check_answer, check_suite
from rbkit.graphs.firm import write_firm
from rbkit.graphs.graph import load_graph
from rbkit.graphs.merger import write_merger
from rbkit.graphs.suites import gold_rows, load_suite
from rbkit.models.sim_extractor import LESSONS, idiom_item, idioms_taught
from rbkit.models.sim_reader import IDIOMS, read_prompt, taught_only
from rbkit.models.sim_shapes import SHAPES, readings
from rbkit.trials.learners import NO_MEMORY, Learner
from rbkit.trials.learning import learn

SOURCES = {"firm": (write_firm, firm.made), "merger": (write_merger, merger.made)}
QUESTIONS = {m.task["id"]: m for _, made in SOURCES.values() for m in made()}

def n_triples(graph): return int(graph.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").rows[0][0])

@pytest.fixture(scope="module")
def suite():
    found = load_suite("seeds/firm")
    yield found
    found.close()

@pytest.fixture(scope="module", params=SOURCES)
def either(request):
    found = load_suite(f"seeds/{request.param}")
    yield found
    found.close()

@pytest.mark.parametrize("name", SOURCES)
def test_graph_and_questions_are_those_of_their_sources(name, tmp_path):
    write, made = SOURCES[name]
    for path in write(tmp_path): assert path.read_text() == (root/"seeds"/name/path.name).read_text(), f"{path.name}: write it again"
    assert (root/"seeds"/name/"tasks.jsonl").read_text() == written(made()), f"python tests/{name}.py > seeds/{name}/tasks.jsonl"
    assert sum(path.stat().st_size for path in (root/"seeds"/name).iterdir()) < 1_500_000

@pytest.mark.parametrize("name", SOURCES)
def test_another_seed_is_another_company(name, tmp_path):
    files = SOURCES[name][0](tmp_path, rng_seed=1)
    assert files.graph.read_text() != (root/"seeds"/name/"graph.ttl").read_text()
    with load_graph(list(files), isolate=False) as graph: assert 5_000 < n_triples(graph) < 20_000

def test_the_suite_is_sound_and_balanced(either):
    assert check_suite(either) == [] and len(either.tasks) == 64 and 5_000 < n_triples(either.graph(either.name)) < 20_000
    by_family = Counter((task.tags[0], task.split) for task in either.tasks)
    families = {family for family, _ in by_family}
    assert len(families) == 8 and all(by_family[f, "train"] == 5 and by_family[f, "held_out"] == 3 for f in families), by_family

def test_naive_queries_run_and_are_wrong(either):
    for task in either.tasks:
        naive = either.graph(either.name).query(QUESTIONS[task.id].naive, limit=1000)
        verdict = check_answer(either, task, naive)
        assert naive.rows and not verdict.correct, (task.id, naive.rows[:3])

def test_gold_answers_have_one_form(either):
    "As many columns as the question asks for, no empty cell, names where names are asked for, few rows"
    for task in either.tasks:
        rows = gold_rows(either, task).rows
        asked = task.question.split("Return ")[1]
        assert len({tuple(row) for row in rows}) == len(rows) <= 20 and {len(row) for row in rows} == {1+("names" in asked and "number" in asked)}, task.id
        assert all(cell and not re.match(r"https?:|\w+:\w", cell) for row in rows for cell in row), (task.id, rows)
        is_number = all(re.fullmatch(r"[\d.]+", row[-1]) for row in rows)
        assert is_number == ("number" in asked or "total" in asked or "average" in asked), (task.id, rows)

def test_every_name_in_a_question_names_one_thing(either):
    for task in either.tasks:
        for name in re.findall(r"'([^']+)'", task.question):
            found = either.graph(either.name).query(f"SELECT (COUNT(DISTINCT ?x) AS ?n) {{ ?x rdfs:label '{name}' }}").rows[0][0]
            values = either.graph(either.name).query(f"SELECT (COUNT(*) AS ?n) {{ ?x hr:job|erp:material|erp:country '{name}' }}").rows[0][0]
            assert (found == "1") != (values != "0"), (task.id, name, found, values)

GIVEN_AWAY = r"850 g|\bkg\b|\bweeks\b|employed|on leave|retired|differs from|not given for euros|Holds for both|Pieces of the item|symmetric"

def test_cards_made_without_memory_do_not_tell(suite):
    "What a comment or a value says is in no layer made from the graph; it has to be looked up"
    bank = seed_bank()
    for task in suite.tasks[::4]:
        for profile in ("full", "compact"):
            text = ContextBuilder("L0,L1", profile).build(task, suite.graph("firm"), bank, "").text
            assert "erp:" in text and not re.search(GIVEN_AWAY, text), re.search(GIVEN_AWAY, text)

def test_what_a_card_does_not_tell_can_be_looked_up(suite):
    graph = suite.graph("firm")
    said = "\n".join(row[0] for row in graph.query("SELECT ?c { ?p rdfs:comment ?c }"))
    for words in ("on leave and employed", "differs from its model", "not given for euros", "Holds for both machines", "team is part of"): assert words in said
    units = {row[0] for row in graph.query("SELECT DISTINCT ?u { ?x erp:mass|erp:leadTime ?t BIND(STRAFTER(?t, ' ') AS ?u) }")}
    assert units == {"kg", "g", "days", "weeks"}

def shapes_of(question): return [shape for shape in SHAPES if re.search(shape.asks, question)]

def card_of(graph):
    "All names of the schema, as a card would say them"
    props = graph.query("SELECT DISTINCT ?p { ?s ?p ?o }", limit=1000)
    classes = graph.query("SELECT ?c { ?c a owl:Class }", limit=1000)
    return "\n".join([f"Class {row[0]} 1" for row in classes]+[f"Property {row[0]} 1" for row in props])

def lesson(need): return idiom_item(need)["content"] if need in LESSONS else "All that are tied: FILTER(?n = ?top) with SELECT (MAX(?k) AS ?top)"

def test_each_question_has_one_shape_and_those_of_other_suites_one_at_most(suite):
    assert {len(shapes_of(task.question)) for task in suite.tasks} == {1}
    for path in (root/"seeds").rglob("tasks.jsonl"):
        if path.parent.name == "firm": continue
        most = 1 if path.parent.parent.name == "graphs" else 0
        for line in path.read_text().splitlines(): assert len(shapes_of(json.loads(line)["question"])) <= most, line

def test_the_stand_in_is_right_when_told_and_wrong_when_not(suite):
    "One question of each kind: the names of the schema alone, with each lesson but one, with all that the question needs"
    graph, strict = suite.graph("firm"), taught_only(*IDIOMS)
    card = card_of(graph)
    for task in suite.tasks[::4]:
        needs = shapes_of(task.question)[0].needs
        def right(told): # does it answer rightly with the lessons of these needs?
            query = readings(task.question, read_prompt("\n".join([card, *map(lesson, told)])), Random(0), strict)[0]
            return check_answer(suite, task, graph.query(query, limit=1000)).correct
        assert right(needs), task.id
        for need in needs: assert not right([other for other in needs if other != need]), (task.id, need)

@pytest.fixture(scope="module")
def graphs():
    found = load_suite("seeds/graphs")
    yield found
    found.close()

LINES = [json.loads(line) for path in (root/"seeds/graphs").rglob("tasks.jsonl") for line in path.read_text().splitlines()]
SHAPED = [line["id"] for line in LINES if shapes_of(line["question"])]

@pytest.mark.parametrize("name", SHAPED)
def test_a_question_with_a_shape_over_an_open_graph_is_right_when_told_and_wrong_when_not(graphs, name):
    "As for the firm; that a direction is told is a line of its own, which names both ends of the property"
    task = next(task for task in graphs.tasks if task.id == name)
    graph = graphs.graph(task.graph)
    strict = taught_only(*IDIOMS, "direction")
    shape = shapes_of(task.question)[0]
    ends = "\n".join(f"prov:{name}: prov:Plan -> prov:Plan" for name in ("agent", "wasRevisionOf"))
    def right(told):
        said = [ends if need == "direction" else lesson(need) for need in told]
        query = readings(task.question, read_prompt("\n".join([card_of(graph), *said])), Random(0), strict)[0]
        return check_answer(graphs, task, graph.query(query, limit=1000)).correct
    assert right(shape.needs)
    for need in shape.needs: assert not right([other for other in shape.needs if other != need]), need

def test_a_right_query_teaches_what_it_knew(suite):
    for task in suite.tasks[::4]:
        needs = [need for need in shapes_of(task.question)[0].needs if need in LESSONS]
        query = readings(task.question, read_prompt("\n".join([card_of(suite.graph("firm")), *map(lesson, IDIOMS)])), Random(0), taught_only(*IDIOMS))[0]
        assert needs and set(needs) <= set(idioms_taught(query)), task.id

@pytest.mark.slow
def test_lessons_of_some_questions_help_with_others(tmp_path):
    arms = [NO_MEMORY, Learner("lessons", learn="lessons", judge="oracle")]
    trial = learn("E9", arms, suite="seeds/firm", n_tasks=24, n_streams=2, sim_p_discover=.5, out=str(tmp_path))
    right = defaultdict(list)
    for row in trial.rows: right[row["arm"], "held_out" if row["split"] == "held_out" else row["phase"]].append(row["correct"])
    for phase in ("learn", "held_out"):
        with_, without = (sum(right[arm, phase])/len(right[arm, phase]) for arm in ("lessons", "no memory"))
        assert with_ >= without+.05, (phase, with_, without)
