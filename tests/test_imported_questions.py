"Question lists, graph files and manifests that other people wrote"
import gzip, json, time, zipfile
import pytest
from house import data, root
from rbkit.graphs.checks import check_answer, check_suite
from rbkit.graphs.files import GraphError
from rbkit.graphs.graph import load_graph
from rbkit.graphs.manifest import read_manifest
from rbkit.graphs.new_suites import read_draft
from rbkit.graphs.suites import load_suite, read_tasks
from rbkit.reports.cli import main

GRAPH = root/"seeds/toy/graph.ttl"
PROTEINS = "SELECT ?p { ?p a up:Protein }"
COUNT = "SELECT (COUNT(?p) AS ?n) { ?p a up:Protein }"
needs_data = pytest.mark.skipif(not (data/"suites/orga").is_dir(), reason="no suites under data_path")

def folder_of(place, **files):
    "A folder with the toy graph and these files; dots are written as two underscores"
    place.mkdir(exist_ok=True)
    (place/"graph.ttl").write_bytes(GRAPH.read_bytes())
    for name, text in files.items():
        path = place/name.replace("__", ".")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return place

def entries(*pairs): return json.dumps([dict(question=question, sparql=gold) for question, gold in pairs])

# A folder of questions

@needs_data
@pytest.mark.parametrize("name, n, held_out", [("orga", 69, 16), ("coypu_mini", 131, 26)])
def test_every_file_of_a_folder_is_read_and_keeps_its_split(name, n, held_out):
    suite = load_suite(data/"suites"/name)
    assert len(suite.tasks)+len(suite.left_out) == n
    assert sum(task.split == "held_out" for task in suite.tasks) == held_out
    assert all(task.split == ("held_out" if "test_split" in task.id else "train") for task in suite.tasks)
    learned = {task.question for task in suite.tasks if task.split == "train"}
    assert not learned & {task.question for task in suite.tasks if task.split == "held_out"}

@needs_data
def test_an_rdf_file_with_the_questions_in_it_is_no_part_of_the_graph():
    suite = load_suite(data/"suites/acme_insurance")
    assert [path.name for path in suite.files["acme_insurance"]] == ["acme_kg.nt", "insurance.ttl"]
    assert suite.left_out == ["acme-benchmark.ttl: it holds the questions of the suite, so it is no part of the graph."]

def test_a_graph_may_be_called_benchmark(tmp_path):
    folder = folder_of(tmp_path/"s", q__json=entries(("Which proteins are there in the graph?", PROTEINS)))
    (folder/"graph.ttl").rename(folder/"my-benchmark.ttl")
    suite = load_suite(folder)
    assert [path.name for path in suite.files["s"]] == ["my-benchmark.ttl"] and not suite.left_out

@pytest.mark.parametrize("name, split", [("train", "train"), ("my_dev", "held_out"), ("valid-1", "held_out"), ("qTest", "held_out"),
    ("latest", "train"), ("contest", "train"), ("validation_set", "held_out")])
def test_the_name_of_a_file_says_its_split(name, split, tmp_path):
    folder = folder_of(tmp_path/"s", **{f"{name}__json": entries(("Which?", PROTEINS))})
    assert [task.split for task in load_suite(folder).tasks] == [split]

def test_one_bad_entry_or_file_costs_nothing_else(tmp_path, capsys):
    qald = dict(questions=[
        dict(id=1, question=[dict(language="en", string="Which?")], query=dict(sparql=PROTEINS)),
        dict(id=2, question=[dict(language="en", string="Where?")], query={}),
        dict(id=3, question=[dict(language="de", string="Wer?")], query=dict(sparql=COUNT)),
        dict(id=4, question=[dict(language="en", string="How many?")], query=dict(sparql=COUNT)), "no record"])
    folder = folder_of(tmp_path/"s", a__json=json.dumps(qald), about__json='{"name": "s"}', z__jsonl='{"question": "When?", "sparql": "ASK {}"}\n{')
    suite = load_suite(folder)
    assert [task.question for task in suite.tasks] == ["Which?", "How many?", "When?"]
    left_out = "\n".join(suite.left_out)
    for said in ("a.json, question 2: there is no query", "a.json, question 3: there is no question in 'en', only in de", "a.json, question 5",
            "about.json is not a list of questions", "z.jsonl, line 2: not JSON"): assert said in left_out
    assert len(suite.left_out) == 5
    assert main(["tasks", "check", str(folder)]) == 1
    heard = capsys.readouterr()
    assert "sound" not in heard.out and "5 files or questions left out" in heard.out and left_out in heard.err

def test_a_folder_without_any_list_names_what_was_seen(tmp_path):
    with pytest.raises(ValueError, match="about.json is not a list of questions"): load_suite(folder_of(tmp_path/"s", about__json='{"name": "s"}'))

def test_a_question_in_two_files_is_kept_once_and_not_in_training_if_it_is_held_out(tmp_path):
    folder = folder_of(tmp_path/"s", train__json=entries(("Which?", PROTEINS), ("How many?", COUNT), ("How many?", COUNT)), test__json=entries(("Which?", PROTEINS)),
        train_too__csv=f"question,query\nHow many?,{COUNT}\n")
    suite = load_suite(folder)
    assert [(task.question, task.split) for task in suite.tasks] == [("Which?", "held_out"), ("How many?", "train"), ("How many?", "train")]
    assert suite.left_out == ["train.json, question 1: the same question is held out (test.json, question 1).",
        "train_too.csv, line 2: the same as train.json, question 2."]

def test_files_with_one_stem_and_members_of_zips_are_read(tmp_path):
    folder = folder_of(tmp_path/"s", q__json=entries(("Which?", PROTEINS)), q__csv=f"question,query\nHow many?,{COUNT}\n",
        more__jsonl__gz=gzip.compress(json.dumps(dict(question="Any?", query="ASK {}")).encode("utf-8-sig")))
    with zipfile.ZipFile(folder/"z.zip", "w") as archive: archive.writestr("inner/dev.json", "\ufeff"+entries(("Where?", PROTEINS)))
    suite = load_suite(folder)
    assert {task.question: task.split for task in suite.tasks} == {"Which?": "train", "How many?": "train", "Any?": "train", "Where?": "held_out"}
    assert len(suite.files["s"]) == 1 and not suite.left_out

# The formats

ENTRY = dict(question="Which proteins?", query=PROTEINS)
T2S = f"""dataset: {{id: "https://text2sparql.aksw.org/2025/corporate/"}}
questions:
  - id: 7
    question: {{en: "Which proteins?", de: "Welche Proteine?"}}
    query: {{sparql: "{PROTEINS}"}}
    features: [SELECT, BGP]
    classes: ["up:Protein"]
    properties: []
"""
FORMATS = {
    "t2s.yaml": T2S,
    "qald9.json": json.dumps(dict(dataset=dict(id="qald-9"), questions=[dict(id="7", answertype="resource", aggregation=False, onlydbo=True, hybrid=False,
        question=[dict(language="de", string="Welche?"), dict(language="en", string="Which proteins?", keywords="proteins")], query=dict(sparql=PROTEINS), answers=[])])),
    "lcquad1.json": json.dumps([{"_id": "7", "corrected_question": "Which proteins?", "intermediary_question": "Which <p>?", "sparql_query": PROTEINS, "sparql_template_id": 2}]),
    "lcquad2.json": json.dumps([dict(uid=7, NNQT_question="{which}", question="Which proteins?", paraphrased_question="Which ones?", template_id="1", answer=[],
        sparql_wikidata="SELECT ?p { ?p wdt:P31 wd:Q8054 }", sparql_dbpedia18=PROTEINS)]),
    "dblp.json": json.dumps(dict(questions=[dict(id=7, question=dict(string="Which proteins?"), query=dict(sparql=PROTEINS), entities=["x"])])),
    "split.json": json.dumps(dict(train=[dict(id=7, **ENTRY)])),
    "columns.json": json.dumps(dict(id=[7], question=["Which proteins?"], query=[PROTEINS])),
    "lines.jsonl": "\ufeff"+json.dumps(dict(id=7, **ENTRY))+"\n\n",
    "bom.csv": f"\ufeffid,Question,SPARQL\n7,Which proteins?,{PROTEINS}\n",
    "semicolons.csv": f"id;question;query\n7;Which proteins?;{PROTEINS}\n",
    "tabs.tsv": f"id\tquestion\tquery\n7\tWhich proteins?\t{PROTEINS}\n",
    "windows.csv": f"id,question,query\r\n7,Which proteins?,{PROTEINS}\r\n".encode("utf-16"),
    "packed.json.gz": gzip.compress(json.dumps([dict(id=7, **ENTRY)]).encode())}

@pytest.mark.parametrize("name", FORMATS)
def test_a_format_becomes_a_suite_in_place_and_by_command(name, tmp_path):
    folder = folder_of(tmp_path/"s", **{name: FORMATS[name]})
    suite = load_suite(folder)
    assert [(task.id, task.question) for task in suite.tasks] == [("s-7", "Which proteins?")] and not suite.left_out
    assert main(["tasks", "new", str(tmp_path/"new"), "--questions", str(folder/name), "--graph", str(GRAPH)]) == 0
    line, = map(json.loads, (tmp_path/"new/tasks.jsonl").read_text().splitlines())
    assert line["id"] == "7" and line["question"] == "Which proteins?" and line["gold"] == PROTEINS

def test_unknown_fields_are_tags_and_that_is_said_once(tmp_path, capsys):
    (tmp_path/"q.yaml").write_text(T2S+T2S.partition("questions:\n")[2].replace("id: 7", "id: 8"))
    assert main(["tasks", "new", str(tmp_path/"new"), "--questions", str(tmp_path/"q.yaml"), "--graph", str(GRAPH)]) == 0
    assert capsys.readouterr().out.count("kept as tags: classes, features.") == 1
    assert json.loads((tmp_path/"new/tasks.jsonl").read_text().splitlines()[0])["tags"] == ["features: SELECT", "features: BGP", "classes: up:Protein"]

def test_a_list_without_english_is_read_in_its_own_language(tmp_path):
    (tmp_path/"q.yaml").write_text(T2S.replace('en: "Which proteins?", ', ""))
    folder = folder_of(tmp_path/"s", q__yaml=(tmp_path/"q.yaml").read_text())
    assert [task.question for task in load_suite(folder).tasks] == ["Welche Proteine?"]

# A query that cannot run does not stop the others

def result(*values): return [dict(head=dict(vars=["x"]), results=dict(bindings=[dict(x=dict(type="uri", value=value)) for value in values]))]

LABELS = '@prefix e: <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .\n' \
    'e:z rdfs:label "Berlin"@de, "Berlin"@en ; a e:City . e:b a e:City ; rdfs:label "Bern"@de .\n'+"\n".join(f"e:n{i} a e:Number ." for i in range(1001))
CASES = { # id: query, published answers, kept?
    "plain": ("SELECT ?c { ?c a e:City }", None, True),
    "languages": ("SELECT DISTINCT ?l { ?c rdfs:label ?l }", None, True),
    "twice": ("SELECT ?l { ?c a e:City ; rdfs:label ?l }", None, True),
    "scope": ("OUT OF SCOPE", None, False),
    "scope_answered": ("OUT OF SCOPE", [dict(head={}, boolean=True)], True),
    "prefix": ("SELECT ?c { ?c a dbo:City }", None, False), # declared, and finds nothing
    "own_prefix": ("SELECT ?c { ?c a nobody:City }", None, False),
    "virtuoso": ("SELECT ?c { ?c rdfs:label ?l . ?l bif:contains 'Berlin' }", None, False),
    "virtuoso_answered": ("SELECT COUNT(?c) { ?c a e:City ", result("http://e.org/z"), True),
    "many": ("SELECT ?n { ?n a e:Number }", None, False),
    "service": ("SELECT ?c { SERVICE <http://a.org/s> { ?c a e:City } }", result("http://e.org/z", "http://e.org/b"), True),
    "ordered": ("SELECT ?c { ?c a e:City } ORDER BY ?c", None, True),
    "first": ("SELECT ?c { ?c a e:City } ORDER BY ?c LIMIT 1", None, True),
    "inner": ("SELECT ?c { { SELECT ?c { ?c a e:City } ORDER BY ?c } }", None, True)}

@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    "A published list whose queries partly do not run, as a suite"
    place = tmp_path_factory.mktemp("imported")
    (place/"g.ttl").write_text(LABELS)
    listed = [dict(id=id, question=[dict(language="en", string=f"What of {id}?")], query=dict(sparql=gold), answertype="resource", **({"answers": answers} if answers else {}))
        for id, (gold, answers, _) in CASES.items()]
    (place/"q.json").write_text(json.dumps(dict(questions=listed)))
    assert main(["tasks", "new", str(place/"new"), "--questions", str(place/"q.json"), "--graph", str(place/"g.ttl")]) == 0
    return place

def test_the_rest_of_a_list_is_imported_and_sound(imported, capsys):
    suite = load_suite(imported/"new")
    assert {task.id for task in suite.tasks} == {id for id, case in CASES.items() if case[2]}
    assert check_suite(suite) == []
    tasks = {task.id: task for task in suite.tasks}
    assert [id for id, task in tasks.items() if task.ordered] == ["ordered"]
    assert "answertype: resource" in tasks["plain"].tags
    assert check_answer(suite, tasks["scope_answered"], [["true"]]).correct and not check_answer(suite, tasks["scope_answered"], [["false"]]).correct
    assert check_answer(suite, tasks["service"], [["e:b"], ["http://e.org/z"]]).correct and not check_answer(suite, tasks["service"], [["e:b"]]).correct
    assert not check_answer(suite, tasks["ordered"], [["e:z"], ["e:b"]]).correct
    suite.close()

def test_each_task_that_is_left_out_is_listed_with_its_reason(imported, capsys):
    again = imported/"again"
    assert main(["tasks", "new", str(again), "--questions", str(imported/"q.json"), "--graph", str(imported/"g.ttl")]) == 0
    heard = capsys.readouterr()
    left_out = heard.err.splitlines()
    assert len(left_out) == sum(not case[2] for case in CASES.values()) and f"{len(left_out)} left out" in heard.out
    for start in ("q.json, question 4: its query is no SPARQL query: 'OUT OF SCOPE'", "prefix: the gold query finds nothing", "own_prefix: the gold query fails",
            "virtuoso: the gold query fails", "many: the gold query returns more than 1000 rows"): assert any(line.startswith(start) for line in left_out), start

def test_well_known_prefixes_are_declared(tmp_path):
    (tmp_path/"g.nt").write_text("<http://dbpedia.org/resource/A> <http://xmlns.com/foaf/0.1/name> \"A\" .\n")
    (tmp_path/"q.json").write_text(entries(("Who?", "SELECT ?n { dbr:A foaf:name ?n FILTER(?n != 'skos:x') }")))
    suite = load_suite(tmp_path)
    assert check_suite(suite) == [] and check_answer(suite, suite.tasks[0], [["A"]]).correct
    suite.close()
    assert main(["tasks", "new", str(tmp_path/"new"), "--questions", str(tmp_path/"q.json"), "--graph", str(tmp_path/"g.nt")]) == 0
    gold = json.loads((tmp_path/"new/tasks.jsonl").read_text())["gold"]
    assert "PREFIX foaf: <http://xmlns.com/foaf/0.1/>" in gold and "PREFIX skos" not in gold

@needs_data
def test_published_answers_of_bestiary_decide_where_its_queries_are_no_sparql():
    suite = load_suite(data/"suites/bestiary")
    assert len(suite.tasks) == 100 and all(task.answers for task in suite.tasks) and sum(task.ordered for task in suite.tasks) == 3
    suite.close()

def test_several_files_and_a_folder_become_one_suite(tmp_path):
    lists = tmp_path/"lists"
    folder_of(lists, train__json=entries(("Which?", PROTEINS)), dev__json=entries(("How many?", COUNT)), about__json="{}")
    for name, given in dict(one=[lists], two=[lists/"train.json", lists/"dev.json"]).items():
        asked = [word for path in given for word in ("--questions", str(path))]
        assert main(["tasks", "new", str(tmp_path/name), *asked, "--graph", str(GRAPH)]) == 0
        found = {task.question: task.split for task in read_tasks(tmp_path/name/"tasks.jsonl", "g")}
        assert found == {"Which?": "train", "How many?": "held_out"}

def test_a_question_that_comes_twice_stays_in_one_split(tmp_path):
    (tmp_path/"q.json").write_text(entries(*[("Which?", PROTEINS)]*8))
    assert main(["tasks", "new", str(tmp_path/"new"), "--questions", str(tmp_path/"q.json"), "--graph", str(GRAPH)]) == 0
    assert len({task.split for task in read_tasks(tmp_path/"new/tasks.jsonl", "g")}) == 1

# Graph files

TTL = '@prefix e: <http://e.org/> .\ne:a e:n "Zürich" .\n'
NT = '<http://e.org/a> <http://e.org/n> "Zürich" .\n'
JSONLD = json.dumps({"@context": {"e": "http://e.org/"}, "@id": "e:a", "e:n": "Zürich"}, ensure_ascii=False)
def xml(encoding): return (f'<?xml version="1.0" encoding="{encoding}"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">'
    '<rdf:Description rdf:about="http://e.org/a"><e:n>Zürich</e:n></rdf:Description></rdf:RDF>')
READ = {"bom.ttl": TTL.encode("utf-8-sig"), "bom.nt": NT.encode("utf-8-sig"), "bom.nq": NT.encode("utf-8-sig"), "bom.trig": TTL.encode("utf-8-sig"),
    "bom.jsonld": JSONLD.encode("utf-8-sig"), "bom.rdf": xml("UTF-8").encode("utf-8-sig"), "latin.rdf": xml("ISO-8859-1").encode("latin-1"),
    "windows.owl": xml("windows-1252").encode("cp1252"), "wide.rdf": xml("UTF-16").encode("utf-16"), "wide.xml": xml("utf-16").encode("utf-16-be"), "wide.ttl": TTL.encode("utf-16"),
    "ascii.rdf": xml("us-ascii").replace("ü", "&#252;").encode(), "packed.ttl.gz": gzip.compress(TTL.encode("utf-8-sig")), "packed.rdf.gz": gzip.compress(xml("latin1").encode("latin-1")),
    "xml.ttl": xml("UTF-8").encode(), "turtle.nt": TTL.encode(), "turtle.rdf": TTL.encode(), "json.ttl": JSONLD.encode()}

@pytest.mark.parametrize("name", READ)
def test_an_encoding_or_a_wrong_suffix_does_not_stop_a_graph(name, tmp_path):
    (tmp_path/name).write_bytes(READ[name])
    with load_graph(tmp_path/name, isolate=False) as graph:
        assert graph.query("SELECT ?o { <http://e.org/a> <http://e.org/n> ?o }").rows == [["Zürich"]]

def test_a_mark_and_an_encoding_do_not_change_a_fingerprint(tmp_path):
    prints = set()
    for name in ("bom.ttl", "wide.ttl", "packed.ttl.gz"):
        (tmp_path/name).write_bytes(READ[name])
        with load_graph(tmp_path/name, isolate=False) as graph: prints.add(graph.fingerprint)
    assert len(prints) == 1

REFUSED = {"about.json": b'{"name": "x"}', "list.json": b"[1, 2]", "context.jsonld": b'{"@context": {"e": "http://e.org/"}}', "prefixes.ttl": b"@prefix e: <http://e.org/> .",
    "comments.nt": b"# nothing\n", "empty.rdf": xml("UTF-8").split("<rdf:Description")[0].encode()+b"</rdf:RDF>", "slow.rdf": xml("punycode").encode(), "false.rdf": xml("no-such").encode()}

@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
def test_a_file_without_a_statement_is_refused(name, engine, tmp_path):
    (tmp_path/name).write_bytes(REFUSED[name])
    with pytest.raises(GraphError, match=name): load_graph(tmp_path/name, engine=engine, isolate=False)

def test_a_file_of_prefixes_may_stand_beside_a_graph(tmp_path):
    for name, text in (("prefixes.ttl", "@prefix x: <http://e.org/> ."), ("g.nt", NT)): (tmp_path/name).write_text(text)
    with load_graph(tmp_path, isolate=False) as graph: assert graph.n_triples == 1 and graph.prefixes["x"] == "http://e.org/"

# Files from strangers

LONG_NAME = ".".join("a"*8000)
HOSTILE = {f"{LONG_NAME} = 1": "16 names", f"[{LONG_NAME}]": "16 names", f"a = {{ {LONG_NAME} = 1 }}": "16 names", '"a" . '*5000+"b = 1": "16 names",
    "a = "+"["*5000: "32 deep", "a = "+"{a="*5000: "32 deep", "# "+"x"*300_000: "characters of TOML", "a = 1\na = 2": "not TOML", "a = "+"9"*5000: "not TOML"}

@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_manifest_is_refused_at_once(text, tmp_path):
    (tmp_path/"suite.toml").write_text(text)
    with pytest.raises(ValueError, match=HOSTILE[text]) as error: read_manifest(tmp_path)
    assert "\n" not in str(error.value)

def test_a_manifest_of_usual_size_is_read(tmp_path):
    prefixes = "\n".join(f'p{i} = "http://a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s/{i}#"' for i in range(500))
    folder_of(tmp_path, suite__toml=f'[graphs.g]\nfiles = ["graph.ttl"] # a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s\n[graphs.g.prefixes]\n{prefixes}\n')
    assert len(read_manifest(tmp_path)["g"].prefixes) == 500

@pytest.mark.parametrize("way", ["up", "absolute", "link", "linked folder", "home"])
def test_a_file_outside_of_the_suite_is_refused(way, tmp_path, monkeypatch):
    suite = tmp_path/"suite"
    folder_of(suite)
    (tmp_path/"x.ttl").write_bytes(GRAPH.read_bytes())
    (suite/"link.ttl").symlink_to(tmp_path/"x.ttl")
    (suite/"away").symlink_to(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    named = {"up": "../x.ttl", "absolute": str(tmp_path/"x.ttl"), "link": "link.ttl", "linked folder": "away/x.ttl", "home": "~/x.ttl"}[way]
    (suite/"suite.toml").write_text(f'[graphs.g]\nfiles = "{named}"\n')
    with pytest.raises(ValueError, match="out of the suite's folder|no such file"): read_manifest(suite)

def test_links_out_of_a_folder_are_refused_without_a_manifest(tmp_path):
    (tmp_path/"x.ttl").write_bytes(GRAPH.read_bytes())
    for name in ("own", "outside"):
        (tmp_path/name).mkdir()
        (tmp_path/name/"g.ttl").symlink_to(tmp_path/"x.ttl")
    (tmp_path/"own/tasks.jsonl").write_text(json.dumps(dict(id="a", level=1, question="Which?", gold=PROTEINS)))
    (tmp_path/"outside/q.json").write_text(entries(("Which?", PROTEINS)))
    for name in ("own", "outside"):
        with pytest.raises(ValueError, match="out of the suite's folder"): load_suite(tmp_path/name)

def test_a_suite_is_written_beside_files_that_are_there(tmp_path):
    folder = folder_of(tmp_path/"s", suite__toml='[graphs.s]\nfiles = "graph.ttl"\n')
    (tmp_path/"q.json").write_text(entries(("Which?", PROTEINS)))
    assert main(["tasks", "new", str(folder), "--questions", str(tmp_path/"q.json")]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["graph.ttl", "suite.toml", "tasks.jsonl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["q.json", "s"]

TASK = dict(id="a", level=1, question="Which?", gold=PROTEINS)
WRONG = [json.dumps({**TASK, "level": True}), json.dumps({**TASK, "level": 1.0}), json.dumps(TASK)[:-1]+', "gold": "ASK {}"}', json.dumps({**TASK, "tags": "abc"}),
    json.dumps({**TASK, "tags": [1]}), json.dumps({**TASK, "answers": ["a"]}), json.dumps({**TASK, "ordered": 1}), "["*100_000, '{"a":'*100_000, json.dumps(TASK)[:-1]+', "x": NaN}',
    json.dumps({**TASK, "id": 1}), '{"level": '+"1"*5000+"}"]

@pytest.mark.parametrize("line", WRONG, ids=range(len(WRONG)))
def test_a_line_of_tasks_with_a_wrong_type_or_a_key_twice_is_refused(line, tmp_path):
    (tmp_path/"tasks.jsonl").write_text(line)
    with pytest.raises(ValueError, match="tasks.jsonl, line 1: ") as error: read_tasks(tmp_path/"tasks.jsonl", "g")
    assert len(str(error.value)) < 600

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"+"".join(f"a{i}: &a{i} [{', '.join([f'*a{i-1}']*10)}]\n" for i in range(1, 9))

@pytest.mark.parametrize("text", [BOMB, "a: &a [*a]", "batch: []\nbatch: [1]", "["*50_000, "day: 2026-02-30", "a: {b: 1, b: 2}"], ids=range(6))
def test_a_hostile_batch_or_list_is_refused_at_once(text, tmp_path, capsys):
    (tmp_path/"q.yaml").write_text(text)
    for said in (["batch", str(tmp_path/"q.yaml")], ["tasks", "new", str(tmp_path/"new"), "--questions", str(tmp_path/"q.yaml"), "--graph", str(GRAPH)]):
        assert main(said) == 1
        heard = capsys.readouterr().err
        assert "Traceback" not in heard and len(heard.splitlines()) == 1 and len(heard) < 600

def test_half_a_character_is_left_out(tmp_path):
    folder = folder_of(tmp_path/"s", q__json='[{"question": "Which \\ud800?", "query": "ASK {}"}, {"question": "Which?", "query": "ASK {}"}]')
    suite = load_suite(folder)
    assert len(suite.tasks) == 1 and "lone surrogate" in suite.left_out[0]

@pytest.mark.parametrize("names", [("train", "test"), ("my_training", "my_dev"), ("qTrain", "valid-1")])
def test_files_of_plain_questions_keep_the_split_of_their_names(names, tmp_path):
    from rbkit.worlds.question_files import read_questions
    for name in names: (tmp_path/f"{name}.jsonl").write_text("".join(json.dumps(dict(question=f"{name} {i}?", answer="1"))+"\n" for i in range(6)))
    assert {(q.question.split()[0], q.split) for q in read_questions(str(tmp_path))} == set(zip(names, ("train", "held_out")))

@pytest.mark.parametrize("line", ["["*100_000, '{"question": "A?", "answer": "1", "answer": "2"}'], ids=["deep", "twice"])
def test_a_hostile_line_of_plain_questions_or_of_queries_is_named(line, tmp_path):
    from rbkit.graphs.examples import read_queries
    from rbkit.worlds.question_files import read_questions
    (tmp_path/"q.jsonl").write_text(line)
    with pytest.raises(ValueError, match="line 1"): read_questions(str(tmp_path))
    with pytest.raises(ValueError, match="line 1"): read_queries(tmp_path/"q.jsonl")

@pytest.mark.parametrize("said, right", [("significant_digits = 3", ["12.3", "12.35"]), ("decimals = 1", ["12.3", "12.34"])])
def test_a_folder_in_another_format_reads_its_tolerance(tmp_path, said, right):
    from rbkit.graphs.checks import check_answer
    (tmp_path/"graph.ttl").write_text("@prefix e: <http://e.org/> . e:a e:mean 12.345678 .")
    (tmp_path/"qald.json").write_text(json.dumps(dict(questions=[dict(id="1", question=[dict(language="en", string="Which mean?")], query=dict(sparql="SELECT ?x { ?s <http://e.org/mean> ?x }"))])))
    (tmp_path/"suite.toml").write_text(f"[answers]\n{said}\n")
    found = load_suite(tmp_path)
    try: assert [check_answer(found, found.tasks[0], [[x]]).correct for x in (*right, "12.9")] == [True]*len(right)+[False]
    finally: found.close()

@pytest.mark.parametrize("said, why", [("[graphs.other]\nfiles = \"graph.ttl\"", "Keep .answers. alone"), ("[answers]\ndigits = 3", "unknown key 'digits'")])
def test_a_manifest_beside_another_format_is_not_passed_over(tmp_path, said, why):
    (tmp_path/"graph.ttl").write_text("@prefix e: <http://e.org/> . e:a e:mean 12.345678 .")
    (tmp_path/"qald.json").write_text(json.dumps(dict(questions=[dict(id="1", question=[dict(language="en", string="Which mean?")], query=dict(sparql="SELECT ?x { ?s <http://e.org/mean> ?x }"))])))
    (tmp_path/"suite.toml").write_text(said)
    with pytest.raises(ValueError, match=why): load_suite(tmp_path)

QUERY = "SELECT ?x { ?x ?p ?o }"
ONE = dict(question="What is it?", sparql=QUERY)
SHAPES = {"header.csv": f"Question,SPARQL Query\nWhat is it?,{QUERY}\n", "separator.csv": f"sep=;\nquestion;sparql\nWhat is it?;{QUERY}\n", "comment.csv": f"\ufeff# of a survey\nquestion,sparql\nWhat is it?,{QUERY}\n",
    "number.csv": f"#,question,sparql\n1,What is it?,{QUERY}\n", "lines.ndjson": json.dumps(ONE)+"\n", "by_id.json": json.dumps(dict(a=ONE)), "nested.json": json.dumps(dict(data=dict(questions=[ONE]))), "one.json": json.dumps(ONE)}

@pytest.mark.parametrize("name", SHAPES)
def test_a_list_in_another_shape_is_read(tmp_path, name):
    (tmp_path/name).write_text(SHAPES[name], encoding="utf-8")
    [line] = read_draft(tmp_path/name).lines
    assert (line["question"], line["gold"]) == ("What is it?", QUERY)

def test_lists_in_subfolders_are_read_and_their_names_give_the_split(tmp_path):
    for place, question in (("test", "What is a?"), ("train", "What is b?"), (".hidden", "What is c?")):
        (tmp_path/place).mkdir()
        (tmp_path/place/"data.json").write_text(json.dumps([dict(id="1", question=question, sparql=QUERY)]))
    assert {line["id"]: line["split"] for line in read_draft(tmp_path).lines} == {"test-data-1": "held_out", "train-data-1": "train"}
