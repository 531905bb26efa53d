"What queries and their tools say: limits, notes, errors and cut values"
import time
import pytest
from rbkit.graphs.graph import load_graph
from rbkit.handles import BlobStore
from rbkit.tools.ctx import ctx_tools
from rbkit.ground.ledger import tool
from rbkit.worlds.comparison import compare_answers

# Patterns of a model

def finder(text):
    store = BlobStore()
    store.put(text)
    return {f.__name__: f for f in ctx_tools(store, tool, 1000)}["ctx_find"]

@pytest.mark.parametrize("pattern", ["a{3000000}", "(?:a{2000}){2000}", "(a{1000}){1000}", "x"*5000, "(?R)", "(a|aa)+$"])
def test_a_pattern_that_costs_too_much_is_an_error_and_soon(pattern):
    start = time.perf_counter()
    found = finder("a"*60+"!")("text_0", pattern)
    assert "error" in found and "ctx_find('text_0', 'word')" == found["try"]
    assert len(found["error"]) < 320
    assert time.perf_counter()-start < 20

@pytest.mark.parametrize("pattern, hits, mode", [("cat", 2, "regex"), (r"c\w+", 2, "regex"), (r"(?:cat ){2}", 1, "regex"), ("f(", 1, "text"),
    (r"\d{4}", 1, "regex"), (r"(?e)(?:cut){e<=1}", 2, "regex"), ("[0-9", 0, "text")])
def test_an_ordinary_pattern_finds_what_it_describes(pattern, hits, mode):
    found = finder("cat cat f( 2024")("text_0", pattern)
    assert (found["n"], found["mode"]) == (hits, mode)

def test_plain_patterns_start_no_process(monkeypatch):
    patterns = pytest.importorskip("rbkit.ground.patterns")
    monkeypatch.setattr(patterns.subprocess, "run", lambda *a, **k: pytest.fail("a process was started"))
    for pattern in ("word", r"up:\w+", "(cat|dog)s?", r"[0-9]{4}-[0-9]{2}", "(?i)CAT.*?dog"):
        finder("a cat and 2024-10")("text_0", pattern)

def test_a_search_with_many_hits_stays_small():
    found = finder("a"*200_000)("text_0", "a", k=10**9)
    assert found["n"] == 100_000 and found["truncated"]

@pytest.mark.parametrize("gold", ["(a{2000}){2000}", "a{3000000}"])
def test_a_costly_pattern_of_a_task_is_cut_off(gold):
    assert compare_answers(gold, "a"*300, "regex").reason == "the check was cut off"
