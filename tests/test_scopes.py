"Scopes: one user's facts and feedback never reach another's, and what is shared reaches all, in every process"
import threading
import pytest
from hypothesis import given, settings, strategies as st
from rbkit.retrieval.adaptive import Adaptive
from rbkit.retrieval.bm25 import BM25
from rbkit.retrieval.dense import Dense
from rbkit.retrieval.embedders import Hash
from rbkit.retrieval.encoder import embedder
from rbkit.retrieval.fusion import Hybrid
from rbkit.retrieval.layered import LayeredRetriever
from rbkit.retrieval.peers import FTS5
from rbkit.retrieval.scopes import Scope, scope_names

WORDS = ("apple pie", "door code", "apple door", "code of the bike", "pie in the sky")
ASKED = ("apple", "the door code", "pie and sky")
KEYS = st.sampled_from(["a", "b", "c"])
STEPS = st.lists(st.tuples(st.sampled_from(["alice", "bob", "team"]), st.sampled_from(["add", "remove", "supersede", "use"]), KEYS, KEYS, st.integers(0, 4)), max_size=16)

def step(layer, what, key, other, i):
    "One thing that somebody does"
    if what == "add": layer.add(key, WORDS[i])
    if what == "remove": layer.remove(key)
    if what == "supersede" and key != other: layer.add(key, WORDS[i], supersedes=other)
    if what == "use":
        got = layer.recall_with_feedback(WORDS[i], session=f"s{layer.at}", k=2)
        layer.record_usage_feedback(got.context_id, [key] if key in layer.ranker else [])

def seen(layer):
    "All that a layer shows, with scores"
    found = [layer.ranked(q, 3, learned=learned) for q in ASKED for learned in (True, False)]
    return [(f.keys, f.scores) for f in found]

@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_nobody_sees_what_another_does(steps):
    "Bob's lists and the shared ones are those of a world in which Alice does not exist"
    worlds = []
    for with_alice in (True, False):
        team = Adaptive(seed=1)
        who = dict(team=team, alice=Scope("alice", team), bob=Scope("bob", team))
        for name, *what in steps:
            if with_alice or name != "alice": step(who[name], *what)
        worlds.append((seen(who["bob"]), seen(team), who["bob"].get_retrieval_stats()))
    assert worlds[0] == worlds[1]

def kept(steps, path):
    "A world in files"
    team = Adaptive(path=path)
    who = dict(team=team, alice=Scope("alice", team), bob=Scope("bob", team))
    for name, *what in steps: step(who[name], *what)
    return who

@given(STEPS)
@settings(max_examples=15, deadline=None)
def test_what_is_reopened_is_what_was_left(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("s")/"team.db"
    who = kept(steps, path)
    for name in ("alice", "bob"):
        again = Scope(name, Adaptive(path=path))
        for q in ASKED:
            one, other = (layer.ranked(q, 9).scores for layer in (again, who[name]))
            assert one.keys() == other.keys() and all(one[key] == pytest.approx(other[key]) for key in one)
        assert sorted(again.ranker.keys()) == sorted(who[name].ranker.keys()) and again.own == who[name].own

@pytest.mark.parametrize("make", [BM25, lambda: Dense("hash"), lambda: Dense(embedder("lsa", dims=3).fit(list(WORDS))), lambda: Hybrid({"w": BM25(), "d": Dense("hash")})])
def test_over_any_ranking_a_copy_goes_on_by_itself(make):
    team = Adaptive(make())
    for i, text in enumerate(WORDS): team.add(f"k{i}", text)
    alice = Scope("alice", team)
    alice.add("own", "apple pie of mine")
    assert alice.ranked("apple pie").keys[0] == "own" and "own" not in team.ranker and len(team) == 5 == len(alice)-1
    assert type(alice.ranker) is type(team.ranker) and alice.lost == team.lost and type(alice.anchors.likeness) is type(team.anchors.likeness)
    team.remove("k0")
    assert "k0" not in alice.ranked("apple pie").keys
    if isinstance(team.ranker, Dense):
        assert (alice.ranker.embedder is team.ranker.embedder) != team.ranker.embedder.fits
        assert alice.anchors.likeness.embedder is alice.ranker.embedder

def test_an_embedder_is_not_asked_again_for_what_it_has_embedded():
    class Counted(Hash):
        asked = 0
        def rows(self, texts): Counted.asked += len(texts); return super().rows(texts)
    team = Adaptive(Dense(Counted(64)))
    for i, text in enumerate(WORDS): team.add(f"k{i}", text)
    before = Counted.asked
    Scope("alice", team).add("own", "apple")
    assert Counted.asked == before+1

def test_two_processes_of_one_user_and_one_of_the_shared_layer(tmp_path):
    open_team = lambda: Adaptive(path=tmp_path/"team.db")
    open_team().add("office", "the office opens at nine")
    one, two, bob = Scope("alice", open_team()), Scope("alice", open_team()), Scope("bob", open_team())
    one.add("home", "the office at home opens at ten")
    assert sorted(two.ranked("when opens the office").keys) == ["home", "office"] and two.own == {"home"}
    open_team().add("office", "the office opens at eight and closes at four")
    assert all("home" not in bob.ranked(q).keys for q in ("office", "home")) and bob.ranked("closes at four").keys == two.ranked("closes at four").keys == ["office"]
    for layer, s in ((one, "s1"), (two, "s2")): layer.record_usage_feedback(layer.recall_with_feedback("first tram", session=s).context_id, ["office"])
    assert one.ranked("the first tram").keys == two.ranked("the first tram").keys == ["office"] and not bob.ranked("first tram").keys
    two.remove("office")
    assert "office" not in one.ranked("closes at four").keys and bob.ranked("closes at four").keys
    assert scope_names(open_team()) == ["alice", "bob"]

def test_a_shared_fact_comes_back_from_under_an_own_one():
    team = Adaptive(); team.add("wifi", "network lark")
    alice = Scope("alice", team)
    alice.add("wifi", "network wren"); assert alice.ranked("lark").keys == [] and alice.ranked("wren").keys == ["wifi"]
    alice.remove("wifi"); assert alice.ranked("lark").keys == ["wifi"] and not alice.own
    alice.remove("wifi"); assert alice.ranked("lark").keys == [] and team.ranked("lark").keys == ["wifi"]
    alice.add("wifi", "network wren"); alice.remove("wifi"); assert alice.ranked("lark").keys == ["wifi"], "what is added again is not hidden any more"

def test_a_proven_list_is_not_served_after_a_change_below():
    team = Adaptive(); team.add("a", "apple pie")
    alice = Scope("alice", team)
    for i in range(5): alice.record_usage_feedback(alice.recall_with_feedback("apple", session=f"s{i}").context_id, ["a"])
    assert alice.recall_with_feedback("apple").cached
    team.add("b", "apple cake")
    got = alice.recall_with_feedback("apple")
    assert not got.cached and set(got.keys) == {"a", "b"}

@pytest.mark.parametrize("own_first, want", [(0, ["shared", "own"]), (.1, ["shared", "own"]), (1, ["own", "shared"])])
def test_how_much_nearer_an_own_fact_counts_is_a_number(own_first, want):
    team = Adaptive(); team.add("shared", "how to reset the password of the printer"); team.add("other", "coffee")
    alice = Scope("alice", team, own_first); alice.add("own", "a password")
    assert alice.ranked("reset the password of the printer").keys == want
    assert alice.ranked("coffee").keys == ["other"], "what does not match at all is not shown"

def test_names_lie_apart_whatever_a_file_system_thinks_of_them(tmp_path):
    names = ["alice", "Alice", "a/b", "a-b", "..", "知", "x"*300, "team.db", "wal"]
    team = Adaptive(path=tmp_path/"t.db")
    for name in names: Scope(name, team).add("k", f"fact of {name}")
    assert len({p.name.lower() for p in (tmp_path/"t.db.scopes").glob("*.db")}) == len(names) == len(scope_names(team))
    for name in names:
        assert len(Scope(name, team)) == 1 and Scope(name, team).ranker.keys() == ["k"]

def test_what_cannot_be_a_scope_is_refused():
    team = Adaptive()
    for bad in (None, "", " ", 3):
        with pytest.raises(ValueError, match="scope's name"): Scope(bad, team)
    for below in (Scope("alice", team), BM25(), LayeredRetriever(team)):
        with pytest.raises(ValueError, match="give the adaptive layer"): Scope("bob", below)
    with pytest.raises(ValueError, match="own_first=-1"): Scope("bob", team, -1)
    fts = Adaptive(FTS5()); fts.add("k", "apple")
    with pytest.raises(ValueError, match="as ranker="): Scope("bob", fts)
    assert Scope("bob", fts, ranker=FTS5()).ranked("apple").keys == ["k"]

def test_threads_of_several_scopes_do_not_stand_in_each_others_way(tmp_path):
    team = Adaptive(path=tmp_path/"t.db")
    scopes = [Scope(f"u{i}", team) for i in range(3)]
    failed = []
    def live(layer, n):
        try:
            for j in range(12):
                layer.add(f"own{j}", f"apple {n} {j}")
                layer.record_usage_feedback(layer.recall_with_feedback("apple", session=f"{j}").context_id, [f"own{j}"])
                if n == 0: team.add(f"shared{j}", f"apple of all {j}")
        except Exception as e: failed.append(e)
    threads = [threading.Thread(target=live, args=(layer, n)) for n, layer in enumerate(scopes)]
    for t in threads: t.start()
    for t in threads: t.join(60)
    for n, layer in enumerate(scopes):
        layer.ranked("apple")
        assert not failed and len(layer) == 24 and len(layer.own) == 12 and layer.at == 12
