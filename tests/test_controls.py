"A defence is taken away, and the attack that it stops succeeds: a test that nothing can make fail proves nothing"
import http.server, inspect, os, re, signal, sqlite3, subprocess, sys, textwrap, threading, time
from contextlib import nullcontext
from dataclasses import replace
import pytest
from dspy.primitives.code_interpreter import FinalOutput
from house import no_lock
from live_server import Server
from test_backends import LOOSENS
from test_graphs import BOMB, Canary, TOO_MUCH, TOY, YES, alive, ask, asked, family, gone, web
from test_lock import DEEDS, altered, opened, play, toys
from rbkit.agents import interpreter, repl, wasm
from rbkit.agents.interpreter import MOST, PRELUDE, Interpreter
from rbkit.bank import database
from rbkit.bank.bank import Bank
from rbkit.bank.items import Item
from rbkit.graphs import endpoint
from rbkit.graphs.endpoint import Endpoint
from rbkit.graphs.graph import load_graph
from rbkit.ground import settings
from rbkit.models.live import LiveEngine
from rbkit.policies import forgetting
from rbkit.policies.consolidation import Consolidation
from rbkit.trials.runs import UNFINISHED

locks = pytest.mark.skipif(bool(no_lock()), reason=no_lock())

def without(monkeypatch, owner, name, defence, instead):
    "Put a function in the place of its own, in which one piece of text is another"
    function = inspect.unwrap(getattr(owner, name))
    source = re.sub(r"^@patch.*\n", "", textwrap.dedent(inspect.getsource(function)), flags=re.M)
    assert source.count(defence) == 1, f"{name} has changed: it holds {defence!r} {source.count(defence)} times"
    made = {}
    exec(compile(source.replace(defence, instead), f"<{name} without {defence}>", "exec"), function.__globals__, made)
    monkeypatch.setattr(owner, name, made[name])

def until(true, secs):
    "Wait for something to be so, and no longer; is it?"
    end = time.monotonic()+secs
    while not true() and time.monotonic() < end: time.sleep(.01)
    return true()

def goes_on(work, stop, secs=.6):
    "Does work that began in a thread still go on after a while? It is stopped then"
    def run():
        try: work()
        except Exception: pass # it was stopped
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(secs)
    found = thread.is_alive()
    stop()
    thread.join(60)
    return found and not thread.is_alive()

# P2: no step blocks for ever, and no process outlives its run

@locks
@pytest.mark.parametrize("signalled", [True, False])
def test_without_its_signal_a_worker_outlives_its_parent(altered, signalled):
    "Its parent is the server that forks; where that is killed, nobody else ends it"
    altered("" if signalled else "def die_with(parent): pass")
    with opened("locked") as r:
        r.execute("1")
        pid, server = r._process.pid, r._process.server.process
        server.kill(); server.wait()
        ended = until(lambda: not alive(pid), 10 if signalled else .3)
        if not ended: os.kill(pid, signal.SIGKILL)
    assert ended == signalled

def test_without_a_sweep_the_folder_of_a_killed_process_stays(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = tmp_path/f"rbkit-repl-{dead.pid}-x"
    left.mkdir()
    os.utime(left, (0, 0))
    with monkeypatch.context() as m:
        m.setattr(wasm, "_sweep", lambda *args: None)
        with wasm.own_folder("repl"): assert left.exists()
    wasm._sweep.cache_clear()
    with wasm.own_folder("repl"): assert not left.exists()
    wasm._sweep.cache_clear()

def test_without_a_deadline_a_step_goes_on(monkeypatch):
    wait = repl.Repl._next_line
    monkeypatch.setattr(repl.Repl, "_next_line", lambda self, deadline, said: wait(self, None, said))
    r = opened("trusted", secs=.1)
    r.start()
    assert goes_on(lambda: r.execute("while True: pass"), lambda: os.kill(r._process.pid, signal.SIGKILL))
    r.shutdown()

# P3: what crosses is bounded

@pytest.fixture
def unbounded(monkeypatch):
    "An interpreter without its caps"
    huge = dict.fromkeys(MOST, 10**9)
    monkeypatch.setattr(interpreter, "MOST", huge)
    monkeypatch.setattr(interpreter, "PRELUDE", PRELUDE.replace(f"_rb_most = {MOST}", f"_rb_most = {huge}"))
    monkeypatch.setattr(repl, "SCRATCH_MB", 10**6)
    it = Interpreter(profile="trusted", max_chars=10**9, step_secs=20)
    it.tools = it.own = dict(echo=lambda x: {"x": x}, much=lambda: {"x": "y"*(MOST["reply"]+1)})
    it.output_fields = [dict(name="answer")]
    yield it
    it.shutdown()

FLOODS = dict( # what the caps of a step stop -> how much is there
    raised=("raise ValueError('x'*2_000_000)", 2_000_000), printed=("print('z'*2_000_000)", 2_000_000), replied=("len(much()['x'])", 7),
    asked=("len(echo('x'*300_000)['x'])", 6), code=("#"*200_000+"\n'ran'", 5),
    kept=("import os\nfor n in range(9):\n    with open(f'f{n}', 'wb') as f: f.truncate(12 << 20)\nsum(e.stat().st_size for e in os.scandir())", 9),
)

@pytest.mark.parametrize("name", FLOODS)
def test_without_its_caps_a_step_passes_all_of_it_on(unbounded, name):
    code, least = FLOODS[name]
    shown = unbounded.execute(code)
    assert len(shown) >= least and "cut at" not in shown and ("[Error]" in shown) == (name == "raised"), shown[:300]

def test_without_its_caps_an_answer_has_no_end(unbounded):
    found = unbounded.execute("SUBMIT(answer='x'*1_000_000)")
    assert isinstance(found, FinalOutput) and len(found.output["answer"]) == 1_000_000

def test_with_room_enough_what_unpacks_to_much_is_loaded(tmp_path, monkeypatch):
    (tmp_path/"bomb.nt.gz").write_bytes(TOO_MUCH["bomb.nt.gz"])
    monkeypatch.setenv("RBKIT_GRAPH_MAX_MB", "8")
    with pytest.raises(Exception, match="No statement of RDF"): load_graph(tmp_path/"bomb.nt.gz", isolate=False) # it was read to its end

def test_without_a_cap_a_long_answer_of_a_server_is_read_to_its_end():
    from dspy.lm15 import Message, Request
    server = Server(lambda request, n: (200, "x"*5_000_000))
    asking = Request(model="m", messages=(Message.user("hello"),))
    try:
        with pytest.raises(Exception, match="more than 2 MB"): LiveEngine("openai/m", server.url, answer_mb=2).complete(asking)
        assert len(LiveEngine("openai/m", server.url, answer_mb=100).complete(asking).message.text) == 5_000_000
    finally: server.close()

# What code does to its own process is the agent's failure

@locks
def test_without_a_restart_an_exit_is_nobodys_failure(toys, monkeypatch):
    "The attempt would not count, and a model that is wrong could have it so"
    without(monkeypatch, Interpreter, "_run", "except CodeInterpreterError as e", "except ZeroDivisionError as e")
    row, _, _ = play(toys, toys.tasks()[0], DEEDS["ends_its_process"], step_secs=20)
    assert row["outcome"] in UNFINISHED, row

# P7: attempts side by side

def test_with_one_worker_for_all_an_attempt_reads_what_another_wrote(monkeypatch):
    def second():
        mine, theirs = Interpreter(profile="trusted"), Interpreter(profile="trusted")
        theirs.execute("found = 'the other one said so'")
        shown = mine.execute("found")
        for it in (mine, theirs): it.shutdown()
        return shown
    assert "NameError" in second()
    start, shared = Interpreter.start, []
    def one_for_all(self):
        if not shared:
            start(self)
            shared.append(self._worker)
        self._worker = shared[0]
    monkeypatch.setattr(Interpreter, "start", one_for_all)
    assert second() == "'the other one said so'"

# P9: a query ends, and what it returns is bounded

def test_without_a_deadline_a_heavy_query_goes_on():
    with load_graph(TOY) as g:
        g.query("ASK {}")
        held = family(g)
        def stop():
            for pid in held: os.kill(pid, signal.SIGKILL)
        assert goes_on(lambda: g.query(BOMB, timeout_secs=3600), stop) and gone(held)

LONG = b'{"head":{"vars":["s"]},"results":{"bindings":['+b",".join(b'{"s":{"type":"literal","value":"%06d"}}' % i for i in range(10_000))+b"]}}"

def test_without_a_cap_of_bytes_all_of_an_answer_is_read(web, monkeypatch):
    web.script = lambda h, n: h.say(200, LONG)
    def read():
        with ask(web, max_bytes=10_000) as g: return len(g._backend.asked(g.plan("SELECT ?s { ?s ?p ?o }", 5), 20).body)
    with pytest.raises(endpoint.QueryFailed, match="exceeds 10,000 bytes"): read()
    without(monkeypatch, Endpoint, "_body", "len(body) > self.max_bytes", "False")
    assert read() == len(LONG)

def test_without_a_deadline_a_drip_is_waited_for(web, monkeypatch):
    "The client's own limit is for each piece alone"
    def drip(h, n):
        h.send_response(200); h.send_header("Content-Type", "application/sparql-results+json"); h.end_headers()
        for _ in range(8): h.wfile.write(b" "); h.wfile.flush(); time.sleep(.1)
        h.wfile.write(YES)
    web.script = drip
    without(monkeypatch, Endpoint, "_body", "time.monotonic() > end", "False")
    monkeypatch.setattr(endpoint, "_within", lambda secs, work: work(time.monotonic()+secs))
    begun = time.monotonic()
    with ask(web) as g: assert g.query("ASK {}", timeout_secs=.5).rows == [["true"]]
    assert time.monotonic()-begun > .6

def test_without_a_check_a_redirect_leads_elsewhere(web, monkeypatch):
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    other.hits, other.script, other.daemon_threads = [], lambda h, n: h.say(200, YES), True
    threading.Thread(target=other.serve_forever, daemon=True).start()
    web.script = lambda h, n: h.say(307, Location=f"http://127.0.0.1:{other.server_port}/")
    with ask(web) as g, pytest.raises(endpoint.QueryFailed, match="redirects"): g.query("ASK {}")
    assert not other.hits
    without(monkeypatch, Endpoint, "_post", "(to.scheme, to.host, to.port) != (url.scheme, url.host, url.port)", "False")
    with ask(web) as g: assert g.query("ASK {}").rows == [["true"]]
    assert len(other.hits) == 1
    other.shutdown(); other.server_close()

# P10: a limit that is put in keeps the meaning

def test_a_limit_that_is_written_behind_a_query_changes_it():
    "What an ordinary hand would do: of many queries, some are then no queries, and some give more than they may"
    import pyoxigraph, random
    store, rng, wrong = pyoxigraph.Store(), random.Random(0), 0
    store.load(path=str(TOY))
    with load_graph(TOY, isolate=False) as g: prefixes = g.prefixes
    for _ in range(60):
        text = asked(rng)
        try: wrong += len(list(store.query(f"{text} LIMIT 5", prefixes=prefixes))) > 5
        except SyntaxError: wrong += 1
    assert wrong > 20

# P12: what a run wrote can be taken back

def test_a_purge_that_forgets_what_was_derived_leaves_it(monkeypatch):
    def left():
        bank = Bank()
        one, two = (Item(title, "how many", content, provenance=dict(run=run)) for title, content, run in
            (("Count once", "Use COUNT DISTINCT.", "evil"), ("Count things", "Use COUNT DISTINCT. Mind blanks.", "r2")))
        merge = lambda a, b: replace(a, id="", content=f"{a.content} {b.content}", provenance={})
        assert Consolidation(near=.3, merge=merge)(bank, [one, two])[-1].op == "merge"
        forgetting.purge(bank, "evil")
        return [x for x in bank.all() if "Use COUNT DISTINCT. Use" in x.content or x.provenance.get("run") == "evil"]
    assert not left()
    monkeypatch.setattr(forgetting, "_taught_by", lambda items, run: {x.id for x in items if x.provenance.get("run") == run})
    assert left()

# P13: no acknowledged write is lost or half done

HALF = """
import os, sys
from contextlib import nullcontext
from rbkit.bank.bank import Bank, Item
if sys.argv[2] == "plain": Bank.transaction = lambda self: nullcontext(self)
bank = Bank(sys.argv[1])
with bank.transaction():
    id, = bank.add(Item("One", "d", "first half"))
    bank.record_exposure("r1", [id])
    os.kill(os.getpid(), 9)
    bank.outcome("r1", True)
"""

@pytest.mark.parametrize("how, there", [("together", 0), ("plain", 1)])
def test_without_a_transaction_half_of_it_is_there(tmp_path, how, there):
    with Bank(tmp_path/"b.db"): pass
    done = subprocess.run([sys.executable, "-c", HALF, str(tmp_path/"b.db"), how])
    assert done.returncode == -9
    with Bank(tmp_path/"b.db") as bank: assert len(bank) == there

# P15: many writers

def test_with_a_plain_begin_two_that_read_first_cannot_both_write(tmp_path, monkeypatch):
    "Each has read, so each holds the lock that the other has to wait for; no patience helps"
    without(monkeypatch, database, "_has_begun", '"begin immediate"', '"begin"')
    monkeypatch.setattr(database, "_PATIENCE", .1)
    with Bank(tmp_path/"b.db") as one, Bank(tmp_path/"b.db") as two:
        id, = one.add(Item("Shared", "by all", "writers"))
        with pytest.raises(sqlite3.OperationalError, match="locked"), one.transaction(), two.transaction():
            shown = [b.get(id).shown for b in (one, two)]
            for b, n in zip((one, two), shown): b.change(id, shown=n+1)

@pytest.mark.parametrize("patience", [5, 0])
def test_without_patience_a_writer_gives_up_at_once(tmp_path, monkeypatch, patience):
    monkeypatch.setattr(database, "_PATIENCE", patience)
    with Bank(tmp_path/"b.db") as one, Bank(tmp_path/"b.db") as two:
        one._db.execute("begin immediate")
        other = threading.Timer(.1, lambda: one._db.execute("rollback"))
        other.start()
        with nullcontext() if patience else pytest.raises(TimeoutError, match="busy with another writer"): two.add(Item("Mine", "d", "c"))
        other.join()

# Whoever gave one a folder decides nothing

def test_without_a_list_a_folder_sets_whatever_it_likes(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "_harmless", lambda name: True)
    for name in LOOSENS: monkeypatch.delenv(name, raising=False)
    (tmp_path/".env").write_text("".join(f"{k}={v}\n" for k, v in LOOSENS.items())+"RBKIT_INTERPRETER=trusted\nRBKIT_API_BASE=http://elsewhere/v1\n")
    names = (*LOOSENS, "RBKIT_INTERPRETER", "RBKIT_API_BASE")
    before = {name: os.environ.get(name) for name in names}
    try:
        settings.read_env(tmp_path)
        assert all(os.environ.get(name) for name in names)
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None: os.environ[name] = value
