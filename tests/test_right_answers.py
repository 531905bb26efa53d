"Right answers: values of a graph, cells of a table, replies in mathematics and choices"
import json, random
from importlib import import_module
import pytest
from rbkit.graphs.checks import check_answer, check_suite
from rbkit.graphs.grades import GRADES, grade_answer
from rbkit.graphs.suites import Task, gold_rows, load_suite
from house import data

GRAPH = """@prefix e: <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix r: <http://e.org/r/> . @prefix a: <http://a.org/> .
e:uk e:tiny 0.001 ; e:zip "02134" ; e:n 2134 ; e:people 243943567 ; e:share 0.68 ; e:count 4 ; e:two 2 ; e:lat 46.0101e0 ; e:padded "007"^^xsd:integer ;
  e:mean 12.345678 ; e:third 0.6666666667 ; e:sum 0.3e0 ; e:price "2134"^^xsd:decimal ; e:zero 0 ; e:big 1.0e10 ;
  e:when "2020-01-01T12:00:00Z"^^xsd:dateTime ; e:clock "12:00:00Z"^^xsd:time ; e:day "2001-02-03"^^xsd:date ; e:zoned "2001-02-03Z"^^xsd:date ;
  e:midnight "2001-02-03T00:00:00"^^xsd:dateTime ; e:lasts "PT60S"^^xsd:duration ; e:age "P1Y"^^xsd:yearMonthDuration ; e:hex "0fb7"^^xsd:hexBinary ;
  e:yes "1"^^xsd:boolean ; e:year "1999"^^xsd:gYear ; e:city "Zurich"@en ; e:plain "Zurich" ; e:text "e:uk" ; e:iri e:fr ; e:empty "" ; e:mail "ann@example" .
e:united_kingdom a e:Country ; rdfs:label "United Kingdom" ; e:next e:france . e:france a e:Country ; rdfs:label "France" . e:peru a e:Country ; rdfs:label "Peru" .
a:Paris a e:Town ; rdfs:label "Paris" . r:Paris a e:Region ; rdfs:label "Paris region" . e:gene1 rdfs:label "Shh" . e:gene2 rdfs:label "SHH" .
e:d1 e:pop 10 . e:d2 e:pop 20 . e:d3 e:pop 30 ."""

@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    home = tmp_path_factory.mktemp("values")
    (home/"graph.ttl").write_text(GRAPH)
    (home/"tasks.jsonl").write_text(json.dumps(dict(id="t", level=1, question="Which?", gold="SELECT ?x { e:uk e:n ?x }")))
    found = load_suite(home)
    yield found
    found.close()

def task(suite, gold, question="Which?", **more): return Task("t", question, gold, 1, suite.tasks[0].graph, **more)
def of(name): return f"SELECT ?x {{ e:uk e:{name} ?x }}"
def strict(suite, gold, said, question="Which?"): return check_answer(suite, task(suite, gold, question), [[said]]).correct
def lenient(suite, gold, rows, question="Which?"):
    found = grade_answer(suite, task(suite, gold, question), rows)
    return not found["strict"] and found["lenient"]

SAME = [("tiny", "0.001"), ("tiny", "1e-3"), ("tiny", "0.0010"), ("tiny", "0.001000000001"), ("zip", "02134"), ("n", "2134"), ("n", 2134), ("n", "2134.0"), ("n", '"2134"^^xsd:integer'),
    ("n", '"2134"^^<http://www.w3.org/2001/XMLSchema#integer>'), ("padded", "007"), ("padded", "7"), ("price", "2134"), ("price", "2134.00"), ("third", "0.666666666667"), ("sum", "0.30000000000000004"),
    ("lat", "46.0101"), ("mean", "12.345678"), ("people", "243943567"), ("big", "10000000000"), ("when", "2020-01-01T12:00:00+00:00"), ("when", "2020-01-01T14:00:00+02:00"), ("when", "2020-01-01T12:00:00.000Z"),
    ("clock", "12:00:00+00:00"), ("day", "2001-02-03"), ("zoned", "2001-02-03+00:00"), ("lasts", "PT1M"), ("lasts", "PT0H1M"), ("age", "P12M"), ("hex", "0FB7"), ("yes", "true"), ("yes", True), ("yes", '"1"^^xsd:boolean'),
    ("year", "1999"), ("year", '"1999"^^xsd:gYear'), ("city", "Zurich"), ("city", "Zurich@en"), ("city", '"Zurich"@en'), ("plain", '"Zurich"'), ("text", "e:uk"), ("iri", "<http://e.org/fr>"), ("iri", "http://e.org/fr"), ("zero", "-0.0"), ("zero", "−0.0"), ("mail", "ann@example")]
OTHER = [("tiny", "0.004"), ("tiny", "0"), ("tiny", "1e-12"), ("tiny", "0.0010001"), ("lat", "46.0111"), ("zip", "2134"), ("zip", 2134), ("n", "02134"), ("people", "243943568"), ("people", "243943567.4"), ("mean", "12.35"),
    ("third", "0.67"), ("third", "0.666666"), ("when", "2020-01-01T12:00:00"), ("when", "2020-01-01T13:00:00Z"), ("lasts", "PT61S"), ("age", "P1M"), ("day", "2001-02-04"), ("city", "Zurich@de"), ("city", '"Zurich"@de'),
    ("plain", "Zurich@en"), ("yes", "false"), ("text", "<http://e.org/uk>"), ("iri", '"e:fr"^^xsd:string'), ("zero", "1e-12"), ("mail", "ann"), ("n", '"2135"^^xsd:integer')]

@pytest.mark.parametrize("name, said", SAME)
def test_a_value_in_another_spelling_is_right(suite, name, said): assert strict(suite, of(name), said)

@pytest.mark.parametrize("name, said", OTHER)
def test_another_value_is_wrong(suite, name, said): assert not strict(suite, of(name), said)

PADDED = dict(ttl=('<http://e.org/a> <http://e.org/p> "007"^^<http://www.w3.org/2001/XMLSchema#int> ; <http://e.org/s> "008" .', "http://e.org/p"),
    nt=('<http://e.org/a> <http://e.org/p> "007"^^<http://www.w3.org/2001/XMLSchema#integer> .\n<http://e.org/a> <http://e.org/s> "008" .', "http://e.org/p"),
    rdf=('<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/"><rdf:Description rdf:about="http://e.org/a">'
        '<e:p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">007</e:p><e:s>008</e:s></rdf:Description></rdf:RDF>', "http://e.org/p"))

@pytest.mark.parametrize("form", PADDED)
def test_a_number_may_be_written_as_the_file_writes_it(tmp_path, form):
    text, p = PADDED[form]
    (tmp_path/f"graph.{form}").write_text(text)
    (tmp_path/"tasks.jsonl").write_text(json.dumps(dict(id="t", level=1, question="Which?", gold=f"SELECT ?x {{ ?s <{p}> ?x }}")))
    found = load_suite(tmp_path)
    try: assert [check_answer(found, found.tasks[0], [[x]]).correct for x in ("007", "7", "07", "008", "0007")] == [True, True, False, False, False]
    finally: found.close()

def test_kinds_of_terms_are_kept(suite):
    "A query that returns the string e:uk does not return the IRI, and nothing is not the empty text"
    graph = suite.graph(suite.tasks[0].graph)
    kinds = dict(iri="SELECT ?x { BIND(e:uk AS ?x) }", text="SELECT ?x { BIND('e:uk' AS ?x) }", tagged="SELECT ?x { BIND('e:uk'@en AS ?x) }", german="SELECT ?x { BIND('e:uk'@de AS ?x) }",
        empty="SELECT ?x { BIND('' AS ?x) }", unbound="SELECT ?x { ?s e:zip ?z OPTIONAL { ?s e:none ?x } }")
    same = {(a, b) for a in kinds for b in kinds if check_answer(suite, task(suite, kinds[a]), graph.query(kinds[b])).correct}
    assert same == {(a, a) for a in kinds} | {("text", "tagged"), ("tagged", "text"), ("text", "german"), ("german", "text")}
    for kind in ("empty", "unbound"): assert strict(suite, kinds[kind], ""), "an agent's empty cell says neither"

@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
def test_every_engine_tells_kinds(tmp_path, engine):
    from rbkit.graphs.graph import load_graph
    (tmp_path/"g.ttl").write_text(GRAPH)
    with load_graph(tmp_path/"g.ttl", engine=engine, isolate=False) as graph:
        found = graph.query("SELECT * { e:uk e:city ?c ; e:n ?n ; e:iri ?i ; e:zip ?z OPTIONAL { e:uk e:none ?o } }")
        assert dict(zip(found.columns, [k if isinstance(k, str) else k[0] for k in found.kinds])) == dict(c="@en", n="http://www.w3.org/2001/XMLSchema#integer", i="iri", z="http://www.w3.org/2001/XMLSchema#string", o=None)
        assert graph.query("ASK { ?s ?p ?o }").kinds == ["http://www.w3.org/2001/XMLSchema#boolean"]

ROUNDED = [(f"SELECT (ROUND(?m*100)/100 AS ?x) {{ e:uk e:mean ?m }}", "Which?", ["12.35", "12.345678", "12.350"], ["12.3", "12.36", "12"]),
    ("SELECT (ROUND(?m) AS ?x) { e:uk e:mean ?m }", "Which?", ["12", "12.3"], ["13", "12.6"]), (of("mean"), "Return the mean, rounded to two decimals.", ["12.35", "12.345678"], ["12.3", "12.36"]),
    (of("mean"), "Round to one decimal place.", ["12.3"], ["12.4", "12"]), (of("mean"), "Give the mean, rounded to the nearest whole number.", ["12"], ["13"]), (of("people"), "How many, to the nearest thousand?", ["243944000", "243943567"], ["243945000"]),
    (of("mean"), "Give it to 3 significant figures.", ["12.3"], ["12.9", "13"]), (of("count"), "Return the count, rounded to the nearest thousand.", ["4"], ["5"]), (of("mean"), "How far is it to the nearest town?", ["12.345678"], ["12"])]

@pytest.mark.parametrize("gold, question, right, wrong", ROUNDED)
def test_a_question_that_rounds_is_answered_by_rounded_numbers(suite, gold, question, right, wrong):
    assert [strict(suite, gold, said, question) for said in right+wrong] == [True]*len(right)+[False]*len(wrong)

@pytest.mark.parametrize("said, right", [("significant_digits = 3", ["12.3", "12.35"]), ("decimals = 1", ["12.3", "12.34"])])
def test_a_suite_sets_its_tolerance(tmp_path, said, right):
    (tmp_path/"graph.ttl").write_text(GRAPH)
    (tmp_path/"tasks.jsonl").write_text(json.dumps(dict(id="t", level=1, question="Which?", gold=of("mean"))))
    (tmp_path/"suite.toml").write_text(f"[answers]\n{said}\n")
    found = load_suite(tmp_path)
    try: assert [check_answer(found, found.tasks[0], [[x]]).correct for x in (*right, "12.9")] == [True]*len(right)+[False]
    finally: found.close()

@pytest.mark.parametrize("said", ["significant_digits = 0", "significant_digits = true", "decimals = 1.5", "decimals = -1", "digits = 3", "significant_digits = '9'"])
def test_a_wrong_tolerance_is_refused(tmp_path, said):
    (tmp_path/"graph.ttl").write_text(GRAPH)
    (tmp_path/"tasks.jsonl").write_text(json.dumps(dict(id="t", level=1, question="Which?", gold=of("mean"))))
    (tmp_path/"suite.toml").write_text(f"[answers]\n{said}\n")
    with pytest.raises(ValueError, match=r"\[answers\]"): load_suite(tmp_path)

# Grades

COUNTRIES = "SELECT ?c { ?c a e:Country }"
UK = "SELECT ?c { ?c e:next e:france }"

@pytest.mark.parametrize("gold, rows", [("ASK { e:uk e:n ?n }", [["true", "false"]]), ("ASK { e:uk e:n ?n }", [["false", "true"]]), (of("count"), [["1", "2", "3", "4", "5"]]), (of("count"), [["4", "5"]]), (of("count"), [["1, 2, 3, 4"]]), (of("count"), [["4"], ["5"]]),
    (UK, [["e:united_kingdom", "e:france"]]), (UK, [["United Kingdom", "France"]]), (UK, [["e:united_kingdom, e:france"]]), ("SELECT ?d ?p { ?d e:pop ?p }", [["e:d1", "10", "20"], ["e:d2", "20", "30"], ["e:d3", "30", "10"]]), (of("plain"), [["Zurich", "Bern"]]),
    ("SELECT ?c ?n { BIND(e:france AS ?c) e:uk e:n ?n }", [["e:france", "2134", "2135"]]), (COUNTRIES, [["e:united_kingdom", "e:peru"], ["e:france", "e:united_kingdom"], ["e:peru", "e:france"]])])
def test_a_column_that_contradicts_is_not_left_out(suite, gold, rows): assert not any(grade_answer(suite, task(suite, gold), rows).values())

@pytest.mark.parametrize("gold, rows", [(UK, [["e:united_kingdom", "United Kingdom"]]), (UK, [["e:united_kingdom", "67 million"]]), (COUNTRIES, [["e:united_kingdom", "x"], ["e:france", "y"], ["e:peru", "z"]]), ("SELECT ?d ?p { ?d e:pop ?p }", [["e:d1", "10", "a"], ["e:d2", "20", "b"], ["e:d3", "30", "c"]])])
def test_a_column_that_informs_is_left_out(suite, gold, rows): assert lenient(suite, gold, rows) and grade_answer(suite, task(suite, gold), rows)["columns"]

FAIR = [("ASK { e:uk e:n ?n }", ["yes", "Yes", "YES", "TRUE", "1", "Yes, it does.", "y"], ["no", "0", "FALSE", "yes and no", "2", "maybe"]), ("ASK { e:uk e:nope ?n }", ["no", "No.", "FALSE", "0"], ["yes", "1", "none"]),
    (of("two"), ["two", "2 items", "Two items", "two countries", "about 2", "**2**"], ["three", "2 or 3", "two or three", "2 million", "12 items", "two hundred", "at least 2", "one one", "zero two", "two two"]), (of("people"), ["243,943,567", "243 943 567", "243'943'567", "243.943.567", "243943567 people", "243,943,567 people"], ["243,943,568", "243943", "243 million"]),
    (of("share"), ["68%", "68 %", "68 percent", "68.0%", "17/25", "68/100"], ["67%", "17/24", "1/0", "0.68%", "68 items"]), (of("day"), ["2001-02-03T00:00:00", "2001-02-03T00:00:00Z", "3 February 2001", "February 3, 2001", "3 Feb 2001", "3rd February 2001"], ["2001-02-03T10:00:00", "3 March 2001"]),
    (of("midnight"), ["2001-02-03"], ["2001-02-04"]), (UK, ["united_kingdom", "United Kingdom.", "united kingdom", "UNITED KINGDOM", "UnitedKingdom"], ["france", "kingdom", "united", "nope:united_kingdom"]), ("SELECT ?c { BIND(a:Paris AS ?c) }", [], ["paris"]),
    ("SELECT ?c { BIND(e:gene1 AS ?c) }", ["Shh"], ["shh", "SHH"]), (of("plain"), ["zurich", "ZURICH"], ["bern"]), ("SELECT ?n { e:united_kingdom rdfs:label ?n }", ["united kingdom", "e:united_kingdom", "united_kingdom"], ["france", "e:france"]), (of("zip"), [], ["2134", "2,134"]), (of("n"), ["2,134"], ["02134"])]

@pytest.mark.parametrize("gold, right, wrong", FAIR)
def test_lenient_accepts_what_a_fair_person_accepts(suite, gold, right, wrong):
    assert [x for x in right if not lenient(suite, gold, [[x]])] == []
    assert [x for x in wrong if any(grade_answer(suite, task(suite, gold), [[x]]).values())] == []

LISTS = [[["e:united_kingdom", "e:france", "e:peru"]], [["United Kingdom, France, Peru"]], [["united kingdom, france and peru"]], [["United Kingdom; France; Peru"]], [['["France", "Peru", "United Kingdom"]']], [["['France', 'Peru', 'United Kingdom']"]], [["- France\n- Peru\n- United Kingdom"]]]

@pytest.mark.parametrize("rows", LISTS)
def test_a_list_in_a_cell_or_a_row_is_a_column(suite, rows): assert lenient(suite, COUNTRIES, rows)

@pytest.mark.parametrize("rows", [[["France, Peru"]], [["United Kingdom, France, Peru, Spain"]], [["e:france", "e:peru"]], [["e:france, e:peru"], ["e:united_kingdom"]]])
def test_a_list_that_is_not_whole_is_wrong(suite, rows): assert not any(grade_answer(suite, task(suite, COUNTRIES), rows).values())

@pytest.mark.parametrize("folder", ["seeds/toy", "seeds/library", "seeds/firm"])
def test_shipped_gold_answers_are_right_and_others_are_wrong(folder):
    found = load_suite(folder)
    try:
        some = found.tasks[::9]
        golds = [[list(row) for row in gold_rows(found, t)] for t in some]
        for i, t in enumerate(some):
            assert set(grade_answer(found, t, golds[i]).values()) == {True}, t.id
            other = golds[(i+1) % len(some)]
            if other != golds[i]: assert not any(grade_answer(found, t, other).values()), t.id
    finally: found.close()

@pytest.mark.skipif(not (data/"suites/pathquestion").is_dir(), reason="needs data/suites/pathquestion beside the checkout")
def test_published_answers_of_pathquestion_are_right_by_lenient():
    rows = [json.loads(line) for line in (data/"suites/pathquestion/PQ-2H.jsonl").read_text().splitlines()]
    answers = {f"pathquestion-{row['id']}": row["answers"] for row in rows}
    found = load_suite(data/"suites/pathquestion")
    try:
        some = random.Random(3).sample(found.tasks, 60)
        for t, other in zip(some, some[1:]+some[:1]):
            assert lenient(found, t.gold, [[x] for x in answers[t.id]]), t.id
            graded = grade_answer(found, t, [[x] for x in answers[other.id]])["lenient"]
            assert graded == (set(answers[t.id]) == set(answers[other.id])), (t.id, other.id)
    finally: found.close()

# Tables

@pytest.mark.parametrize("gold, said, question, statement, right", [(0.001, 0.001, "", "", True), (0.001, 0.004, "", "", False), (0.001, "0", "", "", False), ("02134", "02134", "", "", True), ("02134", 2134, "", "", False), (2134, "2,134", "", "", True),
    (12.345678, 12.35, "Return it, rounded to two decimals.", "", True), (12.345678, 12.36, "Return it, rounded to two decimals.", "", False), (12.35, 12.345678, "", "SELECT ROUND(AVG(x), 2) FROM t", True), (12.345678, 12.35, "", "", False), (0.3, 0.30000000000000004, "", "", True), (None, "", "", "", True)])
def test_cells_of_a_table(gold, said, question, statement, right):
    from rbkit.worlds.table_answers import check_rows, precision_for
    assert check_rows([(gold,)], [[said]], False, precision_for(question, statement)).correct is right

# Mathematics

PAIRS = [(r"6.022\times10^{-23}", r"1.38\times10^{-23}", False), (r"6.022\times10^{-23}", "6.022e-23", True), (r"6.022\times10^{23}", "602200000000000000000000", True), ("0.0000001", "0.0000002", False), ("5", "5 factorial", False), ("5", "5 thirds", False), ("0.5", "½", True), ("3.5", "3½", True), ("0.5", "⅓", False),
    ("30 minutes", "30 hours", False), ("30 minutes", "0.5 hours", True), ("30 minutes", "30", True), ("30", "30 minutes", True), ("60 mph", "60 km/h", False), ("60 mph", "60 miles per hour", True), ("12 apples", "12 oranges", False), ("12 apples", "12 red apples", True),
    (r"15\mbox{ cm}^2", "15 cm", False), (r"15\mbox{ cm}^2", "15 square centimeters", True), (r"\$5", "5 cents", False), (r"\$5", "500 cents", True), ("x=3", "y=3", False), ("x=3", "3", True), ("x=3", "x = 3.0", True), ("x_1=3", "x_2=3", False), (r"\theta=30", r"\alpha=30", False),
    (r"50\%", "0.5", True), (r"50\%", "50", True), (r"50\%", "5", False), (r"\frac13", "0.333333", True), (r"\frac13", "0.3333", False), ("0.3", "0.30000000000000004", True), ("243943567", "243943568", False), ("5 million", "5", False)]
ALGEBRA = [(r"1-\frac{1}{\mathrm e}", r"1+\frac{1}{\mathrm e}", False), (r"1-\frac{1}{\mathrm{e}}", r"1+\frac{1}{\mathrm{e}}", False), (r"1-\frac{1}{\mathrm e}", "1-e^{-1}", True), ("e", r"\frac1e", False), (r"\frac{1}{10^{20}}", r"\frac{3}{10^{20}}", False), (r"\pi", "3.14159265", True), (r"\pi", "3.15", False),
    (r"2\pi\text{ cm}", r"2\pi\text{ m}", False), (r"2\pi\text{ cm}", r"2\pi", True), ("120", "5!", True), ("5", "5!", False), (r"\sqrt2", "1.41421356", True), (r"1.0\times 10^{-8}\pi", r"2.0\times 10^{-8}\pi", False), (r"2\sqrt{3}\text{ cm}", r"2\sqrt{3}\text{ m}", False), ("(a+5)(b+2)", "ab+2a+5b+10", True)]
with_algebra = pytest.mark.skipif(not import_module("importlib.util").find_spec("math_verify"), reason="needs pip install 'rbkit[math]'")

@pytest.mark.parametrize("library", [pytest.param(True, marks=with_algebra), False])
@pytest.mark.parametrize("gold, said, right", PAIRS)
def test_mathematics_is_compared_by_value(monkeypatch, gold, said, right, library):
    comparison = import_module("rbkit.worlds.comparison")
    if not library: monkeypatch.setattr(comparison, "find_spec", lambda name: None)
    assert comparison.compare_answers(gold, said).correct is right

@with_algebra
@pytest.mark.parametrize("gold, said, right", ALGEBRA)
def test_algebra_is_compared_by_value(gold, said, right):
    from rbkit.worlds.comparison import compare_answers
    assert compare_answers(gold, said).correct is right

# Replies

CHOICES = [("A. is wrong; B is correct.", "B"), ("答案是C", "C"), ("The answer is not A, it is B.", "B"), ('{"answer": "C"}', "C"), ("```\nC\n```", "C"), ("I pick option b", "B"), ("Both A and C look right but the answer is D", "D"), ("(B)", "B"), ("B)", "B"), ("**B**", "B"), ("Ｃ", "C"), ("选B", "B"), ("选项C", "C"),
    ("选择 D", "D"), ("Antwort: C", "C"), ("A cat sat on the mat.", ""), ("Die richtige Antwort ist C.", "C"), ("La réponse est B.", "B"), ("答案：（D）", "D"), ("答案不是A，而是B。", "B"), ("A错误，B正确", "B"), ("故选：B。", "B"), ('```json\n{"answer": "B", "why": "x"}\n```', "B"), ("{'choice': 'D'}", "D"), ("The answer isn't A, it's C.", "C"),
    ("Neither A nor B is right, so C.", "C"), ("C is the answer.", "C"), ("The answer is not (A), (B), or (D); it is (C).", "C"), ("A, B, and D are incorrect.", "C"), ("A and B are wrong.", ""), ("(a), (b) and (d) are wrong.", "C"), ("I choose a.", "A"), ("I choose a cat", ""), ("I'd go with C because A is wrong", "C"), ("My choice: D", "D"), ("Option A: incorrect. Option B: correct.", "B"), ("A) wrong\nB) wrong\nC) correct\nD) wrong", "C"), ("(a) is wrong; (b) is correct", "B"), ("The correct answer is option c.", "C"),
    ("The answer is A or B.", ""), ("I would say it is not B", ""), ("The answer cannot be C", ""), ("Die Antwort ist nicht A, sondern B.", "B"), ("The answer is **not** A but C.", "C"), ("正确答案为 C。", "C"), ("I am sure it is a great idea.", ""), ("C, because A is too small.", "C"), ("A is not correct. C is.", "C"), ("Between A and D I'd pick D.", "D")]

@pytest.mark.parametrize("reply, letter", CHOICES)
def test_a_choice_is_read(reply, letter):
    from rbkit.worlds.answers import extract_answer
    assert extract_answer(reply, "choice", 4) == letter

@pytest.mark.parametrize("gold, reply", [("5", "I get 7. Wait, no. The answer is 5!"), ("5", "five"), ("5", "The answer is five."), ("21", "The answer is twenty one."), ("40", r"\boxed{Forty}"), ("105", "The answer is one hundred and five."), ("-5", "The answer is minus five."), ("200", "two hundred"), ("5", '{"answer": {"value": 5}}'), ("5", "A: 5"), ("5", '{"result": {"answer": 5}}'), ("5", "答案：5（其中 2+3）"), ("18", "最终答案为：18。"), ("18", "最终答案为：１８。"), ("18", "答：共有18个苹果。"), ("42", '{"answer": 42}'), (r"\frac{1}{2}", '{"answer": "\\\\frac{1}{2}"}'), ("42", "```\n42\n```"), ("12", "La réponse est 12."), ("7", "Die Antwort lautet 7."), ("3/4", "所以，答案为 3/4。"), ("5", "The answer is 5 (that is 2+3)."), (r"\$36", r"The answer is $\$36$.")])
@pytest.mark.parametrize("how", ["math", "number"])
def test_a_reply_in_another_form_is_read(gold, reply, how):
    from rbkit.worlds.comparison import check_reply
    assert check_reply(gold, reply, how).correct and not check_reply("29", reply, how).correct
