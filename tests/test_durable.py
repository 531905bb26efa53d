"What counts is on disk before it is used, a trace is there while it grows, and rows that were changed are noticed"
import gzip, json, os, signal
from pathlib import Path
import pytest
from house import Fork, clean_env, manifest, only, rows, script
from test_money import SMALL, server # noqa: F401, a fixture
from rbkit.experiments.e01 import ARMS
from rbkit.ground.text import read_lines
from rbkit.models.journal import Journal
from rbkit.reports.trajectory import story, trajectory_of
from rbkit.reports.view import view_text, write_view
from rbkit.retrieval.anchors import open_db
from rbkit.trials import runs
from rbkit.trials.ablation import ablate
from rbkit.trials.learners import NO_MEMORY, Learner
from rbkit.trials.learning import learn
from rbkit.trials.runs import RunFolder, condition, note_digest, run_place

BANK = Learner("bank")

# The power fails

class Disk:
    "What a power cut would leave of files: what was in them when they were last synchronised, under the names that their folder had then"
    def __init__(self, monkeypatch):
        self.texts, self.names, self.calls = {}, {}, 0
        real = os.fsync
        def fsync(fd):
            real(fd)
            self.calls += 1
            path, inode = Path(os.readlink(f"/proc/self/fd/{fd}")), os.fstat(fd).st_ino
            if path.is_dir(): self.names[path] = {entry.name: entry.inode() for entry in os.scandir(path)}
            else: self.texts[inode] = path.read_bytes()
        monkeypatch.setattr(os, "fsync", fsync)
    def has(self, path):
        "Is the whole of a file on disk, under its name, in a folder that is there as well?"
        path = path.absolute()
        inode = path.stat().st_ino
        return self.names.get(path.parent, {}).get(path.name) == inode and self.texts.get(inode) == path.read_bytes()

def watched(monkeypatch, cls, name, check):
    "Call a check with what a method belongs to whenever the method has come back"
    real = getattr(cls, name)
    def call(self, *args, **kw):
        value = real(self, *args, **kw)
        check(self)
        return value
    monkeypatch.setattr(cls, name, call)

def test_what_was_paid_is_on_disk_before_it_is_used(server, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_WORKERS", "1")
    disk, seen = Disk(monkeypatch), dict(answer=0, row=0, manifest=0)
    def see(kind, *names):
        def check(self):
            for name in names: assert disk.has(self.path/name if name else self.path), (kind, name)
            seen[kind] += 1
        return check
    watched(monkeypatch, Journal, "add", see("answer", ""))
    watched(monkeypatch, RunFolder, "add", see("row", "rows.jsonl", "rows.sum", "trace.jsonl", "recording.jsonl"))
    watched(monkeypatch, RunFolder, "note", see("manifest", "run.json"))
    trial = ablate("E01", ARMS, out=str(tmp_path), record=True, **SMALL)
    home = trial.folder.path
    assert seen["answer"] == 8 and seen["row"] == len(trial.rows) == 4 and seen["manifest"] > 2
    assert home.name in disk.names[home.parent] and home.parent.name in disk.names[home.parent.parent], "folders that were made for it have names too"

def test_rows_that_cost_nothing_are_on_disk_before_the_manifest_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "SYNC_SECS", 1000)
    disk, ends = Disk(monkeypatch), []
    def check(self):
        if (self.path/"rows.jsonl").exists(): ends.append(all(disk.has(self.path/name) for name in ("rows.jsonl", "rows.sum", "trace.jsonl", "run.json")))
    watched(monkeypatch, RunFolder, "note", check)
    trial = ablate("E01", ARMS, suite="seeds/toy", n_tasks=3, n_repeats=4, out=str(tmp_path))
    assert len(trial.rows) == 24 and ends and all(ends) and disk.calls < 2*24, "not one by one"
    monkeypatch.setattr(runs, "SYNC_SECS", 0)
    folder = RunFolder(tmp_path/"at once")
    folder.add(dict(config="c", task="t"))
    assert disk.has(tmp_path/"at once/rows.jsonl"), "and now and then while it goes on"

def test_what_a_layer_learned_is_on_disk_when_it_is_acknowledged(tmp_path):
    with open_db(tmp_path/"learned.db") as db:
        assert db.execute("pragma synchronous").fetchone() == (2,) and db.execute("pragma journal_mode").fetchone() == ("wal",)

# A trace while it grows

CODE = """
import os, signal
from rbkit.agents.interpreter import Interpreter
from rbkit.trials.ablation import ablate
from rbkit.trials.learners import NO_MEMORY, Learner
from rbkit.trials.learning import learn
from rbkit.trials.spec import BASELINE, Arm
real = Interpreter.execute
def execute(self, *args, **kw):
    if sum(t["kind"] == "step" for t in self.trace) == {at}: os.kill(os.getpid(), signal.SIGKILL)
    return real(self, *args, **kw)
Interpreter.execute = execute
ablate('X', [BASELINE, Arm('more', ('L0',))], suite='seeds/library', n_tasks=2, n_repeats=1, out={out!r})
"""
def sat(out, at):
    "A run that is killed before it makes its step of that number; None lets it end"
    p = Fork(out/"said", script, CODE.format(out=str(out), at=at), clean_env(RBKIT_WORKERS="1"))
    _, err = p.communicate(timeout=300)
    assert p.returncode == (0 if at is None else -signal.SIGKILL), err[-3000:]
    return only(out, "X")

def steps_of(folder):
    "The code of the steps of each attempt that has no row"
    known = story(folder)
    return [[turn["step"]["code"] for turn in trajectory_of(known, row).turns if turn["step"]] for row in known.begun]

def untimed(folder): return sorted(json.dumps({k: v for k, v in line.items() if k != "secs"}, sort_keys=True) for line in read_lines(folder/"trace.jsonl"))

@pytest.mark.parametrize("kills", [pytest.param((0, 1, 2, 3, 1), marks=pytest.mark.slow), (2,)])
def test_a_trace_is_there_when_its_attempt_is_killed_at_any_step_and_no_step_stands_twice(tmp_path, kills):
    whole = sat(tmp_path/"whole", None)
    assert not (whole/"begun").exists() and not story(whole).begun
    [first] = {line["task"] for line in read_lines(whole/"trace.jsonl")[1:2]}
    codes = [line["code"] for line in read_lines(whole/"trace.jsonl") if line["kind"] == "step"]
    found = 0
    for at in kills:
        folder = sat(tmp_path/"killed", at)
        found = max(at, found) # what an earlier sitting had stays until there is more
        assert not (folder/"trace.jsonl").exists() and not RunFolder.read(folder)
        assert steps_of(folder) == [codes[:found]], f"killed before step {at}"
        said = view_text(folder)
        assert f"## Step {found}" in said or not found
        assert "unfinished" in said and "it has no row: its run was stopped before it ended" in said and first in said and f"## Step {found+1}" not in said.replace("(no step)", "")
        assert "1 attempts were begun" in said and write_view(folder).read_text(encoding="utf-8").count("unfinished") >= 1
    folder = sat(tmp_path/"killed", None)
    assert untimed(folder) == untimed(whole) and not (folder/"begun").exists() and len(rows(folder)) == 4

def test_a_trace_whose_row_was_not_written_is_written_once(tmp_path):
    folder = ablate("X", ARMS, suite="seeds/toy", n_tasks=2, n_repeats=2, out=str(tmp_path)).folder.path
    whole, lines = untimed(folder), (folder/"rows.jsonl").read_text().splitlines(True)
    (folder/"rows.jsonl").write_text("".join(lines[:-1])) # killed between a trace and its row
    ablate("X", ARMS, suite="seeds/toy", n_tasks=2, n_repeats=2, out=str(tmp_path))
    assert untimed(folder) == whole and len(rows(folder)) == 8

def test_a_try_that_breaks_on_our_side_keeps_its_steps(tmp_path, monkeypatch):
    from rbkit.trials import attempts
    real, broken = attempts._cost, []
    def breaks(a, lm):
        if broken: return real(a, lm)
        broken.append(a)
        raise RuntimeError("pipe burst")
    monkeypatch.setenv("RBKIT_WORKERS", "1")
    monkeypatch.setattr(attempts, "_cost", breaks)
    folder = ablate("X", ARMS[:2], suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path)).folder.path
    first, second = RunFolder.read(folder)[:2]
    assert first["outcome"] == "infrastructure" and "pipe burst" in first["reason"] and second["attempt"] == 2 and second["outcome"] == "success"
    steps = {n: [line["code"] for line in read_lines(folder/"trace.jsonl") if line["kind"] == "step" and line["attempt"] == n and line["task"] == first["task"] and line["arm"] == first["arm"]] for n in (1, 2)}
    assert steps[1] == steps[2] != [] and not (folder/"begun").exists()

def test_a_stream_that_breaks_on_our_side_keeps_the_steps_of_that_try(tmp_path, monkeypatch):
    from rbkit.trials import attempts
    real, broken = attempts._cost, []
    def breaks(a, lm):
        if broken: return real(a, lm)
        broken.append(a)
        raise RuntimeError("pipe burst")
    monkeypatch.setenv("RBKIT_WORKERS", "1")
    monkeypatch.setattr(attempts, "_cost", breaks)
    folder = learn("Y", [NO_MEMORY, BANK], str(tmp_path), suite="seeds/toy", n_tasks=2, n_streams=2, n_held_out=1).folder.path
    [failed] = [row for row in RunFolder.read(folder) if row["outcome"] == "infrastructure"]
    place = [failed.get(name) for name in runs.NAMES]
    assert any(line["kind"] == "step" for line in read_lines(folder/"trace.jsonl") if [line.get(name) for name in runs.NAMES] == place)

def test_a_private_task_leaves_no_trace_while_it_is_made(tmp_path, monkeypatch):
    from rbkit.trials import attempts
    seen = []
    real = attempts._begun
    monkeypatch.setattr(attempts, "_begun", lambda spec, inputs, cell, number: seen.append(real(spec, inputs, cell, number)) or seen[-1])
    ablate("X", ARMS, suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path/"open"))
    assert seen and all(trace is not None for trace in seen)
    class Private: # a task of which nothing may be written down
        private = True
    from types import SimpleNamespace
    assert real(None, SimpleNamespace(folder=tmp_path), SimpleNamespace(task=Private), 1) is None

# Rows that are handed on

def ended(path, n=3):
    folder = RunFolder(path)
    for i in range(n): folder.add(dict(config="c", task=f"t{i}", correct=0, outcome="wrong"))
    folder.note(status="success", rows_digest=folder.sealed())
    (path/"rows.sum").unlink() # it stays where the run was made
    return path

CHANGED = "are not those that were there when its run ended"

@pytest.mark.parametrize("packed", [False, True])
def test_a_row_that_was_changed_where_nobody_keeps_sums_is_noticed(tmp_path, recwarn, packed):
    path = ended(tmp_path/"run")
    whole = (path/"rows.jsonl").read_bytes()
    def put(data):
        if packed:
            (path/"rows.jsonl.gz").write_bytes(gzip.compress(data)); (path/"rows.jsonl").unlink(missing_ok=True)
        else: (path/"rows.jsonl").write_bytes(data)
    put(whole)
    assert len(RunFolder.read(path)) == 3 and not recwarn.list
    for data in (whole.replace(b'"correct": 0', b'"correct": 1', 1), b"".join(whole.splitlines(True)[1:]), whole.splitlines(True)[0]+whole):
        put(data)
        with pytest.warns(UserWarning, match=CHANGED): RunFolder.read(path)
    put(whole+whole.splitlines(True)[1].replace(b"t1", b"t9"))
    assert len(RunFolder.read(path)) == 4 and not recwarn.list, "a run that goes on appends"

def test_a_changed_row_is_not_vouched_for_by_going_on(tmp_path, recwarn):
    path = ended(tmp_path)
    RunFolder(path).add(dict(config="c", task="more", correct=1, outcome="success"))
    folder = RunFolder(path)
    assert runs.altered(path) == [] and not recwarn.list, "rows that came without sums are none that somebody slipped in"
    folder.note(rows_digest=folder.sealed())
    assert manifest(path)["rows_digest"]["bytes"] == (path/"rows.jsonl").stat().st_size
    (path/"rows.sum").unlink()
    (path/"rows.jsonl").write_bytes((path/"rows.jsonl").read_bytes().replace(b'"correct": 0', b'"correct": 1', 1))
    folder = RunFolder(path)
    folder.add(dict(config="c", task="last", correct=1, outcome="success"))
    folder.note(rows_digest=folder.sealed())
    with pytest.warns(UserWarning, match=CHANGED): RunFolder.read(path)
    recwarn.clear()
    note_digest(path)
    RunFolder.read(path)
    assert not recwarn.list, "unless one says so"
    RunFolder(path, fresh=True).add(dict(config="c", task="anew", correct=1, outcome="success"))
    RunFolder.read(path)
    assert not recwarn.list, "what is begun anew is compared with nothing"

def test_every_run_that_ended_has_the_digest_of_its_rows(tmp_path):
    folder = ablate("X", ARMS, suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path)).folder.path
    before = manifest(folder)
    assert before["rows_digest"]["bytes"] == (folder/"rows.jsonl").stat().st_size
    note_digest(folder)
    assert manifest(folder) == before, "nothing else is changed, not even the time"

@pytest.mark.parametrize("content", [b"\0"*(3*2**20), None])
def test_rows_that_unpack_to_too_much_are_not_unpacked(tmp_path, monkeypatch, content):
    monkeypatch.setattr("rbkit.ground.text.MOST_MB", 1)
    (tmp_path/"rows.jsonl.gz").write_bytes(gzip.compress(content) if content else gzip.compress(b"{}\n")[:-4])
    for reader in (RunFolder.read, RunFolder):
        with pytest.raises(ValueError, match="unpacked it is longer than 1 MB" if content else "cannot be unpacked"): reader(tmp_path)
    assert not (tmp_path/"rows.jsonl").exists()

# Where a run is kept

PARAMS = dict(lm="sim", suite="seeds/graphs", profile="full", rng_seed=0)

def test_what_is_graded_otherwise_or_has_other_steps_is_kept_apart(tmp_path):
    usual = "sim-graphs-full-s0"
    assert runs.USUAL == {name: rbkit_setting(name) for name in runs.USUAL}, "as settings.ini has them"
    assert condition(PARAMS) == condition({**PARAMS, **runs.USUAL}) == condition({**PARAMS, "grade": None, "max_iters": None}) == usual
    names = [condition({**PARAMS, **more}) for more in (dict(grade="lenient"), dict(max_iters=5), dict(max_iters=6), dict(grade="lenient", max_iters=5))]
    assert len({usual, *names}) == 5 and names[1] == "sim-graphs-full-iters-5-s0"
    (tmp_path/usual).mkdir()
    for noted, asked, there in ((5, 5, usual), (5, 6, "sim-graphs-full-iters-6-s0"), (10, 5, names[1]), (10, 10, usual)):
        (tmp_path/usual/"run.json").write_text(json.dumps(dict(settings=dict(grade="strict", max_iters=noted))))
        assert run_place(tmp_path, {**PARAMS, "max_iters": asked}).name == there, "one that an earlier version named stays where it is"

def rbkit_setting(name):
    from configparser import ConfigParser
    from house import root
    config = ConfigParser(interpolation=None); config.read(root/"settings.ini")
    value = config["rbkit"][name]
    return int(value) if value.isdigit() else value

def test_two_runs_with_other_steps_have_two_reports(tmp_path):
    made = [ablate("X", ARMS, suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path), max_iters=n).folder.path for n in (10, 3)]
    assert made[0] != made[1] and [manifest(f)["settings"]["max_iters"] for f in made] == [10, 3]

@pytest.mark.parametrize("name", ["rows.jsonl", "contexts.jsonl", "recording.jsonl"])
def test_a_run_goes_on_whichever_of_its_files_is_packed(name, tmp_path):
    how = dict(suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path), record=True)
    folder = ablate("X", ARMS, **how).folder.path
    content = (folder/name).read_bytes()
    assert content
    (folder/f"{name}.gz").write_bytes(gzip.compress(content))
    (folder/name).unlink()
    again = ablate("X", ARMS, **how)
    assert again.folder.manifest()["made"] == 0 and len(again.rows) == 2*len(ARMS) and (folder/name).read_bytes() == content

def test_a_packed_recording_is_replayed(tmp_path):
    how = dict(suite="seeds/toy", n_tasks=2, n_repeats=1)
    folder = ablate("X", ARMS, **how, out=str(tmp_path/"a"), record=True).folder.path
    tape = folder/"recording.jsonl"
    tape.with_name("recording.jsonl.gz").write_bytes(gzip.compress(tape.read_bytes()))
    tape.unlink()
    for n, path in enumerate((tape, f"{tape}.gz")):
        trial = ablate("X", ARMS, **how, out=str(tmp_path/f"b{n}"), replay=str(path))
        assert {row["outcome"] for row in trial.rows} <= {"success", "wrong", "not_converged"} and len(trial.rows) == 2*len(ARMS)
