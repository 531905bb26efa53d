"What a query found, or why it found nothing, and what counts as right"
import pytest
from rbkit.graphs.grades import GRADES, grade_answer, things_by_label
from rbkit.graphs.graph import load_graph
from rbkit.graphs.nothing import patterns_of, why_nothing
from rbkit.graphs.suites import gold_rows, load_suite
from rbkit.handles import BlobStore
from rbkit.tools.sparql import sparql_tools
from rbkit.trials.ablation import ablate
from rbkit.trials.spec import BASELINE, Arm

@pytest.fixture(scope="module", params=["seeds/graphs", "seeds/library"])
def suite(request):
    found = load_suite(request.param)
    yield found
    found.close()

def prologue(gold): return "\n".join(line for line in gold.splitlines() if line.upper().startswith("PREFIX"))

def test_the_patterns_of_every_gold_query_have_rows_together(suite):
    "The patterns that a text is cut into mean what the text means"
    for task in suite.tasks:
        parts = patterns_of(task.gold)

        asked = f"{prologue(task.gold)} ASK {{ {' . '.join(parts)} }}"
        assert parts and suite.graph(task.graph).query(asked).rows == [["true"]], (task.id, parts)

def test_the_pattern_that_does_not_match_is_named(suite):
    "An impossible triple, put at the end of any query, is the one that is blamed"
    wrong = "?nobody rdfs:label 'no such label in any graph'"
    tried = 0
    for task in suite.tasks[::9]:
        opened = task.gold.index("{", task.gold.upper().index("WHERE") if "WHERE" in task.gold.upper() else 0)
        broken = f"{task.gold[:opened+1]} {wrong} . {task.gold[opened+1:]}"
        if task.gold[opened+1:].lstrip().upper().startswith("SELECT"): continue # a sub-select stands alone in its braces
        tried += 1
        assert why_nothing(suite.graph(task.graph), broken) == f"Nothing in the graph matches: {wrong}", task.id
    assert tried > 5

@pytest.mark.parametrize("text", ["", "{", "SELECT", "SELECT ?x { ?x", "ASK {}", "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "DESCRIBE <x:y>",
    "SELECT ?x { ?x ?y 'a }' . # a comment }\n ?x a <x:y#z> }", "\ud800", "SELECT ?x {"+"{"*200, "SELECT ?x { ?x ?p ?o "+". ?x ?p ?o "*3000+"}"])
def test_odd_queries_are_not_explained_and_break_nothing(text):
    with load_graph("seeds/toy/graph.ttl", isolate=False) as toy: assert isinstance(why_nothing(toy, text), str)

def test_a_no_and_an_empty_construct_are_explained_as_an_empty_table_is():
    with load_graph("seeds/toy/graph.ttl", isolate=False) as toy:
        query = sparql_tools(toy, None, BlobStore(), lambda f: f)[2]
        for asked in ("ASK { ?p a up:Protein ; up:mnemonik ?n }", "CONSTRUCT { ?p rdfs:label ?n } WHERE { ?p a up:Protein ; up:mnemonik ?n }",
                "CONSTRUCT WHERE { ?p a up:Protein ; up:mnemonik ?n }", "SELECT (COUNT(?n) AS ?c) { ?p a up:Protein ; up:mnemonik ?n }"):
            assert query(asked)["note"] == "Nothing in the graph matches: ?p up:mnemonik ?n", asked
        assert "note" not in query("ASK { ?p a up:Protein }")

def test_every_engine_says_the_same():
    asked = "SELECT ?n { ?p a up:Protein ; rdfs:label 'Insulin' ; up:organism ?t . ?t rdfs:label ?n }"
    said = set()
    for engine in ("oxigraph", "rdflib"):
        with load_graph("seeds/toy/graph.ttl", engine=engine, isolate=False) as toy: said.add(why_nothing(toy, asked))
    assert said == {"Nothing that matches the patterns before it also matches: ?t rdfs:label ?n"}

def test_what_is_strictly_right_is_right_by_every_grade_and_nonsense_by_none(suite):
    for task in suite.tasks[::7]:
        gold = [list(row) for row in gold_rows(suite, task)]
        assert set(grade_answer(suite, task, gold).values()) == {True}, task.id
        for nonsense in ([], [["no such thing"]*len(gold[0])], [["x"]]): assert not any(grade_answer(suite, task, nonsense).values()), task.id

def test_a_name_counts_for_the_one_thing_that_it_names_and_the_other_way_round(suite):
    tried = 0
    for task in suite.tasks:
        things = things_by_label(suite.graph(task.graph))
        others = {**{thing: label for label, thing in things.items()}, **things}
        gold = [list(row) for row in gold_rows(suite, task)]
        if not any(cell in others for row in gold for cell in row) or task.ordered: continue
        by_name = [[others.get(cell, cell) for cell in row] for row in gold]
        if len(set(map(tuple, by_name))) < len(gold): continue # several names of one thing are asked for
        found = grade_answer(suite, task, by_name)
        wider = grade_answer(suite, task, [[*row, "more"] for row in by_name])
        assert found["names"] and found["lenient"] and not found["strict"], task.id
        assert wider["lenient"] and not wider["names"], task.id
        tried += 1
        if tried == 5: break
    assert tried

def test_the_grade_of_a_run_decides_and_rows_carry_all(tmp_path):
    rows = {}
    for grade in ("strict", "lenient"):
        trial = ablate("G", [BASELINE, Arm("L0", ("L0",))], suite="seeds/toy", n_tasks=3, n_repeats=1, out=tmp_path, grade=grade)
        rows[grade] = trial.rows
        assert all(r["correct"] == r[f"right_{grade}"] and r["right_lenient"] >= r["right_strict"] for r in trial.rows)
        assert {f"right_{g}" for g in GRADES} <= trial.rows[0].keys()
    assert {r["config"] for r in rows["strict"]}.isdisjoint(r["config"] for r in rows["lenient"]), "another grade is another run"

MONSTERS = """@prefix e: <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:a a e:Monster ; e:speed 9 ; rdfs:label "A" . e:b a e:Monster ; e:speed 7 ; rdfs:label "B" . e:c a e:Monster ; e:speed 7 ; rdfs:label "C" . e:d a e:Monster ; e:speed 7 ; rdfs:label "D" . e:x a e:Monster ; e:speed 1 ; rdfs:label "X" ."""
HIDDEN = ("SELECT ?m WHERE { ?m e:speed ?s } ORDER BY DESC(?s) LIMIT 2", "SELECT ?m { ?m e:speed ?s } order by desc(?s) ?m limit 2",
    "SELECT ?m WHERE { ?m e:speed ?s } ORDER BY DESC(?s*2) LIMIT 2", "SELECT DISTINCT ?m WHERE { ?m e:speed ?s } ORDER BY DESC(xsd:integer(?s)) LIMIT 2",
    "SELECT ?m WHERE { ?m e:speed ?s } GROUP BY ?m ORDER BY DESC(MAX(?s)) LIMIT 2")

def monsters(tmp_path, gold, ordered=False):
    import json
    (tmp_path/"monsters.ttl").write_text(MONSTERS)
    (tmp_path/"tasks.jsonl").write_text(json.dumps(dict(id="q-1", level=3, question="Which two are the fastest?", gold=f"PREFIX e: <http://e.org/> {gold}", ordered=ordered))+"\n")
    return load_suite(tmp_path)

@pytest.mark.parametrize("gold", HIDDEN)
@pytest.mark.parametrize("answer, right", [(["e:a", "e:b"], True), (["e:a", "e:d"], True), (["D", "A"], True), (["e:b", "e:c"], False), (["e:a", "e:x"], False),
    (["e:a", "e:b", "e:c"], False), (["e:a"], False), (["e:a", "e:nothing"], False)])
def test_another_choice_among_ties_is_lenient_where_the_rank_is_not_shown(tmp_path, gold, answer, right):
    suite = monsters(tmp_path, gold)
    assert grade_answer(suite, suite.tasks[0], [[x] for x in answer])["lenient"] is right
    suite.close()

def test_an_order_that_is_asked_for_is_kept_among_ties(tmp_path):
    suite = monsters(tmp_path, HIDDEN[0], ordered=True)
    graded = [grade_answer(suite, suite.tasks[0], [[x] for x in answer])["lenient"] for answer in (("e:a", "e:d"), ("e:d", "e:a"))]
    suite.close()
    assert graded == [True, False]

def test_a_query_whose_rank_cannot_be_asked_is_graded_as_before(tmp_path):
    for gold in ("SELECT * WHERE { ?m e:speed ?s } ORDER BY DESC(?s) LIMIT 2", "SELECT ?m WHERE { { SELECT ?m ?s { ?m e:speed ?s } ORDER BY DESC(?s) } } LIMIT 2"):
        suite = monsters(tmp_path, gold)
        found = [list(row) for row in gold_rows(suite, suite.tasks[0])]
        assert grade_answer(suite, suite.tasks[0], found)["lenient"] and not grade_answer(suite, suite.tasks[0], [["e:x"], ["e:nothing"]])["lenient"]
        suite.close()
