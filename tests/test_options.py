"What a request says beside its text: by a server that keeps the bodies"
import json
import pytest
from house import clean_env, rbkit
from live_server import Server, is_agent
from test_money import STREAMS, LEARNS, server, SMALL, LM, near # noqa: F401
from rbkit.experiments.e01 import ARMS
from rbkit.models.connect import connect, preflight, read_options
from rbkit.models.prompts import ask, prompt
from rbkit.models.sim_reader import Profile
from live_server import simulated
from rbkit.policies.judging import ModelJudge
from rbkit.trials.ablation import ablate
from rbkit.trials.learning import learn

CASE = dict(question="Which?", results="1 row", answer="one", ending="answered")
SHOWN = dict(question="Which?", verdict="success", trajectory="select")
OWN = dict(top_k=20, min_p=.1, repetition_penalty=1.1, chat_template_kwargs=dict(enable_thinking=False), think=False, num_ctx=8192)
def last(server): return server.heard[-1][1]
def bare(server): return {k: v for k, v in last(server).items() if k not in ("model", "messages")}

@pytest.mark.parametrize("name", ["openai/m", "hosted_vllm/m", "ollama_chat/m"])
@pytest.mark.parametrize("spelled", [dict, lambda options: dict(extra_body=options)])
def test_options_that_dspy_does_not_know_are_on_the_wire(server, name, spelled):
    server.script = lambda request, n: (200, "ok")
    options = read_options(json.dumps(dict(spelled(OWN), top_p=.9, response_format=dict(type="json_object"))))
    lm = connect(name, temperature=.3, options=options)
    wanted = {**OWN, "top_p": .9, "response_format": {"type": "json_object"}}
    lm("hello")
    assert bare(server) == {**wanted, "temperature": .3}
    ask(lm, prompt("judge"), **CASE)
    assert bare(server) == {**wanted, "temperature": 0.0}
    assert preflight(name, temperature=.3, options=options).calls == 1 and bare(server).items() >= {**wanted, "temperature": .3}.items()

@pytest.mark.parametrize("given, says", [({"temperature": 1}, "--temperature"), ({"rollout_id": 3}, "seed"), ({"n": 2}, "--n-repeats"), ({"api_base": "x"}, "--api-base"),
    ({"timeout": 3}, "--request-timeout-secs"), ({"num_retries": 3}, "leave it out"), ({"stream": True}, "leave it out"), ({"drop_params": True}, "leave it out"),
    ({"extra_body": {"model": "b"}}, "--lm"), ({"extra_body": 3}, "no JSON object"), ({"top_k": 1, "extra_body": {"top_k": 2}}, "twice"), ({"top_p": "high"}, "top_p must be numeric")])
def test_what_is_no_option_is_refused_in_plain_words(given, says):
    with pytest.raises(ValueError) as e: read_options(json.dumps(given))
    said = str(e.value)
    assert says in said and said.startswith("request_options=") and not any(word in said for word in ("lm15", "ear]", "verdict"))

def test_what_a_provider_has_no_place_for_is_refused_before_it_is_asked(server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with pytest.raises(ValueError, match="anthropic/m cannot be sent seed=7"): preflight("anthropic/m", options=read_options({"seed": 7}))
    assert not server.heard

def own_heat(request, n):
    "A model that refuses every temperature but its own, and answers like the stand-in else"
    if request.get("temperature", 1) != 1: return 400, f"Unsupported value: 'temperature' does not support {request['temperature']} with this model. Only the default (1) value is supported."
    return simulated(Profile(p_discover=.6))(request, n)

def test_a_refused_temperature_is_known_before_a_run_that_learns_and_names_the_setting(server, monkeypatch):
    server.script = own_heat
    assert preflight(LM).calls == 1, "one that acts alone has nothing to judge"
    with pytest.raises(ConnectionError) as e: preflight(LM, learns=True)
    for word in ("refuses temperature=0.0", "at which it would judge", "Only the default (1)", "--judge-temperature 1", "RBKIT_JUDGE_TEMPERATURE="): assert word in str(e.value)
    with pytest.raises(ConnectionError, match="refuses temperature=0.3: .*--temperature 1, or RBKIT_TEMPERATURE=1"): preflight(LM, temperature=.3)
    monkeypatch.setenv("RBKIT_JUDGE_TEMPERATURE", "1")
    assert preflight(LM, learns=True).calls == 2 and last(server)["temperature"] == 1.0
    monkeypatch.setenv("RBKIT_JUDGE_TEMPERATURE", ""); monkeypatch.setenv("RBKIT_EXTRACT_TEMPERATURE", "")
    assert preflight(LM, learns=True).calls == 1 and "temperature" not in last(server)
    assert preflight(LM, temperature=1, learns=True).calls == 2, "none, where acting has one, is another request"

def test_an_option_that_a_server_refuses_is_named(server):
    server.script = lambda request, n: (400, "Unrecognized request argument supplied: min_p") if "min_p" in request else (200, "ok")
    with pytest.raises(ConnectionError, match=r"refuses 'min_p' of request_options=.*Unrecognized.*--request-options"): preflight(LM, options={"min_p": .1})

def test_a_judge_and_an_extractor_have_the_temperatures_of_the_settings(server, monkeypatch):
    server.script = lambda request, n: (200, "ok")
    def heats(**config):
        lm = connect(LM, **config)
        found = []
        for p, shown in ((prompt("judge"), CASE), (prompt("extract-success"), SHOWN), (prompt("judge", temperature=.2), CASE)):
            ask(lm, p, **shown)
            found.append(last(server).get("temperature"))
        return found
    assert heats(temperature=.7) == [0.0, 1.0, .2]
    monkeypatch.setenv("RBKIT_JUDGE_TEMPERATURE", "0.5"); monkeypatch.setenv("RBKIT_EXTRACT_TEMPERATURE", "")
    assert heats(temperature=.7) == [.5, None, .2], "empty is none at all, not that of acting; a temperature that was chosen stays"
    assert heats(options={"judge_temperature": None, "min_p": .1}) == [None, None, .2] and last(server)["min_p"] == .1
    monkeypatch.setenv("RBKIT_JUDGE_TEMPERATURE", "cold")
    with pytest.raises(ValueError, match="judge_temperature='cold' is no temperature"): read_options(None)

def test_a_run_that_learns_says_its_temperatures_and_is_kept_apart_by_them(server, tmp_path, monkeypatch):
    server.script = own_heat
    monkeypatch.setenv("RBKIT_JUDGE_TEMPERATURE", ""); monkeypatch.setenv("RBKIT_EXTRACT_TEMPERATURE", "1")
    first = learn("E09", LEARNS, out=str(tmp_path), temperature=1, **STREAMS)
    assert first.status == "success" and {q.get("temperature") for _, q in server.heard} == {1, None}
    assert first.folder.manifest()["settings"]["request_options"] == {"judge_temperature": None}
    paid = len(server.heard)
    learn("E09", LEARNS, out=str(tmp_path), temperature=1, **STREAMS)
    assert len(server.heard) == paid+2, "all is there; the first words alone, with a temperature and without"
    monkeypatch.setenv("RBKIT_JUDGE_TEMPERATURE", "1")
    again = learn("E09", LEARNS, out=str(tmp_path), temperature=1, **STREAMS)
    assert {r["config"] for r in again.rows}.isdisjoint({r["config"] for r in first.rows}), "rows of another judge are not this run's"

def test_the_stand_in_knows_no_temperature(tmp_path, monkeypatch):
    how = dict(suite="seeds/library", n_tasks=2, n_streams=2, lm="sim")
    plain = learn("E09", LEARNS, **how)
    assert plain.spec.params["request_options"] == {}
    assert [m for m in plain.rows] and connect("sim").meter.heats == dict(judge_temperature=0.0, extract_temperature=1.0)

def test_the_doctor_sends_what_a_run_would_send(server, tmp_path):
    env = near(server, RBKIT_TEMPERATURE="1", RBKIT_REQUEST_OPTIONS='{"min_p": 0.1}', RBKIT_JUDGE_TEMPERATURE="1")
    server.script = own_heat
    assert rbkit("doctor", "--lm", LM, env=env).returncode == 0
    assert [(q["temperature"], q["min_p"]) for _, q in server.heard] == [(1, .1)]
    del env["RBKIT_JUDGE_TEMPERATURE"]
    found = rbkit("doctor", "--lm", LM, env=env)
    assert found.returncode == 1 and "judge_temperature" in found.stdout
    found = rbkit("doctor", "--lm", LM, env={**env, "RBKIT_REQUEST_OPTIONS": '{"temperature": 1}'})
    assert found.returncode == 1 and "--temperature" in found.stdout
