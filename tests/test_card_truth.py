"""What a prompt shows of memory, and what the cards and tools say of a graph, is there and is true"""
from types import SimpleNamespace
import json
import pytest
from hypothesis import given, settings, strategies as st
from rbkit.agents.turns import memory_layer
from rbkit.context import ContextBuilder
from rbkit.graphs.graph import load_graph
from rbkit.ground.settings import budgets, seeds_path
from rbkit.ground.shown import even_shares
from rbkit.packers import estimate_tokens, pack_guide, pack_memory
from rbkit.packers.fit import clip
from rbkit.trials.acted import ACTS, without_content
from rbkit.trials.spec import Arm

# Memory: content first

def item(title="A title", content="Do this.", polarity="success", description="", **more):
    fields = dict(title=title, content=content, polarity=polarity, description=description, preconditions="", pitfalls="")
    return SimpleNamespace(**{**fields, **more})

def seeds(*names):
    lines = [line for name in names for line in open(seeds_path()/f"{name}.jsonl", encoding="utf-8")]
    return [SimpleNamespace(**json.loads(line)) for line in lines]

def body(packed):
    "The text of the items, without the fence"
    return packed.text.partition("\n")[2].rpartition("\n")[0]

def content_shown(x, packed, least=40):
    "Does the beginning of a content stand in a text?"
    return x.content[:least] in packed.text

@pytest.mark.parametrize("profile, whole", [("full", True), ("compact", False)])
def test_every_shipped_item_shows_its_content(profile, whole):
    b = budgets(profile)
    for advice in seeds("strategies", "placebo"):
        for guardrail in seeds("guardrails"):
            p = pack_memory([advice, guardrail], b["memory"], b["item_chars"])
            assert p.kept == p.with_content == 2 and len(p.text) <= b["memory"]
            assert content_shown(advice, p) and content_shown(guardrail, p)
            assert not whole or p.whole == 2 and advice.content in p.text and guardrail.content in p.text

def test_compact_holds_two_items_of_300_characters_whole():
    b = budgets("compact")
    def sized(polarity):
        bare = pack_memory([item(polarity=polarity, content="x")], 10**4, 10**4)
        return item(polarity=polarity, content="y"*(300-len(body(bare))+1))
    for pair in (["success", "failure"], ["success", "success"]):
        p = pack_memory([sized(polarity) for polarity in pair], b["memory"], b["item_chars"])
        assert (p.kept, p.whole, p.left_out) == (2, 2, 0) and len(p.text) <= b["memory"]

def test_the_content_comes_before_the_description():
    x = item("A title of some words", "Join on the node. "*8, description="Why and when. "*20)
    p = pack_memory([x], 300)
    assert x.content.strip() in p.text and x.title in p.text and "Why and when" not in p.text
    assert (p.with_content, p.whole) == (1, 0) and body(p).endswith("[...]")

def test_the_title_comes_before_the_description_and_pitfalls_before_it_too():
    x = item("A title of some words", "Join.", description="D"*200, pitfalls="Two nodes.")
    assert "Beware: Two nodes." in pack_memory([x], 160).text and "DDD" not in pack_memory([x], 160).text

@pytest.mark.parametrize("content", ["One sentence without an end "*40, "x"*900, "没有空格的长句子"*90,
    "SELECT ?s { ?s a e:A . ?s e:p ?o ; e:q ?r . } "*20, "- a step\n- another one\n"*40])
@pytest.mark.parametrize("title", ["", "T", "A long title with very many words in it, as people write them "*2])
@pytest.mark.parametrize("most", [60, 120, 300])
def test_a_cut_item_shows_content(content, title, most):
    p = pack_memory([item(title, content, description="D. "*100, pitfalls="P. "*100)], 1000, most)
    shown = body(p).split("]\n", 1)[1].removesuffix(" [...]")
    assert p.with_content == 1 and shown and content.startswith(shown) and len(body(p)) <= most
    assert len(shown) >= most/3

def test_an_item_of_which_no_content_fits_is_left_out():
    p = pack_memory([item("A title", "Do this and that.")], 75)
    assert (p.text, p.kept, p.left_out, p.with_content) == ("", 0, 1, 0)

def test_an_item_that_has_only_a_description_shows_it():
    assert "When it fits" in pack_memory([item(content="", description="When it fits. "*40)], 200).text

def test_what_a_short_item_does_not_need_goes_to_the_other():
    long = item(content="Look again. "*100)
    p = pack_memory([item(content="Short."), item(content="Look again. "*100, polarity="failure")], 1000)
    assert p.kept == 2 and len(p.text) > 960 and "Short." in p.text
    assert len(pack_memory([long, item(polarity="failure", content="Not this. "*100)], 1000).text) > 900

def test_shares():
    assert even_shares([5, 5], 20) == [5, 5] and even_shares([900, 100, 900], 1000) == [450, 100, 450]
    assert even_shares([], 10) == [] and even_shares([3], 0) == [0]

@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.integers(0, 300), st.sampled_from([len, estimate_tokens]))
def test_a_clipped_text_is_a_beginning_that_fits(text, most, count):
    part = clip(text, most, count)
    assert text.startswith(part) and count(part) <= most
    assert part == text or count(text) > most

def test_a_query_is_not_cut_between_its_brackets():
    text = "First find it: SELECT ?s WHERE { ?s a e:A ; e:p ?o } LIMIT 5. Then join on it and see what there is."
    assert clip(text, 66) == "First find it: SELECT ?s WHERE { ?s a e:A ; e:p ?o } LIMIT 5."

def test_a_guide_of_long_lines_shows_the_beginning_of_one():
    text = pack_guide("# Heading\nProteins are linked to taxa by up:organism. "+"They have names. "*30, 200).text
    assert text.startswith("Proteins are linked to taxa by up:organism.") and len(text) <= 200 and "1 more lines" in text

def test_rows_count_the_items_that_show_content():
    items = [item(content="Go on. "*200, id="a"), item(polarity="failure", content="Stop.", id="b")]
    with load_graph(seeds_path()/"toy/graph.ttl", isolate=False) as g:
        context = ContextBuilder("L2", "compact").build("How many?", g, items)
    f = context.figures()
    assert (context.items, f["memory_items_with_content"], f["memory_items_whole"]) == (2, 2, 1)
    layer = memory_layer(items, 400)
    assert (len(layer.retrieved), layer.with_content, layer.whole) == (2, 2, 1)

def test_an_item_without_content_does_not_count_and_is_warned_of():
    arm = Arm("memory", ("L2",))
    rows = [dict(arm="memory", memory_chars=90, memory_items_injected=2, memory_items_with_content=n) for n in (0, 1)]
    assert [ACTS["shown"].count(row) for row in rows] == [0, 1]
    assert "3 of 4 memory items in the prompts of 'memory'" in without_content([arm], rows)[0]
    whole = [dict(row, memory_items_with_content=2) for row in rows]
    old = [dict(arm="memory", memory_chars=90, memory_items_injected=2)]
    assert without_content([arm], whole) == without_content([arm], old) == [] and ACTS["shown"].count(old[0]) == 2
