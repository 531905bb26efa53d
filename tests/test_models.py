"A live model, played by a server on this machine"
import gzip, importlib, json, resource, threading, time
from collections import Counter
import pytest
from dspy.utils.exceptions import LMServerError
from house import clean_env, no_lock, rbkit, slow
from live_server import Server, body_of, is_agent, said, simulated
from rbkit.agents.interpreter import Interpreter
from rbkit.agents.repl import NotLocked
from rbkit.experiments.e01 import ARMS
from rbkit.graphs.suites import load_suite
from rbkit.models.connect import Offline, connect
from rbkit.models.live import AnswerTooLong, LiveEngine
from rbkit.models.prices import tokens_of
from rbkit.trials.ablation import ablate

QUERY = "SELECT ?n WHERE { taxon:10090 up:scientificName ?n }" # right for toy-1, wrong for toy-2
STEP = f"[[ ## reasoning ## ]]\nLook.\n\n[[ ## code ## ]]\n```python\nr = sparql_query({QUERY!r})\nprint(sparql_slice(r)['rows'])\n```\n\n[[ ## completed ## ]]"
LAST = f"[[ ## reasoning ## ]]\nSubmit.\n\n[[ ## code ## ]]\n```python\nSUBMIT(sparql={QUERY!r}, answer=r)\n```\n\n[[ ## completed ## ]]"

@pytest.fixture
def server():
    s = Server()
    yield s
    s.close()

def follow(request, n):
    "Two steps for a question, and a word for the preflight"
    if not is_agent(request): return 200, "ok"
    return 200, LAST if "=== Step 1 ===" in said(request) else STEP

def near(server): return clean_env(RBKIT_API_BASE=server.url, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")

def run(server, out, *more, exps=("E1",)):
    return rbkit("run", *exps, "--lm", "openai/local-test", "--n-tasks", 2, "--n-repeats", 1,
        "--suite", "seeds/toy", "--out", out, *more, env=near(server))

def within(server, out, monkeypatch, **more):
    "The same run without a report"
    for k in ("NO_PROXY", "no_proxy"): monkeypatch.setenv(k, "127.0.0.1")
    monkeypatch.setenv("RBKIT_API_BASE", server.url)
    return ablate("E01", ARMS, lm="openai/local-test", suite="seeds/toy", out=str(out), **{"n_tasks": 2, "n_repeats": 1, **more})

def found(out, exp="E01"):
    folder = next((out/exp).glob("*"))
    return [json.loads(l) for l in (folder/"rows.jsonl").read_text().splitlines()], json.loads((folder/"run.json").read_text())

def test_live_path_from_end_to_end(server, tmp_path):
    server.script = follow
    r = run(server, tmp_path)
    assert r.returncode == 0, r.stderr
    rows, m = found(tmp_path)
    assert m["status"] == "success" and len(rows) == m["expected_rows"] == 4
    assert sorted((r["task"], r["outcome"]) for r in rows) == [("toy-1", "success")]*2+[("toy-2", "wrong")]*2
    for r in rows:
        assert (r["calls"], r["requests"], r["tokens"], r["iterations"], r["tool_calls"]) == (2, 2, 240, 2, 2)
        assert r["sparql"] == QUERY and r["answer"] == [["Mus musculus"]] and r["lm"] == "openai/local-test"
    assert (m["calls"], m["tokens"]) == (8, 960) and "Simulated" not in m["verdict"]["caveat"]
    asked = [q for _, q in server.heard if is_agent(q)]
    assert len(asked) == 8 and {p for p, _ in server.heard} == {"/v1/chat/completions"} and {q["model"] for q in asked} == {"local-test"}
    assert sum(r["request_chars"] for r in rows) == sum(len(m["content"]) for q in asked for m in q["messages"])

@pytest.mark.slow
def test_several_with_a_live_model(server, tmp_path):
    server.script = follow
    r = run(server, tmp_path/"typed", exps=("E1", "E2"))
    assert r.returncode == 0, r.stderr
    f = tmp_path/"batch.yaml"
    f.write_text(f"defaults: {{suite: seeds/toy, n_tasks: 2, n_repeats: 1, out: {tmp_path}/filed}}\n"
        "batch: [{run: [E1], lm: openai/local-test}]")
    rbkit("batch", f, env=near(server), check=True)
    assert [len(found(tmp_path/out, e)[0]) for out, e in (("typed", "E01"), ("typed", "E02"), ("filed", "E01"))] == [4, 6, 4]
    f.write_text(f.read_text().replace("local-test}", "local-test, interpreter: open}"))
    r = rbkit("batch", f, env=near(server))
    assert r.returncode == 1 and "interpreter='open'" in r.stderr and len(r.stderr.splitlines()) == 1

GOLDS = {task.question: task.gold for task in load_suite("seeds/toy").tasks}

def knows(request, n):
    "Submits what is right without having looked"
    if not is_agent(request): return 200, "ok"
    gold, = [gold for question, gold in GOLDS.items() if question in said(request)]
    rows = GOLD_ROWS[gold]
    return 200, LAST.replace(repr(QUERY), repr(gold)).replace("answer=r", f"answer={rows!r}")

GOLD_ROWS = {GOLDS[q]: rows for q, rows in zip(GOLDS, ([["Mus musculus"]], [["protein:P01942"], ["protein:P69905"]]))}
ALIKE = dict( # how all attempts of a run end -> what the server says, and what the report has to say
    right=(knows, "success"), refused=(lambda request, n: (200, "" if is_agent(request) else "ok"), "refused"),
    unparsable=(lambda request, n: (200, "I would rather talk about the weather." if is_agent(request) else "ok"), "not_converged"))

@pytest.mark.parametrize("how", ["right", slow("refused"), slow("unparsable")])
def test_a_run_in_which_all_ended_alike_has_a_report(server, tmp_path, how):
    "And a right answer for which no tool was called is flagged, in its row and in the report"
    server.script, outcome = ALIKE[how]
    r = run(server, tmp_path)
    assert r.returncode == 0 and "Traceback" not in r.stderr, r.stderr
    rows, m = found(tmp_path)
    assert m["outcomes"] == {outcome: 4} and [r["tool_free"] for r in rows] == [int(how == "right")]*4, [(r["outcome"], r["reason"]) for r in rows]
    text = (next((tmp_path/"E01").glob("*"))/"report.md").read_text()
    assert "Traceback" not in text and ("right without a tool" in text) == (how == "right") and m["verdict"]["verdict"] in ("undecided", "not tested")

def test_a_report_of_a_live_run_asks_nobody(server, tmp_path, monkeypatch):
    server.script = follow
    within(server, tmp_path, monkeypatch)
    folder, n = next((tmp_path/"E01").glob("*")), len(server.heard)
    before = {f: (folder/f).read_bytes() for f in ("rows.jsonl", "trace.jsonl", "contexts.jsonl")}
    m = found(tmp_path)[1]
    rbkit("report", folder, check=True) # no key, no leave, no address
    assert (folder/"report.html").exists() and before == {f: (folder/f).read_bytes() for f in before}
    now = found(tmp_path)[1]
    entered = {k: now.pop(k) for k in ("verdict", "verdicts", "acted", "warnings")}
    assert entered["verdict"] and {**m, "updated": 0} == {**now, "updated": 0}, "nothing but what the rows say is entered"
    edit = [{**r, "code": "earlier", "context_hash": "told-otherwise"} for r in found(tmp_path)[0]]
    older = {**m, "made_with": {**m["made_with"], "rbkit": "0.0.9"}, "codes": dict.fromkeys(m["codes"], "earlier")}
    (folder/"rows.jsonl").write_text("".join(json.dumps(r)+"\n" for r in edit))
    (folder/"run.json").write_text(json.dumps(older))
    r = rbkit("report", folder, env=near(server), check=True)
    assert "0 attempts made" in r.stdout and len(server.heard) == n
    assert "rbkit 0.0.9" in (folder/"report.md").read_text()
    now = json.loads((folder/"run.json").read_text())
    assert (now["made_with"], now["updated"]) == (older["made_with"], older["updated"]), "a report changes no row, and not its time"
    (folder/"rows.jsonl").write_text("".join(json.dumps(r)+"\n" for r in edit[1:]))
    before = {f.name: f.read_bytes() for f in folder.iterdir() if f.is_file()}
    s = now["settings"]
    monkeypatch.setenv("RBKIT_OFFLINE", "true")
    with pytest.raises(Offline, match="1 of 4 attempts .* changed since.*rbkit retry"):
        ablate("E01", ARMS, out=str(folder.parent.parent), **{k: s[k] for k in ("n_tasks", "n_repeats", "lm", "suite", "rng_seed")})
    assert before == {f.name: f.read_bytes() for f in folder.iterdir() if f.is_file()} and len(server.heard) == n

def test_offline_makes_no_attempt(server, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_OFFLINE", "true")
    for lm in ("sim", "openai/local-test"):
        with pytest.raises(Offline, match="No run is stored"): ablate("E01", ARMS, lm=lm, suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path))
    with pytest.raises(Offline, match="would have to be asked"): connect("openai/local-test")
    assert not server.heard and not list(tmp_path.iterdir())

@pytest.mark.parametrize("backend, most", [("threads", 3), slow("processes", 2*3)]) # each process is told what is left when it begins
def test_a_cap_counts_live_calls(server, tmp_path, monkeypatch, backend, most):
    monkeypatch.setenv("RBKIT_BACKEND", backend); monkeypatch.setenv("RBKIT_WORKERS", "2")
    server.script = follow
    assert within(server, tmp_path, monkeypatch, max_calls=3).status == "budget"
    assert found(tmp_path)[1]["status"] == "budget" and 0 < sum(is_agent(q) for _, q in server.heard) <= most
    assert within(server, tmp_path, monkeypatch, max_calls=100).status == "success"
    rows, m = found(tmp_path)
    assert m["status"] == "success" and sum(r["outcome"] in ("success", "wrong") for r in rows) == 4

@pytest.mark.parametrize("said, profile", [({}, "locked"), (dict(interpreter="none"), "locked"), (dict(interpreter="trusted"), "trusted")], ids=["unsaid", "none", "trusted"])
def test_a_live_models_code_is_locked_unless_it_is_trusted(server, tmp_path, monkeypatch, said, profile):
    if profile == "locked" and no_lock(): pytest.skip(no_lock())
    seen = []
    monkeypatch.setattr("rbkit.agents.code.Interpreter", lambda *a, **k: seen.append(k["profile"]) or Interpreter(*a, **k))
    server.script = follow
    if said.get("interpreter") == "none": monkeypatch.setenv("RBKIT_INTERPRETER", said.pop("interpreter"))
    assert within(server, tmp_path, monkeypatch, **said).status == "success"
    assert set(seen) == {profile} and [r["tool_free"] for r in found(tmp_path)[0]] == [0]*4

def test_a_machine_without_a_lock_asks_no_live_model(server, tmp_path, monkeypatch):
    def missing(profile): raise NotLocked(f"{profile}: a layer is missing")
    monkeypatch.setattr("rbkit.trials.spec.check_profile", missing)
    with pytest.raises(NotLocked): within(server, tmp_path, monkeypatch)
    assert not server.heard and not list(tmp_path.iterdir())

def test_a_server_that_refuses_stops_the_run_before_it_begins(server, tmp_path):
    server.script = lambda request, n: (401, "no such key")
    r = run(server, tmp_path/"out")
    assert r.returncode not in (0, 3) and "does not answer" in r.stderr and len(r.stderr.splitlines()) == 1, r.stderr
    assert not (tmp_path/"out").exists() and not any(is_agent(q) for _, q in server.heard)

@pytest.mark.parametrize("text, outcomes", [("", {"refused"}), ("I would rather talk about the weather.", {"not_converged", "refused"})], ids=["empty", "babble"])
def test_a_reply_without_code_loses_no_row(server, tmp_path, monkeypatch, text, outcomes):
    server.script = lambda request, n: (200, text if is_agent(request) else "ok")
    within(server, tmp_path, monkeypatch)
    rows, m = found(tmp_path)
    assert len(rows) == 4 and {r["outcome"] for r in rows} <= outcomes, [r["reason"] for r in rows]
    assert m["status"] == "success" and sum(m["outcomes"].values()) == 4

def test_a_server_that_fails_midway_loses_no_row_and_is_asked_again(server, tmp_path, monkeypatch):
    server.script = lambda request, n: (400, "broken") if is_agent(request) else (200, "ok")
    within(server, tmp_path, monkeypatch)
    rows, m = found(tmp_path)
    assert len(rows) == 4*3 and {r["outcome"] for r in rows} == {"infrastructure"} and m["rows"] == 4, "each try is a row"
    server.script = follow # mended: the same run makes the rows that broke
    within(server, tmp_path, monkeypatch)
    rows, m = found(tmp_path)
    assert m["status"] == "success" and sum(r["outcome"] in ("success", "wrong") for r in rows) == 4 and m["outcomes"] == {"success": 2, "wrong": 2}

# Everything that a server can do wrong, in one run

FENCE = "[[ ## reasoning ## ]]\nHm.\n\n[[ ## code ## ]]\n```python\nr = sparql_query('unclosed"
FAULTS = [lambda: (200, FENCE), lambda: (200, ""), lambda: (200, "I'm sorry, I can't help with that."), lambda: (429, "slow down", {"retry-after": "1"}, 0),
    lambda: (500, "oops"), lambda: (200, LAST, {}, 3), lambda: (400, "context_length_exceeded")]

def test_a_hostile_server_loses_no_row(server, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_REQUEST_TIMEOUT_SECS", "2"); monkeypatch.setenv("RBKIT_RETRIES", "1")
    turn, lock = [0], threading.Lock()
    def script(request, n):
        if not is_agent(request): return 200, "ok"
        with lock: turn[0] += 1; i = turn[0]
        return FAULTS[i//2 % len(FAULTS)]() if i % 2 else follow(request, n)
    server.script = script
    trial = within(server, tmp_path, monkeypatch, n_repeats=4, max_calls=400)
    rows, m = found(tmp_path)
    assert m["status"] == "success" and m["rows"] == m["expected_rows"] == len(trial.rows) == 2*2*4
    seen = Counter(r["outcome"] for r in rows)
    assert set(seen) <= {"success", "wrong", "refused", "not_converged", "infrastructure"} and len(seen) >= 3, seen
    print([(r["outcome"], r["reason"], r["answer"][:80]) for r in rows if r["outcome"] != "success"]); print(sum(r.get("calls", 0) for r in rows), sum(is_agent(q) for _, q in server.heard), len(server.heard))
    assert all(r["reason"] for r in rows if r["outcome"] not in ("success",)), "what went wrong is said"
    last = {(r["arm"], r["task"], r["repeat"]): r for r in sorted(rows, key=lambda r: r["attempt"])} # a later try holds what an earlier one paid for
    assert len(last) == 16 and 0 < sum(r["calls"] for r in last.values()) <= sum(is_agent(q) for _, q in server.heard), "no call is counted that was not made"

PACKED = gzip.compress(b" "*300*2**20, 1) # 1.4 MB

@pytest.mark.parametrize("engine", ["lm15", pytest.param("litellm", marks=pytest.mark.slow)])
@pytest.mark.parametrize("status, packed", [(200, False), (200, True), (500, False)], ids=["endless", "packed", "an error"])
def test_an_answer_without_an_end_is_cut_off(server, engine, status, packed):
    from dspy.lm15 import Message, Request
    server.script = lambda request, n: (200, PACKED, {"content-encoding": "gzip"}, 0) if packed else (status, [b"x"*2**20]*300)
    live = LiveEngine("openai/m", server.url, answer_mb=2)
    live.lm = live.lm.copy(engine=engine)
    if engine == "litellm": importlib.import_module("litellm") # which takes more room than any answer
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(AnswerTooLong, match="more than 2 MB to one request"): live.complete(Request(model="m", messages=(Message.user("hello"),)))
    assert time.monotonic()-start < 10 and len(server.heard) == 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss-before < 150*1024, "kilobytes"

@pytest.mark.parametrize("engine, ways", [("lm15", "gzip, gzip"), pytest.param("litellm", "gzip, gzip", marks=pytest.mark.slow), pytest.param("litellm", "zstd", marks=pytest.mark.slow)])
def test_what_is_packed_so_that_nobody_knows_how_much_it_is_stays_packed(server, engine, ways):
    from dspy.lm15 import Message, Request
    if ways == "zstd": pytest.importorskip("zstandard")
    body = gzip.compress(gzip.compress(b"x"*(300*2**20), 1)) if ways != "zstd" else __import__("zstandard").compress(b"x"*(300*2**20))
    server.script = lambda request, n: (200, body, {"content-encoding": ways}, 0)
    live = LiveEngine("openai/m", server.url, answer_mb=2)
    live.lm = live.lm.copy(engine=engine)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(AnswerTooLong, match=f"packed its answer as '{ways}'"): live.complete(Request(model="m", messages=(Message.user("hello"),)))
    assert len(server.heard) == 1 and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss-before < 50*1024, "kilobytes"

def answered(server, body):
    "What an engine makes of a body"
    from dspy.lm15 import Message, Request
    server.script = lambda request, n: (200, json.dumps({**body_of(request, "ok"), **body}).encode())
    live = LiveEngine("openai/m", server.url)
    live.tries = 1
    return live.complete(Request(model="m", messages=(Message.user("hello"*100),)))

@pytest.mark.parametrize("usage", [dict(prompt_tokens=-100, completion_tokens=20), dict(prompt_tokens="many", completion_tokens=[1]), dict(prompt_tokens=100, completion_tokens=True),
    dict(prompt_tokens=100, completion_tokens=20, prompt_tokens_details=dict(cached_tokens=-5)), [], "x"], ids=str)
def test_a_count_that_cannot_be_is_estimated_and_its_answer_kept(server, usage):
    response = answered(server, dict(usage=usage))
    assert response.message.text == "ok" and tokens_of(response, "openai/m", 500) == (125, 0, 0, 1)

def test_a_count_with_more_in_it_than_tokens_is_believed(server):
    usage = dict(prompt_tokens=100, completion_tokens=20, total_tokens=120, queue_time=.02, cost=.1, service="x", prompt_tokens_details=None)
    assert tokens_of(answered(server, dict(usage=usage)), "openai/m", 500) == (100, 20, 0, 0)

def test_a_paid_answer_with_an_odd_count_is_in_rows_and_on_disk(server, tmp_path, monkeypatch):
    server.script, server.usage = follow, dict(prompt_tokens=-100, completion_tokens=20)
    within(server, tmp_path, monkeypatch)
    rows, m = found(tmp_path)
    assert not [r for r in rows if r["outcome"] == "infrastructure"] and all(r["calls"] == r["calls_estimated"] > 0 for r in rows)
    assert m["spent"]["calls"] == len(server.heard)

@pytest.mark.parametrize("choices", [[None], [dict(index=0, message=None)], [dict(index=0, finish_reason="stop")], [[]]], ids=str)
def test_a_choice_without_a_message_is_no_answer(server, choices):
    with pytest.raises(Exception, match="answered nothing") as e: answered(server, dict(choices=choices))
    assert isinstance(e.value, LMServerError)

def test_an_empty_text_is_an_answer(server):
    assert answered(server, dict(choices=[dict(index=0, finish_reason="stop", message=dict(role="assistant", content=""))])).message.text in ("", None)

def test_half_a_character_in_an_answer_costs_nobody_an_attempt(server, tmp_path, monkeypatch):
    def script(request, n):
        status, text = follow(request, n)
        return status, json.dumps(body_of(request, text+"\ud800")).encode()
    server.script = script
    within(server, tmp_path, monkeypatch)
    rows, _ = found(tmp_path)
    assert len(rows) == 4 and {r["outcome"] for r in rows} <= {"success", "wrong"}

def test_an_answer_without_an_end_is_no_failure_of_the_agent(server, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_ANSWER_MAX_MB", "1"); monkeypatch.setenv("RBKIT_RETRIES", "0")
    server.script = lambda request, n: (200, [b"x"*2**20]*3) if is_agent(request) else (200, "ok")
    within(server, tmp_path, monkeypatch)
    rows, m = found(tmp_path)
    assert {r["outcome"] for r in rows} == {"infrastructure"} and all("answer_max_mb" in r["reason"] for r in rows)

def parrot(request, n):
    "Every other answer and every third error quotes the key"
    status, text = follow(request, n)
    if n % 3 == 0: return 400, "no such thing for planted-secret"
    return status, text.replace("Look.", "planted-secret") if n % 2 else text

def never_written(folder, server, *said):
    assert {k for k in server.keys} == {"Bearer planted-secret"}
    assert any(b"<OPENAI_API_KEY>" in f.read_bytes() for f in folder.rglob("*.jsonl")), "it was quoted"
    files = [f for f in folder.rglob("*") if f.is_file()]
    for f in files: assert b"planted-secret" not in f.read_bytes() and server.url.encode() not in f.read_bytes(), f.name
    assert not any("planted-secret" in text for text in said)
    return {f.name for f in files}

def test_a_key_is_sent_and_never_written(server, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("OPENAI_API_KEY", "planted-secret")
    server.script = parrot
    within(server, tmp_path, monkeypatch, record=True)
    assert {"recording.jsonl", "trace.jsonl", "rows.jsonl", "run.json"} <= never_written(tmp_path, server, *capfd.readouterr())

@pytest.mark.slow
def test_a_key_is_in_no_report(server, tmp_path):
    "Nor in what a command says"
    server.script = parrot
    r = rbkit("run", "E1", "--lm", "openai/local-test", "--interpreter", "trusted", "--n-tasks", 3, "--n-repeats", 2, "--suite", "seeds/toy", "--out", tmp_path, "--record",
        env=near(server) | dict(OPENAI_API_KEY="planted-secret"))
    assert r.returncode in (0, 2, 3), r.stderr # 2: too much failed on our side
    assert {"recording.jsonl", "trace.jsonl", "rows.jsonl", "run.json"} <= (names := never_written(tmp_path, server, r.stdout, r.stderr)) and {"report.html"} <= names

def test_caps_hold_with_a_live_model(server, tmp_path, monkeypatch):
    server.script = follow
    trial = within(server, tmp_path, monkeypatch, n_repeats=4, max_calls=7)
    assert trial.status == "budget" and sum(is_agent(r) for _, r in server.heard) <= 7
    more = within(server, tmp_path, monkeypatch, n_repeats=4, max_tokens=2000)
    assert more.status == "budget" and found(tmp_path)[1]["tokens"] < 2000+3*120, "calls under way may finish, no more"
    monkeypatch.setenv("RBKIT_MAX_SECS", "0.001")
    assert within(server, tmp_path, monkeypatch, n_repeats=4).status == "budget"
    monkeypatch.delenv("RBKIT_MAX_SECS")
    with pytest.raises(ValueError, match="nobody knows the price of openai/local-test.*--prices"): within(server, tmp_path/"dear", monkeypatch, max_usd=1.0)
    assert not (tmp_path/"dear").exists()
    assert within(server, tmp_path, monkeypatch, n_repeats=4).status == "success"
