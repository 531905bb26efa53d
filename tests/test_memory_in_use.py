"A memory while it is used: what an agent adds, learns, finds and says of it, through tools, services and servers"
import pytest
from rbkit import Bank
from rbkit.agents.executors import run_agent
from rbkit.context import ContextBuilder
from rbkit.graphs.rows import Rows
from rbkit.graphs.suites import load_suite
from rbkit.handles import BlobStore
from rbkit.models.connect import connect
from rbkit.policies.learning_tools import make_learning_tools

COUNT = "SELECT ?c (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x gn:neighbour ?c } GROUP BY ?c"
EMPTY = "SELECT ?x WHERE { ?x gn:neighbour <http://example.org/nowhere> }"
BROKEN = ["SELECT ?x WHERE { ?x a ", "SELECT ?x WHERE { ?x a nope:Thing }", "SELEC"]

@pytest.fixture(scope="module")
def shipped():
    suite = load_suite()
    yield suite
    suite.close()

@pytest.fixture(scope="module")
def geography(shipped): return shipped.graph("geography")

class Learning:
    "The tools that write to a bank, and the evidence that extraction is given"
    def __init__(self, graph, monkeypatch, **kw):
        self.bank = Bank()
        self.store = BlobStore()
        self.seen = []
        from rbkit.policies import learning_tools
        original = learning_tools.extract
        def extract(pairs, *args, **kwargs):
            self.seen.append((*pairs[0], kwargs.get("error", "")))
            return original(pairs, *args, **kwargs)
        monkeypatch.setattr(learning_tools, "extract", extract)
        groups = ("ctx", "sparql", "mem", "write")
        tools = make_learning_tools(graph, self.bank, connect("sim"), self.store, groups=groups, auto=True, **kw)
        self.tools = {t.__name__: t for t in tools}
    def __getitem__(self, name): return self.tools[name]
    @property
    def evidence(self): return self.seen[-1][0]
    @property
    def error(self): return self.seen[-1][2]

@pytest.fixture
def learning(geography, monkeypatch): return Learning(geography, monkeypatch)

# What a learning tool is given

@pytest.mark.parametrize("tool", ["mem_extract", "mem_learn_from_failure"])
@pytest.mark.parametrize("query", [COUNT, EMPTY, "ASK { ?s gn:neighbour ?o }"])
def test_a_result_is_learned_from_with_its_query(learning, tool, query):
    handle = learning["sparql_query"](query)
    more = ["success"] if tool == "mem_extract" else []
    assert "error" not in learning[tool](handle, "What borders what?", *more)
    ev = learning.evidence
    assert ev.sparql == query and ev.question == "What borders what?" and isinstance(ev.results, Rows)
    assert len(ev.results.rows) == handle["total"] == len(ev.answer)

def test_the_lesson_of_a_result_is_that_of_its_query(learning):
    learning["mem_extract"](learning["sparql_query"](COUNT), "How many neighbours has each country?", "success")
    item, = learning.bank.all(status=None)
    assert item.polarity == "success" and "GROUP BY" in item.content

@pytest.mark.parametrize("depth", [1, 3])
def test_a_payload_made_from_a_result_leads_back_to_the_query(learning, depth):
    key = learning["sparql_query"](COUNT)["key"]
    for _ in range(depth): key = learning.store.put(learning.store.get(key)[:150], "text", dict(tool="ctx_slice"), [key]).key
    learning["mem_extract"](key, "How many?", "success")
    assert learning.evidence.sparql == COUNT and len(learning.evidence.results.rows) == 75
    assert learning.store.query_behind(key) == COUNT

def test_store_pattern_has_the_query_and_the_rows(learning):
    learning["sparql_query"](COUNT, store_pattern=True)
    assert learning.evidence.sparql == COUNT and len(learning.evidence.results.rows) == 75

@pytest.mark.parametrize("query", BROKEN)
@pytest.mark.parametrize("how", ["the error", "the query"])
def test_a_query_that_failed_outright_is_learned_from(learning, query, how):
    answer = learning["sparql_query"](query)
    out = learning["mem_learn_from_failure"](answer if how == "the error" else query, "Which things?")
    assert "error" not in out, out
    assert learning.evidence.sparql == query.strip() and isinstance(learning.evidence.results, str)
    assert learning.error and learning.error in (answer["error"], learning.evidence.results)
    assert [x.polarity for x in learning.bank.all(status=None)] == ["failure"]

def test_what_is_neither_handle_nor_query_is_refused(learning):
    for ref in ("results_9", dict(error="of nothing"), dict(rows=[])):
        assert "error" in learning["mem_learn_from_failure"](ref, "Which?") and not learning.seen
    assert "use success or failure" in learning["mem_extract"]("results_9", "q", dict(success="maybe"))["error"]

def test_a_trajectory_keeps_its_steps_and_final_query(learning):
    text = f"Step 1\nprint(1)\n-> 1\nStep 2\nprint(2)\n-> 2\nFinal query: {EMPTY}\nResults: Rows 0, columns: x\nAnswer: 0 rows \nEnding: answered"
    learning["mem_learn_from_failure"](learning.store.put(text), "Which?")
    ev = learning.evidence
    assert [(s.action, s.observation) for s in ev.steps] == [("print(1)", "1"), ("print(2)", "2")]
    assert ev.sparql == EMPTY and ev.results.rows == []

# Who is shown what an agent writes

@pytest.mark.parametrize("gate, status, tier", [("quarantine", "quarantined", 0), ("probation", "active", 1), ("open", "active", 2)])
def test_a_gate_decides_what_becomes_of_what_tools_write(geography, monkeypatch, gate, status, tier):
    tools = Learning(geography, monkeypatch, gate=gate)
    tools["mem_extract"](tools["sparql_query"](COUNT), "How many neighbours has each country?", "success")
    added = tools["mem_add"]("Look twice", "Before an answer", "Look at the rows once more.")
    assert added["status"] == status
    assert {(x.status, x.tier) for x in tools.bank.all(status=None)} == {(status, tier)} and len(tools.bank.all(status=None)) == 2
    found = [hit["title"] for hit in tools["mem_search"]("look at rows once more")["hits"]]
    assert ("Look twice" in found) == bool(tier)

def test_an_unknown_gate_is_refused(geography):
    with pytest.raises(ValueError, match="quarantine, probation, open"):
        make_learning_tools(geography, Bank(), connect("sim"), auto=True, gate="ajar")

@pytest.mark.parametrize("executor", ["rlm", "react", "scratchpad"])
def test_an_agent_may_have_the_tools_that_write(shipped, geography, executor, monkeypatch):
    task = next(t for t in shipped.tasks if t.graph == "geography")
    context = ContextBuilder("L0,L1").build(task, geography)
    given = {}
    from rbkit.agents import code, react, scratchpad
    for module in (code, react, scratchpad):
        original = module.agent_tools
        def agent_tools(*args, original=original, **kw):
            tools = original(*args, **kw)
            given.update({t.__name__: t for t in tools})
            return tools
        monkeypatch.setattr(module, "agent_tools", agent_tools)
    bank, store = Bank(), BlobStore()
    a = run_agent(task.question, geography, context, connect("sim"), bank=bank, store=store, executor=executor, learn="open")
    assert a.outcome == "answered", a.error
    assert {"mem_add", "event_log", "mem_extract", "mem_learn_from_failure"} <= set(given)
    handle = given["sparql_query"](COUNT, store_pattern=True)
    assert handle["pattern_stored"] and handle["key"] in store.keys() and bank.all()
    given.clear()
    run_agent(task.question, geography, context, connect("sim"), bank=bank, executor=executor)
    assert "mem_extract" not in given and "mem_add" not in given
    with pytest.raises(ValueError, match="pass bank="): run_agent("q", geography, context, connect("sim"), executor=executor, learn="open")
    with pytest.raises(ValueError, match="quarantine, probation, open"): run_agent("q", geography, context, connect("sim"), bank=bank, learn="ajar")
