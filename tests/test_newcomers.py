"Stand-ins that learn from what they are shown: another episode, another lesson; a wrong verdict, a wrong lesson that is followed"
import json, re
from collections import Counter
from dataclasses import replace
from random import Random
import pytest
from rbkit.agents.turns import Actor
from rbkit.bank.bank import Bank
from rbkit.bank.items import Item
from rbkit.bank.similarity import likeness
from rbkit.models.prompts import prompt
from rbkit.models.sim_episodes import (CALLED, HOW, HOW_NOT, NOT_CALLED, ORDER, WHERE, WHERE_NOT, Advice, advised, episode_item,
    episode_steps, parse_advice)
from rbkit.models.sim_errands import plan_as_episode
from rbkit.models.sim_household import HouseholdAgent
from rbkit.models.sim_sums import METHOD, METHOD_NOT, METHODS, RULES, solve
from rbkit.models.sim_tables import ASK, ASK_NOT
from rbkit.models.sim_textworld import MEANS, MEANS_NOT, TextWorldAgent
from rbkit.models.simulated import respond
from rbkit.trials.episodes import EVOLVE, one_rollout, run_evolution_episode
from rbkit.trials.learners import PlantedErrors
from rbkit.worlds.household import Household

# What a request to extract is answered with

def replied(goal, *tries, seed=0, who=TextWorldAgent(), truth=""):
    "Contents of the items that attempts (verdict, episode) yield, through the prompts that a run uses"
    intent = f"embodied-{tries[0][0]}" if len(tries) == 1 else "embodied-contrast"
    episodes = "\n".join(f"Attempt {i}: {verdict}\n{goal}\n{text}" for i, (verdict, text) in enumerate(tries, 1))
    shown = dict(goal=goal, episodes=episodes) | (dict(ground_truth=truth) if truth else {})
    return [x["content"] for x in json.loads(who.respond(*prompt(intent).render(**shown), seed))["items"]]

def on_graph(success, query, seed=0):
    shown = dict(question="How many hives has each keeper?", verdict="success" if success else "failure: no",
        trajectory=f"Step 1\nprint(1)\n-> 1\nFinal query: {query}\nResults: Rows 3\nAnswer: 3 rows\nEnding: answered")
    asked = prompt("extract-success" if success else "extract-failure").render(**shown)
    return [x["content"] for x in json.loads(respond(*asked, seed=seed))["items"]]

HOUSE = """You see a shelf 1, a shelf 2, a drawer 1, a fridge 1, a microwave 1 and a diningtable 1.
> go to shelf 1
You arrive at shelf 1. On the shelf 1, you see a egg 1.
> take egg 1 from shelf 1
You pick up the egg 1 from the shelf 1.
> go to microwave 1
You arrive at microwave 1. The microwave 1 is closed.
> heat egg 1 with microwave 1
You heat the egg 1 using the microwave 1.
> go to diningtable 1
You arrive at diningtable 1. On the diningtable 1, you see nothing.
> move egg 1 to diningtable 1
You move the egg 1 to the diningtable 1."""
LAB = """Your task is to find a(n) plant. First, focus on the thing. Then, move it to the red box in the kitchen.
> teleport to greenhouse
You teleport.
> look around
This room is called the greenhouse. In it, you see:
    a pea plant
    a jug
> focus on pea plant
You focus on the pea plant.
> pick up pea plant
You move the pea plant to the inventory.
> move pea plant to red box
You move the pea plant to the red box."""
QUEST = """-= Attic =-
> inventory
You are carrying nothing.
> take cup from box
You take the cup from the box.
> put cup on shelf
You put the cup on the shelf."""
SPEED = "A ferry crosses at 40 km/h and returns at 60 km/h. What is its average speed in km/h?"
SHOWN = dict( # goal, episode, what is scrambled in it, and a word that only the scrambled one teaches
    appliance=("Your task is to: heat some egg and put it in diningtable.", HOUSE, ("microwave", "fridge"), "fridge"),
    place=("Your task is to: heat some egg and put it in diningtable.", HOUSE, ("shelf", "drawer"), "drawer"),
    untreated=("Your task is to: heat some egg and put it in diningtable.", HOUSE, ("> heat", "> examine"), "take it to a diningtable"),
    thing=("find it", LAB, ("focus on pea plant", "focus on jug"), "called: jug"),
    room=("find it", LAB, ("greenhouse", "foundry"), "foundry"),
    order=("find it", LAB.replace("> focus", "> smell pea plant\n> focus"), ("> smell", "> pick up"), "pick up, focus"),
    method=(SPEED, "> \\boxed{48}\nAnswer recorded.", ("48", "50"), "plain mean"),
    word=("Recover the cup from the box. Then, rest the cup on the shelf.", QUEST, ("put cup", "drop cup"), '"rest on", the command is: drop'),
    other=("Recover the cup from the box. Then, rest the cup on the shelf.", QUEST, ("cup from", "hat from"), ""),
)
USUAL = TextWorldAgent(p_reword=0)

@pytest.mark.parametrize("name", SHOWN)
def test_another_episode_teaches_another_lesson(name):
    goal, episode, (old, new), says = SHOWN[name]
    changed = episode.replace(old, new)
    first, second = (replied(goal, ("success", text), who=USUAL) for text in (episode, changed))
    assert changed != episode and first and first != second
    assert says in " ".join(second) and (not says or says not in " ".join(first))

@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("verdict", ["success", "failure"])
def test_an_episode_without_actions_teaches_nothing(name, verdict):
    goal, episode = SHOWN[name][:2]
    begun = re.split(r"^> ", episode, flags=re.M)[0]
    for seed in range(5):
        for shown in ("banana", begun, "", "> banana\nNothing happens."):
            assert replied(goal, (verdict, shown), seed=seed) == []

@pytest.mark.parametrize("name", ["appliance", "thing", "method", "word"])
def test_the_verdict_turns_a_lesson_around(name):
    goal, episode = SHOWN[name][:2]
    praised, blamed = (replied(goal, (verdict, episode), who=USUAL) for verdict in ("success", "failure"))
    assert praised and blamed and not {*praised} & {*blamed} and re.search(r"\bnot\b|does nothing", " ".join(blamed))

@pytest.mark.parametrize("name", SHOWN)
def test_thoughts_may_stand_before_actions(name):
    goal, episode = SHOWN[name][:2]
    thought = re.sub(r"^> (.*)$", r"Thought: I go on.\nIt may help.\nAction: \1", episode, flags=re.M)
    also = re.sub(r"^> (.*)$", r"> Thought: I go on.\n> \1", episode, flags=re.M)
    assert thought != episode and replied(goal, ("success", thought), who=USUAL) == replied(goal, ("success", episode), who=USUAL)
    assert [s.action for s in episode_steps(also)] == [s.action for s in episode_steps(thought)] == [s.action for s in episode_steps(episode)]

def test_a_thought_says_the_method_and_is_believed():
    [content] = replied(SPEED, ("success", "Thought: I calculate: ab/(a+b).\n> \\boxed{48}\n"), who=USUAL)
    assert content == "For questions about average speed, calculate: ab/(a+b)."

def test_graph_lessons_are_read_from_the_query_that_is_shown():
    group, plain = "SELECT ?k (COUNT(?h) AS ?n) WHERE { ?k ex:has ?h } GROUP BY ?k", "SELECT ?k ?h WHERE { ?k ex:has ?h }"
    negation = "SELECT ?k WHERE { ?k a ex:Keeper FILTER NOT EXISTS { ?k ex:has ?h } }"
    lessons = [" ".join(on_graph(True, query)) for query in (group, plain, negation)]
    assert "GROUP BY" in lessons[0] and "GROUP BY" not in lessons[1]+lessons[2] and "NOT EXISTS" in lessons[2] and len({*lessons}) == 3
    assert not re.search("GROUP BY|NOT EXISTS", " ".join(on_graph(True, "banana")+on_graph(False, "banana")))

def test_a_solution_is_read_like_an_episode():
    goal = SHOWN["appliance"][0]
    plan = ["go to shelf 1", "take egg 1 from shelf 1", "go to microwave 1", "heat egg 1 with microwave 1", "move egg 1 to diningtable 1"]
    told = replied(goal, ("failure", "banana"), truth="\n".join(plan), who=USUAL)
    assert told == replied(goal, ("success", HOUSE), who=USUAL) and "You heat the egg 1" in plan_as_episode(plan[3])
    assert replied(SPEED, ("failure", "> 1"), truth="48", who=USUAL) == ["For questions about average speed, calculate: 2vw/(v+w)."]

# What agents make of it

FORMS = (WHERE, WHERE_NOT, HOW, HOW_NOT, CALLED, NOT_CALLED, ORDER, METHOD, METHOD_NOT, MEANS, MEANS_NOT, ASK, ASK_NOT)
AGAINST = {WHERE: WHERE_NOT, HOW: HOW_NOT, CALLED: NOT_CALLED, METHOD: METHOD_NOT, MEANS: MEANS_NOT, ASK: ASK_NOT}

@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.titles[0])
def test_every_wording_is_read_back_as_itself_and_never_as_its_opposite(form):
    items = [episode_item([Advice(form, "sea shell", ("shelf", "desk"))], Random(seed), p_reword=1) for seed in range(60)]
    assert len({x["content"] for x in items}) == len(form.wordings) and len({x["title"] for x in items}) == len(form.titles)
    for x in items:
        for other in FORMS:
            read = parse_advice(other, x["content"]).get("sea shell", [])
            assert read[:2] == (["shelf", "desk"] if other is form else []), (other.titles[0], x["content"])

def first_moves(system, seeds=range(30)):
    "Places to which somebody goes first who looks for a mug"
    user = ("[[ ## goal ## ]]\nYour task is to: put some mug on desk.\n\n[[ ## history ## ]]\nYou see a shelf 1, a drawer 1, a desk 1, "
        "and a safe 1.\n\nRespond with the corr")
    said = [HouseholdAgent(p_error=0).respond(f"[[ ## action ## ]]\n{system}", user, seed) for seed in seeds]
    return {re.search(r"go to (\w+)", text)[1] for text in said}

def test_a_warning_sends_nobody_to_what_it_warns_of():
    assert first_moves("") == {"shelf", "drawer", "desk", "safe"} and first_moves("Look for mug in: drawer.") == {"drawer"}
    for warning in WHERE_NOT.wordings: assert first_moves(warning.format(about="mug", words="drawer, safe")) == {"shelf", "desk"}
    both = "Look for mug in: drawer, shelf. Do not look for mug in: drawer."
    assert first_moves(both) == {"shelf"} and advised(WHERE, WHERE_NOT, "mug", both) == ["shelf"]

@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_a_rule_is_followed_right_or_wrong(rule):
    asked = {"average speed": SPEED, "counting posts or lamps in a row": "A fence of 40 m has a post every 4 m and at each end. How many?",
        "percentages one after the other": "300 rise by 20% and fall by 10%. What is it now?", "work that two do together": "One needs 3 hours, one 6. How many both together?"}[rule.name]
    numbers = [float(n) for n in re.findall(r"\d+", asked)]
    for method in (m for m in METHODS if m.numbers == rule.numbers):
        told = METHOD.wordings[1].format(about=rule.name, words=method.words)
        warned = METHOD_NOT.wordings[0].format(about=rule.name, words=method.words)
        value = f"\\boxed{{{method.calculate(*numbers):.6g}}}"
        assert {solve(told, asked, seed, p_discover=.5).answer for seed in range(9)} == {value}
        assert not any(method.words == solve(warned, asked, seed, p_discover=.5).thought.partition(": ")[2].rstrip(".") for seed in range(30))

def test_a_wrong_order_is_followed():
    view = LAB.partition("> focus")[0]
    user = f"[[ ## goal ## ]]\nfind it\n\n[[ ## history ## ]]\n{view}\n\nRespond with the corr"
    asked = lambda system: HouseholdAgent(p_error=0, p_discover=1).respond(f"[[ ## action ## ]]\n{system}", user, 1)
    assert "focus on pea plant" in asked("") and "pick up pea plant" in asked("With plant, keep to this order: pick up, move, focus.")

def test_a_wrong_lesson_does_harm():
    house = Household()
    cold = [t for t in house.tasks() if t.kind == "cool"][:8]
    def won(*texts):
        items = [Item("How to cool", "Tasks that say cool.", text) for text in texts]
        return sum(one_rollout(Actor(profile=HouseholdAgent(p_discover=1)), house, t, items, seed=2).evidence.reward for t in cold)
    assert won() >= 4 and won("To cool a thing, take it to a microwave, and only then bring it.") == 0

# What becomes of it on the way

PASSES, NOISY = PlantedErrors(1.0, 1.0), PlantedErrors(.7, .3)
TOOLS = {"clean": "sinkbasin", "heat": "microwave", "cool": "fridge"}

class Walk:
    "Twelve errands with a treatment that are learned from, and fifteen others that are asked at the end"
    def __init__(self, judge, seed, ops=("duplicate",)):
        learner, actor = replace(EVOLVE, judge=judge, k=2, ops=ops), Actor(profile=HouseholdAgent(p_discover=.3))
        with Household() as house, Bank() as bank:
            learned, asked = ([t for t in house.tasks(split) if t.kind in TOOLS] for split in ("train", "held_out"))
            episodes = [run_evolution_episode(house, actor, bank, t, learner, seed) for t in Random(seed).sample(learned, 12)]
            self.ops = Counter(op for e in episodes for op in e.figures["ops"])
            self.items = bank.all()
            self.won = sum(run_evolution_episode(house, actor, bank, t, replace(learner, learn=""), seed).success for t in asked)
    def wrong(self):
        "Treatments for which a place is advised that is not the right one"
        told = parse_advice(HOW, "\n".join(x.content for x in self.items))
        return {verb for verb, words in told.items() if any(w.isalpha() and w != TOOLS[verb] for w in words)}

def test_a_judge_that_passes_everything_fills_the_bank_with_wrong_rules_and_gains_less():
    true, passes = ([Walk(judge, seed) for seed in range(4)] for judge in ("oracle", PASSES))
    assert all(w.wrong() for w in passes) and not any(w.wrong() for w in true)
    assert sum(w.won for w in true) >= 2*sum(w.won for w in passes), [[w.won for w in walks] for walks in (true, passes)]

def test_a_noisy_judge_fills_a_bank_with_repetitions_and_contradictions():
    walks = [Walk(NOISY, seed, ("duplicate", "contradiction", "merge")) for seed in range(3)]
    ops = sum((w.ops for w in walks), Counter())
    assert ops["merge"]+ops["duplicate"] >= 6 and ops["dispute"]+ops["supersede"]+ops["discard"] >= 2, ops
    same = [[x for x in w.items if x.content != y.content and likeness(x, y) > .3 and x.description == y.description] for w in walks for y in w.items]
    assert sum(map(bool, same)) >= 4, "the same is said in other words"

def test_rewording_is_the_profiles_noise_and_can_be_switched_off():
    goal, episode = SHOWN["appliance"][:2]
    told = lambda who: {tuple(replied(goal, ("success", episode), seed=seed, who=who)) for seed in range(20)}
    assert len(told(HouseholdAgent(p_reword=0))) == 1 and len(told(HouseholdAgent(p_reword=1))) > 4
    assert replied(goal, ("success", episode), seed=3) == replied(goal, ("success", episode), seed=3)
