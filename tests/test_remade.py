"Every stored figure says what made it, and by which command it is made again"
import json, re
from pathlib import Path
import pytest
from house import rbkit, root
from rbkit.reports.execution import check_params
from rbkit.reports.remade import maker_of, recipes, remake

SHIPPED = root/"results"/"shipped"
FIGURES = sorted(p.relative_to(SHIPPED).as_posix() for part in ("benchmarks", "retrieval", "calibration") for p in (SHIPPED/part).glob("*.json"))

def test_the_list_is_of_the_figures_that_are_there():
    assert sorted(recipes()) == FIGURES

@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_says_what_made_it_and_its_notebook_takes_the_parameters(name):
    made = json.loads((SHIPPED/name).read_text(encoding="utf-8"))["made"]
    assert made["commit"] and not made.get("dirty") and not made.get("changes") and made["commit"][:8] in maker_of(name)
    recipe = recipes()[name]
    check_params(recipe.path, recipe.parameters)

@pytest.mark.parametrize("name", FIGURES)
def test_what_a_figure_says_of_its_size_is_what_the_list_says(name):
    stored = json.loads((SHIPPED/name).read_text(encoding="utf-8"))
    said = {**stored, **stored.get("sizes", {})} if isinstance(stored.get("sizes"), dict) else stored
    for parameter, value in recipes()[name].parameters.items():
        about_it = name != "benchmarks/graphs.json" and not isinstance(said.get(parameter), (dict, list)) # about as many triples; what a set came to
        if parameter in said and about_it: assert said[parameter] == value, parameter

def test_an_unknown_figure_is_refused_and_a_failed_notebook_leaves_the_stored_one(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="There are benchmarks/bank.json"): remake("benchmarks/none.json")
    wrong = rbkit("remake", "benchmarks/context.json", "benchmarks/none.json")
    assert wrong.returncode == 1 and "No stored figure" in wrong.stderr and not wrong.stdout, "the first was made before the second was looked at"
    from rbkit.reports import remade
    monkeypatch.setattr(remade, "execute", lambda *a, **kw: dict(status="error", error="ZeroDivisionError: it broke", secs=1))
    with pytest.raises(RuntimeError, match="context.json: ZeroDivisionError"): remake("benchmarks/context.json", tmp_path/"c.json")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(remade, "data_path", lambda: None)
    with pytest.raises(ValueError, match="RBKIT_DATA_PATH"): remake("retrieval/coin.json", tmp_path/"c.json")

def test_the_command_lists_what_can_be_made_again():
    said = rbkit("remake", check=True)
    assert [line.partition(":")[0] for line in said.stdout.splitlines()] == list(recipes())

def test_a_chapter_reads_what_is_stored_from_where_it_lies():
    "A path to a folder that is no longer there shows nothing, and nobody notices"
    moved = re.compile(r'"results"\s*/\s*"(retrieval|benchmarks|calibration|worlds|live|traces)"|results/(retrieval|benchmarks|calibration|worlds|live|traces)/')
    pages = sorted((root/"nbs").rglob("*.ipynb"))
    found = [f"{page.relative_to(root)}: {hit[0]}" for page in pages for cell in json.loads(page.read_text(encoding="utf-8"))["cells"] for hit in moved.finditer("".join(cell["source"]))]
    assert not found, found
