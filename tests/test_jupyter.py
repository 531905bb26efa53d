"The book in JupyterLab: a real browser walks chapters from the file browser to the last cell and looks at what they show"
import json, os, subprocess, sys, time
from pathlib import Path
import pytest
from house import clean_env, in_browser, rbkit

pytestmark = [pytest.mark.slow, in_browser]
PHOTOS = os.environ.get("PHOTOS") # a folder to keep pictures in, for whoever wants to look: PHOTOS=photos pytest -m slow tests/test_jupyter.py

CHAPTERS = [("01_ground/02_handles", "Dark"), ("04_bank/05_bank", "Light"), ("06_context/12_context", "Dark"), ("08_policies/11_loop", "Light"),
    ("experiments/E06_full", "Dark")] # one of each kind of part, and the theme that it is read in

# Pictures that are wider than their place, and whatever else leaves it without a bar to scroll by
OVERFLOWS = """notebook => {
  const room = notebook.getBoundingClientRect().right+1
  const scrolls = it => it !== notebook && (/auto|scroll/.test(getComputedStyle(it).overflowX) || scrolls(it.parentElement))
  const leaves = it => it.getBoundingClientRect().right > room && (it.matches('img, svg') || !scrolls(it))
  return [...notebook.querySelectorAll('.jp-Cell :is(p, table, img, svg, pre, h1, h2, .jp-OutputArea-output)')].filter(leaves).map(it => it.outerHTML.slice(0, 200))
}"""

@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    "The address of JupyterLab in a copy of the book, as `rbkit book` opens it, with settings of its own"
    home = tmp_path_factory.mktemp("lab")
    rbkit("book", "--no-open", home/"book", check=True)
    env = clean_env(**{f"JUPYTER_{name}_DIR": str(home/name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}, JUPYTERLAB_SETTINGS_DIR=str(home/"settings"),
        JUPYTERLAB_WORKSPACES_DIR=str(home/"workspaces"), IPYTHONDIR=str(home/"ipython"))
    said = (home/"said").open("w")
    p = subprocess.Popen([sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0", "--IdentityProvider.token=here"], cwd=home/"book", env=env, stdout=said, stderr=said)
    try:
        until = time.time()+90
        while not (found := list((home/"runtime").glob("jpserver-*.json"))):
            assert p.poll() is None and time.time() < until, (home/"said").read_text()[-3000:]
            time.sleep(.2)
        yield json.loads(found[0].read_text())["url"], home
    finally:
        p.terminate()
        p.wait(60)

def themed(home, theme):
    "The reader's settings: a theme, no news, and all cells in the page at once, so that all can be looked at"
    mine = {"apputils-extension/themes": {"theme": f"JupyterLab {theme}"}, "apputils-extension/notification": {"fetchNews": "false"},
        "notebook-extension/tracker": {"windowingMode": "none"}}
    for name, setting in mine.items():
        path = home/f"settings/@jupyterlab/{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(setting))

def opened(page, url, chapter):
    "Open a chapter from the file browser, folder by folder; its notebook, when its kernel waits"
    page.goto(f"{url}lab/workspaces/{chapter.replace('/', '-')}?token=here")
    for name in f"nbs/{chapter}.ipynb".split("/"): page.locator(".jp-DirListing-item", has_text=name).first.dblclick(timeout=60000)
    page.locator(".jp-KernelName", has_text="Python 3").wait_for(timeout=90000)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(timeout=90000)
    return page.locator(".jp-Notebook")

def run_all(page, secs=400):
    "Run > Run All Cells, until no cell waits or one has failed"
    page.locator(".lm-MenuBar-item", has_text="Run").first.click()
    page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()
    page.wait_for_function("""() => document.querySelector("[data-mime-type='application/vnd.jupyter.error']") ||
        [...document.querySelectorAll('.jp-Notebook .jp-CodeCell .jp-InputPrompt')].every(it => /[0-9]/.test(it.textContent))""", timeout=1000*secs)

def photos(page, name):
    "Pictures of the whole notebook, a window at a time"
    if not PHOTOS: return
    window = page.locator(".jp-WindowedPanel-outer")
    for i, top in enumerate(range(0, window.evaluate("it => it.scrollHeight"), 750)):
        window.evaluate("(it, top) => it.scrollTop = top", top)
        page.screenshot(path=Path(PHOTOS)/f"{name}-{i:02}.png")

@pytest.mark.parametrize("chapter, theme", CHAPTERS)
def test_a_chapter_runs_from_the_file_browser_to_its_last_cell(lab, chrome, chapter, theme):
    url, home = lab
    themed(home, theme)
    page = chrome.new_page(viewport=dict(width=1280, height=900))
    try:
        notebook = opened(page, url, chapter)
        run_all(page)
        photos(page, f"{chapter.replace('/', '-')}-{theme}")
        said = notebook.locator("[data-mime-type='application/vnd.jupyter.stderr'], [data-mime-type='application/vnd.jupyter.error']").all_text_contents()
        assert not said, said
        assert page.evaluate("document.body.dataset.jpThemeLight") == str(theme == "Light").lower()
        if chapter.startswith("experiments"): assert notebook.locator("table").count() > 4 and notebook.locator("img").count()
        wrong = notebook.evaluate(OVERFLOWS)
        assert not wrong, "\n".join(wrong)
    finally: page.close()
