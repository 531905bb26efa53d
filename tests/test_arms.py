"Every field of an arm reaches what it names"
from functools import partial
from importlib import import_module
import pytest
from rbkit.retrieval.bm25 import BM25
from rbkit.retrieval.peers import TfIdf
from rbkit.trials.inputs import brought, build_contexts, prepare
from rbkit.trials.learners import Learner
from rbkit.trials.spec import BASELINE, Arm, Spec, check_settings, open_bank
from rbkit.trials.streams import walk
from rbkit.trials.versions import code_version

class WorstFirst(BM25):
    "Ranks backwards, and counts its searches"
    searches = 0
    def _search(self, query, k, mask):
        type(self).searches += 1
        slots, scores = super()._search(query, 10**6, mask)
        best = max(scores, default=0)+1
        turned = [(slot, best-score) for slot, score in zip(slots, scores)]
        turned.reverse()
        return [slot for slot, _ in turned[:k]], [score for _, score in turned[:k]]

TOY = dict(suite="seeds/toy", n_tasks=4)

def contexts(*arms, folder=None):
    "name -> task -> text of the whole context"
    spec, inputs = prepare("X", [BASELINE, *arms], **TOY)
    try:
        build_contexts(spec, inputs, folder)
        return {a.name: {t.id: inputs.contexts[a.name, t.id].text for t in inputs.tasks} for a in arms}
    finally: inputs.close()

def config(arm): return Spec("X", (arm,), check_settings(dict(TOY))).config(arm)

def test_a_retriever_decides_what_is_shown():
    plain = Arm("plain", ("L2",), bank="seeds", k=1)
    turned = Arm("turned", ("L2",), bank="seeds", k=1, retriever=WorstFirst)
    told = contexts(plain, turned)
    assert told["plain"].keys() == told["turned"].keys()
    assert any(told["plain"][t] != told["turned"][t] for t in told["plain"])
    ranked = [[h.item.id for h in open_bank("seeds", make).search("count the cats", 3)] for make in (None, WorstFirst())]
    assert ranked[0] != ranked[1]

def test_a_learner_ranks_by_its_retriever():
    learner = Learner("turned", learn="lessons", judge="oracle", retriever=WorstFirst)
    spec, inputs = prepare("X", [learner], learning=True, suite="seeds/library", n_tasks=3, n_held_out=2, n_streams=2)
    before = WorstFirst.searches
    try: steps = walk(spec, inputs, learner, 0)
    finally: inputs.close()
    assert steps and WorstFirst.searches > before

def test_a_bank_of_ones_own_is_left_alone():
    bank = open_bank("seeds")
    copy = open_bank(bank, TfIdf())
    assert open_bank(bank) is bank and copy is not bank
    assert isinstance(copy.retriever, TfIdf) and {x.id for x in copy.all()} == {x.id for x in bank.all()}

def test_k_is_a_budget_by_a_shorter_name():
    named = Arm("named", ("L2",), bank="seeds", k=2, salt="1")
    spelled = Arm("spelled", ("L2",), bank="seeds", budgets=dict(items=2), salt="2")
    told = contexts(named, spelled)
    assert told["named"] == told["spelled"]
    assert Learner("x", k=3).limits == {}, "the loop itself shows k items to a learner"

@pytest.mark.parametrize("given", [-1, 1.5, "2", True])
def test_k_is_a_whole_number(given):
    with pytest.raises(ValueError, match="must be a whole number"): Arm("x", ("L2",), k=given)

def test_guides_of_ones_own(tmp_path):
    for graph in ("toy", "library"): (tmp_path/f"{graph}.md").write_text(f"# {graph}\n\nEverything here is teal.\n")
    mine = Arm("mine", ("L3",), guide=tmp_path)
    told = contexts(mine)["mine"]
    assert all("teal" in text for text in told.values())
    assert contexts(Arm("a file", ("L3",), guide=tmp_path/"toy.md"))["a file"] == told
    before = config(mine)
    (tmp_path/"toy.md").write_text("# toy\n\nEverything here is mauve.\n")
    assert config(mine) != before, "a guide counts by what is in it"
    (tmp_path/"toy.md").unlink()
    with pytest.raises(ValueError, match="has no guide to 'toy'"): contexts(mine)

@pytest.mark.parametrize("given", ["model", "nowhere.md", "rbkit", 3])
def test_a_guide_that_is_none(given):
    with pytest.raises(ValueError, match="names no guide"): Arm("x", ("L3",), guide=given)

@pytest.mark.parametrize("given", ["bm25", TfIdf(), dict, lambda: None])
def test_a_retriever_that_is_none(given):
    with pytest.raises(ValueError, match="makes no retriever"): Arm("x", ("L2",), retriever=given)

def test_settings_of_a_retriever_tell_arms_apart():
    arms = [Arm("x", ("L2",), retriever=partial(BM25, b=b)) for b in (.2, .8)]
    assert len({config(a) for a in arms}) == 2
    assert config(Arm("x", ("L2",))) == config(Arm("y", ("L2",))), "the name is not in it"

def rank_one(hits, question, bank): return hits

def rank_two(hits, question, bank): return hits[:1]

def test_a_function_that_an_arm_brings_is_part_of_the_version():
    kit = code_version()
    found = [brought((Learner("x", rank=rank),)) for rank in (rank_one, partial(rank_two))]
    assert found == [(rank_one,), (rank_two,)]
    assert code_version(rank_one) != kit
    assert BM25 in brought((Arm("x", ("L2",), retriever=lambda: BM25(b=.1)),))

# What a user brings

def own_files(folder):
    "A pack, unrelated items, rules and a guide of one's own"
    pack, other, rules, guide = folder/"own.jsonl", folder/"other.jsonl", folder/"rules.json", folder/"own.md"
    pack.write_text('{"title": "Count proteins", "description": "how many proteins a species has", "content": "OWN count the proteins of each species"}\n')
    other.write_text('{"title": "Oil a hinge", "description": "doors", "content": "UNRELATED oil it"}\n')
    rules.write_text('{"avoid": [{"text": "OWNRULE"}], "check": []}')
    guide.write_text("# Guide\nOWNGUIDE Route up:Protein to up:Taxon: ?a up:organism ?b\n")
    return dict(bank=str(pack), placebo=str(other), rules=str(rules), guide=str(guide), retriever="hybrid")

def test_ones_own_takes_the_place_of_what_is_shipped(tmp_path):
    arms = [BASELINE, Arm("L1", ("L1",)), Arm("L2", ("L2",)), Arm("placebo", ("L2",), show="placebo"), Arm("L3", ("L3",))]
    spec, inputs = prepare("X", arms, **TOY, **own_files(tmp_path))
    try:
        build_contexts(spec, inputs, checked=False)
        told = {a.name: " ".join(inputs.contexts[a.name, t.id].text for t in inputs.tasks) for a in arms}
    finally: inputs.close()
    held = {name: {word for word in ("OWN ", "UNRELATED", "OWNRULE", "OWNGUIDE") if word in text} for name, text in told.items()}
    assert held == dict(baseline=set(), L1={"OWNRULE"}, L2={"OWN "}, placebo={"UNRELATED"}, L3={"OWNGUIDE"})
    usual = Spec("X", tuple(arms), check_settings(dict(TOY)))
    assert {a.name for a in spec.arms if spec.config(a) == usual.config(usual.arm(a.name))} == {"baseline"}

@pytest.mark.parametrize("given, said", [(dict(retriever="nosuch"), "retriever='nosuch' is unknown"), (dict(rules="nosuch.json"), "cannot be read"),
    (dict(rules="settings.ini"), "cannot be read"), (dict(bank="nosuch.jsonl"), "names no bank"), (dict(placebo="seeds/placebo.jsonl"), "would change no arm"),
    (dict(guide="nosuch.md"), "names no guide"), (dict(grade="nosuch"), "grade='nosuch' is unknown")])
def test_what_cannot_be_used_is_refused_before_anything_runs(given, said):
    arms = [BASELINE, Arm("all", ("L0", "L1", "L2", "L3"))]
    with pytest.raises(ValueError, match=said): prepare("X", arms, **TOY, **given)

OWN = '{"title": "Find what is called so", "description": "which proteins have a name; how many there are", "content": "OWN look for the label"}\n'

@pytest.fixture
def pack(tmp_path):
    (tmp_path/"own.jsonl").write_text(OWN)
    return str(tmp_path/"own.jsonl")

@pytest.mark.parametrize("exp", ["e09", *(pytest.param(later, marks=pytest.mark.slow) for later in ("e10", "e11", "e12"))])
def test_arms_that_learn_begin_with_memory_of_ones_own_where_a_run_names_some(exp, pack, tmp_path):
    which = dict(memory="none,bank") if exp == "e09" else {}
    trial = import_module(f"rbkit.experiments.{exp}").run(suite="seeds/toy", n_tasks=2, n_streams=2, out=str(tmp_path), **which, bank=pack)
    learners = [a.name for a in trial.arms if a.learn]
    assert learners and {a.name for a in trial.arms if a.bank == pack} == set(learners)
    shown = {r["arm"] for r in trial.valid_rows if r["memory_items_injected"]}
    assert shown == set(learners), "each arm that learns, and no other, is shown what the pack holds"
    assert "OWN look for the label" in (trial.folder.path/"contexts.jsonl").read_text() and "bank-own" in trial.folder.path.name
    assert all("OWN look for the label" in [x.content for x in trial.learned(name)] for name in learners if not dict(trial.spec.arm(name).bound))

def test_arms_that_learn_without_a_memory_layer_take_no_memory_of_ones_own(pack):
    blind = [Learner("none", ("L0",)), Learner("learns, is shown nothing", ("L0",), learn="lessons"), Learner("memory", learn="lessons")]
    spec, inputs = import_module("rbkit.trials.learning").prepare_streams("X", blind, suite="seeds/toy", n_tasks=2, bank=pack)
    inputs.close()
    assert [a.bank for a in spec.arms] == ["empty", "empty", pack]

@pytest.mark.parametrize("exp", ["E5", "E9", "E10", "E11", "E12"])
def test_memory_that_is_not_there_is_refused_before_a_notebook_starts(exp, tmp_path, capsys, monkeypatch):
    from rbkit.reports.cli import main
    monkeypatch.setattr("rbkit.reports.report.execute", lambda *args: pytest.fail("a notebook was started"))
    assert main(["run", exp, "--bank", "nosuch.jsonl", "--out", str(tmp_path)]) == 1
    assert "bank='nosuch.jsonl' names no bank" in capsys.readouterr().err and not list(tmp_path.iterdir())

@pytest.mark.parametrize("typed", [["run", "E5"], ["run", "E10"], ["plan", "E6"], ["plan", "E9"], ["table", "--world=toy", "--arms=none,bank"]])
def test_a_record_that_cannot_be_read_is_named_with_its_field_and_what_to_do(typed, tmp_path, capsys):
    from rbkit.reports.cli import main
    pack, out = tmp_path/"own.jsonl", tmp_path/"out"
    pack.write_text('{"title": "t", "description": "d", "content": "c"}\n{"title": "t", "content": "c"}\n')
    assert main([*typed, "--bank", str(pack), "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert "own.jsonl, line 2: field 'description' is missing or empty; an item needs title, description, content" in error and "__init__" not in error and not out.exists()

def test_ids_are_asked_for_where_the_setting_says_so_and_of_arms_with_memory_alone(monkeypatch):
    from rbkit.trials.inputs import build_contexts, prepare
    arms = [BASELINE, Arm("memory", ("L2",), min_score=0)]
    for said, asked in (("false", False), ("true", True)):
        monkeypatch.setenv("RBKIT_CITE_ITEMS", said)
        spec, inputs = prepare("E05", arms, suite="seeds/toy", n_tasks=2, n_repeats=1)
        build_contexts(spec, inputs)
        told = ["name the (id) of what you use" in inputs.contexts["memory", task.id].text for task in inputs.tasks]
        assert [arm.cite for arm in spec.arms] == [False, asked] and all(told) is asked
        inputs.close()

def test_ids_are_shown_over_a_graph_and_in_a_world_of_steps_alike():
    from rbkit.bank.items import Item
    from rbkit.worlds.graph import open_world
    items = [Item("Where mugs are", "Tasks in which a mug has to be found.", "Look for mug in coffeemachine.")]
    world = open_world("household")
    task = world.tasks()[0]
    for asked in (False, True):
        arm = Arm("memory", ("L0", "L1", "L2"), cite=asked)
        shown = world.builder(arm, "full")(task, items)["memory"].text
        assert (f"({items[0].id})" in shown, "name the (id) of what you use" in shown) == (asked, asked)
    world.close()

def test_the_retriever_that_an_error_shows_is_one_that_works():
    import re
    from rbkit.retrieval.bm25 import BM25
    from rbkit.retrieval.dense import Dense
    from rbkit.retrieval.encoder import embedder
    from rbkit.retrieval.fusion import Hybrid
    with pytest.raises(ValueError) as e: Arm("x", ("L2",), retriever=3)
    made = eval(re.search(r"lambda: .*\)(?=: each)", str(e.value))[0], dict(BM25=BM25, Dense=Dense, Hybrid=Hybrid, embedder=embedder))
    assert Arm("x", ("L2",), retriever=made)

NO_RULES = {'{"avoid": [{"text": "x", "when": ["age", "older"]}]}': "when is .*one text", '{"avoid": ["x"], "chek": ["y"]}': "unknown key 'chek'",
    '{"avoid": [{"text": "x", "wen": "y"}]}': "unknown key 'wen'", '{"avoid": "x"}': "no list", '{}': "holds no rules", '{"avoid": []}': "holds no rules", '': "cannot be read"}

@pytest.mark.parametrize("text", NO_RULES)
def test_rules_that_are_none_are_one_clear_error(text, tmp_path):
    from rbkit.trials.inputs import with_own
    (tmp_path/"rules.json").write_text(text)
    with pytest.raises(ValueError, match=NO_RULES[text]): with_own([Arm("x", ("L1",))], rules=str(tmp_path/"rules.json"))
