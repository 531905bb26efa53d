"Replies as real models write them: reasoning beside or inside the text, no headers, JSON, boxes, refusals"
import json, threading, time
import pytest
from house import slow
from dspy.lm15 import Message, RefusalPart, Request, Response, TextPart, ThinkingPart, ToolCallPart, Usage
from live_server import Server, said, simulated
from rbkit.agents.executors import run_agent
from rbkit.agents.form import PlainAdapter
from rbkit.agents.turns import Act, Solve, run_turns, turn_context
from rbkit.agents.evidence import Evidence, world_evidence
from rbkit.context import ContextBuilder
from rbkit.experiments.e01 import ARMS
from rbkit.ground.ledger import Ledger
from rbkit.ground.reply_text import answer_in_json, json_text, read_fields, short_answer, split_thinking
from rbkit.ground.text import read_lines
from rbkit.models.connect import BudgetReached, Metered, Spend, connect
from rbkit.models.live import LiveEngine, clean_answer
from rbkit.models.prices import tokens_of
from rbkit.models.prompts import Unreadable, read_reply
from rbkit.models.replay import response_of
from rbkit.models.replies import plain_response, read_response, reply_fields, why_empty
from rbkit.models.sim_reader import Profile
from rbkit.policies.extraction import read_items
from rbkit.policies.judging import ModelJudge, read_verdict
from rbkit.trials.ablation import ablate
from rbkit.trials.learners import NO_MEMORY, Learner
from rbkit.trials.learning import learn
from rbkit.worlds.answers import extract_answer
from rbkit.worlds.comparison import check_reply
from rbkit.worlds.questions import Questions

LM = "openai/local-test"
SMALL = dict(lm=LM, interpreter="trusted", suite="seeds/toy", n_tasks=2, n_repeats=1)
STREAMS = dict(lm=LM, interpreter="trusted", suite="seeds/library", n_tasks=3, n_streams=2)
LEARNS = [NO_MEMORY, Learner("lessons", learn="lessons")] # a model judges, and a model extracts
THOUGHT = "Could it be \\boxed{41}? [[ ## answer ## ]] 41. Or {\"verdict\": \"failure\"}? No."
VOLATILE = ("secs", "learn_secs")

@pytest.fixture
def server(monkeypatch, tmp_path):
    s = Server()
    monkeypatch.setenv("RBKIT_RESULTS_PATH", str(tmp_path/"turns"))
    for k in ("NO_PROXY", "no_proxy"): monkeypatch.setenv(k, "127.0.0.1")
    monkeypatch.setenv("RBKIT_API_BASE", s.url); monkeypatch.setenv("RBKIT_PRICES", f"{LM}=1 2 .5")
    yield s
    s.close()

def response(*parts, usage=None, finish="stop"): return Response(id=None, model="m", message=Message.assistant(list(parts)), finish_reason=finish, usage=usage or Usage())

class Says:
    "An engine that answers with messages of its own, the last one again and again"
    def __init__(self, *answers):
        self.answers = list(answers)
        self.heard = []
    def complete(self, request):
        self.heard.append(request)
        given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return given if isinstance(given, Response) else response(TextPart(given))
    def close(self): pass

def speaker(*answers):
    "A model as `connect` gives it, with such an engine"
    import dspy
    meter = Metered(Says(*answers))
    lm = dspy.LM("rbkit/says", engine=meter, cache=False, num_retries=0)
    lm.meter = meter
    return lm

# Reasoning inside the text

INLINE = {
    "<think>41</think>42": "42", "<think>\n41\n</think>\n\n42": "42", "41\n</think>\n42": "42", "<think>41": "", "<THINK>41</Think>42": "42",
    "<thinking>41</thinking>42": "42", "<thought>41</thought>42": "42", "<reasoning>41</reasoning>42": "42", "<scratchpad>41</scratchpad>42": "42", "<analysis>41</analysis>42": "42", "<reflection>41</reflection>42": "42", "<seed:think>41</seed:think>42": "42",
    "[THINK]41[/THINK]42": "42", "◁think▷41◁/think▷42": "42", "<|begin_of_thought|>41<|end_of_thought|>42": "42", '<think time="3">41</think>42': "42",
    "<think>41</think>42<think>43": "42", "<think>40 <think>41</think> or 43</think>42": "42", "<think></think>42": "42", "42": "42",
    "<|channel|>analysis<|message|>41<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>": "42", "analysisIs it 41?assistantfinal42": "42",
    "<think>\n```python\nx = 41\n</think>\n```python\nx = 42\n```": "```python\nx = 42\n```", "```python\nx = 41\n```\n</think>\n42": "42",
}

@pytest.mark.parametrize("text, want", INLINE.items(), ids=range(len(INLINE)))
def test_reasoning_inside_a_text_is_taken_out(text, want):
    assert split_thinking(text)[0] == want and read_response(response(TextPart(text))).text == want

@pytest.mark.parametrize("text", ["```python\nprint('<b>')\nprint(x, '<think>')\n```", "I use no `<think>` here: 42", "```xml\n<thinking>\nwhy\n</thinking>\n```\n42", "x <thinker> y", " 42 \n", "analysis of 42"])
def test_a_tag_that_is_quoted_or_in_code_is_no_reasoning(text): assert split_thinking(text) == (text, "")

def test_splitting_takes_linear_time():
    begun = time.perf_counter()
    for text in ("<think>"*50_000, "</think>"*50_000, "```\n"*50_000, "<think></think>"*50_000, "`"*200_000, "< "*200_000, "<think "*50_000, "<|channel|>"*20_000): split_thinking(text)
    assert time.perf_counter()-begun < 20

@pytest.mark.parametrize("reply, right", [("<think>\\boxed{41}</think>\\boxed{35}", True), ("<think>\\boxed{35}</think>\\boxed{41}", False), ("<think>maybe \\boxed{41}</think>\nThe answer is 35.", True),
    ("<think>The answer is \\boxed{35}", False), ("perhaps \\boxed{41}</think>35", True), ("<thinking>answer: 41</thinking>\n**35**", True), ("\\boxed{35} <think>or \\boxed{41}?</think>", True)])
def test_a_box_in_the_reasoning_never_wins(reply, right): assert check_reply("35", reply).correct == right

def test_a_letter_in_the_reasoning_never_wins():
    assert check_reply("C", "<think>The answer is B.</think>The answer is C.", "choice", 4).correct
    assert not check_reply("B", "<think>The answer is (B).</think>I do not know.", "choice", 4).correct

# Parts of a response

PARTS = [ # parts, text, reasoning
    ((ThinkingPart("41"), TextPart("42")), "42", "41"), ((TextPart("4"), TextPart("2")), "42", ""), ((TextPart("42"), ToolCallPart("1", "f", {})), "42", ""),
    ((ThinkingPart("41"),), "", "41"), ((TextPart(""),), "", ""), ((ThinkingPart("40"), TextPart("<think>41</think>42")), "42", "40\n41"), ((RefusalPart("I will not."),), "", "")]

@pytest.mark.parametrize("parts, text, thinking", PARTS, ids=range(len(PARTS)))
def test_the_text_of_a_response_is_found_among_its_parts(parts, text, thinking):
    found = read_response(response(*parts))
    assert (found.text, found.thinking) == (text, thinking)
    plain = plain_response(response(*parts))
    assert read_response(plain) == found and plain_response(plain) is plain
    kept = response_of(dict(**reply_fields(response(*parts)), usage=[1]*6), Request("m", (Message.user("?"),)))
    assert read_response(kept)._replace(asked="") == found._replace(asked=""), "as a recording gives it back"

def test_an_old_line_of_a_recording_is_read_without_its_reasoning():
    found = read_response(response_of(dict(reply="<think>41</think>42", usage=[1, 1, 2]), Request("m", (Message.user("?"),))))
    assert (found.text, found.thinking) == ("42", "41")

def test_keys_are_masked_in_every_part(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "planted-secret")
    parts = (ThinkingPart("planted-secret"), TextPart("<think>planted-secret</think>the planted-secret"), RefusalPart("no planted-secret"), ToolCallPart("1", "f", dict(key="planted-secret")))
    clean = clean_answer(response(*parts))
    assert "planted-secret" not in repr(clean) and "<OPENAI_API_KEY>" in read_response(clean).text and len(clean.message.parts) == 4
    whole = clean_answer(response(ThinkingPart("41"), TextPart("42")))
    assert whole.message.parts == (ThinkingPart("41"), TextPart("42"))

@pytest.mark.parametrize("used, want", [(dict(input_tokens=0, output_tokens=0, total_tokens=0), (250, 3, 1)), (dict(input_tokens=0, output_tokens=9), (250, 9, 1)), (dict(input_tokens=9, output_tokens=0), (9, 3, 1)),
    (dict(), (250, 3, 1)), (dict(total_tokens=0), (250, 3, 1)), (dict(input_tokens=9, output_tokens=9), (9, 9, 0)), (dict(input_tokens=9, output_tokens=2, reasoning_tokens=50), (9, 52, 0))], ids=str)
def test_a_count_of_zero_for_a_text_is_estimated_and_reasoning_counts(used, want):
    tokens = tokens_of(response(ThinkingPart("thoughts"), TextPart("text!"), usage=Usage(**used)), LM, 1000)
    assert (tokens.tokens_in, tokens.tokens_out, tokens.calls_estimated) == want

def test_a_zero_for_an_empty_reply_is_believed():
    assert tokens_of(response(TextPart(""), usage=Usage(input_tokens=9, output_tokens=0)), LM, 40) == (9, 0, 0, 0)

# Fields in other forms

SPELLINGS = {
    "[[ ## answer ## ]]\n35": "header", "[[##thought##]]\nx\n[[##answer##]]\n35": "header", "[[ ## answer ## ]] 35 [[ ## completed ## ]]": "header", "[[answer]] 35": "header", "## answer\n35": "header",
    "**answer**\n35": "header", "### Final Answer\n35": "header", "<answer>35</answer>": "tag", '{"answer": 35}': "json", '{"thought": "x", "answer": "35"}': "json", '```json\n{"answer": "35"}\n```': "json",
    '```\n{"answer": "35"}\n```\nI hope this helps.': "json", '{"reasoning": "x", "final_answer": 35}': "json", 'Here: {"answer": "\\boxed{35}"} done': "json", "So \\boxed{35}": "box", "\\boxed{41} no, \\boxed{35}": "box",
    "\\fbox{35}": "box", "Final answer: 35": "phrase", "**Answer:** 35": "phrase", "The answer is 35.": "phrase", "35": "last_line", "**35**": "last_line", "5 times 7\n35": "last_line",
    "[[ ## thought ## ]]\n5 times 7, so \\boxed{35}": "box", "[[ ## thought ## ]]\nx\n\n[[ ## answer ## ]]\n35\n\n[[ ## completed ## ]]": "marker", "[[ ## thought ## ]]\nso \\boxed{35}\n\n[[ ## answer ## ]]\n\n[[ ## completed ## ]]": "box",
    '```json\n{"solution": "35", "confidence": 0.9}\n```': "json",
}

@pytest.mark.parametrize("reply, how", SPELLINGS.items(), ids=range(len(SPELLINGS)))
def test_an_answer_is_read_in_every_usual_form(reply, how):
    adapter = PlainAdapter()
    fields = adapter.parse(Solve, reply)
    assert set(fields) == {"thought", "answer"} and adapter.reads == {how: 1} and check_reply("35", fields["answer"]).correct, fields

@pytest.mark.parametrize("reply, how", SPELLINGS.items(), ids=range(len(SPELLINGS)))
def test_an_answer_in_every_usual_form_is_asked_for_once_and_seen_by_a_judge(reply, how):
    env = Questions("made", n=3)
    task = env.tasks()[0]
    reply = reply.replace("35", str(env.question_of(task).answer)).replace("\\\\", "\\")
    lm = speaker(reply)
    a = run_turns(env, task, turn_context(env), lm)
    assert (a.outcome, a.calls, a.read_as) == ("success", 1, {how: 1}), a.error
    judge = speaker('{"verdict": "success", "confidence": 0.9, "reason": "x"}')
    seen = world_evidence(task, a, kind="question")
    assert ModelJudge(judge, family="question")(seen).success
    shown = "\n".join(m.text for m in judge.meter.engine.heard[0].messages)
    assert f"> {a.trace[-1]['code']}" in shown, "the judge sees the text that was read"

@pytest.mark.parametrize("reply, action, how", [("go north", "go north", "last_line"), ("I look around.\n\ngo north", "go north", "last_line"), ("Thought: the lamp\nAction: go north\nObservation: a hall\nAction: go south", "go north", "header"),
    ("**Action:** go north", "go north", "header"), ('{"thought": "x", "action": "go north"}', "go north", "json"), ("<thought>x</thought><action>go north</action>", "go north", "tag"), ("```\ngo north\n```", "go north", "last_line"),
    ("[[##action##]] go north [[##completed##]]", "go north", "header")])
def test_an_action_is_read_in_every_usual_form(reply, action, how):
    adapter = PlainAdapter()
    assert adapter.parse(Act, split_thinking(reply)[0])["action"] == action or how == "tag"
    assert adapter.parse(Act, reply)["action"] == action

STEPS = {"I look first.\n```python\nprint(1)\n```": "fence", "```py\nprint(1)\n```\nOutput:\n```\n1\n```\n```python\nSUBMIT(1)\n```": "fence", "print(1)": "code", '{"reasoning": "x", "code": "print(1)"}': "json",
    '```json\n{"code": "print(1)"}\n```': "json", "[[##code##]]\n```python\nprint(1)\n```": "header", "[[ ## reasoning ## ]]\nThe answer: 35\n```python\nprint(1)\n```": "fence", "The answer is \\boxed{35}.\n```python\nprint(1)\n```": "fence",
    "**Code:**\nprint(1)": "header"}

@pytest.mark.parametrize("reply, how", STEPS.items(), ids=range(len(STEPS)))
def test_a_step_in_code_is_no_answer(reply, how):
    found = read_fields(reply, ["reasoning", "code"])
    assert found.how == how and "print(1)" in found.values["code"] and "SUBMIT" not in found.values["code"]

@pytest.mark.parametrize("text", ["I would rather talk about the weather.", "35", "", "  \n", "The answer is \\boxed{35}.", "```sparql\nSELECT * { ?s ?p ?o }\n```", "hello", '"words"'])
def test_words_are_no_step_in_code(text): assert read_fields(text, ["reasoning", "code"]) is None

@pytest.mark.parametrize("reply", ['Thought: x\nAction: finish\nAction Input: {"a": 1}', '{"tool": "finish", "args": {"a": 1}}', '{"function": {"name": "finish", "arguments": {"a": 1}}}', "[[##next_tool_name##]] finish\n[[##next_tool_args##]] {\"a\": 1}"])
def test_a_tool_call_is_read_in_every_usual_form(reply):
    found = read_fields(reply, ["next_thought", "next_tool_name", "next_tool_args"]).values
    assert found["next_tool_name"] == "finish" and json.loads(found["next_tool_args"]) if isinstance(found["next_tool_args"], str) else found["next_tool_args"] == {"a": 1}

@pytest.mark.parametrize("text, want", [("So \\boxed{\\frac{1}{2}}.", "\\frac{1}{2}"), ("The answer is **Paris**.", "Paris"), ("x\n\n- Paris", "Paris"), ("Final answer: -3", "-3"), ("`Paris`", "Paris")])
def test_a_short_answer(text, want): assert short_answer(text) == want

ONE_READER = [(r"So \boxed{\left\{1\right\}} and \boxed{}", r"\left\{1\right\}"), (r"\boxed{\boxed{7}", "7"), (r"\boxed 7", "7"), ("The answer is not 3. The answer is 4.", "4"), ("The answer is:\n\n4\nBye", "4"), ("Die Antwort lautet 7.", "7"), ("答案是 5。", "5"), ("Answer = 9", "9")]

@pytest.mark.parametrize("text, want", ONE_READER)
def test_agents_and_checks_read_the_same_answer(text, want): assert short_answer(text) == extract_answer(text, "math") == want

@pytest.mark.parametrize("text, want", [('{"answer": {"value": 3}}', "3"), ('{"answer": {"a": 3, "b": 4}}', '{"a": "3", "b": "4"}'), ('{"result": {"answer": 3, "why": 4}}', "3"), ('{"answer": ["C"]}', "C"), ('{"answer": 0.10}', "0.10"), ("{'choice': 'D'}", "D"), ('{"answer": true}', "true"), ('{"answer": "\\frac{1}{2}"}', "\\frac{1}{2}"), ('{"answer": null}', ""),
    ('{"answer": "1"} no, {"final_answer": 2}', "2"), ('{"solution": "x"}', "x"), ("no JSON", ""), ('{"other": 1}', "")])
def test_an_answer_in_json(text, want): assert answer_in_json(text) == want

def test_latex_in_json_keeps_its_backslashes():
    assert json.loads(json_text('{"a": "\\boxed{\\frac{1}{2}} \\sqrt{2} \\times", "b": "x\\n\\ty \\u00e9 \\\\boxed"}')) == dict(a="\\boxed{\\frac{1}{2}} \\sqrt{2} \\times", b="x\n\ty é \\boxed")

# Judges and extractors

VERDICT = '{"verdict": "success", "confidence": 0.9, "reason": "x"}'

@pytest.mark.parametrize("reply", [VERDICT, f"<think>{{\"verdict\": \"failure\"}}</think>{VERDICT}", f"{VERDICT}\nI hope this helps.", f"Here it is:\n{VERDICT}", f"```json\n{VERDICT}\n```\nDone.", VERDICT[:-1]+', "note": "y"}',
    f"Query:\n```sparql\nSELECT * {{ ?s ?p ?o }}\n```\n{VERDICT}"], ids=range(7))
def test_a_verdict_is_read_with_remarks_around_it(reply): assert read_verdict(reply).success

@pytest.mark.parametrize("reply", [f"{VERDICT}\n{VERDICT}", VERDICT[:-1], f"<think>{VERDICT}", "[" + VERDICT + "]", '{"x": ' + VERDICT], ids=range(5))
def test_what_is_no_single_verdict_is_refused(reply):
    with pytest.raises(Unreadable): read_verdict(reply)

def test_an_extractor_may_reason_first():
    item = dict(title="Count per group", description="Questions with a number per group.", content="Group and count distinct things.")
    good, bad = read_items("<think>{\"items\": []}</think>"+json.dumps(dict(items=[item], note="x")))
    assert len(good) == 1 and not bad

@pytest.mark.parametrize("reply, why", [(response(RefusalPart("I cannot judge this.")), "refused: I cannot judge"), (response(ThinkingPart("hm"), finish="length"), "reasoning and no answer"), ("", "empty")])
def test_a_judge_says_why_a_reply_is_empty(reply, why):
    found = ModelJudge(speaker(reply))(Evidence("q"))
    assert found.success is None and why in found.reason

# The whole path

def fenced(text):
    "A reply with headers as fenced JSON; other replies as they are"
    import re
    parts = re.split(r"\[\[ ## (\w+) ## \]\]", text)
    fields = {name: value.strip() for name, value in zip(parts[1::2], parts[2::2]) if name != "completed"}
    if not fields: return f"```json\n{text}\n```"
    return "```json\n"+json.dumps(fields)+"\n```\nI hope this helps."

SHAPES = dict(
    reasoning_content=lambda text: dict(content=text, reasoning_content=THOUGHT), reasoning=lambda text: dict(content=text, reasoning=THOUGHT), inline=lambda text: f"<think>\n{THOUGHT}\n</think>\n\n{text}",
    unopened=lambda text: f"{THOUGHT}\n</think>\n\n{text}", listed=lambda text: dict(content=[dict(type="text", text=text[:20]), dict(type="text", text=text[20:])]), json=fenced)

def shaped(shape, script):
    "A script whose replies come in a shape"
    def reply(request, n):
        status, text = script(request, n)
        return status, text if text == "ok" else SHAPES[shape](text)
    return reply

def steady(rows): return sorted(json.dumps({k: v for k, v in r.items() if k not in (*VOLATILE, "read_as", "replies", "each_replies")}, sort_keys=True) for r in rows)

@pytest.fixture(scope="module")
def plain_rows(tmp_path_factory):
    "Rows of the same model when it keeps to the requested form"
    made = {}
    def rows(server, exp):
        if exp not in made:
            server.script = simulated(Profile(p_discover=.6))
            made[exp] = steady(make(exp, str(tmp_path_factory.mktemp("plain"))).rows)
        return made[exp]
    return rows

def make(exp, out, **more):
    how = {**(SMALL if exp == "E01" else STREAMS), **more}
    return ablate(exp, ARMS, out=out, **how) if exp == "E01" else learn(exp, LEARNS, out=out, **how)

LEARNT = ("reasoning_content",) # shapes in which judging and extracting is tried by default

@pytest.mark.parametrize("exp, shape", [("E01", shape) for shape in SHAPES]+[("E09", shape) if shape in LEARNT else slow("E09", shape) for shape in SHAPES])
def test_a_run_is_the_same_in_every_shape_and_replays(server, tmp_path, plain_rows, exp, shape):
    want = plain_rows(server, exp)
    server.script = shaped(shape, simulated(Profile(p_discover=.6)))
    trial = make(exp, str(tmp_path/"live"), record=True)
    differ = [(name, a[name], b[name]) for a, b in zip(map(json.loads, want), map(json.loads, steady(trial.rows))) for name in a if a[name] != b.get(name)]
    assert not differ and steady(trial.rows) == want, "acting, judging and extracting"
    kinds = {kind for row in trial.rows for kind in row["read_as"]}
    assert kinds == ({"json"} if shape == "json" else {"marker"})
    lines = [line for line in read_lines(trial.folder.path/"recording.jsonl") if "reply" in line]
    thinks = shape not in ("listed", "json")
    assert all(line["reply"] and (line.get("thinking") == THOUGHT) == thinks and "think>" not in line["reply"] for line in lines)
    traced = [line for line in read_lines(trial.folder.path/"trace.jsonl") if line.get("kind") == "request"]
    assert traced and all(line["reply"] and (THOUGHT in line["thinking"]) == thinks for line in traced)
    asked = len(server.heard)
    again = make(exp, str(tmp_path/"again"), lm=None, replay=str(trial.folder.path/"recording.jsonl"))
    keep = lambda rows: sorted(json.dumps({k: v for k, v in r.items() if k not in VOLATILE}, sort_keys=True) for r in rows)
    assert keep(again.rows) == keep(trial.rows) and len(server.heard) == asked

def test_a_refusal_is_an_outcome_and_is_asked_for_once(server, tmp_path):
    server.script = lambda request, n: (200, dict(content="", refusal="I cannot help with that.") if "=== " in said(request) or "[[ ## " in said(request) else "ok")
    trial = make("E01", str(tmp_path), record=True)
    assert {(r["outcome"], r["reason"], r["calls"]) for r in trial.rows} == {("refused", "the model refused: I cannot help with that.", 1)}
    again = make("E01", str(tmp_path/"again"), lm=None, replay=str(trial.folder.path/"recording.jsonl"))
    assert {(r["outcome"], r["reason"]) for r in again.rows} == {("refused", "the model refused: I cannot help with that.")}

EMPTY = dict(reasoning=(dict(content="", reasoning_content="41 then"), "characters of reasoning and no answer"), null=(dict(content=None, reasoning_content="41"), "reasoning and no answer"), blank=(dict(content=" \n "), "empty reply"),
    tool=(dict(content=None, tool_calls=[dict(id="1", type="function", function=dict(name="f", arguments="{}"))]), "tool that was not offered"), unclosed=("<think>41 then", "reasoning and no answer"))

@pytest.mark.parametrize("message, why", EMPTY.values(), ids=EMPTY)
def test_a_reply_without_text_is_an_empty_reply_of_the_agent(server, message, why):
    server.script = lambda request, n: (200, message)
    env = Questions("made", n=3)
    a = run_turns(env, env.tasks()[0], turn_context(env), connect(LM))
    assert a.outcome == "refused" and why in a.error and not a.answer

def test_a_plain_box_is_an_answer_and_its_form_is_in_the_row(server):
    env = Questions("made", n=3)
    task = env.tasks()[0]
    server.script = lambda request, n: (200, f"I multiply.\n\\boxed{{{env.question_of(task).answer}}}")
    a = run_turns(env, task, turn_context(env), connect(LM))
    assert a.outcome == "success" and a.read_as == {"box": 1} and len(server.heard) == 1

# Caps

def slow_call(spend, tokens, secs=.05, chars=100):
    reserved = spend.begin(chars)
    time.sleep(secs)
    spend.add(tokens, tokens*1e-6, reserved=reserved, chars=chars)

def spent_by(workers, tokens, **caps):
    "Spending of several threads until a cap ends them"
    spend = Spend(**caps)
    ends = []
    def work():
        try:
            while True: slow_call(spend, tokens)
        except BudgetReached as e: ends.append(str(e))
    threads = [threading.Thread(target=work) for _ in range(workers)]
    for t in threads: t.start()
    for t in threads: t.join(30)
    assert len(ends) == workers
    return spend, ends

@pytest.mark.parametrize("caps, tokens", [(dict(max_tokens=700), 600), (dict(max_usd=700e-6), 600), (dict(max_tokens=720), 720), (dict(max_calls=5), 600)])
@pytest.mark.parametrize("workers", [1, 4])
def test_a_cap_is_not_passed_by_calls_under_way(workers, caps, tokens):
    spend, ends = spent_by(workers, 120, **caps)
    assert spend.tokens == tokens and not spend.under_way and spend.calls == tokens/120
    assert all("The cap of" in end and "is reached" in end and "more than the cap" not in end for end in ends)

def test_a_run_with_four_workers_keeps_its_cap_over_http(server, tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_WORKERS", "4")
    script = simulated(Profile())
    def slowly(request, n):
        time.sleep(.05)
        return script(request, n)
    server.script = slowly
    trial = make("E01", str(tmp_path), n_repeats=4, max_tokens=700)
    m = trial.folder.manifest()
    assert m["status"] == "budget" and 360 < m["spent"]["tokens"] <= 700, m["stopped"]
    paid = len(server.heard)
    make("E01", str(tmp_path), n_repeats=4, max_tokens=700)
    assert len(server.heard) == paid, "the same cap buys nothing more"

def test_a_request_that_takes_more_than_any_before_is_said():
    spend = Spend(max_tokens=700)
    slow_call(spend, 100, 0)
    slow_call(spend, 900, 0)
    with pytest.raises(BudgetReached, match="1000 spent, 300 more than the cap"): spend.begin(100)

def test_a_longer_request_is_taken_to_need_more():
    spend = Spend(max_tokens=700)
    slow_call(spend, 100, 0, chars=100)
    with pytest.raises(BudgetReached, match="a request may take 1000"): spend.begin(1000)
    spend.begin(100)

def test_a_call_that_fails_gives_back_what_was_reserved():
    class Broken:
        def complete(self, request): raise OSError("gone")
        def close(self): pass
    meter = Metered(Broken(), spend=Spend(max_tokens=700))
    with pytest.raises(OSError): meter.complete(Request("m", (Message.user("?"),)))
    assert not meter.spend.under_way and meter.spend.calls == 1

def test_zero_usage_cannot_get_past_a_cap_on_money(server, tmp_path):
    server.script, server.usage = simulated(Profile()), dict(prompt_tokens=0, completion_tokens=0, total_tokens=0)
    trial = make("E01", str(tmp_path), n_repeats=4, max_usd=.02)
    m = trial.folder.manifest()
    assert m["status"] == "budget" and 0 < m["usd"] <= .02 and all(r["calls_estimated"] == r["calls"] for r in trial.rows)

# Ledger, address, plan

def test_an_agents_ledger_counts_requests_and_the_models_own_does_too(toy_graph):
    own, given = Ledger(), Ledger()
    context = ContextBuilder().build("How many?", toy_graph)
    a = run_agent("How many?", toy_graph, context, connect("sim"), ledger=given, interpreter="trusted")
    assert len(given.requests) == a.calls > 0
    b = run_agent("How many?", toy_graph, context, connect("sim", ledger=own), ledger=given, interpreter="trusted")
    assert (len(own.requests), len(given.requests)) == (b.calls, a.calls+b.calls)
    c = run_agent("How many?", toy_graph, context, connect("sim", ledger=own), ledger=own, interpreter="trusted")
    assert len(own.requests) == b.calls+c.calls, "each once"

@pytest.fixture(scope="module")
def toy_graph():
    from rbkit.graphs.suites import load_suite
    suite = load_suite("seeds/toy")
    yield suite.graph(suite.tasks[0].graph)
    suite.close()

def test_an_address_given_to_connect_is_asked(server, monkeypatch):
    monkeypatch.delenv("RBKIT_API_BASE"); monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server.script = lambda request, n: (200, "ok")
    lm = connect(LM, api_base=server.url)
    assert lm("Say ok.") == ["ok"] and len(server.heard) == 1 and "api_base" not in server.heard[0][1]

@pytest.mark.parametrize("how, why", [(dict(base_url="http://x"), "api_base"), (dict(api_key="secret"), "environment"), (dict(timeout=3), "request-timeout-secs"), (dict(api_base="localhost:8000"), "no address"),
    (dict(model="x"), "--lm"), (dict(options=dict(api_base="http://x")), "api-base"), (dict(headers={}), "leave it out")], ids=lambda x: str(x)[:20])
def test_what_connect_cannot_honour_is_refused_at_once(how, why):
    with pytest.raises(ValueError, match=why) as e: connect(LM, **how)
    assert "secret" not in str(e.value)

def test_the_simulated_model_has_no_address():
    with pytest.raises(ValueError, match="has no address"): connect("sim", api_base="http://localhost:1/v1")

def test_a_plan_says_how_long_it_takes_and_how_far_a_cap_may_be_passed(monkeypatch):
    from rbkit.trials.plans import plan
    monkeypatch.setenv("RBKIT_WORKERS", "1"); monkeypatch.setenv("RBKIT_API_BASE", "http://127.0.0.1:1/v1"); monkeypatch.setenv("RBKIT_PRICES", f"{LM}=1 2 .5")
    one = plan("E01", ARMS, **SMALL, max_usd=1)
    assert "(20 s to start" in one.words and "(assumed)" in one.words and "may pass a cap" in one.words
    many = plan("E01", ARMS, **{**SMALL, "n_repeats": 200})
    assert many.secs > 10*one.secs and ("minutes" in many.time or "hours" in many.time) and "may pass a cap" not in many.words
    monkeypatch.setenv("RBKIT_WORKERS", "4")
    assert many.secs < 200*one.secs and "4 requests at once" in many.words
    monkeypatch.setenv("RBKIT_MAX_REQUESTS_PER_MINUTE", "1")
    assert many.secs > 60*many.frame["calls"].sum()

def test_a_live_experiment_opens_its_suite_once(server, tmp_path, monkeypatch):
    from rbkit.experiments.e01 import cost, run
    from rbkit.trials import inputs, plans
    opened = []
    real = inputs.open_world
    monkeypatch.setattr(inputs, "open_world", lambda *a, **k: opened.append(a) or real(*a, **k))
    server.script = simulated(Profile())
    how = dict(SMALL, out=str(tmp_path))
    plan, trial = cost(**how), run(**how)
    assert len(opened) == 1 and trial.status == "success" and trial.folder.manifest()["spent"]["calls"] == len(server.heard), "and the first word is asked"
