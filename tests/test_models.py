"A live model, played by a server on this machine"
import json, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import pytest
from house import clean_env, rbkit
from rbkit.experiments.e01 import ARMS
from rbkit.trials import ablate

QUERY = "SELECT ?n WHERE { taxon:10090 up:scientificName ?n }" # right for toy-1, wrong for toy-2
STEP = f"[[ ## reasoning ## ]]\nLook.\n\n[[ ## code ## ]]\n```python\nr = sparql_query({QUERY!r})\nprint(sparql_slice(r)['rows'])\n```\n\n[[ ## completed ## ]]"
LAST = f"[[ ## reasoning ## ]]\nSubmit.\n\n[[ ## code ## ]]\n```python\nSUBMIT(sparql={QUERY!r}, answer=r)\n```\n\n[[ ## completed ## ]]"

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.heard.append((self.path, request))
        status, text = self.server.script(request, len(self.server.heard))
        body = dict(id="x", object="chat.completion", created=1, model=request["model"], choices=[dict(index=0, finish_reason="stop",
            message=dict(role="assistant", content=text))], usage=dict(prompt_tokens=100, completion_tokens=20, total_tokens=120))
        out = json.dumps(body if status == 200 else dict(error=dict(message=text, type="error", code=str(status)))).encode()
        self.send_response(status)
        for k, v in (("content-type", "application/json"), ("content-length", len(out))): self.send_header(k, str(v))
        self.end_headers(); self.wfile.write(out)
    def log_message(self, *args): pass

@pytest.fixture
def server():
    s = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    s.heard, s.url = [], f"http://127.0.0.1:{s.server_port}/v1"
    threading.Thread(target=s.serve_forever, daemon=True).start()
    yield s
    s.shutdown(); s.server_close()

def said(request): return "\n".join(str(m["content"]) for m in request["messages"])
def is_agent(request): return "Reply with the word ok" not in said(request) # all but the preflight; dspy asks again as JSON after a bad reply
def follow(request, n):
    "Two steps for a question, and a word for the preflight"
    if not is_agent(request): return 200, "ok"
    return 200, LAST if "=== Step 1 ===" in said(request) else STEP

def run(server, out, *more, trusted=True):
    return rbkit("run", "E1", "--lm", "openai/local-test", *(["--interpreter", "trusted"] if trusted else []), "--n-tasks", 2, "--n-repeats", 1,
        "--suite", "seeds/toy", "--out", out, *more, env=clean_env(RBKIT_API_BASE=server.url, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1"))

def within(server, out, monkeypatch, **more):
    "The same run without a report"
    for k in ("NO_PROXY", "no_proxy"): monkeypatch.setenv(k, "127.0.0.1")
    monkeypatch.setenv("RBKIT_API_BASE", server.url)
    return ablate("E01", ARMS, lm="openai/local-test", interpreter="trusted", n_tasks=2, n_repeats=1, suite="seeds/toy", out=str(out), **more)

def found(out):
    folder = next((out/"E01").glob("*"))
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

def test_a_cap_counts_live_calls(server, tmp_path, monkeypatch):
    server.script = follow
    assert within(server, tmp_path, monkeypatch, max_calls=3).status == "budget"
    assert found(tmp_path)[1]["status"] == "budget" and sum(is_agent(q) for _, q in server.heard) <= 4
    assert within(server, tmp_path, monkeypatch, max_calls=100).status == "success"
    rows, m = found(tmp_path)
    assert m["status"] == "success" and sum(r["outcome"] in ("success", "wrong") for r in rows) == 4

@pytest.mark.parametrize("said", [[], ["--interpreter", "none"]], ids=["unsaid", "none"])
def test_a_live_model_needs_leave_to_run_code(server, tmp_path, said):
    server.script = follow
    r = run(server, tmp_path/"out", *said, trusted=False)
    assert r.returncode not in (0, 3) and not server.heard and not (tmp_path/"out").exists()
    assert len(r.stderr.splitlines()) == 1 and "--interpreter trusted" in r.stderr, r.stderr

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
    assert len(rows) == 4 and {r["outcome"] for r in rows} == {"infrastructure"}
    server.script = follow # mended: the same run makes the rows that broke
    within(server, tmp_path, monkeypatch)
    rows, m = found(tmp_path)
    assert m["status"] == "success" and sum(r["outcome"] in ("success", "wrong") for r in rows) == 4 and m["outcomes"] == {"success": 2, "wrong": 2}
