"A report page: the verdict sentence, the order of its parts, tables in Markdown, red flags; methods without imports"
import json
import re
import subprocess
import sys
from dataclasses import replace

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from house import clean_env, root
from rbkit.experiments import e06, e13
from rbkit.models.fields import VARIABLE_FIELDS
from rbkit.reports.cli import main
from rbkit.reports.figure import arms_table, sections, win_rate_drift
from rbkit.reports.notebook import markdown_table, split_parts, write_report
from rbkit.reports.trials import trial_of
from rbkit.stats.claims import judge_claim, judge_equal
from rbkit.stats.factorial import factorial, mark
from rbkit.stats.paired import contrast
from rbkit.trials.runs import write_json
from rbkit.trials.spec import verdicts_of

SHIPPED = root/"results/shipped"


def cells_of(table):
    return [[cell.strip() for cell in line[2:-2].split(" | ")] for line in table.splitlines() if "---" not in line]


# tables in Markdown (E5)

def frame(*names, columns=("x", "y")):
    index = pd.MultiIndex.from_product([["a", "b"], [1, 2], [7, 8]][:len(names)], names=names)
    return pd.DataFrame([[f"{row}-{name}" for name in columns] for row in range(len(index))], index, columns)

@pytest.mark.parametrize("names", [("arm",), ("arm", "level"), ("arm", "level", "seed")])
def test_a_cell_that_spans_rows_stands_in_each_of_them(names):
    df = frame(*names) if len(names) > 1 else frame("arm", "level").droplevel(1)
    head, *rows = cells_of(markdown_table(df.to_html()))
    assert head == [*names, "x", "y"]
    wanted = [[*map(str, key if isinstance(key, tuple) else (key,)), *line] for key, line in zip(df.index, df.to_numpy().tolist())]
    assert rows == wanted

def test_a_name_of_the_columns_is_no_row():
    df = pd.crosstab(pd.Series(["l", "m"], name="arm"), pd.Series(["right", "wrong"], name="outcome"))
    head, *rows = cells_of(markdown_table(df.to_html()))
    assert head == ["arm", "right", "wrong"] and rows == [["l", "1", "0"], ["m", "0", "1"]]

def test_a_cell_that_spans_columns_is_repeated():
    df = pd.DataFrame([[1, 2, 3]], ["l"], pd.MultiIndex.from_tuples([("cost", "calls"), ("cost", "usd"), ("right", "")]))
    head, row = cells_of(markdown_table(df.to_html()))
    assert head[1:] == ["cost calls", "cost usd", "right"] and row == ["l", "1", "2", "3"]


# the verdict in one sentence

def rows_of(n, arm, solved, metric="correct"):
    return [{"arm": arm, "task": f"t{i}", metric: value} for i, value in zip(range(n), solved)]

def compared(better, metric="correct"):
    return contrast(rows_of(40, "cards", better, metric)+rows_of(40, "none", [0]*20+[1]*20, metric), "cards", "none", metric)

def test_a_sentence_says_verdict_arms_metric_amount_interval_and_size():
    found = judge_claim("Cards help.", compared([0]*8+[1]*32))
    assert re.fullmatch(r"Held: 'cards' raises success by 30 points \[\+\d+, \+\d+\] against 'none' on 40 tasks\.", found.sentence)

def test_a_sentence_of_an_open_claim_says_what_it_needs():
    found = judge_claim("Cards help by much.", compared([0]*8+[1]*32), beyond=.3)
    assert found.sentence.startswith("Undecided: 'cards' raises success by 30 points")
    assert found.sentence.endswith("; the claim needs the whole interval above +30 points.")

def test_a_sentence_of_another_metric_has_no_points():
    found = judge_claim("Fewer steps.", compared([0]*40, "iterations"), more=False)
    assert "lowers steps by 0.5 [" in found.sentence and "points" not in found.sentence

def test_a_sentence_of_no_difference_names_the_margin():
    found = judge_equal("The same.", compared([0]*20+[1]*20), margin=.5)
    assert found.sentence.startswith("Held:") and "within 50 points of zero" in found.sentence

def test_a_verdict_in_run_json_has_its_sentence_and_an_older_one_none():
    new = dict(claim="c", verdict="held", why="w", sentence="Held: s.")
    assert verdicts_of(dict(verdict=new)) == [new]
    assert verdicts_of(dict(verdict=dict(claim="c", verdict="held", why="w")))[0]["sentence"] == ""


# the order of a page

def book(top=True):
    part = (lambda name: dict(part=name)) if top else (lambda name: {})
    said = [new_output("display_data", {"text/plain": "MEANS"}), new_output("display_data", {"text/plain": "ARMS"}, metadata=part("arms")),
        new_output("display_data", {"text/plain": "FIGURE"}, metadata=part("figure"))]
    return new_notebook(cells=[new_markdown_cell("# E03 · Rules\n\n> Claim: rules help."),
        new_code_cell("n_tasks:int=6 # Tasks", metadata=dict(tags=["parameters"])),
        new_markdown_cell("BEFORE"), new_code_cell("trial.report()", outputs=said), new_markdown_cell("AFTER")])

def manifest(**more):
    verdict = dict(claim="Rules help.", verdict="held", why="WHY", sentence="Held: 'rules' raises success.", also="ALSO", aa="", caveat="CAVEAT")
    return dict(dict(status="success", settings=dict(lm="sim"), updated="2026-01-01", rows=3, verdict=verdict), **more)

def pages(folder, nb, said):
    write_json(folder/"run.json", said)
    nbformat.write(nb, folder/"report.ipynb")
    write_report(folder/"report.ipynb")
    return [(folder/f"report.{end}").read_text(encoding="utf-8") for end in ("html", "md")]

def test_both_pages_have_the_order_verdict_figure_arms_details_parameters(tmp_path):
    html, text = pages(tmp_path, book(), manifest())
    order = ["raises success (simulated model", "ALSO", "FIGURE", "ARMS", "Details", "WHY", "BEFORE", "MEANS", "AFTER", "Parameters"]
    for page in (html.partition("<body>")[2], text):
        places = [page.index(word) for word in order]
        assert places == sorted(places) and page.count("FIGURE") == page.count("ARMS") == 1
        assert page.index("n_tasks") > places[-1]
    assert '<details class="more"><summary>Details' in html and "n_tasks:int" not in text and "<" not in text

@pytest.mark.parametrize("top, status", [(False, "success"), (True, "error")])
def test_details_are_open_where_they_are_all_there_is(tmp_path, top, status):
    html, text = pages(tmp_path, book(top), manifest(status=status))
    assert '<details class="more" open' in html and "MEANS" in text

def test_a_page_of_several_verdicts_has_a_sentence_for_each(tmp_path):
    said = manifest()
    said["verdicts"] = [dict(arm=name, claim="c", verdict="held", why="w", sentence=f"Held: {name!r} raises success.") for name in ("raw", "recent")]
    html, text = pages(tmp_path, book(), said)
    assert all(text.count(f"'{name}' raises success (simulated model") == 1 for name in ("raw", "recent")) and html.count('class="claim"') == 2

def test_a_test_run_has_no_sentence_of_a_verdict(tmp_path):
    html, text = pages(tmp_path, book(), manifest(settings=dict(lm="sim", dry_run=["bank mine.jsonl"])))
    assert "raises success" not in html+text and "Test run, no verdict" in html and "Test run, no verdict" in text

def test_outputs_without_a_part_stay_where_they_are():
    cells = book(False).cells
    assert split_parts(cells) == ([], cells)


# one order for both kinds of runs

@pytest.fixture(scope="module")
def full(tmp_path_factory):
    import shutil
    out = tmp_path_factory.mktemp("stored")
    for exp in ("E02", "E03", "E04", "E05", "E06"): shutil.copytree(SHIPPED/exp, out/exp)
    return trial_of(out/"E06/sim-graphs-full-s0")

def test_sections_begin_with_figure_and_arms(full):
    parts = [section.part for section in sections(full)]
    assert parts[:2] == ["figure", "arms"] and set(parts[2:]) == {"details"}

def test_the_table_of_arms_has_success_with_interval_steps_characters_and_dollars(full):
    table = arms_table(full)
    assert list(table.columns) == ["success", "95 % interval", "steps", "request chars", "USD"]
    rows = [row for row in full.rows if row["arm"] == "full cake"]
    low, high = map(float, table.loc["full cake", "95 % interval"].split("\u00a0to\u00a0"))
    assert low < float(table.loc["full cake", "success"]) == round(sum(r["correct"] for r in rows)/len(rows), 2) < high
    unknown = replace(full, rows=[{**row, "usd": None} for row in full.rows])
    assert set(arms_table(unknown)["USD"]) == {"unknown"}

# red flags (E8)

def test_red_flags_are_warned_of(full):
    [line] = [line for line in full.warnings() if line.startswith("Red flag")]
    n = sum(row["context_size"] > 4000 for row in full.rows if row["arm"] == "full cake")
    assert "'full cake'" in line and f"in {n} of 120" in line
    many = [{**row, "memory_items_injected": 4 if row["arm"] == "full cake" else 3} for row in full.rows]
    flagged = replace(full, rows=many)
    assert any("more than 3 memory items in 120 of 120" in line and "full cake" in line for line in flagged.warnings())
    assert flagged.frame()["over 3 items"].to_dict() == {"baseline": 0, "baseline again": 0, "full cake": 1}

def test_win_rate_drift_is_in_a_report_of_a_learning_run():
    stream = trial_of(SHIPPED/"E10/sim-library-full-s0")
    drift = win_rate_drift(stream)
    assert len(drift) and (drift["late"]-drift["early"]-drift["drift"]).abs().max() < .02

def test_a_held_out_column_says_on_how_many_tasks_it_rests():
    stream = trial_of(SHIPPED/"E10/sim-library-full-s0")
    n = len({row["task"] for row in stream.phase("held out")})
    assert n and f"held out ({n} tasks)" in arms_table(stream).columns

def test_both_fields_that_tell_of_variables_are_counted():
    assert set(VARIABLE_FIELDS) == {"variables_info", "variables"}

# what else was found (E9)

def test_the_whole_cake_is_set_against_the_sum_of_its_layers(full, tmp_path):
    found = e06.overlap(full)
    def gain(exp, arm):
        rows = trial_of(SHIPPED/exp/"sim-graphs-full-s0").valid_rows
        return sum(row["correct"] for row in rows if row["arm"] == arm)-sum(row["correct"] for row in rows if row["arm"] == "baseline")
    points = (gain("E06", "full cake")-sum(gain(exp, arm) for exp, arm in e06.ALONE.items()))/120*100 # one attempt at each of 120 tasks
    said, lo, hi = re.search(r"together add (\d+) points less success than the sum of each alone \[([-+]\d+), ([-+]\d+)\] on 120 tasks", found).groups()
    assert points < 0 and abs(-int(said)-points) <= .51 and int(lo) < points < int(hi)
    assert found.startswith("The layers show redundancy: " if int(hi) < 0 else "The layers show no clear overlap: ")
    alone = trial_of(SHIPPED/"E06/sim-graphs-full-s0")
    assert "not measured" in e06.overlap(replace(alone, folder=type(alone.folder)(tmp_path/"out/E06/other")))

def test_the_clearest_pair_of_all_is_named():
    trial = trial_of(SHIPPED/"E13/sim-graphs-full-s0")
    layers = {arm.name: tuple(arm.name.split("+")) if arm.layers else () for arm in trial.arms if not arm.salt}
    found = factorial(mark(trial.valid_rows, layers))
    clear = dict(estimate=-.2, lo=-.3, hi=-.1, p=1e-4, adjusted=6e-4)
    said = e13.clearest_pair([replace(effect, **clear) if effect.name == "L1:L3" else effect for effect in found])
    assert "L1:L3 shows the clearest redundancy" in said and "L1 and L3 together add" in said and "Not claimed beforehand" in said
    assert e13.clearest_pair(found) == "", "no pair stands out in the shipped run"

# no behaviour by import (E12)

def test_a_trial_can_report_without_another_import():
    code = ("import sys; from rbkit.trials.trial import Trial; from rbkit.trials.stream_trial import Streams\n"
        "assert not [name for name in sys.modules if name.startswith('rbkit.reports')]\n"
        "names = ('report', 'figure', 'by_level', 'trajectory', 'failed_trajectory')\n"
        "assert all(hasattr(kind, name) for kind in (Trial, Streams) for name in names)\n"
        "from types import SimpleNamespace; from rbkit.trials.spec import Arm\n"
        "rows = [dict(arm='a', task='t', level=1, repeat=0, outcome='wrong', correct=0)]\n"
        "trial = Trial(SimpleNamespace(arms=(Arm('a'),), params=dict(lm='sim')), rows, rows, None)\n"
        "assert len(trial.by_level()) == 1\n")
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=clean_env(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

# a list in a pipe (E10)

@pytest.mark.parametrize("width", [80, 100])
def test_a_list_in_a_pipe_fits_its_columns(width, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    assert main(["list"]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= width and "results/shipped/E01/" in said
