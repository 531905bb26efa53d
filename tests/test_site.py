"The site: pages without a broken link, nothing from another machine, and the book to take along"
import json, re, sys, urllib.request
from pathlib import Path
import pytest
from house import in_browser, rbkit, root, sh, start
from rbkit.reports.book import TAKEN, copy_book
from rbkit.reports.chapters import PARTS
from rbkit.reports.site import build_site, check_site

pytest.importorskip("myst_nb")

@pytest.fixture(scope="module")
def site(tmp_path_factory):
    "A small site: the front pages, the how-tos, the experiments, and two rooms of the reference"
    to = tmp_path_factory.mktemp("site")/"site"
    assert build_site(to, parts=("how_to", "experiments"), rooms=("handles", "policies")) == [], "Sphinx complains"
    return to

def text(page): return page.read_text(encoding="utf-8")

def test_links_of_the_site_lead_somewhere(site): assert check_site(site) == []

def test_no_part_of_the_book_is_left_out():
    assert {p.parent.name for p in (root/"nbs").glob("*/*.ipynb")} == set(PARTS)

def test_the_site_loads_nothing_from_elsewhere(site):
    "Pages by their tags, styles by their words"
    for css in site.rglob("*.css"): assert not re.search(r"url\([\"']?(?:https?:)?//|@import", text(css)), f"{css.name} loads from elsewhere"

def test_chapters_are_shown_without_directives(site):
    page = text(site/"how_to/add_a_tool.html")
    assert "#| " not in page and "cell_output" in page
    assert "E06" in text(site/"index.html") and "pictures" not in {p.name for p in site.iterdir()}, "pictures are where Sphinx puts them"

@in_browser
@pytest.mark.parametrize("page", ["index", "experiments/E06_full", "how_to/serve_a_memory", "reference/handles"])
def test_a_page_fits_a_phone(site, chrome, page):
    "Nothing leaves the page; figures keep a size at which their words can be read, and are scrolled"
    shown = chrome.new_page(viewport=dict(width=390, height=800))
    shown.goto((site/f"{page}.html").as_uri())
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    widths = shown.locator("article img").evaluate_all("all => all.map(it => it.getBoundingClientRect().width)")
    assert all(width > 600 for width in widths) and (widths or "E06" not in page)
    shown.close()

def test_verdicts_are_read_from_stored_runs(site):
    stored = {m["exp"]: m for m in map(json.loads, map(text, (root/"results/shipped").glob("E*/*/run.json")))}
    assert len(stored) == 14
    for exp, manifest in stored.items():
        page = text(next((site/"experiments").glob(f"{exp}_*.html")))
        assert f"{exp}: {manifest['verdict']['verdict']}" in page and f"{manifest['rows']} attempts" in page
    table = text(site/"experiments/index.html")
    assert all(manifest["verdict"]["verdict"] in table for manifest in stored.values())

def test_the_reference_says_what_parameters_are(site):
    page = text(site/"reference/handles.html")
    assert 'id="rbkit.handles.BlobStore.put"' in page, "a method that a chapter adds is in its class"
    assert "Parameters" in page and "../01_ground" not in page

def test_search_finds_names_and_words(site):
    index = text(site/"searchindex.js")
    assert "rbkit.handles" in index and "how_to/add_a_tool" in index

def test_a_folder_with_something_else_is_refused(tmp_path):
    (tmp_path/"mine.txt").write_text("mine")
    r = rbkit("docs", "build", "--to", tmp_path)
    assert r.returncode == 1 and "say another folder" in r.stderr and text(tmp_path/"mine.txt") == "mine"

def test_docs_are_served_on_this_machine_alone(site):
    p = start("rbkit", "docs", "serve", "--to", site, "--port", 0, "--no-open")
    try:
        address = p.stdout.readline().split(" ")[0]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=20) as page: assert b"rbkit" in page.read()
    finally: p.terminate(); p.wait(20)

def test_without_the_extra_a_message_names_it(tmp_path):
    code = "import sys; sys.modules['myst_nb'] = None\nfrom rbkit.reports.cli import main\nsys.exit(main(['docs', 'build']))"
    code = code.replace("sys.modules['myst_nb'] = None", "import importlib.util as u; f = u.find_spec; u.find_spec = lambda n, *a: None if n == 'myst_nb' else f(n, *a)")
    r = sh(sys.executable, "-c", code, cwd=tmp_path)
    assert r.returncode == 1 and "rbkit[docs]" in r.stderr and len(r.stderr.splitlines()) == 1

@pytest.mark.slow
def test_the_whole_site_is_built(tmp_path):
    r = rbkit("docs", "build", "--to", tmp_path/"site", secs=1500)
    assert r.returncode == 0, r.stderr[-3000:]
    chapters = [p.relative_to(root/"nbs") for p in (root/"nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts]
    lacks = [str(p) for p in chapters if not (tmp_path/"site"/p.with_suffix(".html")).exists()]
    assert not lacks, f"chapters without a page: {lacks}"

# The book

def test_the_book_is_taken_along_and_nothing_is_replaced(tmp_path):
    to = tmp_path/"mine"
    assert rbkit("book", "--no-open", to, check=True).stdout.rstrip().endswith("begin with nbs/index.ipynb")
    assert {p.name for p in to.iterdir()} == set(TAKEN)
    chapter = to/"nbs/index.ipynb"
    chapter.write_text("mine")
    again = rbkit("book", "--no-open", to)
    assert again.returncode == 1 and "not empty" in again.stderr and text(chapter) == "mine"
    assert [p.name for p in tmp_path.iterdir()] == ["mine"], "nothing half-made is left"

def test_a_book_that_cannot_be_copied_leaves_nothing(tmp_path, monkeypatch):
    def full(*args, **how): raise OSError("disk full")
    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(OSError, match="disk full"): copy_book(tmp_path/"mine")
    assert not list(tmp_path.iterdir())
