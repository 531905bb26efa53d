"What the commands of CONTRIBUTING.md make of a copy of the checkout is what the checkout holds"
import shutil
import pytest
from house import blocks, clean_env, experiments, modules, name_of, notebooks, parameter_cells, root, sh

def is_written(p): return p.suffix == ".py" and p.name != "__init__.py"

@pytest.fixture(scope="module")
def followed(tree, tmp_path_factory):
    "A repository without its modules, after the commands of the page in their order; pip and pytest are what is running this"
    to = tmp_path_factory.mktemp("followed")/"tree"
    shutil.copytree(tree, to)
    for p in (to/"rbkit").rglob("*.py"):
        if is_written(p): p.unlink()
    sh("git", "init", "-q", cwd=to, check=True)
    for l in [l for b in blocks(root/"CONTRIBUTING.md") for l in b]:
        if not l.startswith(("pip", "pytest")): sh(*l.split(), cwd=to, check=True, env=clean_env(RBKIT_ROOT=str(to)))
    return to

def test_modules_equal_a_fresh_export(followed):
    now = {p.relative_to(root) for p in modules}
    made = {p.relative_to(followed) for p in (followed/"rbkit").rglob("*.py")}
    assert now == made, "a module without its notebook, or the other way round: run nbdev-export"
    assert not [p.as_posix() for p in now if (root/p).read_bytes() != (followed/p).read_bytes()], "edited by hand, or not exported: run nbdev-export"

def test_cleaning_keeps_the_parameters_cell(followed):
    for nb in experiments: assert parameter_cells(followed/nb.relative_to(root)) == parameter_cells(nb), f"nbdev-clean took the tag of {nb.name}"

def test_notebooks_are_clean(followed):
    dirty = [name_of(nb) for nb in notebooks if nb.read_bytes() != (followed/nb.relative_to(root)).read_bytes()]
    assert not dirty, "run nbdev-clean"

def test_readme_is_made_from_the_index(followed):
    assert (followed/"README.md").read_text(encoding="utf-8") == (root/"README.md").read_text(encoding="utf-8"), "run `rbkit readme`"
