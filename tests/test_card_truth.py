"""Prompts show memory in full, and cards and tools describe a graph truthfully"""
from types import SimpleNamespace
import json, re
import pytest
from hypothesis import given, settings, strategies as st
from rbkit.agents.turns import memory_layer
from rbkit.context import ContextBuilder
from rbkit.graphs.graph import load_graph
from rbkit.graphs.schema import schema_of
from rbkit.ground.settings import budgets, data_path, seeds_path
from rbkit.ground.shown import even_shares
from rbkit.models.sim_reader import read_prompt
from rbkit.packers import estimate_tokens, pack_constraints, pack_guide, pack_memory, pack_sense
from rbkit.packers.fit import clip
from rbkit.tools.looks import peek_tool
from rbkit.trials.acted import ACTS, without_content
from rbkit.trials.spec import Arm

# Memory: content first

def item(title="A title", content="Do this.", polarity="success", description="", **more):
    fields = dict(title=title, content=content, polarity=polarity, description=description, preconditions="", pitfalls="")
    return SimpleNamespace(**{**fields, **more})

def seeds(*names):
    lines = [line for name in names for line in open(seeds_path()/f"{name}.jsonl", encoding="utf-8")]
    return [SimpleNamespace(**json.loads(line)) for line in lines]

def body(packed):
    "The text of the items, without the fence"
    return packed.text.partition("\n")[2].rpartition("\n")[0]

def content_shown(x, packed, least=40):
    "Does the beginning of a content stand in a text?"
    return x.content[:least] in packed.text

@pytest.mark.parametrize("profile, whole", [("full", True), ("compact", False)])
def test_every_shipped_item_shows_its_content(profile, whole):
    b = budgets(profile)
    for advice in seeds("strategies", "placebo"):
        for guardrail in seeds("guardrails"):
            p = pack_memory([advice, guardrail], b["memory"], b["item_chars"])
            assert p.kept == p.with_content == 2 and len(p.text) <= b["memory"]
            assert content_shown(advice, p) and content_shown(guardrail, p)
            assert not whole or p.whole == 2 and advice.content in p.text and guardrail.content in p.text

def test_compact_holds_two_items_of_300_characters_whole():
    b = budgets("compact")
    def sized(polarity):
        bare = pack_memory([item(polarity=polarity, content="x")], 10**4, 10**4)
        return item(polarity=polarity, content="y"*(300-len(body(bare))+1))
    for pair in (["success", "failure"], ["success", "success"]):
        p = pack_memory([sized(polarity) for polarity in pair], b["memory"], b["item_chars"])
        assert (p.kept, p.whole, p.left_out) == (2, 2, 0) and len(p.text) <= b["memory"]

def test_the_content_comes_before_the_description():
    x = item("A title of some words", "Join on the node. "*8, description="Why and when. "*20)
    p = pack_memory([x], 300)
    assert x.content.strip() in p.text and x.title in p.text and "Why and when" not in p.text
    assert (p.with_content, p.whole) == (1, 0) and body(p).endswith("[...]")

def test_the_title_comes_before_the_description_and_pitfalls_before_it_too():
    x = item("A title of some words", "Join.", description="D"*200, pitfalls="Two nodes.")
    assert "Beware: Two nodes." in pack_memory([x], 160).text and "DDD" not in pack_memory([x], 160).text

@pytest.mark.parametrize("content", ["One sentence without an end "*40, "x"*900, "没有空格的长句子"*90,
    "SELECT ?s { ?s a e:A . ?s e:p ?o ; e:q ?r . } "*20, "- a step\n- another one\n"*40])
@pytest.mark.parametrize("title", ["", "T", "A long title with very many words in it, as people write them "*2])
@pytest.mark.parametrize("most", [60, 120, 300])
def test_a_cut_item_shows_content(content, title, most):
    p = pack_memory([item(title, content, description="D. "*100, pitfalls="P. "*100)], 1000, most)
    shown = body(p).split("]\n", 1)[1].removesuffix(" [...]")
    assert p.with_content == 1 and shown and content.startswith(shown) and len(body(p)) <= most
    assert len(shown) >= most/3

def test_an_item_of_which_no_content_fits_is_left_out():
    p = pack_memory([item("A title", "Do this and that.")], 75)
    assert (p.text, p.kept, p.left_out, p.with_content) == ("", 0, 1, 0)

def test_an_item_that_has_only_a_description_shows_it():
    assert "When it fits" in pack_memory([item(content="", description="When it fits. "*40)], 200).text

def test_what_a_short_item_does_not_need_goes_to_the_other():
    long = item(content="Look again. "*100)
    p = pack_memory([item(content="Short."), item(content="Look again. "*100, polarity="failure")], 1000)
    assert p.kept == 2 and len(p.text) > 960 and "Short." in p.text
    assert len(pack_memory([long, item(polarity="failure", content="Not this. "*100)], 1000).text) > 900

def test_shares():
    assert even_shares([5, 5], 20) == [5, 5] and even_shares([900, 100, 900], 1000) == [450, 100, 450]
    assert even_shares([], 10) == [] and even_shares([3], 0) == [0]

@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.integers(0, 300), st.sampled_from([len, estimate_tokens]))
def test_a_clipped_text_is_a_beginning_that_fits(text, most, count):
    part = clip(text, most, count)
    assert text.startswith(part) and count(part) <= most
    assert part == text or count(text) > most

def test_a_query_is_not_cut_between_its_brackets():
    text = "First find it: SELECT ?s WHERE { ?s a e:A ; e:p ?o } LIMIT 5. Then join on it and see what there is."
    assert clip(text, 66) == "First find it: SELECT ?s WHERE { ?s a e:A ; e:p ?o } LIMIT 5."

def test_a_guide_of_long_lines_shows_the_beginning_of_one():
    text = pack_guide("# Heading\nProteins are linked to taxa by up:organism. "+"They have names. "*30, 200).text
    assert text.startswith("Proteins are linked to taxa by up:organism.") and len(text) <= 200 and "1 more lines" in text

def test_rows_count_the_items_that_show_content():
    items = [item(content="Go on. "*200, id="a"), item(polarity="failure", content="Stop.", id="b")]
    with load_graph(seeds_path()/"toy/graph.ttl", isolate=False) as g:
        context = ContextBuilder("L2", "compact").build("How many?", g, items)
    f = context.figures()
    assert (context.items, f["memory_items_with_content"], f["memory_items_whole"]) == (2, 2, 1)
    layer = memory_layer(items, 400)
    assert (len(layer.retrieved), layer.with_content, layer.whole) == (2, 2, 1)

def test_an_item_without_content_does_not_count_and_is_warned_of():
    arm = Arm("memory", ("L2",))
    rows = [dict(arm="memory", memory_chars=90, memory_items_injected=2, memory_items_with_content=n) for n in (0, 1)]
    assert [ACTS["shown"].count(row) for row in rows] == [0, 1]
    assert "3 of 4 memory items in the prompts of 'memory'" in without_content([arm], rows)[0]
    whole = [dict(row, memory_items_with_content=2) for row in rows]
    old = [dict(arm="memory", memory_chars=90, memory_items_injected=2)]
    assert without_content([arm], whole) == without_content([arm], old) == [] and ACTS["shown"].count(old[0]) == 2

# Cards and tools: what the file declares is said

PREFIXES = """@prefix e: <http://e.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix dcam: <http://purl.org/dc/dcam/> . @prefix schema: <https://schema.org/> . """

@pytest.fixture
def opened(tmp_path):
    "Open a graph from Turtle, or from a file of the shared data"
    graphs = []
    def open_graph(turtle="", path=None):
        if path is None:
            path = tmp_path/f"g{len(graphs)}.ttl"
            path.write_text(PREFIXES+turtle, encoding="utf-8")
        graphs.append(load_graph(path, isolate=False))
        return graphs[-1]
    yield open_graph
    for graph in graphs: graph.close()

def peek(graph, name, mode="look"): return peek_tool(graph, None, 1000)(name, output_mode=mode)
def l0(graph, budget=600): return pack_sense(schema_of(graph), budget).text
def l1(graph, budget=1000): return pack_constraints(schema_of(graph), budget, {}).text

UNION = "[ owl:unionOf ( e:A e:B e:C ) ]"
ONTOLOGY = f"""e:A a owl:Class . e:B a owl:Class . e:C a owl:Class . e:D a owl:Class ; rdfs:subClassOf e:A .
    e:plain a owl:ObjectProperty ; rdfs:domain e:A ; rdfs:range e:B . e:union a owl:ObjectProperty ; rdfs:domain {UNION} ; rdfs:range {UNION} .
    e:both a owl:ObjectProperty ; rdfs:domain [ owl:intersectionOf ( e:A e:B ) ] .
    e:nested a owl:ObjectProperty ; rdfs:domain [ owl:unionOf ( e:A [ owl:unionOf ( e:B e:C ) ] ) ] .
    e:size a owl:DatatypeProperty ; rdfs:range [ a rdfs:Datatype ; owl:oneOf ( "small" "large" ) ] .
    e:age a owl:DatatypeProperty ; rdfs:range [ a rdfs:Datatype ; owl:onDatatype xsd:integer ; owl:withRestrictions ( [ xsd:minInclusive 0 ] ) ] .
    e:core a rdf:Property ; dcam:domainIncludes e:A , e:B ; dcam:rangeIncludes e:C .
    e:web a rdf:Property ; <http://schema.org/domainIncludes> e:A ; schema:rangeIncludes e:B ."""

@pytest.mark.parametrize("name, domain, range_", [("plain", "A", "B"), ("union", "ABC", "ABC"), ("both", "AB", ""), ("nested", "ABC", ""),
    ("core", "AB", "C"), ("web", "A", "B")])
@pytest.mark.parametrize("mode", ["look", "schema"])
def test_a_peek_of_an_unused_property_shows_what_is_declared(opened, name, domain, range_, mode):
    found = peek(opened(ONTOLOGY), f"e:{name}", mode)
    assert found["domain"] == [f"e:{c}" for c in domain] and found["range"] == [f"e:{c}" for c in range_] and found["uses"] == 0

def test_a_peek_shows_data_ranges(opened):
    g = opened(ONTOLOGY)
    assert peek(g, "e:size")["range"] == ["xsd:string"] and "one of large, small" in peek(g, "e:size")["declared"]
    assert peek(g, "e:age")["range"] == ["xsd:integer"] and "domain: all of these" in peek(g, "e:both")["declared"]

@pytest.mark.parametrize("name", ["A", "D"])
def test_a_peek_of_a_class_without_instances_shows_its_declared_properties(opened, name):
    g = opened(ONTOLOGY)
    names = {p["iri"] for p in peek(g, f"e:{name}", "schema")["properties"]}
    assert names == {"e:plain", "e:union", "e:both", "e:nested", "e:core", "e:web"}
    lines = peek(g, f"e:{name}")["properties"]
    assert "e:plain -> e:B, declared, not used" in lines and all("declared, not used" in line or "<-" in line for line in lines)

def test_a_peek_of_a_class_with_data_shows_what_is_used(opened):
    data = "".join(f"e:a{i} a e:A ; e:used e:b{i} . e:b{i} a e:B . " for i in range(3))
    g = opened(f"""e:A a owl:Class . e:B a owl:Class . e:Empty a owl:Class . e:used a owl:ObjectProperty ; rdfs:domain e:A ; rdfs:range e:B .
        e:unused a owl:ObjectProperty ; rdfs:domain e:A , e:Empty . {data}""")
    assert [p["iri"] for p in peek(g, "e:A", "schema")["properties"] if p["iri"].startswith("e:")] == ["e:used"]
    assert [p["iri"] for p in peek(g, "e:Empty", "schema")["properties"]] == ["e:unused"]
    assert peek(g, "e:used", "schema") == dict(kind="property", iri="e:used", domain=["e:A"], range=["e:B"], uses=3)

def test_a_long_list_of_classes_says_how_many_are_left_out(opened):
    names = " ".join(f"e:C{i}" for i in range(9))
    g = opened("".join(f"e:C{i} a owl:Class . " for i in range(9))+f"e:p a owl:ObjectProperty ; rdfs:domain [ owl:unionOf ( {names} ) ] .")
    assert peek(g, "e:p")["domain"][-1].startswith("and 3 more") and len(peek(g, "e:p", "schema")["domain"]) == 9
    assert "On e:C0 or e:C1 or 7 more: e:p" in l1(g, 60) or "[declared, one of 9 domains, not used]" in l1(g)

@pytest.mark.parametrize("declared, said", [("rdfs:domain [ owl:unionOf ( e:A e:B ) ]", "On e:A or e:B: e:p0"),
    ("rdfs:domain [ owl:intersectionOf ( e:A e:B ) ]", "On e:A and e:B: e:p0"), ("schema:domainIncludes e:A , e:B , e:C", "On e:A or e:B or 1 more: e:p0"),
    ("rdfs:range [ owl:unionOf ( e:A e:B ) ]", "-> e:A or e:B")])
def test_grouped_lines_name_unions(opened, declared, said):
    classes = "e:A a owl:Class . e:B a owl:Class . e:C a owl:Class . "
    g = opened(classes+"".join(f"e:p{i} a owl:ObjectProperty ; {declared} . " for i in range(40)))
    text = l1(g, 300)
    assert said in text
    edges = read_prompt(text).edges
    ends = {end for edge in edges for end in (edge.domain, edge.range)}
    assert "On " not in said or not edges and {"e:A", "e:B"} <= set(read_prompt(text).classes) or {"e:A", "e:B"} <= ends

def test_lines_of_their_own_count_the_other_classes(opened):
    text = l1(opened(ONTOLOGY))
    assert "e:union: e:A -> e:A [declared, one of 3 domains, one of 3 ranges, not used]" in text
    assert "e:both: e:A -> rdfs:Resource [declared, all of 2 domains, not used]" in text
    assert "one of large, small" in text

@pytest.mark.parametrize("space, prefix", [("http://www.w3.org/ns/shacl#", "sh"), ("http://www.w3.org/2000/01/rdf-schema#", "rdfs"),
    ("http://www.w3.org/2002/07/owl#", "owl"), ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf")])
def test_a_vocabulary_of_vocabularies_has_terms_of_its_own(opened, space, prefix):
    terms = "".join(f"<{space}Kind{i}> a rdfs:Class . <{space}part{i}> a rdf:Property ; rdfs:domain <{space}Kind{i}> . " for i in range(5))
    text = l0(opened(f"@prefix {prefix}: <{space}> . {terms}"))
    assert re.search("[56] classes, [56] properties of its own", text) and f"{prefix}:Kind1" in text

def test_a_graph_that_says_a_little_about_rdfs_has_no_terms_of_it(opened):
    assert "1 classes, 1 properties of its own" in l0(opened("rdfs:label a rdf:Property . e:A a owl:Class . e:p a rdf:Property . e:x a e:A ; e:p e:x ."))

@pytest.mark.parametrize("by", ["rdfs:label", "skos:prefLabel"])
def test_a_code_stands_beside_its_label(opened, by):
    terms = "".join(f"e:X_00{i}1 a owl:Class ; {by} 'thing {i}, plain' . e:X_01{i}1 a owl:ObjectProperty ; {by} 'part {i}' ; rdfs:domain e:X_00{i}1 . "
        for i in range(9))
    g = opened(terms)
    assert 'e:X_0001 "thing 0 plain"' in l0(g, 300) and 'On e:X_0001 "thing 0 plain": e:X_0101 "part 0"' in l1(g, 300)
    known = read_prompt(f"{l0(g, 300)}\n{l1(g, 300)}")
    assert "e:X_0101" in known.props and not [name for name in (*known.props, *known.classes) if '"' in name or name in ("thing", "plain")]
    assert 'e:X_0101 "part 0"' in peek(g, "e:X_0001")["properties"][0] and f"its terms by {by}" in l0(g, 300)

def test_labels_of_an_ontology(opened):
    g = opened("".join(f"e:C{i} a owl:Class ; rdfs:label 'c{i}' . e:{i}Name a owl:DatatypeProperty ; rdfs:domain e:C{i} . " for i in "abcdef")
        +"e:name a owl:DatatypeProperty . e:zz a owl:ObjectProperty .")
    assert "Labels: declared e:name, e:aName, e:bName; its terms by rdfs:label" in l0(g)
    assert "Labels: declared none for things; its terms by rdfs:label" in l0(opened("e:C a owl:Class ; rdfs:label 'c' . e:p a owl:ObjectProperty ; rdfs:label 'p' ."))

def test_restrictions_are_said(opened):
    g = opened("""e:Pie a owl:Class ; rdfs:subClassOf [ owl:onProperty e:has ; owl:someValuesFrom e:Apple ] , [ owl:onProperty e:has ; owl:someValuesFrom e:Dough ] ,
        [ owl:onProperty e:has ; owl:allValuesFrom [ owl:unionOf ( e:Apple e:Dough ) ] ] . e:Apple a owl:Class . e:Dough a owl:Class .
        e:French a owl:Class ; owl:equivalentClass [ owl:intersectionOf ( e:Pie [ owl:onProperty e:from ; owl:hasValue e:France ] ) ] .
        e:has a owl:ObjectProperty . e:from a owl:ObjectProperty .""")
    text = l1(g)
    assert "Each e:Pie: e:has some e:Apple, some e:Dough, only e:Apple or e:Dough" in text and "Each e:French: e:from value e:France" in text
    assert peek(g, "e:French")["demands"] == ["e:from value e:France"]

def test_a_class_that_is_used_through_its_subclasses_counts_them(opened):
    g = opened("""e:Product a owl:Class . e:Car a owl:Class ; rdfs:subClassOf e:Product . e:Van a owl:Class ; rdfs:subClassOf e:Car .
        e:c1 a e:Car , e:Van ; e:p e:v . e:v a e:Van ; e:p e:c1 .""")
    assert "Class e:Product 0, 2 with subclasses" in l0(g)
    assert "e:Product" in read_prompt(l0(g)).empty

def test_an_end_of_many_kinds_is_the_class_above_them(opened):
    wines = "".join(f"e:W{i} a owl:Class ; owl:intersectionOf ( e:Wine [ owl:onProperty e:of ; owl:hasValue e:g{i} ] ) . e:w{i} a e:W{i} ; e:maker e:m . " for i in range(9))
    assert "e:maker: e:Wine -> e:Winery [observed 100%]" in l1(opened(f"e:Wine a owl:Class . e:m a e:Winery . {wines}"), 4000)

def test_own_terms_come_before_those_of_others(opened):
    foreign = "".join(f"<http://a.org/f{i}> a rdf:Property . " for i in range(30))
    g = opened("@prefix a: <http://a.org/> . "+foreign+"".join(f"e:C{i} a rdfs:Class . e:p{i} a rdf:Property ; schema:domainIncludes e:C{i%3} . " for i in range(60)))
    assert "On e:C0: e:p0" in l1(g, 300) and "a:f" not in l1(g, 300) and "e:C0" in l0(g, 300)

def real(name):
    folder = data_path()
    path = folder/"ontologies"/name if folder else None
    return pytest.param(path, id=name, marks=[] if path and path.exists() else pytest.mark.skip(reason="the setting data_path points nowhere"))

@pytest.mark.parametrize("path", [real(name) for name in ("bibo.owl", "foaf.rdf", "prov-o.ttl", "pizza.owl", "shacl.ttl", "skos.ttl")])
def test_peek_says_every_declared_end_of_real_vocabularies(opened, path):
    g = opened(path=path)
    for p in schema_of(g).properties:
        found = peek_tool(g, None, 10**5)(p.iri, output_mode="schema")
        assert not p.domain or found["domain"], p.iri
        assert not p.range or found["range"], p.iri
    assert " 0 classes" not in l0(g) and "; its terms by rdfs:label" in l0(g) and "-> " in l1(g)
