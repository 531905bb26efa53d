"""No layer is ever longer than its budget, whatever the graph, the text or the budget"""
import json, re
from random import Random
from types import SimpleNamespace
from functools import lru_cache
import pytest
from house import slow
from hypothesis import example, given, settings, strategies as st, HealthCheck
from rbkit.graphs.files import GraphError
from rbkit.graphs.examples import used_terms, uses_of
from rbkit.graphs.graph import load_graph
from rbkit.agents.guides import break_even
from rbkit.context import ContextBuilder
from rbkit.models.sim_reader import read_prompt
from rbkit.packers import check_packer, estimate_tokens, pack_constraints, pack_guide, pack_memory, pack_sense, score_guide
from rbkit.graphs.vocabulary import Klass, Prop
from rbkit.graphs.schema import Schema, schema_of
from rbkit.graphs.suites import load_suite
from rbkit.graphs.synthetic import wide_ontology
from rbkit.retrieval.focus import central, touched
from rbkit.ground.settings import data_path, seeds_path

quick = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
wild = st.text(max_size=200)
budgets = st.one_of(st.integers(0, 120), st.integers(0, 5000))
name = st.one_of(st.from_regex(r"[a-z]{1,4}:[A-Za-z][A-Za-z0-9_]{0,30}", fullmatch=True),
    st.from_regex(r"<http://[a-z]{1,9}/[a-zA-Z0-9/]{0,150}>", fullmatch=True))
share = st.dictionaries(name, st.floats(0, 1), max_size=4)
klass = st.builds(Klass, iri=name, label=wild, count=st.integers(0, 10**9), superclasses=st.lists(name, max_size=3), examples=st.lists(name, max_size=2))
prop = st.builds(Prop, iri=name, label=wild, n=st.integers(0, 10**9), domain=st.lists(name, max_size=2), range=st.lists(name, max_size=2),
    observed_domain=share, observed_range=share, datatypes=share, per_subject_max=st.integers(0, 99), multi_share=st.floats(0, 1),
    functional=st.booleans(), inverse_of=st.one_of(st.just(""), name), coverage=share, numeric_text=st.floats(0, 1), cardinality=st.dictionaries(name, st.just("max 1"), max_size=2))
schema = st.builds(Schema, name=wild, n_triples=st.integers(0, 10**9), prefixes=st.dictionaries(st.from_regex(r"[a-z]{1,4}", fullmatch=True), st.just("http://x.org/")),
    classes=st.lists(klass, max_size=8), properties=st.lists(prop, max_size=10), labels=st.dictionaries(name, share, max_size=2), namespaces=st.just({}),
    disjoint=st.lists(st.tuples(name, name), max_size=3), inverses_both_ways=st.lists(st.tuples(name, name), max_size=5), only_subclass_typed=st.lists(name, max_size=3),
    skipped=st.just([]))
item = st.builds(SimpleNamespace, title=wild, description=wild, content=st.text(max_size=600), polarity=st.sampled_from(["success", "failure", "seed", "contrastive", "pattern"]),
    preconditions=wild, pitfalls=wild)

@quick
@given(schema, budgets, st.one_of(st.none(), wild))
def test_sense_keeps_its_budget(s, budget, question):
    focus = touched(s, question) if question else None
    check_packer(lambda s, b: pack_sense(s, b, focus), [s], [budget, budget+1])
    check_packer(lambda s, b: pack_constraints(s, b, focus=focus), [s], [budget])
    assert estimate_tokens(pack_sense(s, budget, count=estimate_tokens).text) <= budget

@quick
@given(schema, budgets, st.fixed_dictionaries(dict(avoid=st.lists(wild, max_size=4), check=st.lists(wild, max_size=4))))
def test_constraints_keep_their_budget(s, budget, rules):
    check_packer(lambda s, b: pack_constraints(s, b, rules), [s], [budget, 3*budget])
    assert estimate_tokens(pack_constraints(s, budget, rules, count=estimate_tokens).text) <= budget

@quick
@given(st.lists(item, max_size=6), budgets, st.integers(0, 1500))
def test_memory_keeps_its_budget(items, budget, item_chars):
    p = pack_memory(items, budget, item_chars)
    assert len(p.text) <= budget and p == pack_memory(items, budget, item_chars) and p.kept+p.left_out == len(items)
    assert p.text.count("\n## ")+p.text.startswith("## ") == p.kept and "\r" not in p.text
    got = [l.rsplit("[", 1)[1] for l in p.text.split("\n") if l.startswith("## ")]
    tags = ["success", "seed", "pattern", "contrastive", "failure"]
    places = [tags.index(re.split(r"[],]", t)[0]) for t in got] # a warning may follow a tag
    assert places == sorted(places)

@quick
@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\n\n\n#` -Route")), max_size=1500), budgets)
@example("\xa00", 0) # a no-break space is text
def test_guides_keep_their_budget(text, budget):
    check_packer(pack_guide, [text], [budget, budget//2, 200])

@lru_cache(maxsize=None)
def measured(path):
    with load_graph(path, isolate=False) as g: return schema_of(g)

@pytest.mark.parametrize("suite", sorted(p.name for p in (seeds_path()/"graphs").iterdir() if p.is_dir()) or ["none"])
def test_the_seeds_pack(suite):
    if suite == "none": pytest.skip("no seed graphs")
    s = measured(seeds_path()/"graphs"/suite)
    check_packer(pack_sense, [s]); check_packer(pack_constraints, [s])
    full = pack_constraints(s, 1000).text
    assert "Avoid: " in full and "Check: " in full and " -> " in full and "Labels: " in pack_sense(s, 600).text

def ontologies():
    d = data_path()
    return sorted(p for p in (d/"ontologies").iterdir() if p.suffix != ".obo") if d and (d/"ontologies").exists() else []

LARGE = ("schemaorg", "sio-release") # as many smaller ones are packed always
def size_of(path): return slow(path) if path and path.name.startswith(LARGE) else path

@pytest.mark.parametrize("path", [size_of(path) for path in ontologies()] or [None], ids=lambda p: p.name if p else "absent")
def test_real_ontologies_pack(path):
    if path is None: pytest.skip("the setting data_path points nowhere: outside ontologies are absent")
    s = measured(path)
    some = [0, 7, 40, 100, 333, 600, 2500]
    check_packer(pack_sense, [s], some); check_packer(pack_constraints, [s], some)
    check_packer(lambda s, b: pack_sense(s, b, touched(s, "Which agent wrote this document?")), [s], some)
    assert not s.own_classes or pack_sense(s, 600).kept > 2

def test_both_kinds_fit_in_a_thousand():
    if not (seeds_path()/"constraints.json").exists(): pytest.skip("no seeds/constraints.json")
    lines = pack_constraints(measured(seeds_path()/"graphs"/"proteins"), 1000).text.split("\n")
    rules = sum(len(l)+1 for l in lines if l.startswith(("Avoid:", "Check:")))
    assert 250 <= rules <= 550 and sum("->" in l for l in lines) >= 4

def test_disjointness_is_explained_rightly():
    s = Schema("x", 1, {}, [], [], {}, {}, [("e:A", "e:B")], [], [], [])
    assert pack_constraints(s, 500, {}).text == "e:A disjoint with e:B: one node must not be typed as both; joining the two classes is fine"

def test_traps_are_named(tmp_path):
    (tmp_path/"g.ttl").write_text("""@prefix e: <http://e.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        e:up a owl:TransitiveProperty , owl:FunctionalProperty ; owl:inverseOf e:down . e:B rdfs:subClassOf e:A , [ a owl:Restriction ; owl:onProperty e:up ; owl:maxCardinality 1 ] .
        e:b1 a e:B ; e:mass "12" ; e:tag "x" , "y" ; e:up e:b2 ; e:near e:b2 ; e:ref e:c . e:b2 a e:B ; e:mass "13.5" ; e:near e:b1 ; e:up e:c ; e:ref "see" . e:c a e:C .""")
    text = pack_constraints(measured(tmp_path/"g.ttl"), 5000, {}).text
    line = {l.split(":")[1]: l for l in text.split("\n") if "->" in l}
    assert "number stored as a string" in line["mass"] and "[observed 100%]" in line["mass"]
    assert "several values (up to 2)" in line["tag"] and "symmetric use" in line["near"] and "mixed range" in line["ref"]
    assert all(f in line["up"] for f in ("functional", "transitive", "inverse of e:down", "max 1 on e:B"))
    assert "Instances of e:A are typed only with its subclasses" in text

def test_a_question_comes_first():
    s = measured(seeds_path()/"graphs"/"proteins")
    text = pack_sense(s, 600, touched(s, "Which diseases involve a protein?")).text
    assert "up:Disease" in text and "up:disease" in text

def is_named(term, text): return re.search(rf"(?<![\w:.-]){re.escape(term)}(?![\w-])", text)

def named_share(s, asked, focused=True, used=None):
    "The share of questions of which both cards name every term, and the share of terms that they name"
    found = []
    for question, terms in asked:
        focus = touched(s, question, used) if focused else None
        l1 = pack_constraints(s, 1000, focus=focus, hubs=central(s)).text
        l0 = pack_sense(s, 600, focus, beside=l1 if focus else "").text
        assert len(l0) <= 600 and len(l1) <= 1000
        found.append([bool(is_named(t, f"{l0}\n{l1}")) for t in terms])
    return sum(map(all, found))/len(found), sum(map(sum, found))/sum(map(len, found))

@pytest.mark.parametrize("seed", [7])
def test_two_cards_name_what_a_question_needs(tmp_path, seed):
    wide = wide_ontology(tmp_path/"wide.ttl", rng_seed=seed)
    s = measured(tmp_path/"wide.ttl")
    assert (len(s.own_classes), len(s.own_properties)) == (400, 1500)
    asked = [(a.question, a.terms) for a in wide.questions]
    assert named_share(s, asked, focused=False)[0] <= .05 and named_share(s, asked)[0] >= .8

@pytest.mark.parametrize("name, least", [("geography", .9), ("proteins", .9), ("provenance", .9), ("library", 1)])
def test_two_cards_name_what_our_questions_need(name, least):
    suite = load_suite(seeds_path()/("library" if name == "library" else "graphs"))
    g = suite.graph(name)
    s = schema_of(g)
    asked = [(t.question, terms) for t in suite.tasks if t.graph == name and (terms := used_terms(t.gold, g, s))]
    suite.close()
    assert named_share(s, asked)[0] >= least

@pytest.fixture(scope="module")
def uniprot():
    "Its ontology, and two halves of the questions and queries that its service publishes"
    d = data_path()
    pairs = d and d/"suites"/"sib_sparql_examples"/"pairs.jsonl"
    if not (pairs and pairs.exists()): pytest.skip("the setting data_path points nowhere: UniProt's questions are absent")
    lines = [json.loads(line) for line in pairs.read_text(encoding="utf-8").splitlines()]
    files = d/"ontologies"/"uniprot_core.ttl"
    with load_graph(files, isolate=False) as g:
        s = schema_of(g)
        asked = [(x["question"], x["sparql"]) for x in lines if x["project"] == "UniProt" and used_terms(x["sparql"], g, s)]
    assert len(asked) > 100
    Random(20).shuffle(asked)
    return files, asked[:len(asked)//2], asked[len(asked)//2:]

def shares_of(files, asked, examples=()):
    with load_graph(files, isolate=False, examples=examples) as g:
        s = schema_of(g)
        return named_share(s, [(question, used_terms(query, g, s)) for question, query in asked], used=uses_of(g))

def test_cards_of_uniprot_name_five_terms_in_six(uniprot):
    "Its questions speak of Rhea, EC or Swiss-Prot, words that the ontology does not have. Constants were chosen on one half"
    files, chosen_on, held_out = uniprot
    for half in (chosen_on, held_out):
        whole, terms = shares_of(files, half)
        assert whole >= .65 and terms >= .85, (whole, terms)

def test_with_examples_of_its_service_cards_name_all_that_four_questions_in_five_need(uniprot):
    "Neither half is an example for itself"
    files, one, other = uniprot
    for asked, known in ((one, other), (other, one)):
        assert not {q for q, _ in asked} & {q for q, _ in known}
        whole, terms = shares_of(files, asked, [query for _, query in known])
        assert whole >= .8 and terms >= .95, (whole, terms)

def bare_names(card): return re.search(r"\(also: (.*?)(; more.*)?\)$", card, re.M)[1].split()

def test_two_cards_name_nothing_twice():
    question = "In which subcellular location is insulin found?"
    with load_graph(seeds_path()/"graphs"/"proteins", isolate=False) as g:
        both, alone = (ContextBuilder(layers).build(question, g) for layers in ("L0,L1", "L0"))
        again = ContextBuilder("L0,L1", slice_sense=False).build(question, g)["sense"].text
        assert again == ContextBuilder("L0", slice_sense=False).build(question, g)["sense"].text
    names, l1 = bare_names(both["sense"].text), both["constraints"].text
    assert names and not [n for n in names if is_named(n, l1) and n != "rdfs:subClassOf"] and [n for n in bare_names(alone["sense"].text) if is_named(n, l1)]

def test_a_card_of_an_ontology_says_nothing_of_data_that_are_not_there(tmp_path):
    terms = "".join(f"e:C{i} a owl:Class . e:p{i} a owl:ObjectProperty ; rdfs:domain e:C{i%5} ; rdfs:range e:C{i%2} . " for i in range(30))
    (tmp_path/"o.ttl").write_text(f"""@prefix e: <http://e.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        {terms} e:fullName a owl:DatatypeProperty . e:placeName a owl:ObjectProperty ; rdfs:range e:C1 . e:note a owl:AnnotationProperty . <http://e.org/> a owl:Ontology ; e:note "draft" .""")
    s = measured(tmp_path/"o.ttl")
    l0, l1 = pack_sense(s, 400, touched(s, "What is p7 of C2?")).text, pack_constraints(s, 600, {}, focus=touched(s, "What is p7 of C2?")).text
    assert "PREFIX e: " in l0 and "Class " not in l0 and "Inverses" not in l0 and "Labels: declared e:fullName\n" in l0
    assert "e:note" not in l1 and re.search(r"^On e:C2: (e:p\d+, )+e:p\d+ -> e:C[01]; (e:p\d+, )+e:p\d+ -> e:C[01]$", l1, re.M), l1

def test_a_capped_item_ends_at_a_line():
    it = SimpleNamespace(title="T", polarity="success", description="D", content="one thing\nand another\n"+"x"*500)
    opened, *inside, closed = pack_memory([it], 1000, 60).text.split("\n")
    assert inside == ["## T [success]", "one thing", "and another [...]"]
    assert opened.endswith(": advice, not instructions>") and closed == "</"+opened[1:].split(":")[0]+">" and len(opened)+len(closed)+2 <= 60

def test_long_lessons_leave_room_for_a_guardrail():
    "Ten procedures and a guardrail, each of a thousand characters: none was shown of the last when successes came first"
    def wordy(i, polarity): return SimpleNamespace(title=f"T{i}", polarity=polarity, description="D.", content=f"Open lid {i} first; then look again. "*28)
    p = pack_memory([wordy(i, "success") for i in range(10)]+[wordy(99, "failure")], 2000)
    assert (p.kept, p.left_out) == (2, 9) and "T0 [success]" in p.text and "T99 [failure]" in p.text and len(p.text) <= 2000 and p.text.count("[...]") == 2
    assert min(len(part) for part in p.text.split("## ")[1:]) >= 900 and all(line.endswith((".", ";", ")", "]", ">")) for line in p.text.split("\n"))
    short = [SimpleNamespace(title=f"T{i}", polarity="success", description="D.", content="x"*200) for i in range(20)]
    whole = pack_memory(short, 2000)
    assert whole.kept == 8 and "[...]" not in whole.text
    fitting = pack_memory([SimpleNamespace(**{**vars(wordy(1, "success")), "content": "One. "*190}), SimpleNamespace(title="T2", polarity="failure", description="D.", content="Short.")], 2000)
    assert fitting.kept == 2 and "[...]" not in fitting.text, "what fits whole is not cut"

def test_rules_for_other_questions_are_not_shown():
    rules = dict(avoid=[dict(text="averages of none", when="average mean"), dict(text="guessed names")], check=[dict(text="ties at the top", when="most")])
    with load_graph(seeds_path()/"graphs"/"proteins", isolate=False) as g:
        told = {q: ContextBuilder("L1", rules=rules).build(q, g)["constraints"].text for q in ("Which protein is longest?", "What is the average length of the most common ones?")}
    first, second = told.values()
    assert "guessed" in first and "averages" not in first and "ties" not in first and "averages" in second and "ties" in second

def test_break_even_counts_queries():
    assert break_even(100, 10, 5) == 20 and break_even(1, 1, 1) == break_even(1, 1, 2) == float("inf")

def test_a_guide_of_lies_scores_low():
    with load_graph(seeds_path()/"toy"/"graph.ttl", isolate=False) as g:
        good, bad = score_guide("Class up:Protein, property up:organism.", g), score_guide("Class up:Lie, property up:lies.", g)
    assert good.held == 1 and bad.held == 0 and bad.missing == ["up:Lie", "up:lies"] and good.score > bad.score


GUIDE = """# Firm
## Routes
Route ex:Machine to ex:Hall: ?a ex:inHall ?b
Route ex:Machine to ex:Unit: ?a ex:operatedBy ?b
## Values
- Masses are text, in grams or
  in kilograms.
- Status 2 means retired."""


def test_a_guide_shows_what_a_question_is_about():
    plain = str(pack_guide(GUIDE, 150))
    assert "Status 2" not in plain
    asked = str(pack_guide(GUIDE, 150, fits=lambda lines: [float("Status" in line) for line in lines]))
    assert "Status 2 means retired." in asked
    assert "Route ex:Machine to ex:Hall" in asked # the guide's own first line has its turn


def test_a_line_that_goes_on_is_whole():
    shown = str(pack_guide(GUIDE, 110, fits=lambda lines: [float("Masses" in line) for line in lines]))
    assert "- Masses are text, in grams or in kilograms." in shown
def test_the_stand_in_reads_properties_by_class():
    known = read_prompt("On e:A: e:p, e:q -> e:B; e:r\n(also: e:C e:s; more: sparql_schema())")
    assert {e.path: (e.domain, e.range) for e in known.edges} == {"e:p": ("e:A", "e:B"), "e:q": ("e:A", "e:B")}
    assert set(known.props) == {"e:p", "e:q", "e:r", "e:s"} and set(known.classes) == {"e:A", "e:B", "e:C"}
