"What several test files share"
import shutil
import pytest
from house import clean_env, root, sh
import os

for k in [k for k in os.environ if k not in clean_env()]: os.environ.pop(k) # settings by environment and keys stay outside

_SKIP = shutil.ignore_patterns(".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".hypothesis", ".pytest_cache", ".ipynb_checkpoints", "trace.jsonl", "*.old")

def pytest_collection_modifyitems(items):
    "The longest first, so that two workers end together"
    first = {"test_wheel.py": 0, "test_reports.py": 1, "test_book.py": 3}
    items.sort(key=lambda i: first.get(i.path.name, 2))

@pytest.fixture(scope="session")
def tree(tmp_path_factory):
    "A copy of the checkout that a test may dirty"
    to = tmp_path_factory.mktemp("tree")/"rbkit-copy"
    shutil.copytree(root, to, ignore=_SKIP)
    for p in to.rglob("*"): p.chmod(p.stat().st_mode | 0o600)
    return to
