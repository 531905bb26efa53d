"A run that a cap has ended says so on its page, and one whose rows would be lost says that before it asks"
import json, warnings
import nbformat
import pytest
from house import slow
from live_server import Server
from test_money import ARMS, LM, PRICES, SMALL, follow
from rbkit.reports.execution import execute
from rbkit.reports.notebook import write_report
from rbkit.reports.report import notebook_of
from rbkit.trials.ablation import ablate

CAPPED = [("E1", dict(max_calls=12), "12 calls"), ("E6", dict(max_calls=2), "2 calls"), slow("E9", dict(max_calls=30), "30 calls"), slow("E13", dict(max_calls=8), "8 calls")]

def words_of(path):
    "What the outputs of a notebook say, errors included"
    outputs = [o for c in nbformat.read(path, 4).cells if c.cell_type == "code" for o in c.outputs]
    return "\n".join(str(o.get("text") or o.get("data") or o.get("evalue")) for o in outputs), [o for o in outputs if o.output_type == "error"]

@pytest.mark.parametrize("exp, cap, said", CAPPED)
def test_a_notebook_that_a_cap_ends_says_which_and_what_is_there(tmp_path, exp, cap, said):
    how = dict(cap, out=str(tmp_path/"out"))
    done = execute(notebook_of(exp), tmp_path/"page.ipynb", how)
    words, errors = words_of(tmp_path/"page.ipynb")
    assert done["status"] == "error" and f"The cap of {said} is reached" in done["error"] and "run again to go on" in done["error"]
    assert "This run was ended early" in words and "wanted" in words, "what is there, arm by arm"
    assert [e.ename for e in errors] == ["Unfinished"] and len(errors[0].traceback) == 1, "no stack of calls"
    manifest = json.loads(next((tmp_path/"out").rglob("run.json")).read_text())
    assert manifest["status"] == "budget" and "verdict" not in manifest
    write_report(tmp_path/"page.ipynb")

@pytest.mark.slow # test_money asks the same of a run, without its notebook
def test_a_notebook_that_a_cap_ended_goes_on_with_a_larger_one(tmp_path):
    how = dict(n_tasks=4, n_repeats=1, out=str(tmp_path/"out"))
    assert execute(notebook_of("E1"), tmp_path/"page.ipynb", dict(how, max_calls=12))["status"] == "error"
    assert execute(notebook_of("E1"), tmp_path/"more.ipynb", dict(how, max_calls=1000))["status"] == "success"

def test_rows_that_are_paid_for_and_not_kept_are_spoken_of_before_anything_is_asked(tmp_path, monkeypatch):
    server = Server(follow)
    for name in ("NO_PROXY", "no_proxy"): monkeypatch.setenv(name, "127.0.0.1")
    for name, value in dict(API_BASE=server.url, PRICES=PRICES, RESULTS_PATH=str(tmp_path/"turns")).items(): monkeypatch.setenv(f"RBKIT_{name}", value)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            with pytest.raises(UserWarning, match="paid for.*Name one, such as out="): ablate("E01", ARMS, **SMALL)
            assert not server.heard, "nothing is asked"
            ablate("E01", ARMS, suite="seeds/toy", n_tasks=2, n_repeats=1)
            ablate("E01", ARMS, out=str(tmp_path), **SMALL)
        with pytest.warns(UserWarning, match="No folder of results"): capped = ablate("E01", ARMS, **SMALL, max_calls=3)
        assert "begins anew" in capped.folder.manifest()["stopped"] and LM in capped.caveat
    finally: server.close()
