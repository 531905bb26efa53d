"Money, prices, temperatures and caps are said as they are, and before anything is paid"
import json
import pytest
from live_server import Server
from test_money import A_CALL, ARMS, LM, PRICES, follow
from rbkit.reports.cli import main
from rbkit.reports.table import make_table, stored_tables
from rbkit.reports.terminal import Tally
from rbkit.stats.style import dollars
from rbkit.trials.acted import echoes, echoes_of_run
from rbkit.trials.plans import plan

@pytest.fixture
def server(monkeypatch, tmp_path):
    s = Server(follow)
    for k in ("NO_PROXY", "no_proxy"): monkeypatch.setenv(k, "127.0.0.1")
    for name, value in dict(API_BASE=s.url, PRICES=PRICES, RESULTS_PATH=str(tmp_path/"turns")).items(): monkeypatch.setenv(f"RBKIT_{name}", value)
    yield s
    s.close()

def test_a_table_says_where_rollouts_are_one_and_what_it_cost_is_listed(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RBKIT_TEMPERATURE", "0.7"); monkeypatch.setenv("RBKIT_INTERPRETER", "trusted")
    how = dict(world="library", arms="none,matts3", n_tasks=2, n_streams=2, lm=LM, out=str(tmp_path))
    make_table(**how)
    said = capsys.readouterr().out
    page = next((tmp_path/"table").glob("*.md")).read_text()
    for text in (said, page): assert "Same replies: in" in text and "though temperature 0.7 was asked for" in text
    listed = stored_tables(tmp_path)
    assert listed["usd"].tolist() == [pytest.approx((len(server.heard)-3)*A_CALL)] and listed["usd"][0] > 0

def test_a_warning_of_same_replies_says_what_was_asked_for():
    rows = [dict(arm="a", task="t", replies="x")]*2
    assert "though temperature 0.7 was asked for" in echoes(rows, .7)[0]
    assert "no temperature was asked for" in echoes(rows)[0] and "chance was asked for" not in echoes(rows)[0]
    assert not echoes_of_run(rows, dict(lm="sim", temperature=None)) and not echoes_of_run(rows, dict(lm=LM, temperature=0)) and echoes_of_run(rows, dict(lm=LM, temperature=None))

@pytest.mark.parametrize("usd, said", [(0, "0.00"), (.0031, "0.0031"), (.000052, "0.000052"), (.01, "0.01"), (1.234, "1.23"), (1234.5, "1,234.50"), (.00999, "0.0100")])
def test_an_amount_below_a_cent_has_two_digits_that_say_something(usd, said): assert dollars(usd) == said

def test_a_plan_and_a_bar_show_less_than_a_cent(monkeypatch, tmp_path):
    monkeypatch.setenv("RBKIT_PRICES", f"{LM}=.001 .002")
    how = dict(lm=LM, suite="seeds/toy", n_tasks=2, n_repeats=1)
    said = plan("E01", ARMS, **how).money
    assert said.startswith("About 0.0000") and float(said.split()[1]) > 0
    tally = Tally(tmp_path/"rows.jsonl")
    (tmp_path/"rows.jsonl").write_text(json.dumps(dict(correct=1, usd=.0042))+"\n")
    tally.read_on()
    assert "0.0042 USD" in str(tally)

def test_a_plan_says_that_a_cap_on_money_without_a_price_is_refused():
    how = dict(lm="openai/nobody-knows", suite="seeds/toy", n_tasks=2, n_repeats=1)
    assert "the run is refused" in plan("E01", ARMS, max_usd=1, **how).words and "refused" not in plan("E01", ARMS, **how).words

WRONG = {"--prices openai/local-test": "says no price", "--prices openai/x=1": "must be US dollars for a million tokens", "--temperature hot": "'hot' is no temperature",
    "--temperature -1": "is no temperature", "--max-usd -1": "above zero", "--max-calls x": "above zero"}

@pytest.mark.parametrize("typed", WRONG)
def test_what_cannot_be_is_refused_by_the_name_of_its_option(typed, capsys):
    for verb in (["run", "E1"], ["plan", "E9"], ["table", "--world", "library", "--arms", "none,bank"]):
        assert main([*verb, *typed.split()]) == 1
        said = capsys.readouterr().err
        assert WRONG[typed] in said and typed.split()[0] in said and len(said.splitlines()) == 1

def test_what_can_be_is_passed_on_as_it_was_typed(capsys, monkeypatch):
    heard = []
    monkeypatch.setattr("rbkit.reports.cli._execute", lambda jobs: heard.extend(jobs) or 0)
    assert main(["run", "E1", "--temperature", "1", "--prices", "a/*=0 0; b=1 2 .5", "--max-usd", "2", "--max-calls", "0"]) == 0
    assert heard[0][1] == dict(temperature="1", prices="a/*=0 0; b=1 2 .5", max_usd=2.0, max_calls=0)

def test_doctor_says_that_the_prices_are_wrong_before_it_asks(server, capsys):
    assert main(["doctor", "--lm", LM, "--prices", "nonsense"]) == 1
    said = capsys.readouterr().out
    assert "prices cannot be read" in said and "does not answer" not in said and not server.heard

@pytest.mark.parametrize("exp", ["E9", "E10", "E11", "E12"])
def test_help_says_how_many_streams_and_that_none_comes_first(exp, capsys):
    with pytest.raises(SystemExit): main(["run", exp, "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "2 or more" in said and ("first has to be none" in said) == (exp == "E9")
