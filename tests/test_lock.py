"What a model's code may not reach: each attack is refused under `locked`, and shown to work without the lock"
import json, os, random, signal, socket, subprocess, sys, threading, time
from pathlib import Path
import pytest
from house import clean_env, no_lock, root, slow
from rbkit.agents import lock, repl
from rbkit.agents.interpreter import MOST, Interpreter
from rbkit.agents.repl import NotLocked, Repl, check_profile, lock_holds, profile_of

pytestmark = pytest.mark.skipif(bool(no_lock()), reason=no_lock())
both = pytest.mark.parametrize("profile", ["locked", "trusted"])

def opened(profile, secs=20, **tools):
    r = Repl(tools=tools, execution_timeout=secs)
    r.profile = profile
    return r

def test_this_machine_can_lock(): assert check_profile("locked") == "locked" and lock_holds()

# The matrix

@pytest.fixture(scope="module")
def world(tmp_path_factory):
    "What there is to be reached, by name"
    folder = tmp_path_factory.mktemp("host")
    for name in ("victim", "rows.jsonl"): (folder/name).write_text("mine")
    tcp, udp = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for s in (tcp, udp): s.bind(("127.0.0.1", 0))
    tcp.listen(50)
    os.environ["RBKIT_TEST_SECRET"] = "hunter2"
    held = os.open(folder/"victim", os.O_RDONLY)
    os.set_inheritable(held, True)
    yield dict(victim=str(folder/"victim"), rows=str(folder/"rows.jsonl"), folder=str(folder), tcp=tcp.getsockname()[1], udp=udp.getsockname()[1],
        host=os.getpid(), checkout=str(root), packages=str(Path(pytest.__file__).parents[1]), inode=os.fstat(held).st_ino)
    for s in (tcp, udp): s.close()
    os.close(held)
    del os.environ["RBKIT_TEST_SECRET"]

ATTACKS = dict( # each ends in a true value if it got through; harmless where nothing stops it
    read_passwd="open('/etc/passwd').read(1)",
    read_a_file="open({victim!r}).read()",
    list_a_folder="os.listdir({folder!r})",
    list_the_root="os.listdir('/')",
    read_the_tasks="open({checkout!r}+'/seeds/toy/tasks.jsonl').read(1)",
    import_the_kit="sys.path.insert(0, {checkout!r})\nimport rbkit\nrbkit.__file__",
    look_into_packages="os.listdir({packages!r})",
    environment_of_the_host="open('/proc/{host}/environ', 'rb').read(1)",
    memory_of_the_host="open('/proc/{host}/maps').read(1)",
    own_memory="open('/proc/self/mem', 'rb') and 1",
    write_outside="open({folder!r}+'/new', 'w').write('x')",
    edit_rows="open({rows!r}, 'a').write('x')",
    cut_short="os.truncate({rows!r}, 1) or 1",
    cut_by_opening="os.open({rows!r}, os.O_RDONLY | os.O_TRUNC)",
    rename="os.rename({folder!r}+'/new', {folder!r}+'/newer') or 1",
    remove="os.remove({folder!r}+'/newer') or 1",
    hard_link="os.link({victim!r}, 'mine') or 1",
    symbolic_link="os.symlink({victim!r}, 'theirs') or 1",
    change_mode="os.chmod({victim!r}, 0o600) or 1",
    change_owner="os.chown({victim!r}, os.getuid(), os.getgid()) or 1",
    change_times="os.utime({victim!r}) or 1",
    tcp="socket.create_connection(('127.0.0.1', {tcp}), 5)",
    listen="s = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen() or 1",
    udp="socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))",
    unix_socket="socket.socket(socket.AF_UNIX)",
    run_a_program="subprocess.run(['true']) and 1",
    spawn="os.posix_spawn('/bin/true', ['true'], {{}})",
    fork="os.fork() or os._exit(0)",
    leave_a_daemon="p = os.fork()\nif p == 0:\n    os.setsid(); open({rows!r}, 'a').write('later'); os._exit(0)\np",
    signal_the_host="os.kill({host}, 0) or 1",
    signal_by_pipe="r, w = os.pipe()\nfcntl.fcntl(r, fcntl.F_SETOWN, {host}) or 1",
    signal_by_descriptor="signal.pidfd_send_signal(os.pidfd_open({host}), 0) or 1",
    all_memory="len(mmap.mmap(-1, 4 << 30))",
    a_large_file="f = open('large', 'wb')\nf.seek(32 << 20)\nf.write(b'x')\nf.flush() or 1",
    many_open_files="len([os.open(os.devnull, os.O_RDONLY) for _ in range(100)])",
    anonymous_file="os.memfd_create('x')",
    outlive_the_run="ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0",
)
HELD_BY_BOTH = dict( # what no profile lets through
    own_environment="os.environ.get('RBKIT_TEST_SECRET')",
    descriptors_of_the_host="def inode(fd):\n    try: return os.fstat(fd).st_ino\n    except OSError: pass\n{inode} in map(inode, range(256))",
)
IMPORTS = "import ctypes, fcntl, mmap, os, resource, signal, socket, subprocess, sys\n"

def lucky(session, attack, world):
    "Did it get through?"
    *before, last = attack.format(**world).split("\n")
    steps = "".join(f"    {line}\n" for line in [*before, f"got = bool({last})"])
    code = f"{IMPORTS}try:\n{steps}except (OSError, MemoryError, ImportError, ValueError): got = False\ngot"
    return session.execute(code)

@pytest.fixture(scope="module")
def sessions():
    both = {profile: opened(profile) for profile in ("locked", "trusted")}
    yield both
    for r in both.values(): r.shutdown()

@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_that_works_is_stopped_by_the_lock(sessions, world, attack):
    assert lucky(sessions["trusted"], ATTACKS[attack], world) is True, "the attack itself does not work; mend it"
    assert lucky(sessions["locked"], ATTACKS[attack], world) is False

@both
@pytest.mark.parametrize("attack", HELD_BY_BOTH)
def test_what_no_profile_lets_through(sessions, world, attack, profile):
    assert lucky(sessions[profile], HELD_BY_BOTH[attack], world) is False

# Layer by layer: what is missing is said, and what it stops comes through once it is gone

FUNCTIONS = dict(parent="die_with", privileges="give_up_privileges", files="close_files", limits="limit", calls="close_calls")

@pytest.fixture
def altered(monkeypatch, tmp_path):
    "The lock's module with other functions in it"
    def put(text):
        path = tmp_path/f"lock{len(list(tmp_path.iterdir()))}.py"
        path.write_text(f"{Path(lock.__file__).read_text()}\n{text}")
        monkeypatch.setattr(repl, "_locks", lambda: str(path))
    return put

@pytest.mark.parametrize("layer", lock.STOPS)
def test_a_missing_layer_refuses(altered, layer):
    altered(f"def {FUNCTIONS[layer]}(*args): raise OSError(38, 'Function not implemented')")
    with pytest.raises(NotLocked) as refused: opened("locked").start()
    for said in (repr(layer), lock.STOPS[layer], "Function not implemented", "Linux 6.2", "--interpreter wasm", "--interpreter trusted"): assert said in str(refused.value)
    with pytest.raises(NotLocked): check_profile("locked")

@pytest.mark.parametrize("layer", ["files", "calls"])
def test_a_layer_that_only_pretends_is_found_out(altered, layer):
    altered(f"def {FUNCTIONS[layer]}(*args): pass")
    with pytest.raises(NotLocked, match="stops nothing"): opened("locked").start()

def test_another_machine_has_no_filter(altered):
    altered("platform.machine = lambda: 'riscv64'")
    with pytest.raises(NotLocked, match="riscv64|privileges"): opened("locked").start()

@pytest.mark.parametrize("layer, attack", [("files", "read_passwd"), ("files", "edit_rows"), ("calls", "fork"), ("calls", "udp"), ("calls", "change_mode"),
    ("limits", "all_memory"), ("limits", "a_large_file"), ("limits", "many_open_files")])
def test_without_its_layer_an_attack_works(altered, world, layer, attack):
    altered(f"def {FUNCTIONS[layer]}(folder='', opened=()):\n    for fd in opened: os.close(fd)\ndef _prove(): pass")
    with opened("locked") as r: assert lucky(r, ATTACKS[attack], world) is True

HOST = """
import sys, time
from rbkit.agents.interpreter import Interpreter
it = Interpreter(profile=sys.argv[1], step_secs=600)
it.tools = dict(told=lambda pid, folder: print(pid, folder, flush=True))
it.execute("import os\\ntold(os.getpid(), os.getcwd())\\nwhile True: pass")
"""

def alive(pid):
    try: return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError: return False

IDLE = HOST.replace("\\nwhile True: pass", "")+"\nimport time\ntime.sleep(600)\n" # its REPL has been stopped

@pytest.mark.parametrize("script, profile", [pytest.param(HOST, "locked", id="in a step, locked"), pytest.param(IDLE, "locked", id="between steps, locked"),
    pytest.param(HOST, "trusted", id="in a step, trusted", marks=pytest.mark.slow), pytest.param(IDLE, "trusted", id="between steps, trusted")])
def test_no_process_outlives_a_host_that_was_killed(profile, script):
    host = subprocess.Popen([sys.executable, "-c", script, profile], stdout=subprocess.PIPE, text=True, cwd=root, env=clean_env(PYTHONPATH=str(root)))
    pid, folder = host.stdout.readline().split()
    pid, folder = int(pid), Path(folder)
    assert alive(pid) and folder.is_dir()
    host.kill(); host.wait(); host.stdout.close()
    end = time.monotonic()+10
    while (alive(pid) or folder.exists()) and time.monotonic() < end: time.sleep(.02)
    gone = not alive(pid)
    if not gone: os.kill(pid, signal.SIGKILL)
    assert gone and not folder.exists()

# Who decides

def test_who_decides_the_profile(monkeypatch):
    monkeypatch.delenv("RBKIT_INTERPRETER", raising=False)
    assert (profile_of(), profile_of("trusted"), profile_of("locked"), profile_of(ours=True)) == ("locked", "trusted", "locked", "locked")
    monkeypatch.setenv("RBKIT_INTERPRETER", "trusted")
    assert profile_of() == "trusted" and profile_of("locked") == "locked"
    with pytest.raises(ValueError, match="locked.*trusted"): profile_of("wide open")

def test_the_kits_own_code_runs_where_there_is_no_lock(altered):
    lock_holds.cache_clear()
    altered("def close_files(*args): raise OSError(38, 'no')")
    try: assert (profile_of(ours=True), profile_of()) == ("trusted", "locked")
    finally: lock_holds.cache_clear()

# What crosses is bounded, whatever is sent

@pytest.fixture(params=["locked", "trusted"])
def it(request):
    it = Interpreter(profile=request.param, step_secs=20)
    it.tools = it.own = dict(echo=lambda x: {"x": x}, much=lambda: {"x": "y"*(MOST["reply"]+1)}, breaks=lambda: open("/nowhere/at/all"))
    it.output_fields = [dict(name="answer"), dict(name="sparql")]
    yield it
    it.shutdown()

TOO_MUCH = dict( # code -> what is said of it
    raised=("raise ValueError('x'*50_000_000)", "cut at 1,000 of"),
    unprintable=("class E(Exception):\n    def __str__(self): 1/0\nraise E()", "cannot be shown"),
    answered=("SUBMIT(answer='x'*30_000_000)", "the answer takes 30,000,0"),
    nested=("v = []\nfor _ in range(5000): v = [v]\nSUBMIT(answer=v)", "nested deeper than 50 levels"),
    circular=("v = []\nv.append(v)\nSUBMIT(answer=v)", "nested deeper than 50 levels"),
    asked=("echo('x'*30_000_000)", "what echo is given takes"),
    replied=("much()", "what much returns takes"),
    a_large_number=("SUBMIT(answer=10**5000)", "Exceeds the limit"),
    code=("#"*200_000, "at most 50,000 are run"),
    left=("import sys\nsys.exit(3)", "SystemExit: 3 (line 2)"),
    tool_error=("breaks()", "No such file"),
)

@pytest.mark.parametrize("code", ["raise OSError('/work/x/seeds/graphs.ttl')", "import json\njson.loads('/home/me/x')\nraise KeyError('file:///work/x/seeds')", "breaks()",
    "try: breaks()\nexcept Exception as e: print(e)", "open('/work/x/seeds/no.ttl')"])
def test_an_error_says_nothing_of_where_things_lie(it, code):
    "Raised by the code, by Python, or by a tool that is under no contract, and printed where the code caught it"
    shown = it.execute(code)
    assert not any(place in shown+json.dumps(it.trace[-1]["error"] or "") for place in ("/work", "/nowhere", "/home")) and ("FileNotFoundError" in shown or "breaks" not in code), shown

def test_a_step_of_a_trace_stays_below_64_kb(it):
    it.execute("#"*49_000+"\nprint('x'*100_000)\nraise ValueError('y'*10_000)")
    assert 50_000 < len(json.dumps(it.trace[-1])) < 64_000
    it.execute("#"*90_000)
    assert 50_000 < len(json.dumps(it.trace[-1])) < 64_000

@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_is_too_much_is_an_error_of_the_step(it, name):
    code, said = TOO_MUCH[name]
    shown = it.execute(code)
    assert isinstance(shown, str) and said in shown and len(shown) < 1500, shown[:300]
    assert len(json.dumps(it.trace)) < 400_000 and it.execute("echo(1)['x']") == "1"

def any_value(rng, deep=3):
    "Something that JSON can say"
    kind = rng.randrange(9 if deep else 7)
    if kind < 2: return "".join(rng.choice(["a", "\"", "\\", "\n", "\u00e9", "\U0001f40d", "'", "{", "\u2028", "\x00", " "]) for _ in range(rng.randrange(12)))
    if kind < 7: return [None, True, rng.randrange(-10**30, 10**30), rng.uniform(-1e300, 1e300), float(rng.randrange(9))][kind-2]
    some = [any_value(rng, deep-1) for _ in range(rng.randrange(4))]
    return some if kind == 7 else {f"{any_value(rng, 0)}": x for x in some}

def test_a_value_survives_the_way_to_a_tool_and_back(it):
    "The very value, of the very kind: a whole number stays one, 3.0 stays no whole number, None stays None"
    rng = random.Random(0)
    for _ in range(50):
        values = [any_value(rng) for _ in range(10)]
        said = it.execute(f"[repr(echo(v)['x']) == repr(v) for v in {values!r}].count(True)")
        assert said == "10", (said, values)

def plain(value):
    "Is it what every interpreter can be handed: text, a truth value or a number that JavaScript has too, or a list or dict of such?"
    if isinstance(value, dict): return all(isinstance(k, str) and plain(v) for k, v in value.items())
    if isinstance(value, list): return all(map(plain, value))
    return isinstance(value, (str, bool)) or isinstance(value, int) and abs(value) < 2**53

def test_a_handle_survives_and_is_short(it):
    "Five hundred payloads: each comes back by its handle, is short where it is shown, and is read in parts that are short too"
    rng, store, said = random.Random(1), BlobStore(), []
    payloads = [any_value(rng, 4) for _ in range(480)]+["x"*n for n in range(1, 100_000, 5000)]
    refs = [store.put(x) for x in payloads]
    def give(n:int): return refs[n].to_dict()
    def take(ref): return dict(n=len(said.append(store.get(as_key(ref))) or said))
    reading = {t.__name__: t for t in make_tools(None, store=store, groups=("ctx",))}
    it.tools = it.own = dict(give=give, take=take)
    assert it.execute("refs = [give(n) for n in range(500)]\nfor r in refs: take(r)\nmax(len(repr(r)) for r in refs) <= 120 and {type(r).__name__ for r in refs} == {'Ref'}") == "True"
    assert said == [x if isinstance(x, str) else json.dumps(x, ensure_ascii=False).encode("utf-8", "replace").decode() for x in payloads]
    for ref in refs[::10]+refs[480:]:
        assert len(repr(ref)) <= 120 and plain(ref.to_dict())
        for found in (reading["ctx_stats"](ref.key), reading["ctx_peek"](ref.key), reading["ctx_slice"](ref.key), reading["ctx_find"](ref.key, "x")):
            assert len(json.dumps(found, ensure_ascii=False)) <= 1000 and plain(found), found

ENDLESS = dict(
    a_pattern="import re\nre.match('(a+)+$', 'a'*40+'b')", a_number="10**10**8", a_destructor="class A:\n    def __del__(self):\n        while True: pass\nA()\n1",
    what_is_shown="class A:\n    def __repr__(self):\n        while True: pass\nA()", an_answer="class A(dict):\n    def items(self):\n        while True: pass\n    __iter__ = items\nSUBMIT(answer=A(), sparql='')",
    deaf_to_signals="import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass", an_exception="while True:\n    try:\n        while True: pass\n    except BaseException: pass",
)

@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_is_ended(it, name):
    it.step_secs = 1
    assert "the step ran longer than 1 s" in it.execute(ENDLESS[name]) and it.execute("1+1") == "2"

RUINED = dict( # what a step may do to Python itself
    thousands_of_threads="import threading, time\nfor _ in range(2000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
    json="import json\njson.dumps = lambda *a, **k: '{}'\njson.loads = lambda *a, **k: {}", built_in="import builtins\nbuiltins.len = lambda x: 0\nbuiltins.str = int\nbuiltins.isinstance = lambda *a: True",
    at_exit="import atexit, time\natexit.register(time.sleep, 60)", output="import sys\nsys.stdout = sys.stderr = None", trace="import sys\nsys.settrace(lambda *a: 1/0)", profile="import sys\nsys.setprofile(lambda *a: 1/0)",
    recursion="import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return f(n+1)\nf(0)", a_long_name="raise type('x'*10**6, (Exception,), {})('hi')", many_names="globals().update({'v'*10**5+str(i): i for i in range(1000)})",
    words_that_lie="class S(str):\n    def __len__(self): return 0\n    def __str__(self): return 'x'*10**7\nprint(S('x'*10**6))\nraise ValueError(S('a'))",
)

@pytest.mark.parametrize("name", [slow(name) if name == "recursion" else name for name in RUINED])
def test_what_a_step_does_to_python_ends_with_its_process(it, name):
    shown = it.execute(RUINED[name])
    assert len(shown or "") < 5500 and len(json.dumps(it.trace)) < 400_000
    again = [it.execute("1+1") for _ in range(3)]
    assert again[-1] == "2", again

def test_printing_much_costs_little(it):
    import resource
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    shown = it.execute("for _ in range(200): print('z'*2**20)")
    assert len(shown) < 4200 and "cut at 4000 of 209715400 characters" in shown
    it.execute("import os\nfor _ in range(12): os.write(1, b'z'*2**20)")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss-before < 50*1024

FORGED = dict( # what code may write to the pipe that its REPL answers through
    garbage="b'\\xff\\xfe nonsense\\n'",
    endless="b'x'*5_000_000",
    no_message="b'[1]\\n'",
    deep="b'['*100_000+b'\\n'",
    no_tool="b'{\"type\": \"tool_request\"}\\n'",
    a_number="b'{\"type\": \"result\", \"value\": '+b'9'*5000+b'}\\n'",
    odd="b'{\"type\": \"what\"}\\n'",
    report="b'{\"type\": \"result\", \"value\": {\"text\": 1, \"chars\": 1, \"error\": 1}}\\n'",
    deep_answer="b'{\"type\": \"final\", \"value\": {\"answer\": '+b'['*300+b']'*300+b'}}\\n'",
    no_fields="b'{\"type\": \"final\", \"value\": \"x\"}\\n'",
    missing_layer="b'{\"type\": \"missing\", \"layer\": \"x\"}\\n'",
    half_a_character="b'{\"type\": \"result\", \"value\": {\"text\": \"\\\\ud800\", \"chars\": 1, \"error\": null}}\\n'",
)

@pytest.mark.parametrize("name", FORGED)
def test_a_forged_message_ends_at_most_the_step(it, name):
    it.step_secs = 5
    shown = it.execute(f"import sys\nout = sys.modules['__main__']._protocol_output\nout.buffer.write({FORGED[name]})\nout.flush()")
    assert shown is None or isinstance(shown, str) and len(shown) < 1500
    (shown or "").encode("utf-8")
    for _ in range(3): again = it.execute("1+1")
    assert again == "2"

def test_a_full_folder_ends_the_step(it):
    shown = it.execute("b = b'x'*2**20\nfor n in range(200):\n    with open(f'f{n}', 'wb') as f: f.write(b*8)\nimport time; time.sleep(5)")
    assert "wrote more than 64 MB to its folder" in shown and it.execute("import os; os.listdir()") == "[]"

HIDDEN = dict( # what dspy does not find when it looks for threads that a step left running; each calls f
    a_thread="import _thread\n_thread.start_new_thread(f, ())",
    a_timer="import signal\nsignal.signal(signal.SIGALRM, lambda *a: f())\nsignal.setitimer(signal.ITIMER_REAL, .05)",
)
BUSY = """import os, time
n, began = [0], time.monotonic()
def f():
    time.sleep(.03)
    while time.monotonic()-began < 20:
        n[0] += 1
        for fd in (1, 3, 4, 5, 6, 7, 8):
            try: os.write(fd, b'x'*200_000+b'\\n')
            except OSError: pass
        with open(f'f{n[0]}', 'wb') as out: out.write(b'x'*2**20)
"""

@pytest.mark.parametrize("name", HIDDEN)
def test_nothing_runs_between_two_steps(it, name):
    "Neither the folder nor what is unread here grows while a model thinks, and the next step runs as any other"
    assert it.execute(f"{BUSY}{HIDDEN[name]}\nprint('ok')") == "ok\n"
    worker, began = it._worker, time.monotonic()
    def seen(): return worker._responses.qsize(), len(os.listdir(worker._scratch.name)), Path(f"/proc/{worker._process.pid}/stat").read_text().rpartition(")")[2].split()[0]
    time.sleep(.1)
    first = seen()
    time.sleep(1)
    assert seen() == first and first[2] == "T" and first[1] < 30
    # the thread runs only within steps, so on a busy machine any later step may be the one that meets its garbage; a fresh REPL meets none
    shown = [it.execute("1+1") for _ in range(4)]
    if it.restarts: shown += [it.execute("1+1") for _ in range(3)]
    met = [text for text in shown if text != "2"]
    assert len(met) == it.restarts <= 1 and all("The REPL was restarted" in text for text in met), shown
    if it.restarts: assert shown[-3:] == ["2"]*3
    assert time.monotonic()-began < 15

@both
def test_a_step_after_a_pause_calls_tools_and_ends_in_time(profile):
    with opened(profile, secs=1, ask=lambda x: x+1) as r:
        for n in range(5):
            assert r.execute(f"import time\nbegun = time.monotonic()\nsum(ask(n) for n in range({n}))") == sum(range(1, n+1))
            time.sleep(.05)
        pid = r._process.pid
        with pytest.raises(repl.CodeInterpreterError, match="exceeded execution timeout"): r.execute("while True: pass")
        assert not alive(pid)

@both
def test_a_stopped_process_can_be_ended(profile):
    r = opened(profile)
    r.start()
    r.execute("1")
    pid, folder = r._process.pid, Path(r._scratch.name)
    end = time.monotonic()+5
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T" and time.monotonic() < end: time.sleep(.01)
    assert time.monotonic() < end
    r.shutdown()
    assert not alive(pid) and not folder.exists()

def test_lines_that_nobody_reads_wait_in_the_pipe():
    "A REPL that is started from scratch is not stopped; what it sends unasked is bounded all the same, and it can be ended"
    class Spawned(Repl): birth, profile = "spawn", "trusted"
    threads = threading.active_count()
    flood = """import _thread, os, time
def f():
    while not os.path.exists("begin"): time.sleep(.01)
    while True: os.write(3, b"x"*99_999+b"\\n")
_thread.start_new_thread(f, ())"""
    r = Spawned(execution_timeout=60)
    r.start()
    r.execute(flood)
    Path(r._scratch.name, "begin").touch() # the step has ended, however long that took
    seen, end = [0], time.monotonic()+60
    while seen[-1] < repl.UNREAD_BYTES and time.monotonic() < end: # until it is full
        time.sleep(.1)
        seen.append(r._responses.qsize())
    for _ in range(5):
        time.sleep(.1)
        seen.append(r._responses.qsize())
    assert repl.UNREAD_BYTES <= max(seen) < repl.UNREAD_BYTES+repl.MESSAGE_CHARS, seen
    r.shutdown()
    end = time.monotonic()+5
    while threading.active_count() > threads and time.monotonic() < end: time.sleep(.01)
    assert threading.active_count() <= threads

def test_the_scratch_folder_is_swept(it):
    where = it.execute("import os; os.makedirs('a/b'); open('a/b/c', 'w').close(); print(os.getcwd())").strip()
    assert Path(where).is_dir()
    it.shutdown()
    assert not Path(where).exists()

def test_errors_name_no_folder_of_this_machine(it):
    shown = it.execute("import json.decoder as d\nfrom json import nothing")
    assert "cannot import name" in shown and sys.base_prefix not in shown and str(Path.home()) not in shown

# What code did is the agent's failure, and a gold that it cannot open is none that it can submit

from contextlib import closing
import dspy
from rbkit.agents.executors import run_agent
from rbkit.context import ContextBuilder
from rbkit.graphs.suites import load_suite
from rbkit.ground.ledger import Ledger
from rbkit.models.connect import Metered
from dspy.lm15 import Message, Response, TextPart, Usage
from rbkit.ground.text import read_lines
from rbkit.handles import BlobStore, as_key
from rbkit.tools.toolset import make_tools
from rbkit.trials.runs import UNFINISHED, RunFolder
from rbkit.worlds.graph import GraphWorld

class Script:
    "An engine that replays steps of code"
    def __init__(self, *steps): self.steps, self.sizes = list(steps), []
    def complete(self, request):
        self.sizes.append(sum(len(str(m)) for m in request.messages))
        code = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        said = f"[[ ## reasoning ## ]]\nnext\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"
        return Response(id=None, model=request.model, message=Message.assistant([TextPart(said)]), finish_reason="stop", usage=Usage(total_tokens=2))
    def close(self): pass

@pytest.fixture(scope="module")
def toys():
    with closing(GraphWorld("seeds/toy")) as w: yield w

def play(toys, task, *steps, **kw):
    "Let a script answer a task; the row's columns, the attempt, the engine"
    meter = Metered(Script(*steps), Ledger())
    lm = dspy.LM("rbkit/script", engine=meter, cache=False, num_retries=0)
    lm.meter = meter
    graph = toys.graph(task)
    a = run_agent(task.question, graph, ContextBuilder().build(task, graph), lm, meter.ledger, **{"max_iters": 6, **kw})
    return toys.columns(task, a), a, meter.engine

DEEDS = dict( # what code may do to get out of being counted
    nested="v = []\nfor _ in range(5000): v = [v]\nSUBMIT(answer=v, sparql='')",
    leaves="import sys\nsys.exit()", ends_its_process="import os\nos._exit(1)", closes_descriptors="import os\nos.closerange(0, 64)",
    closes_its_input="import os\nos.close(0)\nsparql_query(query='ASK {}')", asks_without_input="import os, threading\nos.close(0)\nt = threading.Thread(target=sparql_query, args=('ASK {}',)); t.start(); t.join(3)",
    nests_folders="import os\nfor _ in range(0 if os.path.exists('../d') else 1050): os.mkdir('d'); os.chdir('d')", nests_folders_deeper="import os\nfor _ in range(9000): os.mkdir('d'); os.chdir('d')",
    a_thread="import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()",
    own_exception="class Bye(BaseException): pass\nraise Bye",
    replaces_functions="_rb_run = _rb_out = print = None", odd_answer="SUBMIT(answer=[float('nan'), {1: {2}}, b'x', '\\ud800'], sparql='x')",
    forged_answer="import sys\nout = sys.modules['__main__']._protocol_output\nout.write('{\"type\": \"final\", \"value\": [1]}\\n')\nout.flush()",
    large_answer="SUBMIT(answer=['x'*150_000], sparql='x'*30_000)",
)

@pytest.mark.parametrize("deed, executor", [slow(deed, ex) if deed == "nests_folders_deeper" or (deed, ex) == ("nests_folders", "scratchpad") else (deed, ex)
    for deed in DEEDS for ex in ("rlm", "scratchpad")]) # folders in folders take long to be taken away
def test_what_code_did_is_the_agents_failure(toys, executor, deed):
    row, a, _ = play(toys, toys.tasks()[0], DEEDS[deed], executor=executor, step_secs=20)
    assert row["outcome"] not in UNFINISHED and not row["correct"] and a.trace, (row["outcome"], a.error)
    assert len(json.dumps(row)) < 100_000 and any(t["kind"] == "step" for t in a.trace)
    json.dumps(row, ensure_ascii=False).encode("utf-8")

class Dying(Script):
    "One that fails on our side from its n-th answer on"
    def __init__(self, n, *steps):
        super().__init__(*steps)
        self.n = n
    def complete(self, request):
        if len(self.sizes) == self.n: raise ConnectionError("the line is cut")
        return super().complete(request)

STEPS = [f"print('step {n}')" for n in range(3)]+["SUBMIT(answer=[], sparql='ASK {}')"]
def outputs(lines): return [line["output"] for line in lines if line["kind"] == "step"]

@pytest.mark.parametrize("executor", ["rlm", "scratchpad"])
@pytest.mark.parametrize("n", range(4))
def test_a_trace_has_all_steps_that_ended_and_says_why(toys, tmp_path, monkeypatch, executor, n):
    "On disk, where the model fails at the n-th step, and where the code of that step ends its process, once or again and again"
    task, ended = toys.tasks()[0], [f"step {i}\n" for i in range(n)]
    folder = RunFolder(tmp_path)
    with monkeypatch.context() as m:
        m.setattr(sys.modules[__name__], "Script", lambda *steps: Dying(n, *steps))
        row, a, _ = play(toys, task, *STEPS, executor=executor)
    folder.add(row, a.trace)
    assert row["outcome"] == "infrastructure" and "the line is cut" in row["reason"] and outputs(read_lines(tmp_path/"trace.jsonl")) == ended
    once = [*STEPS[:n], DEEDS["ends_its_process"], *STEPS[n:]]
    row, a, _ = play(toys, task, *once, executor=executor)
    assert row["outcome"] == "wrong" and outputs(a.trace)[:n+1] == [*ended, ""] and len(outputs(a.trace)) == len(once) and "ended the process" in a.trace[2*n+1]["error"]
    row, a, _ = play(toys, task, *STEPS[:n], DEEDS["ends_its_process"], executor=executor, max_iters=9)
    assert outputs(a.trace) == [*ended, *[""]*4] and "4 times" in row["reason"]+a.trace[-1]["error"], (row["outcome"], row["reason"])

def test_an_attempt_that_throws_its_trace_away_is_found_out(toys, monkeypatch):
    "The control: what is told nobody stands nowhere"
    monkeypatch.setattr(Interpreter, "_told", lambda self, found, code, secs: "")
    assert outputs(play(toys, toys.tasks()[0], *STEPS)[1].trace) == []

def test_a_flood_of_calls_ends_the_step():
    "Each call of a tool that nobody waits for would take a thread of the host"
    flood = """import sys
out = sys.modules['__main__']._protocol_output
for i in range(3000): out.write('{"type": "tool_request", "id": %d, "name": "wait", "args": [], "kwargs": {}}\\n' % i)
out.flush()"""
    most = []
    enough = threading.Event()
    def wait():
        most.append(threading.active_count())
        enough.wait(60)
        return {}
    it = Interpreter([wait])
    it.tools = it.own
    ended = it.execute(flood)
    enough.set()
    assert f"more than {repl.MOST_AT_ONCE} tools at once" in ended and it.execute("1+1") == "2"
    it.shutdown()
    assert max(most) < repl.MOST_AT_ONCE+60

def test_much_code_is_not_in_the_next_prompt(toys):
    _, a, engine = play(toys, toys.tasks()[0], "#"*8_000_000, "SUBMIT(answer=[], sparql='')")
    assert max(engine.sizes) < 250_000 and all(len(t.get("code", "")) < 150_000 for t in a.trace)

CHEAT = """
import json
for line in open({file!r}):
    task = json.loads(line)
    if task["question"] == question: found = task["gold"]
SUBMIT(answer=found, sparql=found)
"""

@both
def test_a_model_that_looks_for_the_gold(toys, tmp_path, profile):
    task = toys.tasks()[0]
    rows = toys.graph(task).query(task.gold).rows
    (tmp_path/"tasks.jsonl").write_text(json.dumps(dict(question=task.question, gold=[[str(cell) for cell in row] for row in rows])))
    row, a, _ = play(toys, task, CHEAT.format(file=str(tmp_path/"tasks.jsonl")), interpreter=profile)
    assert row["correct"] == (profile == "trusted"), row
    if profile == "locked": assert all("Permission" in t["error"] for t in a.trace if t["kind"] == "step")

def test_folders_in_folders_are_swept_too(tmp_path, monkeypatch):
    "Python's own removal runs out of frames on its way down; then no REPL would start any more"
    from rbkit.agents import wasm
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = tmp_path/f"rbkit-repl-{dead.pid}-x"
    left.mkdir()
    subprocess.run([sys.executable, "-c", f"import os\nos.chdir({str(left)!r})\nfor _ in range(1200): os.mkdir('d'); os.chdir('d')"], check=True)
    os.utime(left, (0, 0))
    wasm._sweep.cache_clear()
    with wasm.own_folder("repl") as mine: assert os.path.isdir(mine) and not left.exists()

def test_folders_of_processes_that_were_killed_are_swept(tmp_path, monkeypatch):
    from rbkit.agents import wasm
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    names = dict(left=f"rbkit-repl-{dead.pid}-a", fresh=f"rbkit-repl-{dead.pid}-b", ours=f"rbkit-repl-{os.getpid()}-c")
    for name in names.values(): (tmp_path/name).mkdir()
    for name in ("left", "ours"): os.utime(tmp_path/names[name], (1, 1))
    wasm._sweep.cache_clear()
    with wasm.own_folder("repl") as own:
        assert Path(own).name.startswith(f"rbkit-repl-{os.getpid()}-")
        assert {p.name for p in tmp_path.iterdir()} == {names["fresh"], names["ours"], Path(own).name}
    wasm._sweep.cache_clear()
