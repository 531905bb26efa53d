"What a real model said is kept: the stored figures are of the plan, and a recording lies beside them"
import json, re
import pytest
from house import manifest, only, rbkit, root, rows

live = root/"results/shipped/live"
run = live/"E06/openai-unnamed-llm-firm-full-s0"
SAME = ("arm", "task", "outcome", "correct", "calls", "iterations", "request_chars", "sparql", "answer")

def facts(folder): return sorted(json.dumps([r[k] for k in SAME]) for r in rows(folder))

def test_every_reading_of_the_judge_is_there():
    cases = json.loads((live/"judge.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) == 96 and len({(c["suite"], c["task"], c["right"]) for c in cases}) == 96 and all(c["reply"] for c in cases)
    assert sum(c["right"] for c in cases) == 48

def test_every_episode_of_the_plan_is_there():
    m = manifest(run)
    assert m["status"] == "success" and m["rows"] == m["expected_rows"] == 36 and m["settings"]["n_tasks"] == 12

MISS = re.compile(r'recorded "(.*)", asked "(.*?)"\.', re.S)

@pytest.mark.slow
def test_the_recording_answers_until_python_orders_a_printed_set_otherwise(tmp_path):
    r = rbkit("run", "E6", "--suite", "seeds/firm", "--n-tasks", 12, "--lm", "openai/unnamed-llm", "--interpreter", "locked",
        "--replay", run/"recording.jsonl", "--out", tmp_path)
    if r.returncode == 0: assert facts(only(tmp_path, "E06")) == facts(run)
    else:
        recorded, asked = MISS.search(r.stdout+r.stderr).groups()
        assert recorded != asked and sorted(recorded) == sorted(asked) and "{'" in asked, "requests have changed since they were recorded"
