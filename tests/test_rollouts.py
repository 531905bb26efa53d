"Rollouts: that they are concurrent and independent, that choosing and counting are exact, that a budget holds"
import contextvars, random, threading
from dataclasses import replace
from types import SimpleNamespace
import dspy, numpy as np, pytest
from dspy.lm15 import Message, Response, TextPart, Usage
from hypothesis import given, settings, strategies as st
from house import root
from rbkit.agents.executors import run_agent
from rbkit.context import ContextBuilder
from rbkit.models.connect import BudgetReached, Metered, Spend, connect
from rbkit.agents.evidence import Evidence
from rbkit.policies.judging import Judgment, ModelJudge, Oracle
from rbkit.policies.rollouts import STRATEGIES, Check, ModelCheck, Rollout, Variation, afford, check_act, judged, parallel, reworded, rollout, sequential, spent, render, vary
from rbkit.ground.text import jaccard
from rbkit.policies.selection import Choice, Diversity, Scheduler, diversity, lessons, mixing, moves_of, same_answers, select, vendi
from rbkit.models.sim_reader import Profile
from rbkit.graphs.suites import load_suite

WAIT = 60 # seconds after which a barrier gives up; nothing here waits that long unless it is broken

@pytest.fixture(scope="module")
def toy():
    s = load_suite(root/"seeds/toy")
    yield s
    s.close()

def made(v, answer=("x",), ending="answered", verdict=None, sure=.9, oracle=False, tokens=1, sparql="", steps=()):
    j = None if verdict is None else Judgment(verdict, sure, "", "test", oracle)
    return Rollout(v if isinstance(v, Variation) else Variation(v, 9), Evidence("?", sparql, tuple((a,) if isinstance(a, str) else tuple(a) for a in answer), ending, steps=steps), j,
        dict(tokens=tokens))

def scripted(*replies):
    class Script:
        def __init__(self): self.replies, self.asked = list(replies), []
        def complete(self, request):
            self.asked.append(request)
            return Response(id=None, model=request.model, message=Message.assistant([TextPart(self.replies.pop(0))]), finish_reason="stop", usage=Usage(total_tokens=2))
        def close(self): pass
    engine = Script()
    meter = Metered(engine)
    lm = dspy.LM("sim/script", engine=meter, cache=False, num_retries=0)
    lm.script, lm.meter = engine, meter
    return lm

# Variations

@given(st.text(min_size=1, max_size=80), st.integers(1, 9), st.sampled_from(STRATEGIES))
@settings(max_examples=150, deadline=None)
def test_variations_are_the_same_each_time_and_the_first_is_plain(question, n, strategy):
    vs = vary(question, n, strategy)
    assert vs == vary(question, n, strategy) and [v.rollout for v in vs] == list(range(n)) and {v.of for v in vs} == {n}
    assert (vs[0].question, vs[0].note) == (question, "")
    if strategy == "rephrase": assert len({v.question for v in vs[:5]}) == len(vs[:5])
    else: assert {v.question for v in vs} == {question}
    if strategy in ("prefix", "thinking"): assert all(v.note for v in vs[1:]) and len({v.note for v in vs[1:5]}) == len(vs[1:5])

def test_rewording_leaves_what_is_quoted_and_what_is_named():
    q = "Which rivers flow through 'each Return' and every country? Return each name."
    for i in range(1, 9): assert "'each Return'" in reworded(q, i)
    assert reworded(q, 1) == "What rivers flow through 'each Return' and each country? Return only every name."
    assert reworded("Which of them is it?", 1).startswith("Which of them is it?")

def test_rephrasings_may_come_from_elsewhere():
    assert [v.question for v in vary("q", 3, "rephrase", say=lambda q, i: f"{q}{i}")] == ["q", "q1", "q2"]

def test_a_note_leaves_the_shared_layers_alone(toy):
    c = ContextBuilder("L0,L1").build("How many?", toy.graph("toy"))
    for v in vary("How many?", 4, "thinking"):
        t = render(c, v)
        assert t.text.startswith(c.text) and t.text.endswith(v.note) and t.layers[:len(c.layers)] == c.layers

# Side by side

def test_acts_overlap():
    gate = threading.Barrier(5)
    def act(v):
        gate.wait(WAIT) # passes only if all five are inside at once
        return made(v)
    assert [r.variation.rollout for r in parallel(act, vary("?", 5))] == [0, 1, 2, 3, 4]

def test_no_more_at_once_than_workers():
    lock, now, most = threading.Lock(), [0], [0]
    def act(v):
        with lock: now[0] += 1; most[0] = max(most[0], now[0])
        out = made(v)
        with lock: now[0] -= 1
        return out
    parallel(act, vary("?", 12), workers=2)
    assert 1 <= most[0] <= 2

def test_the_order_is_that_of_the_numbers_whoever_ends_first():
    turns = [threading.Event() for _ in range(4)]
    turns[3].set()
    def act(v): # the last one ends first
        turns[v.rollout].wait(WAIT)
        if v.rollout: turns[v.rollout-1].set()
        return made(v)
    assert [r.variation.rollout for r in parallel(act, reversed(vary("?", 4)))] == [0, 1, 2, 3]

def test_each_thread_has_its_own_copy_of_the_context_variables():
    name = contextvars.ContextVar("name", default="nobody")
    name.set("caller")
    gate, seen = threading.Barrier(3), {}
    def act(v):
        before = name.get()
        name.set(f"rollout {v.rollout}")
        gate.wait(WAIT)
        seen[v.rollout] = (before, name.get())
        return made(v)
    parallel(act, vary("?", 3))
    assert seen == {i: ("caller", f"rollout {i}") for i in range(3)} and name.get() == "caller"

def test_dspy_finds_the_callers_model_in_a_thread():
    lm = connect("sim")
    with dspy.context(lm=lm): got = parallel(lambda v: replace(made(v), payload=dspy.settings.lm), vary("?", 2))
    assert all(r.payload is lm for r in got)

def test_an_exception_in_one_loses_no_other():
    gate, ended = threading.Barrier(4), []
    def act(v):
        gate.wait(WAIT)
        if v.rollout == 1: raise KeyError("broken")
        ended.append(v.rollout)
        return made(v)
    with pytest.raises(KeyError, match="broken") as e: parallel(act, vary("?", 4))
    assert sorted(ended) == [0, 2, 3] and [r.variation.rollout for r in e.value.rollouts] == [0, 2, 3]

def test_a_budget_comes_before_a_mishap():
    def act(v):
        if v.rollout == 0: raise ValueError("mishap")
        if v.rollout == 1: raise BudgetReached("spent")
        return made(v)
    with pytest.raises(BudgetReached) as e: parallel(act, vary("?", 3))
    assert [r.variation.rollout for r in e.value.rollouts] == [2]

def test_what_is_no_rollout_is_refused():
    with pytest.raises(TypeError, match="an act returns a Rollout"): parallel(lambda v: "done", vary("?", 2))
    with pytest.raises(ValueError, match="one number"): parallel(made, [Variation(0, 2), Variation(0, 2)])
    assert parallel(made, []) == []

def acting(toy, task, layers="L0,L1", profile=Profile(p_discover=.5, p_error=.3), seed=0):
    g = toy.graph("toy")
    c = ContextBuilder(layers).build(task, g)
    return lambda v: rollout(v, task, run_agent(v.question or task.question, g, render(c, v), connect("sim", seed+v.rollout, profile=profile)), g)

def test_real_rollouts_keep_the_contract_and_say_their_cost(toy):
    t = toy.tasks[2]
    rolls = check_act(acting(toy, t), t.question, n=2)
    assert all(r.cost["tokens"] > 0 and r.cost["calls"] > 0 and r.cost["request_chars"] > 0 for r in rolls)
    assert spent(rolls)["tokens"] == sum(r.payload.tokens for r in rolls)

def test_the_stand_in_answers_every_wording():
    suite = load_suite(root/"seeds/graphs")
    def answers(t):
        g = suite.graph(t.graph)
        c = ContextBuilder("L0,L1").build(t, g)
        def act(v): return rollout(v, t, run_agent(v.question, g, c, connect("sim", profile=Profile(p_discover=1.0, p_error=0, flip=0))), g)
        return [len(x) for x in same_answers(parallel(act, vary(t.question, 3, "rephrase"), 2), g)], any(act(v).answered for v in vary(t.question, 1))
    got = [answers(t) for t in suite.pick(6, 3)]
    suite.close()
    assert all(sizes == [3] for sizes, ok in got if ok), got

# Diversity

sets = st.lists(st.frozensets(st.integers(0, 6), max_size=5), min_size=1, max_size=6)

@given(sets, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_vendi_is_bounded_and_blind_to_order(found, rng):
    K = lambda xs: np.array([[jaccard(a, b) for b in xs] for a in xs])
    v, order = vendi(K(found)), rng.sample(found, len(found))
    assert 1 <= v <= len(found) and abs(vendi(K(order))-v) < 1e-8
    assert (v < 1+1e-9) == (len(set(found)) == 1)
    assert np.linalg.eigvalsh(K(found)).min() > -1e-9 # Jaccard is a kernel, or the entropy would mean nothing

@pytest.mark.parametrize("n", range(1, 8))
def test_vendi_at_both_ends(n):
    assert vendi(np.ones((n, n))) == pytest.approx(1) and vendi(np.eye(n)) == pytest.approx(n)

def test_vendi_by_hand():
    a = .5 # two things half alike: eigenvalues (1±a)/2
    w = np.array([(1+a)/2, (1-a)/2])
    assert vendi([[1, a], [a, 1]]) == pytest.approx(float(np.exp(-(w*np.log(w)).sum())))

def test_diversity_of_runs():
    q = lambda text: (("step", f"r = sparql_query({text!r})"),)
    step = lambda text: ((f"r = sparql_query({text!r})\nprint(r)", ""),)
    same = [made(i, ["a"], steps=step("ASK { ?s ?p ?o }")) for i in range(3)]
    assert diversity(same) == Diversity(3, 1.0, 1.0, 1)
    apart = [made(i, [str(i)], steps=((w, ""),)) for i, w in enumerate(("go north", "take lamp", "open door"))] # a world without code
    assert diversity(apart) == Diversity(3, 3.0, 0.0, 3)
    assert diversity([]).n == 0 and diversity(same[:1]) == Diversity(1, 1.0, 1.0, 1)

def test_a_path_holds_tools_and_queries_in_whatever_form():
    code = "names = ['x']\nr = sparql_query('''SELECT ?x\n WHERE { ?x ?y ?z }''')\nsparql_slice(r)\nprint(len(names))"
    assert moves_of(Evidence("?", steps=((code, ""),))) == {("sparql_query",), ("SELECT ?x WHERE { ?x ?y ?z }",), ("sparql_slice",)}
    assert moves_of(Evidence("?", steps=(("sparql_query(query='ASK {}', limit=3)", ""),))) == {("sparql_query",), ("ASK {}",)}
    assert moves_of(Evidence("?", steps=(("a", ""), ("b", ""), ("c", ""))), 2) == {("a", "b"), ("b", "c")}
    assert moves_of(Evidence("?")) == frozenset()

# Choosing

def test_equal_results_are_one_class_in_any_order_of_rows_and_columns(toy):
    g = toy.graph("toy")
    full = "http://purl.uniprot.org/uniprot/P01308"
    rolls = [made(0, [("protein:P01308", "3"), ("protein:P01942", "4.0")]), made(1, [("4", "protein:P01942"), ("3", f"<{full}>")]),
             made(2, [("protein:P01308", "4"), ("protein:P01942", "3")]), made(3, [], "not_converged"), made(4, [])]
    assert same_answers(rolls, g) == [(0, 1), (2,)]
    c = select(rolls, "consistency", g)
    assert (c.index, c.votes, c.oracle) == (0, (2, 2, 1, 0, 0), False)
    assert len(same_answers(rolls)) == 3 # without a graph nobody knows what the prefix means

def test_a_tie_of_classes_goes_to_the_judge_then_to_the_lowest_number():
    rolls = [made(0, ["a"]), made(1, ["b"], verdict=True, sure=.8), made(2, ["b"]), made(3, ["a"], verdict=True, sure=.6)]
    assert select(rolls, "consistency").index == 1
    assert select([replace(r, judgment=None) for r in rolls], "consistency").index == 0

def test_the_judge_is_asked_for_probability_not_for_brevity():
    rolls = [made(0, verdict=False, sure=.95), made(1, verdict=False, sure=.6, steps=(("x", ""),)), made(2, verdict=None), made(3, verdict=True, sure=.7, steps=(("x", ""),)*9)]
    assert select(rolls).index == 3 and select(rolls[:2]).index == 1
    assert select(rolls[:3]).index == 2 # nobody said that it is wrong
    assert select([rolls[0], made(1, [], verdict=True, sure=1.0)]).index == 0 # an empty answer wins over none

@given(st.lists(st.tuples(st.booleans(), st.sampled_from([None, True, False]), st.sampled_from(["a", "b"])), min_size=1, max_size=6), st.sampled_from(["judge", "consistency", "oracle"]))
@settings(max_examples=200, deadline=None)
def test_a_run_without_an_answer_wins_over_none_that_has_one(rows, by):
    rolls = [made(i, [a] if ok else [], "answered" if ok else "budget", verdict=bool(s) if by == "oracle" else s, oracle=by == "oracle") for i, (ok, s, a) in enumerate(rows)]
    if by == "judge" and not any(r.judgment for r in rolls): rolls[0] = replace(rolls[0], judgment=Judgment(None, .5))
    c = select(rolls, by)
    assert c == select(rolls, by) and rolls[c.index].answered == any(r.answered for r in rolls)
    assert c.oracle == (by == "oracle")
    if by == "oracle" and any(r.answered and r.judgment.success for r in rolls): assert rolls[c.index].judgment.success

def test_what_an_oracle_chose_says_so():
    rolls = [made(0, verdict=True, oracle=True), made(1, verdict=False, oracle=True)]
    assert select(rolls, "oracle").oracle and select(rolls, "judge").oracle and "upper bound" in repr(select(rolls, "oracle"))
    with pytest.raises(ValueError, match="judged by an oracle"): select([made(0, verdict=True)], "oracle")
    with pytest.raises(ValueError, match="There is"): select([], "judge")
    with pytest.raises(ValueError, match="consistency"): select(rolls, "fewest iterations")

def test_a_judge_is_on_the_bill(toy):
    lm = connect("sim")
    rolls = [made(i, tokens=100) for i in range(3)]
    seen = judged(rolls, ModelJudge(lm, votes=2))
    assert spent(seen)["calls"] == 6 and spent(seen)["tokens"] == 300+lm.meter.tokens
    assert rolls[0].judgment is None and spent(rolls)["calls"] == 0
    assert spent(judged(rolls, lambda ev: Judgment(True)))["tokens"] == 300

def test_what_tokens_buy():
    rolls = [made(i, tokens=10) for i in range(4)]
    assert [len(afford(rolls, n)) for n in (0, 9, 10, 39, 40, 99)] == [0, 0, 1, 3, 4, 4]

# One after another

def test_a_check_that_keeps_ends_it_and_notes_are_handed_on():
    heard, checks = [], iter([Check(False, "no count", "count them"), Check(False, "no names", "add names"), Check(True, "fits")])
    def act(v): heard.append(v); return made(v, [str(v.rollout)], sparql=f"ASK {{ {v.rollout} }}")
    rolls = sequential(act, lambda ev, notes: next(checks), 9, "How many?")
    assert [r.note for r in rolls] == ["", "no count. count them.", "no names. add names."]
    assert [v.question for v in heard] == ["How many?"]*3 and heard[0].note == ""
    assert "ASK { 0 }" in heard[1].note and "count them" in heard[1].note and "add names" not in heard[1].note
    assert "ASK { 1 }" in heard[2].note and "count them" in heard[2].note and "add names" in heard[2].note
    assert rolls[-1].check.keep and [v.strategy for v in heard] == ["sequential"]*3

@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_rounds_are_attempts_and_the_last_is_not_checked(rounds):
    seen = []
    def check(ev, notes): seen.append(len(notes)); return Check(False, "again", cost=dict(tokens=5))
    rolls = sequential(made, check, rounds)
    assert len(rolls) == rounds and seen == list(range(rounds-1))
    assert spent(rolls)["tokens"] == rounds+5*(rounds-1)

def test_a_budget_in_a_round_keeps_the_rounds_before():
    def act(v):
        if v.rollout == 2: raise BudgetReached("spent")
        return made(v)
    with pytest.raises(BudgetReached) as e: sequential(act, lambda ev, notes: Check(False, "again"), 5)
    assert [r.variation.rollout for r in e.value.rollouts] == [0, 1]

HOSTILE = ["", "keep it", '{"keep": "no", "note": "", "fix": ""}', '{"keep": false, "note": null, "fix": ""}', '{"keep": false, "note": ""}', '{"keep": 0, "note": "", "fix": ""}',
    "null", '{"keep": true, "keep": false, "note": "", "fix": ""}']

@pytest.mark.parametrize("reply", HOSTILE)
def test_an_unreadable_check_keeps_the_answer_and_says_so(reply):
    c = ModelCheck(scripted(reply))(Evidence("?"))
    assert c.keep and "could not be read" in c.note and c.fix == ""

@pytest.mark.parametrize("reply, read", [('{"keep": false, "note": "", "fix": "", "verdict": "failure"}', (False, "", "")), ('{"keep": false, "note": "no count", "fix": "count", "sure": {"a": [1]}}', (False, "no count", "count")),
    ('{"why": "fits", "keep": true, "note": "fits", "fix": ""}', (True, "fits", ""))])
def test_a_further_key_of_a_check_is_left_out(reply, read):
    c = ModelCheck(scripted(reply))(Evidence("?"))
    assert (c.keep, c.note, c.fix) == read

def test_a_check_sees_the_run_and_the_notes_and_says_its_cost():
    lm = scripted('{"keep": false, "note": "no  count", "fix": "count"}')
    c = ModelCheck(lm)(Evidence("How many?", "ASK { 1 }"), ("an earlier note",))
    asked = lm.script.asked[0].messages[-1].text
    assert all(x in asked for x in ("How many?", "ASK { 1 }", "- an earlier note"))
    assert not c.keep and c.text == "no count. count." and (c.cost["calls"], c.cost["tokens"]) == (1, 2)

def test_a_cap_in_a_check_ends_the_run():
    check = ModelCheck(connect("sim", spend=Spend(max_calls=1)))
    check(Evidence("?"))
    with pytest.raises(BudgetReached) as e: sequential(made, check, 3)
    assert len(e.value.rollouts) == 1

# What is learned

def teaching(i, verdict, query, note=""): return replace(made(i, ["a"], verdict=verdict, sparql=query), note=note)
GROUPED, PLAIN = "SELECT ?g (COUNT(?x) AS ?n) WHERE { ?x up:organism ?g } GROUP BY ?g", "SELECT ?g WHERE { ?x up:organism ?g }"

def _plain_title(title):
    "The first wording of a lesson, whichever was taken"
    from rbkit.models.sim_extractor import LESSONS, WORDINGS
    return next((LESSONS[n].title for n, ways in WORDINGS.items() if title in [t for t, _ in ways]), title)

@pytest.mark.parametrize("rows,polarity,titles", [
    ([(True, GROUPED), (False, PLAIN)], "contrastive", ["Count for each group"]),
    ([(True, GROUPED), (False, GROUPED)], "contrastive", []),
    ([(True, GROUPED)]*2, "success", ["Count for each group"]),
    ([(False, PLAIN)]*2, "failure", ["Compare results with the question before submitting"])])
def test_contrast_reads_all_that_have_a_verdict(rows, polarity, titles):
    rolls = [teaching(i, *r) for i, r in enumerate(rows)]+[made(8)]
    e = lessons(rolls, connect("sim"))
    assert e.prompt.startswith("parallel-contrast") and [_plain_title(x.title) for x in e.items] == titles
    assert all(x.polarity == polarity and x.provenance["rollouts"] == len(rolls) for x in e.items)

def test_the_best_is_the_judges_or_the_one_that_was_chosen():
    rolls = [teaching(0, False, PLAIN), teaching(1, True, GROUPED)]
    assert [x.polarity for x in lessons(rolls, connect("sim"), version="best").items] == ["success"]
    assert [x.polarity for x in lessons(rolls, connect("sim"), version="best", choice=Choice(0, "")).items] == ["failure"]
    with pytest.raises(ValueError, match="contrast, best, each"): lessons(rolls, connect("sim"), version="all")
    assert lessons([made(0)], connect("sim")).refusals[0].kind == "no verdict"

def test_read_each_by_itself_all_are_read_and_nothing_is_compared():
    rolls = [teaching(0, True, GROUPED), teaching(1, False, PLAIN), teaching(2, True, GROUPED), made(8)]
    e = lessons(rolls, connect("sim"), version="each")
    assert {x.polarity for x in e.items} == {"success", "failure"} and all(x.provenance["extraction"] == "each" for x in e.items)
    assert "contrast" not in e.prompt and len({(x.title, x.content) for x in e.items}) == len(e.items)
    lm = scripted(*['{"items": []}']*3)
    lessons(rolls, lm, version="each")
    assert len(lm.script.asked) == 3

@pytest.mark.parametrize("verdicts", [(False, True), (False, False)])
def test_what_was_corrected_reaches_the_extractor(verdicts):
    lm = scripted('{"items": []}', '{"items": []}')
    rolls = [teaching(0, verdicts[0], PLAIN), teaching(1, verdicts[1], GROUPED, "no count. Count for each group.")]
    for version in ("contrast", "best"): lessons(rolls, lm, version=version, choice=Choice(1, ""))
    assert all("no count. Count for each group." in r.messages[-1].text for r in lm.script.asked)

def test_rollouts_that_were_asked_otherwise_are_still_one_task():
    rolls = [teaching(0, True, GROUPED), teaching(1, False, PLAIN)]
    rolls[1] = replace(rolls[1], evidence=replace(rolls[1].evidence, question="In other words?"))
    assert lessons(rolls, connect("sim")).prompt.startswith("parallel-contrast")

# A budget of rollouts

@given(st.integers(0, 60), st.sampled_from(["uniform", "uncertain"]), st.integers(0, 3), st.integers(3, 6), st.integers(0, 12), st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_a_budget_is_never_exceeded(budget, strategy, least, most, n, seed):
    rng, s = random.Random(seed), Scheduler(budget, strategy, least, most)
    tasks, given_ = [SimpleNamespace(id=str(i), graph="g", level=rng.randrange(3)) for i in range(n)], []
    for i, t in enumerate(tasks):
        plan = s.allot(tasks[i:])
        assert sum(plan) <= s.left and all(x <= most for x in plan) and plan == s.allot(tasks[i:])
        assert s.left < least*len(plan) or all(x >= least for x in plan)
        assert s.next(tasks[i:]) == plan[0]
        s.spend(t, [rng.choice([True, False, None]) for _ in range(plan[0])])
        given_.append(plan[0])
    assert sum(given_) == budget-s.left and s.left >= 0 and s.next([]) == 0
    if least*n <= budget: assert sum(given_) == min(budget, most*n) or strategy == "uncertain"

def test_uniform_is_even():
    tasks = [SimpleNamespace(id=i, graph="g", level=1) for i in range(4)]
    assert Scheduler(10).allot(tasks) == [3, 3, 2, 2] and Scheduler(3).allot(tasks) == [1, 1, 1, 0] and Scheduler(99).allot(tasks) == [5]*4

def test_more_goes_where_the_outcome_is_uncertain():
    sure, never, fair = (SimpleNamespace(id=k, graph=k, level=1) for k in ("sure", "never", "fair"))
    s = Scheduler(79, "uncertain")
    s.spend(sure, [True]*30); s.spend(never, [False]*30); s.spend(fair, [True, False]*5)
    plan = s.allot([sure, never, fair])
    assert plan == [2, 2, 5]
    other = SimpleNamespace(id="new", graph="fair", level=1) # of the same kind, not done before
    assert s.posterior(other) == s.posterior(fair) and s.posterior(SimpleNamespace(id="x", graph="x", level=9)) == (1, 1)

def test_rollouts_can_be_entered_as_they_are():
    s, t = Scheduler(9), SimpleNamespace(id="t", graph="g", level=1)
    s.spend(t, [made(0, verdict=True), made(1, verdict=False), made(2)])
    assert (s.left, s.posterior(t)) == (6, (2, 2))
    with pytest.raises(ValueError, match="7 rollouts were made and 6 are left"): s.spend(t, [True]*7)
    assert s.left == 6

@pytest.mark.parametrize("a,b", [(1, 1), (3, 1), (5, 5), (1, 8)])
def test_the_worth_of_one_more_is_the_mean_over_the_posterior(a, b):
    p = np.random.default_rng(0).beta(a, b, 400_000)
    for n in (1, 2, 4): assert mixing(a, b, n) == pytest.approx((p**n*(1-p)+(1-p)**n*p).mean(), abs=.003)
    assert mixing(a, b, 0) == 1 and mixing(a, b, 2) < mixing(a, b, 1)
