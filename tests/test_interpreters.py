"The same steps give the same results on every interpreter"
import os, signal, subprocess, sys, time
from pathlib import Path
import pytest
from house import clean_env, no_lock, root, slow
from dspy.primitives.code_interpreter import FinalOutput
from rbkit.agents.interpreter import Interpreter, UsedUp
from rbkit.agents.repl import BIRTHS, PROFILES, Repl, check_profile
from rbkit.agents.wasm import NoWasm, _wanted_version
from rbkit.ground.ledger import tool

def add(a:int, b:int=1)->dict:
    "The sum of two numbers."
    return dict(sum=a+b)

def rows_of(query:str)->dict:
    "Rows of a query, behind a handle."
    return dict(key="results_0", dtype="results", sz=3000, rows=[["x", "1"], ["y", "2"]], total=3, columns=["name", "n"])

def sparql_slice(ref:str, offset:int=0, limit:int=50)->dict:
    "Rows of a handle."
    return dict(rows=[["x", "1"], ["y", "2"], ["z", "3"]][offset:offset+limit] if ref == "results_0" else [], total=3)

def same(value:object=None)->dict:
    "What it was given."
    return dict(value=value)

STEPS = dict( # name -> steps, and what comes of the last one
    last_value=(["2**10"], "1024"),
    printed=(["print('a', 'b', sep='-')"], "a-b\n"),
    printed_and_value=(["print('hello'); 40+2"], "hello\n42"),
    nothing=(["x = 1"], None),
    none_is_not_shown=(["None"], None),
    state_stays=(["x = 20", "x += 1", "x*2"], "42"),
    functions_stay=(["def f(n): return n if n < 2 else f(n-1)+f(n-2)", "f(10)"], "55"),
    imports_stay=(["import math", "math.comb(5, 2)"], "10"),
    classes=(["from dataclasses import dataclass\n@dataclass\nclass P: x: int = 3\nP()"], "P(x=3)"),
    text=(["'Größe – 中文 🙂'"], "'Größe – 中文 🙂'"),
    by_position=(["add(1, 2)"], "{'sum': 3}"),
    by_name=(["add(b=5, a=1)"], "{'sum': 6}"),
    both_ways=(["add(1, b=3)"], "{'sum': 4}"),
    by_default=(["add(1)['sum']"], "2"),
    fields_as_attributes=(["r = rows_of('q')", "(r.total, r.columns)"], "(3, ['name', 'n'])"),
    a_printed_handle=(["print(rows_of('q'))"], "results_0: 3 rows, columns ['name', 'n']\n['x', '1']\n['y', '2']\n... 1 rows more; r.all() has every one\n"),
    all_rows=(["len(rows_of('q').all())"], "3"),
    a_handle_as_argument=(["r = rows_of('q')", "sparql_slice(r, 2)['rows']"], "[['z', '3']]"),
    a_mistake_is_a_value=(["add(c=3)['error']"], "\"add has no argument 'c'; did you mean 'a'?\""),
    a_mistake_has_no_fields=(["add(c=3).sum"], "[Error] AttributeError: the call failed: add has no argument 'c'; did you mean 'a'? Try: add(a: int, b: int = 1) (line 1)"),
    values_go_round=(["same([1, 2.5, True, 'x', {'k': [1]}])['value']"], "[1, 2.5, True, 'x', {'k': [1]}]"),
    odd_values_become_plain=(["same([(1, 2), {3}, float('nan'), 1j])['value']"], "[[1, 2], [3], 'nan', '1j']"),
    keeps_what_was_printed=(["print('kept')\n1/0"], "kept\n\n[Error] ZeroDivisionError: division by zero (line 2)"),
    line_of_an_error=(["def f():\n    return {}['k']\n\nf()"], "[Error] KeyError: 'k' (line 2)"),
    syntax=(["x = 1\ny = = 2"], "[Error] SyntaxError: invalid syntax (<unknown>, line 2) (line 2)"),
    names=(["nothing_here"], "[Error] NameError: name 'nothing_here' is not defined (line 1)"),
    an_assertion=(["assert 1 == 2, 'not equal'"], "[Error] AssertionError: not equal (line 1)"),
    exit=(["import sys\nsys.exit('bye')"], "[Error] SystemExit: bye (line 2)"),
    deep_recursion=(["def f(): return f()\nf()"], "[Error] RecursionError: maximum recursion depth exceeded (line 1)"),
    goes_on_after_an_error=(["x = 3", "1/0", "x"], "3"),
    caught=(["try: 1/0\nexcept ZeroDivisionError as e: print(e)"], "division by zero\n"),
    submits_by_name=(["SUBMIT(answer=['a'], sparql='ASK {}')"], dict(answer=["a"], sparql="ASK {}")),
    submits_by_position=(["SUBMIT(['a'], 'ASK {}')"], dict(answer=["a"], sparql="ASK {}")),
    submits_without_a_query=(["SUBMIT(answer=3)"], dict(answer=3, sparql="")),
    submits_a_handle=(["SUBMIT(answer=rows_of('q'))"], dict(answer="results_0", sparql="")),
    submits_a_set=(["SUBMIT(answer={'a'})"], dict(answer=["a"], sparql="")),
    submits_through_except=(["try: SUBMIT(answer=1)\nexcept Exception: print('caught')"], dict(answer=1, sparql="")),
    submits_too_little=(["SUBMIT(sparql='')"], "[Error] TypeError: SUBMIT fields do not match the configured output fields (line 1)"),
    submits_too_much=(["SUBMIT(1, 2, 3)"], "[Error] TypeError: SUBMIT accepts positional or keyword values, not both (line 1)"),
    restarts=(["x = 1", "import os\nos._exit(3)", "'x' in globals()"], "False"),
    says_that_it_restarted=(["import os\nos._exit(3)"], "[Error] The REPL was restarted: the step ended the process. Your variables are gone; tools and handles still work."),
    tools_after_a_restart=(["import os\nos._exit(3)", "add(1, 2)"], "{'sum': 3}"),
    threads=(["from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as p: print(sum(p.map(abs, range(-9, 1))))"], "45\n"),
    tools_in_threads=(["from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as p: print(sum(r['sum'] for r in p.map(add, range(4))))"], "10\n"),
    waits=(["import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return await asyncio.to_thread(pow, 2, 5)\nasyncio.run(f())"], "32"),
    a_note_in_its_folder=(["open('note', 'w').write('abc')", "open('note').read()"], "'abc'"),
    temporary_files=(["import tempfile\nwith tempfile.NamedTemporaryFile('w+') as f:\n    f.write('x'); f.flush(); n = f.tell()\nn"], "1"),
    a_database=(["import sqlite3\nc = sqlite3.connect('n.db')\nc.execute('create table t (x)'); c.execute('insert into t values (7)'); c.commit()\nc.execute('select x from t').fetchone()"], "(7,)"),
    library=(["import csv, datetime, decimal, difflib, fractions, hashlib, heapq, itertools, json, lzma, random, re, statistics, textwrap, unicodedata, uuid, zoneinfo, xml.etree.ElementTree\n'all there'"], "'all there'"),
    hashes=(["import hashlib\nhashlib.sha256(b'x').hexdigest()[:8]"], "'2d711642'"),
    time_zones=(["import datetime, zoneinfo\ndatetime.datetime(2025, 1, 1, 12, tzinfo=zoneinfo.ZoneInfo('Asia/Tokyo')).utcoffset().seconds"], "32400"),
    local_time=(["import time\ntime.localtime(0).tm_hour"], "0"),
    no_packages=(["import rbkit"], "[Error] ModuleNotFoundError: No module named 'rbkit' (line 1)"),
    no_input=(["input()"], "[Error] EOFError: EOF when reading a line (line 1)"),
    a_long_print_is_cut=(["print('x'*5000)"], "x"*4000+"\n... cut at 4000 of 5001 characters"),
    a_long_value_is_cut=(["'x'*5000"], "'"+"x"*3999+"\n... cut at 4000 of 5002 characters"),
)

TOOLS = [tool(f) for f in (add, rows_of, sparql_slice, same)]

def test_there_are_enough(): assert len(STEPS) >= 30

def no_wasm():
    "Why Pyodide cannot be started here; empty where it can"
    if not os.environ.get("RBKIT_WASM_PATH"): return "RBKIT_WASM_PATH does not say where Pyodide is"
    try: check_profile("wasm")
    except NoWasm as e: return str(e)
    return ""

LACKS = dict( # what Python in WebAssembly has not, and the steps that need it
    threads=("threads", "tools_in_threads", "waits"), databases=("a_database",), libraries=("library",), time_zones=("time_zones",), rbkit=("no_packages",), recursion=("deep_recursion",))
ABSENT = {step for steps in LACKS.values() for step in steps}

def profiles():
    for p in PROFILES:
        if p == "locked": yield pytest.param(p, marks=pytest.mark.skipif(bool(no_lock()), reason=no_lock()))
        elif p == "wasm": yield pytest.param(p, marks=pytest.mark.slow)
        else: yield p

@pytest.fixture(scope="module", params=profiles())
def warm(request):
    if request.param == "wasm" and no_wasm(): pytest.skip(no_wasm())
    it = Interpreter(TOOLS, profile=request.param, step_secs=20, max_restarts=99)
    it.tools, it.output_fields = it.own, [dict(name="answer"), dict(name="sparql")]
    yield it
    it.shutdown()

@pytest.mark.parametrize("name", STEPS)
def test_a_step_gives_the_same_everywhere(warm, name):
    if warm.profile == "wasm" and name in ABSENT: pytest.skip("Python in WebAssembly has no such thing")
    if warm.profile != "wasm": warm.shutdown() # nothing of the step before; to start Pyodide takes seconds
    steps, wanted = STEPS[name]
    for code in steps: came = warm.execute(code)
    assert (came.output if isinstance(came, FinalOutput) else came) == wanted

@pytest.mark.parametrize("profile", ["locked", "trusted"])
def test_code_that_ends_its_process_again_and_again_is_given_up(profile):
    if profile == "locked" and no_lock(): pytest.skip(no_lock())
    it = Interpreter(TOOLS, profile=profile, step_secs=20)
    try:
        for _ in range(3): assert it.execute("import os\nos._exit(3)").startswith("[Error] The REPL was restarted")
        with pytest.raises(UsedUp, match="4 times"): it.execute("import os\nos._exit(3)")
        assert it.restarts == 4
    finally: it.shutdown()

def test_enough_is_the_same_in_wasm(): assert len(STEPS.keys()-ABSENT) >= 30

def test_without_pyodide_no_code_runs(tmp_path, monkeypatch):
    "The refusal says what is missing, and the ways on"
    (tmp_path/"package.json").write_text('{"version": "0.1.0"}')
    for path, why in (("", "does not say where Pyodide is"), (str(tmp_path/"none"), "there is no Pyodide in the folder 'none'"), (str(tmp_path), "holds Pyodide 0.1.0")):
        monkeypatch.setenv("RBKIT_WASM_PATH", path)
        with pytest.raises(NoWasm, match=f"No code was run: .*{why}.*pip install deno.*npm install pyodide@.*--interpreter locked"): Interpreter(profile="wasm").execute("1")
        with pytest.raises(NoWasm): check_profile("wasm")
    (tmp_path/"package.json").write_text(f'{{"version": "{_wanted_version()}"}}')
    with pytest.raises(NoWasm, match="cannot start"): Interpreter(profile="wasm").execute("1")
    assert NoWasm.ends_run

@pytest.mark.slow
def test_wasm_opens_nothing_and_ends(tmp_path):
    "What an attempt may not reach, a step that does not end, memory, and a host that is killed"
    if no_wasm(): pytest.skip(no_wasm())
    (tmp_path/"gold").write_text("gold")
    it = Interpreter(TOOLS, profile="wasm", step_secs=15)
    it.tools = it.own
    for code in (f"open({str(tmp_path/'gold')!r}).read()", "open('/etc/passwd').read()", "import js; js.Deno.readTextFileSync('/etc/passwd')", f"import js; js.Deno.writeTextFileSync({str(tmp_path/'new')!r}, 'x')",
        "import js; js.Deno.env.get('PATH')", "import js; js.Deno.Command.new('id').outputSync()", "import js; js.Deno.connect", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9').read()"):
        assert "[Error]" in (it.execute(code) or "") or "connect" in code, code
    said = it.execute("import js\nfrom pyodide.ffi import run_sync\nrun_sync(js.fetch('http://127.0.0.1:9/x'))")
    assert "[Error]" in said and sorted(p.name for p in tmp_path.iterdir()) == ["gold"]
    assert "MemoryError" in it.execute("x = bytearray(2**30)") and it.execute("1+1") == "2"
    it.step_secs = it._worker.step_secs = 2
    start = time.monotonic()
    said = it.execute("while True: pass")
    assert "ran longer than 2 s" in said and time.monotonic()-start < 90
    it._worker.step_secs = 20
    assert it.execute("add(1, 2)") == "{'sum': 3}"
    pid = it._worker.deno_process.pid
    it.shutdown()
    assert not Path(f"/proc/{pid}").exists()

HOST = """
import sys
from rbkit.agents.interpreter import Interpreter
it = Interpreter(profile="wasm", step_secs=600)
it.execute("1+1")
print(it._worker.deno_process.pid, flush=True)
it.execute("while True: pass") if sys.argv[1] == "busy" else sys.stdin.read()
"""

@pytest.mark.slow
@pytest.mark.parametrize("doing", ["idle", "busy"]) # one that computes does not see its input end
def test_wasm_ends_with_a_host_that_was_killed(doing):
    if no_wasm(): pytest.skip(no_wasm())
    host = subprocess.Popen([sys.executable, "-c", HOST, doing], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root, env=clean_env())
    pid = int(host.stdout.readline())
    stat = Path(f"/proc/{pid}/stat")
    def used(): return sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13]))
    if doing == "busy":
        before, end = used(), time.monotonic()+60
        while used() < before+20 and time.monotonic() < end: time.sleep(.1)
        assert used() >= before+20, "it computes"
    host.kill(); host.wait()
    end = time.monotonic()+10
    def alive():
        try: return stat.read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError: return False
    while alive() and time.monotonic() < end: time.sleep(.02)
    survived = alive()
    if survived: os.kill(pid, signal.SIGKILL)
    assert not survived

SETS = "print(set('abcdefgh'), {'Homo sapiens', 'Mus musculus', 'Danio rerio', 'Rattus rattus'}, hash('rbkit'))"

def ordered(profile, birth):
    "What a step prints of sets, in a process of its own, started by a host of its own"
    code = f"import sys\nfrom rbkit.agents import repl\nrepl.Repl.birth = {birth!r}\nfrom rbkit.agents.interpreter import Interpreter\nit = Interpreter(profile={profile!r})\nprint(it.execute({SETS!r}))\nit.shutdown()"
    where = dict(RBKIT_WASM_PATH=os.environ["RBKIT_WASM_PATH"]) if profile == "wasm" else {}
    return subprocess.run([sys.executable, "-c", code], env=clean_env(**where), capture_output=True, text=True, timeout=300, check=True).stdout

@pytest.mark.parametrize("profile", list(profiles()))
@pytest.mark.parametrize("birth", [slow("spawn"), *(birth for birth in BIRTHS if birth != "spawn")])
def test_sets_have_one_order_in_every_process(profile, birth):
    "A recorded run replays where its code printed a set"
    if profile == "wasm" and no_wasm(): pytest.skip(no_wasm())
    if birth == "spawn" and profile != "trusted": pytest.skip("only a trusted REPL is spawned")
    first = ordered(profile, birth)
    assert "Homo" in first and first == ordered(profile, birth)

@pytest.mark.parametrize("birth", BIRTHS)
def test_a_worker_imports_nothing_of_ours(tmp_path, monkeypatch, birth):
    "No variable of the host's Python, no package, and no module that lies in a folder of ours"
    (tmp_path/"planted.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    it = Repl(execution_timeout=20)
    it.profile, it.birth = "trusted", birth
    with it:
        open(f"{it._scratch.name}/beside.py", "w").close()
        for name in ("planted", "beside", "rbkit", "dspy"): assert it.execute(f"import importlib.util; importlib.util.find_spec({name!r})") is None, name
        assert it.execute("import os; sorted(k for k in os.environ if k.startswith('PYTHON'))") == ["PYTHONHASHSEED"]
        assert it.execute("import sys; ''.join(str(int(f)) for f in (sys.flags.no_user_site, sys.flags.no_site, sys.flags.safe_path))") == "111"
