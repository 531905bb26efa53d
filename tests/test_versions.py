"A run says which kit and which code of its user's made it, and does not mix rows of two makers"
import json, shutil, subprocess, sys
import pytest
from house import clean_env, root
from rbkit.trials import versions
from rbkit.trials.ablation import ablate
from rbkit.trials.spec import AA_REPEAT, BASELINE
from rbkit.trials.versions import code_version, is_of_this_kit, kit_version, own_code, version_words, what_differs

ASK = "import json; from rbkit.trials.versions import kit_version; print(json.dumps(kit_version()))"

@pytest.fixture
def copied(tmp_path):
    "A checkout of the package and the seeds of its own"
    home = tmp_path/"kit"
    for name in ("rbkit", "seeds"):
        shutil.copytree(root/name, home/name, ignore=shutil.ignore_patterns("__pycache__", "graphs", "library"))
    shutil.copy(root/"settings.ini", home)
    git(home, "init", "-q")
    commit(home)
    return home

def git(tree, *args):
    return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=tree, check=True, capture_output=True, text=True)

def commit(tree):
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "A commit", "--allow-empty")

def version(tree):
    "What a copy of the package says of itself"
    env = clean_env(PYTHONPATH=str(tree), RBKIT_ROOT=str(tree), PYTHONDONTWRITEBYTECODE="1")
    return json.loads(subprocess.run([sys.executable, "-c", ASK], cwd=tree.parent, env=env, capture_output=True, text=True, check=True).stdout)

def append(file, text):
    file.parent.mkdir(exist_ok=True)
    with open(file, "a", encoding="utf-8") as f: f.write(text)

def test_a_checkout_says_its_commit_and_what_is_not_committed(copied):
    first = version(copied)
    assert first["commit"] and first["tree"] and not first["changes"]
    append(copied/"README.md", "More prose.\n")
    assert version(copied) == first, "what cannot change a row is no change"
    commit(copied)
    prose = version(copied)
    assert prose["commit"] != first["commit"] and {**prose, "commit": None} == {**first, "commit": None}
    seen = {""}
    for file in ("rbkit/ground/text.py", "seeds/strategies.jsonl", "rbkit/own.py"):
        append(copied/file, "\n")
        changed = version(copied)
        assert changed["tree"] == first["tree"] and changed["changes"] not in seen, file
        seen.add(changed["changes"])
    commit(copied)
    assert version(copied)["tree"] != first["tree"] and not version(copied)["changes"]

def test_a_package_inside_another_repository_does_not_report_its_commits(copied):
    shutil.rmtree(copied/".git")
    home = copied.parent
    git(home, "init", "-q")
    (home/".gitignore").write_text("kit\n")
    commit(home)
    assert version(copied) == dict(rbkit=kit_version()["rbkit"], schema=versions.SCHEMA, commit=None, tree="", changes="")

def rank_one(hits, question, bank): return hits

def test_code_of_a_package_is_all_of_its_files(tmp_path, monkeypatch):
    (tmp_path/"minepack").mkdir()
    (tmp_path/"minepack/__init__.py").write_text("")
    (tmp_path/"minepack/rules.py").write_text("KEY = 7")
    (tmp_path/"minepack/w.py").write_text("from minepack.rules import KEY\nclass W(dict): name = 'mine'")
    monkeypatch.syspath_prepend(str(tmp_path))
    from minepack.w import W
    before = own_code(W)
    assert list(before) == ["minepack.w.W"] and own_code(W) == before
    (tmp_path/"minepack/rules.py").write_text("KEY = 3")
    assert own_code(W) != before and code_version(W) != code_version()

def test_the_kits_own_code_and_pythons_are_not_yours():
    from pathlib import Path
    from rbkit.retrieval.bm25 import BM25
    assert own_code(BM25, Path, dict) == {} and list(own_code(rank_one)) == [f"{__name__}.rank_one"]

@pytest.mark.parametrize("text", ["class T:\n    def a(self): return {}", "class T:\n    @property\n    def a(self): return {}",
    "class T:\n    @staticmethod\n    def a(): return {}", "class T:\n    a = {}", "from dataclasses import dataclass\n@dataclass\nclass T:\n    a: int = {}"])
def test_code_that_was_typed_counts(text, monkeypatch):
    import linecache
    def typed(value):
        source = text.format(value)
        name = f"<typed {value}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        space = dict(__name__="typed_in_a_notebook")
        exec(compile(source, name, "exec"), space)
        return code_version(space["T"])
    monkeypatch.setitem(sys.modules, "typed_in_a_notebook", type(sys)("typed_in_a_notebook"))
    assert typed(1) != typed(2) and typed(1) == typed(1)

# Resuming

HOW = dict(suite="seeds/toy", n_tasks=2, n_repeats=1)

def run_in(folder, **how): return ablate("E01", [BASELINE, AA_REPEAT], out=str(folder), **HOW, **how)

@pytest.fixture
def older(tmp_path, monkeypatch):
    "A run that an older version has begun"
    path = run_in(tmp_path).folder.path
    manifest = json.loads((path/"run.json").read_text())
    made_with = {**manifest["made_with"], "rbkit": "0.0.9", "commit": "0123456789"}
    monkeypatch.setitem(manifest, "made_with", made_with)
    lines = (path/"rows.jsonl").read_text().splitlines(True)
    rows = [{**json.loads(line), "code": "of 0.0.9"} for line in lines[:3]]
    (path/"rows.jsonl").write_text("".join(json.dumps(row)+"\n" for row in rows))
    (path/"run.json").write_text(json.dumps({**{k: v for k, v in manifest.items() if k != "rows_digest"}, "codes": dict.fromkeys(manifest["codes"], "of 0.0.9")}))
    (path/"rows.sum").unlink(missing_ok=True)
    return path

def test_rows_of_another_version_are_not_mixed_with_new_ones(older, tmp_path):
    before = (older/"rows.jsonl").read_text()
    with pytest.raises(ValueError, match="rbkit 0.0.9 at commit 01234567.* made them, and this is .*--fresh.*--resume-anyway"): run_in(tmp_path)
    assert (older/"rows.jsonl").read_text() == before

def test_a_run_goes_on_anyway_and_keeps_both_versions(older, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_RESUME_ANYWAY", "true")
    trial = run_in(tmp_path)
    made_with = trial.folder.manifest()["made_with"]
    assert len(trial.rows) == 4 and trial.folder.manifest()["made"] == 1 and is_of_this_kit(made_with)
    assert [maker["rbkit"] for maker in made_with["before"]] == ["0.0.9"]
    monkeypatch.delenv("RBKIT_RESUME_ANYWAY")
    assert run_in(tmp_path).folder.manifest()["made"] == 0, "the next sitting knows what was agreed"

def test_a_run_that_begins_anew_asks_nothing(older, tmp_path):
    trial = run_in(tmp_path, fresh=True)
    assert trial.folder.manifest()["made"] == 4 and "before" not in trial.folder.manifest()["made_with"]

def test_a_third_version_keeps_a_flat_list_of_those_before(older, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_RESUME_ANYWAY", "true")
    run_in(tmp_path)
    monkeypatch.setattr("rbkit.__version__", "0.2.0")
    kit_version.cache_clear()
    made_with = run_in(tmp_path).folder.manifest()["made_with"]
    kit_version.cache_clear()
    assert [maker["rbkit"] for maker in made_with["before"]] == ["0.0.9", "0.1.0"] and not any("before" in maker for maker in made_with["before"])
    assert version_words(made_with).count("earlier rows by") == 2 and version_words(made_with).startswith("rbkit 0.2.0")

def test_a_difference_that_the_commit_does_not_show_is_named():
    [line] = what_differs({**kit_version(), "tree": "another"})
    assert line.endswith("with other changes")

def test_two_functions_of_one_name_both_count():
    one, two, three = (eval(text) for text in ("lambda: 1", "lambda: 2", "lambda: 3"))
    for f, text in ((one, "lambda: 1"), (two, "lambda: 2"), (three, "lambda: 3")): f.__module__ = "typed"
    def hashed(*functions, texts={one: "1", two: "2", three: "3"}):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(versions, "_code_of", texts.get)
            return own_code(*functions)
    assert len({str(hashed(*functions)) for functions in ((one,), (two,), (one, two), (one, three))}) == 4

def test_a_change_of_ones_own_code_is_named():
    made_with = {**kit_version(), "own": own_code(rank_one)}
    assert not what_differs(made_with, rank_one)
    assert what_differs(made_with) == [f"your {__name__}.rank_one has changed"]
