"What crosses into the prompt is counted, tools are called as models call them, and runs do not mix"
import os, subprocess, sys, threading
from concurrent.futures import ThreadPoolExecutor
import dspy
import pytest
from dspy.lm15 import Message, Response, TextPart, Usage
from house import clean_env, root
from rbkit.bank.bank import Bank, seed_bank
from rbkit.bank.items import Item
from rbkit.context import ContextBuilder
from rbkit.agents.code import run_rlm
from rbkit.agents.interpreter import Interpreter
from rbkit.graphs.graph import load_graph
from rbkit.agents.guides import read_guide
from rbkit.ground.ledger import Ledger
from rbkit.models.connect import Metered, connect, request_text
from rbkit.ground.settings import seeds_path
from rbkit.graphs.suites import load_suite

QUESTION = "How many proteins does each species have?"

def fenced(code): return f"[[ ## reasoning ## ]]\nnext\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"

class Script:
    "An engine that replays steps and keeps what it was asked"
    def __init__(self, *steps): self.steps, self.heard = list(steps), []
    def complete(self, request):
        self.heard.append(request_text(request))
        return Response(id=None, model=request.model, message=Message.assistant([TextPart(fenced(self.steps.pop(0)))]), finish_reason="stop",
            usage=Usage(input_tokens=1, output_tokens=1, total_tokens=2))
    def close(self): pass

@pytest.fixture(scope="module")
def toy():
    with load_graph(seeds_path()/"toy/graph.ttl", name="toy") as g: yield g

def play(graph, *steps, context=None, **kw):
    "Run a script; the attempt, the ledger and the engine"
    engine, ledger = Script(*steps), Ledger()
    meter = Metered(engine, ledger)
    lm = dspy.LM("rbkit/script", engine=meter, cache=False, num_retries=0)
    lm.meter = meter
    a = run_rlm(QUESTION, graph, context or ContextBuilder("").build(QUESTION, graph), lm, ledger, **kw)
    return a, ledger, engine

LAST = "SUBMIT(sparql='ASK {}', answer=['x'])"

# A planted leak shows in its figure

def test_a_quiet_run_raises_no_flag(toy):
    _, ledger, _ = play(toy, "r = sparql_query('SELECT ?s WHERE { ?s ?p ?o }')\nprint(r)", LAST)
    f = ledger.figures()
    assert ledger.red_flags() == [] and f["large_returns"] == f["subcalls"] == f["memory_items_injected"] == 0
    assert 0 < f["total_chars_returned"] < 1000 and 0 < f["stdout_chars"] < 400

def test_a_huge_print_shows(toy):
    quiet = play(toy, "print('x')", LAST)[1].figures()
    a, ledger, engine = play(toy, "print('y'*50_000)", LAST)
    f = ledger.figures()
    assert 3000 <= f["stdout_chars"] <= 4200, "printed text is capped at its source, and what crossed is counted"
    assert f["request_growth"] > quiet["request_growth"]+2500 and f["max_request"] > quiet["max_request"]+2500
    assert next(t for t in a.trace if t["kind"] == "step")["chars"] == 50_001, "the trace says how much was printed"
    assert f["request_chars"] == sum(len(s)+len(u) for s, u in engine.heard) and f["requests"] == 2

def test_a_huge_tool_return_shows(toy):
    code = "q = 'SELECT ?s ?p ?o ?c WHERE { ?s ?p ?o . ?a ?b ?c }'\nr = sparql_query(q)\nx = sparql_slice(r, limit=50)"
    f = play(toy, code, LAST)[1].figures()
    assert f["max_single_return"] <= 1000 and f["large_returns"] == 0
    a, ledger, _ = play(toy, code, LAST, tool_chars=20_000)
    f = ledger.figures()
    assert f["max_single_return"] > 1000 and f["large_returns"] == 1 and f["total_chars_returned"] > f["max_single_return"]
    assert any("max_single_return" in x for x in ledger.red_flags())

def test_a_long_variable_shows(toy):
    short = play(toy, LAST)[1].figures()["variables_info_chars"]
    meter = Metered(Script(LAST), ledger := Ledger())
    lm = dspy.LM("rbkit/script", engine=meter, cache=False, num_retries=0); lm.meter = meter
    run_rlm("Why? "*400, toy, ContextBuilder("").build(QUESTION, toy), lm, ledger)
    assert 0 < short < 400 and ledger.figures()["variables_info_chars"] > short+500

def test_injected_items_show(toy):
    bank = Bank()
    for i in range(8): bank.add(Item(f"Count species {i}", f"how many proteins a species has, {i}", f"count the proteins of each species, way {i}: "+"x y "*120, ("success", "failure")[i%2]))
    context = ContextBuilder("L2", budget=dict(memory=9000, items=5)).build(QUESTION, toy, bank)
    _, ledger, _ = play(toy, LAST, context=context)
    f = ledger.figures()
    assert f["memory_items_injected"] == context.items > 3 and f["context_size"] == context.chars > 4000
    assert {x.split()[0] for x in ledger.red_flags()} >= {"memory_items_injected", "context_size"}

def test_a_subcall_shows(toy):
    a, ledger, _ = play(toy, "try: print(llm_query('What is it?'))\nexcept Exception as e: print('refused', type(e).__name__)", LAST, LAST)
    step = next(t for t in a.trace if t["kind"] == "step")
    refused = step["error"] or "refused" in step["output"]
    assert ledger.figures()["subcalls"] == (0 if refused else 1), "a sub-agent answered and no figure shows it"

def test_sub_questions_are_off_until_asked_for_and_then_capped_and_counted(toy):
    ask = "said = []\nfor i in range(3):\n    try: said.append(llm_query('What is it?'))\n    except Exception as e: said.append(f'refused: {e}')\nprint(said)"
    a, ledger, _ = play(toy, ask, LAST)
    off = next(t for t in a.trace if t["kind"] == "step")
    assert off["output"].count("refused: ") == 3 and ledger.figures()["subcalls"] == 0
    a, ledger, _ = play(toy, ask, "one", "two", LAST, sub_calls=2)
    on = next(t for t in a.trace if t["kind"] == "step")
    assert "one" in on["output"] and "two" in on["output"] and on["output"].count("refused: ") == 1
    assert ledger.figures()["subcalls"] == 2 and a.outcome == "answered"

def test_sub_agents_are_refused_whatever_is_asked_for(toy):
    "What dspy would install so that code can make agents is not let in, and code cannot name it"
    code = "import dspy\nprint(dspy.RLM)"
    for sub_calls in (0, 2):
        a, ledger, engine = play(toy, code, LAST, sub_calls=sub_calls)
        step = next(t for t in a.trace if t["kind"] == "step")
        assert step["error"] and ledger.figures()["subcalls"] == 0 and a.outcome == "answered"
        assert "sub-agent" not in engine.heard[0][0].lower()

# Each layer's text reaches the model whole

def test_every_layer_is_in_the_request_whole():
    suite = load_suite("seeds/graphs")
    try:
        for name in suite.files:
            g = suite.graph(name)
            task = next(t for t in suite.tasks if t.graph == name)
            context = ContextBuilder("L0,L1,L2,L3", "full", min_score=0).build(task, g, seed_bank(), read_guide(g).text)
            system = play(g, LAST, context=context)[2].heard[0][0]
            lines = [l.strip() for l in system.splitlines()]
            for layer in context.layers:
                wanted = [l.strip() for l in layer.text.splitlines()]
                assert wanted and any(lines[i:i+len(wanted)] == wanted for i in range(len(lines))), f"{name}: {layer.name} is not in the request as it was rendered"
    finally: suite.close()

# Tools as models call them

STYLES = dict(positional="sparql_slice(r, 0, 2)", keyword="sparql_slice(ref=r, offset=0, limit=2)", mixed="sparql_slice(r, limit=2)",
    dict="sparql_slice(dict(r), limit=2)", key="sparql_slice(r['key'], limit=2)", attribute="sparql_slice(r.key, limit=2)")

def test_tools_take_every_style(toy):
    code = "r = sparql_query('SELECT ?s WHERE { ?s a up:Protein } ORDER BY ?s')\nwant = sparql_slice(r, limit=2)\nassert len(want['rows']) == 2, want\n"
    code += "\n".join(f"got = {call}\nprint({name!r}, got == want)" for name, call in STYLES.items())+"\nprint(r)\nprint(ctx_stats(r)['dtype'])"
    a, ledger, _ = play(toy, code, LAST)
    step = next(t for t in a.trace if t["kind"] == "step")
    assert not step["error"] and all(f"{name} True" in step["output"] for name in STYLES), step
    assert "results_0: 3 rows, columns ['s']" in step["output"] and ledger.figures()["tool_errors"] == 0

def test_a_wrong_call_comes_back_as_a_value(toy):
    a, ledger, _ = play(toy, "print(sparql_query(qeury='ASK {}'))\nprint(ctx_peek('results_9'))\nprint(sparql_query('SELEC'))", LAST)
    step = next(t for t in a.trace if t["kind"] == "step")
    assert not step["error"] and step["output"].count("'error'") == 3 and "'query'" in step["output"] and ledger.figures()["tool_errors"] == 3
    assert a.outcome == "answered"

# The process around the code

def test_the_environment_is_scrubbed(toy, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted"); monkeypatch.setenv("SOME_TOKEN", "planted"); monkeypatch.setenv("PYTHONPATH", "/planted")
    a, _, _ = play(toy, "import os\nprint(sorted(os.environ))\nprint(os.listdir('.'), 'planted' in str(dict(os.environ)))", LAST)
    out = next(t for t in a.trace if t["kind"] == "step")["output"]
    assert "[] False" in out and not {"OPENAI_API_KEY", "SOME_TOKEN", "HOME", "PYTHONPATH"} & set(eval(out.splitlines()[0]))

def worker_ids(pid):
    "Processes below a process, by /proc"
    kids = lambda p: [int(x) for t in os.listdir(f"/proc/{p}/task") for x in open(f"/proc/{p}/task/{t}/children").read().split()]
    out = []
    for k in kids(pid): out += [k, *worker_ids(k)]
    return out

@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs /proc to see processes")
def test_no_worker_outlives_its_run(toy):
    toy.query("ASK { ?s ?p ?o }")
    before = set(worker_ids(os.getpid()))
    play(toy, "print(1)", LAST)
    play(toy, "import os; os._exit(3)", LAST)
    play(toy, "while True: pass", LAST, step_secs=1)
    play(toy, "raise SystemExit", LAST)
    with pytest.raises(IndexError): Script().complete(type("R", (), dict(model="", system="", messages=[]))())
    play(toy, "print(1)") # the engine fails at the second request
    assert set(worker_ids(os.getpid())) <= before, "a REPL is still running"

def test_code_reads_every_row_of_a_handle(toy):
    code = "r = sparql_query('SELECT ?s ?p ?o ?q ?z WHERE { ?s ?p ?o . ?q ?z ?o }', limit=200)\nprint(r.total, len(r.rows), len(r.all()), len(sparql_slice(r, 0, 200)['rows']), sparql_slice(r)['next_offset'])"
    a, ledger, _ = play(toy, code, LAST)
    step = next(t for t in a.trace if t["kind"] == "step")
    total, shown, read, page, following = map(int, step["output"].split())
    assert total == read > page == following > shown and ledger.figures()["max_single_return"] <= 1000

def test_threads_do_not_mix(toy):
    def one(i):
        steps = [f"mine = {i}\nr = sparql_query('SELECT ?s WHERE {{ ?s a up:Protein }}', limit={i%3+1})\nprint('run', mine, r['total'])",
            f"print('again', mine, sparql_slice(r)['total'], [k for k in ('results_1',) if 'error' not in ctx_stats(k)])", f"SUBMIT(sparql='ASK {{}}', answer=[str(mine)])"]
        return play(toy, *steps)
    with ThreadPoolExecutor(4) as pool: done = list(pool.map(one, range(8)))
    for i, (a, ledger, engine) in enumerate(done):
        steps, n = [t["output"] for t in a.trace if t["kind"] == "step"], i%3+1
        assert a.answer == [[str(i)]] and steps[0].strip() == f"run {i} {n}" and steps[1].strip() == f"again {i} {n} []", (i, steps)
        assert ledger.figures()["requests"] == a.calls == len(engine.heard) == 3 and ledger.figures()["tool_calls"] == 3
