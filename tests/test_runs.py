"No row is lost or doubled, however a run ends"
import json, random, signal, subprocess, sys, time
from types import SimpleNamespace
import psutil, pytest
import house
from house import command, Fork, manifest, only, rbkit, rows, script, start
from rbkit.trials.runs import RunFolder

CODE = """
from rbkit.trials.ablation import ablate
from rbkit.trials.spec import AA_REPEAT, BASELINE, Arm
print(ablate('X', [BASELINE, AA_REPEAT, Arm('L0', ('L0',))], suite='seeds/toy', n_tasks=3, n_repeats={repeats}, out={out!r}))
"""
CELLS = 3*3*4

def ablating(out): return start(sys.executable, "-c", CODE.format(out=str(out), repeats=4))
def forked(out, repeats=4): return Fork(out/"said", script, CODE.format(out=str(out), repeats=repeats)) # the same, in a third of the time
def folder_of(out, exp="X"): return next(iter((out/exp).glob("*")), out/"nothing yet")
def lines(out, exp="X"):
    f = folder_of(out, exp)/"rows.jsonl"
    return f.read_bytes().splitlines() if f.exists() else []
def status(out, exp="X"): return json.loads((folder_of(out, exp)/"run.json").read_text())["status"]
def identity(l):
    return house.identity(json.loads(l))

def wait_for(n, out, p, exp="X", secs=300):
    "Wait until a run has written n rows"
    end = time.monotonic()+secs
    while len(lines(out, exp)) < n:
        assert time.monotonic() < end and p.poll() is None, f"the run ended, or wrote {len(lines(out, exp))} of {n} rows in {secs} s: {p.communicate()[1][-2000:] if p.poll() is not None else ''}"
        time.sleep(.01)

def whole(ls): return max(0, len(ls)-1) # the last line may be torn

def stop_hard(p):
    p.kill(); p.communicate()

def test_killed_at_any_moment_and_resumed(tmp_path):
    rng = random.Random(7)
    p = forked(tmp_path, 2); wait_for(rng.randrange(3, 9), tmp_path, p); time.sleep(rng.random()*.2); stop_hard(p)
    seen = lines(tmp_path)
    assert status(tmp_path) == "started"
    with open(folder_of(tmp_path)/"rows.jsonl", "ab") as f: f.write(b'{"exp": "X", "arm": "base') # torn by the last kill
    p = forked(tmp_path, 2); _, err = p.communicate(timeout=300)
    assert p.returncode == 0, err[-3000:]
    ids = [identity(l) for l in lines(tmp_path)]
    assert len(ids) == len(set(ids)) == CELLS//2 and status(tmp_path) == "success"
    assert lines(tmp_path)[:whole(seen)] == seen[:whole(seen)], "a finished row was made again"

@pytest.mark.slow
def test_runs_survive_forty_five_kills(tmp_path):
    rng, kills = random.Random(45), 0
    while kills < 45:
        out, seen = tmp_path/f"from {kills}", []
        out.mkdir()
        while kills < 45 and len(seen) < CELLS-8:
            p = forked(out); wait_for(len(seen)+rng.randrange(1, 6), out, p); time.sleep(rng.random()*.05); stop_hard(p)
            kills += 1
            now = lines(out)
            assert now[:whole(seen)] == seen[:whole(seen)] and len(now) > whole(seen), "a row was lost, or none was added"
            seen = now
        p = forked(out); _, err = p.communicate(timeout=300)
        assert p.returncode == 0, err[-3000:]
        ids = [identity(l) for l in lines(out)]
        assert len(ids) == len(set(ids)) == CELLS and status(out) == "success"
        assert lines(out)[:whole(seen)] == seen[:whole(seen)], "a finished row was made again"

@pytest.mark.slow
def test_a_killed_report_can_be_run_again(tmp_path):
    said = ("run", "E1", "--suite", "seeds/toy", "--n-tasks", 3, "--n-repeats", 4, "--out", tmp_path)
    p = Fork(tmp_path/"said", command, [str(x) for x in said]); wait_for(5, tmp_path, p, "E01"); stop_hard(p)
    rbkit(*said, check=True) # at once: what the kill left running must not write beside it
    ids = [identity(l) for l in lines(tmp_path, "E01")]
    assert len(ids) == len(set(ids)) == 2*3*4 and status(tmp_path, "E01") == "success"

def test_workers_end_with_a_run_that_was_killed():
    "Those of loky would wait for work for ever, and so would the worlds that they hold open"
    code = """from rbkit.trials.workers import pmap
jobs = ["(__import__('time').sleep(.5), __import__('os').getpid())[1]"]*2+["__import__('time').sleep(99)"]*2
for _, pid in pmap(eval, jobs, "processes", 2): print(pid, flush=True)"""
    p = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    workers = [psutil.Process(int(p.stdout.readline())) for _ in range(2)]
    assert all(w.is_running() for w in workers)
    p.kill(); p.wait()
    assert not psutil.wait_procs(workers, timeout=20)[1]

def test_interrupted_is_cancelled(tmp_path):
    p = ablating(tmp_path); wait_for(4, tmp_path, p); p.send_signal(signal.SIGINT)
    p.communicate(timeout=300)
    assert p.returncode != 0 and status(tmp_path) == "cancelled"
    assert 0 < len(lines(tmp_path)) < CELLS and all(map(identity, lines(tmp_path)))

def test_interrupted_report_is_cancelled(tmp_path):
    p = start("rbkit", "run", "E1", "--suite", "seeds/toy", "--n-tasks", 3, "--n-repeats", 30, "--out", tmp_path)
    wait_for(4, tmp_path, p, "E01"); p.send_signal(signal.SIGINT)
    _, err = p.communicate(timeout=300)
    assert p.returncode == 130 and "Traceback" not in err, err[-2000:]
    assert status(tmp_path, "E01") == "cancelled" and len(lines(tmp_path, "E01")) < 2*3*30

@pytest.mark.slow
def test_several_interrupted_reports_are_cancelled(tmp_path):
    p = start("rbkit", "run", "E1", "E2", "--suite", "seeds/toy", "--n-tasks", 3, "--n-repeats", 60, "--out", tmp_path)
    wait_for(2, tmp_path, p, "E01"); wait_for(2, tmp_path, p, "E02"); p.send_signal(signal.SIGINT)
    _, err = p.communicate(timeout=300)
    assert p.returncode == 130 and "Traceback" not in err, err[-2000:]
    assert [status(tmp_path, e) for e in ("E01", "E02")] == ["cancelled"]*2

@pytest.mark.slow
def test_a_cap_ends_a_run_and_a_larger_one_goes_on(tmp_path):
    said = ("run", "E1", "--suite", "seeds/toy", "--n-tasks", 3, "--n-repeats", 3, "--out", tmp_path)
    r = rbkit(*said, "--max-calls", 20)
    assert r.returncode == 3 and status(tmp_path, "E01") == "budget", (r.returncode, r.stderr[-2000:])
    first = [json.loads(l) for l in lines(tmp_path, "E01")]
    done = [r for r in first if r["outcome"] != "budget"]
    assert 0 < len(done) < 18 and sum(r.get("calls", 0) for r in first) <= 20+2, "two workers may each be one call over" 
    r = rbkit(*said, "--max-calls", 1000, check=True)
    rows = [json.loads(l) for l in lines(tmp_path, "E01")]
    assert rows[:len(first)] == first and status(tmp_path, "E01") == "success"
    ids = [identity(json.dumps(r)) for r in rows if r["outcome"] != "budget"]
    assert len(ids) == len(set(ids)) == 18

def test_an_unknown_price_is_still_unknown_after_a_pause(tmp_path):
    say = dict(suite="seeds/toy", n_tasks=2, out=str(tmp_path))
    from rbkit.trials.ablation import ablate
    from rbkit.trials.spec import AA_REPEAT, BASELINE
    ablate("X", [BASELINE, AA_REPEAT], n_repeats=1, **say)
    folder = only(tmp_path, "X")
    unpriced = [json.dumps({**r, "usd": None}) for r in rows(folder)]
    (folder/"rows.jsonl").write_text("\n".join(unpriced)+"\n")
    again = ablate("X", [BASELINE, AA_REPEAT], n_repeats=2, max_usd=5, **say)
    assert again.status == "budget" and manifest(folder)["unpriced_calls"] == len(unpriced)

def test_experiments_make_shared_attempts_once(tmp_path):
    "No memory, and no memory again, are the same in both; a recording has to hold all of a run"
    from rbkit.experiments import e01, e02
    say = dict(suite="seeds/toy", n_tasks=2, n_repeats=1)
    def facts(trial): return sorted(json.dumps({k: v for k, v in r.items() if k not in ("secs", "reused")}, sort_keys=True) for r in trial.rows)
    one = e01.run(**say, out=str(tmp_path))
    two = e02.run(**say, out=str(tmp_path))
    alone = e02.run(**say, out=str(tmp_path/"alone"))
    assert [trial.folder.made for trial in (one, two, alone)] == [4, 2, 6] and two.folder.manifest()["reused"] == 4
    assert facts(two) == facts(alone)
    recorded = e02.run(**say, out=str(tmp_path), record=True, rng_seed=0, fresh=True)
    assert recorded.folder.made == 6

def test_experiments_that_run_together_share_attempts_too(tmp_path, monkeypatch):
    "What another run is about to make is left to the last, and taken over once it is there"
    import rbkit.trials.ablation as ablation
    from rbkit.experiments import e01, e02
    say = dict(suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path))
    e01.run(**say)
    lender = only(tmp_path, "E01")
    whole_file = (lender/"rows.jsonl").read_text()
    told = {k: v for k, v in manifest(lender).items() if k != "rows_digest"}
    (lender/"run.json").write_text(json.dumps({**told, "status": "started"}))
    (lender/"rows.jsonl").write_text(whole_file.splitlines(True)[0])
    made, attempts = [], ablation.run_with_retries
    def counted(spec, inputs, cell):
        made.append(cell.arm.name)
        (lender/"rows.jsonl").write_text(whole_file) # the other run has got so far
        return attempts(spec, inputs, cell)
    monkeypatch.setattr(ablation, "run_with_retries", counted)
    monkeypatch.setenv("RBKIT_WORKERS", "1")
    held = RunFolder(lender)
    held.hold()
    two = e02.run(**say)
    held.release()
    assert made == ["L0 sense"]*2 and two.folder.made == 2 and manifest(only(tmp_path, "E02"))["reused"] == 4
    lenders = ablation.Lenders(SimpleNamespace(spec=two.spec, reuse=("E01",), folder=two.folder))
    assert lenders.folders == [], "its process was killed, so nobody is at it"

def test_two_runs_of_one_folder_do_not_double_rows(tmp_path):
    a, b = ablating(tmp_path), ablating(tmp_path)
    ends = [p.communicate(timeout=300) and p.returncode for p in (a, b)]
    ids = [identity(l) for l in lines(tmp_path)]
    assert 0 in ends and len(ids) == len(set(ids)) == CELLS

def test_a_guide_is_written_once_and_kept(tmp_path, monkeypatch):
    import rbkit.trials.ablation as trials
    from rbkit.trials.spec import BASELINE, Arm
    from rbkit.trials import inputs as attempts
    made, real = [], attempts.write_guide
    monkeypatch.setattr(attempts, "write_guide", lambda *a, **k: made.append(1) or real(*a, **k))
    arms = [BASELINE, Arm("L3", ("L3",))]
    one, two = (trials.ablate("demo", arms, suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path)) for _ in range(2))
    assert len(made) == 1
    assert two.inputs.guides["toy"] == one.inputs.guides["toy"] and one.inputs.guides["toy"].request_chars > 1000

def test_a_run_in_which_every_attempt_failed_on_our_side_says_so(tmp_path, monkeypatch):
    from rbkit.models.connect import SimEngine
    from rbkit.trials.ablation import ablate
    from rbkit.trials.spec import BASELINE, Arm
    def gone(self, request): raise ConnectionError("nobody there")
    monkeypatch.setattr(SimEngine, "complete", gone)
    trial = ablate("E99", [BASELINE, Arm("card", ("L0",))], out=str(tmp_path), suite="seeds/toy", n_tasks=2, n_repeats=1)
    assert {r["outcome"] for r in trial.rows} == {"infrastructure"}
    for ask in (trial.frame, trial.report, lambda: trial.judge("A claim.", "card")):
        with pytest.raises(ValueError, match="all 4 attempts failed on our side.*nobody there"): ask()

# A half of the suite

def test_a_run_may_ask_one_half_of_its_suite(tmp_path):
    from rbkit.graphs.suites import load_suite
    from rbkit.trials.ablation import ablate
    from rbkit.trials.spec import AA_REPEAT, BASELINE
    halves = {t.id: t.split for t in load_suite("seeds/toy").tasks}
    asked = dict(suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path))
    first = ablate("X", [BASELINE, AA_REPEAT], split="train", **asked)
    other = ablate("X", [BASELINE, AA_REPEAT], **asked)
    assert first.rows and {halves[row["task"]] for row in first.rows} == {"train"}
    assert first.folder.path.name == "sim-toy-full-train-s0" and other.folder.path.name == "sim-toy-full-s0"
    with pytest.raises(ValueError, match="split='both' is unknown; use one of 'train', 'held_out'"):
        ablate("X", [BASELINE, AA_REPEAT], split="both", **asked)
