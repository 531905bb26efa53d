"The simulated model is a fair reader: a layer's text is all that its advantage hangs on"
import re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
import pytest
from house import clean_env, root, sh
from rbkit.bank.bank import seed_bank
from rbkit.context import Context, ContextBuilder
from rbkit.agents.code import run_rlm
from rbkit.agents.guides import read_guide
from rbkit.ground.ledger import Ledger
from rbkit.models.connect import connect
from rbkit.models.sim_analyst import Seen, decide
from rbkit.models.sim_reader import IDIOMS, PLANTED, Profile, read_prompt, taught_only
from rbkit.models.simulated import agent_reply
from rbkit.graphs.suites import load_suite
from rbkit.graphs.checks import check_answer

# Tasks that come out right with the layer and wrong without it. Found by running every shipped task under every arm.
CASES = dict(
    constraints=("L1", ["geography-L2-02", "proteins-L2-03", "provenance-L2-05", "provenance-L3-02"]),
    memory=("L0,L1,L2,L3", ["geography-L5-03", "geography-L5-06", "proteins-L5-01", "provenance-L5-06"]),
    guide=("L3", ["geography-L2-03", "proteins-L2-08", "provenance-L3-02"]))
SEEDS = (1, 2)
STRICT = taught_only(*PLANTED, flip=Profile().flip) # manages what its prompt says and nothing else

@pytest.fixture(scope="module")
def suite():
    s = load_suite("seeds/graphs")
    yield s
    s.close()

def context_of(suite, task, layers): return ContextBuilder(layers, "full").build(task, suite.graph(task.graph), seed_bank(), read_guide(suite.graph(task.graph)).text)

def with_text(context, name, change): return Context(tuple(replace(l, text=change(l.text)) if l.name == name else l for l in context.layers), context.mode)

def without(context, name): return Context(tuple(l for l in context.layers if l.name != name), context.mode)

def filler(text): return ("Lorem ipsum dolor sit amet. "*200)[:len(text)]

def play(suite, task, context, seed):
    "Is the answer right, and what code was written?"
    a = run_rlm(task.question, suite.graph(task.graph), context, connect("sim", seed, profile=STRICT), Ledger())
    ok = a.outcome == "answered" and check_answer(suite, task, a.answer).correct
    return ok, [t["code"] for t in a.trace if t["kind"] == "step"]

RANKED = r"\b(most|largest|longest|highest|biggest|shortest|smallest|lowest|fewest|first)\b"

def test_a_need_is_asked_about_only_where_a_question_needs_it(suite, monkeypatch):
    asked = set()
    def chance(profile, need, told): asked.add(need); return 1.0
    monkeypatch.setattr(Profile, "chance", chance)
    ranked = {}
    for task in suite.tasks[::6]:
        asked.clear()
        play(suite, task, context_of(suite, task, "L0,L1,L2,L3"), 1)
        if "rank" in asked: ranked[task.id] = bool(re.search(RANKED, task.question, re.I))
    assert ranked and all(ranked.values()), ranked

@pytest.mark.parametrize("name", CASES)
def test_without_its_text_a_layer_is_worth_nothing(suite, name):
    layers, ids = CASES[name]
    tasks = {t.id: t for t in suite.tasks}
    def one(id, seed):
        c = context_of(suite, tasks[id], layers)
        arms = (c, with_text(c, name, lambda t: ""), without(c, name), with_text(c, name, filler))
        return [play(suite, tasks[id], x, seed) for x in arms]
    with ThreadPoolExecutor(2) as pool: done = list(pool.map(lambda x: one(*x), [(i, s) for i in ids for s in SEEDS]))
    for full, blank, none, words in done:
        assert blank == none, "the layer's name alone changed what was done"
        assert words == none, "a text that says nothing changed what was done"
    right = lambda k: sum(d[k][0] for d in done)/len(done)
    assert right(0) >= .75 and right(1) <= .25, f"with {name}: {right(0):.0%} right, with its text blanked {right(1):.0%}: pin other tasks, or mend the layer"

def plain(suite, levels, profile, seeds=(1,)):
    "(graph, level) -> share of its tasks that come out right without any layer"
    def one(task, seed):
        a = run_rlm(task.question, suite.graph(task.graph), context_of(suite, task, ""), connect("sim", seed, profile=profile), Ledger())
        return a.outcome == "answered" and check_answer(suite, task, a.answer).correct
    tasks = [t for t in suite.tasks if t.level in levels]
    found = {}
    for task in tasks: found.setdefault((task.graph, task.level), []).extend(one(task, s) for s in seeds)
    return {k: sum(v)/len(v) for k, v in found.items()}

@pytest.mark.slow
def test_no_level_of_any_graph_is_out_of_reach_without_memory(suite):
    "What the stand-in cannot read at all no layer can teach it: success would measure its grammar, and not the memory"
    share = plain(suite, (3, 4, 5), Profile(slips=0, flip=0, p_error=0))
    assert len(share) == 9 and min(share.values()) >= .5, share

@pytest.fixture(scope="module")
def four_seeds(suite):
    "Plain success by graph and level: with 24 tasks at a level, one seed leaves a standard error of a tenth"
    return plain(suite, range(1, 6), Profile(), (1, 2, 3, 4))

def at_level(share, *levels):
    found = [v for (_, level), v in share.items() if level in levels]
    return sum(found)/len(found)

@pytest.mark.slow
def test_plain_success_falls_from_level_to_level(four_seeds):
    share = four_seeds
    by_level = [at_level(share, n) for n in range(1, 6)]
    assert .65 <= by_level[0] <= .9 and .18 <= by_level[4] <= .35 and by_level == sorted(by_level, reverse=True), by_level
    assert max(higher-lower for higher, lower in zip(by_level, by_level[1:])) <= .25, f"evenly, and not in one step: {by_level}"
    for graph in {graph for graph, _ in share}:
        own = [share[graph, n] for n in range(1, 6)]
        assert own[0] >= .6 and .1 <= own[4] <= .4 and all(lower <= higher+.1 for higher, lower in zip(own, own[1:])), (graph, own)

LEVELS = dict(plain="", constraints="L1", memory="L2", guide="L3", all="L0,L1,L2,L3") # arm -> layers

@pytest.mark.slow
def test_success_falls_by_level_and_every_layer_helps(suite, four_seeds):
    "The default profile, a quick run: 120 tasks, five arms that share their noise"
    tasks = suite.tasks
    def one(arm, task):
        context = context_of(suite, task, LEVELS[arm])
        a = run_rlm(task.question, suite.graph(task.graph), context, connect("sim", 1), Ledger())
        return arm, task.level, a.outcome == "answered" and check_answer(suite, task, a.answer).correct
    with ThreadPoolExecutor(2) as pool: done = list(pool.map(lambda x: one(*x), [(arm, t) for arm in LEVELS for t in tasks]))
    def share(arm, levels):
        right = [ok for a, level, ok in done if a == arm and level in levels]
        return sum(right)/len(right)
    low, middle, high = (at_level(four_seeds, *levels) for levels in ((1, 2), (3, 4), (5,)))
    assert low > middle > high and low > .65 and .05 < high < .45, (low, middle, high)
    for arm in ("constraints", "guide"): assert share(arm, range(1, 6)) >= share("plain", range(1, 6)), arm
    assert share("memory", (4, 5)) > share("plain", (4, 5)) and share("all", range(1, 6)) >= share("plain", range(1, 6))+.05

def test_the_table_declares_a_gain_for_whatever_a_layer_tells():
    for need, planted in PLANTED.items():
        assert planted.told > planted.unaided if planted.layers else planted.told == planted.unaided, need
        assert Profile().chance(need, False) == pytest.approx(planted.unaided) and Profile(slips=0, flip=0).chance(need, False) == 1

def test_a_lesson_is_worded_in_several_ways_and_one_contradicts_another():
    from rbkit.models.sim_extractor import extraction_reply
    import json
    def lesson(question, query, seed):
        shown = f"Final query: {query}\nResults: Rows 3\nEnding: answered"
        return json.loads(extraction_reply(dict(question=question, verdict="success", trajectory=shown), 3, seed))["items"]
    grouped = "SELECT ?g (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x ex:in ?g } GROUP BY ?g"
    titles = {lesson("How many books does each branch have?", grouped, seed)[0]["title"] for seed in range(12)}
    assert len(titles) == 3 and lesson("q", grouped, 1) == lesson("q", grouped, 1)
    direct = lesson("Which branches are directly part of it?", "SELECT ?x WHERE { ?x ex:partOf ex:a }", 1)[0]["content"]
    assert "direct" in read_prompt(direct).idioms and not lesson("Which branches are part of it?", "SELECT ?x WHERE { ?x ex:partOf ex:a }", 1)
    assert not lesson("Which branches are directly part of it?", "SELECT ?x WHERE { ?x ex:partOf+ ex:a }", 1)[0]["content"].startswith("Take the direct")

def test_an_idiom_is_known_only_when_the_text_shows_it():
    shows = dict(group="GROUP BY ?x", having="HAVING(COUNT(?y) > 2)", average="AVG(?n)", negation="FILTER NOT EXISTS { ?x ex:p ?y }", optional="OPTIONAL { ?x ex:p ?y }")
    for name, text in shows.items():
        assert name in IDIOMS and name not in read_prompt("You answer questions.").idioms and name in read_prompt(f"Write {text}.").idioms

def test_terms_come_from_the_prompt_alone():
    k = read_prompt("Class ex:Bee \"bee\" 3 e.g. ex:maja\nProperty ex:livesIn 3 on 100% of ex:Bee", "")
    assert set(k.classes) == {"ex:Bee"} and set(k.props) == {"ex:livesIn"} and not k.edges
    assert not read_prompt("You answer a question.").classes and not read_prompt("You answer a question.").props

def test_advice_to_do_without_is_obeyed():
    shows, plain = "Write AVG(?n) and GROUP BY ?x.", "List the things with one plain pattern and submit the rows as they come"
    moody = Profile(p_discover=1)
    def asked(text):
        system = f'You answer questions.\n{text}\nClass ex:Bee "bee" 3\nProperty ex:age "age" 3 on 100% of ex:Bee'
        kind, query = decide("What is the average age of the bees? Return the number.", system, Seen(explored=True, sought=True), moody, 1)
        return query if kind == "ask" else kind
    assert "AVG" in asked("") and "AVG" in asked(shows), "a discovery or a text that shows an idiom is enough to use it"
    assert "AVG" not in asked(plain), "told to do without, it does without, whatever its discovery probability"

class Ear:
    "Keeps every request of a run"
    def __init__(self, meter):
        self.engine, self.heard = meter.engine, []
        meter.engine = self
    def complete(self, request):
        from rbkit.models.connect import request_text
        self.heard.append(request_text(request)); r = self.engine.complete(request); self.heard[-1] += (r.message.text,)
        return r
    def close(self): self.engine.close()

def test_the_same_request_gets_the_same_reply_in_a_fresh_process(suite, tmp_path):
    import json
    task = suite.tasks[40]
    lm = connect("sim", 5); ear = Ear(lm.meter)
    run_rlm(task.question, suite.graph(task.graph), context_of(suite, task, "L0,L1"), lm, Ledger())
    assert len(ear.heard) >= 2
    (tmp_path/"heard.json").write_text(json.dumps(ear.heard))
    code = "import json, sys\nfrom rbkit.models.sim_reader import Profile\nfrom rbkit.models.simulated import agent_reply\nfor s, u, r in reversed(json.load(open(sys.argv[1]))): assert agent_reply(s, u, Profile(), 5) == r"
    for seed in ("0", "1"): sh(sys.executable, "-c", code, tmp_path/"heard.json", env=clean_env(PYTHONHASHSEED=seed), check=True)
    for s, u, r in ear.heard: assert agent_reply(s, u, Profile(), 5) == r

def test_noise_is_declared_and_can_be_switched_off(suite):
    task = next(t for t in suite.tasks if t.id == CASES["guide"][1][0])
    lms = [connect("sim", seed, profile=Profile(flip=0, p_error=0, slips=0)) for seed in (1, 2, 3)]
    c = context_of(suite, task, "L0,L1,L2,L3")
    codes = [[t["code"] for t in run_rlm(task.question, suite.graph(task.graph), c, lm, Ledger()).trace if t["kind"] == "step"] for lm in lms]
    assert codes[0] == codes[1] == codes[2], "with no noise, the seed decides nothing"
