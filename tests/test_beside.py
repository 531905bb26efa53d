"Files beside the package that others' tools read: each says what the README and the code say"
import json, re, shutil
import pytest, yaml
import rbkit
from house import blocks, clean_env, root
from rbkit.ground.settings import setting_names
from rbkit.models.connect import KEYS

INSTALL = "pip install -e '.[dev]'"
def text(name): return (root/name).read_text(encoding="utf-8")

@pytest.mark.parametrize("name", [".devcontainer/devcontainer.json", ".binder/postBuild", "README.md"])
def test_everything_is_installed_by_one_command(name): assert INSTALL in text(name)

def test_the_container_is_set_up_as_contributing_says():
    after = json.loads(text(".devcontainer/devcontainer.json"))["postCreateCommand"].split(" && ")
    assert after == next(b for b in blocks(root/"CONTRIBUTING.md") if INSTALL in b)

def test_binder_has_a_python_that_will_do():
    least = re.search(r'requires-python = ">=([\d.]+)"', text("pyproject.toml"))[1]
    given = text(".binder/runtime.txt").strip().removeprefix("python-")
    assert [int(x) for x in given.split(".")] >= [int(x) for x in least.split(".")]
    assert (root/".binder/postBuild").stat().st_mode & 0o100, "Binder runs it"

def test_the_workflow_calls_what_decides():
    steps = yaml.safe_load(text(".github/workflows/ci.yml"))["jobs"]["test"]["steps"]
    assert [s["run"] for s in steps if "run" in s] == ["bash .ci/run"]

def test_hooks_are_the_commands_of_contributing():
    hooks = [h for repo in yaml.safe_load(text(".pre-commit-config.yaml"))["repos"] for h in repo["hooks"]]
    commands = [h["entry"] for h in hooks]
    said = [line for b in blocks(root/"CONTRIBUTING.md") for line in b]
    assert {"nbdev-export", "nbdev-clean"} <= set(commands) <= set(said), "CONTRIBUTING.md names other commands"
    for command in commands: assert shutil.which(command.split()[0], path=clean_env()["PATH"])

def test_what_a_live_model_needs_is_in_the_example():
    lines = re.findall(r"^#(\w+)=(.*)$", text(".env.example"), re.M)
    names = [name for name, _ in lines]
    assert set(KEYS.values()) <= set(names), "a provider's key is missing"
    unknown = [n for n in names if n not in KEYS.values() and n.removeprefix("RBKIT_").lower() not in setting_names()]
    assert not unknown, f"no such setting: {unknown}"
    needed = {"lm", "api_base", "temperature", "request_options", "request_timeout_secs", "max_requests_per_minute", "prices", "interpreter",
        "max_usd", "max_tokens", "max_calls", "max_secs"}
    assert {f"RBKIT_{n.upper()}" for n in needed} <= set(names)
    assert all("# " in rest for _, rest in lines), "a line without a word of what it is"
    assert not re.search(r"^\w", text(".env.example"), re.M), "copied as it is, the example sets nothing"

def test_the_citation_names_this_version():
    cited = yaml.safe_load(text("CITATION.cff"))
    assert cited["version"] == rbkit.__version__ and cited["license"] == "Apache-2.0"
