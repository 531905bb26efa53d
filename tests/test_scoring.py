"Scores are the sum of what is shown of them, defaults change nothing, and each term does what it is named for"
from math import exp, inf, log, nan
from itertools import count
import pytest
from hypothesis import given, settings, strategies as st
from rbkit.bank.bank import Bank
from rbkit.bank.items import Item
from rbkit.bank.rerank import Scoring, coverage, effectiveness
from rbkit.ground.text import tokens

WORDS = "apple pear drawer open close heat count group rank label".split()
few = settings(max_examples=40, deadline=None, derandomize=True)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
weights = st.sampled_from((0.0, .3, 1.0, 2.5))

@st.composite
def pasts(draw):
    w, l = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    return Item(draw(texts), draw(texts), draw(texts), wins=w, losses=l, uses=w+l, shown=w+l)

def of(*items):
    bank = Bank(clock=count(1).__next__)
    bank.add(*items)
    return bank

@few
@given(st.lists(pasts(), min_size=1, max_size=8), texts, weights, weights, weights, weights)
def test_a_score_is_the_sum_of_its_parts_and_the_best_comes_first(items, question, similarity, recency, worth, diversity):
    bank = of(*items)
    hits = bank.search(question, 8)
    found = Scoring(similarity, recency, worth, diversity)(hits, question, bank)
    assert sorted(h.item.id for h in found) == sorted(h.item.id for h in hits)
    on = {n for n, v in dict(similarity=similarity, recency=recency, effectiveness=worth, diversity=diversity).items() if v}
    for h in found:
        assert set(h.parts) == on and h.score == pytest.approx(sum(h.parts.values()), abs=1e-6)
        assert all(n in h.explain() for n in on)
    assert all(a.score >= b.score-1e-6 for a, b in zip(found, found[1:]))

@few
@given(st.lists(pasts(), min_size=1, max_size=8), texts)
def test_by_default_nothing_changes(items, question):
    bank = of(*items)
    hits = bank.search(question, 8)
    assert [h.item.id for h in Scoring()(hits, question, bank)] == [h.item.id for h in hits]

def test_nothing_is_found_in_nothing():
    bank = of()
    assert Scoring(1, 1, 1, 1, least=.5)([], "anything", bank) == [] and coverage(bank, "anything", []) == []

went = lambda wins, losses, **how: effectiveness(Item("t", "d", "c", wins=wins, losses=losses, uses=wins+losses, shown=wins+losses), **how)

def test_effectiveness_rises_with_wins_and_is_sure_of_nothing_early():
    assert went(0, 0) == went(0, 0, alpha=9.0) == 0 and went(3, 3) == 0
    for n in range(1, 12):
        told = [went(w, n-w) for w in range(n+1)]
        assert told == sorted(told) and all(a == pytest.approx(-b) for a, b in zip(told, told[::-1])) and -1 <= told[0] < 0 < told[-1] <= 1
    assert went(1, 0) < went(5, 0) < went(50, 0) and went(1, 0) < went(9, 1) # one lucky win is less than nine of ten
    assert went(10**9, 0) == 1 and went(0, 10**9) == -1
    assert went(4, 0, shrink=4.0) == pytest.approx(log(5)/log(10)/2) == went(4, 0, shrink=0.0)/2

def test_what_was_used_lately_is_recent():
    bank = of(Item("apple", "apple", "old"), Item("apple", "apple", "new"))
    hits = bank.search("apple", 2)
    now = bank.clock()
    found = Scoring(0, 1, tau=7.0)(hits, "apple", bank)
    age = {h.item.content: now+1-h.item.created for h in hits} # the clock ticks when it is asked
    assert [h.item.content for h in found] == sorted(age, key=age.get)
    for h in found: assert h.parts["recency"] == pytest.approx(exp(-age[h.item.content]/7))

def test_what_says_the_same_twice_makes_room():
    same = [Item("apple drawer", "apple drawer open", f"open the drawer for the apple {w}") for w in ("heat", "pear")]
    bank = of(*same, Item("apple", "pear rank", "count and group and rank and label"))
    found = lambda **how: [h.item.title for h in Scoring(**how)(bank.search("apple drawer", 3), "apple drawer", bank)]
    assert found() == ["apple drawer", "apple drawer", "apple"] and found(diversity=2.0) == ["apple drawer", "apple", "apple drawer"]

def test_coverage_counts_rare_words_more_and_least_abstains():
    bank = of(*(Item("apple", "apple", f"apple {w}") for w in ("pear", "heat", "open")), Item("drawer", "d", "drawer"))
    items = {x.title+x.content: x for x in bank.all()}
    said = dict(zip(items, coverage(bank, "apple drawer", items.values())))
    assert said["drawerdrawer"] > .5 > said["appleapple pear"] > 0 and sum((said["drawerdrawer"], said["appleapple pear"])) == pytest.approx(1)
    assert coverage(bank, "apple", bank.all()) == [1.0 if "apple" in tokens(x.title) else 0.0 for x in bank.all()]
    assert coverage(bank, "the of", bank.all()) == [0.0]*4 or not tokens("the of")
    hits = bank.search("apple drawer", 4)
    left = lambda least: {h.item.title for h in Scoring(least=least)(hits, "apple drawer", bank)}
    assert left(0) == {"apple", "drawer"} and left(.5) == {"drawer"} and left(1) == set()

@pytest.mark.parametrize("bad, why", [(dict(tau=0), "tau=0; it must be above 0"), (dict(alpha=0), "alpha=0"), (dict(beta=-1), "beta=-1"), (dict(tau=nan), "tau=nan"),
    (dict(similarity=-1), "0 switches a term off"), (dict(least=nan), "least=nan"), (dict(shrink=-inf), "shrink=-inf")])
def test_what_cannot_be_weighed_is_refused(bad, why):
    with pytest.raises(ValueError, match=why): Scoring(**bad)
