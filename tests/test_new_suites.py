"A list of questions becomes a suite, or an error that says where and what"
import json
from pathlib import Path
import pytest
from house import rbkit, root
from rbkit.graphs.new_suites import QUESTION_FIELDS, read_draft
from rbkit.reports.cli import main

GRAPH = root/"seeds/toy/graph.ttl"
NAME = "SELECT ?name WHERE { taxon:10090 up:scientificName ?name }"
QUESTIONS = dict(csv=f'question,sparql,level,tags\n"What is its name, in full?",{NAME},1,"lookup, label"\n',
    jsonl=json.dumps(dict(question="What is its name?", gold=NAME, tags=["lookup"])),
    yaml=f"- question: What is its name?\n  gold: '{NAME}'\n  ties: false\n",
    json=json.dumps(dict(questions=[dict(id=7, question=[dict(language="de", string="Wie heisst sie?"), dict(language="en", string="What is its name?")],
        query=dict(sparql=NAME))])))

@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_format_becomes_a_sound_suite(kind, tmp_path, capsys):
    (tmp_path/f"mine.{kind}").write_text(QUESTIONS[kind])
    said = ["tasks", "new", str(tmp_path/"suite"), "--questions", str(tmp_path/f"mine.{kind}"), "--graph", str(GRAPH)]
    assert main(said) == 0 and "1 tasks, 0 without a query" in capsys.readouterr().out
    line = json.loads((tmp_path/"suite/tasks.jsonl").read_text())
    assert line["gold"] == NAME and line["question"].startswith("What is its name") and line["split"] == "train"
    assert line["id"] == ("7" if kind == "json" else "q1") and set(line) == set(QUESTION_FIELDS)
    assert main(said) == 1 and "is there already" in capsys.readouterr().err

MISTAKES = {"question,glod\nA?,x\n": "line 2: unknown field 'glod'", "question,gold\n,x\n": "line 2: there is no question", 
    "question,level\nA?,9\n": "line 2: level='9'", "question,split\nA?,perhaps\n": "line 2: split='perhaps'", "question,ties\nA?,perhaps\n": "line 2: ties='perhaps'",
    "question\nA?,B\n": "more cells than the header", "question\n": "holds no questions"}

@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_named_with_its_place_and_nothing_is_written(text, tmp_path, capsys):
    (tmp_path/"mine.csv").write_text(text)
    assert main(["tasks", "new", str(tmp_path/"suite"), "--questions", str(tmp_path/"mine.csv"), "--graph", str(GRAPH)]) == 1
    said = capsys.readouterr().err
    assert MISTAKES[text] in said and "Traceback" not in said and not (tmp_path/"suite").exists()

def test_three_of_eight_questions_are_held_out_and_open_ones_are_named(tmp_path):
    (tmp_path/"mine.csv").write_text("question\n"+"".join(f"Question {i}?\n" for i in range(16)))
    draft = read_draft(tmp_path/"mine.csv")
    assert [line["split"] for line in draft.lines].count("held_out") == 6 and len(draft.open) == 16

def test_a_suite_without_queries_says_what_is_open(tmp_path):
    (tmp_path/"mine.csv").write_text("question\nWho?\n")
    r = rbkit("tasks", "new", tmp_path/"suite", "--questions", tmp_path/"mine.csv", "--graph", GRAPH)
    assert r.returncode == 1 and "1 without a query" in r.stdout and "q1: the question has no gold query; write one in its field gold" in r.stderr and (tmp_path/"suite/tasks.jsonl").is_file()

def test_options_for_new_are_refused_by_check(capsys):
    assert main(["tasks", "check", "seeds/toy", "--graph", str(GRAPH)]) == 1 and "rbkit tasks new" in capsys.readouterr().err

def test_what_a_stranger_sends_runs_nothing_and_stays_in_its_folder(tmp_path):
    "YAML that would make an object, an array that would be unpickled, an archive whose names lead out of its folder"
    import zipfile
    import numpy as np
    from rbkit.ground.documents import parse_yaml
    from rbkit.graphs.suites import load_suite
    from rbkit.retrieval.arrays import read_snapshot
    made = tmp_path/"made"
    class Evil:
        def __reduce__(self): return (Path.touch, (made,))
    with pytest.raises(ValueError, match="not YAML"): parse_yaml(f"!!python/object/apply:os.mkdir ['{made}']")
    np.savez(tmp_path/"s.npz", said=np.array([Evil()], dtype=object))
    with pytest.raises(ValueError, match="not a complete snapshot"): read_snapshot(tmp_path/"s.npz")
    with pytest.raises(ValueError, match="allow_pickle=False"), np.load(tmp_path/"s.npz") as file: file["said"]
    suite = tmp_path/"suite"
    suite.mkdir()
    with zipfile.ZipFile(suite/"g.zip", "w") as archive:
        for name in ("../../made", str(made), "g.ttl"): archive.writestr(name, "<urn:a> <urn:b> <urn:c> .")
        archive.writestr("q.json", json.dumps([dict(question="Which?", sparql="SELECT ?s { ?s ?p ?o }")]))
    held = load_suite(suite)
    assert len(held.tasks) == 1
    held.close()
    assert not made.exists() and not (tmp_path.parent/"made").exists()
    with np.load(tmp_path/"s.npz", allow_pickle=True) as file: file["said"]
    assert made.exists(), "the control: unpickled, it runs"

def test_an_archive_that_unpacks_to_too_much_is_not_unpacked(tmp_path, monkeypatch):
    import tempfile, zipfile
    from rbkit.graphs.suites import load_suite
    monkeypatch.setenv("RBKIT_GRAPH_MAX_MB", "1")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path/"t"))
    for folder in ("t", "suite"): (tmp_path/folder).mkdir()
    with zipfile.ZipFile(tmp_path/"suite"/"g.zip", "w", zipfile.ZIP_DEFLATED) as archive: archive.writestr("g.ttl", " "*2_000_000)
    assert (tmp_path/"suite"/"g.zip").stat().st_size < 10_000
    with pytest.raises(ValueError, match="g.zip: unpacked it is longer than 1 MB .*graph_max_mb"): load_suite(tmp_path/"suite")
    assert not [f for f in (tmp_path/"t").rglob("*") if f.is_file()]

def test_a_gold_query_that_finds_nothing_is_named_with_the_pattern_that_leaves_no_rows(tmp_path, capsys):
    asked = tmp_path/"asked.csv"
    asked.write_text('question,gold\n"Which proteins are of mars?","SELECT ?p WHERE { ?p a up:Protein . ?p up:organism taxon:424242 }"\n')
    assert main(["tasks", "new", str(tmp_path/"suite"), "--questions", str(asked), "--graph", str(root/"seeds/toy/graph.ttl")]) == 1
    said = capsys.readouterr().err
    first, *rest = said.splitlines()
    assert first.startswith("q1: the gold query finds nothing: ") and "up:organism taxon:424242" in first and "a up:Protein" not in first
    assert len(rest) == 1 and "nothing was written" in rest[0] and not (tmp_path/"suite").exists()

def test_without_a_graph_nothing_is_written(tmp_path, capsys):
    (tmp_path/"mine.csv").write_text(QUESTIONS["csv"])
    said = ["tasks", "new", str(tmp_path/"suite"), "--questions", str(tmp_path/"mine.csv")]
    for _ in range(2): assert main(said) == 1 and "--graph FILE" in capsys.readouterr().err and not (tmp_path/"suite").exists()
    (tmp_path/"suite").mkdir()
    (tmp_path/"suite/graph.ttl").write_text(GRAPH.read_text())
    assert main(said) == 0 and "1 tasks" in capsys.readouterr().out

@pytest.mark.parametrize("name, data, said", [
    ("q.csv", b"question,gold\n"+b"x"*140_000+b",y\n", "q.csv, line 2: not read as CSV"),
    ("q.csv", b"question,gold\ncaf\xe9,y\n", "q.csv is not UTF-8"),
    ("q.json", b"["*100_000, "nested too deeply")])
def test_what_cannot_be_read_at_all_is_named(tmp_path, name, data, said):
    (tmp_path/name).write_bytes(data)
    with pytest.raises(ValueError, match=said): read_draft(tmp_path/name)

@pytest.mark.parametrize("what", ["check", "new"])
def test_a_host_can_be_allowed_on_the_same_command_line(what, tmp_path, capsys, monkeypatch):
    "The error says `--services HOST`, so both verbs take it; and it is for that command only"
    import os
    monkeypatch.setenv("RBKIT_SERVICES", "other.example")
    (tmp_path/"mine.csv").write_text(QUESTIONS["csv"])
    said = ["tasks", "new", str(tmp_path/"suite"), "--questions", str(tmp_path/"mine.csv"), "--graph", str(GRAPH), "--endpoint", "http://graph.invalid/sparql"]
    if what == "check":
        assert main([*said, "--services", "graph.invalid"]) == 1
        (tmp_path/"suite").mkdir(exist_ok=True)
        (tmp_path/"suite/suite.toml").write_text('[graphs.suite]\nendpoint = "http://graph.invalid/sparql"\nontology = ["graph.ttl"]\n')
        (tmp_path/"suite/graph.ttl").write_text(GRAPH.read_text())
        (tmp_path/"suite/tasks.jsonl").write_text(json.dumps(dict(id="q1", question="?", gold=NAME, level=1)))
        said = ["tasks", "check", str(tmp_path/"suite")]
    capsys.readouterr()
    assert main(said) == 1 and "say --services other.example,graph.invalid" in capsys.readouterr().err
    assert main([*said, "--services", "graph.invalid"]) == 1 and "Not reached" in capsys.readouterr().err
    assert os.environ["RBKIT_SERVICES"] == "other.example"

REFUSED = dict(turtle=("g.ttl", "<urn:a> <urn:b> .", NAME), host=("", "", NAME), query=("g.ttl", "", "SELECT ?x WHERE {"))

@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.parametrize("there", [False, True])
def test_what_is_refused_leaves_nothing_in_the_way_of_the_corrected_command(why, there, tmp_path, capsys):
    name, text, gold = REFUSED[why]
    if there: (tmp_path/"suite").mkdir()
    (tmp_path/"mine.csv").write_text(f"question,gold\nWhat is it?,{gold}\n")
    (tmp_path/"g.ttl").write_text(text or GRAPH.read_text())
    said = ["tasks", "new", str(tmp_path/"suite"), "--questions", str(tmp_path/"mine.csv"), "--graph", str(tmp_path/"g.ttl")]
    assert main([*said, *([] if name else ["--endpoint", "http://graph.invalid/sparql"])]) == 1
    heard = capsys.readouterr().err
    assert "lenient" not in heard and "Traceback" not in heard and sorted(p.name for p in tmp_path.iterdir() if p.name != "suite") == ["g.ttl", "mine.csv"]
    assert not (tmp_path/"suite").exists() or not list((tmp_path/"suite").iterdir())
    (tmp_path/"mine.csv").write_text(f"question,gold\nWhat is it?,{NAME}\n")
    (tmp_path/"g.ttl").write_text(GRAPH.read_text())
    assert main(said) == 0 and not (tmp_path/"suite/g.ttl").is_symlink()

def test_a_run_over_a_question_without_a_query_names_it(tmp_path):
    from rbkit.graphs.guard import QueryError
    from rbkit.graphs.suites import load_suite
    (tmp_path/"mine.csv").write_text("question\nWho?\n")
    main(["tasks", "new", str(tmp_path/"suite"), "--questions", str(tmp_path/"mine.csv"), "--graph", str(GRAPH)])
    suite = load_suite(tmp_path/"suite")
    with pytest.raises(QueryError, match="q1: the question has no gold query; write one in its field gold"): suite.pick(1)
    suite.close()

def test_a_slip_in_a_header_is_named(tmp_path):
    (tmp_path/"mine.csv").write_text("question,glod\nA?,x\n")
    with pytest.raises(ValueError, match="Did you mean 'gold'"): read_draft(tmp_path/"mine.csv")

def test_a_mistake_in_yaml_is_named_with_file_and_line(tmp_path):
    (tmp_path/"mine.yaml").write_text("- question: A?\n- question: [B\n- gold: x\n")
    with pytest.raises(ValueError, match=r"mine.yaml is not YAML, line \d"): read_draft(tmp_path/"mine.yaml")
