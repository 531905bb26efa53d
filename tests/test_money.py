"What a run costs, over HTTP: rows, caps, prices, options, faults, and the same from the recording"
import json, threading, time
import pytest
from house import clean_env, command, Fork, rbkit, slow
from live_server import Server, body_of, is_agent, said, simulated
from test_models import follow
from rbkit.experiments.e01 import ARMS
from rbkit.experiments import e06
from rbkit.ground.text import digest
from rbkit.models.connect import BudgetReached, Spend, connect
from rbkit.models.journal import PAID, Journal
from rbkit.models.live import Turns, pause_secs, turns_at
from rbkit.models.prices import Tokens, own_price, usd_of
from rbkit.models.sim_reader import Profile
from rbkit.trials.ablation import ablate
from rbkit.trials.learners import NO_MEMORY, Learner
from rbkit.trials.learning import learn
from rbkit.trials.runs import RunFolder
from rbkit.worlds.graph import open_world

LM = "openai/local-test"
PRICES = f"{LM}=1 2 .5" # in out cached, US dollars for a million tokens
A_CALL = (60*1+40*.5+20*2)/1e6 # of the stand-in's usage: 100 in, 40 of them cached, 20 out
SMALL = dict(lm=LM, interpreter="trusted", suite="seeds/toy", n_tasks=2, n_repeats=1)
STREAMS = dict(lm=LM, interpreter="trusted", suite="seeds/library", n_tasks=3, n_streams=2)
LEARNS = [NO_MEMORY, Learner("lessons", learn="lessons")] # a model judges, and a model extracts
VOLATILE = ("secs", "learn_secs")

@pytest.fixture
def server(monkeypatch, tmp_path):
    s = Server(follow)
    monkeypatch.setenv("RBKIT_RESULTS_PATH", str(tmp_path/"turns")) # a row that no earlier server had
    for k in ("NO_PROXY", "no_proxy"): monkeypatch.setenv(k, "127.0.0.1")
    monkeypatch.setenv("RBKIT_API_BASE", s.url); monkeypatch.setenv("RBKIT_PRICES", PRICES)
    yield s
    s.close()

def asked(server): return [q for _, q in server.heard if is_agent(q)]
def steady(rows): return sorted((json.dumps({k: v for k, v in r.items() if k not in VOLATILE}, sort_keys=True) for r in rows))
def near(s, **more): return clean_env(RBKIT_API_BASE=s.url, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1", RBKIT_PRICES=PRICES, **more)

def test_rows_have_tokens_apart_and_money_and_a_replay_is_equal(server, tmp_path, monkeypatch):
    trial = ablate("E01", ARMS, out=str(tmp_path/"live"), record=True, **SMALL)
    for r in trial.rows:
        assert (r["calls"], r["tokens_in"], r["tokens_out"], r["tokens_cached"], r["calls_estimated"]) == (2, 200, 40, 80, 0)
        assert r["tokens"] == 240 and r["usd"] == pytest.approx(2*A_CALL)
    m = trial.folder.manifest()
    assert m["usd"] == pytest.approx(9*A_CALL) and m["unpriced_calls"] == 0 and m["tokens_in"] == 800 and m["spent"]["calls"] == 9, "the first word too"
    assert trial.bill() == f"Acting: 8 calls, 800 tokens in (320 of them cached) and 160 out, {8*A_CALL:.4f} USD."
    n = len(server.heard)
    monkeypatch.setenv("RBKIT_PRICES", "") # what was paid is in the recording
    again = ablate("E01", ARMS, out=str(tmp_path/"again"), replay=str(trial.folder.path/"recording.jsonl"), **{**SMALL, "lm": None})
    assert steady(again.rows) == steady(trial.rows) and again.bill() == trial.bill() and len(server.heard) == n

def test_learning_is_paid_too_and_every_call_stands_in_a_row(server, tmp_path):
    server.script = simulated(Profile(p_discover=.6))
    trial = learn("E09", LEARNS, out=str(tmp_path/"live"), record=True, **STREAMS)
    assert all(r["tokens_in"] == 100*r["calls"] and r["learn_tokens_in"] == 100*r["learn_calls"] and r["learn_tokens_out"] == 20*r["learn_calls"] for r in trial.rows)
    total = sum(r.get("calls", 0)+r.get("learn_calls", 0) for r in trial.tries)
    assert total == len(asked(server)) == trial.folder.manifest()["spent"]["calls"]-3, "what the server got is what the rows say, and a word before at each temperature"
    assert trial.folder.manifest()["usd"] == pytest.approx((total+3)*A_CALL)
    assert "Acting:" in trial.bill() and "learning:" in trial.bill()
    again = learn("E09", LEARNS, out=str(tmp_path/"again"), replay=str(trial.folder.path/"recording.jsonl"), **{**STREAMS, "lm": None})
    assert steady(again.rows) == steady(trial.rows)

def test_a_cap_in_mid_stream_loses_no_step_and_counts_what_was_paid(server, tmp_path):
    server.script = simulated(Profile(p_discover=.6))
    how = dict(STREAMS, out=str(tmp_path))
    first = learn("E09", LEARNS, max_usd=25*A_CALL, **how)
    m = first.folder.manifest()
    assert first.status == "budget" and "The cap of" in m["stopped"] and "usd is reached" in m["stopped"]
    assert 0 < len(first.rows) < m["expected_rows"] and m["spent"]["calls"] == len(server.heard) <= 27
    paid = len(server.heard)
    learn("E09", LEARNS, max_usd=25*A_CALL, **how)
    assert len(server.heard) == paid, "the same cap buys nothing more, and no first word"
    whole = learn("E09", LEARNS, **how)
    assert whole.status == "success" and whole.folder.manifest()["stopped"] == "" and steady(first.rows) == [r for r in steady(whole.rows) if r in steady(first.rows)]
    assert whole.folder.manifest()["spent"]["calls"] == len(server.heard), "steps that a cap cut short were paid, and count"
    assert len(asked(server)) == sum(r.get("calls", 0)+r.get("learn_calls", 0) for r in whole.tries), "and nothing was paid twice"

def many_sittings(server, caps, times, slack, out):
    "Sit down until the run is whole, each cap several times; a cap that was reached buys nothing more"
    for cap in caps:
        for sitting in range(times):
            paid = len(server.heard)
            trial = ablate("E01", ARMS, out=str(out), **cap, **SMALL)
            if trial.status == "success": return trial
            if sitting: assert len(server.heard) == paid, "several sittings at one cap are one"
            elif "max_calls" in cap: assert len(server.heard) <= cap["max_calls"]+slack

@pytest.mark.parametrize("backend, step, slack", [("threads", 4, 0), slow("processes", 5, 1)]) # a call of another process may be under way
def test_caps_hold_across_sittings_and_workers_and_nothing_is_paid_twice(server, tmp_path, monkeypatch, backend, step, slack):
    monkeypatch.setenv("RBKIT_BACKEND", backend); monkeypatch.setenv("RBKIT_WORKERS", "2")
    trial = many_sittings(server, [dict(max_calls=step*n) for n in range(1, 20)], 2, slack, tmp_path)
    assert len(asked(server)) == 8 == sum(r["calls"] for r in trial.rows), "four attempts of two requests, though each sitting stopped in the middle of one"
    assert {r["outcome"] for r in trial.rows} == {"success", "wrong"} and trial.folder.manifest()["usd"] == pytest.approx(len(server.heard)*A_CALL)

@pytest.mark.slow
@pytest.mark.parametrize("cap", [dict(max_tokens=400), dict(max_usd=3*A_CALL)])
def test_other_caps_hold_across_sittings_of_processes_too(server, tmp_path, monkeypatch, cap):
    monkeypatch.setenv("RBKIT_BACKEND", "processes"); monkeypatch.setenv("RBKIT_WORKERS", "2")
    assert many_sittings(server, [cap], 3, 0, tmp_path) is None and server.heard, "it is never whole at this cap"

@pytest.mark.parametrize("cap", ["calls", "tokens", "usd", "secs"])
def test_a_cap_that_is_used_up_leaves_a_worker_nothing(cap):
    spend = Spend(**{f"max_{cap}": 2})
    spend.resume(**{**dict(calls=0, tokens=0, usd=0.0, secs=0), cap: 1})
    elsewhere = Spend.of(json.loads(json.dumps(spend.told())))
    elsewhere.begin() # one is left
    spend.resume(**{**dict(calls=0, tokens=0, usd=0.0, secs=0), cap: 1})
    with pytest.raises(BudgetReached, match=f"The cap of 2 {cap} is reached"): Spend.of(json.loads(json.dumps(spend.told()))).begin()

def test_a_server_that_says_it_had_kept_more_than_was_sent_lowers_no_bill(server, tmp_path):
    server.usage = dict(prompt_tokens=100, completion_tokens=20, total_tokens=120, prompt_tokens_details=dict(cached_tokens=10**9))
    trial = ablate("E01", ARMS, out=str(tmp_path), max_usd=3*A_CALL, **SMALL)
    m = trial.folder.manifest()
    a_call = (100*.5+20*2)/1e6 # all that was sent counts as kept, and no more
    n = len(server.heard) # the fourth call waits or not for what the third reserved
    assert m["status"] == "budget" and n in (3, 4) and m["spent"]["calls"] == n and m["usd"] == pytest.approx(n*a_call) and m["usd"] <= 3*A_CALL+1e-12
    assert all(r["tokens_cached"] == r["tokens_in"] == 100*r["calls"] for r in trial.rows)

def test_a_killed_run_goes_on_from_what_it_paid(server, tmp_path):
    stuck = threading.Event()
    def script(request, n):
        if n == 7 and not stuck.is_set(): # the sixth request of attempts
            stuck.set()
            time.sleep(30)
        return follow(request, n)
    server.script = script
    typed = ["run", "E1", "--lm", LM, "--interpreter", "trusted", "--suite", "seeds/toy", "--n-tasks", "2", "--n-repeats", "1", "--workers", "1", "--out", str(tmp_path)]
    run = Fork(tmp_path/"said", command, typed, near(server))
    assert stuck.wait(120)
    run.kill()
    folder = next((tmp_path/"E01").glob("*"))
    journal = Journal(folder/PAID).lines()
    rows = RunFolder.read(folder)
    assert len(journal) == 5 and sum(r["calls"] for r in rows) == 4, "one answer was paid, and its attempt is not over"
    trial = ablate("E01", ARMS, out=str(tmp_path), **SMALL)
    assert len(asked(server)) == 9 and sum(r["calls"] for r in trial.rows) == 8, "the one that was never answered is asked again, no other"
    assert len(Journal(folder/PAID).lines()) == 8 and trial.folder.manifest()["spent"]["calls"] == 8+1

def test_a_try_that_broke_is_taken_up_where_it_ended(server, tmp_path, monkeypatch):
    "What a server broke at is asked again, and nothing that it had answered before"
    broke = []
    def script(request, n):
        is_last = is_agent(request) and "=== Step 1 ===" in said(request)
        if not is_last or len(broke) == 2: return follow(request, n)
        broke.append(n)
        return 400, "broken"
    server.script = script
    monkeypatch.setenv("RBKIT_WORKERS", "1")
    trial = ablate("E01", ARMS, out=str(tmp_path), **SMALL)
    rows = RunFolder.read(trial.folder.path)
    assert [r["attempt"] for r in rows if r["outcome"] == "infrastructure"] == [1, 2], "two tries broke"
    assert len(asked(server)) == 8+len(broke) and len(Journal(trial.folder.path/PAID).lines()) == 8, "each answer is paid once"
    assert trial.status == "success" and trial.folder.manifest()["spent"]["calls"] == 8+len(broke)+1

@pytest.mark.parametrize("status, why", [(401, "no such key"), (402, "no credit is left")], ids=["key", "credit"])
def test_a_provider_that_takes_no_more_ends_the_run(server, tmp_path, monkeypatch, status, why):
    "As a cap does: nothing else is tried, and the same run goes on where it ended"
    server.script = lambda request, n: (status, why) if n > 4 else follow(request, n)
    monkeypatch.setenv("RBKIT_WORKERS", "1")
    trial = ablate("E01", ARMS, out=str(tmp_path), **SMALL)
    stopped = trial.folder.manifest()["stopped"]
    assert trial.status == "budget" and "takes no more requests" in stopped and why in stopped, stopped
    assert len(asked(server)) <= 3+2, "the other attempts are not made"
    server.script = follow
    before = len(asked(server))
    trial = ablate("E01", ARMS, out=str(tmp_path), **SMALL)
    assert trial.status == "success" and len(asked(server)) == before+8-3, "what was answered is not asked again"

def test_without_a_journal_what_was_paid_is_paid_again(server, tmp_path, monkeypatch):
    "The control: a cap stops in the middle of the second attempt, for the word of the preflight counts too"
    monkeypatch.setattr(Journal, "add", lambda self, line: None)
    monkeypatch.setenv("RBKIT_WORKERS", "1")
    for cap in (4, 0): trial = ablate("E01", ARMS, out=str(tmp_path), max_calls=cap, **SMALL)
    assert len(asked(server)) == 9 and sum(r["calls"] for r in trial.rows) == 8

def test_the_full_cake_costs_and_replays_the_same(server, tmp_path):
    server.script = simulated(Profile(p_discover=.6))
    how = dict(suite="seeds/library", n_tasks=2, n_repeats=1)
    trial = ablate("E06", e06.ARMS, out=str(tmp_path/"live"), record=True, lm=LM, interpreter="trusted", **how)
    guides = sum(g.calls for g in trial.inputs.guides.values())
    assert guides and len(asked(server)) == guides+sum(r["calls"] for r in trial.rows) and all(r["usd"] == pytest.approx(r["calls"]*A_CALL) for r in trial.rows)
    again = ablate("E06", e06.ARMS, out=str(tmp_path/"again"), replay=str(trial.folder.path/"recording.jsonl"), lm=None, **how)
    assert steady(again.rows) == steady(trial.rows) and again.bill() == trial.bill()
    written = trial.folder.manifest()["guides"]
    assert [written[k] for k in ("calls", "tokens_in", "tokens_out", "tokens_cached", "calls_estimated")] == [guides, 100*guides, 20*guides, 40*guides, 0]
    assert f"guides: {guides} calls, {100*guides:,} tokens in ({40*guides} of them cached) and {20*guides} out, {guides*A_CALL:.4f} USD" in trial.bill()
    from rbkit.trials.plans import GUIDES, plan
    planned = plan("E06", e06.ARMS, out=str(tmp_path/"live"), lm=LM, **how)
    line = planned.frame.loc[GUIDES]
    assert planned.source == "its own rows so far" and (line["attempts"], line["calls"], line["tokens_out"], line["usd"]) == (1, guides, 20*guides, pytest.approx(guides*A_CALL, abs=1e-4))

def test_a_guide_of_an_earlier_version_is_read_and_billed_as_far_as_it_tells(server, tmp_path):
    from rbkit.trials.inputs import kept_guide
    server.script = simulated(Profile(p_discover=.6))
    trial = ablate("E06", e06.ARMS, out=str(tmp_path), lm=LM, interpreter="trusted", suite="seeds/library", n_tasks=2, n_repeats=1)
    path = next((trial.folder.path/"guides").glob("*.json"))
    told = {k: v for k, v in json.loads(path.read_text()).items() if k not in ("tokens_in", "tokens_out", "tokens_cached", "calls_estimated")}
    path.write_text(json.dumps(told))
    guide = kept_guide(trial.folder, path.stem, told["code"])
    trial.inputs.guides = {path.stem: guide}
    assert guide.tokens_in is None and f"guides: {guide.calls} calls, {guide.tokens:,} tokens, " in trial.bill()

def test_a_plan_has_a_line_for_guides_where_a_model_writes_them():
    from rbkit.experiments import e04
    from rbkit.trials.plans import GUIDES, plan
    how = dict(lm="openai/gpt-5-mini", suite="seeds/toy", n_tasks=2, n_repeats=3)
    planned = plan("E04", e04.ARMS, **how)
    line = planned.frame.loc[GUIDES]
    assert line["attempts"] == 1 and line["calls"] >= 2 and line["tokens"] > 100 and line["usd"] > 0 and f"{sum(planned.frame['usd']):.2f} USD" in planned.money
    assert GUIDES not in plan("E04", e04.ARMS, guide="seeds", **{**how, "suite": "seeds/graphs"}).frame.index
    assert GUIDES not in plan("E01", ARMS, **how).frame.index

def test_a_world_over_http_replays_the_same_with_the_trials_of_its_lessons(server, tmp_path):
    where = dict(world="household", options=dict(n_train=8, n_held_out=4), n_held_out=2)
    server.script = simulated(open_world("household", None, where["options"]).profile(p_discover=.6))
    arms = [NO_MEMORY, Learner("lessons tried", learn="lessons", verify="rerun")]
    how = dict(interpreter="trusted", n_tasks=5, n_streams=2, **where)
    made = learn("E09", arms, lm=LM, record=True, out=str(tmp_path/"live"), **how)
    assert {r["outcome"] for r in made.rows} <= {"success", "not_converged"} and not any("unparsable" in r["reason"] for r in made.rows)
    assert any(r["correct"] for r in made.rows) and max(r["learn_calls"] for r in made.rows) > 6, "a judge, an extractor, and attempts that try a lesson"
    n = len(server.heard)
    again = learn("E09", arms, replay=str(made.folder.path/"recording.jsonl"), out=str(tmp_path/"again"), **how)
    assert steady(again.rows) == steady(made.rows) and len(server.heard) == n

@pytest.mark.parametrize("world", ["graph", "household"])
def test_options_and_temperature_reach_every_request(server, tmp_path, world):
    where = dict(suite="seeds/library") if world == "graph" else dict(world="household", options=dict(n_train=8, n_held_out=4), n_held_out=2)
    agent = Profile(p_discover=.6) if world == "graph" else open_world("household", None, where["options"]).profile(p_discover=.6)
    server.script = simulated(agent)
    learn("E09", [NO_MEMORY, Learner("lessons", learn="lessons")], lm=LM, interpreter="trusted", n_tasks=3, n_streams=2, temperature=.3, request_options='{"top_p": 0.9, "seed": 7}', **where)
    heard = [q for _, q in server.heard]
    assert {(q.get("top_p"), q.get("seed")) for q in heard} == {(.9, 7)}, "all of them: the first word, acting, judging, extracting"
    assert {q["temperature"] for q in heard} == {.3, 0.0, 1.0}, "what acts has the run's own; judging 0, extracting 1"
    assert sum(q["temperature"] == .3 for q in heard) > len(heard)/3

def test_a_pilot_is_free_and_stays_outside_the_caps():
    from rbkit.trials.plans import plan
    from rbkit.trials.stream_plans import plan_streams
    small = dict(lm="openai/gpt-5-mini", n_tasks=2, max_calls=1, max_usd=.001)
    one = plan("E01", ARMS, suite="seeds/toy", n_repeats=1, **small)
    many = plan_streams("E09", LEARNS, suite="seeds/library", n_streams=2, **small)
    assert one.caps["calls"] == 1 and all(one.frame["usd"] > 0) and one.frame["calls"].nunique() == 1
    assert many.frame.loc["lessons", "usd"] > many.frame.loc["no memory", "usd"] > 0, "learning is paid too"

def test_equal_arms_cost_the_same_and_stored_rows_of_the_stand_in_say_how_much(tmp_path):
    from rbkit.trials.plans import plan
    from rbkit.trials.spec import AA_REPEAT, BASELINE
    arms, how = [BASELINE, AA_REPEAT], dict(suite="seeds/toy", n_tasks=3, n_repeats=3)
    few = plan("E01", arms, lm="openai/gpt-5-mini", out=str(tmp_path), **how)
    assert "3 attempts per arm" in few.source and few.frame.loc["baseline"].equals(few.frame.loc["baseline again"])
    made = ablate("E01", arms, lm="sim", out=str(tmp_path), **how)
    stored = plan("E01", arms, lm="openai/gpt-5-mini", out=str(tmp_path), **how)
    assert "stored rows of the simulated model" in stored.source and all(stored.frame["usd"] > 0)
    assert stored.frame["tokens"].tolist() == [sum(r["tokens"] for r in made.rows if r["arm"] == "baseline")]*2

def test_a_run_goes_on_with_what_its_plan_opened_and_looks_anew_where_something_changed(tmp_path, monkeypatch):
    import shutil
    from rbkit.ground.settings import resolve
    from rbkit.trials.plans import experiment
    from rbkit.trials.spec import AA_REPEAT, BASELINE
    suite = shutil.copytree(resolve("seeds/toy"), tmp_path/"toy")
    run, cost = experiment("E01", [BASELINE, AA_REPEAT], "nothing against nothing")
    how = dict(suite=str(suite), n_tasks=2, n_repeats=1)
    opened = []
    import rbkit.trials.inputs as inputs
    real = inputs.open_world
    monkeypatch.setattr(inputs, "open_world", lambda *words: opened.append(words) or real(*words))
    def worlds(change=lambda: None, **more):
        opened.clear()
        cost(**how, out=str(tmp_path/"out"))
        change()
        run(**{**how, **more}, out=str(tmp_path/"out"))
        return len(opened)
    assert worlds() == 1 and worlds() == 1, "one world for a plan and its run"
    assert worlds(n_repeats=2) == 2, "another run"
    assert worlds(lambda: (suite/"tasks.jsonl").write_text((suite/"tasks.jsonl").read_text()+"\n")) == 2, "another suite"
    assert worlds(lambda: monkeypatch.setenv("RBKIT_SUITE", "seeds/toy")) == 2, "another setting"

def test_options_are_part_of_what_a_row_is(server, tmp_path):
    ablate("E01", ARMS, out=str(tmp_path), **SMALL)
    more = ablate("E01", ARMS, out=str(tmp_path), request_options={"top_p": .5}, **SMALL)
    assert more.folder.made == 4 and {q.get("top_p") for q in asked(server)} == {None, .5}
    with pytest.raises(ValueError, match="no JSON object"): ablate("E01", ARMS, request_options="top_p", **SMALL)

@pytest.mark.parametrize("world", ["graph", pytest.param("household", marks=pytest.mark.slow)])
def test_each_rollout_has_a_seed_of_its_own_where_that_is_asked_for(server, tmp_path, world):
    "And the same one when the run is made again, so that a provider that keeps to seeds repeats itself"
    where = SMALL if world == "graph" else dict(world="household", options=dict(n_train=8, n_held_out=4), n_held_out=2, lm=LM, interpreter="trusted", n_tasks=3, n_streams=2)
    if world != "graph": server.script = simulated(open_world("household", None, where["options"]).profile(p_discover=.6))
    def seeds(out):
        server.heard.clear()
        how = dict(request_options='{"seed": "rollout"}', out=str(tmp_path/out))
        if world == "graph": ablate("E01", ARMS, **{**where, "n_repeats": 3}, **how)
        else: learn("E09", [NO_MEMORY], **where, **how)
        return sorted(q["seed"] for _, q in server.heard if "seed" in q and q.get("max_tokens") != 16)
    first = seeds("one")
    assert len(set(first)) >= 6 and all(type(n) is int and 0 <= n < 2**31 for n in first) and seeds("two") == first
    with pytest.raises(ValueError, match="a whole number, or 'rollout'"): ablate("E01", ARMS, request_options={"seed": "other"}, **SMALL)

def test_repeats_that_are_one_are_told(server, tmp_path):
    trial = ablate("E01", ARMS, temperature=.7, **{**SMALL, "n_repeats": 2})
    assert any(w.startswith("Same replies: in 4 of 4 cases") for w in trial.warnings())
    server.script = lambda request, n: (200, f"{follow(request, n)[1]}\n{n}")
    trial = ablate("E01", ARMS, temperature=.7, **{**SMALL, "n_repeats": 2})
    assert not any(w.startswith("Same replies") for w in trial.warnings())

def test_a_server_that_does_not_count_is_estimated_and_said_to_be(server, tmp_path):
    server.usage = None
    trial = ablate("E01", ARMS, **SMALL)
    for r in trial.rows:
        assert r["calls_estimated"] == r["calls"] == 2 and abs(r["tokens_in"]-r["request_chars"]/4) < 3 and r["tokens_out"] > 20 and r["usd"] > 0
    assert "8 calls are estimated" in trial.bill()

HOLLOW = (b"{}", b'{"choices": []}', b'{"error": {"message": "upstream"}}')
NONSENSE = (b"", b"<html>one moment</html>", b'{"choices": [{"mess') # nothing, a page, half of an answer

@pytest.mark.parametrize("body", NONSENSE)
def test_what_no_library_can_read_is_asked_for_again_and_costs_no_attempt(server, monkeypatch, body):
    monkeypatch.setattr("rbkit.models.live.pause_secs", lambda state: 0)
    follow = server.script
    server.script = lambda request, n: (200, body) if n % 3 == 0 else follow(request, n)
    trial = ablate("E01", ARMS, **SMALL)
    assert {r["attempt"] for r in trial.tries} == {1} and len(server.heard) > sum(r["calls"] for r in trial.tries) > 0

@pytest.mark.parametrize("body", HOLLOW)
def test_a_hollow_answer_is_our_side_and_is_asked_again(server, monkeypatch, body):
    monkeypatch.setattr("rbkit.models.live.pause_secs", lambda state: 0)
    server.script = lambda request, n: (200, body) if n < 3 else (200, "here")
    assert connect(LM)("hello") == ["here"] and len(server.heard) == 3
    server.script = lambda request, n: (200, body if is_agent(request) else "ok")
    trial = ablate("E01", ARMS, **SMALL)
    assert {r["outcome"] for r in trial.tries} == {"infrastructure"} and all("answered nothing" in r["reason"] or "upstream" in r["reason"] for r in trial.tries)

def test_a_server_that_says_when_is_obeyed_within_the_deadline(server, monkeypatch):
    naps = []
    def nap(state): naps.append(pause_secs(state)); return 0
    monkeypatch.setattr("rbkit.models.live.pause_secs", nap)
    server.script = lambda request, n: [(429, "slow down", {"retry-after": "2"}, 0), (503, "soon"), (200, "here")][n-1]
    assert connect(LM)("hello") == ["here"]
    assert 2 <= naps[0] <= 2.2 and 0 <= naps[1] <= 1
    server.heard.clear()
    monkeypatch.setattr("rbkit.models.live.pause_secs", pause_secs)
    monkeypatch.setenv("RBKIT_REQUEST_TIMEOUT_SECS", "30")
    server.script = lambda request, n: (429, "slow down", {"retry-after": "3600"}, 0)
    with pytest.raises(Exception, match="slow down"): connect(LM)("hello")
    assert len(server.heard) == 1, "an hour is longer than the deadline"

def test_a_body_that_drips_ends_at_the_deadline(server, monkeypatch):
    monkeypatch.setenv("RBKIT_REQUEST_TIMEOUT_SECS", "1")
    whole = json.dumps(body_of(dict(model="m"), "late")).encode()
    server.script = lambda request, n: (200, [whole[i:i+5] for i in range(0, len(whole), 5)])
    with pytest.raises(Exception, match="not whole in time"): connect(LM)("hello")
    assert len(server.heard) == 1

def test_turns_are_shared_by_the_workers_of_a_process(server, monkeypatch):
    waits, take = [], Turns.take
    def noted(self, now): waits.append(take(self, now)); return waits[-1]
    monkeypatch.setenv("RBKIT_MAX_REQUESTS_PER_MINUTE", "1200")
    monkeypatch.setattr(Turns, "take", noted)
    ablate("E01", ARMS, **SMALL)
    assert len(waits) == len(server.heard) == 9 and 0 < max(waits) <= .1+1e-6, "two workers, each of which takes the next place"

def clocked(server, script):
    "When each request came, beside what a script answers"
    came = []
    def timed(request, n): came.append(time.monotonic()); return script(request, n)
    server.script = timed
    return came

def test_the_ceiling_holds_for_all_processes_of_a_run(server, monkeypatch):
    for k, v in dict(RBKIT_BACKEND="processes", RBKIT_WORKERS="2", RBKIT_MAX_REQUESTS_PER_MINUTE="60").items(): monkeypatch.setenv(k, v)
    came = clocked(server, follow)
    trial = ablate("E01", ARMS, **{**SMALL, "n_tasks": 2})
    assert len(trial.rows) == 4 and len(came) == 9
    assert min(after-before for before, after in zip(came, came[1:])) > .7, "a second apart, whichever of two processes asks"

def another_process(monkeypatch):
    "An engine with a row of its own, as another process has it: nothing but the file is shared"
    turns_at.cache_clear()
    return connect(LM)

def test_a_pause_holds_for_all_that_ask_the_endpoint(server, monkeypatch):
    def script(request, n): return (429, "slow down", {"retry-after": "1.5"}, 0) if n == 1 else (200, "here")
    came = clocked(server, script)
    first = threading.Thread(target=lambda: connect(LM)("hello"))
    first.start()
    while not came: time.sleep(.01)
    time.sleep(.3) # it has heard what the server said
    threads = [threading.Thread(target=lm, args=("hello",)) for lm in (connect(LM), another_process(monkeypatch))]
    for t in threads: t.start()
    for t in (first, *threads): t.join()
    assert len(came) == 4 and min(came[1:])-came[0] >= 1.5, "nobody asks while the server wants to be left alone"

def test_who_waited_for_a_place_looks_once_more(tmp_path):
    one, other = Turns("a", 60, tmp_path/"turns.db"), Turns("a", 60, tmp_path/"turns.db")
    one.take(time.time())
    begun = time.time()
    waits = threading.Thread(target=other.wait) # a second, for its place
    waits.start()
    time.sleep(.3)
    one.pause(2, begun)
    waits.join()
    assert time.time()-begun >= 2

def test_a_pause_that_is_too_long_is_waited_for_by_nobody(server, monkeypatch):
    monkeypatch.setenv("RBKIT_REQUEST_TIMEOUT_SECS", "30")
    server.script = lambda request, n: (429, "slow down", {"retry-after": "99999"}, 0)
    with pytest.raises(Exception, match="slow down"): connect(LM)("hello")
    begun = time.monotonic()
    for lm in (connect(LM), another_process(monkeypatch)):
        with pytest.raises(Exception, match=r"left alone for another 3[56]\d\d seconds, and a request may take 30"): lm("hello")
    assert len(server.heard) == 1 and time.monotonic()-begun < 5, "not asked, and an hour at most"

def test_a_file_of_turns_that_is_none_is_said_once_and_this_process_goes_on(tmp_path):
    (tmp_path/"turns.db").write_text("no database "*99)
    row = Turns("a", 60, tmp_path/"turns.db")
    with pytest.warns(UserWarning, match="turns.db in the folder of results cannot be used"): assert row.take(100) == 0
    assert row.take(100) == 1

def test_doctor_says_what_one_word_took(server):
    r = rbkit("doctor", "--lm", LM, "--api-base", server.url, env=near(server, OPENAI_API_KEY="planted-secret"))
    line = next(l for l in r.stdout.splitlines() if l.startswith("answers"))
    assert r.returncode == 0 and "300 tokens in, 60 out" in line and "0.000360 USD" in line and " s" in line, r.stdout
    server.script = lambda request, n: (401, "Incorrect API key provided: planted-secret")
    r = rbkit("doctor", "--lm", LM, "--api-base", server.url, env=near(server, OPENAI_API_KEY="planted-secret"))
    assert r.returncode == 1 and "does not answer" in r.stdout and "planted-secret" not in r.stdout+r.stderr and not r.stderr, r.stdout+r.stderr
    assert server.keys[-1] == "Bearer planted-secret"

def test_doctor_takes_prices_of_ones_own_and_says_what_each_wall_and_the_bank_rest_on(server):
    typed = ("doctor", "--json", "--lm", LM, "--api-base", server.url, "--prices", "openai/*=10 100")
    told = json.loads(rbkit(*typed, env=near(server, OPENAI_API_KEY="planted-secret"), check=True).stdout)
    assert "0.009000 USD" in told["answers"], "three times 100 tokens in at 10, 20 out at 100 dollars per million"
    assert told["interpreter"] in ("locked", "trusted", "wasm") and set(told["wasm"]) == {"deno", "pyodide"}
    if told["lock"] == "holds": assert told["landlock"].startswith("version ") and told["seccomp"] in ("x86_64", "aarch64")
    bad = tuple(map(int, told["sqlite"].split("."))) < (3, 51, 3)
    assert told["wal"].startswith("optional, off by default") and ("leave it off" in told["wal"]) is bad

def test_money_is_listed_where_a_run_cost_some(server, tmp_path):
    ablate("E01", ARMS, out=str(tmp_path), **SMALL)
    listed = json.loads(rbkit("list", "--out", tmp_path, "--json", check=True).stdout)["runs"]
    assert [run["usd"] for run in listed] == [pytest.approx(9*A_CALL, abs=1e-6)]
    ablate("E01", ARMS, out=str(tmp_path/"free"), suite="seeds/toy", n_tasks=2, n_repeats=1)
    assert "usd" not in json.loads(rbkit("list", "--out", tmp_path/"free", "--json", check=True).stdout)["runs"][0]

def test_prices_of_ones_own_come_first(monkeypatch):
    monkeypatch.setenv("RBKIT_PRICES", "openai/*-mini=1 1 1; *=0 0")
    assert usd_of("openai/gpt-5-mini", Tokens(10**6, 0)) == 1 and usd_of("hosted_vllm/Qwen3:8b") == 0
    monkeypatch.setenv("RBKIT_PRICES", "")
    assert own_price("openai/gpt-5-mini") is None and 0 < usd_of("openai/gpt-5-mini", Tokens(10**6, 0)) < 1
    for wrong in ("x", "1", "1 2 3 4", "-1 2", "a b"):
        monkeypatch.setenv("RBKIT_PRICES", f"openai/m={wrong}")
        with pytest.raises(ValueError, match="US dollars for a million tokens"): usd_of("openai/m")
