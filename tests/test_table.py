"The table: arms by short names over several sets, one purse, one page"
import json
from functools import partial
from statistics import fmean
import pytest
from live_server import Server, is_agent, simulated
from rbkit.ground.settings import setting
from rbkit.reports.cli import _by_world, _told, main
from rbkit.reports.protocols import open_protocols
from rbkit.reports.table import ResultTable, make_table
from rbkit.trials.runs import RunFolder, manifest_of
from rbkit.trials.sets import open_set, short_arms, table_arms
from rbkit.worlds.graph import open_world
from rbkit.worlds.interface import ENVS, env_class, worlds

TOY = dict(world="questions,household", arms="none,bank,matts2", lm="sim", n_tasks=2, n_streams=2, sim_p_discover=.6)
TYPED = [f"--{k.replace('_', '-')}={v}" for k, v in TOY.items()]

def rows_of(out, folder, exp="table"): return RunFolder.read(out/exp/folder)
def page_of(out, exp="table"): return next((out/exp).glob("*.md"))
def numbers_of(out, exp="table"): return json.loads(page_of(out, exp).with_suffix(".json").read_text(encoding="utf-8"))

@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("table")
    assert main(["table", *TYPED, "--out", str(out)]) == 0
    return out

def test_a_line_for_each_set_and_arm_says_what_its_rows_say(made):
    lines = {(line["set"], line["arm"]): line for line in numbers_of(made)["lines"]}
    assert list(lines) == [(s, a) for s in ("questions", "household") for a in ("none", "bank", "matts2")]
    for (world, arm), line in lines.items():
        mine = [r for r in rows_of(made, f"sim-{world}-full-s0") if r["arm"] == arm]
        assert {r["phase"] for r in mine} == {"learn"} and len(mine) == 4 == line["steps_made"] == line["steps_wanted"], "each task once in each stream"
        assert line["accuracy"]["mean"] == pytest.approx(fmean(r["correct"] for r in mine), abs=1e-4)
        assert line["accuracy"]["low"] <= line["accuracy"]["mean"] <= line["accuracy"]["high"] and line["units"] == 2
        assert line["calls"] == pytest.approx(fmean(r["calls"]+r["learn_calls"] for r in mine), abs=.05)
        assert line["pass_at"][0]["mean"] == pytest.approx(fmean(fmean(r["each_correct"]) for r in mine), abs=1e-4)
        assert line["pass_at"][-1]["mean"] == pytest.approx(fmean(max(r["each_correct"]) for r in mine), abs=1e-4)
        assert len(line["pass_at"]) == (2 if arm == "matts2" else 1) and (line["difference"] is None) == (arm == "none")

def test_the_same_command_adds_nothing_and_offline_reads_the_same(made, monkeypatch, capsys):
    before = page_of(made).read_text(encoding="utf-8")
    n = len(rows_of(made, "sim-household-full-s0"))
    assert main(["table", *TYPED, "--out", str(made)]) == 0
    assert len(rows_of(made, "sim-household-full-s0")) == n and page_of(made).read_text(encoding="utf-8") == before
    capsys.readouterr()
    assert main(["table", *TYPED, "--offline", "--out", str(made)]) == 0
    said = capsys.readouterr().out
    assert "against none" in said and "What it would cost" not in said and "no evidence about language models" in said
    assert main(["list", "--json", "--out", str(made)]) == 0
    listed = json.loads(capsys.readouterr().out)["tables"]
    assert {(t["table"], t["set"], t["arms"], t["rows"]) for t in listed} == {("table", s, "none,bank,matts2", 12) for s in ("questions", "household")}
    assert main(["list", "--out", str(made)]) == 0 and "No runs" not in capsys.readouterr().out
    assert main(["table", *TYPED, "--offline", "--rng-seed", "9", "--out", str(made)]) == 1, "nothing of that seed is stored"

def test_one_pass_is_one_stream_in_the_order_of_the_set(tmp_path, capsys):
    typed = ["table", "--world=questions", "--arms=none,bank", "--lm=sim", "--n-tasks=5", "--one-pass", "--out", str(tmp_path)]
    assert main(typed) == 0
    rows = rows_of(tmp_path, "sim-questions-full-s0", "table-one-pass")
    order = [t.id for t in open_world("questions").tasks()]
    for arm in ("none", "bank"):
        met = [r["task"] for r in sorted(rows, key=lambda r: r["position"]) if r["arm"] == arm]
        assert len(met) == 5 and met == sorted(met, key=order.index)
    line = numbers_of(tmp_path, "table-one-pass")["lines"][1]
    assert (line["unit"], line["units"], line["difference"]["units"]) == ("task", 5, 5)
    assert "one stream" in capsys.readouterr().out
    whole = open_set("questions", short_arms("none"), one_pass=True, lm="sim")
    whole.inputs.close()
    assert [t.id for t in whole.inputs.tasks] == order, "all of the set where no number is said"

@pytest.mark.parametrize("typed, said", [
    (["--world=mth500", "--arms=none"], "No world 'mth500'; there are aime"),
    (["--world=household", "--arms=none,matts1"], "No arm 'matts1'"),
    (["--world=household", "--arms=bank"], "Say --arms none,bank"),
    (["--arms=none"], "Which world?"),
    (["--world=household"], "Say --arms, or kinds of memory by --memory"),
    (["--world=household", "--memory=raw"], "Say --memory none,raw"),
    (["--world=household", "--arms=none,bank", "--memory-budget=foo"], "'equal', 'published', 'window'"),
    (["--world=household", "--arms=none,bank", "--memory-budget=published"], "would change no arm of none, bank"),
    (["--world=household", "--arms=none,bank", "--memory-k=raw=9"], "'raw' is not compared"),
    (["--world=household", "--arms=none,bank", "--suite=seeds/nothere"], "--world library"),
    (["--world=household", "--arms=none,bank", "--grade=lenientt"], "grade='lenientt'"),
    (["--world=household", "--arms=none,bank", "--n-repeats=5"], "say --n-streams"),
    (["--world=household", "--arms=none,bank", "--one-pass", "--n-streams=3"], "one pass is one stream"),
    (["--world=questions", "--arms=none", "--n-tasks=4000"], "Say --n-tasks 12 or fewer"),
    (["--world=household,gsm8k", "--arms=none", "--data-path=nowhere"], "gsm8k: No questions at 'gsm8k'"),
    (["--world=household", "--arms=none", "--backend=processes"], "walked in threads"),
    (["--world=questions", "--arms=none", "--one-pass", "--n-tasks=1"], "n_tasks=1"),
    (["--world=household", "--arms=none", "--lm=openai/gpt-5-mini", "--n-tasks=2", "--n-streams=2"], "OPENAI_API_KEY")])
def test_what_cannot_be_is_one_line_before_anything_is_paid(tmp_path, capsys, monkeypatch, typed, said):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["table", *typed, "--out", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert said in error and len(error.strip().splitlines()) == 1 and not list(tmp_path.iterdir())

def test_a_small_set_gives_what_it_has_to_an_experiment_and_to_protocols(tmp_path):
    there = len(open_world("questions", "", {}).tasks("train"))
    assert there < setting("n_tasks", kind="streams")
    assert [given["n_tasks"] for _, given in _by_world("E9", dict(world="questions,household"))] == [there, setting("n_tasks", kind="streams")]
    assert _by_world("E9", dict(world="questions", n_tasks=400))[0][1]["n_tasks"] == 400, "a number that was said is not changed"
    runs = open_protocols("questions", "none,bank", "online", out=str(tmp_path))
    runs.close()
    assert runs.first.spec.params["n_tasks"] == there

def test_memory_of_ones_own_stands_at_the_beginning_and_in_the_name_of_the_page(tmp_path, capsys):
    pack = tmp_path/"own.jsonl"
    pack.write_text('{"title": "Find what is called so", "description": "which proteins have a name", "content": "OWN look for the label"}\n')
    out = tmp_path/"out"
    typed = ["table", "--world=toy", "--arms=none,bank", "--n-tasks=2", "--n-streams=2", "--out", str(out)]
    assert main(typed) == 0 and main([*typed, "--bank", str(pack)]) == 0
    assert [("bank-own" in path.stem, "OWN look" in path.parent.joinpath(path.stem, "contexts.jsonl").read_text()) for path in sorted(out.glob("table/sim-toy*"))] == [(True, True), (False, False)]
    assert sorted("own" in path.name for path in out.glob("table/*.md")) == [False, True], "one page does not take the place of the other"

@pytest.mark.parametrize("named, refused", [(["E9"], True), (["E9", "E12"], True), (["E1"], False), (["E1", "E9"], False)])
def test_repeats_are_refused_where_no_experiment_has_them(named, refused):
    said = partial(_told, "run", "", [*named, "--n-repeats", "3"])
    if not refused:
        said()
        return
    with pytest.raises(ValueError, match="say --n-streams"): said()

@pytest.mark.parametrize("named, option, refused", [(["E1"], "--n-streams=3", True), (["E1"], "--sim-p-discover=.3", True), (["E9"], "--n-streams=3", False), (["E1", "E9"], "--sim-p-discover=.3", False), (["E1"], "--max-iters=3", False)])
def test_an_option_that_only_other_experiments_have_is_refused_with_their_names(named, option, refused):
    for verb in ("run", "plan"):
        said = partial(_told, verb, "", [*named, option])
        if not refused: said()
        else:
            with pytest.raises(ValueError, match="an option of E09, E10, E11, E12"): said()

def test_a_plan_alone_leaves_nothing(tmp_path, capsys):
    assert main(["table", *TYPED, "--plan", "--max-usd=5", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "What it would cost" in said and "Caps: usd 5, for all sets together" in said and not list(tmp_path.iterdir())

@pytest.mark.parametrize("typed, thinks", [(["plan", "E9", "--world=questions", "--memory=none,bank"], True), (["plan", "E9", "--world=household", "--memory=none,bank"], False),
    (["table", "--plan", "--world=questions,household", "--arms=none,bank", "--n-streams=2"], True), (["table", "--plan", "--world=household", "--arms=none,bank", "--n-streams=2"], False)])
def test_a_plan_says_that_a_model_which_reasons_writes_more_than_the_stand_in(monkeypatch, tmp_path, capsys, typed, thinks):
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    for lm, reasons in (("openai/gpt-5-mini", thinks), ("sim", False)):
        assert main([*typed, f"--lm={lm}", "--n-tasks=2", "--out", str(tmp_path)]) == 0
        assert ("the simulated model answers without reasoning" in " ".join(capsys.readouterr().out.split())) is reasons

def test_a_cap_holds_for_all_sets_together_and_a_larger_one_goes_on(made, tmp_path, capsys):
    lines = numbers_of(made)["lines"]
    of_questions = round(sum(line["calls"]*line["steps_made"] for line in lines if line["set"] == "questions"))
    assert main(["table", *TYPED, f"--max-calls={of_questions+30}", "--out", str(tmp_path)]) == 3
    said = capsys.readouterr()
    assert "budget - household: The cap of 30 calls" in said.err and "of 4" in said.out and "Unfinished" in said.out
    assert manifest_of(tmp_path/"table"/"sim-questions-full-s0")["status"] == "success"
    assert main(["table", *TYPED, "--out", str(tmp_path)]) == 0
    assert [line["accuracy"] for line in numbers_of(tmp_path)["lines"]] == [line["accuracy"] for line in lines]

def test_a_narrow_window_gets_the_table_in_parts(made, monkeypatch, capsys):
    found = numbers_of(made)
    table = ResultTable(found["title"], found["lines"], found["words"])
    monkeypatch.setenv("COLUMNS", "80")
    table.show()
    heads = [line.split() for line in capsys.readouterr().out.splitlines() if line.split()[:2] == ["set", "arm"]]
    assert heads == [["set", "arm", "asked", "accuracy", "against", "none"], ["set", "arm", "steps", "calls", "tokens", "usd"], ["set", "arm", "pass@1", "pass@2"]]

def test_kinds_of_memory_stand_beside_arms_and_a_small_set_gives_what_it_has(tmp_path, capsys):
    assert main(["table", "--world=questions,household", "--arms=none", "--memory=none,raw", "--memory-k=raw=2", "--plan", "--n-streams=2", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    planned = [line.split()[:3] for line in said.splitlines() if line.split()[1:2] in (["none"], ["raw"])]
    assert planned == [["questions", "none", "24"], ["questions", "raw", "24"], ["household", "none", "64"], ["household", "raw", "64"]]
    assert said.startswith("questions: planning ...\nhousehold: planning ...\n") and "questions has 12 tasks, fewer than the 32 of settings.ini" in said
    arms = [arm.memory_k for arm in table_arms("", "none,raw,recent", "published", "raw=2")]
    assert arms == [None, 2, None]

GAMES = ("scienceworld", "alfworld") # of others, and long

def needs(name, *more): return pytest.param(name, marks=[pytest.mark.skipif(bool(worlds()[name]), reason=f"the world {name!r} needs {worlds()[name]}"), *more])

def short(name):
    "A world whose episodes end after two actions"
    made = env_class(name)
    def init(self, **options): made.__init__(self, max_steps=2, **options)
    return type(made.__name__, (made,), dict(__init__=init, __module__=made.__module__))

@pytest.mark.parametrize("world", ["household", "math500", needs("scienceworld", pytest.mark.slow), needs("alfworld", pytest.mark.slow)])
def test_a_live_model_goes_the_same_way_and_its_dollars_stand_in_the_table(tmp_path, monkeypatch, world):
    folder = tmp_path/"single_turn_bench"/"math500"
    folder.mkdir(parents=True)
    lines = [json.dumps(dict(problem=f"What is {n} plus {n}?", answer=str(2*n), level=1, subject="Sums")) for n in range(3, 15)]
    (folder/"questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    if world == "math500": monkeypatch.setenv("RBKIT_DATA_PATH", str(tmp_path))
    if world in GAMES: monkeypatch.setitem(ENVS, world, short(world))
    server = Server(simulated(open_world(world).profile(p_discover=1.0)))
    live = dict(OPENAI_API_KEY="x", RBKIT_API_BASE=server.url, RBKIT_PRICES="*=1 2", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
    for name, value in live.items(): monkeypatch.setenv(name, value)
    try: table = make_table(world, "none,bank", lm="openai/stand-in", n_tasks=2, n_streams=2, out=str(tmp_path), max_usd=5, temperature=.7)
    finally: server.close()
    made = rows_of(tmp_path, f"openai-stand-in-{world}-full-s0")
    assert not any("unparsable" in r["reason"] for r in made), "the world's own stand-in answers"
    if world == "household": assert any(r["correct"] for r in made)
    calls = sum(r["calls"]+r["learn_calls"] for r in made)
    assert calls == len(server.heard)-3, "and a word before at each temperature: of acting, of judging, of extracting"
    assert {q["temperature"] for path, q in server.heard[3:]} >= {.7, 0.0}
    assert sum(line["usd"] for line in table.lines) == pytest.approx(calls*(100*1+20*2)/1e6, rel=1e-3)
    assert table.stopped == () and table.broken == 0 and "Model: openai/stand-in." in table.words

@pytest.mark.parametrize("reply, reason", [("", "empty reply"), ("<think>I had better go on", "empty reply"), ("[[ ## action ## ]]\n[[ ## completed ## ]]", "unparsable reply")])
def test_a_table_says_that_replies_could_not_be_read(tmp_path, monkeypatch, reply, reason):
    server = Server(lambda request, n: (200, reply if is_agent(request) else "ok"))
    live = dict(OPENAI_API_KEY="x", RBKIT_API_BASE=server.url, RBKIT_PRICES="*=1 2", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
    for name, value in live.items(): monkeypatch.setenv(name, value)
    try: words = " ".join(make_table("household", "none,bank", lm="openai/stand-in", n_tasks=2, n_streams=2, out=str(tmp_path)).words)
    finally: server.close()
    n = len(rows_of(tmp_path, "openai-stand-in-household-full-s0"))
    assert n and f"{n} of {n} attempts ended with a reply that could not be read, the last one thus: {reason}" in words, words

def test_a_table_says_in_which_forms_replies_were_read(tmp_path, monkeypatch):
    server = Server(lambda request, n: (200, "no word of it"))
    live = dict(OPENAI_API_KEY="x", RBKIT_API_BASE=server.url, RBKIT_PRICES="*=1 2", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
    for name, value in live.items(): monkeypatch.setenv(name, value)
    try: words = " ".join(make_table("household", "none,bank", lm="openai/stand-in", n_tasks=2, n_streams=2, out=str(tmp_path)).words)
    finally: server.close()
    made = rows_of(tmp_path, "openai-stand-in-household-full-s0")
    n = sum(row["read_as"]["last_line"] for row in made)
    assert f"Forms in which replies were read: last_line {n:,}." in words and "could not be read" not in words and {*made[0]["read_as"]} == {"last_line"}
