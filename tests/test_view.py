"Pages that people look at: nothing fetched, nothing run that a model wrote, and a real browser shows them in light and dark"
import io, json, re, shutil, subprocess
from dataclasses import replace
from html import escape
import nbformat
import pytest
from matplotlib.image import imread
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from house import browser, in_browser, root, sh
from rbkit.reports.cli import main
from rbkit.reports.figure import is_one_treatment
from rbkit.reports.notebook import write_report
from rbkit.reports.stored import claims, claims_and_verdicts, forest
from rbkit.trials.ablation import ablate
from rbkit.trials.spec import AA_REPEAT, BASELINE, Arm
from rbkit.reports.trajectory import Trajectory, reasoning, story, trajectory, turns_of
from rbkit.reports.view import write_view

def chromium(*args): return subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *args],
    capture_output=True, text=True, timeout=300)
def dom(path, at=""): return chromium("--virtual-time-budget=4000", "--dump-dom", path.as_uri()+at).stdout
def photo(path, to, dark=False, size="900,1400"):
    chromium(f"--window-size={size}", f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--screenshot={to}", path.as_uri())
    return imread(to)[..., :3]

def fetched(html): return re.findall(r'''<(?:script|link|img|iframe|source)[^>]*?(?:src|href)=["']?+(?!data:|#)([^"'>\s]*)|@import|url\((?!data:)''', html)

@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    arms = [BASELINE, AA_REPEAT, Arm("full cake", ("L0", "L1", "L2", "L3"))]
    t = ablate("E06", arms, suite=str(root/"seeds/toy"), n_tasks=3, n_repeats=1, out=str(tmp_path_factory.mktemp("view")))
    t.judge("The cake saves steps", "full cake", metric="iterations", more=False)
    return t

@pytest.fixture
def folder(trial, tmp_path): return shutil.copytree(trial.folder.path, tmp_path/"E06"/trial.folder.path.name)

def edit(path, change):
    "Apply a function to each line of a JSONL file"
    lines = [change(json.loads(l)) for l in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("".join(json.dumps(l)+"\n" for l in lines), encoding="utf-8")

# The walk

def test_the_trace_holds_thoughts_and_the_folder_the_layers(trial):
    s = story(trial.folder.path)
    assert not s.lacks and len(s.traces) == len(trial.rows) == 9
    requests = [l for lines in s.traces.values() for l in lines if l["kind"] == "request"]
    assert all(r["reply"] and len(r["reply"]) == r["reply_chars"] for r in requests)
    for r in trial.rows:
        for l in trajectory(trial.folder.path, arm=r["arm"], task=r["task"]).layers: assert len(l["text"]) == l["chars"] == r[f"{l['name']}_chars"]

def test_a_report_shows_an_attempt_whatever_there_is(trial):
    ended = lambda *outcomes: replace(trial, rows=[{**r, "outcome": outcomes[i % len(outcomes)]} for i, r in enumerate(trial.rows)])
    right = ended("success").failed_trajectory()
    assert right.row["task"] == trial.rows[0]["task"] and "Every attempt succeeded; this is the first of them." in repr(right) and "Every attempt succeeded" in right._repr_html_()
    slow = ended("success", "not_converged").failed_trajectory()
    assert slow.row["outcome"] == "not_converged" and "No attempt was wrong; this is the first that did not succeed (not_converged)." in repr(slow)
    wrong = ended("success", "not_converged", "wrong").failed_trajectory()
    assert wrong.row["outcome"] == "wrong" and not any("attempt" in said and ("wrong" in said or "succeeded" in said) for said in wrong.lacks)
    with pytest.raises(ValueError, match="No attempt"): ended("success").trajectory(outcome="wrong")

def test_trajectory_of_a_trial(trial):
    shown = next(r["task"] for r in trial.rows if r["arm"] == "full cake" and r["memory_chars"]) # memory may keep silent
    t = trial.trajectory(arm="full cake", task=shown)
    assert isinstance(t, Trajectory) and t.row["task"] == shown and len(t.turns) == t.row["iterations"]
    assert {l["name"] for l in t.layers} == {"base", "sense", "constraints", "memory", "guide"}
    text, html = repr(t), t._repr_html_()
    assert len(text.splitlines()) >= 1+len(t.turns) and all(len(l) <= 140 for l in text.splitlines())
    assert escape(t.task.question) in html and "Gold query" in html and "request" in html and html.count('class="turn"') == len(t.turns)
    assert trial.trajectory(0).row == trial.rows[0]
    for wrong in (dict(i=99), dict(arm="nobody")):
        with pytest.raises((ValueError, IndexError)): trial.trajectory(**wrong)

@pytest.mark.parametrize("outcome, reason, said", [("success", "", "the answer is the gold result"), ("wrong", "2 rows missing", "the check: 2 rows missing"),
    ("not_converged", "", "no answer was checked"), ("refused", "empty reply", "no answer was checked: empty reply"), ("infrastructure", "", "no answer was checked")])
def test_only_a_right_answer_is_called_right(outcome, reason, said):
    html = Trajectory(dict(arm="a", task="t", outcome=outcome, reason=reason))._repr_html_()
    assert said in html and ("gold result" in html) == (outcome == "success")

def test_turns_of_odd_traces():
    ask, step = dict(kind="request", chars=5, reply="x"), dict(kind="step", code="1", output="", chars=0, error=None)
    call = dict(kind="tool", name="t", chars=9, outcome="ok")
    assert [(len(t["requests"]), len(t["tools"]), bool(t["step"])) for t in turns_of([ask, ask, call, call, step, ask])] == [(2, 2, True), (1, 0, False)]
    assert turns_of([]) == [] and len(turns_of([step, step])) == 2
    assert reasoning("Just words") == "Just words" and reasoning("") == "" and reasoning('{"reasoning": "cut') == '{"reasoning": "cut'

# The page

def test_the_page_holds_every_attempt_and_fetches_nothing(folder, capsys):
    assert main(["view", str(folder), "--no-open"]) == 0
    html = (folder/"view.html").read_text(encoding="utf-8")
    assert capsys.readouterr().out.strip().endswith("view.html") and not fetched(html) and "Content-Security-Policy" in html
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.S)[1])
    assert {(a["arm"], a["task"]) for a in data["attempts"]} == {(r["arm"], r["task"]) for r in story(folder).rows} and len(data["attempts"]) == 9
    failed = [a["outcome"] != "success" for a in data["attempts"]]
    assert failed == sorted(failed, reverse=True), "failed attempts come first"

EVIL = "</script><script>document.title='owned'</script><!-- <img src=x onerror=\"document.title='owned'\"> \u202e\u0000\ud800 ]]>"

def poisoned(folder):
    "Hostile text wherever a model, a graph or a tool can put some"
    big = EVIL+"y"*10**6
    edit(folder/"trace.jsonl", lambda l: {**l, **{k: EVIL for k in ("reply", "code", "error", "name") if k in l}, **({"output": big, "chars": len(big)} if "output" in l else {})})
    edit(folder/"rows.jsonl", lambda r: {**r, "sparql": EVIL, "answer": [[EVIL]], "reason": EVIL, "judge": EVIL, "judge_reason": EVIL, "flags": [EVIL]})
    edit(folder/"contexts.jsonl", lambda l: {**l, "text": EVIL})
    return write_view(folder)

def test_hostile_text_stays_text(folder):
    html = poisoned(folder).read_text(encoding="utf-8")
    assert html.count("<script") == 2 and "<img" not in html and "\u202e" not in html and len(html) < 300_000
    t = trajectory(folder, 0)
    assert "<script" not in t._repr_html_() and "<img" not in t._repr_html_() and len(t._repr_html_()) < 100_000 and "left out" in t._repr_html_()

def test_without_trace_the_page_says_what_is_missing(folder):
    for name in ("trace.jsonl", "contexts.jsonl"): (folder/name).unlink()
    html = write_view(folder).read_text(encoding="utf-8")
    assert "There is no trace here" in html and "texts of the layers are not kept" in html and "SELECT" in html
    assert "rows only" in story(folder).lacks[0] and "No trace" in repr(trajectory(folder, 0))

def test_a_run_of_an_earlier_layout_still_opens(folder):
    m = json.loads((folder/"run.json").read_text())
    m["arms"] = [{k: v for k, v in a.items() if k not in ("config", "salt")} for a in m["arms"]]
    (folder/"run.json").write_text(json.dumps(m))
    edit(folder/"rows.jsonl", lambda r: {k: v for k, v in r.items() if k not in ("config", "code", "context_hash")})
    edit(folder/"trace.jsonl", lambda r: {k: v for k, v in r.items() if k not in ("config", "reply")})
    s = story(folder)
    assert len(s.rows) == 9 and "earlier version" in s.lacks[-1] and trajectory(folder, 0).turns
    assert write_view(folder).exists()
    found = claims_and_verdicts(str(folder.parent.parent))
    assert found.skipped == [f"E06/{folder.name}"] and "earlier version" in found._repr_html_() and forest(str(folder.parent.parent))

def many(folder, n=1600, turns=2):
    "A run as large as they come, made of one attempt's rows and trace"
    s = story(folder)
    row, lines = s.rows[0], []
    rows = [{**row, "repeat": i, "outcome": "wrong" if i%3 else "success"} for i in range(n)]
    big = dict(code="print('x')\n"*200, output="y"*10_000, chars=10_000, error=None)
    for r in rows:
        at = {k: r[k] for k in ("arm", "config", "task", "repeat", "attempt")}
        for j in range(turns): lines += [{**at, "kind": "request", "chars": 5000+j*1000, "reply": f"thought {j}"*150, "reply_chars": 9}, {**at, "kind": "step", **big}]
    (folder/"rows.jsonl").write_text("".join(json.dumps(r)+"\n" for r in rows))
    (folder/"trace.jsonl").write_text("".join(json.dumps(l)+"\n" for l in lines))
    m = json.loads((folder/"run.json").read_text())
    m["settings"]["n_repeats"] = n
    (folder/"run.json").write_text(json.dumps(m))
    return write_view(folder)

def test_a_large_run_stays_lean(folder):
    page = many(folder)
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)[1])
    assert len(data["attempts"]) == 1600 and page.stat().st_size < 16e6 and "400 of 1600" in " ".join(data["lacks"])
    if browser: assert "1600 of 1600 attempts" in dom(page)

# In a real browser

@in_browser
def test_a_browser_shows_the_steps(folder):
    html = dom(write_view(folder), "#8")
    assert "9 of 9 attempts" in html and html.count('class="turn"') >= 2 and "Step 2" in html
    for said in ("Gold query", "Submitted query", "In context", "the check", "sense: ", "of 600 characters", "class=\"bar\"", "sparql_query"): assert said in html, said
    assert 'style="width:' in html and html.count("aria-current=\"true\"") == 1

@in_browser
def test_a_browser_runs_nothing_that_a_model_wrote(folder):
    html = dom(poisoned(folder))
    assert "<title>E06: attempts</title>" in html and "9 of 9 attempts" in html and "<img" not in html and "&lt;/script&gt;" in html

@in_browser
@pytest.mark.parametrize("size", ["900,700", "420,700"])
def test_light_and_dark(folder, tmp_path, size):
    page = write_view(folder)
    light, dark = photo(page, tmp_path/"light.png", size=size), photo(page, tmp_path/"dark.png", True, size)
    assert light.mean() > .8 and dark.mean() < .25, "the page follows the reader's theme"
    assert light.std() > .05 and dark.std() > .05, "the page is not blank"

# Reports

@pytest.fixture
def report(trial, folder):
    "A report's notebook as it is after a run: parameters, a table, a figure, and words of a model"
    png = io.BytesIO()
    trial.figure().savefig(png, format="png", bbox_inches="tight")
    import base64
    picture = base64.b64encode(png.getvalue()).decode()
    out = lambda **data: [new_output("execute_result", {k.replace("_", "/"): v for k, v in data.items()})]
    cells = [new_markdown_cell("# E06 · The full layer cake\n\n> Claim: it helps."), new_markdown_cell("## Parameters"), new_markdown_cell("A short run."),
        new_code_cell("n_tasks:int=6 # Tasks, drawn evenly", metadata=dict(tags=["parameters"])), new_code_cell("n_tasks = 3", metadata=dict(tags=["injected-parameters"])),
        new_markdown_cell("## The run"), new_code_cell("trial.frame()", outputs=out(text_html=trial.frame()._repr_html_(), text_plain="frame")),
        new_code_cell("trial.figure()", outputs=out(image_png=picture, text_plain="figure")), new_code_cell("print(x)", outputs=[new_output("stream", text=EVIL.replace("\ud800", ""))])]
    nbformat.write(new_notebook(cells=cells), folder/"report.ipynb")
    write_report(folder/"report.ipynb")
    return folder/"report.html"

def test_a_report_stands_alone(report):
    html = report.read_text(encoding="utf-8")
    assert not fetched(html) and report.stat().st_size < 600_000 and "https://" not in re.sub(r"<footer>.*", "", html)
    assert "no evidence about language models" in html[:html.index("The run")] and re.search(r'class="chip (good|bad|odd)">(held|failed|undecided)<', html)
    assert html.count("<summary>code</summary>") == 3 and 'alt="Figure: The run"' in html and "<td>n_tasks</td><td>3</td><td>Tasks, drawn evenly</td>" in html and "A short run." not in html
    assert (report.parent/"report.md").read_text(encoding="utf-8").startswith("# E06")

def _report_in(folder, *cells):
    folder.mkdir(parents=True)
    nbformat.write(new_notebook(cells=[new_markdown_cell("# E06 · The full layer cake"), *cells]), folder/"report.ipynb")
    write_report(folder/"report.ipynb")
    return (folder/"report.md").read_text(encoding="utf-8")

def test_a_report_keeps_what_a_cell_says_whose_input_is_hidden(tmp_path):
    words = "**Held**, of 9 tasks. [Its report](../../results/shipped/E06/sim-graphs-full-s0/report.md)"
    said = [new_output("execute_result", {"text/markdown": words})]
    cells = [new_code_cell("#| hide_input\nstored_verdict('E06')", outputs=said), new_code_cell("#| hide\nsecret()"),
        new_markdown_cell("Next ([E07](E07_leakage.ipynb#Verdict), [a page](https://example.org))")]
    away = _report_in(tmp_path/"away", *cells)
    assert "**Held**, of 9 tasks. Its report\n" in away and "stored_verdict" not in away and "secret" not in away
    assert "Next (E07, [a page](https://example.org))" in away, "a link that leads nowhere from here is words"

def test_links_of_a_report_within_the_project_lead_on(monkeypatch, tmp_path):
    for place in ("nbs/experiments", "results/E06"): (tmp_path/place).mkdir(parents=True)
    (tmp_path/"nbs/experiments/E07_leakage.ipynb").touch()
    monkeypatch.setattr("rbkit.reports.notebook.find_root", lambda: tmp_path)
    text = _report_in(tmp_path/"results/E06/mine", new_markdown_cell("Next ([E07](E07_leakage.ipynb#Verdict))"))
    assert "[E07](../../../nbs/experiments/E07_leakage.ipynb#Verdict)" in text

@in_browser
def test_a_browser_shows_the_report(report, tmp_path):
    html = dom(report)
    assert "<title>E06" in html and "<details class=\"code\">" in html and "open" not in re.search(r"<details class=\"code\"[^>]*>", html)[0]
    light, dark = photo(report, tmp_path/"light.png"), photo(report, tmp_path/"dark.png", True)
    assert light.mean() > .8 and dark.mean() < .25
    figure = slice(len(dark)//2, None)
    assert (dark[figure] > .35).any(), "the figure's ink is seen on black"

@in_browser
@pytest.mark.parametrize("exp", ["E06", "E09"])
def test_a_report_fits_a_phone(exp, tmp_path, chrome):
    "Nothing leaves the page, a figure's words are large enough to read, and a table that is scrolled keeps the names of its lines"
    run = next((root/"results/shipped"/exp).glob("*"))
    shutil.copy(run/"run.json", tmp_path)
    shutil.copy(next((root/"nbs/experiments").glob(f"{exp}_*")), tmp_path/"report.ipynb")
    write_report(tmp_path/"report.ipynb")
    page = chrome.new_page(viewport=dict(width=390, height=800))
    page.goto((tmp_path/"report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    figures = page.locator("img").evaluate_all("all => all.map(it => it.getBoundingClientRect().width/it.naturalWidth)")
    assert figures and min(figures)*200/72*8 > 8, "words of 8 points, at 200 pixels an inch, in pixels of the page"
    line = page.locator(".dataframe").last.locator("tbody tr").first.locator("th, td")
    name, third = line.nth(0).bounding_box()["x"], line.nth(2).bounding_box()["x"]
    line.nth(0).evaluate("it => it.closest('.output').scrollLeft = 60")
    assert line.nth(0).bounding_box()["x"] == name and line.nth(2).bounding_box()["x"] < third-50
    page.close()

def test_figures_read_on_both(trial, tmp_path):
    fig = trial.figure()
    fig.savefig(tmp_path/"f.png")
    image = imread(tmp_path/"f.png")
    assert image.shape[1] >= 1600 and image[0, 0, 3] == 0, "sharp, and transparent"
    ink = image[image[..., 3] > .95][:, :3].mean(axis=1)
    assert ink.min() > .2 and ink.max() < .75, "no ink is near black or near white"

def test_every_experiment_says_its_claim():
    found = claims()
    assert [c["exp"] for c in found] == sorted({p.name[:3] for p in (root/"nbs/experiments").glob("E*_*.ipynb")}) and all(c["claim"] and c["title"] for c in found)
    page = claims_and_verdicts()._repr_html_()
    assert all(c["notebook"] in page for c in found)

def test_effects_are_a_line_for_each_run_however_many_arms_it_has(trial):
    figure = forest(str(trial.folder.path.parent.parent))
    ax = figure.get_axes()[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["E06 toy"] and figure.get_size_inches()[1] < 2
    assert [text.get_text().split("  ")[0].partition(" (")[0] for text in ax.texts] == ["full cake"]

# What the stored runs say, beside a run of one's own and in a figure

def test_a_chapter_ends_with_what_its_stored_run_says():
    from rbkit.reports.stored import claims, stored_verdict
    for exp in [line["exp"] for line in claims()]:
        [link] = re.findall(r"\]\(../../([^)]+)\)", stored_verdict(exp).data)
        assert (root/link).is_file(), link
        assert stored_verdict(exp, "elsewhere") is None, "a run of one's own quotes no other run"
    assert "No run came" in stored_verdict("E99").data

def test_the_forest_draws_the_contrast_of_the_claim():
    from rbkit.reports.stored import _claimed, all_runs, effects, is_shipped
    runs = {m["exp"]: m for m in all_runs() if is_shipped(m) and m["settings"]["lm"] == "sim"} # one of each
    shown = {exp: _claimed(m, effects(m)) for exp, m in runs.items()}
    assert shown["E14"].name == "react+memory - react" and shown["E05"].name == "L2 memory - placebo"
    assert shown["E02"].name == "L0 sense (the claim is about iterations)" and shown["E01"].repeat
    for exp, effect in shown.items():
        why = runs[exp]["verdict"]["why"]
        # E13's claim is an interaction, and no contrast of two arms
        if exp != "E13" and ": correct " in why.partition(",")[0]: assert f"{effect.difference.estimate:+.3g}" in why, exp

def test_a_trial_of_one_treatment_shows_how_good_it_is():
    from rbkit.trials.ablation import ablate
    from rbkit.trials.spec import AA_REPEAT, BASELINE, Arm
    def drawn(*arms):
        trial = ablate("E", [BASELINE, *arms], suite="seeds/toy", n_tasks=3, n_repeats=2)
        for r in trial.rows: r["request_chars"] = 41000+(r["arm"] == "baseline") # as good as equal
        return trial, *trial.figure().axes
    trial, left, right = drawn(AA_REPEAT)
    assert is_one_treatment(trial) and left.get_ylabel() == "success, 95 % interval"
    tops = {round(float(line.get_ydata()[0]), 2) for line in left.lines if len(line.get_ydata()) == 1}
    assert {round(x, 2) for x in trial.by_level()["success"]} <= tops
    low, high = right.get_xlim()
    assert high-low >= .05*41, "costs that are as good as equal lie close"
    trial, left, right = drawn(AA_REPEAT, Arm("L1", ("L1",)))
    assert not is_one_treatment(trial) and left.get_ylabel() == "difference in success, 95 % interval"
    assert not is_one_treatment(drawn(Arm("L1", ("L1",)))[0])
