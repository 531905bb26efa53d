"""What a notebook cannot promise about itself: three engines against a real server, canaries, processes, files."""
import ast, gc, gzip, http.server, inspect, json, os, random, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time
from pathlib import Path
import pytest
from house import modules, root, slow
from pyparsing import ParseBaseException
from rbkit.graphs.guard import guard, QueryError, QueryFailed, QueryRefused, QuerySyntax, QueryTimeout
from rbkit.graphs.files import GraphError, resolved_size
from rbkit.graphs.graph import check_engine, Graph, load_graph
from rbkit.ground.settings import seeds_path

TOY = seeds_path()/"toy"/"graph.ttl"
BOMB = "SELECT (COUNT(*) AS ?n) { "+" . ".join(f"?a{i} ?b{i} ?c{i}" for i in range(12))+" }"
OXIGRAPH = shutil.which("oxigraph", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
needs_server = pytest.mark.skipif(not OXIGRAPH, reason="the command `oxigraph` (PyPI package oxigraph) is not installed")
needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")

def free_port():
    with socket.socket() as s: s.bind(("127.0.0.1", 0)); return s.getsockname()[1]

class Server:
    "A real SPARQL server on loopback that holds one file"
    def __init__(self, path, folder):
        self.port, self.url = free_port(), None
        subprocess.run([OXIGRAPH, "load", "--location", folder, "--file", path], check=True, capture_output=True)
        self.proc = subprocess.Popen([OXIGRAPH, "serve-read-only", "--location", folder, "--bind", f"127.0.0.1:{self.port}",
            "--timeout-s", "3", "--union-default-graph"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{self.port}/query"
        for _ in range(200):
            try: socket.create_connection(("127.0.0.1", self.port), 1).close(); return
            except OSError: time.sleep(.05)
        raise RuntimeError("the server did not start")
    def stop(self): self.proc.kill(); self.proc.wait()

@pytest.fixture
def served(tmp_path):
    started = []
    def make(path, **kw):
        started.append(Server(path, tmp_path/f"db{len(started)}"))
        return load_graph(path, engine="endpoint", endpoint_url=started[-1].url, **kw)
    make.started = started
    yield make
    for s in started: s.stop()

class Canary(http.server.BaseHTTPRequestHandler):
    "Counts who calls; with `script` it answers as told"
    def do_POST(self):
        self.server.hits.append((self.path, self.headers.get("User-Agent"), self.rfile.read(int(self.headers.get("Content-Length", 0)))))
        self.server.script(self, len(self.server.hits))
    do_GET = do_POST
    def log_message(self, *a): pass
    def say(self, code, body=b"", kind="application/sparql-results+json", **headers):
        self.send_response(code)
        for k,v in {"Content-Type":kind, "Content-Length":str(len(body)), **headers}.items(): self.send_header(k.replace("_", "-"), v)
        self.end_headers(); self.wfile.write(body)

@pytest.fixture
def web():
    s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    s.hits, s.script, s.daemon_threads = [], lambda h, n: h.say(200, b'{"head":{"vars":[]},"boolean":true}'), True
    s.url = f"http://127.0.0.1:{s.server_port}"
    threading.Thread(target=s.serve_forever, daemon=True).start()
    yield s
    s.shutdown(); s.server_close()

# The contract, on all engines
@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
@pytest.mark.parametrize("isolate", [True, False])
def test_contract(engine, isolate):
    got = check_engine(lambda p: load_graph(p, engine=engine, isolate=isolate), timeout_secs=.5)
    assert got["deadlines"] == (2 if isolate else 0) and got["refusals"] >= 10

def test_contract_of_a_persistent_store(tmp_path):
    check_engine(lambda p: load_graph(p, store_path=tmp_path/"s"), timeout_secs=.5)

@needs_server
def test_contract_of_a_service(served):
    assert check_engine(served, timeout_secs=.5)["deadlines"] == 2

# Nothing is fetched, read or written
REACHING = ["SELECT * {{ SERVICE <{u}/a> {{ ?s ?p ?o }} }}", "SELECT * {{ \\u0053ERVICE <{u}/b> {{ ?s ?p ?o }} }}",
    "SELECT * {{ \\U00000053ERVICE <{u}/b> {{ ?s ?p ?o }} }}", "BASE <{u}/> SELECT * {{ SERVICE <c> {{ ?s ?p ?o }} }}",
    "SELECT * {{ BIND(<{u}/d> AS ?e) SERVICE ?e {{ ?s ?p ?o }} }}", "SELECT * {{ SERVICE SILENT <{u}/e> {{ ?s ?p ?o }} }}",
    "ASK {{ ?s ?p ?o FILTER NOT EXISTS {{ SERVICE <{u}/f> {{ ?s ?p ?o }} }} }}", "SELECT * FROM <{u}/g> {{ ?s ?p ?o }}",
    "CONSTRUCT {{ ?s ?p ?o }} FROM <{u}/h> WHERE {{ ?s ?p ?o }}", "SELECT * FROM NAMED <{u}/i> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
    "SELECT * FROM <file://{f}> {{ ?s ?p ?o }}", "DESCRIBE <{u}/j> FROM <{u}/j>", "LOAD <{u}/k>", "LOAD <file://{f}>",
    "SELECT * {{ {{ SELECT * {{ SERVICE <{u}/l> {{ ?s ?p ?o }} }} }} }}", "ASK {{ GRAPH <{u}/m> {{ ?s ?p ?o }} }}",
    "SELECT * {{ ?s ?p ?o }} ORDER BY EXISTS {{ SERVICE <{u}/n> {{ ?s ?p ?o }} }}",
    "SELECT (EXISTS {{ SERVICE <{u}/o> {{ ?s ?p ?o }} }} AS ?x) {{ }}",
    "SELECT * {{ ?s ?p ?o MINUS {{ SERVICE <{u}/p> {{ ?s ?p ?o }} }} }}",
    "CLEAR ALL", "DROP ALL", "INSERT DATA {{ <urn:a> <urn:b> <urn:c> }}", "DELETE WHERE {{ ?s ?p ?o }}",
    "INSERT {{ ?s <urn:x> ?o }} WHERE {{ ?s ?p ?o }}", "COPY DEFAULT TO <urn:g>", "CREATE GRAPH <urn:g>",
    "SELECT * {{ ?s ?p ?o }} ; CLEAR ALL", "ASK {{}} INSERT DATA {{ <urn:a> <urn:b> 1 }}", "LOAD SILENT <{u}/q> INTO GRAPH <urn:g>",
    "SELECT * {{ VALUES ?e {{ <{u}/r> }} OPTIONAL {{ SERVICE SILENT ?e {{ ?s ?p ?o }} }} }}"]

NAMED = "ASK {{ GRAPH <{u}/m> {{ ?s ?p ?o }} }}"

def verdict(g, query):
    try: return g.query(query).rows
    except (QueryRefused, QuerySyntax) as e: return type(e).__name__

ENGINES = ["oxigraph", "rdflib", pytest.param("endpoint", marks=needs_server)]

@pytest.mark.parametrize("engine", ENGINES)
def test_canaries_stay_alive(engine, web, served, tmp_path):
    "Thirty queries that reach out or write: on every engine the same verdict, nobody is called, no file is read, and the graph is what it was"
    secret = tmp_path/"secret.ttl"
    secret.write_text('<urn:me> <urn:password> "hunter2" .')
    assert len(REACHING) == 30
    with (served(TOY) if engine == "endpoint" else load_graph(TOY, engine=engine)) as g:
        before = g.query("SELECT ?s ?p ?o { ?s ?p ?o }").rows
        said = [verdict(g, q.format(u=web.url, f=secret)) for q in REACHING]
        told = dict.fromkeys(REACHING, "QueryRefused") | dict.fromkeys(REACHING[26:28], "QuerySyntax")
        if engine == "endpoint": told[NAMED] = [["false"]] # a service may have graphs by name: it is asked, and calls nobody
        assert dict(zip(REACHING, said)) == told
        assert not web.hits and g.query("SELECT ?s ?p ?o { ?s ?p ?o }").rows == before

MISTAKES = {"SELECT ?s (COUNT(?x) AS ?n) WHERE { ?s ?p ?x }": "Add GROUP BY ?s", "SELECT ?s ?p (COUNT(?x) AS ?n) WHERE { ?s ?p ?x } GROUP BY ?s": "?p is selected beside groups",
    "SELECT ?s WHERE { ?s ?p ?x ": "it ends too early. Is a '}'", "SELECT ?s WHERE {\n ?s a up:Taxon ;; up:x % 1 }": "line 2, column 19, near 'up:x % 1 }'"}

@pytest.mark.parametrize("query", MISTAKES)
def test_a_mistake_is_named_where_the_author_wrote_it(query):
    g = load_graph(TOY, isolate=False)
    with pytest.raises(QuerySyntax, match=re.escape(MISTAKES[query])): g.query(query)

@pytest.mark.parametrize("engine", ENGINES)
def test_canary_sings(engine, web, served):
    "The negative control: unguarded, rdflib reads a file, and each engine calls who is named"
    import pyoxigraph, rdflib, urllib.request
    query = f"SELECT * {{ SERVICE <{web.url}/x> {{ ?s ?p ?o }} }}"
    web.script = lambda h, n: h.say(200, b'{"head":{"vars":["s"]},"results":{"bindings":[]}}')
    if engine == "oxigraph": list(pyoxigraph.Store().query(query))
    if engine == "rdflib": list(rdflib.Graph().query(query))
    if engine == "endpoint":
        with served(TOY): urllib.request.urlopen(urllib.request.Request(served.started[-1].url, query.encode(), {"Content-Type": "application/sparql-query"}), timeout=9).read()
    assert web.hits
    with tempfile.NamedTemporaryFile("w", suffix=".ttl") as f:
        f.write('<urn:me> <urn:password> "hunter2" .'); f.flush()
        assert len(rdflib.Dataset().query(f"SELECT ?o FROM <file://{f.name}> {{ ?s ?p ?o }}")) == 1

def test_words_are_no_keywords():
    g = guard('SELECT ?service ?from { ?service rdfs:label "SERVICE FROM LOAD" ; <urn:CLEAR> ?from } # INSERT', prefixes=dict(rdfs="urn:r#"))
    assert g.kind == "select" and g.limit == 100

# A limit that is put in keeps the meaning
def asked(rng):
    "A query that is written in one of many ways: where its limit goes is not where it seems"
    what = rng.choice(["?s ?o", "DISTINCT ?o", "*", "?s (COUNT(?o) AS ?n)"])
    inner = rng.choice(["?s ?p ?o", "{ SELECT ?s ?o { ?s ?p ?o } ORDER BY ?s ?o LIMIT 30 }", "?s ?p ?o # LIMIT 5\n", "?s ?p ?o FILTER(STR(?o) != 'LIMIT 3 }')", "{ ?s a ?o } UNION { ?s rdfs:label ?o }"])
    tail = (" GROUP BY ?s HAVING(COUNT(?o) > 1)" if "COUNT" in what else "")+rng.choice(["", " ORDER BY ?s", " # LIMIT 2", "\n#"])+rng.choice(["", "\nOFFSET 3", "\nLIMIT 50", "\nLIMIT 50 OFFSET 2", "\nOFFSET 2 LIMIT 50", "\nlimit 3"])
    return f"PREFIX limit: <http://limit/>\nSELECT {what} {{ {inner} }}{tail}{rng.choice(['', chr(10)+'VALUES ?s { protein:P01308 protein:P69905 }', ' # the end'])}"

@pytest.mark.parametrize("seed, n", [(0, 30), slow(1, 200)])
def test_a_limit_that_is_put_in_takes_nothing_else_away(seed, n):
    "What is returned is as long as it may be, and all of it is in what the query says by itself"
    import pyoxigraph
    from collections import Counter
    from rbkit.graphs.guard import Names
    store, rng = pyoxigraph.Store(), random.Random(seed)
    store.load(path=str(TOY))
    with load_graph(TOY, isolate=False) as g:
        def rows(text): return Counter(tuple(map(str, row)) for row in store.query(text, prefixes=g.prefixes))
        for _ in range(n):
            text, limit = asked(rng), rng.randrange(1, 12)
            whole, guarded = rows(text), guard(text, limit, g.prefixes)
            got, most = rows(guarded.text), limit+1 if guarded.capped or guarded.limit == limit else guarded.limit
            own = re.sub(r"(?i)\nlimit (3|50)(?=\n|$| OFFSET| #)|(?<=OFFSET 2) LIMIT 50", "", text)
            assert got <= rows(own) and got.total() == min(most, whole.total()), (text, guarded.text)

WITH_LIMITS = [ # fourteen queries in which a limit is not where it seems, and the rows that each has by itself
    ("SELECT ?s ?o { ?s ?p ?o } # LIMIT 3", None), ("SELECT ?s ?o { ?s ?p ?o }\n#", None), ("SELECT ?s ?o { ?s ?p ?o } LIMIT 4 # LIMIT 9", 4), ("SELECT ?s ?o { ?s ?p ?o FILTER(STR(?o) != 'LIMIT 3') }", None),
    ("SELECT ?s ?o { ?s ?p ?o } VALUES ?s { protein:P01308 protein:P69905 }", None), ("SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 9 } }", None), ("SELECT ?s { ?s ?p ?o } LIMIT 3 OFFSET 2", 3), ("SELECT ?s { ?s ?p ?o } OFFSET 2 LIMIT 3", 3),
    ("SELECT ?s { ?s ?p ?o } OFFSET 2", None), ("PREFIX limit: <http://limit/> SELECT ?s { ?s ?p ?o FILTER(?p != limit:x) }", None), ("SELECT ?s (COUNT(?o) AS ?n) { ?s ?p ?o } GROUP BY ?s HAVING(COUNT(?o) > 1)", None),
    ("SELECT ?s { ?s ?p ?o } ORDER BY ?s limit 2", 2), ("SELECT ?limit { ?limit ?p ?o }", None), ("SELECT ?s { ?s ?p ?o } LIMIT 100000", None)]

@pytest.mark.parametrize("text, own", WITH_LIMITS, ids=range(len(WITH_LIMITS)))
def test_a_limit_is_put_in_wherever_it_belongs(text, own):
    "Row by row what the query gives by itself, up to the limit and one more, which tells that there are more"
    import pyoxigraph
    store = pyoxigraph.Store()
    store.load(path=str(TOY))
    with load_graph(TOY, isolate=False) as g:
        def rows(text): return [tuple(map(str, row)) for row in store.query(text, prefixes=g.prefixes)]
        whole = rows(text)
        for limit in (1, 5, 1000):
            got = rows(guard(text, limit, g.prefixes).text)
            assert not [row for row in got if row not in whole] and min(limit, len(whole)) <= len(got) <= limit+1 and (own is None or len(got) <= own), (text, len(got))

# Deadlines and processes
def children(pid):
    return [int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit() and _parent(p) == pid]
def _parent(p):
    try: return int((p/"stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, IndexError): return None
def alive(pid):
    try: return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError: return False
def gone(pids, secs=60):
    end = time.monotonic()+secs
    while any(map(alive, pids)) and time.monotonic() < end: time.sleep(.02)
    return not any(map(alive, pids))
def family(g):
    holder = g._backend.proc.pid
    return [holder, *children(holder)]

HEAVY = {"cross join": BOMB, "doubling": "SELECT ?x28 { BIND('aaaaaaaaaa' AS ?x0) "+" ".join(
    f"BIND(CONCAT(?x{i},?x{i}) AS ?x{i+1})" for i in range(28))+" }", "sorted": BOMB.replace("(COUNT(*) AS ?n)", "?a0")+" ORDER BY ?c11 LIMIT 1"}
MORE = {"path": "SELECT (COUNT(*) AS ?n) { ?a (rdf:type|!rdf:type)* ?b . ?c (rdf:type|!rdf:type)* ?d . ?e (rdf:type|!rdf:type)* ?f . ?g ?h ?i . ?j ?k ?l }",
    "pattern": f"SELECT * {{ BIND('{'a'*60}!' AS ?x) FILTER(REGEX(?x, '^(a+)+$')) }}",
    "values": "SELECT * { VALUES ?x { "+" ".join(map(str, range(3000)))+" } VALUES ?y { 1 2 3 } ?s ?p ?o . ?t ?q ?r } ORDER BY DESC(?x)",
    "sorted inside": f"SELECT ?a0 {{ {{ {BOMB.replace('(COUNT(*) AS ?n)', '?a0')} ORDER BY ?c11 LIMIT 1 }} }}",
    "brackets": "SELECT * { FILTER("+"("*3000+"true"+")"*3000+") }", "groups": "SELECT * "+"{ "*800+"?s ?p ?o"+" }"*800,
    "unions": "SELECT * { "+" ".join("{ ?a%d ?b%d ?c%d } UNION { ?d%d ?e%d ?f%d }" % ((i,)*6) for i in range(9))+" }"}

def ends(g, query, secs, limit=100):
    "A query is stopped, or refused, or gives no more than it may; the next one works"
    t = time.monotonic()
    try: assert len(g.query(query, limit=limit, timeout_secs=secs)) <= limit
    except QueryError as e: assert not isinstance(e, QuerySyntax), e
    assert time.monotonic()-t < secs+8
    t = time.monotonic()
    assert len(g.query("SELECT ?s { ?s a up:Protein }")) == 3 and time.monotonic()-t < 8

@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
@pytest.mark.parametrize("name", HEAVY)
def test_heavy_queries_end(engine, name):
    with load_graph(TOY, engine=engine) as g:
        t = time.monotonic()
        with pytest.raises((QueryTimeout, QueryFailed)): g.query(HEAVY[name], timeout_secs=.4)
        assert time.monotonic()-t < 8
        t = time.monotonic()
        assert len(g.query("SELECT ?s { ?s a up:Protein }")) == 3 and time.monotonic()-t < 8

@pytest.mark.slow
@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
@pytest.mark.parametrize("name", [*HEAVY, *MORE])
def test_a_heavy_query_ends_in_time_and_within_its_rows(engine, name):
    with load_graph(TOY, engine=engine) as g: ends(g, {**HEAVY, **MORE}[name], 2)

@pytest.mark.slow
@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
def test_a_limit_elsewhere_than_at_the_end_is_no_limit(engine):
    with load_graph(TOY, engine=engine) as g:
        for text in ("SELECT * { ?s ?p ?o } # LIMIT 5000", "SELECT * { { SELECT * { ?s ?p ?o } LIMIT 5000 } }", "SELECT * { ?s ?p ?o } LIMIT 5000"):
            assert len(g.query(text, limit=4)) == 4

@needs_proc
def test_no_process_outlives_its_graph():
    g = load_graph(TOY); g.query("ASK {}")
    first = family(g)
    assert len(first) == 2
    g.close(); assert gone(first)
    h = load_graph(TOY); h.query("ASK {}"); second = family(h)
    del h; gc.collect()
    assert gone(second)
    with pytest.raises(QueryFailed): g.query("ASK {}")

@needs_proc
@pytest.mark.parametrize("how", ["exit", "kill", "kill while busy"])
def test_no_process_outlives_its_kernel(how):
    code = (f"from rbkit.graphs.graph import load_graph; import sys, os, threading, time\ng = load_graph({str(TOY)!r}); g.query('ASK {{}}')\n"
        "print(g._backend.proc.pid, flush=True)\n"+(f"g.query({BOMB!r}, timeout_secs=60)" if "busy" in how else "sys.stdin.readline()"))
    p = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=seeds_path().parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    holder = int(p.stdout.readline())
    end = time.monotonic()+60
    while len(pids := [holder, *children(holder)]) < 2: assert time.monotonic() < end, "no query process"; time.sleep(.02)
    if how == "exit": p.stdin.write("\n"); p.stdin.flush()
    else: p.send_signal(signal.SIGKILL)
    p.wait(); p.stdin.close(); p.stdout.close()
    assert gone(pids)

@needs_proc
def test_a_killed_process_comes_back():
    with load_graph(TOY) as g:
        g.query("ASK {}")
        for pid in reversed(family(g)):
            os.kill(pid, signal.SIGKILL); gone([pid])
            try: g.query(f"ASK {{ FILTER({pid} > 0) }}") # asked for the first time, so no answer is kept
            except QueryFailed: pass
            assert g.query(f"ASK {{ protein:P01308 a up:Protein FILTER({pid} > 0) }}").rows == [["true"]]

def test_a_graph_survives_the_thread_that_loaded_it():
    box = []
    t = threading.Thread(target=lambda: box.append(load_graph(TOY))); t.start(); t.join()
    time.sleep(.2)
    with box[0] as g: assert g.query("ASK { ?s ?p ?o }").rows == [["true"]]

@pytest.mark.parametrize("isolate", [True, False])
def test_threads_share_a_graph(isolate):
    with load_graph(TOY, isolate=isolate) as g:
        bad, ids = [], ["P01308", "P69905", "P01942"]
        def work(k):
            for i in range(40):
                want = ids[(i+k)%3]
                if g.query(f"SELECT ?s {{ ?s a up:Protein FILTER(?s = protein:{want}) }}").rows != [[f"protein:{want}"]]: bad.append(want)
        ts = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        [t.start() for t in ts]; [t.join() for t in ts]
        assert not bad

def test_memory_is_capped(monkeypatch):
    monkeypatch.setenv("RBKIT_QUERY_MAX_MB", "200")
    with load_graph(TOY, engine="rdflib") as g:
        with pytest.raises(QueryFailed): g.query(HEAVY["doubling"], timeout_secs=10)
        assert g.query("ASK { ?s ?p ?o }").rows == [["true"]]

def test_bytes_are_capped(tmp_path):
    (tmp_path/"big.nt").write_text("".join(f'<urn:s{i}> <urn:p> "{"x"*1000}" .\n' for i in range(50)))
    for isolate in (True, False):
        with load_graph(tmp_path/"big.nt", isolate=isolate, max_bytes=10_000) as g:
            r = g.query("SELECT ?o { ?s ?p ?o }")
            assert r.truncated and 0 < len(r) <= 10

# The same answer twice
@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
def test_order_is_the_same_across_processes(engine, tmp_path):
    f = tmp_path/"g.ttl"
    f.write_text("@prefix e: <http://e/> .\n"+"".join(f'e:s{i} e:p e:o{i%7} ; e:q [ e:r "{i}" ] ; e:t _:l{i%5} .\n' for i in range(60)))
    qs = ["SELECT * { ?s ?p ?o }", "SELECT DISTINCT ?o { ?s e:p ?o }", "SELECT ?o (COUNT(*) AS ?n) { ?s e:p ?o } GROUP BY ?o",
        "SELECT ?b (COUNT(*) AS ?n) { ?s e:t ?b } GROUP BY ?b", "SELECT ?a ?b { ?a e:p ?o . ?b e:p ?o }", "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }",
        "SELECT ?a ?b { { ?a e:p ?o } UNION { ?b e:q ?o } }", "SELECT ?b (SAMPLE(?r) AS ?x) { ?s e:q ?b . ?b e:r ?r } GROUP BY ?b", "DESCRIBE e:s1"]
    runs = []
    for _ in range(3):
        with load_graph(f, engine=engine) as g: runs.append([g.query(q, limit=50).rows for q in qs])
    assert runs[0] == runs[1] == runs[2]

# Files
TTL = '@prefix e: <http://e/> . e:s e:p e:o ; e:q "DIS3" , 5 ; e:r [ e:t "x"@en ] .'
NT = ('<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/q> "DIS3" .\n_:b <http://e/t> "x"@en .\n<http://e/s> <http://e/r> _:b .\n'
    '<http://e/s> <http://e/q> "5"^^<http://www.w3.org/2001/XMLSchema#integer> .')
XML = ('<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e "http://e/">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="&e;">'
    '<rdf:Description rdf:about="http://e/s"><e:p rdf:resource="http://e/o"/><e:q>DIS3</e:q>'
    '<e:q rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">5</e:q><e:r rdf:parseType="Resource"><e:t xml:lang="en">x</e:t></e:r></rdf:Description></rdf:RDF>')
LD = ('{"@context":{"e":"http://e/"},"@id":"e:s","e:p":{"@id":"e:o"},"e:q":["DIS3",{"@value":"5","@type":"http://www.w3.org/2001/XMLSchema#integer"}],'
    '"e:r":{"e:t":{"@value":"x","@language":"en"}}}')
TRIG = '@prefix e: <http://e/> . e:s e:p e:o . e:g1 { e:s e:q "DIS3" , 5 . e:s e:p e:o } e:g2 { e:s e:r [ e:t "x"@en ] }'
FILES = {"a.ttl":TTL, "a.nt":NT, "a.rdf":XML, "a.owl":XML, "b.owl":TTL, "a.jsonld":LD, "a.trig":TRIG, "a.nq":NT}

@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("gz", [False, True])
def test_every_format(engine, name, gz, tmp_path):
    p = tmp_path/(name+".gz"*gz)
    p.write_bytes(gzip.compress(FILES[name].encode()) if gz else FILES[name].encode())
    with load_graph(p, engine=engine, isolate=False, prefixes=dict(e="http://e/") if "n" in name[-2:] else None) as g:
        assert g.n_triples == 5 and g.prefixes["e"] == "http://e/"
        assert g.query('SELECT ?s { ?s e:q "DIS3" ; e:q 5 }').rows == [["e:s"]]
        assert g.query("SELECT ?b ?t { e:s e:r ?b . ?b e:t ?t }").rows == [["_:b0", "x"]]

def test_packing_and_order_do_not_change_a_fingerprint(tmp_path):
    (tmp_path/"a.ttl").write_text(TTL); (tmp_path/"b.nt").write_text(NT)
    with gzip.open(tmp_path/"c.ttl.gz", "wt") as f: f.write(TTL)
    of = lambda *names, **kw: load_graph([tmp_path/n for n in names], isolate=False, **kw).fingerprint
    assert of("a.ttl", "b.nt") == of("b.nt", "c.ttl.gz", engine="rdflib") != of("a.ttl")

def test_a_folder_is_its_files(tmp_path):
    (tmp_path/"graph.ttl").write_text(TTL); (tmp_path/"ontology.ttl").write_text("@prefix x: <urn:x/> . x:a x:b x:c ."); (tmp_path/"tasks.jsonl").write_text("{}")
    with load_graph(tmp_path, isolate=False) as g: assert (g.n_triples, g.name) == (6, tmp_path.name)

BAD = {"broken.ttl":b"<a> <b", "broken.rdf":b"<?xml version='1.0'?><rdf:RDF", "broken.jsonld":b"{", "text.txt":b"", "not.ttl.gz":b"plain text",
    "latin.nt":b'<urn:a> <urn:b> "\xff" .'}
@pytest.mark.parametrize("name,isolate", [*((n, False) for n in [*BAD, "missing.ttl"]), ("broken.ttl", True), ("broken.rdf", True)])
def test_bad_files_are_one_clear_error(name, isolate, tmp_path):
    if name in BAD: (tmp_path/name).write_bytes(BAD[name])
    with pytest.raises(GraphError, match=name.replace(".", r"\.")): load_graph(tmp_path/name, isolate=isolate)

# A text that takes long to read holds nobody else up
LONG_TO_READ = "SELECT * { ?s ?p ?o FILTER("+" || ".join(f"?s = {i}" for i in range(1400))+") }" # rdflib reads it for seconds
@pytest.mark.parametrize("where", ["a graph", "a service"])
def test_a_long_text_holds_nobody_up(where, web):
    web.script = lambda h, n: h.say(200, YES)
    with (load_graph(TOY) if where == "a graph" else ask(web)) as slow, load_graph(TOY, isolate=False) as quick:
        asked = (lambda: slow.plan(LONG_TO_READ, timeout_secs=.5)) if where == "a graph" else (lambda: slow.query(LONG_TO_READ, timeout_secs=.5))
        slow.query("ASK {}"); quick.query("ASK { ?s ?p ?o }")
        said = []
        def wait():
            try: asked()
            except QueryError as e: said.append(type(e))
        t = threading.Thread(target=wait); t.start()
        start = time.monotonic()
        for i in range(3): quick.query(f"ASK {{ ?s ?p {i} }}") # none of them in the cache
        waited = time.monotonic()-start
        t.join()
    assert said == [QueryRefused] and waited < 2 and time.monotonic()-start < 6

SLOW_TO_READ = {"operators": (LONG_TO_READ, "more than 1,000 words"), "values": ("SELECT * { VALUES ?x { "+"1 "*3000+"} }", "more than 1,000 words"),
    "brackets": ("SELECT * { FILTER("+"("*3000+"true"+")"*3000+") }", "more than 60 deep"), "quotes": ("SELECT * { ?s ?p "+"\\'"*9000+" }", "more than 1,000 words"),
    "services": ("SELECT * { "+"SERVICE <urn:a> { ?a ?b ?c } "*90+"}", "SERVICE calls another server"),
    "objects": ("SELECT * { ?s <urn:p> "+", ".join(["<urn:a>"]*480)+" }", "480 patterns of statements side by side; 100 are allowed"),
    "objects between filters": ("SELECT * { "+"?s <urn:p> 1, 2, 3, 4, 5, 6 FILTER(true) "*20+"}", "120 patterns")}
@pytest.mark.parametrize("name", SLOW_TO_READ)
def test_what_would_take_long_to_read_is_refused_before_the_long_part(name, monkeypatch):
    "Its tokens are counted as they are read, and no more of them are read than are allowed; SERVICE is seen before the parser, and side by side before the sorting"
    import rbkit.graphs.guard as module
    read, tokens = [], module._tokens
    def counted(text):
        for token in tokens(text): read.append(token); yield token
    monkeypatch.setattr(module, "_tokens", counted)
    never = lambda *args: pytest.fail("it was read on")
    if name.startswith("objects"): monkeypatch.setattr("rdflib.plugins.sparql.algebra.translateQuery", never)
    else: monkeypatch.setattr(module, "_parse", never)
    text, said = SLOW_TO_READ[name]
    with pytest.raises(QueryRefused, match=said): guard(text+" # not in the cache", 7)
    assert len(read) <= module.MAX_TOKENS+1

def parsed(read, text):
    "The tree, or where it went wrong; blank nodes have other names each time"
    try: return re.sub(r"BNode\('\w+'\)", "BNode", repr(read.parse_string(text, parse_all=True).as_list()))
    except (ParseBaseException, RecursionError, ValueError) as e: return type(e).__name__, getattr(e, "loc", 0)

@pytest.mark.parametrize("n", [60, slow(20_000)])
def test_the_grammar_reads_as_rdflibs_does(n):
    "Every query of the tests and the seeds (here each fifth), and what is left of them where a part is missing or in the wrong place"
    from rbkit.graphs.grammar import grammar
    from rdflib.plugins.sparql.parser import Query
    rng, texts = random.Random(n), sorted({text for text in texts_of_tests() if re.match(r"\s*(PREFIX|SELECT|ASK|CONSTRUCT|DESCRIBE)\b", text) and "#" not in text and len(text) < 1500})
    assert len(texts) > 100
    for text in [*texts[::1 if n > 1000 else 5], *(rng.choice(texts) for _ in range(n))]:
        assert parsed(grammar(), text) == parsed(Query, text), text
        at = rng.randrange(len(text))
        text = text[:at]+rng.choice(["", "(", ")", "{", "}", "?x", '"', " . ", "+", "<urn:a>", "a:b", "!", "FILTER", "1", ",", ";"])+text[at+rng.randrange(4):]
        assert parsed(grammar(), text) == parsed(Query, text), text

def test_the_grammar_takes_far_fewer_steps(monkeypatch):
    from pyparsing import ParserElement
    from rbkit.graphs.grammar import grammar
    from rdflib.plugins.sparql.parser import Query
    whole, steps = ParserElement._parse, []
    def step(self, *args, **kwargs):
        steps.append(1)
        return whole(self, *args, **kwargs)
    def taken(read):
        parsed(read, HEAVY["doubling"]); steps.clear(); parsed(read, HEAVY["doubling"])
        return len(steps)
    monkeypatch.setattr(ParserElement, "_parse", step)
    assert 0 < 5*taken(grammar()) < taken(Query)

def test_a_comment_hides_nothing_and_is_sent_to_nobody():
    g = guard("SELECT ?s { ?s ?p '#' } # LIMIT 5 } SERVICE <urn:a>\nVALUES ?s { <urn:a#b> }", 10)
    assert "SERVICE" not in g.text and "'#'" in g.text and "<urn:a#b>" in g.text and "LIMIT 11 VALUES" in g.text
    with pytest.raises(QuerySyntax, match="within an escape"): guard("SELECT * { \\u005Cu0053ERVICE <urn:a> { ?s ?p ?o } }")

BEFORE = re.compile(r'''(?P<comment>\#[^\r\n]*) | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
  | (?P<text>"""(?:"{0,2}(?:[^"\\]|\\.))*"""|\'\'\'(?:'{0,2}(?:[^'\\]|\\.))*\'\'\'
    |"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')
  | (?P<blank>_:[\w.\-]+) | (?P<name>(?:[^\W\d_](?:[\w.\-]*[\w\-])?)?:(?:[\w:%.\-]|\\.)*)
  | (?P<var>[?$]\w+) | (?P<word>@?[^\W\d]\w*) | (?P<num>\d+) | (?P<mark>\S)''', re.S | re.X) # one expression, which may take the square of the length
PIECES = ["a", "b1", "_", "9", ".", "-", ":", "a:b", "_:x", "?v", "@en", "\\", '"', "'", '"""', "'''", "\n", "\r", " ", "#", "<", ">", "<urn:x>", "%", "é", "{", "}", "\\n", "\\u00e9", "SELECT", "LIMIT", "٣"]

def texts_of_tests():
    "Every text in the tests and the seeds, most queries of the kit among them"
    for file in (root/"tests").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str): yield node.value
    for file in (root/"seeds").rglob("*.jsonl"): yield from map(json.loads, re.findall(r'"(?:sparql|query|gold_sparql|exemplar)": ("(?:[^"\\]|\\.)*")', file.read_text(encoding="utf-8")))

@pytest.mark.parametrize("n", [1000, slow(100_000)])
def test_a_query_has_the_tokens_that_one_expression_finds(n):
    from rbkit.graphs.guard import _tokens
    rng, found = random.Random(n), list(texts_of_tests())
    queries = [text for text in found if re.search("SELECT|ASK|CONSTRUCT|DESCRIBE", text)]
    assert len(queries) > 200 and len(found) > 3000
    for text in [*found[::1 if n > 1000 else 4], *("".join(rng.choices(PIECES, k=rng.randrange(1, 30))) for _ in range(n))]:
        if len(text) > 20_000: continue
        assert [tuple(token) for token in _tokens(text)] == [(m.lastgroup, m[0], m.start()) for m in BEFORE.finditer(text)], text

@pytest.mark.parametrize("piece", ["a.", "a-", "'''a'\\", '"""a"\\', '"\\', "\\'", "a:", "<", '"', "'\"'", '"\\\n'])
def test_reading_a_query_takes_time_as_its_length_does(piece):
    "Four times the length, some four times the time, where it once was sixteen; as short as can be timed"
    from rbkit.graphs.guard import _tokens
    def secs(chars):
        text, took = f"SELECT * {{?s ?p {piece*(chars//len(piece))}}}", []
        for _ in range(5):
            begun = time.process_time()
            for _ in _tokens(text): pass
            took.append(time.process_time()-begun)
        return min(took)
    assert secs(19_000) < 10*secs(4750)+.005 and secs(19_000) < 1

def test_no_query_of_a_model_runs_without_a_deadline():
    "`isolate=False` gives the deadline up, so nothing in the kit says it; `test_contract` sees the guard's limits hold there all the same"
    def gives_up(source):
        return [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.keyword) and node.arg == "isolate" and getattr(node.value, "value", None) is not True]
    assert gives_up("load_graph(p, isolate=False)") and gives_up("load_graph(p, isolate=fast)")
    texts = {p: p.read_text(encoding="utf-8") for p in modules}
    assert {p.name: gives_up(text) for p, text in texts.items() if "isolate=" in text and gives_up(text)} == {}
    assert inspect.signature(load_graph).parameters["isolate"].default is True

def test_a_plan_is_the_same_wherever_it_is_made(web):
    q = "SELECT * { ?s ?p ?o } LIMIT 1000 # "+"x"*1000
    with load_graph(TOY) as a, load_graph(TOY, isolate=False) as b, ask(web, prefixes=a.prefixes) as c:
        assert a.plan(q, 5) == b.plan(q, 5) == c.plan(q, 5) == guard(q, 5, a.prefixes) and a.plan(q, 5).capped
        for g in (a, b, c):
            with pytest.raises(QueryRefused, match="SERVICE"): g.plan("SELECT * { SERVICE <http://x> { ?s ?p ?o } } # "+"x"*1000)
    assert not web.hits, "a plan asks nobody"

# What takes more than it may
def laughing(levels, as_attribute=False):
    "RDF/XML whose one literal is 9 * 10**levels characters long"
    names = "".join(f'<!ENTITY l{i} "{f"&l{i-1};"*10}">' for i in range(1, levels+1))
    said = f'e:p="&l{levels};"/>' if as_attribute else f"><e:p>&l{levels};</e:p></rdf:Description>"
    return (f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY l0 "ha ha ha!">{names}]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        f'xmlns:e="http://e/"><rdf:Description rdf:about="http://e/a" {said}</rdf:RDF>').encode()

def many_uses(n):
    "The other way: one long name, used often"
    return laughing(4).replace(b"&l4;<", b"&l4;"*n+b"<")

TOO_MUCH = {"laughs.rdf": laughing(9), "attribute.owl": laughing(9, True), "often.xml": many_uses(100), "bomb.nt.gz": gzip.compress(b"#"*4*2**20),
    "laughs.rdf.gz": gzip.compress(laughing(9)), "plain.nt": b"#"*(3*2**20)}
@pytest.mark.parametrize("name", TOO_MUCH)
@pytest.mark.parametrize("isolate", [False, True])
def test_what_unpacks_to_too_much_is_refused(name, isolate, tmp_path, monkeypatch):
    (tmp_path/name).write_bytes(TOO_MUCH[name])
    monkeypatch.setenv("RBKIT_GRAPH_MAX_MB", "2")
    start = time.monotonic()
    with pytest.raises(GraphError, match=f"^{name}: unpacked it is longer than 2 MB.*raise that setting"): load_graph(tmp_path/name, isolate=isolate)
    assert time.monotonic()-start < 10

def test_all_files_of_a_graph_count_together(tmp_path, monkeypatch):
    for name in "ab": (tmp_path/f"{name}.nt").write_bytes(b"<e:a> <e:b> <e:c> .\n"+b"#"*(3*2**19-20))
    monkeypatch.setenv("RBKIT_GRAPH_MAX_MB", "2")
    for name in "ab": load_graph(tmp_path/f"{name}.nt", isolate=False).close()
    with pytest.raises(GraphError, match="b.nt: unpacked it is longer than 0.5 MB"): load_graph(tmp_path, isolate=False)

WHOLE_PAGES = """
import sys
from pathlib import Path
from rbkit.graphs.graph import load_graph
from rbkit.graphs.suites import _holds_questions
for n in range(150):
    with load_graph(sys.argv[1], isolate=False) as graph: assert len(graph) == 1
    assert not _holds_questions(Path(sys.argv[1]), ["Which protein has the longest name of all?"])
"""

@pytest.mark.parametrize("suffix", ["nt", "ttl"])
def test_a_file_that_ends_with_its_page_is_read_to_its_end_and_no_further(tmp_path, suffix):
    "mmap.find reads past the end of such a file in Python 3.11.2, and the process dies"
    path = tmp_path/f"g.{suffix}"
    path.write_bytes(b"<e:a> <e:b> <e:c> .\n"+b"#"*(3*2**19-20))
    done = subprocess.run([sys.executable, "-c", WHOLE_PAGES, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

@pytest.mark.parametrize("levels", [1, 3, 5])
@pytest.mark.parametrize("as_attribute", [False, True])
def test_the_length_of_a_text_is_known_before_it_is_written_out(levels, as_attribute, tmp_path):
    path = tmp_path/"g.rdf"; path.write_bytes(laughing(levels, as_attribute))
    with load_graph(path, isolate=False) as g: [[said]] = g.query("SELECT (STRLEN(?o) AS ?n) { ?s ?p ?o }").rows
    assert int(said) == 9*10**levels <= resolved_size(path.read_bytes())

@pytest.mark.parametrize("engine,most", [("oxigraph", 30), ("rdflib", 60)])
def test_loading_takes_no_more_memory_than_it_may(engine, most, tmp_path, monkeypatch):
    (tmp_path/"g.nt").write_text("".join(f'<urn:s{i}> <urn:p{i%7}> "{i}" .\n' for i in range(100_000)))
    monkeypatch.setenv("RBKIT_LOAD_MAX_MB", str(most))
    with pytest.raises(GraphError, match=f"ended while loading .*It may take {most} MB.*raise load_max_mb"): load_graph(tmp_path/"g.nt", engine=engine)
    monkeypatch.setenv("RBKIT_LOAD_MAX_MB", "8192") # the control: with room enough the same file loads
    if engine == "oxigraph": load_graph(tmp_path/"g.nt").close()

def using(folder):
    "Processes that have a file of a folder open"
    found = set()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try: target = os.readlink(link)
        except OSError: continue
        if target.startswith(str(folder)): found.add(link.parts[2])
    return found

@needs_proc
@pytest.mark.parametrize("kept", [False, True]) # a store is built by a process of its own, which has to end as well
def test_loading_takes_no_longer_than_it_may(kept, tmp_path, monkeypatch):
    (tmp_path/"g.rdf").write_text('<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="urn:x:">'
        +"<rdf:Description><x:p>"*20_000+"</x:p></rdf:Description>"*20_000+"</rdf:RDF>")
    monkeypatch.setenv("RBKIT_LOAD_MAX_SECS", "1")
    start = time.monotonic()
    with pytest.raises(GraphError, match="Loading g.rdf was stopped after 1 seconds, the setting load_max_secs"):
        load_graph(tmp_path/"g.rdf", store_path=tmp_path/"store" if kept else None)
    assert time.monotonic()-start < 15 # the whole file takes longer
    end = time.monotonic()+2
    while using(tmp_path) and time.monotonic() < end: time.sleep(.05)
    assert not using(tmp_path)

def test_a_query_may_take_what_loading_may_not(monkeypatch):
    monkeypatch.setenv("RBKIT_LOAD_MAX_MB", "100")
    doubled = "BIND('a' AS ?x0) "+" ".join(f"BIND(CONCAT(?x{i}, ?x{i}) AS ?x{i+1})" for i in range(26))
    with load_graph(TOY, engine="rdflib", timeout_secs=30) as g: assert g.query(f"SELECT (STRLEN(?x26) AS ?n) {{ {doubled} }}").rows == [[str(2**26)]]

def test_an_empty_graph_answers(tmp_path):
    (tmp_path/"e.ttl").write_text("")
    with load_graph(tmp_path/"e.ttl") as g: assert g.n_triples == 0 and g.query("SELECT * { ?s ?p ?o }").rows == []

# A store that stays
def test_a_store_is_built_once(tmp_path):
    f = tmp_path/"g.nt"; f.write_text(NT)
    with load_graph(f, store_path=tmp_path/"s") as g: rows, print_ = g.query("SELECT ?s ?p ?o { ?s ?p ?o }").rows, g.fingerprint
    note = (tmp_path/"s"/"rbkit.json").stat().st_mtime_ns
    with load_graph(f, store_path=tmp_path/"s") as g, load_graph(store_path=tmp_path/"s", isolate=False) as h:
        assert g.query("SELECT ?s ?p ?o { ?s ?p ?o }").rows == rows == h.query("SELECT ?s ?p ?o { ?s ?p ?o }").rows
        assert g.fingerprint == h.fingerprint == print_ and g.n_triples == h.n_triples == 5
        with pytest.raises(QueryTimeout): g.query(BOMB, timeout_secs=.4)
        assert g.query("ASK { ?s ?p ?o }").rows == [["true"]]
    assert (tmp_path/"s"/"rbkit.json").stat().st_mtime_ns == note
    f.write_text("<urn:a> <urn:b> <urn:c> .")
    with pytest.raises(GraphError, match="other files"): load_graph(f, store_path=tmp_path/"s")

def test_a_failed_build_leaves_nothing(tmp_path):
    (tmp_path/"bad.nt").write_text("<urn:a> <urn:b")
    for isolate in (True, False):
        with pytest.raises(GraphError, match="bad.nt"): load_graph(tmp_path/"bad.nt", store_path=tmp_path/"s", isolate=isolate)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.nt"]

# A service
def ask(web, **kw): return load_graph(engine="endpoint", endpoint_url=web.url, **kw)
YES = b'{"head":{},"boolean":true}'

def test_busy_is_asked_again(web):
    web.script = lambda h, n: h.say(429, Retry_After="0") if n == 1 else h.say(503) if n == 2 else h.say(200, YES)
    with ask(web) as g: assert g.query("ASK {}").rows == [["true"]]
    assert len(web.hits) == 3 and web.hits[0][1].startswith("rbkit/") and b"query=ASK" in web.hits[0][2]

def test_busy_for_ever_ends(web):
    web.script = lambda h, n: h.say(503, Retry_After="3600")
    t = time.monotonic()
    with ask(web) as g, pytest.raises(QueryError): g.query("ASK {}", timeout_secs=.5)
    assert time.monotonic()-t < 8

def test_a_slow_drip_ends(web):
    def drip(h, n):
        h.send_response(200); h.send_header("Content-Type", "application/sparql-results+json"); h.end_headers()
        try:
            for _ in range(100): h.wfile.write(b" "); h.wfile.flush(); time.sleep(.1)
        except OSError: pass
    web.script = drip
    t = time.monotonic()
    with ask(web) as g, pytest.raises(QueryTimeout): g.query("ASK {}", timeout_secs=.5)
    assert time.monotonic()-t < 8

def test_redirects_stay_at_home(web):
    web.script = lambda h, n: h.say(307, Location="/there") if n == 1 else h.say(200, YES)
    with ask(web) as g: assert g.query("ASK {}").rows == [["true"]]
    web.script = lambda h, n: h.say(302, Location="http://localhost:9/")
    with ask(web) as g, pytest.raises(QueryFailed, match="redirects"): g.query("ASK {}")

@pytest.mark.parametrize("code,body,kind", [(200, b"<html>", "text/html"), (500, b"boom", "text/plain"), (400, b"bad", "text/plain"),
    (200, b"[" + b"1,"*6000, "application/sparql-results+json")])
def test_bad_answers_are_errors(web, code, body, kind):
    web.script = lambda h, n: h.say(code, body, kind)
    with ask(web, max_bytes=10_000) as g:
        for q in ("ASK {}", "SELECT * { ?s ?p ?o }"):
            with pytest.raises(QueryFailed): g.query(q)

def test_a_service_that_is_not_there():
    with load_graph(engine="endpoint", endpoint_url=f"http://127.0.0.1:{free_port()}/") as g, pytest.raises(QueryFailed, match="Not reached"): g.query("ASK {}")
    for url in ("ftp://a", "nonsense"):
        with pytest.raises(GraphError): load_graph(engine="endpoint", endpoint_url=url)

@needs_server
def test_a_service_knows_its_files(served):
    g = served(TOY)
    with load_graph(TOY, isolate=False) as h:
        assert g.fingerprint == h.fingerprint and g.n_triples == h.n_triples and g.prefixes == h.prefixes
        q = "SELECT ?s ?l { ?s a up:Protein ; rdfs:label ?l } ORDER BY ?s"
        assert g.query(q).rows == h.query(q).rows
    g.close()

def test_threads_may_read_their_first_queries_at_once():
    "rdflib's parser is not made for threads: without a lock, a first reading by several of them breaks all later ones"
    code = """
from concurrent.futures import ThreadPoolExecutor
from rbkit.graphs.guard import guard
one = lambda i: guard(f"SELECT ?x (COUNT(DISTINCT ?y) AS ?n{i}) WHERE {{ ?x a <urn:a{i}> ; <urn:p{i}> ?y . FILTER(?y > {i}) }} GROUP BY ?x", 100).kind
with ThreadPoolExecutor(4) as pool: print(set(pool.map(one, range(60))))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "{'select'}", done.stderr[-800:]

@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
def test_a_file_without_prefixes_gets_some(tmp_path, engine):
    "One for each namespace that it uses; queries need no PREFIX lines; what cannot be a CURIE stays in angle brackets"
    e, r = "http://a.org/thing/", "http://a.org/says#"
    lines = [f"<{e}{i}> <{r}knows> <{e}{i+1}> ." for i in range(4)]+[f"<{e}a(b> <{r}knows> <http://once.org/x> ."]
    (tmp_path/"g.nt").write_text("\n".join(lines)+"\n")
    with load_graph(tmp_path/"g.nt", engine=engine) as g:
        assert g.prefixes["ns1"] == e and g.prefixes["ns2"] == r and "ns3" not in g.prefixes
        assert g.query("SELECT ?o { ns1:1 ns2:knows ?o }").rows == [["ns1:2"]]
        assert g.query("SELECT ?s ?o { ?s ns2:knows ?o FILTER(CONTAINS(STR(?o), 'once')) }").rows == [[f"<{e}a(b>", "<http://once.org/x>"]]
    with load_graph(tmp_path/"g.nt", engine=engine, prefixes=dict(t=e, ns1="http://b.org/")) as g:
        assert g.query("SELECT ?o { t:1 ns2:knows ?o }").rows == [["t:2"]] and g.prefixes["ns1"] == "http://b.org/"

def test_a_namespace_that_no_prefix_of_a_file_covers_gets_one(tmp_path):
    "An ontology that refers to another one without naming it"
    lines = ["@prefix a: <http://a.org/> .", *(f"a:{i} a:at <http://b.org/place#{i}> ." for i in range(3)), "a:1 a:seen <http://once.org/x> ."]
    (tmp_path/"g.ttl").write_text("\n".join(lines)+"\n")
    with load_graph(tmp_path/"g.ttl") as g:
        assert {k: v for k, v in g.prefixes.items() if k.startswith("ns")} == dict(ns1="http://b.org/place#")
        assert g.query("SELECT ?o { a:1 a:at ?o }").rows == [["ns1:1"]]
