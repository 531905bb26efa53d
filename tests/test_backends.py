"One run, made in many ways: serially, in processes, on a cluster, recorded and replayed; the same rows each time"
import json, os, signal, threading, time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
import pytest
from dspy.lm15 import Message, Request
from house import clean_env, complete, identity, manifest, no_lock, only, rbkit, root, rows, slow

from rbkit.ground.settings import read_env
from rbkit.reports import again, cli
from rbkit.reports.cli import main
from rbkit.experiments.e01 import ARMS
from rbkit.experiments.e02 import run as sense
from rbkit.models.replay import Recorder, Replayer, read_recording, recording_text
from rbkit.trials.ablation import ablate
from rbkit.trials.learners import Learner
from rbkit.trials.learning import learn

SIZE = dict(suite="seeds/toy", n_tasks=3, n_repeats=2)
TIMES = ("secs", "learn_secs", "usd")

def made(out, monkeypatch, **settings):
    "The rows of a run under these settings, by identity, without times"
    for k, v in settings.items(): monkeypatch.setenv(f"RBKIT_{k.upper()}", str(v))
    trial = ablate("E01", ARMS, out=str(out), **SIZE)
    assert trial.status == "success"
    return bare(rows(only(out, "E01")))

def bare(found):
    "Rows by identity, without times"
    out = {(r["arm"], *identity(r)): {k: v for k, v in r.items() if k not in TIMES} for r in found}
    assert len(out) == len(found) == 2*3*2
    return out

@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    out = tmp_path_factory.mktemp("serial")
    with pytest.MonkeyPatch.context() as mp: return made(out, mp, workers=1, record="true"), only(out, "E01")

def test_threads(serial, tmp_path, monkeypatch): assert made(tmp_path, monkeypatch, workers=4) == serial[0]

@pytest.mark.slow
def test_eight_threads(tmp_path, monkeypatch):
    "Twenty-four attempts, and again one after another"
    more = SIZE | dict(n_repeats=4)
    def of(n):
        monkeypatch.setenv("RBKIT_WORKERS", str(n))
        trial = ablate("E01", ARMS, out=str(tmp_path/str(n)), **more)
        return sorted(json.dumps({k: v for k, v in r.items() if k not in TIMES}, sort_keys=True) for r in trial.rows)
    alone = of(1)
    assert len(alone) == 2*3*4 and of(8) == alone

@pytest.mark.parametrize("typed, said", [(["--backend", "dask"], "needs the scheduler's address"), (["--backend", "clouds"], "there are threads, processes, dask")])
def test_a_backend_that_cannot_be_used_is_refused_before_a_notebook_starts(typed, said, tmp_path, capsys, monkeypatch):
    from rbkit.reports.cli import main
    monkeypatch.setattr("rbkit.trials.workers.is_here", lambda name: True)
    monkeypatch.setattr("rbkit.reports.report.execute", lambda *args: pytest.fail("a notebook was started"))
    for exps in (["E1"], ["E9"], ["E1", "E2"]):
        assert main(["run", *exps, *typed, "--out", str(tmp_path)]) == 1
        error = capsys.readouterr().err
        assert said in error and len(error.splitlines()) == 1 and not list(tmp_path.iterdir())

@pytest.mark.slow
def test_processes(serial, tmp_path, monkeypatch): assert made(tmp_path, monkeypatch, backend="processes", workers=2) == serial[0]

@pytest.mark.slow
def test_a_cap_holds_in_processes(tmp_path, monkeypatch):
    for k, v in dict(RBKIT_BACKEND="processes", RBKIT_WORKERS="2", RBKIT_MAX_CALLS="20").items(): monkeypatch.setenv(k, v)
    assert ablate("E01", ARMS, out=str(tmp_path), **SIZE).status == "budget"
    first = rows(only(tmp_path, "E01"))
    calls = [r.get("calls", 0) for r in first]
    assert sum(calls[:-1]) < 20 <= sum(calls), "it ends with the attempt that reaches the cap"
    monkeypatch.setenv("RBKIT_MAX_CALLS", "0")
    assert ablate("E01", ARMS, out=str(tmp_path), **SIZE).status == "success"
    assert rows(only(tmp_path, "E01"))[:len(first)] == first

@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed", reason="the extra [dask] is not installed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as c: yield c

def test_dask_and_a_worker_that_dies(serial, cluster, tmp_path, monkeypatch):
    def kill_one():
        while len(list(tmp_path.glob("E01/*/rows.jsonl"))) == 0 or len(rows(only(tmp_path, "E01"))) < 2: time.sleep(.02)
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    killer = threading.Thread(target=kill_one, daemon=True); killer.start()
    assert made(tmp_path, monkeypatch, backend="dask", address=cluster.scheduler_address) == serial[0]
    killer.join(10)
    assert not killer.is_alive(), "no worker was killed"

# Record and replay

def test_a_recording_gives_the_same_rows_without_a_model(serial, tmp_path, monkeypatch):
    import rbkit.models.connect
    monkeypatch.setattr(rbkit.models.connect, "_engine", lambda *a: pytest.fail("a replay asked for a model"))
    found = made(tmp_path, monkeypatch, workers=4, replay=serial[1]/"recording.jsonl")
    assert found == serial[0]

def test_a_recording_replays_in_processes(serial, tmp_path, monkeypatch):
    assert made(tmp_path, monkeypatch, backend="processes", workers=2, replay=serial[1]/"recording.jsonl") == serial[0]

def test_a_recording_holds_no_key_and_no_path(serial):
    text = (serial[1]/"recording.jsonl").read_text(encoding="utf-8")
    home = [str(Path.home())] if Path.home() != Path("/") else []
    for secret in (*home, str(root), str(serial[1].parent), "api_key", "Authorization"):
        assert secret not in text, f"a recording must not hold {secret}"
    calls = read_recording(serial[1]/"recording.jsonl")
    assert len(calls) == sum(r["calls"] for r in serial[0].values())
    assert {"key", "model", "params", "system", "messages", "repeat", "reply", "usage"} <= calls[0].keys()

def test_an_attempt_made_again_is_replayed_as_its_row_has_it(tmp_path):
    asked = Request(model="m", messages=(Message.user("roll"),))
    lines = []
    for reply in ("killed", "kept"): # the same attempt twice: its row came of the second
        tape = Recorder(0, "baseline")
        lines.append({**tape.asked("m", asked), "reply": reply, "usage": [1, 1, 2]})
    f = tmp_path/"recording.jsonl"
    f.write_text(recording_text(lines, set()))
    def replies(): return Replayer(f, 0, "baseline")("m", None).complete(asked).message.text
    assert replies() == "kept"
    with open(f, "a") as torn: torn.write('{"key": "torn')
    assert len(read_recording(f)) == 2, "what a crash tore is left out"
    f.write_text("broken\n"+f.read_text())
    with pytest.raises(ValueError, match="line 1 is no JSON object"): read_recording(f)

def test_a_miss_names_the_nearest(serial, tmp_path):
    r = rbkit("run", "E1", "--suite", "seeds/toy", "--n-tasks", 3, "--n-repeats", 3, "--replay", serial[1]/"recording.jsonl", "--out", tmp_path)
    assert r.returncode == 1 and "repeat: recorded" in r.stderr and "Nearest" in r.stderr, r.stderr[-2000:]
    r = rbkit("run", "E1", "--replay", tmp_path/"none.jsonl", "--out", tmp_path/"x")
    assert r.returncode == 1 and "No recording" in r.stderr and len(r.stderr.splitlines()) == 1

@pytest.mark.slow
def test_record_and_replay_by_command(tmp_path):
    from rbkit.experiments.e04 import run
    said = ("run", "E4", "--suite", "seeds/toy", "--n-tasks", 2, "--n-repeats", 1)
    run(suite="seeds/toy", n_tasks=2, n_repeats=1, record=True, out=str(tmp_path/"a"))
    tape = only(tmp_path/"a", "E04")/"recording.jsonl"
    rbkit(*said, "--replay", tape, "--out", tmp_path/"b", check=True)
    key = lambda found: {(r["arm"], r["task"], r["repeat"]): (r["outcome"], r["answer"], r["calls"], r["tokens"], r["context_hash"]) for r in found}
    assert key(rows(only(tmp_path/"a", "E04"))) == key(rows(only(tmp_path/"b", "E04")))
    assert json.loads((only(tmp_path/"b", "E04")/"run.json").read_text())["settings"]["replay"] == "recording.jsonl"

@pytest.fixture(scope="module")
def tape(tmp_path_factory):
    "A recording of E2, whose arms are those of E1 and one more"
    out = tmp_path_factory.mktemp("tape")
    sense(suite="seeds/toy", n_tasks=2, n_repeats=1, record=True, out=str(out))
    return only(out, "E02")/"recording.jsonl"

@pytest.fixture
def here(capfd):
    "The command in this process, for verbs that run nothing: what `rbkit` calls, without the seconds in which a Python starts"
    def said(*args, check=False):
        code, r = main([str(a) for a in args]), capfd.readouterr()
        assert not check or code == 0, r.err
        return SimpleNamespace(returncode=code, stdout=r.out, stderr=r.err)
    return said

def replayed(out):
    "The rows of both experiments, none of which a model made"
    for exp, n in (("E01", 4), ("E02", 6)):
        assert len(complete(only(out, exp))) == n and manifest(only(out, exp))["settings"]["replay"] == "recording.jsonl"

@pytest.mark.slow
def test_several_replay_by_command(tape, here, tmp_path):
    r = rbkit("run", "E1", "E2", "--suite", "seeds/toy", "--n-tasks", 2, "--n-repeats", 1, "--replay", tape, "--out", tmp_path)
    assert r.returncode == 0, r.stderr
    replayed(tmp_path)
    folder = only(tmp_path, "E01")
    r = here("retry", folder)
    assert r.returncode == 1 and "--replay FILE" in r.stderr and len(r.stderr.splitlines()) == 1, r.stderr
    (folder/"report.html").unlink()
    rbkit("report", folder, check=True)
    rbkit("retry", folder, "--replay", tape, check=True)
    assert (folder/"report.html").exists()
    replayed(tmp_path)

# Batches

@pytest.mark.slow
def test_a_batch_replays(tape, tmp_path):
    f = tmp_path/"batch.yaml"
    f.write_text(f"batch: [{{run: [E1, E2], suite: seeds/toy, n_tasks: 2, n_repeats: 1, replay: {tape}, out: results}}]")
    said = rbkit("batch", f, check=True, cwd=tmp_path).stdout
    replayed(tmp_path/"results")
    assert said.splitlines()[-1] == "results/index.html", "the page lies where the results are, wherever one stands"

BATCH = """
defaults: {{n_tasks: 2, n_repeats: 1, suite: seeds/toy, out: {out}}}
batch:
  - {{run: [E1, E3]}}
  - {{run: E1, profile: compact, max_iters: 5}}
"""

def test_a_batch_runs_and_writes_a_page(tmp_path):
    f = tmp_path/"batch.yaml"
    f.write_text(BATCH.format(out=tmp_path/"results"))
    r = rbkit("batch", f, "--workers", 2, check=True)
    assert r.stdout.count("[") == 3 and "index.html" in r.stdout
    found = sorted(p.parent.relative_to(tmp_path/"results").as_posix() for p in (tmp_path/"results").glob("E*/*/rows.jsonl"))
    assert found == ["E01/sim-toy-compact-iters-5-s0", "E01/sim-toy-full-s0", "E03/sim-toy-full-s0"]
    assert [len(rows(tmp_path/"results"/p)) for p in found] == [4, 4, 6]
    page = (tmp_path/"results"/"index.html").read_text()
    assert all(f"{p}/report.html" in page for p in found) and "no evidence about language models" in page
    assert json.loads((tmp_path/"results"/found[0]/"run.json").read_text())["settings"]["max_iters"] == 5

def test_a_process_of_a_batch_that_dies_takes_one_run_with_it(tmp_path):
    "It is followed by another one; what ends well, or with an error of the user's, leaves it alive"
    from rbkit.reports.batch import _Maker
    maker = _Maker()
    def run(*argv):
        maker.begin(list(map(str, argv)))
        return maker.heard()
    code, text = run("run", "E99")
    first = maker.process
    assert code == 1 and "No experiment 'E99'" in text
    assert run("list", "--out", tmp_path)[0] == 0 and maker.process is first
    threading.Timer(1.5, first.kill).start()
    code, text = run("run", "E1", "--suite", "seeds/toy", "--n-tasks", 2, "--n-repeats", 1, "--out", tmp_path)
    assert code == -signal.SIGKILL
    assert run("run", "E99")[0] == 1 and maker.process is not first
    maker.close()
    assert maker.process.returncode == 0

def test_a_batch_as_papermill_calls(here, tmp_path):
    f = tmp_path/"batch.yaml"
    f.write_text(BATCH.format(out=tmp_path/"results"))
    lines = here("batch", f, "--papermill", check=True).stdout.splitlines()
    assert len(lines) == 3 and lines[2].startswith("RBKIT_MAX_ITERS=5 papermill nbs/experiments/E01_baseline.ipynb")
    assert all(w in lines[0] for w in ("-p n_tasks 2", "-p suite seeds/toy", f"-p out {tmp_path}/results"))

@pytest.mark.parametrize("text, names", [("batch: [{lm: sim}]", "needs `run`"), ("jobs: []", "holds a list `batch`"),
    ("batch: [{run: E1, n_task: 3}]", "no option n_task"), ("batch: [{run: E1, suite: no/where}]", "no/where"), ("batch: [", "not YAML")])
def test_a_bad_batch_runs_nothing(text, names, here, tmp_path):
    f = tmp_path/"batch.yaml"; f.write_text(text)
    r = here("batch", f)
    assert r.returncode == 1 and names in r.stderr and len(r.stderr.splitlines()) == 1, r.stderr
    assert list(tmp_path.iterdir()) == [f]

def test_fresh_begins_anew_and_keeps_the_old(tmp_path):
    args = dict(suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path))
    first, again, fresh = (ablate("E01", ARMS, fresh=f, **args) for f in (False, False, True))
    made = [t.folder.made for t in (first, again, fresh)]
    assert made == [4, 0, 4] and len(rows(only(tmp_path, "E01"))) == 4 and (only(tmp_path, "E01")/"rows.jsonl.old").exists()

ENV = "RBKIT_N_TASKS=2\nRBKIT_N_REPEATS=1\nRBKIT_PROFILE=compact\nOPENAI_API_KEY=secret\nRBKIT_INTERPRETER=trusted\nRBKIT_API_BASE=http://elsewhere/v1\nRBKIT_ADDRESS=tcp://elsewhere:8786\nRBKIT_WASM_PATH=elsewhere\n"

@pytest.mark.parametrize("own", [slow("file"), "folder", slow("named")])
def test_settings_from_a_file_of_ones_own(tmp_path, own):
    here, home = tmp_path/"here", tmp_path/"home"
    where = home/"rbkit" if own == "file" else here
    for folder in (here, home/"rbkit"): folder.mkdir(parents=True)
    (where/".env").write_text(ENV)
    env = clean_env(XDG_CONFIG_HOME=str(home), **(dict(RBKIT_ENV_FILE=".env") if own == "named" else {}))
    doctor = rbkit("doctor", "--json", cwd=here, env=env, check=True)
    told = json.loads(doctor.stdout)
    assert "secret" not in doctor.stdout+doctor.stderr
    if own != "folder": assert "2 tasks x 1 repeats" in rbkit("plan", "E1", cwd=here, env=env, check=True).stdout # what a folder may set: the next test
    if own == "folder": assert told["keys"] == [] and all(name in doctor.stderr for name in ("OPENAI_API_KEY", "RBKIT_INTERPRETER", "RBKIT_API_BASE", "RBKIT_ADDRESS", "RBKIT_WASM_PATH"))
    else: assert told["keys"] == ["OPENAI_API_KEY"] and not doctor.stderr

LOOSENS = dict(RBKIT_PRICES="*=0 0", RBKIT_REPLAY="theirs.jsonl", RBKIT_SUITE="theirs", RBKIT_REQUEST_OPTIONS="{}", RBKIT_FRESH="true", RBKIT_GRADE="lenient",
    RBKIT_MAX_USD="1000", RBKIT_LM="openai/dear", RBKIT_ROOT="/theirs", RBKIT_RESULTS_PATH="/theirs", RBKIT_ENV_FILE=".env", OPENAI_API_KEY="theirs")

def test_a_folder_may_not_loosen_and_what_was_left_out_is_named(tmp_path, monkeypatch):
    for name in (*LOOSENS, "RBKIT_N_TASKS", "RBKIT_PROFILE"): monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLANTED", "secret")
    (tmp_path/".env").write_text("".join(f"{k}={v}\n" for k, v in LOOSENS.items())+"RBKIT_N_TASKS=7\nRBKIT_PROFILE=${PLANTED}\n")
    with pytest.warns(UserWarning) as told: read_env(tmp_path)
    found = {name: os.environ.pop(name, None) for name in (*LOOSENS, "RBKIT_N_TASKS", "RBKIT_PROFILE")}
    assert {name for name, value in found.items() if value is not None} == {"RBKIT_N_TASKS", "RBKIT_PROFILE"} and "secret" not in found["RBKIT_PROFILE"]
    assert len(told) == 1 and all(name in str(told[0].message) for name in LOOSENS)

def test_a_folder_says_neither_where_a_key_is_sent_nor_that_code_may_run(tmp_path):
    ours = (root/"settings.ini").read_text()
    (tmp_path/"settings.ini").write_text(ours.replace("\napi_base =", "\napi_base = http://elsewhere/v1"))
    for name in ("seeds", "nbs"): (tmp_path/name).symlink_to(root/name)
    r = rbkit("run", "E1", "--lm", "openai/x", cwd=tmp_path, env=clean_env(OPENAI_API_KEY="secret"))
    assert r.returncode == 1 and "A folder may not: say --api-base" in r.stderr and len(r.stderr.splitlines()) == 1, r.stderr

# Files that one was given

@pytest.mark.parametrize("line", ["[1]", "1", "null", '{"text": "a"}', '{"system": ["a"]}', '{"text": "t", "value": "v"}\n{"system": "t", "key": 7}'])
def test_what_is_no_recording_is_said_to_be_none(tmp_path, line):
    path = tmp_path/"recording.jsonl"
    path.write_text(line+"\n")
    with pytest.raises(ValueError, match="recording.jsonl, line [12] is no"): read_recording(path)

@pytest.mark.parametrize("text", ["[]", "1", "{", '{"settings": [1]}', '{"exp": 5}', "["*100_000])
def test_what_is_no_manifest_is_said_to_be_none(serial, here, tmp_path, text):
    (tmp_path/"run.json").write_text(text)
    for verb in ("view", "compare", "retry"):
        r = here(verb, tmp_path)
        assert r.returncode == 1 and "is no manifest of a run" in r.stderr and len(r.stderr.splitlines()) == 1, r.stderr

def test_rows_and_traces_that_are_no_objects_are_named(serial, here, tmp_path):
    for name in ("rows.jsonl", "trace.jsonl"):
        folder = tmp_path/name
        folder.mkdir()
        for f in serial[1].iterdir():
            if f.is_file(): (folder/f.name).write_bytes(f.read_bytes())
        with open(folder/name, "a") as f: f.write("[1]\n")
        r = here("view", folder, "--text")
        assert r.returncode == 1 and f"{name}, line" in r.stderr and "is no JSON object" in r.stderr, r.stderr

# Verbs on runs that are there

def test_retry_report_compare_and_json(serial, here, tmp_path):
    said = ("run", "E2", "--suite", "seeds/toy", "--n-tasks", 3, "--n-repeats", 1, "--out", tmp_path)
    r = rbkit(*said, "--max-calls", 12)
    assert r.returncode == 3, r.stderr
    folder = only(tmp_path, "E02")
    r = here("report", folder)
    assert r.returncode == 1 and "rbkit retry" in r.stderr
    rbkit("retry", folder, "--max-calls", 0, check=True)
    n = len(rows(folder))
    (folder/"report.html").unlink()
    rbkit("report", folder, check=True)
    assert (folder/"report.html").exists() and len(rows(folder)) == n
    found = json.loads(here("compare", folder, "--json", check=True).stdout)
    assert {f["arm"] for f in found} == {"baseline again", "L0 sense"}
    both = json.loads(here("compare", folder, serial[1], "--json", check=True).stdout)
    assert {f["arm"] for f in both} == {"baseline (2)", "baseline again (2)"}
    odd = here("compare", folder, "--metric", "nosuch")
    assert odd.returncode == 1 and "No metric 'nosuch'" in odd.stderr and "correct" in odd.stderr
    listed = json.loads(here("list", "--out", tmp_path, "--json", check=True).stdout)
    assert [r["exp"] for r in listed["runs"]] == ["E02"]
    told = json.loads(rbkit("doctor", "--json", check=True).stdout)
    assert told["answers"] is True and told["schema"]

def test_a_run_that_one_was_given_decides_neither_consent_nor_address(serial, here, tmp_path):
    manifest = json.loads((serial[1]/"run.json").read_text())
    told = {**manifest, "settings": {**manifest["settings"], "interpreter": "trusted", "api_base": "http://127.0.0.1:9/v1"}}
    (tmp_path/"run.json").write_text(json.dumps(told))
    r = here("retry", tmp_path)
    assert r.returncode == 1 and "was made with api_base='http://127.0.0.1:9/v1'" in r.stderr and "--api-base http://127.0.0.1:9/v1" in r.stderr
    assert "interpreter" not in again.made_with_options(tmp_path, {})[1] and again.made_with_options(tmp_path, dict(interpreter="trusted"))[1]["interpreter"] == "trusted"


# Where code runs

locks = pytest.mark.skipif(bool(no_lock()), reason=no_lock())

@locks
def test_rows_under_the_lock_are_those_without(serial, tmp_path, monkeypatch):
    assert manifest(serial[1])["settings"]["interpreter"] == "locked"
    assert made(tmp_path, monkeypatch, interpreter="trusted") == serial[0]

@locks
def test_rows_of_executors_under_the_lock_are_those_without(tmp_path):
    from rbkit.experiments.e14 import ARMS as kinds
    def of(profile):
        trial = ablate("E14", kinds, out=str(tmp_path/profile), interpreter=profile, suite="seeds/toy", n_tasks=2, n_repeats=1)
        return {(r["arm"], *identity(r)): {k: v for k, v in r.items() if k not in TIMES} for r in trial.rows}
    locked = of("locked")
    assert len(locked) == 2*len(kinds) and of("trusted") == locked

OTHERS = [f"E{n:02}" for n in range(2, 14)]

@locks
@pytest.mark.slow
@pytest.mark.parametrize("exp", OTHERS)
def test_rows_of_other_experiments_under_the_lock_are_those_without(exp, tmp_path):
    "E2 to E13 with all arms; E1 and E14 are compared above"
    module = import_module(f"rbkit.experiments.{exp.lower()}")
    arms = module.arms() if exp == "E13" else module.ARMS
    over_streams = isinstance(arms[0], Learner)
    def of(profile):
        how = dict(out=str(tmp_path/profile), interpreter=profile, n_tasks=3 if over_streams else 2)
        trial = learn(exp, arms, n_streams=2, **how) if over_streams else ablate(exp, arms, suite="seeds/toy", n_repeats=1, **how)
        assert trial.status == "success"
        made = rows(only(tmp_path/profile, exp))
        assert manifest(only(tmp_path/profile, exp))["settings"]["interpreter"] == profile
        return sorted(json.dumps({k: v for k, v in r.items() if k not in TIMES}, sort_keys=True) for r in made)
    locked = of("locked")
    assert len(locked) >= 2*len(arms) and of("trusted") == locked
