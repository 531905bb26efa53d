"""E7 compares tools that return handles with tools that return rows: one print cap, one set of memory tools"""
import inspect
from dataclasses import fields, replace

import pytest

from rbkit.agents.code import PRINT_CHARS, agent_tools, run_rlm
from rbkit.agents.scratchpad import run_scratchpad
from rbkit.bank.bank import seed_bank
from rbkit.context import ContextBuilder
from rbkit.experiments.e07 import ARMS, HANDLES
from rbkit.graphs.graph import load_graph
from rbkit.ground.ledger import Ledger, own_tools, tool
from rbkit.ground.settings import seeds_path
from rbkit.tools.memory import MEMORY_TOOLS
from rbkit.trials.spec import Arm
from rbkit.worlds.world import Episodes


@pytest.fixture(scope="module")
def toy():
    graph = load_graph(seeds_path()/"toy/graph.ttl", name="toy")
    yield graph
    graph.close()

def differing(one, other):
    return {f.name for f in fields(one) if f.name != "name" and getattr(one, f.name) != getattr(other, f.name)}

def test_neighbouring_arms_of_e7_differ_in_one_thing():
    steps = [differing(one, other) for one, other in zip(ARMS, ARMS[1:])]
    assert steps == [{"salt"}, {"salt", "toolset"}, {"print_chars"}]
    assert differing(HANDLES, ARMS[2]) == {"toolset"}, "handles and rows"
    assert all(arm.mode != "inject" for arm in ARMS), "each arm has memory tools"

@pytest.mark.parametrize("toolset", ["handles", "naive"])
def test_every_tool_set_has_the_same_two_phase_memory_tools(toy, toolset):
    context = ContextBuilder(toolset=toolset, mode="tools").build("How many proteins are there?", toy, seed_bank())
    tools = {t.__name__: t for t in agent_tools(toy, context, seed_bank())}
    assert set(MEMORY_TOOLS) <= set(tools) and "search_memory" not in tools
    assert "mem_search" in context["base"].text and "mem_get" in context["base"].text
    [hit, *_] = tools["mem_search"]("count")["hits"]
    assert "content" not in hit and tools["mem_get"]([hit["id"]])["items"][0]["content"]

@pytest.mark.parametrize("toolset", ["handles", "naive"])
def test_memory_tools_are_absent_where_memory_is_injected(toy, toolset):
    context = ContextBuilder(toolset=toolset).build("How many proteins are there?", toy)
    assert not set(MEMORY_TOOLS) & {t.__name__ for t in agent_tools(toy, context, seed_bank())}

def test_the_allowance_of_memory_holds_for_rows_too(toy):
    built = ContextBuilder(("L2",), toolset="naive", mode="tools").build("How many proteins are there?", toy, seed_bank())
    tools = {t.__name__: t for t in agent_tools(toy, replace(built, allowance=300), seed_bank())}
    ids = [hit["id"] for hit in tools["mem_search"]("count", k=3)["hits"]]
    answers = [tools["mem_get"]([id]) for id in ids]
    assert "budget" in answers[-1]["error"]

def test_one_print_cap_holds_for_all_tool_sets():
    assert PRINT_CHARS == 4000
    for run in (run_rlm, run_scratchpad): assert inspect.signature(run).parameters["print_chars"].default is None

@pytest.mark.parametrize("cap", [0, 199, "4000", 2.5, True])
def test_a_print_cap_is_a_whole_number_of_200_or_more(cap):
    with pytest.raises(ValueError, match="print_chars"): Arm("x", print_chars=cap)

def test_a_world_without_a_repl_refuses_a_print_cap():
    with pytest.raises(ValueError, match="print_chars"): Episodes.check(Episodes.__new__(Episodes), Arm("x", print_chars=500))

@pytest.mark.parametrize("size,cap,large", [(5000, 1000, 1), (5000, 200_000, 1), (900, 1000, 0), (1001, 1000, 1)])
def test_large_returns_are_counted_before_the_cap(size, cap, large):
    ledger = Ledger()
    @tool(ledger=ledger, max_chars=cap)
    def f():
        "A text of this size"
        return dict(text="x"*(size-len('{"text": ""}')))
    f()
    [returned] = ledger.returns
    assert returned.whole == size and returned.chars <= cap
    assert ledger.figures()["large_returns"] == large and ledger.figures()["total_chars_returned"] == returned.chars

def test_a_tool_around_a_capped_tool_knows_the_whole_size():
    @tool(max_chars=1000)
    def mine():
        "A long text"
        return dict(text="x"*5000)
    ledger = Ledger()
    [around] = own_tools([mine], ledger)
    around()
    assert ledger.figures()["large_returns"] == 1

def test_what_a_tool_returns_is_still_a_plain_dict_to_read():
    @tool
    def f():
        "One value"
        return dict(a=1)
    assert f() == {"a": 1} and repr(f()) == "{'a': 1}" and isinstance(f(), dict)
