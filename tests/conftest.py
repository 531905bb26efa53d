"What several test files share"
import os, shutil, time
os.environ["OMP_NUM_THREADS"] = "1" # numpy reads it once: four processes with two threads each would wait for one another
import promises
import pytest
from rbkit.ground.settings import import_dspy
from house import QUIET, browser, clean_env, root

BEGUN = time.monotonic()
TOLD = os.environ.get("RBKIT_PROMISES") # a file for what the tests of safety found: RBKIT_PROMISES=found.json pytest

import_dspy() # once, and quickly
for k in [k for k in os.environ if k not in clean_env()]: os.environ.pop(k) # settings by environment and keys stay outside
os.environ.update(QUIET)

SPREAD = ("test_book.py", "test_reports.py", "test_runs.py", "test_models.py") # slow tests that share nothing
FIRST = ("test_backends.py", "test_wheel.py", "test_packers.py", "test_streams.py", "test_worlds.py", "test_rbkit_run.py", "test_agents.py",
    "test_questions.py", "test_copies.py", "test_money.py", "test_services.py", "test_graphs.py", "test_bank.py", "test_adaptive.py") # long files; begun last they would keep one worker late

LONG = ("E13_interactions]", "E09_loop]", "killed_at_any_moment") # and of these the longest

def _turn(item):
    "When a test begins: the longest first"
    if item.path.name in SPREAD and any(name in item.name for name in LONG): return -1
    return FIRST.index(item.path.name) if item.path.name in FIRST else len(FIRST)

def pytest_configure(config):
    "Whoever wants to know what the tests of safety find wants these alone: all of them, or the short set where `-m` says so"
    if TOLD and "promise" not in config.option.markexpr: config.option.markexpr = "promise"
    if hasattr(config, "workerinput"): config.option.markexpr = config.workerinput["markexpr"]

@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    "A worker chooses its tests itself, and reads nothing but the command line"
    node.workerinput["markexpr"] = node.config.option.markexpr

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    "Tests of a promise are marked as such; long files come first, so that what is left in the end is short"
    attacks = {test for _, _, tests in promises.PROMISES.values() for test in tests}
    for item in items:
        if item.nodeid.partition("[")[0].removeprefix("tests/") in attacks: item.add_marker("promise")
    items.sort(key=_turn)

@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    "Many tests wait for a process of their own, so there are three more than processors; above five they wait for each other"
    return min(5, (os.cpu_count() or 1)+3)

@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    "Tests of one file stay with one worker, since they share what their fixtures made; those of SPREAD go wherever there is room"
    from xdist.scheduler import LoadScopeScheduling
    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            name = nodeid.split("::")[0]
            return nodeid if name.endswith(SPREAD) else name
    config.option.loadscopereorder = False # in the order of collection, not by how many tests a file has
    return ByFile(config, log)

def pytest_terminal_summary(terminalreporter, exitstatus, config):
    "Keep what the tests of each promise found, where that is asked for"
    if not TOLD or config.option.collectonly: return
    promises.write(TOLD, promises.named(config, exitstatus), [r for reports in terminalreporter.stats.values() for r in reports if hasattr(r, "when")], time.monotonic()-BEGUN)

_SKIP = shutil.ignore_patterns(".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".hypothesis", ".pytest_cache", ".ipynb_checkpoints",
    "trace.jsonl", "*.old")

@pytest.fixture(scope="session")
def tree(tmp_path_factory):
    "A copy of the checkout that a test may dirty"
    to = tmp_path_factory.mktemp("tree")/"rbkit-copy"
    shutil.copytree(root, to, ignore=_SKIP)
    for p in to.rglob("*"): p.chmod(p.stat().st_mode | 0o600)
    return to

@pytest.fixture(scope="session")
def chrome():
    "A browser that a test drives: it opens pages, clicks, and measures what stands where"
    api = pytest.importorskip("playwright.sync_api", reason="no playwright (pip install playwright)")
    with api.sync_playwright() as p:
        it = p.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        yield it
        it.close()
