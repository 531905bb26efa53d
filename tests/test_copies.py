"What the commands make of a copy of the checkout is what the checkout holds"
import shutil
import pytest
from house import blocks, clean_env, experiments, modules, name_of, notebooks, parameter_cells, root, sh

@pytest.fixture(scope="module")
def export(tree, tmp_path_factory):
    "The package as the notebooks say it, written anew"
    to = tmp_path_factory.mktemp("export")/"tree"
    shutil.copytree(tree, to, ignore=shutil.ignore_patterns("results"))
    for p in (to/"rbkit").rglob("*.py"):
        if p.name != "__init__.py": p.unlink()
    sh("nbdev-export", cwd=to, check=True)
    return {p.relative_to(to).as_posix(): p.read_text(encoding="utf-8") for p in (to/"rbkit").rglob("*.py")}

def test_modules_equal_a_fresh_export(export):
    now = {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in modules}
    assert sorted(now) == sorted(export), "a module without its notebook, or the other way round: run nbdev-export"
    assert not [k for k in now if now[k] != export[k]], "edited by hand, or not exported: run nbdev-export"

@pytest.fixture(scope="module")
def cleaned(tree, tmp_path_factory):
    "The notebooks after nbdev-clean"
    to = tmp_path_factory.mktemp("cleaned")/"tree"
    shutil.copytree(tree, to, ignore=shutil.ignore_patterns("results"))
    sh("nbdev-clean", cwd=to, check=True)
    return to

def test_cleaning_keeps_the_parameters_cell(cleaned):
    for nb in experiments: assert parameter_cells(cleaned/nb.relative_to(root)) == parameter_cells(nb), f"nbdev-clean took the tag of {nb.name}"

def test_notebooks_are_clean(cleaned):
    dirty = [name_of(nb) for nb in notebooks if nb.read_text(encoding="utf-8") != (cleaned/nb.relative_to(root)).read_text(encoding="utf-8")]
    assert not dirty, "run nbdev-clean"

@pytest.fixture(scope="module")
def followed(tree, tmp_path_factory):
    "A repository after the commands of CONTRIBUTING.md, in the order of the page; pip and pytest are what is running this"
    to = tmp_path_factory.mktemp("followed")/"tree"
    shutil.copytree(tree, to)
    sh("git", "init", "-q", cwd=to, check=True)
    for l in [l for b in blocks(root/"CONTRIBUTING.md") for l in b]:
        if not l.startswith(("pip", "pytest")): sh(*l.split(), cwd=to, check=True, env=clean_env(RBKIT_ROOT=str(to)))
    return to

def test_readme_is_made_from_the_index(followed):
    assert (followed/"README.md").read_text(encoding="utf-8") == (root/"README.md").read_text(encoding="utf-8"), "run `rbkit readme`"

def test_commands_of_contributing_change_nothing(followed):
    for p in (*modules, *notebooks): assert p.read_bytes() == (followed/p.relative_to(root)).read_bytes(), f"{p.name} is not as the commands leave it"
