"Graphs that are somebody else's: a suite over HTTP, what services refuse, what is kept of their answers, and who is asked at all"
import gzip, json, resource, shutil, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
import pytest
from house import clean_env, complete, only, rbkit, root, rows
from sparql_server import PAGE, STRICT, Standin, dripping, endless, says
from test_graphs import Server, needs_server
from rbkit.context import ContextBuilder
from rbkit.graphs.answers import KeptAnswers, Reply, answer_key
from rbkit.graphs.checks import check_suite
from rbkit.graphs.endpoint import SparqlService
from rbkit.graphs.examples import uses_of
from rbkit.graphs.files import GraphError
from rbkit.graphs.graph import load_graph
from rbkit.graphs.guard import QueryError, QueryFailed, QueryTimeout, QueryUnavailable
from rbkit.graphs.manifest import read_manifest
from rbkit.graphs.schema import schema_of
from rbkit.graphs.suites import load_suite
from rbkit.handles import BlobStore
from rbkit.ground.ledger import tool
from rbkit.reports.cli import main
from rbkit.tools.sparql import sparql_tools

TOY = root/"seeds/toy"
ONTOLOGY = """@prefix up: <http://purl.uniprot.org/core/> . @prefix protein: <http://purl.uniprot.org/uniprot/> .
@prefix taxon: <http://purl.uniprot.org/taxonomy/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
up:Protein a owl:Class ; rdfs:label "Protein" ; rdfs:comment "A chain of amino acids" . up:Taxon a owl:Class .
up:Enzyme a owl:Class ; rdfs:subClassOf up:Protein .
up:organism a owl:ObjectProperty ; rdfs:domain up:Protein ; rdfs:range up:Taxon .
up:scientificName a owl:DatatypeProperty ; rdfs:domain up:Taxon ; rdfs:range xsd:string ."""
NAMES = "SELECT ?n { ?t a up:Taxon ; up:scientificName ?n } ORDER BY ?n"

JSON = "application/sparql-results+json"

@pytest.fixture
def service(tmp_path, monkeypatch):
    "A service that holds the toy; what is kept lies in a folder of this test"
    monkeypatch.setenv("RBKIT_RESULTS_PATH", str(tmp_path/"results"))
    (tmp_path/"core.ttl").write_text(ONTOLOGY)
    s = Standin(TOY/"graph.ttl")
    yield s
    s.close()

def remote(s, tmp_path, keep=True, url=None, **kw):
    kw = dict(ontology=tmp_path/"core.ttl", name="toy", timeout_secs=5) | kw
    return load_graph(endpoint_url=url or SparqlService(s.url), keep_answers=keep, **kw)

def suite_of(s, folder, *lines, tasks=None):
    "A suite's folder whose manifest names a service"
    folder.mkdir()
    (folder/"core.ttl").write_text(ONTOLOGY)
    said = [f'[graphs.toy]\nendpoint = "{s.url}"\nontology = "core.ttl"\nsecs_between_requests = 0', *lines]
    (folder/"suite.toml").write_text("\n".join(said))
    text = (TOY/"tasks.jsonl").read_text()
    (folder/"tasks.jsonl").write_text("".join(text.splitlines(keepends=True)[:tasks]))
    return folder

# Refusals

def moved(port): return says(307, Location=f"http://127.0.0.1:{port}/sparql")
REFUSALS = dict( # name -> what the service does, the error, words of the sentence
    no_grouping=(says(400, b"GROUP BY is not supported"), QueryFailed, "refuses this query (HTTP 400: GROUP BY is not supported)"),
    page=(says(400, PAGE, "text/html"), QueryFailed, "refuses this query (HTTP 400: Query is too long)"),
    java=(STRICT[r"COUNT\s*\("], QueryTimeout, "gave up on this query"),
    gateway=(says(504, b"<html><title>504 Gateway</title>"), QueryTimeout, "504 Gateway"),
    html_for_rows=(says(200, b"<html><body>Welcome</body></html>", "text/html"), QueryFailed, "holds no results: Welcome"),
    half=(says(200, b'{"head": {"vars": ["n"]}, "results": {"bindings": [\njava.util.concurrent.TimeoutException', "application/sparql-results+json"),
        QueryTimeout, "in the middle of its answer"),
    partial=(says(200, b'{"head": {"vars": ["n"]}, "results": {"bindings": []}}', "application/sparql-results+json", X_SQL_State="S1TAT"), QueryTimeout, "a part of the answer"),
    nested=(says(200, b"["*200_000, "application/sparql-results+json"), QueryFailed, "holds no results"),
    other_shape=(says(200, b'{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": 1}]}}', "application/json"), QueryFailed, "holds no results"),
    drip=(dripping, QueryTimeout, "seconds"),
    endless=(endless, QueryFailed, "exceeds 10,000,000 bytes"),
    crowded=(says(429, Retry_After="0"), QueryUnavailable, "busy (HTTP 429)"),
    crowded_for_long=(says(429, Retry_After="3600"), QueryUnavailable, "busy (HTTP 429), asked 1x"),
    closed=(says(403, b"Forbidden"), QueryFailed, "lets nobody in"),
    nothing_there=(says(404), QueryFailed, "not the address"),
    elsewhere=(says(302, Location="https://example.org/sparql"), QueryFailed, "redirects to https://example.org"),
    other_port=(moved(9), QueryFailed, "redirects to http://127.0.0.1:9"))

@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_is_one_sentence_and_is_never_kept(name, service, tmp_path):
    do, error, words = REFUSALS[name]
    service.refuses = {"Name": do}
    with remote(service, tmp_path) as g:
        with pytest.raises(error) as e: g.query(NAMES, timeout_secs=.5 if name == "drip" else 3)
        said = str(e.value)
        assert words in said and "\n" not in said and "<" not in said and len(said) < 330
    service.refuses = {}
    KeptAnswers(tmp_path/"results/services.db").put_off(service.url, 0)
    if name == "crowded_for_long": shutil.rmtree(tmp_path/"results") # or nobody may ask for an hour
    with remote(service, tmp_path) as g: assert g.query(NAMES).rows == [["Homo sapiens"], ["Mus musculus"]]

def test_whoever_is_asked_for_an_hour_of_quiet_gives_it(service, tmp_path):
    service.refuses = {"(?s).": says(429, Retry_After="3600")}
    with remote(service, tmp_path) as g, remote(service, tmp_path) as h:
        with pytest.raises(QueryUnavailable): g.query(NAMES)
        with pytest.raises(QueryUnavailable, match="may not be asked for another"): h.query("ASK {}")
    assert len(service.heard) == 1

@pytest.mark.parametrize("ways", ["gzip, gzip", "zstd"])
def test_an_answer_that_is_packed_so_that_nobody_knows_how_much_it_is_stays_packed(ways, service, tmp_path):
    whole = b" "*(300*2**20)
    body = gzip.compress(gzip.compress(whole, 1)) if ways != "zstd" else pytest.importorskip("zstandard").compress(whole)
    service.refuses = {".": says(200, body, JSON, Content_Encoding=ways)}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with remote(service, tmp_path, keep=False) as g, pytest.raises(QueryFailed, match=f"packs its answer as '{ways}'"): g.query("ASK {}")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss-before < 50*1024, "kilobytes"

def test_an_answer_that_is_packed_once_is_unpacked_a_little_at_a_time(service, tmp_path):
    yes = b'{"head": {}, "boolean": true}'
    service.refuses = {"ASK": says(200, gzip.compress(yes), JSON, Content_Encoding="gzip"), "SELECT": says(200, gzip.compress(b" "*(300*2**20), 9), JSON, Content_Encoding="gzip"),
        "DESCRIBE": says(200, b"no such thing", "text/turtle", Content_Encoding="gzip")}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with remote(service, tmp_path, keep=False, max_bytes=2**20) as g:
        assert g.query("ASK {}").rows == [["true"]]
        with pytest.raises(QueryFailed, match="exceeds"): g.query("SELECT * {?s ?p ?o}")
        with pytest.raises(QueryFailed, match="is gzip, and it is not"): g.query("DESCRIBE <urn:a>")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss-before < 20*1024, "kilobytes"

def test_half_a_character_of_a_service_is_replaced(service, tmp_path):
    said = json.dumps(dict(head=dict(vars=["x"]), results=dict(bindings=[dict(x=dict(type=kind, value="a\ud800")) for kind in ("literal", "uri", "bnode")])))
    service.refuses = {".": says(200, said.encode(), JSON)}
    with remote(service, tmp_path, keep=False) as g: found = g.query("SELECT ?x {?x ?p ?o}").rows
    assert found[0] == ["a?"] and json.dumps(found, ensure_ascii=False).encode()

def test_a_pause_that_is_no_number_is_no_pause(service, tmp_path):
    for after in ("\u00b2", "soon", "9"*5000+"x"):
        service.refuses = {".": says(429, b"", Retry_After=after)}
        with remote(service, tmp_path, keep=False) as g, pytest.raises(QueryUnavailable, match="busy"): g.query("ASK {}", timeout_secs=.5)

def test_only_the_named_address_is_asked(service, tmp_path):
    other = Standin(TOY/"graph.ttl")
    service.refuses = {"Name": says(307, Location=other.url)}
    with remote(service, tmp_path) as g, pytest.raises(QueryFailed, match="only '127.0.0.1' is asked"): g.query(NAMES)
    other.close()
    assert not other.heard

# Kept answers

def test_a_kept_answer_is_not_asked_for_again(service, tmp_path):
    for _ in range(2):
        with remote(service, tmp_path) as g:
            for query in (NAMES, "ASK { ?p a up:Protein }", "CONSTRUCT { ?p a up:Protein } WHERE { ?p a up:Protein }"):
                assert g.query(query).rows and g.query(query).rows
    assert len(service.heard) == 3
    with remote(service, tmp_path) as g: # what a limit leaves out is another answer
        assert len(g.query(NAMES, limit=1)) == 1 and len(service.heard) == 4
    with remote(service, tmp_path, keep=False) as g: assert g.query(NAMES).rows
    assert len(service.heard) == 5

def test_kept_answers_are_those_of_one_graph_of_one_service(tmp_path, service):
    g1, g2 = "http://example.org/g1", "http://example.org/g2"
    named = Standin(TOY/"graph.ttl", graph=g1)
    found = []
    for url, graph in ((service.url, ""), (named.url, ""), (named.url, g1), (named.url, g2)):
        with remote(None, tmp_path, url=SparqlService(url, graph)) as g: found.append(len(g.query(NAMES)))
    named.close()
    assert found == [2, 0, 2, 0] and len(named.heard) == 3

ASKS = """
import sys
from rbkit.graphs.endpoint import SparqlService
from rbkit.graphs.graph import load_graph
with load_graph(endpoint_url=SparqlService(sys.argv[1], gap_secs=.001), keep_answers=True, prefixes=dict(up="http://purl.uniprot.org/core/")) as g:
    print([len(g.query(f"SELECT ?p {{ ?p a up:Protein }} LIMIT {n}")) for n in range(1, 4) for _ in range(5)])
"""

def test_processes_share_what_is_kept(service, tmp_path):
    env = clean_env(RBKIT_RESULTS_PATH=str(tmp_path/"results"))
    started = [subprocess.Popen([sys.executable, "-c", ASKS, service.url], env=env, cwd=root, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {p.communicate(timeout=120)[0].strip() for p in started}
    assert said == {str([1]*5+[2]*5+[3]*5)} and 3 <= len(service.heard) <= 9
    before = len(service.heard)
    with remote(service, tmp_path, ontology=()) as g: assert len(g.query("SELECT ?p { ?p a <http://purl.uniprot.org/core/Protein> } LIMIT 3")) == 3
    assert len(service.heard) == before+1

def test_a_damaged_file_is_said_to_be_one(service, tmp_path):
    (tmp_path/"results").mkdir()
    (tmp_path/"results/services.db").write_text("no database "*99)
    with remote(service, tmp_path) as g, pytest.raises(QueryFailed, match="Remove that file, or say keep_answers=false"): g.query(NAMES)
    assert not service.heard

def test_places_in_the_row_are_apart(tmp_path):
    kept = KeptAnswers(tmp_path/"s.db")
    with ThreadPoolExecutor(8) as pool: places = sorted(pool.map(lambda i: KeptAnswers(tmp_path/"s.db").take_turn("a", 2.0, 1000.0), range(20)))
    assert places == [2.0*i for i in range(20)]
    kept.put("k", "a", Reply("t", b"x"*100_000))
    assert kept.find("k").body == b"x"*100_000 and kept.forget("b") == 0 and kept.forget("a") == 1 and kept.find("k") is None
    assert answer_key("a", "bc") != answer_key("ab", "c")

# What the ontology knows

def shown(g):
    "What an agent is shown of a graph: L0, L1, and the tools that look"
    built = ContextBuilder("L0,L1").build("Which proteins does a taxon have?", g)
    schema, peek, query, _ = sparql_tools(g, None, BlobStore(), tool)
    return {**{layer.name: layer.text for layer in built.layers}, "schema": str(schema("classes")), "class": str(peek("up:Protein")), "property": str(peek("up:organism")),
        "grouped": str(query("SELECT ?t (COUNT(*) AS ?n) { ?p up:organism ?t } GROUP BY ?t"))}

KNOWN = dict(sense=["Class up:Protein", "Property up:organism"], constraints=["up:organism: up:Protein -> up:Taxon [declared", "up:Enzyme subclass of up:Protein"],
    schema=["up:Protein", "'label': 'Protein'", "up:organism"], property=["up:Protein", "up:Taxon"])
KNOWN["class"] = ["up:organism -> up:Taxon"]

@pytest.mark.parametrize("refuses", [{}, STRICT, {"(?s).": says(503)}, {"(?s).": says(200, PAGE, "text/html")}, {"(?s).": dripping}], ids=["lenient", "strict", "busy", "page", "slow"])
def test_what_the_file_knows_is_said_whatever_the_service_does(refuses, service, tmp_path):
    service.refuses = refuses
    with remote(service, tmp_path, timeout_secs=.4) as g: said = shown(g)
    for name, texts in KNOWN.items():
        assert all(text in said[name] for text in texts), f"{name}: {said[name]}"
    if not refuses: assert "Class up:Protein 3 e.g. protein:P01308" in said["sense"] and "'count': 3" in said["class"] and "'total': 2" in said["grouped"]
    else: assert "Class up:Protein 0" not in said["sense"] and "'error': " in said["grouped"]
    if refuses is STRICT: assert "rdfs:label seen on up:Protein" in said["sense"] and "up:scientificName seen on up:Taxon" in said["sense"]
    elif refuses: assert "Labels: not measured" in said["sense"]
    if refuses is STRICT: assert "rdfs:label e.g. " in said["class"] and "Class up:Protein e.g. protein:P" in said["sense"] and "e.g. taxon:" in said["class"] and "GROUP BY is not supported" in said["grouped"]
    elif refuses: assert "As the ontology says; examples are missing" in said["class"] and "As the ontology says" in said["property"]

def test_a_service_that_may_not_be_asked_to_count_is_not(service, tmp_path):
    with remote(service, tmp_path, url=SparqlService(service.url, counts=False)) as g:
        found = schema_of(g)
        assert not service.heard and found.klass("up:Protein").label == "Protein" and found.prop("up:organism").domain == ["up:Protein"]

def test_single_terms_are_counted_where_all_at_once_are_not(service, tmp_path):
    service.refuses = {r"GROUP\s+BY": STRICT[r"GROUP\s+BY"]}
    with remote(service, tmp_path) as g: found = schema_of(g)
    assert [found.klass(f"up:{name}").count for name in ("Protein", "Taxon", "Enzyme")] == [3, 2, 0]
    assert found.prop("up:organism").n == 3 and found.n_triples == 15 and not found.prop("up:organism").measured

@pytest.mark.parametrize("refuses", [STRICT, {"(?s).": says(503)}], ids=["strict", "busy"])
def test_what_was_learned_is_kept_unless_the_service_was_away(refuses, service, tmp_path, monkeypatch):
    monkeypatch.setattr("rbkit.graphs.schema._SCHEMAS", {})
    service.refuses = refuses
    with remote(service, tmp_path, timeout_secs=.4) as g: first = schema_of(g)
    monkeypatch.setattr("rbkit.graphs.schema._SCHEMAS", {})
    asked = len(service.heard)
    service.refuses = {}
    with remote(service, tmp_path) as g: second = schema_of(g)
    if refuses is STRICT: assert second == first and len(service.heard) == asked
    else: assert second.klass("up:Protein").count == 3 and len(service.heard) > asked

@needs_server
def test_oxigraphs_own_server_tells_the_same(service, tmp_path):
    real = Server(TOY/"graph.ttl", tmp_path/"db")
    try:
        with remote(None, tmp_path, url=SparqlService(real.url), timeout_secs=20) as g, remote(service, tmp_path, timeout_secs=20) as h:
            one, other = shown(g), shown(h)
            for name in ("sense", "constraints", "schema", "grouped"): assert one[name] == other[name]
            assert "Class up:Protein 3" in one["sense"] and "e.g. " in one["class"] and one["class"].count("taxon:") == other["class"].count("taxon:")
        suite = load_suite(suite_of(real, tmp_path/"my"))
        assert check_suite(suite) == []
        suite.close()
        with remote(None, tmp_path, url=SparqlService(real.url)) as g, pytest.raises(QueryError): g.query("SELECT (xsd:nosuch(?x) AS ?y) { ?x ?p ?o } GROUP BY ?z")
    finally: real.stop()

# Manifests

HOSTS = {"https://sparql.example.org/q": "sparql.example.org (", "http://10.1.2.3:3030/q": "10.1.2.3, a private address", "http://169.254.169.254/latest": "169.254.169.254, a link-local address",
    "http://[fe80::1]/q": "fe80::1, a link-local address", "http://127.0.0.1.example.org/q": "127.0.0.1.example.org ("}
@pytest.mark.parametrize("url", HOSTS)
def test_a_suite_sends_queries_nowhere_that_its_user_did_not_allow(url, service, tmp_path, monkeypatch, capsys):
    "Another host than this machine is refused before anybody is asked; neither the suite nor a folder can allow it"
    folder = suite_of(service, tmp_path/"my")
    text = (folder/"suite.toml").read_text()
    (folder/"suite.toml").write_text(text.replace(service.url, url))
    (tmp_path/".env").write_text("RBKIT_SERVICES=sparql.example.org,10.1.2.3\n")
    asked = []
    monkeypatch.setattr("rbkit.graphs.manifest.load_graph", lambda *args, **kwargs: asked.append(kwargs["endpoint_url"].url))
    monkeypatch.setenv("RBKIT_SERVICES", "other.example.org")
    host = HOSTS[url].partition(",")[0].removesuffix(" (")
    entry = next(iter(read_manifest(folder).values()))
    with pytest.raises(GraphError) as refused: entry.load()
    said = str(refused.value)
    assert HOSTS[url] in said and url in said and "Allowed are this machine, other.example.org" in said and f"RBKIT_SERVICES=other.example.org,{host} into" in said and not asked
    monkeypatch.setenv("RBKIT_SERVICES", f"other.example.org,{host}"); entry.load()
    assert asked == [url]
    with pytest.raises(ValueError, match="unknown key 'services'"):
        (folder/"suite.toml").write_text(text+'\nservices = "sparql.example.org"\n'); read_manifest(folder)

@pytest.mark.parametrize("url", ["http://localhost:1/q", "http://127.0.0.1:1/q", "http://[::1]:1/q"])
def test_a_service_on_this_machine_may_be_asked(url, monkeypatch):
    from rbkit.graphs.manifest import check_allowed
    monkeypatch.delenv("RBKIT_SERVICES", raising=False)
    check_allowed(url)

def test_neither_a_folder_nor_a_run_allows_a_service():
    from rbkit.ground.settings import FOLDER_MAY, OWN_WORD
    from rbkit.reports.again import kept_options
    assert "services" in OWN_WORD and not set(OWN_WORD) & set(FOLDER_MAY) and not kept_options("E1") & {"services", "interpreter", "wasm_path"}

BAD = {'[graphs.a]\nfile = ["core.ttl"]': "unknown key 'file'. Use files, ", '[graphs.a]\nendpoint = "https://a.org/s"\npolitness = 1': "unknown key 'politness'", '[graphs.a]\nendpoint = "ftp://a.org"': "no http(s) address",
    '[graphs.a]\nendpoint = "https://me:pw@a.org/s"': "holds a password", '[graphs.a]\nfiles = ["no.ttl"]': "no such file", '[graphs.a]\nfiles = ["tasks.jsonl"]': "use a file that ends in .ttl",
    '[graphs.a]\nfiles = ["core.ttl"]\nexamples = "core.ttl"': "use a file that ends in .jsonl", '[graphs.a]\nfiles = ["core.ttl"]\nexamples = "asked.rq"': "no such file",
    '[graphs.a]\nfiles = ["core.ttl"]\ncounts = true': "unknown key 'counts'", '[graphs.a]\nfiles = "core.ttl"\nendpoint = "http://a.org"': "either files or an endpoint",
    '[graphs.a]\nendpoint = "https://a.org/s"\ntimeout_secs = 0': "must be a number above 0", '[graphs.a]\nendpoint = "https://a.org/s"\ncounts = "no"': "must be true or false",
    '[graphs."../a"]\nendpoint = "https://a.org/s"': "Use letters", "[graphs]": "It holds tables", "x = 1": "unknown x", "[graphs.a": "not TOML",
    '[graphs.a]\nfiles = "core.ttl"\n[graphs.b]\nfiles = "core.ttl"': "'graph' is None; it must be one of a, b"}

@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_mistake_in_a_manifest_is_one_line(text, service, tmp_path, capsys):
    suite_of(service, tmp_path/"my")
    (tmp_path/"my/suite.toml").write_text(text)
    assert main(["tasks", "check", str(tmp_path/"my")]) == 1
    said = capsys.readouterr().err
    assert BAD[text] in said and said.count("\n") == 1 and str(tmp_path) not in said and not service.heard

def test_cards_begin_with_what_published_examples_use_and_no_example_answers_a_task(service, tmp_path):
    folder = suite_of(service, tmp_path/"my", 'examples = "asked.jsonl"')
    tasks = [json.loads(line) for line in (folder/"tasks.jsonl").read_text().splitlines()]
    said = "PREFIX other: <http://purl.uniprot.org/core/> SELECT ?s WHERE { ?x other:scientificName ?s }"
    (folder/"asked.jsonl").write_text(json.dumps(dict(question="Any", query=said))+"\n")
    question = "Which organism has each enzyme?"
    with load_suite(folder).graph("toy") as g, read_manifest(suite_of(service, tmp_path/"bare"))["toy"].load() as bare:
        assert g.examples == (said,) and uses_of(g) == {"up:scientificName": 1} and uses_of(bare) == {} and g.fingerprint == bare.fingerprint
        first, second = (ContextBuilder("L1").build(question, graph)["constraints"].text for graph in (g, bare))
        assert first.startswith("up:scientificName") and not second.startswith("up:scientificName")
    (folder/"asked.jsonl").write_text(json.dumps(dict(sparql=f"  {tasks[0]['gold']} \n")))
    with pytest.raises(ValueError, match="gold query of task"): load_suite(folder)
    (folder/"asked.jsonl").write_text('{"question": "none"}')
    with pytest.raises(ValueError, match="asked.jsonl, line 1: no query"): load_suite(folder)

def test_a_suite_may_have_a_file_and_a_service(service, tmp_path):
    lines = [json.loads(line) for line in (TOY/"tasks.jsonl").read_text().splitlines()]
    suite_of(service, tmp_path/"my", '[graphs.local]\nfiles = ["graph.ttl"]\nprefixes = { t = "http://purl.uniprot.org/taxonomy/" }')
    shutil.copy(TOY/"graph.ttl", tmp_path/"my")
    both = [{**line, "id": f"{line['id']}-{graph}", "graph": graph} for line in lines for graph in ("toy", "local")]
    (tmp_path/"my/tasks.jsonl").write_text("\n".join(map(json.dumps, both)))
    suite = load_suite(tmp_path/"my")
    assert check_suite(suite) == [] and len(suite.tasks) == 6 and len(service.heard) == 3
    assert suite.graph("local").expand("t:1") == "http://purl.uniprot.org/taxonomy/1" and suite.graph("toy").engine == "endpoint"
    assert suite.graph("local").fingerprint != suite.graph("toy").fingerprint
    suite.close()

def test_politeness_is_the_stricter_of_two(service, tmp_path):
    said = "requests_per_minute = 20\ntimeout_secs = 7\nnamed_graph = \"http://example.org/g\""
    entry = read_manifest(suite_of(service, tmp_path/"my", said))["toy"]
    assert (entry.service.gap_secs, entry.timeout_secs, entry.service.named_graph) == (3.0, 7, "http://example.org/g")
    with entry.load() as g: assert g.timeout_secs == 7 and g.prefixes["up"] == "http://purl.uniprot.org/core/"

def test_a_suite_for_a_service_from_a_list_of_questions(service, tmp_path, capsys):
    (tmp_path/"mine.csv").write_text('question,gold\nWhat are the names?,"SELECT ?n { ?t a up:Taxon ; up:scientificName ?n }"\n')
    said = ["tasks", "new", str(tmp_path/"my"), "--questions", str(tmp_path/"mine.csv"), "--graph", str(tmp_path/"core.ttl"), "--endpoint"]
    assert main([*said, "nonsense"]) == 1 and "no http(s) address" in capsys.readouterr().err and not (tmp_path/"my").exists()
    assert main([*said, service.url]) == 0 and "Suite('my', 1 tasks over my): sound" in capsys.readouterr().out
    assert len(service.heard) == 1 and main(["tasks", "check", str(tmp_path/"my")]) == 0 and len(service.heard) == 1
    assert main(["tasks", "forget", str(tmp_path/"my")]) == 0 and "1 answers forgotten" in capsys.readouterr().out
    assert main(["tasks", "check", str(tmp_path/"my")]) == 0 and len(service.heard) == 2

def test_a_gold_query_that_a_service_refuses_is_named(service, tmp_path, capsys):
    service.refuses = STRICT
    assert main(["tasks", "check", str(suite_of(service, tmp_path/"my"))]) == 1
    said = capsys.readouterr()
    assert "toy-3: the gold query fails: The service refuses this query (HTTP 400: GROUP BY is not supported" in said.err and "1 problems" in said.out

# From end to end

def test_an_experiment_runs_over_http_and_asks_nothing_twice(service, tmp_path):
    suite = suite_of(service, tmp_path/"my")
    rbkit("run", "E1", "--suite", suite, "--n-tasks", 3, env=clean_env(RBKIT_RESULTS_PATH=str(tmp_path/"results")), check=True)
    made = complete(only(tmp_path/"results", "E01"))
    assert len(made) == 6 and {r["graph"] for r in made} == {"toy"} and not {r["outcome"] for r in made} & {"infrastructure", "timeout"}
    asked = len(service.heard)
    assert asked == len(set(service.heard)) > 0
    from rbkit.experiments.e01 import run
    run(n_tasks=3, n_repeats=1, suite=str(suite), out=str(tmp_path/"again"))
    again = complete(only(tmp_path/"again", "E01"))
    assert len(service.heard) == asked
    def told(rows, *more): return sorted(tuple(r[k] for k in ("arm", "task", *more)) for r in rows)
    more = ("outcome", "answer", "sparql", "context_hash")
    assert told(again, *more) == told(made, *more)
    run(n_tasks=3, n_repeats=1, suite=str(TOY), out=str(tmp_path/"file")) # the same graph from its file
    local = rows(only(tmp_path/"file", "E01"))
    assert told(local, "right_strict") == told(made, "right_strict") and any(r["correct"] for r in made)

def test_layers_from_the_ontology_alone_carry_an_experiment(service, tmp_path):
    from rbkit.experiments.e02 import run
    service.refuses = STRICT
    run(n_tasks=2, n_repeats=1, suite=str(suite_of(service, tmp_path/"my", tasks=2)), out=str(tmp_path/"out"))
    made = complete(only(tmp_path/"out", "E02"))
    assert any(r["sense_chars"] > 0 for r in made) and any(r["outcome"] == "success" for r in made)
