"An experiment's notebook shows the shipped run; rbkit run and papermill make attempts"
import gzip, json, shutil
import nbformat, pytest
from house import cells, experiments, name_of, parameter_cells, root, run_in_fork, sh
from rbkit.experiments import e01, e05, e07
from rbkit.reports import shipped
from rbkit.reports.cli import main
from rbkit.reports.execution import execute, options_of, with_attempts
from rbkit.reports.report import notebook_of, run_report, split_options
from rbkit.reports.shipped import is_papermill, papermill_asks_for_attempts, shipped_run, shipped_trial, why_not_shipped
from rbkit.reports.trials import trial_of
import rbkit.reports.figure # gives a trial its report

USUAL = dict(n_tasks=6, n_repeats=2, lm="sim", suite="seeds/graphs", profile="full", rng_seed=0, out=None)

# The pages

SOON = ("E01", "E05") # pages that are compared always; the others by `pytest -m slow`
def when(nb): return pytest.param(nb, id=name_of(nb), marks=[] if nb.stem[:3] in SOON else [pytest.mark.slow])

@pytest.mark.parametrize("nb", [when(nb) for nb in experiments])
def test_a_page_stores_what_it_shows_of_the_shipped_rows(nb, tmp_path):
    run_in_fork(nb, tmp_path/"said", fresh=True)

def words_of(nb):
    "The Markdown that a notebook stores"
    data = [output.get("data", {}) for kind, _, _, outputs in cells(nb) for output in outputs]
    return "\n".join("".join(d.get("text/markdown", "")) for d in data)

@pytest.mark.parametrize("exp", ["E01", "E05", "E09"])
def test_a_page_says_the_verdict_of_the_shipped_run(exp):
    text = words_of(notebook_of(exp))
    run = shipped_run(exp)
    assert "This page shows the shipped run" in text and run["made_with"]["commit"][:8] in text
    assert f"**{run['verdict']['verdict'].upper()}**" in text and "A handful of tasks" not in text

@pytest.mark.parametrize("nb", experiments, ids=name_of)
def test_every_experiment_shows_shipped_rows_by_default(nb):
    assert parameter_cells(nb)[0].startswith('rows:str="shipped" # ')

# What is read

def test_a_shipped_trial_has_all_rows_and_the_verdict_of_its_run():
    trial = shipped_trial("E05", e05.ARMS, "shipped", USUAL)
    run = shipped_run("E05")
    assert len(trial.rows) == run["rows"] and [arm.name for arm in trial.arms] == [arm.name for arm in e05.ARMS]
    found = trial.judge("Memory raises success beyond a placebo of the same size.", "L2 memory", baseline="placebo")
    assert found.verdict == run["verdict"]["verdict"]
    assert trial.folder.manifest()["verdict"]["why"] == found.why, "a report reads what was noted"

def test_guides_are_read_from_their_run():
    from rbkit.experiments import e04
    trial = shipped_trial("E04", e04.ARMS, "shipped", USUAL)
    whole, summary = trial.guide_shown("L3 guide")
    assert len(trial.guides()) == 3 and 0 < len(summary) < len(whole)
    assert trial.guide_costs("L3 guide", metric="tokens") == shipped_run("E04")["break_even"]
    assert "guides:" in trial.bill()

@pytest.mark.parametrize("packed", [False, True])
def test_nothing_is_written_to_a_run_that_is_only_read(packed, tmp_path):
    folder = tmp_path/"E01"/"run"
    shutil.copytree(shipped_run("E01")["folder"], folder)
    if not packed:
        (folder/"rows.jsonl").write_bytes(gzip.decompress((folder/"rows.jsonl.gz").read_bytes()))
        (folder/"rows.jsonl.gz").unlink()
    def state(): return {p.relative_to(folder): (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()}
    before = state()
    trial = trial_of(folder, e01.ARMS, read_only=True)
    trial.report()
    trial.judge_equal("Two runs of the same arm do not differ.", margin=.15)
    assert len(trial.rows) == 240 and state() == before

# When attempts are made

@pytest.mark.parametrize("changed", [dict(n_tasks=20), dict(lm="openai/x"), dict(rng_seed=1), dict(max_calls=9), dict(out="mine"), dict(split="train")])
def test_a_changed_parameter_makes_attempts(changed):
    assert next(iter(changed)) in why_not_shipped("E05", e05.ARMS, USUAL | changed)
    assert shipped_trial("E05", e05.ARMS, "shipped", USUAL | changed) is None

def test_new_makes_attempts(): assert shipped_trial("E05", e05.ARMS, "new", USUAL) is None

@pytest.mark.parametrize("rows", ["", "stored", "Shipped", "NEW", None, 3])
def test_an_unknown_word_is_one_error(rows):
    with pytest.raises(ValueError, match="^rows=.* is unknown; use one of 'shipped', 'new'.$"): shipped_trial("E05", e05.ARMS, rows, USUAL)

def test_without_shipped_rows_attempts_are_made(tmp_path, monkeypatch):
    monkeypatch.setenv("RBKIT_ROOT", str(tmp_path))
    shutil.copy(root/"settings.ini", tmp_path)
    assert why_not_shipped("E05", e05.ARMS, USUAL) == "No run of E05 is shipped with this copy of rbkit."
    assert shipped_trial("E05", e05.ARMS, "shipped", USUAL) is None

@pytest.mark.parametrize("change, why", [
    (dict(status="budget"), "No run"), (dict(settings=dict(lm="openai/x")), "No run"),
    (lambda arms: [dict(arm, name=f"old {arm['name']}") for arm in arms], "has other arms: old baseline"),
    (lambda arms: arms[:-1], "has other arms: baseline"), (lambda arms: arms[::-1], "has other arms: L2 memory"),
    (lambda arms: [dict(arm, k=3) if arm["name"] == "placebo" else arm for arm in arms], "defined differently: placebo"),
    (lambda arms: [{name: value for name, value in arm.items() if name != "cite"} for arm in arms], ""), # of an earlier version
], ids=["budget", "another model", "renamed", "one fewer", "another order", "another setting", "an earlier version"])
def test_arms_have_to_be_those_of_the_notebook(change, why, monkeypatch):
    run = shipped_run("E05")
    changed = {**run, "arms": change(run["arms"])} if callable(change) else {**run, **change}
    monkeypatch.setattr(shipped, "all_runs", lambda out: [changed])
    found = why_not_shipped("E05", e05.ARMS, USUAL)
    assert why in found and bool(why) == bool(found)

def test_stored_rows_of_other_arms_are_not_mixed_with_those_of_the_notebook():
    stored = [entry["name"] for entry in shipped_run("E07")["arms"]]
    same = stored == [arm.name for arm in e07.ARMS]
    assert bool(why_not_shipped("E07", e07.ARMS, USUAL)) != same

# Runs and papermill

def test_rows_is_no_option_of_a_run(tmp_path, capfd):
    assert "rows" not in options_of(notebook_of("E1"))
    assert main(["run", "E1", "--rows", "shipped", "--out", str(tmp_path/"out")]) == 1
    assert "--rows" in capfd.readouterr().err and not list(tmp_path.iterdir())
    with pytest.raises(SystemExit): main(["run", "E1", "--help"])
    assert "--rows" not in capfd.readouterr().out
    with pytest.raises(ValueError, match="E1 has no option rows; it has"): split_options("E1", dict(rows="shipped"))
    with pytest.raises(ValueError, match="no parameter rows"): run_report("E1", rows="shipped", out=str(tmp_path))

def test_a_run_tells_its_notebook_to_make_attempts(tmp_path):
    nb = notebook_of("E1")
    assert with_attempts(nb, dict(n_tasks=2)) == dict(n_tasks=2, rows="new")
    plain = tmp_path/"plain.ipynb"
    tiny(plain, "n:int=3 # Trials", "n")
    assert with_attempts(plain, dict(n=2)) == dict(n=2)

@pytest.mark.parametrize("words, is_it", [
    (["/usr/bin/python3", "/env/bin/papermill", "a.ipynb"], True), (["papermill", "a.ipynb"], True),
    (["python", "-m", "papermill", "a.ipynb"], True), (["python3.12", "-u", "-m", "papermill"], True),
    (["/env/bin/papermill.exe", "a.ipynb"], True), (["jupyter-lab", "papermill"], False),
    (["/usr/bin/python3", "/env/bin/jupyter-lab", "papermill/E01.ipynb"], False),
    (["jupyter", "nbconvert", "--execute", "papermill.ipynb"], False), ([], False)], ids=str)
def test_papermill_is_known_by_its_command(words, is_it): assert is_papermill(words) == is_it

class Shell:
    def __init__(self, *typed): self.user_ns = dict(In=["", *typed])

@pytest.mark.parametrize("typed, asks", [(['rows:str="shipped"'], False), (['rows:str="shipped"', "# Parameters\nn_tasks = 6\n"], True),
    (['rows:str="shipped"', '# Parameters\nn_tasks = 6\nrows = "shipped"\n'], False), ([], False)], ids=str)
def test_papermill_is_known_by_its_cell(typed, asks, monkeypatch):
    monkeypatch.setattr(shipped, "get_ipython", lambda: Shell(*typed))
    assert papermill_asks_for_attempts() == asks

ASKS = "from rbkit.reports.shipped import papermill_asks_for_attempts\nprint('attempts' if papermill_asks_for_attempts() else 'shipped')"

def tiny(path, declared='rows:str="shipped" # Rows', code=ASKS):
    "A notebook with a parameter and a cell"
    from nbformat.v4 import new_code_cell, new_notebook
    kernel = dict(kernelspec=dict(name="python3", language="python", display_name="python3"))
    nbformat.write(new_notebook(cells=[new_code_cell(declared, metadata=dict(tags=["parameters"])), new_code_cell(code)], metadata=kernel), path)

def printed(path): return "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][-1]["outputs"][0]["text"]).strip()

@pytest.mark.parametrize("command, said", [
    (["papermill", "--no-progress-bar", "tiny.ipynb", "out.ipynb"], "attempts"),
    pytest.param(["papermill", "--no-progress-bar", "tiny.ipynb", "out.ipynb", "-p", "rows", "shipped"], "shipped", marks=pytest.mark.slow),
    pytest.param(["jupyter", "nbconvert", "--to", "notebook", "--execute", "tiny.ipynb", "--output", "out.ipynb"], "shipped", marks=pytest.mark.slow)],
    ids=["papermill", "papermill told to show", "nbconvert"])
def test_who_executes_a_notebook_decides(command, said, tmp_path):
    tiny(tmp_path/"tiny.ipynb")
    sh(*command, cwd=tmp_path, check=True)
    assert printed(tmp_path/"out.ipynb") == said

@pytest.mark.slow
def test_papermill_without_parameters_makes_attempts(tmp_path):
    sh("papermill", "--no-progress-bar", notebook_of("E1"), "out.ipynb", cwd=tmp_path, check=True)
    text = words_of(tmp_path/"out.ipynb")
    assert "shipped run" not in text and "Expected cost" in text

@pytest.mark.slow
def test_an_unknown_word_ends_the_notebook_with_one_line(tmp_path):
    done = execute(notebook_of("E1"), tmp_path/"out.ipynb", dict(rows="stored"))
    assert done["status"] == "error" and done["error"] == "ValueError: rows='stored' is unknown; use one of 'shipped', 'new'."
