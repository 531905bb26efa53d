"""A user's own memory, data or method with the simulated model is a test run without a verdict; folders; defaults"""
import json
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rbkit.bank.bank import Bank, seed_bank
from rbkit.context import LAYERS, LayerSpec, register_layer, unregister_layer
from rbkit.experiments import e05, e09, e13
from rbkit.ground.settings import environment, seeds_path
from rbkit.packers.fit import Packed
from rbkit.policies.episodic import Recent
from rbkit.reports import report as reports
from rbkit.reports.cli import _print_shown
from rbkit.reports.exports import export
from rbkit.reports.figure import sections
from rbkit.reports.notebook import write_report
from rbkit.reports.stored import compared, side_by_side, stored_verdict, verdicts
from rbkit.reports.trials import trial_of
from rbkit.retrieval.bm25 import BM25
from rbkit.trials.ablation import Cells, ablate
from rbkit.trials.attempts import Cell, seed_of
from rbkit.trials.inputs import prepare
from rbkit.trials.learners import NO_MEMORY, Learner, PlantedErrors, arms_in_words, claims_of_memories, memory_arms
from rbkit.trials.learning import learn, prepare_streams
from rbkit.trials.runs import RunFolder, condition, run_place, write_json
from rbkit.trials.spec import (AA_REPEAT, BASELINE, NO_VERDICT, Arm, content_of, described, dry_run_of, dry_run_words, is_shipped_path,
    own_data, run_again, verdict_word, verdicts_of)
from rbkit.trials.stream_plans import asked_arms
from rbkit.trials.stream_trial import Streams
from rbkit.trials.trial import Trial

SMALL = dict(n_tasks=2, n_repeats=1, suite="seeds/toy")
SHORT = dict(n_tasks=2, n_held_out=1, n_streams=2, suite="seeds/toy", world="graph")


@pytest.fixture
def pack(tmp_path):
    path = tmp_path/"mine.jsonl"
    items = [dict(title=x.title, description=x.description, content=f"Mine. {x.content}", polarity=x.polarity)
        for x in seed_bank().all()]
    path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    return path

@pytest.fixture
def own_suite(tmp_path):
    place = tmp_path/"mine"
    place.mkdir()
    for file in (seeds_path()/"toy").iterdir():
        if file.is_file(): (place/file.name).write_bytes(file.read_bytes())
    return place

def dry(exp, arms, of=prepare, **given):
    spec, inputs = of(exp, arms, ping=False, **given)
    inputs.close()
    return spec.params["dry_run"]

# which runs are test runs

def test_the_kits_own_experiments_give_verdicts():
    assert dry("E05", e05.ARMS, **SMALL) == []
    assert dry("E09", e09.ARMS, prepare_streams, **SHORT) == []
    assert dry("E13", e13.arms(half=True), **SMALL) == []
    words = "none,bank,raw,recent"
    assert dry("E09", asked_arms(e09.ARMS, dict(memory=words)), prepare_streams, memory=words, **SHORT) == []
    assert dry("table", memory_arms(words), prepare_streams, **SHORT) == []

def test_a_bank_or_a_suite_of_ones_own_makes_a_test_run(pack, own_suite, tmp_path):
    assert dry("E05", e05.ARMS, bank=str(pack), **SMALL) == ["bank mine.jsonl"]
    assert dry("E05", e05.ARMS, placebo=str(pack), **SMALL) == ["placebo mine.jsonl"]
    assert dry("E05", e05.ARMS, **{**SMALL, "suite": str(own_suite)}) == ["suite mine"]
    assert dry("E09", e09.ARMS, prepare_streams, bank=str(pack), **SHORT) == ["bank mine.jsonl"]
    assert dry("E05", e05.ARMS, retriever="hybrid", **SMALL) == [], "the kit's own retriever"
    stored = tmp_path/"bank.db"
    with Bank(stored) as bank: bank.add(*seed_bank().all())
    assert dry("E05", e05.ARMS, bank=str(stored), **SMALL) == ["bank bank.db"]

@pytest.mark.parametrize("name", ["bank", "placebo"])
@pytest.mark.parametrize("waits", [False, True])
def test_an_own_bank_without_an_item_to_show_is_refused(tmp_path, name, waits):
    path = tmp_path/"mine.db"
    with Bank(path) as bank:
        if waits: bank.add(replace(seed_bank().all()[0], status="quarantined"))
    for exp, arms, of, size in (("E05", e05.ARMS, prepare, SMALL), ("E09", e09.ARMS, prepare_streams, SHORT)):
        with pytest.raises(ValueError, match=f"{name}=.*holds no item that may be shown"): dry(exp, arms, of, **{name: str(path)}, **size)

class Mine(Recent):
    "A memory by a user"
    name = "mine"

def by_hand(evidence): return None
def ranked(hits, question, bank): return hits

@pytest.mark.parametrize("arm,part", [
    (Learner("x", memory=Mine), "Mine"),
    (Learner("x", learn="lessons", judge=by_hand), "by_hand"),
    (Learner("x", learn="lessons", rank=ranked), "ranked"),
    (Learner("x", learn="lessons", bank=Bank()), "bank of arm 'x'"),
])
def test_own_parts_of_an_arm_make_a_test_run(arm, part):
    assert part in dry("table", [NO_MEMORY, arm], prepare_streams, **SHORT)

def test_an_own_layer_makes_a_test_run():
    def pack_it(given, budget): return Packed("mine", ())
    register_layer(LayerSpec("L9", "horoscope", pack_it))
    try: assert "layer horoscope" in dry("worlds", [BASELINE, Arm("x", ("L9",))], **SMALL)
    finally: unregister_layer("L9")
    assert "L9" not in LAYERS

@pytest.mark.parametrize("exp,arms", [
    ("E15", [BASELINE, Arm("L0", ("L0",))]),
    ("mine", [BASELINE, Arm("L0", ("L0",))]),
    ("E05", [BASELINE, Arm("L2 memory", ("L2",))]), # the name of the kit's, and other arms
])
def test_an_own_experiment_makes_a_test_run(exp, arms):
    assert dry(exp, arms, **SMALL) == [f"experiment {exp}"]

def test_a_real_model_gives_verdicts(pack):
    given = dict(lm="openai/gpt-x", own=dict(bank="mine.jsonl"), suite="/elsewhere/mine")
    assert dry_run_of(given) == [] == dry_run_of({**given, "dry_run": ["bank mine.jsonl"]})
    assert dry_run_words(given) == ""

def test_an_old_run_is_known_by_its_settings():
    old = dict(lm="sim", world="graph", suite="seeds/graphs", own={})
    assert dry_run_of(old) == [] and dry_run_of({**old, "own": dict(bank="a.md")}) == ["bank a.md"]
    assert dry_run_of({**old, "own": dict(retriever="hybrid")}) == []
    assert dry_run_of({**old, "suite": "/somewhere/tasks"}) == ["suite tasks"]
    assert dry_run_of({**old, "suite": "/somewhere/tasks", "world": "household"}) == [], "no graph is asked there"
    assert own_data(dict(lm="sim", world="questions", options=dict(source="../mine.jsonl"))) == ["source mine.jsonl"]
    assert own_data(dict(lm="sim", world="questions", options=dict(source="made"))) == []

def test_what_is_shipped_is_known_by_its_place(tmp_path):
    assert is_shipped_path("seeds/graphs") and is_shipped_path(seeds_path()/"toy")
    assert not is_shipped_path(tmp_path) and not is_shipped_path("../seeds/graphs")

# what a test run says

def row(arm, config, task, correct, **more):
    return dict(exp="E05", arm=arm, config=config, task=task, task_hash=task, repeat=0, stream=0, outcome="success" if correct else "wrong",
        correct=correct, iterations=3, request_chars=1000, calls=3, tokens=100, level=1, code="c", context_hash="h",
        memory_items_injected=1, memory_chars=20, memory_hash="abc", tool_calls=2, lm="sim", **more)

def made(tmp_path, own, lm="sim", exp="E05", arms=(BASELINE, Arm("L2 memory", ("L2",)))):
    "A run in which memory helps every task"
    params = dict(lm=lm, world="graph", suite="seeds/toy", profile="full", rng_seed=0, n_tasks=12, n_repeats=1, n_streams=8,
        temperature=None, grade="strict", dry_run=own)
    folder = RunFolder(tmp_path/exp/"run")
    known = {arm.name: f"config-{i}" for i, arm in enumerate(arms)}
    rows = [row(arm.name, known[arm.name], f"t{i}", int(i%4 == 0 or number > 0)) for i in range(12) for number, arm in enumerate(arms)]
    for one in rows: folder.add(one)
    folder.tell([dict(hash="abc", name="memory", budget=100, left_out=0, text="<memory 1: advice>\n## Count [success]\n</memory 1>")])
    entries = [dict(name=arm.name, layers=list(arm.layers), config=known[arm.name], salt=arm.salt) for arm in arms]
    folder.note(exp=exp, status="success", settings=params, arms=entries, codes={"toy": "c"}, rows=len(rows), expected_rows=len(rows),
        tasks=[f"t{i}" for i in range(12)], unit="task", outcomes={})
    return trial_of(folder.path)

OWN = ["bank mine.jsonl"]

def test_a_verdict_is_given_without_own_parts_and_not_with_them(tmp_path):
    assert made(tmp_path/"a", []).judge("It helps.", "L2 memory").verdict == "held"
    assert made(tmp_path/"b", OWN, lm="openai/x").judge("It helps.", "L2 memory").verdict == "held"
    trial = made(tmp_path/"c", OWN)
    for finding in (trial.judge("It helps.", "L2 memory"), trial.judge_equal("The same.", .1, "L2 memory"), trial.judge_each({"L2 memory": "It helps."})[0]):
        assert finding.verdict == NO_VERDICT and "--lm" in finding.why and "mine.jsonl" in finding.why
        assert "p=" not in finding.why and "held" not in repr(finding).lower()
    kept = trial.folder.manifest()
    assert kept["verdict"]["verdict"] == NO_VERDICT and kept["settings"]["dry_run"] == OWN and kept["verdict"]["aa"] == ""
    assert verdict_word(kept) == NO_VERDICT and verdicts_of(kept)[0]["verdict"] == NO_VERDICT

def test_a_verdict_that_an_earlier_version_wrote_is_not_repeated(tmp_path):
    trial = made(tmp_path, None)
    settings = {**trial.folder.manifest()["settings"], "own": dict(bank="a.md")}
    del settings["dry_run"]
    trial.folder.note(settings=settings, verdict=dict(verdict="held", claim="It helps.", why="p=1e-5"))
    assert verdicts(tmp_path)["verdict"].tolist() == [NO_VERDICT]
    assert verdicts_of(trial.folder.manifest())[0]["verdict"] == NO_VERDICT

def test_tables_show_no_difference(tmp_path):
    trial = made(tmp_path, OWN)
    for text in (repr(trial.table()), trial.table()._repr_html_()): assert "Test run" in text and "0.75" not in text
    assert trial.table()[0].estimate > .5, "who computes with it has the numbers"
    found = compared([trial.folder.path])
    assert set(found["verdict"]) == {NO_VERDICT} and not {"difference", "p", "low", "high"} & set(found)
    assert found["mean"].tolist() == [.25, 1.0]
    assert side_by_side([trial.folder.path]).iloc[0, 0] == NO_VERDICT
    sound = made(tmp_path/"b", [])
    assert "difference" in compared([sound.folder.path])

def test_what_was_retrieved_and_shown_stands_there_for_each_task(tmp_path):
    found = made(tmp_path, OWN).retrieved()
    assert found["task"].nunique() == 12 and set(found["arm"]) == {"L2 memory"}
    assert found["shown"].str.contains("memory 20").all() and found["memory"].str.contains("Count").all()
    assert (found["items"] == 1).all()

@pytest.mark.parametrize("arm", [
    Learner("x", learn="lessons", judge=PlantedErrors(recall=.6, false_success=.95)),
    Learner("x", learn="lessons", judge=(PlantedErrors(.6), "rules")),
    Learner("x", learn="lessons", judge=by_hand),
    Learner("x", learn="lessons", rank=ranked, bound=dict(max_items=3), ops=("duplicate",)),
    Learner("x", memory=Mine),
    Learner("x", learn="lessons", bank=Bank()),
    Learner("x", ("L2",), budgets=dict(items=2), acts=dict(shown=1), retriever=BM25),
], ids=str)
def test_a_stored_arm_is_read_whatever_it_was_made_of(tmp_path, arm):
    trial = made(tmp_path, OWN)
    again = run_again(arm)
    entries = [dict(described(vars(one)), config=f"config-{i}") for i, one in enumerate((arm, again))]
    entries[0]["name"], entries[1]["name"] = "baseline", "L2 memory"
    trial.folder.note(arms=entries, unit="stream")
    read = trial_of(trial.folder.path)
    assert repr(read.arms[0]) and read.repeats() == {"L2 memory": "baseline"}
    if not callable(arm.judge): assert read.arms[0].judge == arm.judge
    assert (read.arms[0].bound, read.arms[0].budgets, read.arms[0].acts) == (arm.bound, arm.budgets, arm.acts)

def test_a_stored_arm_is_read_though_its_files_are_gone(pack, tmp_path):
    trial = e05.run(bank=str(pack), out=str(tmp_path/"out"), **SMALL)
    pack.unlink()
    assert len(trial_of(trial.folder.path).retrieved())

def test_the_command_line_prints_lines_with_memory_first(tmp_path, capsys, monkeypatch):
    trial = made(tmp_path, OWN, arms=(Arm("cards", ("L1",)), Arm("L2 memory", ("L2",))))
    for one in trial.rows:
        if one["arm"] == "cards": one |= dict(memory_items_injected=0, memory_hash="")
    monkeypatch.setattr("rbkit.reports.trials.trial_of", lambda folder: trial)
    monkeypatch.setattr("rbkit.reports.cli._MOST_SHOWN", 3)
    _print_shown(trial.folder.path)
    said = capsys.readouterr().out
    assert said.count("L2 memory") == 3 and "cards" not in said and "21 more lines" in said

def test_a_report_ends_before_it_compares(tmp_path):
    pytest.importorskip("nbconvert")
    words = ["# E05", "We compare now.", "x"]
    for own in (OWN, []):
        trial = made(tmp_path/str(len(own)), own)
        trial.judge("It helps.", "L2 memory")
        cells = [new_markdown_cell(words[0]), new_code_cell("trial.report(plan)"), new_markdown_cell(words[1]), new_code_cell("trial.table()")]
        path = trial.folder.path/"report.ipynb"
        nbformat.write(new_notebook(cells=cells), path)
        write_report(path)
        for text in [path.with_suffix(end).read_text(encoding="utf-8") for end in (".md", ".html")]:
            assert (words[1] in text) == (not own)
        page = path.with_suffix(".html").read_text(encoding="utf-8")
        assert (NO_VERDICT in page.lower()) == bool(own) and ("--lm" in page) == bool(own)

def test_sections_of_a_test_run_show_what_was_retrieved_and_no_figure(tmp_path):
    trial = made(tmp_path, OWN)
    words = [section.words for section in sections(trial)]
    assert any("retrieved" in text for text in words) and not any("Differences" in text for text in words)
    assert not (trial.folder.path/"figure.png").exists()

def test_an_export_says_it(tmp_path):
    trial = made(tmp_path, OWN)
    export("hf", trial.folder.path, tmp_path/"out")
    assert "Test run, no verdict" in (tmp_path/"out"/"README.md").read_text(encoding="utf-8")

def test_a_test_run_is_made_whole(pack, tmp_path):
    trial = e05.run(bank=str(pack), out=str(tmp_path), **SMALL)
    assert trial.dry_run == ["bank mine.jsonl"] and trial.status == "success"
    assert trial.judge("It helps.", "L2 memory").verdict == NO_VERDICT
    assert len(trial.retrieved()) and trial_of(trial.folder.path).dry_run == trial.dry_run

# several memories, a verdict each

def test_each_memory_that_the_user_named_has_a_verdict(tmp_path):
    arms = (BASELINE, Arm("good", ("L2",)), Arm("better", ("L2",), k=2))
    trial = made(tmp_path, [], arms=arms)
    found = trial.judge_each(dict(good="Good helps.", better="Better helps."))
    assert [f.claim for f in found] == ["Good helps.", "Better helps."] and [f.verdict for f in found] == ["held", "held"]
    kept = trial.folder.manifest()
    assert [one["arm"] for one in kept["verdicts"]] == ["good", "better"]
    assert verdict_word(kept) == "good held, better held"
    trial.judge("One claim.", "good")
    assert verdict_word(trial.folder.manifest()) == "held", "a later verdict takes their place"

def test_several_verdicts_are_corrected(tmp_path):
    trial = made(tmp_path, [], arms=(BASELINE, *(Arm(f"arm {i}", ("L2",), k=i+1) for i in range(9))))
    rows = [{**r, "correct": int(int(r["task"][1:]) in (0, 4, 8, 1, 2, 3, 5, 6, 7)) if r["arm"] != "baseline" else r["correct"]} for r in trial.rows]
    trial = replace(trial, rows=rows)
    alone = trial.judge_each({"arm 0": "It helps."})[0]
    together = trial.judge_each({f"arm {i}": "It helps." for i in range(9)})
    assert alone.verdict == "held" and {f.verdict for f in together} == {"undecided"} and "Holm" in together[0].why

def test_a_claim_for_each_memory_and_none_for_controls():
    words = "none,again,bank,raw,placebo,blank,recent"
    assert list(claims_of_memories(memory_arms(words), words)) == ["bank", "raw", "recent"]
    assert list(claims_of_memories(memory_arms("none,raw"), "none,raw")) == ["raw"]
    mine = claims_of_memories(e09.ARMS, None, "/x/mine.md")
    assert list(mine) == ["seeds", "lessons"] and all("mine.md" in claim for claim in mine.values())
    assert list(claims_of_memories(e09.ARMS)) == ["lessons"]
    assert set(claims_of_memories(e09.ARMS, None, "x")) <= {arm.name for arm in e09.ARMS}

def test_the_text_names_the_arms_that_were_run():
    said = arms_in_words("none,raw,recent", "equal", "raw=3")
    assert all(f"**{name}**" in said for name in ("none", "raw", "recent")) and "it shows 3" in said and "bad judge" not in said

def test_a_report_on_kinds_of_memory_leaves_out_what_is_said_of_other_arms(tmp_path):
    pytest.importorskip("nbconvert")
    trial = made(tmp_path, [])
    for memory in ("none,raw", None):
        trial.folder.note(settings={**trial.folder.manifest()["settings"], "memory": memory})
        tagged = new_markdown_cell("The bad judge is an arm.", metadata=dict(tags=["kit-arms"]))
        path = trial.folder.path/"report.ipynb"
        nbformat.write(new_notebook(cells=[new_markdown_cell("# E09\n\n> Claim: a bank helps."), tagged]), path)
        write_report(path)
        text = path.with_suffix(".md").read_text(encoding="utf-8")
        assert ("bad judge" in text) == ("a bank helps" in text) == (memory is None)

def test_a_run_of_ones_own_quotes_no_other_run():
    assert stored_verdict("E05", "/tmp/mine") is None and stored_verdict("E05", "results/shipped") is None
    assert "The run that came with the code" in stored_verdict("E05").data

# folders

PARAMS = dict(lm="sim", suite="seeds/graphs", profile="full", rng_seed=0, world="graph")

def test_folders_of_the_kits_own_runs_keep_their_names():
    assert condition(PARAMS) == "sim-graphs-full-s0" and condition({**PARAMS, "content": {}, "own": {}}) == "sim-graphs-full-s0"

def test_other_kinds_of_memory_have_another_folder():
    names = {condition({**PARAMS, "memory": words, **more}) for words, more in [("none,raw", {}), ("none,recent", {}), ("none,raw,recent", {}),
        ("none,raw", dict(memory_budget="window")), ("none,raw", dict(memory_k="3"))]}
    assert len(names) == 5

def test_files_of_the_same_name_have_folders_by_their_content(pack, own_suite, tmp_path):
    def name(**given):
        content = content_of(given)
        return condition({**PARAMS, **given, "own": dict(bank="mine.jsonl") if "bank" in given else {}, "content": content})
    first = name(bank=str(pack)), name(suite=str(own_suite))
    assert first == (name(bank=str(pack)), name(suite=str(own_suite))), "the same content, the same folder"
    pack.write_text(pack.read_text(encoding="utf-8").replace("Mine", "Ours"), encoding="utf-8")
    with (own_suite/"tasks.jsonl").open("a", encoding="utf-8") as file: file.write("\n")
    second = name(bank=str(pack)), name(suite=str(own_suite))
    assert first[0] != second[0] and first[1] != second[1]
    assert content_of(dict(suite="seeds/graphs")) == {} == content_of(dict(retriever="hybrid"))

def test_a_second_comparison_overwrites_nothing(tmp_path):
    runs = {}
    for words in ("none,raw", "none,recent"):
        trial = learn("E09", asked_arms(e09.ARMS, dict(memory=words)), out=str(tmp_path), memory=words, **SHORT)
        runs[words] = trial.folder.path
    assert len(set(runs.values())) == 2
    assert [a["name"] for a in json.loads((runs["none,raw"]/"run.json").read_text())["arms"]] == ["none", "raw"]

@pytest.mark.parametrize("more,old", [
    (dict(memory="none,raw"), "sim-graphs-full-equal-memories-s0"),
    (dict(own=dict(bank="a.md"), content=dict(bank="12345678")), "sim-graphs-full-bank-a-s0"),
])
def test_a_folder_that_an_earlier_version_named_goes_on(tmp_path, more, old):
    params = {**PARAMS, **more}
    assert run_place(tmp_path, params).name == condition(params)
    (tmp_path/old).mkdir()
    settings = {name: value for name, value in params.items() if name != "content"}
    write_json(tmp_path/old/"run.json", dict(exp="E09", settings=settings))
    assert run_place(tmp_path, params).name == old
    other = {**params, "memory": "none,recent"} if "memory" in params else {**params, "own": dict(bank="a.md"), "memory": "none,raw"}
    assert run_place(tmp_path, other).name == condition(other), "another comparison has a folder of its own"

# noise

def test_every_arm_has_noise_of_its_own_as_the_repeat_has():
    arms = [BASELINE, AA_REPEAT, Arm("L0", ("L0",)), run_again(Arm("L0", ("L0",)))]
    spec, inputs = prepare("x", arms, ping=False, **SMALL)
    task = inputs.tasks[0]
    inputs.close()
    seeds = [seed_of(spec, Cell(arm, task)) for arm in arms]
    assert len(set(seeds)) == 4 and seeds == [seed_of(spec, Cell(arm, task)) for arm in arms]
    other, again = prepare("y", [replace(BASELINE, name="another name")], ping=False, **SMALL)
    again.close()
    assert seed_of(other, Cell(other.arms[0], task)) == seeds[0], "the same arm in another experiment makes the same attempts"

# defaults

def notebook(tmp_path, text, name="E15_mine.ipynb"):
    path = tmp_path/name
    nbformat.write(new_notebook(cells=[new_code_cell(text, metadata=dict(tags=["parameters"]))],
        metadata=dict(kernelspec=dict(name="python3", language="python", display_name="x"))), path)
    return path

def test_a_value_that_a_notebook_changed_wins_over_settings_and_loses_to_an_option(tmp_path):
    nb = notebook(tmp_path, 'n_tasks:int=3 # Tasks\nn_repeats:int=2 # Rollouts\nlm:str="sim" # Model\nmine:float=.5 # One of its own\nout:str=None # Where')
    filled = reports.filled(nb, {})
    assert filled["n_tasks"] == 3 and filled["n_repeats"] == reports.setting("n_repeats") and filled["mine"] == .5
    assert reports.filled(nb, dict(n_tasks=9))["n_tasks"] == 9
    with environment(RBKIT_N_TASKS="7", RBKIT_N_REPEATS="4"):
        assert reports.filled(nb, {})["n_tasks"] == 3, "the notebook is nearer than the environment"
        assert reports.filled(nb, {})["n_repeats"] == 4, "which is nearer than settings.ini"

def test_defaults_of_the_kits_notebooks_count_as_not_set():
    folder = reports.find_root()/"nbs"/"experiments"
    for nb in sorted(folder.glob("E[0-9][0-9]_*.ipynb")):
        assert reports.changed_values(nb) == {}, nb.name
        filled = reports.filled(nb, {})
        kind = "streams" if "n_streams" in filled else "rbkit"
        assert filled["n_tasks"] == reports.setting("n_tasks", kind=kind)

def test_a_model_that_a_notebook_names_is_asked(tmp_path, monkeypatch):
    nb = notebook(tmp_path, 'n_tasks:int=6 # Tasks\nlm:str="openai/gpt-x" # Model\nout:str="/tmp/mine" # Where')
    monkeypatch.setattr(reports, "notebook_of", lambda exp: nb)
    assert reports.run_params("E15", {})["lm"] == "openai/gpt-x" and reports.run_params("E15", {})["out"] == "/tmp/mine"
    assert reports.run_params("E15", dict(lm="sim"))["lm"] == "sim"

# traces, status, what a run detects

def test_lines_of_an_extraction_carry_the_arm(tmp_path):
    trial = learn("E09", [NO_MEMORY, Learner("lessons", learn="lessons")], out=str(tmp_path), **SHORT)
    lines = [json.loads(line) for line in (trial.folder.path/"trace.jsonl").read_text(encoding="utf-8").splitlines()]
    found = [line for line in lines if line["kind"] == "extract"]
    assert found and {line["arm"] for line in found} == {"lessons"}

def test_a_run_in_which_every_attempt_failed_on_our_side_is_an_error(tmp_path, monkeypatch):
    def fails(*a, **k): raise OSError("no network")
    monkeypatch.setattr("rbkit.trials.attempts.attempt", fails)
    trial = ablate("E05", e05.ARMS, out=str(tmp_path), **SMALL)
    kept = trial.folder.manifest()
    assert trial.status == kept["status"] == "error" and "failed on our side" in kept["error"]

def test_a_plan_of_a_whole_run_names_what_its_tables_name(tmp_path):
    trial = e05.run(out=str(tmp_path), **{**SMALL, "n_tasks": 4})
    plan = e05.cost(out=str(tmp_path), **{**SMALL, "n_tasks": 4})
    assert plan.found == trial.compare("L2 memory").mde and "by its rows" in plan.words
    before = e05.cost(**{**SMALL, "n_tasks": 4})
    assert not before.found_by and "as they usually do" in before.words
