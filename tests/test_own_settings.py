"A settings.ini of the working folder lies over the project's, key by key"
import pytest
from house import clean_env, rbkit, root
from rbkit.ground.settings import find_root, results_path, setting, settings_section
from rbkit.models.prices import Tokens, usd_of

@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    def say(text): (tmp_path/"settings.ini").write_text(text)
    return say

def test_prices_alone_are_heeded_and_the_root_stays_the_checkout(there):
    before = setting("n_tasks")
    there("[prices]\nopenai/mine = 1000000 0\n")
    assert usd_of("openai/mine", Tokens(2, 0)) == 2 and setting("n_tasks") == before and find_root() == root
    there("[prices]\nopenai/mine = 3000000 0\n")
    assert settings_section("prices")["openai/mine"] == "3000000 0", "a file that changed is read again"

def test_keys_lie_over_the_packaged_ones_and_the_rest_is_as_it_was(there, tmp_path, monkeypatch):
    usual = {name: setting(name) for name in ("profile", "prices", "engine")}
    there("[rbkit]\nlm = openai/mine\nn_tasks = 7\n[prices]\nopenai/mine = 1 2\n[streams]\nn_tasks = 5\n")
    assert setting("lm") == "openai/mine" and setting("n_tasks") == 7 and setting("n_tasks", kind="streams") == 5
    assert {name: setting(name) for name in usual} == usual and find_root() == root
    (tmp_path/"deeper").mkdir(); monkeypatch.chdir(tmp_path/"deeper")
    assert setting("lm") == "openai/mine", "from a folder below, too"
    monkeypatch.setenv("RBKIT_N_TASKS", "9")
    assert setting("n_tasks") == 9 and setting("n_tasks", 3) == 3, "the environment and the caller are stronger"
    monkeypatch.chdir(root/"nbs")
    assert setting("lm") == "sim"

@pytest.mark.parametrize("text, says", [("[rbkit]\nn_taks = 7\n", r"settings.ini says n_taks in \[rbkit\], which is no setting; there are .*n_tasks"), ("[profile.full]\nsens = 7\n", r"says sens in \[profile.full\].*sense")])
def test_an_unknown_key_is_refused(there, text, says):
    there(text)
    with pytest.raises(ValueError, match=says): setting("n_tasks")

@pytest.mark.parametrize("text", ["[theirs]\na = 1\na = 2\n", "[DEFAULT]\nlib_name = other\n", "[prices]\napples = 3\n[theirs]\na = 1\n"])
def test_the_settings_of_somebody_else_are_left_alone(there, text):
    there(text)
    assert setting("lm") == "sim" and settings_section("prices") == {}

def test_a_word_of_ones_own_may_not_stand_there(there):
    there("[rbkit]\napi_base = http://elsewhere/v1\n")
    with pytest.raises(ValueError, match="A folder may not"): setting("api_base")

def test_a_command_heeds_it(there, tmp_path):
    there("[rbkit]\nlm = openai/mine\n[prices]\nopenai/mine = 1 2\n")
    said = rbkit("plan", "E1", "--suite", "seeds/toy", "--n-tasks", "2", cwd=tmp_path, env=clean_env(OPENAI_API_KEY="k"), check=True).stdout
    assert "openai/mine" in said and "USD" in said
