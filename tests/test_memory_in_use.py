"An agent uses a memory through tools, services and servers: it adds, learns, finds and gives feedback"
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

# Input of a learning tool

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

# Additions of an assistant to a memory, and their visibility

from rbkit import Item
from rbkit.integrations.memory import AgentMemory
from rbkit.reports.cli import main
from house import bins, clean_env

TEA = dict(title="Ann's tea", description="When Ann orders a drink", content="Ann drinks her tea without milk.")
ASKED = "How does Ann drink her tea?"

def found(memory, **kw): return [hit["title"] for hit in memory.search(ASKED, **kw)["hits"]]

@pytest.mark.parametrize("gate, tier, at_once, strict", [("quarantine", "quarantine", False, False), ("probation", "probation", True, False), ("open", "trusted", True, True)])
@pytest.mark.parametrize("scope", ["", "ann"])
def test_the_gate_decides_what_is_found(gate, tier, at_once, strict, scope):
    from rbkit.bank.items import TIERS
    memory = AgentMemory(gate=gate)
    added = memory.add(TEA, "assistant", scope)
    assert added["status"] == ("active" if at_once else "quarantined") and TIERS[memory.bank.get(added["id"]).tier] == tier
    assert bool(found(memory, scope=scope)) == at_once and bool(found(memory, scope=scope, tier=2)) == strict
    assert found(memory, scope="ben") == ([TEA["title"]] if at_once and not scope else [])

def test_an_item_that_waits_says_why_and_what_changes_it(tmp_path):
    with AgentMemory(tmp_path/"mine.db") as memory:
        first, again = memory.add(TEA, "assistant"), memory.add(TEA, "assistant")
        for added in (first, again):
            for words in ("waits in quarantine", "gate='quarantine'", f"rbkit bank trust mine.db {added['id']}", "--gate probation", "--trust-user"): assert words in added["note"]
        assert str(tmp_path) not in first["note"]
        memory.bank.archive(first["id"])
        assert "archived" in memory.add(TEA, "assistant")["note"]
    assert "note" not in AgentMemory(gate="open").add(TEA)

def test_trust_by_user_and_by_agent():
    memory = AgentMemory(trust_users=["ann"], trust_agents="clerk")
    who = {("clerk", ""): "active", ("clerk", "ben"): "active", ("other", "ann"): "active", ("other", "ben"): "quarantined", ("other", ""): "quarantined"}
    for i, ((agent, scope), status) in enumerate(who.items()):
        assert memory.add(dict(TEA, title=f"Fact {i}"), agent, scope)["status"] == status

@pytest.mark.parametrize("bad", [dict(gate="ajar"), dict(trust_users=["a/b"]), dict(trust_agents=[""]), dict(most_held=0), dict(most_scopes=True), dict(share=2)])
def test_options_that_make_no_sense_are_refused(bad):
    with pytest.raises(ValueError, match="use one of|give"): AgentMemory(**bad)

def test_a_search_takes_no_place(tmp_path):
    with AgentMemory(tmp_path/"m.db", most_scopes=2, gate="open") as memory:
        memory.bank.add(Item(**TEA))
        names = [f"user {i}" for i in range(20)]
        searches = [memory.search(ASKED, scope=name) for name in names]
        assert all(s["hits"] for s in searches) and memory.health()["scopes"] == 0 and not list(tmp_path.glob("*.scopes/*"))
        memory.add(dict(TEA, content="Ann likes honey."), "x", "user 1")
        assert memory.feedback(searches[2]["search"], [searches[2]["hits"][0]["id"]], True) == dict(new=True, credited=1)
        assert memory.health()["scopes"] == 2
        for call in (lambda: memory.add(TEA, "x", "user 3"), lambda: memory.feedback(searches[3]["search"], [])):
            with pytest.raises(ValueError, match="there are 2 already.*--most-scopes"): call()
        assert memory.search(ASKED, scope="user 3")["hits"] and memory.bank.get(searches[2]["hits"][0]["id"]).wins == 1
    with AgentMemory(tmp_path/"m.db", most_scopes=3) as memory:
        assert memory.health()["scopes"] == 2 and memory.feedback(searches[3]["search"], [])["new"], "searches outlive a restart"

def test_feedback_of_a_visit_is_learned_in_its_scope():
    memory = AgentMemory()
    memory.bank.add(*[Item(f"Rule {i}", "About brewing", f"Brew at {i} degrees, says rule {i}.") for i in range(6)])
    last = memory.search("how hot to brew", k=6, scope="ann")["hits"][-1]["id"]
    for i in range(4): memory.feedback(memory.search("how hot to brew", k=6, scope="ann", session=f"s{i}")["search"], [last], True)
    assert memory.search("how hot to brew", k=1, scope="ann")["hits"][0]["id"] == last
    assert memory.search("how hot to brew", k=1)["hits"][0]["id"] != last and memory.health()["learned"]["with_feedback"] == 0

def test_two_reported_failures_end_a_probation():
    memory = AgentMemory(gate="probation")
    owned = memory.bank.add(Item("Ann's milk", "When Ann orders a drink", "Ann has milk in the fridge."))[0]
    id = memory.add(TEA, "x")["id"]
    for i, expected in enumerate([None, [id]]):
        made = memory.search("Ann drink milk tea", session=str(i))
        assert memory.feedback(made["search"], [id, owned], False).get("withdrawn") == expected
    assert memory.bank.get(id).status == "quarantined" and memory.bank.get(owned).tier == 1
    assert "has failed since" in memory.add(TEA, "x")["note"]
    memory = AgentMemory(gate="open")
    id = memory.add(TEA, "x")["id"]
    for i in range(4): memory.feedback(memory.search(ASKED, session=str(i))["search"], [id], False)
    assert memory.bank.get(id).tier == 2

# Feedback

def test_feedback_is_for_what_a_search_showed():
    memory = AgentMemory()
    ids = memory.bank.add(Item("Brew tea", "Tea", "Brew tea hot."), Item("Roast coffee", "Coffee", "Roast coffee dark."), Item("Hidden", "Tea", "Tea of Ben.", provenance=dict(scope="ben")))
    tea, coffee = memory.search("tea", session="s"), memory.search("coffee", session="s")
    for search, used, why in ((tea["search"], [ids[1]], "was not shown by search"), (tea["search"], [ids[2]], "was not shown by search"), (tea["search"], ["made up"], "was not shown by search"),
        (tea["search"], [ids[0], ids[1]], "was not shown by search"), ("/r99", [], "No search '/r99'"), ("eve/r1", [], "No search"), ("r1", [], "No search"), ("", [], "Which search"), (None, [], "Which search")):
        with pytest.raises(ValueError, match=why): memory.feedback(search, used, True)
    assert not any(use["told"] for use in memory.bank.usage()) and memory.health()["learned"]["with_feedback"] == 0
    memory.feedback(tea["search"], [ids[0]], True)
    assert [memory.bank.get(id).wins for id in ids] == [1, 0, 0]

@pytest.mark.parametrize("scope", ["", "ann"])
def test_without_a_search_the_session_must_have_one_that_waits(scope):
    memory = AgentMemory()
    [id] = memory.bank.add(Item("Brew tea", "Tea", "Brew tea hot."))
    first = memory.search("tea", session="monday", scope=scope)["search"]
    assert memory.feedback("", [id], True, scope, session="monday") == dict(new=True, credited=1, search=first)
    with pytest.raises(ValueError, match="No search of session 'monday' waits"): memory.feedback("", [id], True, scope, session="monday")
    second, third = (memory.search("tea", session="monday", scope=scope)["search"] for _ in range(2))
    with pytest.raises(ValueError, match="2 searches of session 'monday'") as e: memory.feedback("", [id], True, scope, session="monday")
    assert second in str(e.value) and third in str(e.value)
    memory.feedback(third, [], None)
    assert memory.feedback("", [id], True, scope, session="monday")["search"] == second

def test_functions_for_a_loop_take_the_session():
    from rbkit.integrations.functions import memory_functions
    memory = AgentMemory(gate="open")
    search, get, add, feedback = memory_functions(memory, "loop", "ann", "monday")
    id = add(**TEA)["id"]
    assert search(ASKED)["hits"][0]["id"] == id and feedback("", [id], True)["credited"] == 1

def test_a_long_item_says_what_is_stored_and_what_is_shown():
    memory = AgentMemory(gate="open")
    for chars in (150, 701, 5000):
        added = memory.add(dict(TEA, title=str(chars), content="x"*chars))
        assert added["chars"] == chars == len(memory.bank.get(added["id"]).content)
        assert ("note" in added) == (chars > 200) and (chars <= 200 or f"All {chars:,} characters are stored" in added["note"])
    with pytest.raises(ValueError, match="at most"): memory.add(dict(TEA, content="x"*300_000))

# The server

def served(tmp_path, *options):
    "Replies of `rbkit serve mcp` to a client: its tools, an addition, two searches and feedback"
    pytest.importorskip("mcp", reason="needs mcp: pip install 'rbkit[mcp]'")
    import asyncio
    from test_mcp import call, over_stdio, refused
    async def go():
        async with over_stdio(tmp_path/"m.db", "assistant", *options) as client:
            about = {tool.name: tool.description for tool in (await client.list_tools()).tools}
            added = await call(client, "memory_add", **TEA, scope="ann")
            made = await call(client, "memory_search", query=ASKED, scope="ann", session="s")
            other = await call(client, "memory_search", query=ASKED, scope="ben")
            wrong = await refused(client, "memory_feedback", used=["nothing"], search=made["search"])
            told = await call(client, "memory_feedback", used=[hit["id"] for hit in made["hits"]], session="s", scope="ann")
            return about, added, made, other, wrong, told
    return asyncio.run(go())

@pytest.mark.parametrize("options, shown", [((), False), (("--gate", "probation"), True), (("--trust-user", "ann", "--most-scopes", "1"), True)])
def test_a_chat_assistant_remembers_where_the_owner_lets_it(tmp_path, options, shown):
    about, added, made, other, wrong, told = served(tmp_path, *options)
    assert added["status"] == ("active" if shown else "quarantined") and len(made["hits"]) == shown and other["hits"] == []
    assert ("--gate probation" in added.get("note", "")) != shown
    assert "was not shown by search" in wrong and told["new"] and told["search"] == made["search"]
    assert ("waits in quarantine" in about["memory_add"]) == ("--gate" not in options)

def test_help_names_what_each_gate_risks(capsys):
    with pytest.raises(SystemExit): main(["serve", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for words in ("no search finds it until you let it out", "two reported failures", "until you remove it", "--trust-user", "can be forged", "A search takes no place"): assert words in said
    from rbkit.bank.quarantine import MOST_HELD, SHARE
    assert (MOST_HELD, SHARE, AgentMemory().most_scopes) == (10_000, .1, 1_000) and all(f"{n:,}" in said for n in (10_000, .1, 1_000))
    assert main(["serve", "mcp", "--bank", "x.db", "--gate", "ajar"]) == 1 and "invalid choice" in capsys.readouterr().err

# The service in one's own process

from rbkit import Service
from rbkit.bank.items import scope_of
from rbkit.integrations.functions import memory_functions
from rbkit.bank.rerank import Scoring

def tried(wins_of_near, wins_of_far, n=20, polarity="success"):
    "A bank with an item that is nearer to the question, and one that is farther from it, each with a history"
    bank = Bank()
    near = Item("Count the genes", "How many genes there are", "Count the genes of the genome.", polarity, shown=n, uses=n, wins=wins_of_near, losses=n-wins_of_near)
    far = Item("Count once", "How many things", "Count each thing once.", polarity, shown=n, uses=n, wins=wins_of_far, losses=n-wins_of_far)
    bank.add(near, far)
    return bank

@pytest.mark.parametrize("polarity", ["success", "failure"])
@pytest.mark.parametrize("near, far, n, first", [(0, 20, 20, "Count once"), (20, 0, 20, "Count the genes"), (10, 10, 20, "Count the genes"), (0, 0, 0, "Count the genes")])
def test_wins_and_losses_order_what_a_service_shows(near, far, n, first, polarity):
    bank = tried(near, far, n, polarity)
    assert [x.title for x in Service(bank, gate="open").retrieve_strategies("How many genes?")] == [first]
    assert [x.title for x in Service(bank, gate="open", scoring=None).retrieve_strategies("How many genes?")] == ["Count the genes"]
    assert [x.title for x in Service(bank, gate="open", scoring=Scoring()).retrieve_strategies("How many genes?")] == ["Count the genes"]

def test_wins_do_not_outweigh_the_question():
    bank = tried(0, 0, 0)
    bank.add(Item("Brew tea", "How to brew", "Many leaves.", shown=20, uses=20, wins=20))
    assert Service(bank, gate="open").retrieve_strategies("How many genes are in the genome?")[0].title == "Count the genes"

def test_an_episode_credits_only_what_its_run_was_shown():
    bank = tried(0, 0, 0)
    service = Service(bank, gate="open")
    [mine] = service.retrieve_strategies("How many genes?", run="r1")
    other = next(x for x in bank.all() if x.id != mine.id)
    for bad in (dict(run="r1", used=[other.id]), dict(run="r1", used=[mine.id, "made up"]), dict(run="r2", used=[mine.id]), dict(run="r1", used="made up")):
        with pytest.raises(ValueError, match="was not shown"): service.add_experiences([dict(run="r1", success=True, used=[mine.id]), dict(bad, success=True)])
    assert not any(use["told"] for use in bank.usage()), "a refused call enters nothing"
    service.add_experiences(dict(run="r1", success=True, used=[mine.id]))
    assert bank.get(mine.id).wins == 1 and bank.get(other.id).wins == 0

def test_episodes_from_which_nothing_is_learned_say_so():
    service = Service(Bank())
    pair = [dict(run="a", task="t", success=True, said="I counted."), dict(run="b", task="t", success=False, said="I guessed.")]
    made = service.add_experiences(pair)
    assert [d.op for d in made] == ["nothing"]*2 and all("extract" in d.why and repr(run) in d.why for d, run in zip(made, "ab"))
    lesson = dict(title="Count once", description="How many", content="Count each thing once.")
    assert [d.op for d in Service(Bank(), extract=lambda episode: [lesson]).add_experiences(pair)][:1] == ["append"]
    assert service.add_experiences(dict(run="c", success=True, items=[])) == []
    shown = Service(tried(0, 0, 0), gate="open")
    shown.retrieve_strategies("How many genes?", run="r")
    assert shown.add_experiences(dict(run="r", success=True)) == [], "crediting is what it was for"

def owned(name, polarity="success", **more):
    return Item("Count genes", "How many genes", f"Count each gene once, says {name or 'everybody'}.", polarity, provenance=dict(scope=name) if name else {}, **more)

@pytest.mark.parametrize("scoring", [None, Service.scoring])
@pytest.mark.parametrize("polarity", ["success", "failure"])
@pytest.mark.parametrize("scope, seen", [("", {""}), ("ann", {"", "ann"}), ("ben", {"", "ben"}), ("An", {""}), ("zoë/x", {""}), (None, {"", "ann", "ben"})])
def test_a_service_shows_nobody_the_items_of_another_user(scope, seen, polarity, scoring):
    bank = Bank()
    bank.add(*[owned(name, polarity) for name in ("", "ann", "ben")])
    found = Service(bank, gate="open", scoring=scoring).retrieve_strategies("How many genes?", k=5, scope=scope)
    assert {scope_of(x) for x in found} == seen == {scope_of(hit.item) for hit in bank.search("genes", scope=scope)}

def test_an_unproven_item_is_tried_on_its_own_user_alone():
    service = Service(checked=True, explore=1)
    service.add_experiences(dict(run="r0", task="Count cells", scope="ann", items=[dict(title="Count genes", description="How many genes", content="Count each gene once.")]))
    [mine] = service.bank.all(status=None)
    assert scope_of(mine) == "ann"
    for name, shown in (("ben", []), ("", []), ("ann", [mine.id]), (None, [mine.id])): assert [x.id for x in service.retrieve_strategies("How many genes?", run=f"r {name}", scope=name)] == shown

@pytest.mark.parametrize("scope", [3, ["ann"], True])
def test_a_scope_of_a_service_is_a_name(scope):
    with pytest.raises(ValueError, match="scope="): Service().retrieve_strategies("x", scope=scope)

LESSON_OF_RUN = dict(title="Count genes", description="How many genes", content="Count each gene once.")

@pytest.mark.parametrize("given, why", [(dict(run="r", sucess=True), "did you mean 'success'"), (dict(run="r", items="text"), "items of an episode are 'text'"), (dict(run="r", item=[]), "did you mean 'items'"), (None, "episodes are 'None'"),
    (3, "episodes are '3'"), ("run", "episodes are 'run'"), (dict(run="r", items=3), "give one or a list of Items"), ([dict(run="r"), dict(success=True)], "no episode")])
def test_an_episode_that_nobody_can_read_is_one_error(given, why):
    service = Service(gate="open")
    with pytest.raises(ValueError, match=why): service.add_experiences(given)
    assert service.bank.head == 0

def test_one_item_is_as_good_as_a_list_and_an_extractor_may_read_more():
    service = Service(gate="open")
    assert [d.op for d in service.add_experiences(dict(run="r", items=LESSON_OF_RUN))] == ["append"]
    reads = Service(gate="open", extract=lambda episode: [dict(LESSON_OF_RUN, content=episode["notes"])])
    assert [d.op for d in reads.add_experiences(dict(run="r", notes="Count them twice each."))] == ["append"]
    with pytest.raises(ValueError, match="updates are '3'"): service.consolidate(3)

def test_a_query_with_half_a_character_is_refused_before_anything_is_noted():
    memory = AgentMemory()
    with pytest.raises(ValueError, match="half of a character"): memory.search("\ud800 deploy")
    assert memory.bank.head == 0 and memory.health()["learned"]["requests"] == 0

@pytest.mark.parametrize("checked, explore, words", [(True, 10, "one run in 10"), (True, 0, "explore=10"), (False, 10, "checked=True")])
def test_a_service_says_that_a_lesson_waits_and_how_it_gets_out(checked, explore, words):
    service = Service(checked=checked, explore=explore)
    lesson = dict(title="Count genes", description="How many genes", content="Count each gene once.")
    [made] = service.add_experiences(dict(run="r0", success=True, items=[lesson]))
    assert words in made.why and f"bank.trust({made.id!r}, 1)" in made.why
    with pytest.warns(UserWarning, match="No strategy is shown; 1 in quarantine"): assert service.retrieve_strategies("How many genes?") == []
    service.bank.trust(made.id, 1)
    assert service.retrieve_strategies("How many genes?")
    [outside] = service.consolidate(Item("Brew tea", "How to brew", "Many leaves of tea."))
    assert "waits in quarantine" in outside.why
    assert Service(gate="open").add_experiences(dict(run="r", items=[lesson]))[0].why == ""

@pytest.mark.parametrize("size", [7_999, 8_000, 8_001, 19_000])
def test_a_long_item_is_read_to_its_end_by_offset(size):
    memory = AgentMemory(gate="open")
    text = "".join(f"{n:07} " for n in range(size//8+1))[:size-1]+"X"
    id = memory.add(dict(title="Numbers", description="Which numbers", content=text))["id"]
    get = memory_functions(memory, "a")[1]
    read, offset = "", 0
    while offset is not None:
        [part] = get([id], offset=offset)
        read += part["content"]
        offset = part.get("next")
        assert offset is None or part["rest"] == f"memory_get([{id!r}], offset={offset})"
    assert read == text

# OpenClaw's memory slot

import json, shutil
from house import root, sh

node = shutil.which("node")
needs_node = pytest.mark.skipif(not node, reason="needs Node: the plugin is written for it")
PLUGIN = json.dumps((root/"integrations/openclaw/index.js").as_uri())
READS = """
import { readMemoryFile } from %s;
const calls = JSON.parse(process.argv[2]), made = [];
for (const call of calls) { try { made.push(await readMemoryFile(process.argv[1], ...call)) } catch (e) { made.push({ error: e.message }) } }
console.log(JSON.stringify(made));
""" % PLUGIN

def read_files(workspace, *calls):
    return json.loads(sh(node, "--input-type=module", "-e", READS, str(workspace), json.dumps(calls), check=True).stdout)

@needs_node
def test_memory_files_are_read_by_lines(tmp_path):
    (tmp_path/"memory").mkdir()
    lines = [f"line {i}" for i in range(1, 301)]
    (tmp_path/"MEMORY.md").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path/"memory/2026-01-31.md").write_text("Grüße\n\nzwei", encoding="utf-8")
    (tmp_path/"memory/wide.md").write_text("x"*30_000+"\nend", encoding="utf-8")
    whole, part, last, past, daily, absolute, missing, wide, rest = read_files(tmp_path, ["MEMORY.md"], ["MEMORY.md", 10, 3], ["MEMORY.md", 299, 50], ["MEMORY.md", 999, 5],
        ["memory/2026-01-31.md"], [str(tmp_path/"memory/2026-01-31.md"), 3, 1], ["memory/2026-02-01.md"], ["memory/wide.md"], ["memory/wide.md", 2])
    assert whole["text"].split("\n\n[")[0].split("\n") == lines[:120] and whole["truncated"] and whole["nextFrom"] == 121 and "from=121" in whole["text"]
    assert part["text"].split("\n\n[")[0] == "line 10\nline 11\nline 12" and (part["from"], part["lines"], part["nextFrom"]) == (10, 3, 13)
    assert last == dict(path="MEMORY.md", text="line 299\nline 300", **{"from": 299}, lines=2) and past["text"] == ""
    assert daily["text"] == "Grüße\n\nzwei" and absolute == {"path": "memory/2026-01-31.md", "text": "zwei", "from": 3, "lines": 1}
    assert missing == dict(path="memory/2026-02-01.md", text="")
    assert wide["truncated"] and "18000 characters were left out" in wide["text"] and wide["nextFrom"] == 2 and rest["text"] == "end"

@needs_node
def test_no_other_file_is_read(tmp_path):
    home, outside = tmp_path/"home", tmp_path/"secret.md"
    (home/"memory").mkdir(parents=True)
    outside.write_text("secret")
    (home/"notes.md").write_text("secret"); (home/"memory/key.txt").write_text("secret"); (home/"memory/dir.md").mkdir()
    (home/"memory/link.md").symlink_to(outside); (home/"memory/out").symlink_to(tmp_path); (home/"MEMORY.md").symlink_to(outside)
    paths = ["../secret.md", "memory/../../secret.md", str(outside), "notes.md", "memory/key.txt", "memory/dir.md", "memory/link.md", "memory/out/secret.md", "MEMORY.md", "", "memory/", "/etc/passwd", "memory/a\0.md"]
    for path, made in zip(paths, read_files(home, *[[p] for p in paths])): assert "is no memory file" in made.get("error", ""), path

SLOT = """
import plugin from %s;
const [url, token, workspace] = process.argv.slice(1);
const tools = {};
plugin.register({ pluginConfig: { url, token, scope: "ann" }, registerTool(make) { for (const tool of make({ sessionId: "s1", workspaceDir: workspace || undefined })) tools[tool.name] = tool; } });
const call = async (name, params) => { try { return (await tools[name].execute("1", params)).details } catch (e) { return { error: e.message } } };
const file = await call("memory_get", { path: "MEMORY.md", from: 2, lines: 1 });
const [tea, coffee] = [await call("memory_search", { query: "tea" }), await call("memory_search", { query: "coffee" })];
const item = await call("memory_get", { path: tea.results[0].path });
const unclear = await call("memory_feedback", { sessionId: "s1", usedMemoryIds: [] });
const wrong = await call("memory_feedback", { searchId: tea.searchId, usedMemoryIds: [coffee.results[0].path] });
const unknown = await call("memory_feedback", { searchId: "ann/r99", usedMemoryIds: [] });
const told = await call("memory_feedback", { searchId: tea.searchId, usedMemoryIds: [tea.results[0].path], success: true });
const only = await call("memory_feedback", { sessionId: "s1", usedMemoryIds: [coffee.results[0].id] });
console.log(JSON.stringify({ file, item, unclear, wrong, unknown, told, only, tea, coffee }));
""" % PLUGIN

@needs_node
def test_the_slot_reads_files_and_credits_what_a_search_showed(tmp_path):
    pytest.importorskip("mcp", reason="needs mcp: pip install 'rbkit[mcp]'")
    from test_mcp import TOKEN, listening, made
    bank = made(tmp_path)
    (tmp_path/"MEMORY.md").write_text("one\ntwo\nthree")
    with listening(bank) as (p, url, said):
        seen, without = [json.loads(sh(node, "--input-type=module", "-e", SLOT, url, TOKEN, folder, check=True).stdout) for folder in (str(tmp_path), "")]
    assert seen["file"]["text"].startswith("two") and seen["file"]["nextFrom"] == 3 and seen["item"]["text"] == "tea is rule 0."
    assert "no workspace is known" in without["file"]["error"]
    assert "2 searches of session 's1' wait" in seen["unclear"]["error"] and "was not shown by search" in seen["wrong"]["error"] and "No search 'ann/r99'" in seen["unknown"]["error"]
    assert seen["told"] == dict(success=True, searchId=seen["tea"]["searchId"], isNew=True, credited=1) and seen["only"]["searchId"] == seen["coffee"]["searchId"]
    with Bank(bank, journal="wal") as b:
        uses = {(u["run"], u["item"]): (u["used"], u["won"]) for u in b.usage()}
    assert uses[seen["tea"]["searchId"], seen["tea"]["results"][0]["id"]] == (True, True) and uses[seen["coffee"]["searchId"], seen["coffee"]["results"][0]["id"]] == (True, None)

# Records of other systems

from rbkit.bank.files import exported, import_items, read_bank

STRATEGY = {"strategy_id": "5f3a", "title": "Verify before you turn", "strategy_text": "If the lid sticks, prefer a steeper angle; verify the grip; then turn.",
    "preconditions": ["lid is translucent", "torque rises"], "pitfalls": ["closing too fast: the lid slips"], "applicability": {"domains": ["web", "coding"], "confidence": 0.72},
    "support": {"success_refs": ["ep#12"], "contrast_refs": ["ep#9 (fail)"], "metrics": {"wins": 12, "losses": 3}}, "embedding": [0.25, -0.5], "last_updated": "2026-02-04T10:00:00Z"}
QUERY = {"id": "a1b2", "original_query": "甲乙两车相向而行，几小时后相遇？", "query_embedding": [0.125]*1536, "items": [
    {"title": "追及问题通用解法", "description": "两车相遇或追及", "content": "务必先统一单位，再列方程。"}, {"title": "检查答案", "description": "得到数值之后", "content": "把答案代回原题检查。"}],
    "source_trajectory_id": "traj-7", "score": 0.9}

def carried(tmp_path, *records, how="jsonl", tier=0):
    "Records, imported, exported, imported into a second bank and exported again: the file, and both exports"
    file = tmp_path/"records.json"
    file.write_text(json.dumps(list(records), ensure_ascii=False), encoding="utf-8")
    texts = []
    for name in ("first", "second"):
        bank = Bank()
        import_items(bank, file, tier)
        texts.append(exported(bank, how))
        file = tmp_path/f"{name}.{how.replace('markdown', 'md')}"
        file.write_text(texts[-1], encoding="utf-8")
    return bank, texts

def lines(text): return [json.loads(line) for line in text.splitlines()]

@pytest.mark.parametrize("how", ["jsonl", "markdown"])
@pytest.mark.parametrize("tier", [0, 1])
def test_a_strategy_record_is_carried_without_loss(tmp_path, how, tier):
    record = dict(STRATEGY, author="x", notes=["a", {"b": None}])
    bank, (first, second) = carried(tmp_path, record, how=how, tier=tier)
    [item] = bank.all(status=None)
    assert (item.id, item.content) == ("5f3a", STRATEGY["strategy_text"]) and item.description == "lid is translucent; torque rises"
    assert item.wins == item.uses == 0 and "translucent" in item.preconditions
    if how == "jsonl":
        [a], [b] = lines(first), lines(second)
        for name in ("support", "last_updated", "applicability", "preconditions", "pitfalls", "embedding", "author", "notes"): assert a[name] == b[name] == record[name], name

def test_a_vector_that_is_only_named_is_kept(tmp_path):
    bank, (first, second) = carried(tmp_path, dict(STRATEGY, embedding="vector"), tier=1)
    assert lines(first)[0]["embedding"] == lines(second)[0]["embedding"] == "vector" and bank.all()[0].embedding is None

@pytest.mark.parametrize("how", ["jsonl", "markdown"])
def test_items_nested_under_a_query_are_carried_without_loss(tmp_path, how):
    bank, (first, second) = carried(tmp_path, QUERY, dict(QUERY, id="c3", original_query="另一个问题", items=QUERY["items"][:1]), how=how)
    items = bank.all(status=None)
    assert [x.id for x in items] == ["a1b2-1", "a1b2-2", "c3"] and [x.question for x in items] == [QUERY["original_query"]]*2+["另一个问题"]
    assert [x.title for x in items] == ["追及问题通用解法", "检查答案", "追及问题通用解法"]
    if how == "jsonl":
        whole = {name: value for name, value in QUERY.items() if name != "items"}
        for text in (first, second): assert lines(text)[0]["record"] == lines(text)[1]["record"] == whole

def test_what_was_kept_is_said_and_found_by_its_query(tmp_path, capsys):
    (tmp_path/"r.jsonl").write_text(json.dumps(STRATEGY)+"\n"+json.dumps(QUERY)+"\n", encoding="utf-8")
    assert main(["bank", "import", str(tmp_path/"r.jsonl"), "--into", str(tmp_path/"b.db"), "--tier", "probation"]) == 0
    said = capsys.readouterr().out
    assert "3 items added" in said and "fields kept as they are: last_updated, record, support" in said
    with Bank(tmp_path/"b.db") as bank: assert bank.search("torque rises when the lid sticks")[0].item.id == "5f3a"
    again = tmp_path/"again.jsonl"
    again.write_text(exported(read_bank(tmp_path/"b.db")), encoding="utf-8")
    assert {x.id for x in read_bank(again).all()} == {"5f3a", "a1b2-1", "a1b2-2"} == {x.id for x in read_bank(tmp_path/"r.jsonl").all()}

@pytest.mark.parametrize("bad, why", [(dict(QUERY, items=[]), "missing or empty"), (dict(QUERY, items=["text"]), "no object"), (dict(QUERY, query_embedding=[0.1]*20_001), "20,000 at most"),
    (dict(STRATEGY, notes="x"*300_000), "at most"), (dict(STRATEGY, pitfal="x"), "did you mean 'pitfalls'"), (dict(STRATEGY, content="again"), "keep one of them")])
def test_a_record_that_cannot_be_kept_is_refused_whole(tmp_path, bad, why):
    bank = Bank()
    (tmp_path/"r.json").write_text(json.dumps([QUERY, bad]), encoding="utf-8")
    with pytest.raises(ValueError, match=why): import_items(bank, tmp_path/"r.json")
    assert not bank.all(status=None)

# Error messages of a robot

@pytest.mark.parametrize("sensed, code, kind", [(dict(in_view=.2), "occluded", "perception"), (dict(light=.1), "bad_light", "perception"), (dict(held=False), "lost_grasp", "execution"),
    (dict(light=.1, in_view=.1), "bad_light", "perception"), (dict(held=False, light=.1), "lost_grasp", "execution"), (dict(in_view=.9, light=.9), "missed", "alignment"), ({}, "missed", "alignment")])
def test_sight_and_grasp_have_codes_of_their_own(sensed, code, kind):
    from rbkit.worlds.contact_learning import FAILURES, RELEVANT_OPTIONS, ContactMeasurements, classify
    assert classify(ContactMeasurements("searched", touched=True, **sensed)) == code
    assert FAILURES[code].kind == kind and code in RELEVANT_OPTIONS
    assert classify(ContactMeasurements("depth", touched=True, **sensed)) == "done"
