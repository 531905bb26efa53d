"Every experiment is a report under papermill alone; other people's tasks run; a mistake is one line"
import json, re
import papermill, pytest
from house import complete, data, experiments, name_of, only, parameter_cells, run_in_fork, sh
from rbkit.experiments.e03 import run
from rbkit.experiments.e05 import run as run_memory
from rbkit.reports import report
from rbkit.reports.again import made_with_options
from rbkit.reports.cli import main

def in_a_fork(nb, said, to):
    "What papermill makes of a notebook and its parameters, executed without the seconds in which a kernel starts"
    book = papermill.iorw.load_notebook_node(str(nb))
    papermill.iorw.write_ipynb(papermill.parameterize.parameterize_notebook(book, said), str(to))
    run_in_fork(to, to.with_suffix(".said"))

LATER = ("E02", "E03", "E05", "E06", "E08", "E10", "E11", "E12", "E13", "E14") # of the shape of E04 and E07; streams like those of E09
def when(nb): return pytest.param(nb, id=name_of(nb), marks=[pytest.mark.slow] if nb.stem[:3] in LATER else [])

@pytest.mark.parametrize("nb", [when(nb) for nb in experiments])
def test_papermill_alone_runs_it(nb, tmp_path):
    said = dict(n_tasks=3, n_repeats=1, suite="seeds/toy", out=str(tmp_path/"results"))
    if "n_streams" in parameter_cells(nb)[0]: said["n_streams"] = said.pop("n_repeats")+1
    if nb == experiments[0]: # by the command, with a kernel
        sh("papermill", nb, "report.ipynb", *(x for k, v in said.items() for x in ("-p", k, v)), "--no-progress-bar", cwd=tmp_path, check=True)
    else: in_a_fork(nb, said, tmp_path/"report.ipynb")
    assert (tmp_path/"report.ipynb").exists()
    found = complete(only(tmp_path/"results", nb.stem[:3]))
    assert len({r["task"] for r in found}) == 3

# Other people's tasks

@pytest.mark.skipif(not (data/"suites").exists(), reason="the suites beside the checkout (../shared/data) are not here")
@pytest.mark.parametrize("suite", ["pathquestion", "bestiary"])
def test_an_outside_suite_runs(suite, tmp_path):
    assert run(suite=str(data/"suites"/suite), n_tasks=3, n_repeats=1, out=str(tmp_path)).status == "success"
    assert len(complete(only(tmp_path, "E03"))) == 3*3

# A mistake is one line, and leaves nothing

WRONG = {"unknown parameter": (["E1", "--no-such-thing", "3"], "no-such-thing"), "not a number": (["E1", "--n-tasks", "many"], "many"),
    "bad suite": (["E1", "--suite", "no/such/folder"], "no/such/folder"), "bad model": (["E1", "--lm", "nonsense"], "nonsense"),
    "missing key": (["E1", "--lm", "openai/gpt-x", "--interpreter", "trusted"], "OPENAI_API_KEY"), "bad profile": (["E1", "--profile", "huge"], "huge"),
    "unknown experiment": (["E99"], "E99"), "too few tasks": (["E1", "--n-tasks", "1"], "n_tasks")}

@pytest.mark.parametrize("args, names", WRONG.values(), ids=WRONG)
def test_a_mistake_is_one_line(args, names, tmp_path, capfd):
    try: code = main(["run", *args, "--out", str(tmp_path/"out")])
    except SystemExit as e: code = e.code
    lines = [l for l in capfd.readouterr().err.splitlines() if l.strip()]
    assert code not in (0, 3), "a refused run must not end well"
    assert len(lines) == 1 and names in lines[0], "\n".join(lines)
    assert not list(tmp_path.rglob("*")), f"a refused run left {sorted(p.name for p in tmp_path.rglob('*'))}"

def test_a_new_experiment_is_found_by_itself(tmp_path, monkeypatch):
    import shutil
    from house import root
    from rbkit.reports.report import notebook_of
    from rbkit.reports.stored import claims
    home = tmp_path/"nbs"/"experiments"
    home.mkdir(parents=True)
    shutil.copy(root/"settings.ini", tmp_path)
    shutil.copy(root/"nbs/experiments/E02_sense.ipynb", home/"E15_mine.ipynb")
    monkeypatch.setenv("RBKIT_ROOT", str(tmp_path))
    assert notebook_of("E15").name == "E15_mine.ipynb" and [c["exp"] for c in claims()] == ["E15"]

def test_an_option_that_an_experiment_does_not_know_is_one_line(tmp_path, capfd):
    assert main(["run", "E1", "--world", "household", "--out", str(tmp_path/"out")]) == 1
    assert "world" in capfd.readouterr().err and not list(tmp_path.iterdir())

# What claims rest on

def _stored(root, exp, arms, **more):
    folder = root/exp/"sim-x-full-s0"
    folder.mkdir(parents=True)
    made = [dict(name=name, config=config, salt="") for name, config in arms.items()]
    said = dict(exp=exp, status="success", arms=made, settings=dict(lm="sim", suite="seeds/library", profile="full", n_tasks=32, n_repeats=1, n_streams=8), rows=0, **more)
    (folder/"run.json").write_text(json.dumps(said), encoding="utf-8")

def test_a_verdict_over_streams_rests_on_the_tasks_that_are_learned_from(tmp_path):
    from rbkit.reports.stored import claims_and_verdicts
    _stored(tmp_path, "E09", {"lessons": "c1"}, unit="stream", tasks=[f"t{i}" for i in range(40)])
    line = next(x for x in claims_and_verdicts(tmp_path) if x["exp"] == "E09")
    assert line["basis"].startswith("32 tasks × 8 streams")

def test_arms_that_are_one_are_found_under_all_their_names(tmp_path):
    from rbkit.reports.stored import shared_arms
    _stored(tmp_path, "E09", {"no memory": "c0", "lessons": "c1", "two shown": "c2"})
    _stored(tmp_path, "E10", {"no memory": "c0", "append only": "c1"})
    found = shared_arms(tmp_path).set_index("arm")["experiments"].to_dict()
    assert found == {"no memory": "E09, E10", "lessons = append only": "E09, E10"}
    assert shared_arms(tmp_path/"nothing").empty

# A mistake spoils nothing that is there

def test_a_run_that_never_began_leaves_the_report_that_is_there(tmp_path, monkeypatch):
    run(suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path))
    folder = only(tmp_path, "E03")
    (folder/"report.ipynb").write_text("the report of before")
    before = {f.name: f.read_bytes() for f in folder.iterdir() if f.is_file()}
    def breaks(nb, out, params): return dict(status="error", error="ValueError: bank='x' names no bank", secs=0)
    monkeypatch.setattr(report, "execute", breaks)
    monkeypatch.setattr(report, "_without_paths", lambda *a: pytest.fail("the report was replaced"))
    with pytest.raises(ValueError, match="^bank='x' names no bank$"):
        report.run_report("E3", suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path))
    assert before == {f.name: f.read_bytes() for f in folder.iterdir() if f.is_file()}

def test_runs_with_memory_of_ones_own_lie_apart_and_are_not_taken_up_with_another(tmp_path):
    pack = tmp_path/"lessons.jsonl"
    lesson = dict(description="for questions on the scientific name of a taxon", content="Look at a thing before asking.")
    said = [dict(lesson, title=f"Look first ({side})", polarity=side) for side in ("success", "failure")]
    pack.write_text("".join(json.dumps(item)+"\n" for item in said))
    toy = dict(suite="seeds/toy", n_tasks=2, n_repeats=1, out=str(tmp_path))
    run_memory(**toy)
    run_memory(**toy, bank=str(pack))
    shipped, own = sorted((tmp_path/"E05").iterdir(), key=lambda f: len(f.name))
    assert re.fullmatch(shipped.name.replace("-s0", "-bank-lessons-[0-9a-f]{8}-s0"), own.name)
    with pytest.raises(ValueError, match="made with bank=lessons.jsonl. Say where that is: --bank FILE"): made_with_options(own, {})
    assert made_with_options(own, {"bank": str(pack)})[1]["bank"] == str(pack) and "bank" not in made_with_options(shipped, {})[1]
