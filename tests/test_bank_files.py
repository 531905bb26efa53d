"A bank on the command line: what a researcher brings, reads and carries away"
import json, sqlite3
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from types import SimpleNamespace
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from house import bins, rbkit, root
from test_terminal import in_terminal
from rbkit.bank.bank import Bank, seed_bank
from rbkit.bank.files import check_bank_file, entries_of, exported, import_items, read_bank, vouched_items, same_text
from rbkit.bank.items import Item
from rbkit.reports.cli import main
from rbkit.trials.spec import check_bank, open_bank
from rbkit.policies.consolidation import is_seed

BASE = dict(title="Grip before you turn", description="A lid does not move", content="Close the hand to 20 N first.")

def write(path, *records):
    path.write_text("".join(json.dumps(r)+"\n" for r in records), encoding="utf-8")
    return path

def here(*words):
    "The command in this process, for the many mistakes: what `rbkit` calls, without the time in which a Python starts"
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err): code = main([str(w) for w in words])
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())

def bank(*words, code=0, run=rbkit):
    "What the command said; where it failed, in its one line"
    r = run("bank", *words)
    assert r.returncode == code, r.stdout+r.stderr
    if not code: return r.stdout
    assert r.stderr.startswith("rbkit: ") and r.stderr.count("\n") == 1 and not r.stdout, r.stdout+r.stderr
    return r.stderr

@pytest.fixture
def mine(tmp_path):
    "A bank with one item that was shown to two runs and helped one"
    path = tmp_path/"mine.db"
    with Bank(path) as b:
        b.add(Item(**BASE, id="grip", polarity="failure", tags=["lid"]))
        for run, won in (("r1", True), ("r2", False)):
            b.record_exposure(run, "grip")
            b.outcome(run, won=won)
    return path

def items_of(path):
    with Bank(path) as b: return b.all(status=None)

# Bringing items

def test_every_format_brings_the_same_item(tmp_path):
    "JSON lines, a list, an object over several lines, Markdown; the second and later ones are there already"
    record = dict(BASE, polarity="failure", exemplar="ASK {}")
    files = {"a.jsonl": json.dumps(record)+"\n\n", "b.json": json.dumps([record], indent=2), "c.json": json.dumps(record, indent=2),
        "d.md": f"# Mine\n\nAbout lids.\n\n## {BASE['title']} [failure]\n\n{BASE['description']}\n\n{BASE['content']}\n\n```sparql\nASK {{}}\n```\n",
        "e.txt": json.dumps(record), "f.md": None}
    files["f.md"] = "\ufeff"+files["d.md"].replace("\n", "\r\n")
    to = tmp_path/"b.db"
    for i, (name, text) in enumerate(files.items()):
        (tmp_path/name).write_bytes(text.encode())
        said = bank("import", tmp_path/name, "--into", to)
        assert said.startswith("0 items added, 1 was there already" if i else "1 item added, 0 were there already"), name
    item, = items_of(to)
    assert item.polarity == "failure" and item.exemplar == "ASK {}" and item.provenance == {"source": "imported from a.jsonl"}

def test_a_record_of_the_papers_is_kept_whole(tmp_path):
    record = dict(title="T", description="D", strategy_text="C", strategy_id="s1", source_type="contrastive", episode="ep#7", preconditions=["dry", "near"],
        pitfalls=["slip"], applicability="lids", triggers=["torque rises"], parameters={"force_n": [15, 25]}, tags="lid jar", provenance={"source": "seed"},
        confidence=.7, question=None)
    bank("import", write(tmp_path/"a.jsonl", record), "--into", tmp_path/"b.db")
    x, = items_of(tmp_path/"b.db")
    assert (x.id, x.content, x.polarity, x.preconditions, x.pitfalls) == ("s1", "C", "contrastive", "dry\nnear", "slip")
    assert (x.triggers, x.parameters, x.tags, x.confidence) == (["torque rises"], {"force_n": [15, 25]}, ["lid", "jar"], .7)
    assert x.provenance == {"source": "imported from a.jsonl", "said": {"source": "seed"}, "episode": "ep#7",
        "given": {"preconditions": ["dry", "near"], "pitfalls": ["slip"]}} and not is_seed(x)

REFUSED = {
    "unknown": (dict(precondition="x"), ["'precondition' is unknown", "did you mean 'preconditions'?", "An item has title"]),
    "unknown, one letter": (dict(contents="x"), ["'contents' is unknown", "did you mean 'content'?"]),
    "number": (dict(preconditions=[1, 2]), ["'preconditions' is [1, 2]", "text, or a list of texts"]),
    "number beside": (dict(applicability=3), ["'applicability'", "text, or a list of texts"]),
    "text": (dict(title=["a"]), ["'title'", "must be text."]),
    "list": (dict(triggers=[{"a": 1}]), ["'triggers'", "a list of texts, or text"]),
    "parameters": (dict(parameters=[1]), ["parameters", "a dict"]),
    "missing": (dict(content=" "), ["content", "not empty"]),
    "none": (dict(content=None), ["'content' is missing"]),
    "twice": (dict(source_type="failure", polarity="success"), ["'polarity'", "keep one"]),
    "polarity": (dict(polarity="sucess"), ["'sucess'", "success, failure"]),
    "seed": (dict(polarity="seed"), ["'seed'", "success, failure"]),
    "status": (dict(status="hidden"), ["Status 'hidden'", "active"]),
    "uses": (dict(wins="many"), ["wins", "whole number"]),
    "surrogate": (dict(content="\ud800"), ["surrogate"])}

@pytest.mark.parametrize("change, said", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_kept_is_refused(tmp_path, change, said):
    "File, line, field, what is allowed; the good record above it is not added either, and no bank is made"
    record = {**BASE, **change}
    line = bank("import", write(tmp_path/"a.jsonl", dict(BASE, title="Good"), record), "--into", tmp_path/"b.db", code=1, run=here)
    assert "a.jsonl, line 2: " in line and all(words in line for words in said), line
    assert not (tmp_path/"b.db").exists()

@pytest.mark.parametrize("name, text, said", [
    ("a.jsonl", '{"title": "a"}\n{"title": ', "a.jsonl, line 2: this is no JSON"),
    ("a.json", '[{"title": "a"} {}]', "a.json, line 1: this is no JSON"),
    ("a.json", '["a"]', "a.json, line 1: 'a' is no object"),
    ("a.jsonl", '{"title": "a", "title": "b"}', "the name 'title' stands twice"),
    ("a.jsonl", '{"confidence": NaN}', "NaN is no finite number"),
    ("a.jsonl", "["*100000, "a.jsonl, "),
    ("a.jsonl", "", "a.jsonl holds no item"),
    ("a.md", "# Notes\n\nNothing.", "a.md holds no item"),
    ("a.md", "## A\n\nOnly a description.", "a.md, line 1: field 'content' is missing"),
    ("a.md", "x\n## A [sucess]\n\nb\n\nc", "a.md, line 2: field 'polarity' is 'sucess'"),
    ("a.md", "## A\n\nb\n\n```sparql\nASK {}\n\n## B\n\nb\n\nc", "a.md, line 5: the block ``` has no end"),
    ("a.md", "## A\n\nb\n\nc\n\n```json rbkit\n{1}\n```", "a.md, line 8: the block json rbkit is no JSON object"),
    ("a.md", '## A\n\nb\n\nc\n\n```json rbkit\n{"content": "d"}\n```', "content in the block json rbkit is not what stands above it"),
    ("a.md", b"\xff\xfe", "byte 0 is no UTF-8 text"), ("a.md", None, "a.md")])
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, name, text, said):
    if text is not None: (tmp_path/name).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert said in bank("import", tmp_path/name, "--into", tmp_path/"b.db", code=1, run=here)
    assert not (tmp_path/"b.db").exists()

def test_how_much_is_wrong_is_said_at_once(tmp_path):
    file = write(tmp_path/"a.jsonl", dict(BASE, pitfall=1), BASE, dict(BASE, trigger=1), dict(BASE, titles=1))
    assert "line 1: field 'pitfall'" in (line := bank("import", file, "--into", tmp_path/"b.db", code=1)) and "(2 more cannot be kept" in line

def test_what_is_there_is_left_out_and_counted(tmp_path, mine):
    "By id, by text under another id, and twice in the file"
    same, new = dict(BASE, polarity="failure", tags=["lid"]), dict(BASE, title="Another")
    file = write(tmp_path/"a.jsonl", dict(same, id="grip"), dict(same, id="other"), same, new, new)
    assert bank("import", file, "--into", mine) == "1 item added, 3 were there already, 1 was in the file twice; 1 was put into quarantine, out of every search: see rbkit bank trust\n"
    assert [(x.title, x.uses) for x in items_of(mine)] == [(BASE["title"], 2), ("Another", 0)], "what it learned is kept"

@pytest.mark.parametrize("first", [None, dict(BASE, id="mine", content="one text")], ids=["in the bank", "in the file"])
def test_an_id_with_another_text_stops_the_import(tmp_path, mine, first):
    before = Bank(mine).digest
    second = dict(BASE, id="mine" if first else "grip", content="another text")
    line = bank("import", write(tmp_path/"a.jsonl", dict(BASE, title="Good"), *filter(None, [first]), second), "--into", mine, code=1)
    assert f"a.jsonl, line {3 if first else 2}: id " in line and "content" in line and "Nothing was added" in line
    assert Bank(mine).digest == before

def test_nobody_brings_victories_or_passes_for_a_seed(tmp_path):
    claims = dict(BASE, id="seed-mine", shown=9, uses=9, wins=9, support_for=["r1"], created=5, last_used=7, version=4, provenance={"source": "seed"})
    shipped = json.loads((root/"seeds"/"strategies.jsonl").read_text().splitlines()[0])
    said = bank("import", write(tmp_path/"a.jsonl", claims, shipped, dict(shipped, id="seed-s02")), "--into", tmp_path/"b.db")
    assert "left behind" in said and "seed-mine is imported-seed-mine" in said and "1 was in the file twice" in said
    x, seed = items_of(tmp_path/"b.db")
    assert (x.id, x.shown, x.uses, x.wins, x.support_for, x.version, x.last_used) == ("imported-seed-mine", 0, 0, 0, [], 1, 0.0) and not is_seed(x)
    assert x.created == 5 and x.provenance == {"source": "imported from a.jsonl", "said": {"source": "seed"}}
    assert seed.id == shipped["id"], "word for word the one that ships with the kit"

def test_import_says_that_it_made_a_bank(tmp_path, mine):
    file = write(tmp_path/"a.jsonl", BASE)
    assert "b.db is a new bank" in bank("import", file, "--into", tmp_path/"b.db")
    assert "new bank" not in bank("import", file, "--into", mine)
    assert "cannot be opened" in bank("import", file, "--into", tmp_path/"no"/"b.db", code=1)

# Carrying items away

AWKWARD = [Item("Title [failure]", "one\n\ntwo", "## a heading\n```\nnever closed", id="a"), Item("two\nlines", " spaces ", "\n\nempty lines\n\n", id="b"),
    Item("`ticks`", "```sh", "```sh\n## a comment\n```\n\\## x\n\\\\## y", id="c", exemplar="ASK {\n````\n}\r\n"),
    Item("q", "d", "text\n\n```sparql\nASK {}\n```", id="d"), Item("q", "d", "```json rbkit\n{}\n```", id="e", polarity="pattern"), Item("q", "d", "```sparql\n```", id="j"), Item("q", "d", "text\n\n```sparql\n\n```", id="k"),
    Item("日本 ü \u2028", "\u0085\x0bd", "\x00 \x1b[31m", id="f", tags=["a b", "ü"], triggers=["", "x\ny"], parameters={"a": [1, 2.5], "b": ["x"]}),
    Item("# x", "> y", "c\r\nd\re", id="g", preconditions="a\nb", pitfalls="p", applicability="x", question="Why?", domain="toy", status="archived",
        confidence=.5, exemplar=" ", supersedes=["a"], superseded_by="b", embedding=[1, .5]), Item("~~~", "~~~", "~~~", id="h", exemplar="```"),
    Item("## [x]  ", "d\n", "c ", id="i")]

texts = st.lists(st.sampled_from(["a", "#", " ", "`", "~~~", "\\", "\n", "\r", "## ", "\n```", "\n```sparql\n", "\n```json rbkit\n", "\n\n", " [success]", "ü", "\u2028", "\x00"]),
    max_size=8).map("".join)
said = texts.filter(str.strip)
drawn = st.builds(Item, title=said, description=said, content=said, exemplar=texts, preconditions=texts, tags=st.lists(said, max_size=2),
    polarity=st.sampled_from(["success", "failure", "contrastive", "pattern"]), status=st.sampled_from(["active", "archived"]))

def check_back(items, folder):
    b = Bank()
    b.add(*items)
    for format, name in (("jsonl", "x.jsonl"), ("markdown", "x.md")):
        (folder/name).write_bytes(exported(b, format, "All ## of it").encode())
        back = Bank()
        import_items(back, folder/name, tier=1)
        for old, new in zip(b.all(status=None), back.all(status=None), strict=True):
            assert same_text(vars(old)) == same_text(vars(new)) and old.id == new.id, format
            for field in ("status", "confidence", "supersedes", "superseded_by", "embedding"): assert getattr(old, field) == getattr(new, field)
        assert import_items(b, folder/name).there == len(b.records())

def test_what_goes_out_comes_in_again(tmp_path):
    check_back(AWKWARD, tmp_path)
    check_back(seed_bank("strategies", "guardrails", "placebo").all(), tmp_path)

@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn)
def test_any_item_comes_in_again(tmp_path, item): check_back([item], tmp_path)

def test_export_keeps_what_is_there(tmp_path, mine):
    to = tmp_path/"out.md"
    assert bank("export", mine, "--to", to) == f"1 item written to {to}\n"
    text = to.read_text()
    assert "## Grip before you turn [failure]" in text and bank("export", mine, "--format", "markdown") == text
    to.write_text("mine")
    assert "--force" in bank("export", mine, "--to", to, code=1) and to.read_text() == "mine"
    bank("export", mine, "--to", to, "--format", "jsonl", "--force")
    assert json.loads(to.read_text())["wins"] == 1 and to.read_text() == bank("export", mine)
    before = mine.read_bytes()
    assert "is the bank itself" in bank("export", mine, "--to", mine, "--force", code=1)
    assert "is a folder" in bank("export", mine, "--to", tmp_path, "--force", code=1)
    assert "markdown" in bank("export", mine, "--format", "yaml", code=1)
    assert mine.read_bytes() == before and {p.name for p in tmp_path.iterdir()} == {"mine.db", "out.md"}

# Looking

def test_items_are_shown(mine):
    assert bank("show", mine).splitlines()[1:] == ["  id                title polarity status  uses  wins", "grip Grip before you turn  failure active     2     1"]
    one = bank("show", mine, "grip")
    assert BASE["content"] in one and "5 events" in one and "shown to r1" in one and "r2 failed" in one and "written" in one
    assert json.loads(bank("show", mine, "grip", "--json"))["item"]["wins"] == 1 and json.loads(bank("show", mine, "--json"))[0]["id"] == "grip"
    assert "No item 'grib'" in (line := bank("show", mine, "grib", code=1)) and "such as grip" in line

@pytest.mark.parametrize("width", [60, 100])
def test_the_table_fits_the_window(tmp_path, width):
    "And what stands in an item neither steers the terminal nor is taken for markup"
    with Bank(tmp_path/"b.db") as b: b.add(Item("[bold]red[/bold] \x1b[31m "+"word "*30, "d", "c"), Item("b", "d", "c", polarity="failure"))
    code, lines = in_terminal(width, str(bins/"rbkit"), "bank", "show", str(tmp_path/"b.db"))
    assert code == 0 and max(map(len, lines)) <= width and "\\x1b" in "".join(lines) and "[bold]" in "".join(lines)

def test_the_card_is_plain_text(mine):
    said = bank("health", mine)
    assert said.startswith("items ") and "1 active (1 guardrails" in said and "|" not in said and "win rate" in said
    assert json.loads(bank("health", mine, "--json"))["size"] == 1

def test_a_sound_bank_is_sound_and_stays_as_it_is(mine):
    before = mine.read_bytes()
    assert bank("verify", mine) == f"{mine}: sound, 5 events checked\n"
    for verb in ("show", "health", "export"): bank(verb, mine)
    assert mine.read_bytes() == before

def test_verify_finds_what_was_edited(mine):
    def edit(sql):
        db = sqlite3.connect(mine)
        db.execute(sql)
        db.commit()
        db.close()
    edit("update store set json=replace(json, '20 N', '90 N')")
    assert "not what the events add up to" in bank("verify", mine, code=1)
    edit("update events set body=replace(body, '20 N', '90 N')")
    assert "Event 1 is not what was written" in bank("verify", mine, code=1)
    mine.write_bytes(mine.read_bytes()[:9000])
    assert "mine.db" in bank("verify", mine, code=1)

def no_banks(folder):
    "Paths that are no bank, and what is said of each"
    (folder/"empty.db").touch()
    (folder/"text.db").write_text("x"*200)
    (folder/"folder.db").mkdir()
    db = sqlite3.connect(folder/"other.db")
    db.execute("create table people (name text)")
    db.close()
    return {"missing.db": "no such file", "empty.db": "0 bytes", "text.db": "no SQLite file", "folder.db": "is a folder", "other.db": "tables"}

@pytest.mark.parametrize("verb", ["import", "export", "show", "health", "verify"])
def test_what_is_no_bank_is_one_line(tmp_path, verb):
    "And nothing is made or changed"
    cases = no_banks(tmp_path)
    file = write(tmp_path/"a.jsonl", BASE)
    before = {p: p.is_file() and p.read_bytes() for p in tmp_path.rglob("*")}
    for name, said in cases.items():
        if verb == "import" and name == "missing.db": continue
        words = ("import", file, "--into", tmp_path/name) if verb == "import" else (verb, tmp_path/name)
        assert said in bank(*words, code=1, run=rbkit if name == "missing.db" else here), name
    assert {p: p.is_file() and p.read_bytes() for p in tmp_path.rglob("*")} == before

def test_a_bank_at_work_is_read_and_keeps_its_journal(tmp_path):
    path = tmp_path/"b.db"
    with Bank(path, journal="wal") as b:
        b.add(Item(**BASE))
        assert "Grip" in bank("show", path) and "sound" in bank("verify", path)
        bank("import", write(tmp_path/"a.jsonl", dict(BASE, title="Another")), "--into", path)
        assert (len(b), len(b.all(status=None))) == (1, 2)
    assert path.read_bytes()[18] == 2

def test_the_verbs_say_what_there_is():
    for words in ((), ("--help",)):
        assert all(verb in bank(*words) for verb in ("import", "export", "show", "health", "verify"))
    assert "## Title [success]" in bank("import", "--help") and "'verify'" in bank("frob", code=1)
    assert "--into" in bank("import", "a.jsonl", code=1)

RECORD = dict(title="Chill before you cut", description="Soft dough", content="Wait an hour.", created=5.0, provenance=dict(source="a paper", run="r1"),
    preconditions=["the dough is soft", "a knife is at hand"], applicability={"domains": ["bread", "pastry"], "confidence": .72}, episode="e1")

@pytest.mark.parametrize("form, ending", [("jsonl", "jsonl"), ("markdown", "md")])
def test_lists_tables_and_the_time_of_making_survive_every_round(tmp_path, form, ending):
    path = tmp_path/"record.jsonl"; path.write_text(json.dumps(RECORD))
    bank = Bank(); import_items(bank, path, 1); texts = []
    [item] = bank.all()
    assert item.preconditions == "the dough is soft\na knife is at hand" and item.applicability == "confidence: 0.72\ndomains: bread, pastry" and item.created == 5
    for n in range(3):
        texts.append(exported(bank, form)); path = tmp_path/f"round{n}.{ending}"; path.write_text(texts[-1])
        [given] = [entry.fields for entry in entries_of(path)]
        assert given["preconditions"] == RECORD["preconditions"] and given["applicability"] == RECORD["applicability"] and given["created"] == 5
        assert given["provenance"] == dict(source="a paper", run="r1", episode="e1")
        [again] = vouched_items(path)
        assert (again.applicability, again.created) == (item.applicability, 5), "read as a pack too"
        bank = Bank(); import_items(bank, path, 1)
        assert bank.all()[0].provenance["source"] == f"imported from {path.name}", "what a file claims is never the source here"
    assert len(set(texts)) == 1
    bank.change(item.id, preconditions="the dough is cold")
    assert '"preconditions": "the dough is cold"' in exported(bank, form), "what was given is told only while it is what the item says"

def test_a_time_of_making_that_is_to_come_is_not_believed(tmp_path):
    (tmp_path/"a.jsonl").write_text(json.dumps(dict(RECORD, created=1e12))); bank = Bank(clock=lambda: 7.0); import_items(bank, tmp_path/"a.jsonl", 1)
    assert bank.all()[0].created == 7

def test_what_export_writes_is_read_wherever_a_bank_is(tmp_path):
    bank = Bank(); bank.add(Item("Sort last", "the highest first", "limit after order", triggers=["top"]))
    for form, ending in (("jsonl", "jsonl"), ("markdown", "md")):
        path = tmp_path/f"out.{ending}"; path.write_text(exported(bank, form))
        with read_bank(path) as copy: assert [x.title for x in copy.all()] == ["Sort last"] and path.read_text() == exported(bank, form)
        check_bank(path)
        assert [x.triggers for x in open_bank(path).all()] == [["top"]]
        loud = tmp_path/f"OUT.{ending.upper()}"; loud.write_text(exported(bank, form)); check_bank(loud)
        assert [x.triggers for x in open_bank(loud).all()] == [["top"]], "an ending is one in capitals too"
        with pytest.raises(ValueError, match="no .*log to verify .* rbkit bank import FILE --into BANK"): check_bank_file(path)
