"What a person at a terminal sees, and what a pipe gets"
import fcntl, io, json, os, re, struct, subprocess, sys, termios
import pandas as pd
import pytest
from house import bins, clean_env, root, slow
from rbkit.ground.settings import setting_names
from rbkit.reports import terminal
from rbkit.reports.cli import main
from rbkit.reports.report import setting_notes, split_options
from rbkit.reports.terminal import progress, show_table
from rbkit.trials.runs import write_json

def in_terminal(width, *command):
    "Exit code, and the lines that a terminal of this width was sent, without colours"
    host, guest = os.openpty()
    fcntl.ioctl(guest, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    env = clean_env(TERM="xterm", COLUMNS="")
    process = subprocess.Popen(command, cwd=root, env=env, stdin=guest, stdout=guest, stderr=guest)
    os.close(guest)
    said = b""
    while True:
        try: part = os.read(host, 4096)
        except OSError: break
        if not part: break
        said += part
    os.close(host)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode())
    return process.wait(), text.replace("\r", "").splitlines()

STORED = "results/shipped/E06/sim-graphs-full-s0"
GAIN = re.search(r"correct [+](0[.][0-9]+)", json.loads((root/STORED/"run.json").read_text(encoding="utf-8"))["verdict"]["why"])[1]
WORDS = {"list": "consolidating 600-character held warnings", f"compare {STORED}": f"{GAIN} detectable",
    "plan E9 --n-tasks 3": "calls_at_most bad judge, lessons tried request_chars streams"}
WINDOWS = [slow("list", 60), ("list", 80), slow("list", 120), *[(f"compare {STORED}", w) for w in (60, 80)],
    slow("plan E9 --n-tasks 3", 60), ("plan E9 --n-tasks 3", 80), slow("plan E9 --n-tasks 3", 120)]

@pytest.mark.parametrize("verb, width", WINDOWS)
def test_a_table_fits_the_window(verb, width):
    "No line is wider than the window, no word is broken and no number cut; what there is no room for is named"
    code, lines = in_terminal(width, str(bins/"rbkit"), *verb.split())
    assert code == 0 and max(map(len, lines)) <= width
    assert all(word in "\n".join(lines) for word in WORDS[verb].split()) and "…" not in "".join(lines)
    assert any("A wider window shows more" in line for line in lines) == (width == 60 or verb == "list" or verb.startswith("plan") and width < 120) # a list of runs of two models has more columns than 120 hold, a plan of E9 than 80

def test_a_p_that_nobody_reads_takes_no_room(monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    show_table(pd.DataFrame(dict(arm=["a", "b"], p=[2.7e-8, .0021])))
    said = capsys.readouterr().out
    assert "<1e-6" in said and ".0021" in said and "2.7e-08" not in said

def test_a_run_shows_how_far_it_is(tmp_path):
    run = (str(bins/"rbkit"), "run", "E1", "--suite", "seeds/toy", "--n-tasks", "3", "--n-repeats", "4", "--out", str(tmp_path))
    code, lines = in_terminal(80, *run)
    assert code == 0 and any(re.search(r"E1 .*\d+/24", line) for line in lines), lines[-5:]
    assert any("E01: HELD" in line or "E01: UNDECIDED" in line for line in lines)

def test_who_reads_no_further_sees_no_error():
    line = f"{bins/'rbkit'} list | head -1"
    r = subprocess.run(["bash", "-c", line], cwd=root, env=clean_env(), capture_output=True, text=True)
    assert r.stdout == "E01 · A bare model\n" and r.stderr == ""

def test_a_pipe_gets_plain_text(capsys):
    show_table(pd.DataFrame([dict(a=1, b=None), dict(a=2, b="x"*200)]), "Title")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Title" and len(lines) == 4 and lines[3].endswith("x"*200)

def test_a_number_that_is_cut_looks_cut():
    "0.68 must not become 0.6 in a window that is far too narrow"
    from rich.console import Console
    table = terminal._rich_table(pd.DataFrame({f"figure {i}": [.681+i, .682+i] for i in range(9)}), "", (), 40)
    shown = io.StringIO()
    Console(width=40, file=shown).print(table)
    assert "0.6 " not in shown.getvalue() and "…" in shown.getvalue()

def test_nothing_is_drawn_where_nobody_watches(tmp_path, capsys):
    with progress({"E1": tmp_path}): print("working")
    said = capsys.readouterr()
    assert said.out == "working\n" and said.err == ""

def test_rows_of_before_do_not_count(tmp_path):
    (tmp_path/"rows.jsonl").write_text("{}\n"*5)
    write_json(tmp_path/"run.json", dict(updated="1", to_make=9))
    watched = terminal._Watched(tmp_path)
    assert watched.look() == (0, 0), "the manifest is that of an earlier invocation"
    write_json(tmp_path/"run.json", dict(updated="2", to_make=2))
    (tmp_path/"rows.jsonl").write_text("{}\n"*6)
    assert watched.look() == (1, 2)
    (tmp_path/"run.json").write_text("{")
    assert watched.look() == (0, 0)

def test_a_bar_tells_what_was_right_and_what_was_spent(tmp_path):
    path = tmp_path/"rows.jsonl"
    path.write_text('{"correct": 1, "usd": 9}\n') # of an earlier invocation
    tally = terminal.Tally(path)
    with path.open("a") as f:
        f.write('{"correct": 1, "tokens": 1500, "usd": 0.0}\n{"correct": 0, "tokens": 500, "learn_tokens": 1000, "usd": null}\n{"corr')
        f.flush()
        tally.read_on()
        assert str(tally) == "1 right, 3k tokens,", "the last line is not whole yet"
        f.write('ect": 1, "usd": 0.5, "learn_usd": 0.25}\n')
    tally.read_on()
    assert str(tally) == "2 right, 0.75 USD,"
    path.write_text('{"correct": 1}\n')
    tally.read_on()
    assert tally.right == 3, "a run that begins anew is read from its first line"

def test_help_says_of_each_setting_what_it_is():
    notes = setting_notes()
    assert set(notes) >= set(setting_names()) and len({notes[name] for name in setting_names()}) == len(setting_names())

def test_an_option_of_another_verb_is_pointed_to(capsys):
    assert main(["run", "E10", "--arms", "none,bank"]) == 1
    error = capsys.readouterr().err
    assert "rbkit table" in error and "name some for E9 alone" in error and len(error.splitlines()) == 1

def test_e9_with_arms_that_are_named_is_the_table_of_them(monkeypatch):
    made = []
    monkeypatch.setattr("rbkit.reports.table.table_from_options", lambda said: made.append(said))
    for typed in (["run", "E9"], ["run", "E09"], ["table"]):
        assert main([*typed, "--world", "math500,gsm8k", "--arms=none,bank,matts3", "--temperature", ".7", "--max-usd", "5"]) == 0
    assert made[0] == made[1] == made[2] and made[0]["world"] == "math500,gsm8k" and made[0]["arms"] == "none,bank,matts3"

def test_a_shipped_suite_goes_by_its_name():
    for exp in ("E6", "E9"): assert split_options(exp, dict(suite="firm"))[0] == dict(suite="seeds/firm")
    assert split_options("E6", dict(suite="mine/firm"))[0] == dict(suite="mine/firm")
