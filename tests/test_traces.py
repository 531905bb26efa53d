"A trace holds what an attempt saw and did, whole, and is shown in a page and in a terminal"
import json, shutil
import pytest
from house import root
from rbkit.ground.ledger import Ledger, excerpt, tool
from rbkit.ground.text import read_lines
from rbkit.ground.traces import packed, unpacked
from rbkit.reports.cli import main
from rbkit.reports.trajectory import story, trajectory_of
from rbkit.reports.view import view_text, write_view
from rbkit.trials.runs import RunFolder

SHIPPED = root/"results/shipped/traces"
kinds = pytest.mark.parametrize("kind", ["graph", "stream", "world"])

@kinds
def test_a_shipped_run_of_each_kind_has_every_request_whole(kind):
    known = story(SHIPPED/kind)
    lines = read_lines(SHIPPED/kind/"trace.jsonl")
    hashes = [l["hash"] for l in lines if l["kind"] == "system"]
    assert len(hashes) == len(set(hashes)) and len(known.traces) >= len(known.rows)
    n = 0
    for row in known.rows:
        for turn in trajectory_of(known, row).turns:
            for r in turn["requests"]:
                n += 1
                assert len(r["system"])+len(r["user"]) == r["chars"] and len(r["reply"]) == r["reply_chars"] and r["model"].endswith("sim")
                assert r["tokens"] == r["tokens_in"]+r["tokens_out"] and r["usd"] == 0
    assert n > len(known.rows)

@kinds
def test_each_kind_is_shown_in_a_page_and_in_a_terminal(kind, tmp_path, capsys):
    folder = shutil.copytree(SHIPPED/kind, tmp_path/kind)
    page = write_view(folder).read_text(encoding="utf-8")
    assert "system text, " in page and "Step 1" in page and "new in this request" in page
    assert main(["view", str(folder), "--text", "--attempt", "2"]) == 0
    said = capsys.readouterr().out
    assert "# Attempt 2" in said and "## Step 1" in said and "new in this request" in said and "system text, " in said
    assert main(["view", str(folder), "--text", "--arm", "nobody"]) == 1 and "there are" in capsys.readouterr().err
    with pytest.raises(ValueError, match="say 1 to"): view_text(folder, 10_000)

def test_tool_calls_have_their_arguments_and_results():
    known = story(SHIPPED/"graph")
    calls = [l for lines in known.traces.values() for l in lines if l["kind"] == "tool"]
    assert calls and all(l["args"] and json.loads(l["result"]) for l in calls if "left out" not in l["args"]+l["result"])
    ledger = Ledger()
    def echo(text:str)->dict:
        "What was said"
        return dict(text=text)
    tool(echo, ledger=ledger, max_chars=50_000)("x"*9000)
    line = ledger.trace[0]
    assert len(line["args"]) < 2100 and "of 9,004 characters left out]" in line["args"] and "left out]" in line["result"] and line["chars"] > 9000
    assert excerpt("short") == "short"

def test_memory_judge_and_lessons_are_told():
    text = view_text(SHIPPED/"stream", arm="lessons")
    known = story(SHIPPED/"stream")
    lines = [l for ls in known.traces.values() for l in ls]
    found = {l["kind"] for l in lines}
    assert {"memory", "judge", "learning", "extract"} <= found and "judged by" in text and "confidence" in text
    shown = [l for l in lines if l["kind"] == "memory"]
    assert all({"id", "title"} <= set(x) for l in shown for x in l["shown"]) and any(l["credited"] for l in shown)
    two = [r for r in known.rows if r["rollouts"] == 2]
    t = trajectory_of(known, two[0])
    assert {turn["rollout"] for turn in t.turns} == {0, 1} and "# Rollout 2" in view_text(SHIPPED/"stream", arm=two[0]["arm"], task=two[0]["task"],
        phase="learn", stream=str(two[0]["stream"]))

def request(system, user, **more): return dict(kind="request", instructions=str(hash(system)), system=system, user=user, **more)

def test_texts_come_back_as_they_were_whatever_they_are():
    users = ["", "a", "ab", "ba", "aba", "aa", "a"*50+"\U0001f600x", "\U0001f600", "", "same", "same"]
    lines = [request("s"*(i % 3), u, n=i) for i, u in enumerate(users)]
    lines[3:3] = [dict(kind="step", code="1")]
    kept = list(packed(lines))
    assert list(unpacked(kept)) == lines and list(packed(kept)) == kept and sum(l["kind"] == "system" for l in kept) == 3
    assert "user" not in json.dumps(kept) and list(unpacked([dict(kind="request", reply="r", chars=3)])) == [dict(kind="request", reply="r", chars=3)]

def test_a_folder_that_is_opened_again_knows_its_system_texts_and_no_keys(tmp_path, monkeypatch):
    monkeypatch.setenv("SOMEONES_KEY", "sk-very-secret-1")
    for i in range(2):
        RunFolder(tmp_path).add(dict(arm="a", task="t", repeat=i), [request("be brief", "my key is sk-very-secret-1")])
    text = (tmp_path/"trace.jsonl").read_text()
    assert text.count("be brief") == 1 and "very-secret" not in text and text.count("<SOMEONES_KEY>") == 2
