"Rows as one frame, and runs in the forms of other tools: each opened by that tool's own reader where it is installed"
import json, os, shutil
from importlib.util import find_spec
import pandas as pd
import pytest
import yaml
import rbkit
from house import root
from rbkit.ground.extras import BRINGS
from rbkit.reports.cli import main
from rbkit.reports.exports import FORMATS, export
from rbkit.reports.frames import CACHED, flattened, rows
from rbkit.reports.trajectory import story

SHIPPED = root/"results/shipped/traces"
def needs(package): return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed; an extra brings it")
kinds = pytest.mark.parametrize("kind", ["graph", "stream", "world"])

@pytest.fixture
def runs(tmp_path): return shutil.copytree(SHIPPED, tmp_path/"runs")

# One frame

def test_all_rows_of_all_runs_are_one_frame(runs):
    df = rbkit.rows(runs)
    assert len(df) == sum(len(story(runs/k).rows) for k in ("graph", "stream", "world")) and set(df.exp) == {"E06", "E09"}
    assert set(df.run) == {"graph", "stream", "world"} and set(df.world) == {"graph", "household"} and df.columns.is_unique
    assert len(rows(runs, exp="E6")) == len(rows(runs, exp=["E06"])) == (df.exp == "E06").sum()
    assert len(rows(runs, world="household", arm=["lessons"])) == ((df.world == "household") & (df.arm == "lessons")).sum()
    assert len(rows(runs/"graph")) == (df.run == "graph").sum() and rows(runs/"graph").run[0] == "graph"
    for wrong, said in (dict(world="nowhere"), "household"), (dict(nosuch=1), "no column 'nosuch'"):
        with pytest.raises(ValueError, match=said): rows(runs, **wrong)
    with pytest.raises(ValueError, match="no run.json"): rows(runs/"graph"/"nothing")

def test_a_flat_frame_has_nothing_with_an_inside():
    df = pd.DataFrame([dict(a=[1], b=None, c="x", d=1), dict(a=None, b={"k": 1}, c="y", d="1")])
    out = flattened(df)
    assert out.attrs["json"] == ["a", "b", "d"] and out.a[0] == "[1]" and pd.isna(out.a[1]) and out.b[1] == '{"k": 1}' and list(out.c) == ["x", "y"]

@needs("pyarrow")
def test_the_cache_says_the_same_and_is_made_anew_when_rows_are_added(runs):
    plain, first, second = rows(runs), rows(runs, cache=True), rows(runs, cache=True)
    assert all((runs/k/CACHED).exists() for k in ("graph", "stream", "world"))
    norm = lambda df: json.loads(df.to_json(orient="records"))
    assert norm(plain) == norm(first) == norm(second)
    line = json.loads((runs/"graph"/"rows.jsonl").read_text().splitlines()[0])
    with open(runs/"graph"/"rows.jsonl", "a") as f: f.write(json.dumps({**line, "correct": 1-line["correct"]})+"\n")
    assert norm(rows(runs, cache=True)) == norm(rows(runs)) != norm(plain)

def test_without_pyarrow_the_cache_names_its_extra(runs, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"rbkit\[parquet\]"): rows(runs, cache=True)

# Other tools

@pytest.mark.parametrize("form, package", [("inspect", "inspect_ai"), ("mlflow", "mlflow"), ("wandb", "wandb")])
def test_what_is_not_installed_is_named_with_its_extra(form, package, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    assert main(["export", form, str(SHIPPED/"graph"), str(tmp_path/"out")]) == 1
    assert f"pip install 'rbkit[{form}]'" in capsys.readouterr().err and BRINGS[form] == (package,)

def test_mistakes_are_told(tmp_path, capsys):
    assert main(["export", "hf", str(tmp_path), str(tmp_path/"out")]) == 1 and "no run.json" in capsys.readouterr().err
    with pytest.raises(ValueError, match="there are inspect, mlflow, wandb, hf"): export("csv", SHIPPED/"graph", tmp_path)
    assert list(FORMATS) == ["inspect", "mlflow", "wandb", "hf"]

@kinds
def test_a_data_set_has_a_card_and_tables_of_one_kind_each(kind, tmp_path):
    assert main(["export", "hf", str(SHIPPED/kind), str(tmp_path/"d")]) == 0
    card = (tmp_path/"d/README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(card.split("---")[1])
    assert [c["config_name"] for c in head["configs"]] == ["rows", "traces"] and "no evidence about language models" in card
    for c in head["configs"]:
        lines = [json.loads(l) for l in (tmp_path/"d"/c["data_files"]).read_text(encoding="utf-8").splitlines()]
        assert lines and all(l.keys() == lines[0].keys() for l in lines)
        for name in lines[0]:
            seen = {type(l[name]) for l in lines if l[name] is not None}
            assert not seen & {dict, list} and len(seen-{int, float, bool}) <= 1 and not (len(seen) > 1 and str in seen), (name, seen)
    known = story(SHIPPED/kind)
    assert sum(1 for l in lines if l["kind"] == "request") == sum(row_requests(known)) and json.loads(lines[0]["line"])["user"]

def row_requests(known): return [sum(l["kind"] == "request" for l in lines) for lines in known.traces.values()]

@needs("datasets")
def test_datasets_opens_it(tmp_path):
    from datasets import load_dataset
    export("hf", SHIPPED/"stream", tmp_path/"d")
    for name in ("rows", "traces"):
        found = load_dataset(str(tmp_path/"d"), name, cache_dir=str(tmp_path/"cache"))["train"]
        assert len(found) == len((tmp_path/"d"/f"{name}.jsonl").read_text().splitlines())

@needs("inspect_ai")
@kinds
def test_inspect_reads_its_log(kind, tmp_path):
    from inspect_ai.log import list_eval_logs, read_eval_log
    known = story(SHIPPED/kind)
    paths = export("inspect", SHIPPED/kind, tmp_path/"logs")
    assert len(list_eval_logs(str(tmp_path/"logs"))) == len(paths) == len({r["arm"] for r in known.rows})
    n = 0
    for path in paths:
        log = read_eval_log(str(path))
        mine = [r for r in known.rows if r["arm"] == log.eval.task_args["arm"]]
        assert log.status == "success" and len(log.samples) == len(mine) and len({(s.id, s.epoch) for s in log.samples}) == len(mine)
        assert log.results.scores[0].metrics["mean"].value == pytest.approx(sum(r["correct"] for r in mine)/len(mine))
        assert all(s.messages[0].role == "system" and s.messages[-1].role == "assistant" and s.input and bool(s.target) == (kind != "world") for s in log.samples)
        n += sum(e.event == "tool" for s in log.samples for e in s.events)
    assert n == sum(l["kind"] == "tool" for lines in known.traces.values() for l in lines)

@needs("mlflow")
def test_mlflow_finds_a_run_for_each_arm(tmp_path, monkeypatch):
    import mlflow
    [store] = export("mlflow", SHIPPED/"graph", tmp_path/"store")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    client = mlflow.MlflowClient(tracking_uri=store.resolve().as_uri())
    [experiment] = [e for e in client.search_experiments() if e.name.startswith("E06")]
    found = {r.info.run_name: r for r in client.search_runs([experiment.experiment_id])}
    df = rows(SHIPPED/"graph")
    assert set(found) == set(df.arm)
    for arm, r in found.items():
        assert r.data.metrics["correct"] == pytest.approx(df[df.arm == arm].correct.mean()) and r.data.params["suite"] == "seeds/toy"
        assert r.info.status == "FINISHED"

@needs("wandb")
def test_wandb_keeps_a_run_for_each_arm_offline(tmp_path, monkeypatch):
    monkeypatch.setenv("WANDB_SILENT", "true")
    paths = export("wandb", SHIPPED/"graph", tmp_path/"w")
    assert len(paths) == 2 and all(list(p.glob("run-*.wandb")) for p in paths)

# What a report says in Markdown

def test_a_markdown_report_is_markdown_and_says_what_was_spent(tmp_path):
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
    import nbformat
    from rbkit.reports.notebook import markdown_table, write_report
    shutil.copy(SHIPPED/"graph"/"run.json", tmp_path/"run.json")
    frame = pd.DataFrame(dict(mean=[.5, 1.0]), index=pd.Index(["a|b", "c"], name="arm"))
    data = {"text/html": "<style scoped>x</style>"+frame.to_html(), "text/plain": "frame"}
    page = {"text/html": "<div>walk</div>", "text/plain": "Trajectory(...)"}
    cells = [new_markdown_cell("# A report"), new_code_cell("1", outputs=[new_output("display_data", data), new_output("display_data", page)])]
    nbformat.write(new_notebook(cells=cells), tmp_path/"report.ipynb")
    write_report(tmp_path/"report.ipynb")
    text = (tmp_path/"report.md").read_text(encoding="utf-8")
    assert "<" not in text and "| arm | mean |\n| --- | --- |\n| a\\|b | 0.5 |\n| c | 1.0 |" in text and "Trajectory(...)" in text
    run = json.loads((tmp_path/"run.json").read_text())
    for said in ("Model: sim", f"rows of {run['updated'][:10]}", f"{run['tokens']:,} tokens", "0.00 USD", f"{run['rows']} attempts"):
        assert said in text and said in (tmp_path/"report.html").read_text(encoding="utf-8")

def test_doctor_names_every_optional_part(capsys):
    from rbkit.reports.doctor import EXTRAS
    main(["doctor"])
    out = capsys.readouterr().out
    for name in EXTRAS: assert any(l.split()[:2] in ([name, "present"], [name, "MISSING"]) for l in out.splitlines()), name

def test_out_is_seen_from_where_one_stands(runs, tmp_path, monkeypatch, capsys):
    shutil.copytree(runs/"graph", tmp_path/"mine"/"E06"/"graph")
    monkeypatch.chdir(tmp_path)
    assert main(["list", "--out", "mine", "--json"]) == 0
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert run["exp"] == "E06" and run["tasks"] == 3 and run["world"] == "toy" and run["folder"] == os.path.join("mine", "E06", "graph")
    manifest = json.loads((tmp_path/"mine"/"E06"/"graph"/"run.json").read_text(encoding="utf-8"))
    manifest["settings"]["world"] = "tools" # in which the suite has no part
    (tmp_path/"mine"/"E06"/"graph"/"run.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert main(["list", "--out", "mine"]) == 0
    [line] = [line.split() for line in capsys.readouterr().out.splitlines() if line.split()[:1] == ["E06"] and "·" not in line]
    assert "tools" in line and "toy" not in line
