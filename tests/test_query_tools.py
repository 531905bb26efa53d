"Query tools: limits, notes, errors and cut values"
import json, re, time, zipfile
from contextlib import closing
import pytest
from house import data
from sparql_server import Standin
from rbkit.bank.bank import seed_bank
from rbkit.bank.similarity import nearby
from rbkit.graphs.graph import load_graph
from rbkit.graphs.guard import QueryRefused, QuerySyntax, guard
from rbkit.ground.ledger import portable, tool, without_none
from rbkit.handles import BlobStore
from rbkit.tools.ctx import ctx_tools
from rbkit.tools.toolset import make_tools
from rbkit.worlds.comparison import compare_answers

# Patterns of a model

def finder(text):
    store = BlobStore()
    store.put(text)
    return {f.__name__: f for f in ctx_tools(store, tool, 1000)}["ctx_find"]

@pytest.mark.parametrize("pattern", ["a{3000000}", "(?:a{2000}){2000}", "(a{1000}){1000}", "x"*5000, "(?R)", "(a|aa)+$"])
def test_a_pattern_that_costs_too_much_is_an_error_and_soon(pattern):
    start = time.perf_counter()
    found = finder("a"*60+"!")("text_0", pattern)
    assert "error" in found and "ctx_find('text_0', 'word')" == found["try"]
    assert len(found["error"]) < 320
    assert time.perf_counter()-start < 20

@pytest.mark.parametrize("pattern, hits, mode", [("cat", 2, "regex"), (r"c\w+", 2, "regex"), (r"(?:cat ){2}", 1, "regex"), ("f(", 1, "text"),
    (r"\d{4}", 1, "regex"), (r"(?e)(?:cut){e<=1}", 2, "regex"), ("[0-9", 0, "text")])
def test_an_ordinary_pattern_finds_what_it_describes(pattern, hits, mode):
    found = finder("cat cat f( 2024")("text_0", pattern)
    assert (found["n"], found["mode"]) == (hits, mode)

def test_plain_patterns_start_no_process(monkeypatch):
    patterns = pytest.importorskip("rbkit.ground.patterns")
    monkeypatch.setattr(patterns.subprocess, "run", lambda *a, **k: pytest.fail("a process was started"))
    for pattern in ("word", r"up:\w+", "(cat|dog)s?", r"[0-9]{4}-[0-9]{2}", "(?i)CAT.*?dog"):
        finder("a cat and 2024-10")("text_0", pattern)

def test_a_search_with_many_hits_stays_small():
    found = finder("a"*200_000)("text_0", "a", k=10**9)
    assert found["n"] == 100_000 and found["truncated"]

@pytest.mark.parametrize("gold", ["(a{2000}){2000}", "a{3000000}"])
def test_a_costly_pattern_of_a_task_is_cut_off(gold):
    assert compare_answers(gold, "a"*300, "regex").reason == "the check was cut off"

# A graph with what queries get wrong

TTL = """@prefix e: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:a a e:K ; rdfs:label "cat"@en ; e:n "10" ; e:age "34" ; e:i 1 ; e:empty "" ; e:like "e:b", e:b ; e:d "2001-02-03"^^xsd:date ; e:dec 5.0 .
e:b a e:K ; rdfs:label "Dog" ; e:n "9" ; e:age 40 ; e:d "2003-01-01"^^xsd:date ; e:dt "2003-01-01" ; e:part [ e:x 1 ; e:y [ e:z 2 ] ] .
e:c a e:K ; e:n "8" ; e:big "%s" ; e:quoted "%s" .""" % ("word "*400, "\\\"é\\\"\\n"*300)

@pytest.fixture(scope="module")
def ttl(tmp_path_factory):
    path = tmp_path_factory.mktemp("query_tools")/"g.ttl"
    path.write_text(TTL)
    return path

@pytest.fixture(scope="module", params=["oxigraph", "rdflib"])
def graph(ttl, request):
    with load_graph(ttl, engine=request.param, isolate=False) as g: yield g

@pytest.fixture(scope="module")
def fast(ttl):
    with load_graph(ttl, engine="oxigraph", isolate=False) as g: yield g

def tools_of(graph, **kw):
    return {f.__name__: f for f in make_tools(graph, **kw)}

# Meaning of LIMIT

@pytest.mark.parametrize("query, triples", [("DESCRIBE e:a LIMIT 1", 10), ("DESCRIBE ?s { ?s a e:K } ORDER BY ?s LIMIT 1", 10),
    ("CONSTRUCT { ?s e:p ?v ; e:q ?v ; e:r ?v } WHERE { ?s e:i ?v } LIMIT 1", 3), ("CONSTRUCT { ?s e:p 1 } WHERE { ?s a e:K } LIMIT 2", 2)])
def test_the_limit_of_a_query_for_triples_counts_solutions(query, triples, graph):
    found = graph.query(query)
    assert len(found) == triples and not found.truncated and not found.capped

def test_triples_are_capped_apart_and_a_note_says_so(graph):
    found = tools_of(graph)["sparql_query"]("DESCRIBE e:a LIMIT 1", limit=3)
    assert found["total"] == 3 and found["truncated"] and "triples" in found["note"] and "solutions" in found["note"]
    assert "note" not in tools_of(graph)["sparql_query"]("DESCRIBE e:a LIMIT 1", limit=10)

# Refused and accepted queries

@pytest.mark.parametrize("query", ["ASK { FILTER NOT EXISTS { GRAPH ?g { ?s ?p ?o } } }", "SELECT ?s { ?s e:n ?n FILTER EXISTS { GRAPH e:g { ?s ?p ?o } } }",
    "SELECT (EXISTS { GRAPH ?g { ?s ?p ?o } } AS ?x) { ?s e:n ?n }", "SELECT ?s { ?s e:n ?n OPTIONAL { GRAPH ?g { ?s ?p ?o } } }",
    "SELECT ?s { ?s e:n ?n MINUS { graph ?g { ?s ?p ?o } } }", "SELECT ?s { { SELECT ?s { GRAPH ?g { ?s e:n ?n } } } }",
    "SELECT ?s { VALUES ?g { e:g } GRAPH ?g { ?s e:p+ ?o } }", "SELECT ?s { ?s e:n ?n FILTER(EXISTS { GRAPH ?g { ?s ?p ?o } } || true) }"])
def test_named_graphs_are_refused_wherever_they_stand(query, graph):
    with pytest.raises(QueryRefused, match="GRAPH"): graph.query(query)
    with pytest.raises(QueryRefused, match="GRAPH"): graph.plan(query)

def test_a_word_that_only_reads_like_graph_is_none(graph):
    assert graph.query('PREFIX graph: <http://example.org/> SELECT ?graph { ?graph graph:n "GRAPH" }').rows == []

def test_from_on_a_service_is_allowed_for_its_own_graph_and_else_names_graph():
    query = "SELECT * FROM <http://x.org/g> { ?s ?p ?o }"
    assert "FROM <http://x.org/g>" in guard(query, service_graph="http://x.org/g").text
    with pytest.raises(QueryRefused, match=r"GRAPH <http://x.org/g>") as e: guard(query, service_graph="")
    assert "the graph is loaded" not in str(e.value)
    with pytest.raises(QueryRefused, match="http://x.org/h"): guard(query, service_graph="http://x.org/h")
    with pytest.raises(QueryRefused, match=r"GRAPH <http://x.org/n>"): guard("SELECT * FROM NAMED <http://x.org/n> { ?s ?p ?o }", service_graph="")
    with pytest.raises(QueryRefused, match="the graph is loaded"): guard(query)

@pytest.mark.parametrize("query", ["SELECT ?s { ?s foaf:name ?n }", "SELECT ?s { ?s foaf:name/e:x ?n }", 'SELECT ?s { ?s e:n "1"^^foaf:t }', "DESCRIBE foaf:x"])
def test_an_unknown_prefix_is_named_beside_the_known(query, graph):
    with pytest.raises(QuerySyntax, match=r"^Unknown prefix foaf:\. Known: e:, owl:, rdf:, rdfs:, xsd:\.") as e: graph.query(query)
    assert len(str(e.value)) < 300

def test_an_unknown_prefix_of_a_name_reads_the_same(graph):
    with pytest.raises(QueryRefused, match=r"^Unknown prefix foaf:\. Known: e:, "): graph.expand("foaf:x")
    assert graph.query("PREFIX foaf: <http://example.org/> SELECT ?s { ?s foaf:i 1 }").rows == [["e:a"]]

@pytest.mark.parametrize("query", ["SELECT ?p { _:b0 ?p ?o }", "ASK { e:b e:part _:b1 }", "CONSTRUCT { ?s e:p ?o } WHERE { ?s e:p _:b0 . _:b0 e:x ?o }"])
def test_a_blank_node_of_a_result_is_refused_in_the_next_query(query, graph):
    with pytest.raises(QueryRefused, match="blank node of one result"): graph.query(query)

def test_other_blank_nodes_are_variables_and_templates_may_have_them(graph):
    assert graph.query("SELECT ?v { e:b e:part _:x . _:x e:x ?v }").rows == [["1"]]
    assert len(graph.query("CONSTRUCT { _:b0 e:p ?v } WHERE { e:a e:i ?v }")) == 1
    found = tools_of(graph)["sparql_peek"]("_:b0")
    assert "blank node of one result" in found["error"]

@pytest.mark.parametrize("condition, n", [("!!?v", 3), ("! !?v", 3), ("!!!?v", 0), ("!!(?v = '9')", 1), ("!!BOUND(?v) && !!true", 3)])
def test_not_may_stand_twice(condition, n, graph):
    assert len(graph.query(f"SELECT ?s {{ ?s e:n ?v FILTER({condition}) }}")) == n

@pytest.mark.parametrize("query, place", [("SELECT ?s {\n ?s e:n ?v .\n FILTER(STRLEN(?v, 2) > 1) }", "line 3, column 2"),
    ("SELECT ?s {\n# e:n\n ?s e:n ?v ] }", "line 3, column 12"), ("SELECT ?s { ?s e:n ?v }\nLIMIT 3 LIMIT 4", "line 2, column 9"),
    ("SELECT ?s { ?s e:n '\\u0041' ] }", "near '] }'")])
def test_an_error_counts_lines_in_the_text_as_it_was_written(query, place, graph):
    with pytest.raises(QuerySyntax, match=re.escape(place)): graph.query(query, limit=2)

@pytest.mark.parametrize("query, said", [("SELECT ?s {\n ?s e:n ?v .\n BIND(1 AS ?v) }", "new name after AS"), ("SELECT (1 AS ?v) ?v { ?s e:n ?v }", "new name after AS"),
    ("SELECT ((COUNT(?s)/?n) AS ?x) { ?s e:i ?n }", "GROUP BY")])
def test_what_an_engine_cannot_read_is_said_in_words_of_the_query(query, said, graph):
    with pytest.raises(QuerySyntax, match=said) as e: graph.query(query)
    assert "error at" not in str(e.value)

# Rows

@pytest.mark.parametrize("query, rows", [("SELECT ?x { ?s e:n ?n OPTIONAL { ?s e:nope ?x } }", [[None]]*3), ("SELECT * { }", [[]]),
    ("SELECT ?z { e:a e:n ?n }", [[None]]), ("SELECT (MIN(?z) AS ?m) { ?s e:nope ?z }", [[None]]), ("SELECT ?x { VALUES ?x { '' UNDEF } }", [[""], [None]]),
    ("SELECT ?l { e:a e:like ?l } ORDER BY ?l", [["e:b"], ['"e:b"']]), ("SELECT ?v { VALUES ?v { '_:b0' '<http://q.org/z>' 'see: this' '\"e:b\"' '12:30' } }",
    [['"_:b0"'], ['"<http://q.org/z>"'], ["see: this"], ['""e:b""'], ["12:30"]]), ("SELECT ?d { e:a e:dec ?d }", [["5"]]),
    ("SELECT (AVG(?n) AS ?v) { ?s e:n ?n }", [[None]]), ("SELECT (SUM(?n) AS ?v) { ?s e:age ?n }", [[None]]), ("SELECT (SUM(?x) AS ?v) { ?s e:age ?n OPTIONAL { ?s e:i ?x } }", [[None]]),
    ("SELECT (AVG(?x) AS ?v) { VALUES ?x { 1 2 2 } }", [["1.666666666666666666"]]), ("SELECT (SUM(?x) AS ?v) { VALUES ?x { 1.5 2.5 } }", [["4"]]),
    ("CONSTRUCT { ?o e:r ?s } WHERE { ?s e:like ?o }", [["e:b", "e:r", "e:a"]]), ("CONSTRUCT WHERE { e:a e:i ?v } LIMIT 2", [["e:a", "e:i", "1"]]),
    ("CONSTRUCT WHERE { e:a e:i ?v ; e:n ?n } ORDER BY ?v", [["e:a", "e:i", "1"], ["e:a", "e:n", "10"]]), ("CONSTRUCT { } WHERE { ?s e:i ?v }", []),
    ("SELECT ?v (COUNT(*) AS ?n) { ?s e:nope ?v } GROUP BY ?v", []), ("SELECT (COUNT(*) AS ?n) { ?s e:nope ?v }", [["0"]]),
    ("SELECT (COUNT(*) AS ?n) { ?s a e:K } GROUP BY (1 AS ?x)", [["3"]]), ("ASK { { SELECT ?v { ?s e:nope ?v } GROUP BY ?v } }", [["false"]]),
    ("SELECT ?s { ?s e:age ?v FILTER(?v > 35) }", [["e:b"]]), ("SELECT ?s { ?s e:age ?v FILTER(5 < ?v) }", [["e:b"]]), ('SELECT ?s { ?s e:age ?v FILTER(?v > "3") }', [["e:a"]]),
    ("SELECT ?s { ?s e:age ?v FILTER(!(?v > 50)) }", [["e:b"]]), ("SELECT ?s { ?s e:like ?v FILTER(?v > 1) }", []), ('SELECT ?s { ?s rdfs:label ?v FILTER(?v < "zebra") }', [["e:b"]]),
    ('SELECT ?s { ?s rdfs:label ?v FILTER(?v < "dog"@en) }', [["e:a"]]), ('SELECT ?s { ?s e:d ?v FILTER(?v > "2002-01-01"^^xsd:date) }', [["e:b"]]),
    ('SELECT ?x { VALUES ?x { "10:00:00"^^xsd:time } FILTER(?x > "09:00:00"^^xsd:time) }', [["10:00:00"]]),
    ('SELECT ?x { VALUES ?x { "2001"^^xsd:gYear 3 } FILTER(?x >= "2001"^^xsd:gYear) }', [["2001"]])])
def test_both_engines_give_these_rows(query, rows, graph):
    assert sorted(graph.query(query).rows, key=str) == sorted(rows, key=str)

def test_a_service_gives_the_same_rows(ttl, fast):
    query = "SELECT ?x ?l { e:a e:like ?l OPTIONAL { e:a e:nope ?x } } ORDER BY ?l"
    s = Standin(ttl)
    with closing(s), load_graph(endpoint_url=s.url, prefixes=fast.prefixes) as g:
        assert g.query(query).rows == fast.query(query).rows == [[None, "e:b"], [None, '"e:b"']]
        assert len(g.query("DESCRIBE e:a LIMIT 1")) == 10

def test_tools_tell_unbound_from_empty(graph):
    tools = tools_of(graph)
    found = tools["sparql_query"]("SELECT ?s ?e { ?s a e:K OPTIONAL { ?s e:empty ?e } } ORDER BY ?s")
    assert found["rows"] == tools["sparql_slice"](found["key"])["rows"] == [["e:a", ""], ["e:b", None], ["e:c", None]]
    assert "unbound" in graph.query("SELECT ?x { VALUES ?x { UNDEF } }")._repr_html_()

# Pages and cut values

def test_every_page_has_a_next_offset(fast):
    tools = tools_of(fast)
    found = tools["sparql_query"]("SELECT ?s ?p { ?s ?p ?o }")
    pages = [0]
    while pages[-1] is not None: pages.append(tools["sparql_slice"](found["key"], offset=pages[-1], limit=5)["next_offset"])
    assert len(pages) > 3 and "next_offset (None" in " ".join(tools["sparql_slice"].__doc__.split())
    assert tools["sparql_slice"](found["key"], offset=10**6)["next_offset"] is None

@pytest.mark.parametrize("max_chars", [400, 1000])
@pytest.mark.parametrize("select", ["?b", "?q", "?c ?b ?q", "?b ?c ?q"])
def test_a_cut_value_has_a_mark_and_its_rest_is_within_reach(select, max_chars, fast):
    store = BlobStore()
    tools = tools_of(fast, store=store, max_chars=max_chars)
    found = tools["sparql_query"](f"SELECT {select} {{ ?c e:big ?b ; e:quoted ?q }}")
    whole = json.loads(store.get(found["key"]))["rows"][0]
    page = tools["sparql_slice"](found["key"])
    assert len(json.dumps(page, ensure_ascii=False)) <= max_chars and page["next_offset"] is None
    first = next(i for i, cell in enumerate(page["rows"][0]) if cell != whole[i])
    shown, mark, left = page["rows"][0][first].rpartition("... [")
    assert mark and left == f"{len(whole[first])-len(shown):,} more characters]"
    read, call = "", page["rest"]
    while call:
        part = eval(call, tools)
        read, call = read+part["text"], part.get("rest")
    rest = json.loads('["'+read)
    assert shown+rest[0] == whole[first] and rest[1:] == whole[first+1:]

# Notes

@pytest.mark.parametrize("query, said", [
    ('SELECT ?s { ?s rdfs:label "cat" }', ['"cat"@en', "language tag"]), ('SELECT ?s { ?s rdfs:label "dog" }', ['"Dog"']),
    ('SELECT ?s { ?s rdfs:label ?l FILTER(?l = "cat") }', ['"cat"@en', "language tag"]), ('SELECT ?s { VALUES ?l { "cat" } ?s rdfs:label ?l }', ['"cat"@en', "language"]),
    ('SELECT ?s { BIND("cat" AS ?l) ?s rdfs:label ?l }', ['"cat"@en', "language"]), ('SELECT ?s { ?s rdfs:label ?l FILTER(CONTAINS(?l, "dog")) }', ['"Dog"', "LCASE"]),
    ('SELECT ?s { ?s rdfs:label ?l FILTER(REGEX(?l, "^dog")) }', ['"Dog"']), ("SELECT ?s { ?s e:age 34 }", ['"34"']), ('SELECT ?s { ?s e:i "1" }', ["has 1 there"]),
    ("SELECT ?s { ?s e:n ?n FILTER(?n > 5) }", ["are text", "xsd:decimal(?n)"]), ('SELECT ?s { ?s e:i ?n FILTER("0" < ?n) }', ["are numbers", "without quotation marks"]),
    ('SELECT ?s { ?s e:d ?d FILTER(?d > "2002-01-01") }', ["xsd:date"]), ("SELECT ?s { ?s e:d ?d FILTER(?d > 2002) }", ["YEAR(?d)"]),
    ('SELECT ?s { ?s e:dt ?d FILTER(?d > "2002-01-01"^^xsd:date) }', ["are text", "xsd:date(?d)"]), ('SELECT ?s { ?s e:d "2001-02-03" }', ['"2001-02-03"^^xsd:date']),
    ("SELECT ?s { ?s e:dec 5 }", ["xsd:decimal", "xsd:integer"]), ('SELECT ?s { ?s rdfs:label ?l FILTER(LANG(?l) = "de") }', ["languages"]),
    ('SELECT ?s { ?s a e:K FILTER EXISTS { ?s rdfs:label "cat" } }', ['"cat"@en', "language tag"]), ('DESCRIBE ?s { ?s rdfs:label "cat" }', ['"cat"@en', "language tag"]),
    ("SELECT ?s { ?s e:n ?n FILTER(?n*2 > 5) }", ["?n are text", "xsd:decimal(?n)"]), ("SELECT (-?n AS ?m) { ?s e:n ?n }", ["Arithmetic", "xsd:decimal(?n)"]),
    ("SELECT ?m { ?s e:n ?n BIND(1 + ?n AS ?m) }", ["Arithmetic", "xsd:decimal(?n)"]), ("SELECT (SUM(?n/2) AS ?m) { ?s e:n ?n }", ["xsd:decimal(?n)"]),
    ("SELECT (?l + 1 AS ?m) { ?s rdfs:label ?l }", ["Arithmetic needs numbers"]), ("SELECT ?s { ?s e:n ?n } ORDER BY DESC(?n) LIMIT 1", ["compares text", "ORDER BY DESC(xsd:decimal(?n))"]),
    ("SELECT ?n { ?s e:n ?n } ORDER BY ?n", ["compares text", "ORDER BY xsd:decimal(?n)"]), ("SELECT ?n { ?s e:n ?n } order by asc( ?n )", ["ASC(xsd:decimal(?n))"]),
    ('SELECT ?s { ?s a "e:K" }', ["IRIs", "e:K"]), ('ASK { e:b rdfs:label "dog" }', ['"Dog"']), ('SELECT (COUNT(*) AS ?n) { ?s rdfs:label "cat" }', ['"cat"@en'])])
def test_a_note_names_the_detail_that_is_wrong(query, said, fast):
    note = tools_of(fast)["sparql_query"](query)["note"]
    assert all(part in note for part in said), note
    assert len(note) < 500

@pytest.mark.parametrize("query, name", [("SELECT (AVG(?n) AS ?v) { ?s e:n ?n }", "AVG"), ("SELECT ?s (SUM(?n) AS ?v) { ?s e:age ?n } GROUP BY ?s", "SUM"),
    ("SELECT (MIN(?n) AS ?v) { ?s e:n ?n }", "MIN"), ("SELECT ?s { ?s e:n ?n } GROUP BY ?s HAVING (AVG(?n) > 9)", "AVG")])
def test_a_note_says_that_numbers_are_text(query, name, graph):
    note = tools_of(graph)["sparql_query"](query)["note"]
    assert name in note and "text" in note and f"{name}(xsd:decimal(?n))" in note and "HAVING" not in note

@pytest.mark.parametrize("query", ["SELECT (COUNT(?z) AS ?n) { ?x a e:K OPTIONAL { ?x e:nope ?z } }", "SELECT ?e { e:a e:empty ?e }", "SELECT (SUM(?i)-1 AS ?z) { ?s e:i ?i }",
    "SELECT (MAX(?i) = 2 AS ?z) { ?s e:i ?i }", "SELECT ?s { ?s a e:K } LIMIT 500", "SELECT (AVG(?i) AS ?v) { ?s e:i ?i }", "SELECT (MIN(?l) AS ?v) { ?s rdfs:label ?l }",
    "SELECT ?l { ?s rdfs:label ?l } ORDER BY ?l", "SELECT ?v { ?s e:i ?v } ORDER BY ?v LIMIT 1", "SELECT ?d { ?s e:dt ?d } ORDER BY ?d", "SELECT ?s ?i { ?s a e:K OPTIONAL { ?s e:i ?i } } ORDER BY ?i",
    "SELECT (?i + 1 AS ?j) { ?s a e:K OPTIONAL { ?s e:i ?i } }", "SELECT ?v { VALUES ?v { '1984' 'Emma' } } ORDER BY ?v", "SELECT ?v { VALUES ?v { '1984' '2001' } } ORDER BY ?v",
    "SELECT (MAX(?v) AS ?m) { VALUES ?v { '1984' 'Emma' } }", "SELECT (MAX(?v) AS ?m) { VALUES ?v { '1984' '2001' } }"])
def test_a_right_answer_has_no_note(query, graph):
    assert "note" not in tools_of(graph)["sparql_query"](query)

@pytest.mark.parametrize("query, said", [("SELECT ?s { ?s a e:K } OFFSET 10", "OFFSET 10"), ("SELECT ?s { ?s a e:K } LIMIT 0", "LIMIT 0"),
    ("SELECT ?s { ?s a e:K } GROUP BY ?s HAVING (COUNT(*) > 9)", "HAVING")])
def test_only_what_stands_outside_is_named(query, said, fast):
    assert tools_of(fast)["sparql_query"](query)["note"] == f"The patterns have rows; {said} leaves none."

def test_limit_was_cut_is_said_where_rows_are_missing_and_beside_other_reasons(fast):
    query = tools_of(fast)["sparql_query"]
    assert query("SELECT ?s { ?s a e:Nope } LIMIT 500")["note"] == "Nothing in the graph matches: ?s a e:Nope"
    assert query("SELECT ?s { ?s a e:K } LIMIT 500", limit=2)["note"] == "LIMIT was cut to 2"

def test_gold_queries_of_bestiary_have_no_note_that_blames_what_stands_outside(tmp_path):
    suite = data/"suites/bestiary/bestiary.zip"
    if not suite.exists(): pytest.skip("the Bestiary suite is not on this machine")
    with zipfile.ZipFile(suite) as packed: packed.extractall(tmp_path)
    questions = json.loads((tmp_path/"beastiary_with_qald_format.json").read_text())["questions"]
    asked = [q["query"]["sparql"] for q in questions if re.match(r"(?is).*\b(ASK|COUNT)\b", q["query"]["sparql"])]
    with load_graph(tmp_path/"beastiary_kg.rdf", engine="oxigraph", isolate=False) as g:
        query = tools_of(g)["sparql_query"]
        notes = [query(text).get("note", "") for text in asked]
    assert len(asked) > 20 and not [note for note in notes if "patterns have rows" in note]

# Arguments

def test_a_wrong_name_of_an_argument_meets_the_one_that_is_missing(fast):
    tools = tools_of(fast)
    for name, wrong, right in (("sparql_query", "sparql", "query"), ("sparql_query", "q", "query"), ("sparql_peek", "iri", "resource"), ("sparql_slice", "handle", "ref")):
        assert f"did you mean {right!r}?" in tools[name](**{wrong: "x"})["error"]
    assert "it has query, limit, explain" in tools["sparql_query"]("ASK {}", rows=3)["error"]

@pytest.mark.parametrize("k", [1.5, "3", None, [2]])
def test_a_count_that_is_none_is_refused_as_it_was_given(k):
    with pytest.raises(ValueError, match=re.escape(f"k={k!r}; give")): seed_bank().search("count", k)
    with pytest.raises(ValueError, match=re.escape(f"k={k!r}; give")): nearby(seed_bank(), seed_bank().all()[0], k)

def test_a_limit_is_a_whole_number(fast):
    for limit in (1.5, "many", None):
        with pytest.raises(QueryRefused, match="whole number"): fast.query("ASK {}", limit=limit)
    assert "whole number" in tools_of(fast)["sparql_query"]("ASK {}", limit=1.5)["error"]
    assert len(fast.query("SELECT ?s { ?s a e:K }", limit="2")) == 2

def test_a_graph_has_a_length_and_is_true_without_triples(fast, tmp_path):
    assert len(fast) == fast.n_triples > 20
    (tmp_path/"empty.ttl").write_text("")
    with load_graph(tmp_path/"empty.ttl", isolate=False) as empty: assert len(empty) == 0 and empty

def test_none_crosses_into_a_tools_return():
    assert portable(dict(gone=None, row=["a", None])) == dict(gone=None, row=["a", None])
    assert without_none(a=1, b=None) == dict(a=1)
