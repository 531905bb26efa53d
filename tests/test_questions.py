"Answers are read and compared as meant, questions come from files, families and seeds, and what is private stays so"
import html, json, re, shutil, time, unicodedata
from collections import Counter, defaultdict, namedtuple
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
import pytest
from hypothesis import given, settings, strategies as st
from rbkit.ground.reply_text import last_boxed
from rbkit.worlds.answers import LETTERS, extract_answer, normalize_answer, parse_number
from rbkit.worlds.comparison import CHECKER, NO_MATH_VERIFY, Checker, check_reply, compare_answers
from rbkit.worlds.interface import WorldTask, check_env, gold, make_env, nonsense
from rbkit.worlds.question_families import FAMILIES, make_questions
from rbkit.worlds.question_files import BENCHMARKS, Question, read_questions, read_row
from rbkit.worlds.questions import Questions
from rbkit.worlds.redaction import RUN_WORDS, leaks, placeholder, redact
from house import data, root, sh
from steps import steps

bench = data/"single_turn_bench"
local = pytest.mark.skipif(not bench.is_dir(), reason="needs data/single_turn_bench beside the checkout")
algebra = pytest.mark.skipif(not import_module("importlib.util").find_spec("math_verify"), reason="needs pip install 'rbkit[math]'")

# Reading

READ = [(r"\boxed{12}", "12"), (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"), (r"so \boxed{\left\{\frac{1}{\sqrt{2}}, 3\right\}}.", r"\left\{\frac{1}{\sqrt{2}}, 3\right\}"),
    (r"\boxed{1} no, \boxed{2}", "2"), (r"\boxed{\boxed{7}}", "7"), (r"\boxed{5} and then \boxed{", "5"), (r"the form \boxed{}: 3", "3"), (r"\fbox{9}", "9"), (r"\boxed 4", "4"),
    (r"\boxed{\{1,2\}}", r"\{1,2\}"), (r"$\boxed{x^{2^{3}}+1}$", "x^{2^{3}}+1"), (r"\boxed{a \\ b}", r"a \\ b"), (r"\boxed {3}", "3"),
    ("work\n#### 1,234", "1,234"), ("#### 3\nno\n#### -4", "-4"), ("#### 42\n\nI hope that helps.", "42"), ("#### x=5\nDone.", "x=5"),
    ("#### Step 1: add\n3 + 4 = 7.\nThe answer is 7.", "7"), ("#### 1. Setup\nTwo and two make 4.", "4"), ("#### Final Answer\n42", "42"), ("#### Solution\nIt is 9 in all.", "9"),
    ("She has $20 and spends $3, so $20 - $3 = $17 is left.", "$17"), ("So the profit is $200,000 - $130,000 = **$70,000**.", "$70,000"), ("The answer is approximately 3.14.", "3.14"),
    ("The correct answer is therefore 12.", "12"), ("Thinking.\n<answer>\n42\n</answer>", "42"), ("The answer is 42.", "42"), ("**Answer:** 42", "42"), ("Final answer: **3/4**", "3/4"),
    ("answer = $\\frac{3}{4}$ since", "\\frac{3}{4}"), ("The answer is not 12. The answer is 13.", "13"), ("Answer:\n12", "12"), ("the answer is \\(x+1\\), I think", "x+1"),
    ("12", "12"), ("(2, 4)", "(2, 4)"), ("x = 5", "x = 5"), ("$\\pi$", "$\\pi$"), ("Half of them: $\\frac12$ of 8", "\\frac12"), ("we get 3, then 1,250 apples", "1,250"),
    ("it fell by -3", "-3"), ("from 10-12 o'clock", "12"), ("he has 3/4 of it left", "3/4"), ("0.5 of the pie", "0.5"), ("It costs $18.50 now", "$18.50"),
    ("He pays $5 for tea and $3 for cake, so 8 in all.", "8"), ("The answer is $18, not $20.", "$18"),
    ("nothing at all is known", ""), ("", ""), ("\\boxed{", ""), ("answer is", "")]

@pytest.mark.parametrize("reply, said", READ, ids=range(len(READ)))
def test_an_answer_is_read(reply, said): assert extract_answer(reply) == said

CHOSEN = [("The answer is (C).", 4, "C"), ("C", 3, "C"), ("c", 3, "C"), ("(c)", 3, "C"), ("**B**", 2, "B"), ("\\boxed{\\text{(D)}}", 4, "D"), ("\\boxed{D. all of it}", 4, "D"),
    ("E", 4, ""), ("E", 5, "E"), ("The answer is J", 10, "J"), ("The answer is J", 9, ""), ("The answer is C", 2, ""), ("A or B", 4, ""), ("The answer is A or B.", 4, ""), ("Answer: B and C", 4, ""),
    ("The answer is a mixture of salts.", 4, ""), ("The answer is a mixture, so (B).", 4, "B"), ("I think it is clear", 10, ""), ("I", 10, "I"), ("The answer is I", 10, "I"), ("A", 2, "A"),
    ("The correct option is C.\n\nOption A is wrong because it ignores drag.\nOption B is wrong because of sign.\nOption D is incorrect.", 4, "C"),
    ("C is the correct choice. Option B is incorrect.", 4, "C"), ("(A) is wrong. (B) is wrong. (C) is right.", 4, "C"), ("A is correct.", 4, "A"), ("So far.\n<answer>C</answer>", 4, "C"),
    ("Option C is right", 4, "C"), ("Answer: option (b)", 4, "B"), ("Not (A), rather (B)", 4, "B"), ("B) the second\nbecause it is", 4, "B"), ("It must be C", 4, "C"), ("the correct answer is **F**", 6, "F"),
    ("Answer: A. Wait. Answer: B.", 4, "B"), ("Answer: A because B is wrong", 4, "A"), ("the answer is A", 2, "A"), ("Z", 10, ""), ("", 4, ""), ("Answer: Green.", ["red", "green"], "B"), ("green", ["red", "green"], "B"),
    ("\\boxed{1/2}", ["1/3", "1/2"], "B"), ("Answer: A decrease. It is so", ["An increase", "A decrease. It is so"], "B"), ("Answer: 5", ["7", "5", "9"], "B"),
    *((t, 4, "") for t in (r"\boxed{A,B,C,D}", r"\boxed{A, B}", "The answer is A, C.", "The answer is (a) or (b).", "The answer is either A or B.", "It is A or B.", "Either (A) or (B).",
        "Answer: A+B", "The answer isn't B", "I would say it is not B", "The answer cannot be C")),
    ("The answer is C, not A.", 4, "C"), ("It is not (A) but (C).", 4, "C"), ("A seems right. I choose (D).", 4, "D"), ("The answer is (C), as B is too small.", 4, "C")]

@pytest.mark.parametrize("reply, options, letter", CHOSEN, ids=range(len(CHOSEN)))
def test_a_letter_is_read(reply, options, letter): assert extract_answer(reply, "choice", options) == letter

@pytest.mark.parametrize("n", range(2, 11))
def test_only_the_letters_that_exist(n):
    for i, l in enumerate(LETTERS): assert extract_answer(f"The answer is ({l}).", "choice", n) == (l if i < n else "")

# Comparing

EQUAL = [(r"\frac{1}{2}", "0.5"), (r"\frac12", "1/2"), (r"\dfrac{3}{4}", r"\tfrac34"), (r"\frac{270}7\text{ degrees}", "270/7"), ("33", "033"), ("33", "33.0"), ("1000", "1e3"), ("10,\\!080", "10080"),
    ("11,\\! 111,\\! 111,\\! 100", "11,111,111,100"), ("1,000", "1000"), ("1{,}000", "1000"), (r"90^\circ", "90"), (r"120^{\circ}", "120°"), (r"\$18.90", "18.9"), (r"\$32,\!348", "32348"),
    (r"15\mbox{ cm}^2", "15"), (r"864 \mbox{ inches}^2", "864 inches^2"), ("5", r"5\text{ meters}"), ("12", "12 apples"), (r"50\%", "0.5"), (r"50\%", "50"), ("-125", "−125"), (r"-\frac{35}{9}", r"\frac{-35}{9}"),
    (r"\frac{5}{2}", "2 1/2"), (r"2\frac{1}{2}", "2.5"), ("x=5", "5"), ("y = 2x + 3", "2x+3"), (r"\text{Evelyn}", "evelyn"), (r"(-\infty,2]", r"\left(-\infty, 2\right]"), (r"(2,12) \cup (12,102)", r"(12,102) \cup (2,12)"),
    (r"\left( 3, \frac{\pi}{2} \right)", r"(3, \pi/2)"), ("(1,2)", r"\left(1, \frac{4}{2}\right)"), (r"\{1,2\}", r"\{2,1\}"), ("1,-2", "-2,1"), (r"1 \pm \sqrt{19}", r"1-\sqrt{19}, 1+\sqrt{19}"),
    (r"11\sqrt2", r"11\sqrt{2}"), (r"\frac{\sqrt2}{2}", r"\frac{1}{\sqrt{2}}"), (r"\sqrt{51}", r"51^{1/2}"), ("(a+5)(b+2)", "ab+2a+5b+10"), ("6-5i", "-5i+6"), (r"288 \pi", r"288\pi"), (r"18+2\pi", r"2(9+\pi)"),
    (r"\begin{pmatrix} 1/5 \\ -18/5 \end{pmatrix}", r"\begin{pmatrix} 0.2 \\ -3.6 \end{pmatrix}"), (r"\begin{pmatrix} -1 & 0 \\ 0 & -1 \end{pmatrix}", r"\begin{bmatrix} -1 & 0 \\ 0 & -1 \end{bmatrix}"),
    ("4343_6", "4343_{6}"), (r"\infty", r"\infty"), ("2k+2", "2(k+1)"), (".0000672", "6.72e-5"), (r"\cot x", r"\frac{1}{\tan x}"), ("0", "-0"), ("5000000", "5 million"), ("36", "3 dozen eggs"), ("2500", "2.5 thousand")]
OTHER = [(r"\frac{1}{2}", "0.51"), (r"\frac{1}{2}", r"\frac{2}{1}"), ("12", "-12"), ("12", "21"), ("12", "1.2"), ("(1,2)", "(2,1)"), ("(1,2)", "[1,2]"), (r"(5,\infty)", r"[5,\infty)"), ("40_9", "40_8"),
    ("3x", "3"), (r"2\pi", "2"), ("3", r"\sqrt{3}"), ("6-5i", "6+5i"), (r"\{1,2\}", r"\{1,3\}"), (r"\{1,2\}", r"\{1,2,3\}"), ("1,-2", "1,2"), (r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", r"\begin{pmatrix} 2 \\ 1 \end{pmatrix}"),
    (r"90^\circ", "91"), (r"50\%", "5"), (r"\text{Evelyn}", "Carla"), ("x^2", "x^3"), ("1000", "1e4"), ("0", "no idea"), (r"\pi", "3.14"), ("(1,2)", "12"), ("1/3", "0.33"), ("12", "12 or 13"), ("7", "1/0"),
    ("5", "5 million"), ("5", "5 thousand"), ("7", "7 dozen"), ("1", r"1 \text{ billion}"), ("3", "3 over four"), ("12", "12 minus three"), ("12", "12 not")]

@pytest.fixture(scope="module", autouse=True)
def no_process_is_left():
    yield
    CHECKER.close()

@algebra
@pytest.mark.parametrize("gold, said", EQUAL, ids=range(len(EQUAL)))
def test_the_same_is_the_same(gold, said):
    v = compare_answers(gold, said)
    assert v.correct and v.reason == "" and compare_answers(gold, gold).correct and check_reply(gold, f"So it is \\boxed{{{said}}}.").correct

@algebra
@pytest.mark.parametrize("gold, said", OTHER, ids=range(len(OTHER)))
def test_another_is_another(gold, said):
    v = compare_answers(gold, said)
    assert not v.correct and v.reason and not compare_answers(said, gold).correct

def test_there_are_enough_pairs(): assert len(EQUAL) >= 45 and len(EQUAL)+len(OTHER) >= 75 and len(READ)+len(CHOSEN) >= 60

@pytest.mark.parametrize("how, gold, said, right", [("exact", "Evelyn", r"\text{evelyn}", True), ("exact", "1/2", "0.5", False), ("number", "1/2", "0.5", True), ("number", "18", "$18.00", True), ("number", "18", "eighteen", True),
    ("regex", r"(the )?blue whale", "Blue Whale", True), ("regex", r"\d+", "12 whales", False), ("regex", r"(a+)+b", "a"*500, False), ("choice", "C", "c", True), ("choice", "C", "D", False), ("math", "2", "", False), ("math", "2", "1"*1001, False)])
def test_other_ways_to_compare(how, gold, said, right): assert compare_answers(gold, said, how).correct is right

@pytest.mark.parametrize("gold, reply, right", [("10", r"\boxed{10^3}", False), ("12", "The answer is 12 or 13.", False), ("2", "The answer is negative 2.", False), ("-2", "The answer is -2.", True),
    ("12", "The answer is 12 apples (since 3 x 4).", True), ("200", "The answer is 2 hundred thousand.", False), ("2", "The answer is 2 hundred.", False), ("42", "It is 42.", True), ("7", "The answer is 7, which is prime.", True)])
def test_a_number_that_something_alters_is_another_one(gold, reply, right): assert check_reply(gold, reply, "number").correct is right

def test_an_unknown_way_is_refused():
    with pytest.raises(ValueError, match="No comparison 'fuzzy'; there are math"): compare_answers("1", "1", "fuzzy")

def test_numbers_that_nobody_should_write_out():
    t = time.perf_counter()
    for s in ("1e999999999", "9"*5000, "1/"+"0"*50, "-"*900, "\\frac{1}{0}", "1/0", "٣", "½"): parse_number(s); normalize_answer(s); extract_answer(s)
    assert time.perf_counter()-t < 1 and parse_number("1e999999999") is None and parse_number("1/0") is None

def test_no_false_matches_on_random_pairs():
    made = [Fraction(a, b) for a in range(-9, 60, 4) for b in (1, 3, 7)]
    ways = [lambda f: f"\\frac{{{f.numerator}}}{{{f.denominator}}}", lambda f: f"{f.numerator}/{f.denominator}", str]
    for i, a in enumerate(made):
        for j in range(1, 9):
            b = made[(i+j*5) % len(made)]
            assert compare_answers(ways[i % 3](a), ways[j % 3](b), "number").correct == (a == b)

@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300) | st.text("\\boxed{}()ABCI $0123456789./,-answer is:\n#*", max_size=120))
def test_reading_never_raises(text):
    for how in ("math", "number", "exact"): assert isinstance(extract_answer(text, how), str)
    for n in (2, 4, 10): assert extract_answer(text, "choice", n) in ("", *LETTERS[:n])
    assert isinstance(normalize_answer(text), str) and isinstance(last_boxed(text), str)

def test_reading_is_quick_on_hostile_text():
    for text in ("\\boxed{"*600, "{"*4000, "answer is "*400, "$"*4000, "1,"*2000, "( "*2000, "a "*2000, "\\frac"*800, "#### "*800, "answer:"+" *"*2000, "-"*4000, "\\text{"*700):
        t = time.perf_counter()
        for how in ("math", "number", "choice"): extract_answer(text, how)
        normalize_answer(text[:1000]); parse_number(text[:1000])
        assert time.perf_counter()-t < 2, text[:20]

# The process

@algebra
def test_a_hang_is_cut_off_and_the_next_pair_is_not():
    c = Checker(secs=.5)
    try:
        assert c.ask("x+1", "1+x") == "same"
        t = time.perf_counter()
        assert c.ask("3", "2^{10^{10}}") == "cut off" and time.perf_counter()-t < 20
        assert c.ask("x+1", "1+x") == "same" and c.ask("x+1", "x+2") == "other" and c.ask("", "1") == "unread"
        c.process.kill(); c.process.wait()
        assert c.ask("x+1", "1+x") == "same", "a process that somebody killed is replaced"
    finally: c.close(); c.close()
    assert c.process is None

@algebra
def test_a_verdict_on_a_hang_says_so(monkeypatch):
    comparison = import_module("rbkit.worlds.comparison")
    monkeypatch.setattr(comparison, "CHECKER", Checker(secs=.3))
    comparison._remembered.cache_clear()
    try: assert compare_answers("3", "2^{10^{10}}").reason == "the check was cut off"
    finally: comparison.CHECKER.close(); comparison._remembered.cache_clear()

@algebra
def test_from_threads():
    pairs = EQUAL[-25:]+OTHER[-15:]
    import_module("rbkit.worlds.comparison")._remembered.cache_clear()
    with ThreadPoolExecutor(8) as pool: assert list(pool.map(lambda p: compare_answers(*p).correct, pairs)) == [True]*25+[False]*15

@algebra
def test_from_a_script_without_a_main_guard(tmp_path):
    (tmp_path/"s.py").write_text("from rbkit.worlds.comparison import compare_answers\nprint(compare_answers('(a+5)(b+2)', '(b+2)(a+5)').correct)\n")
    assert sh("python", tmp_path/"s.py", cwd=tmp_path, check=True).stdout.strip() == "True"

def test_a_process_that_does_not_start_is_no_verdict(monkeypatch):
    monkeypatch.setattr("sys.executable", shutil.which("false"))
    with pytest.raises(RuntimeError, match="did not start"): Checker().ask("1", "1")

def test_without_the_library_it_says_what_it_cannot_do(monkeypatch):
    monkeypatch.setattr(import_module("rbkit.worlds.comparison"), "find_spec", lambda name: None)
    assert compare_answers("1/2", "0.5").correct and compare_answers("(1,1/2)", "(1, 0.5)").correct and compare_answers("\\text{Evelyn}", "Evelyn").correct and not compare_answers("12", "13").correct
    assert compare_answers("(a+5)(b+2)", "(b+2)(a+5)").reason == NO_MATH_VERIFY and not compare_answers("(1,2)", "[1,2]").correct and not compare_answers("(1,2)", "(2,1)").correct

# The sets on disk

def replies(q):
    "Ways to give an answer"
    yield f"Long reasoning about 7 things. \\boxed{{{q.answer}}}"
    yield f"The answer is ({q.answer})." if q.options else f"All in all:\n#### {q.answer}"
    if q.solution: yield q.solution+(f"\n#### {q.answer}" if "boxed" not in q.solution else "")

def swapped(qs, i):
    "The answer of another question that is not the same"
    mine = (normalize_answer(qs[i].answer), parse_number(qs[i].answer))
    for j in range(i+1, i+len(qs)):
        a = qs[j % len(qs)].answer
        if qs[i].options and a not in LETTERS[:len(qs[i].options)]: continue
        if normalize_answer(a) != mine[0] and (mine[1] is None or parse_number(a) != mine[1]): return a

@local
@algebra
@pytest.mark.parametrize("source", BENCHMARKS[:4])
def test_gold_is_right_and_swapped_gold_is_wrong(source):
    qs = [q for _, q in Questions(source=bench/source)._all().values()]
    assert len(qs) >= 30 and len({q.id for q in qs}) == len(qs) and {q.split for q in qs} == {"train", "held_out"}
    for i, q in enumerate(qs):
        for r in replies(q): assert check_reply(q.answer, r, q.how, q.options or 10).correct, (q.id, r[-80:])
        assert not check_reply(q.answer, f"\\boxed{{{swapped(qs, i)}}}", q.how, q.options or 10).correct, (q.id, swapped(qs, i))

@local
def test_what_the_sets_hold(monkeypatch):
    monkeypatch.setenv("RBKIT_DATA_PATH", str(data))
    sets = {s: read_questions(s) for s in BENCHMARKS[:4]}
    assert [len(sets[s]) for s in BENCHMARKS[:4]] == [1819, 242, 30, 280]
    assert Counter(q.split for q in sets["gsm8k"]) == {"held_out": 1319, "train": 500} and {q.level for q in sets["math500"]} == {1, 2, 3, 4, 5}
    assert {len(q.options) for q in sets["mmlu_pro"]} == {2, 3, 4, 6, 7, 8, 9, 10} and not any("step by step" in q.question for q in sets["aime"])
    assert read_questions("math500") == sets["math500"], "the same files, the same split"
    env = Questions("mmlu_pro", n=20)
    assert len(env.tasks()) == 20 and len({t.kind for t in env.tasks()}) > 5 and env.tasks() == Questions("mmlu_pro", n=20).tasks()

# Formats

def write(folder, name, *rows):
    folder.mkdir(parents=True, exist_ok=True)
    (folder/name).write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows), encoding="utf-8")

GOOD = dict(question="Which?", options=["red", "green"], answer="B")

@pytest.mark.parametrize("row, why", [("{", "not JSON"), ("[1]", "JSON object"), ({"answer": "1"}, "no 'question'"), ({"question": "?", "answer": ""}, "no 'answer'"), ({"question": "?"}, "no 'answer'"),
    ({**GOOD, "options": ["red"]}, "1 options"), ({**GOOD, "options": list("abcdefghijk")}, "11 options"), ({**GOOD, "answer": "C"}, "none of its options"), ({**GOOD, "answer": "AB"}, "none of its options"),
    ({**GOOD, "options": 7}, "no list"), ({**GOOD, "options": "yes|no"}, "no list"), ({**GOOD, "options": {"A": "red", "B": "blue"}}, "no list"),
    ({**GOOD, "options": ["A", "C", "D"], "answer": "C"}, "letter of one option and the text of another"), ({"question": "Q", "Correct Answer": "x", **{f"Incorrect Answer {i}": None for i in (1, 2, 3)}}, "is empty"), ({"question": "Q\nA) x\nC) y", "answer": "A"}, "in order"), ({"question": "Q", "Correct Answer": "x"}, "no 'Incorrect Answer 1'"),
    ({**GOOD, "split": "night"}, "its 'split' is none of train, held_out"), ({**GOOD, "how": "guess"}, "its 'how' is none of math")])
def test_a_bad_line_is_named_and_not_quoted(tmp_path, row, why):
    write(tmp_path/"s", "mine.jsonl", {**GOOD, "question": "A secret of vaults?"}, "", row)
    with pytest.raises(ValueError, match=rf"s/mine.jsonl, line 3: .*{re.escape(why)}") as e: read_questions(str(tmp_path/"s"))
    assert "vault" not in str(e.value) and "red" not in str(e.value)

def test_a_file_that_cannot_be_read_is_named_and_not_quoted(tmp_path):
    (tmp_path/"latin.jsonl").write_bytes('{"question": "A secret café?", "answer": "1"}'.encode("latin-1"))
    with pytest.raises(ValueError, match="latin.jsonl: not UTF-8. See the chapter") as e: read_questions(str(tmp_path))
    assert "secret" not in repr(e.value)
    (tmp_path/"latin.jsonl").unlink()
    (tmp_path/"long.csv").write_text("question,answer\n"+"x"*140_000+",1\n")
    with pytest.raises(ValueError, match="long.csv: no CSV: field larger than"): read_questions(str(tmp_path))

def test_sides_have_other_names_elsewhere_and_an_id_is_a_text_of_its_own(tmp_path):
    row = lambda i, **more: {"id": i, "question": f"What is {i}?", "answer": str(i), **more}
    write(tmp_path, "mine.jsonl", row(1, split="test"), row(2, split="Train"), row(3, split="validation"), row(4, split="held_out"))
    assert [(q.id, q.split) for q in read_questions(str(tmp_path))] == [("1", "held_out"), ("2", "train"), ("3", "held_out"), ("4", "held_out")]
    write(tmp_path, "more.jsonl", row(1))
    with pytest.raises(ValueError, match="id '1' more than once; give each question its own"): read_questions(str(tmp_path))

@pytest.mark.parametrize("source", ["nowhere/at/all", "gpqa", ""])
def test_a_missing_folder_says_what_there_could_be(monkeypatch, tmp_path, source):
    monkeypatch.setenv("RBKIT_DATA_PATH", str(tmp_path))
    (tmp_path/"empty").mkdir()
    with pytest.raises(ValueError, match="questions"): read_questions(source or str(tmp_path/"empty"))

def test_options_of_every_shape():
    for row in (GOOD, {**GOOD, "answer": "green"}, dict(question="Which?\n(A) red\n(B) green", answer="B"), dict(problem="Which?\n\nA. red\nB. green", answer="B")):
        q = read_row(row, id="x")
        assert (q.question, q.options, q.answer, q.how) == ("Which?", ("red", "green"), "B", "choice")
    q = read_row({"Question": "Which?", "Correct Answer": "green ", "Incorrect Answer 1": "red", "Incorrect Answer 2": "blue", "Incorrect Answer 3": "grey"}, id="x")
    assert q.options[LETTERS.index(q.answer)] == "green" and len(q.options) == 4

def test_two_orders_of_one_item_stand_on_one_side(tmp_path):
    rows = [dict(question=f"Which of {i}?", options=["red", "green"], answer="A") for i in range(40)]
    write(tmp_path/"g", "a.jsonl", *rows); write(tmp_path/"g", "b.jsonl", *[{**r, "options": r["options"][::-1], "answer": "B"} for r in rows])
    qs = read_questions(str(tmp_path/"g"))
    sides = {}
    for q in qs: sides.setdefault(q.question, set()).add(q.split)
    assert len(qs) == 80 and all(len(s) == 1 for s in sides.values()) and 5 < sum(q.split == "held_out" for q in qs)/2 < 25

# Families and seeds

def by_hand(q):
    "The right and the naive answer, worked out another way than by formula"
    n = [int(x.replace(",", "")) for x in re.findall(r"\d[\d,]*", q.question)]
    if q.kind == "there and back": return Fraction(2*n[0]*n[1]*7)/(n[1]*7+n[0]*7), Fraction(n[0]+n[1], 2)
    if q.kind == "both ends count":
        gap, length = min(n), max(n)
        return len(range(0, length+1, gap)), len(range(0, length, gap))
    if q.kind == "one after the other":
        left = n[0]+Fraction(n[0]*n[1], 100)
        return left-left*n[2]/100, n[0]+Fraction(n[0]*(n[1]-n[2]), 100)
    if q.kind == "together": return 1/(Fraction(1, n[0])+Fraction(1, n[1])), Fraction(sum(n), 2)
    if q.kind == "scaling": return n[0]*n[0]*n[0], n[0]
    if q.kind == "weighted mean":
        all_ = [n[1]]*n[0]+[n[3]]*n[2]
        return Fraction(sum(all_), len(all_)), Fraction(n[1]+n[3], 2)
    if q.kind == "alarm": return round(Fraction(100*n[1])/(n[1]+Fraction(n[2]*(n[0]-n[1]), 100))), 100-n[2]
    return "Neither", "Yes"

def as_value(q, answer):
    text = q.options[LETTERS.index(answer)] if q.options else answer
    return text.split()[0].strip(",") if q.kind == "converse" else parse_number(text.removeprefix("about "))

def test_families_are_right():
    made = [*make_questions(320), *make_questions(80, rng_seed=5), *read_questions("seeds")]
    for q in made:
        right, naive = by_hand(q)
        assert as_value(q, q.answer) == right and as_value(q, q.tempting) == naive and right != naive, q
        assert len(set(q.options)) == len(q.options) and q.trick and q.kind in FAMILIES
        assert check_reply(q.answer, f"\\boxed{{{q.answer}}}", q.how, q.options or 10).correct and not check_reply(q.answer, f"\\boxed{{{q.tempting}}}", q.how, q.options or 10).correct
    assert len({q.question for q in make_questions(320)}) == 320 and len({q.id for q in made[:400]}) == 400
    assert {len(q.options) for q in made} == {0, 3, 4, 5, 6} and len(Counter(q.answer for q in made if q.options)) >= 5

def test_making_is_a_matter_of_the_number():
    assert make_questions(40, 3) == make_questions(40, 3) and make_questions(16, 3) == make_questions(40, 3)[:16] and make_questions(16, 3) != make_questions(16, 4)
    for kind in FAMILIES:
        qs = make_questions(12, kinds=[kind])
        story = lambda split: {re.sub(r"[\d,]+", "#", q.question) for q in qs if q.split == split}
        assert story("train") and story("held_out") and not story("train") & story("held_out"), "held-out questions tell another story"
    with pytest.raises(ValueError, match="There are no 500 different questions of scaling"): make_questions(500, kinds=["scaling"])

def test_what_is_shipped():
    qs = read_questions("seeds")
    assert Counter(q.how for q in qs) == {"math": 12, "choice": 8} and Counter(Counter(q.kind for q in qs).values()) == {3: 4, 2: 4}
    for kind in FAMILIES: assert {q.split for q in qs if q.kind == kind} == {"train", "held_out"}
    assert len({q.answer for q in qs if not q.options}) == 12, "an answer that is remembered helps with no other question"
    for f in (root/"seeds/questions").rglob("*.jsonl"): assert f.name == "tasks.jsonl"

# The world

def test_the_contract_of_a_world():
    assert check_env(Questions, Questions().tasks(), n_hostile=1000)["solved"] == 20
    assert check_env(lambda: Questions("made", n=24, max_steps=3), n_hostile=1000)["solved"] == 3
    assert make_env("questions", source="made", n=5).single

@local
@algebra
@pytest.mark.parametrize("source", BENCHMARKS[:4])
def test_the_contract_holds_for_files(source): check_env(lambda: Questions(bench/source, n=40), n_hostile=100)

def test_hostile_actions_on_each_shipped_item():
    env, left = Questions(max_steps=2), nonsense(1000, 5)
    ts = env.tasks()
    for i, a in enumerate(left):
        if not i % 2: env.reset(ts[i//2 % 20])
        _, _, done, info = env.step(a)
        assert "broken" not in info and done == bool(i % 2) or not info["invalid"]

def test_tries_and_long_replies():
    env = Questions("made", n=8, max_steps=2)
    env.reset("made-0-000")
    right = env.question_of().answer
    assert not env.step("Let me think")[2] and env.step(f"{'So we think. '*800}\\boxed{{{right}}}")[:3] == ("Answer recorded.", 1.0, True)
    assert not env.evaluate("-1").correct and env.evaluate(right).correct and env.evaluate().correct
    env.reset("made-0-000")
    assert env.step("no idea")[3]["invalid"] and env.step("\\boxed{-1}")[:3] == ("Answer recorded.", 0.0, True)
    env.reset("made-0-000")
    assert env.step("\\boxed{-1}")[2], "whoever is asked again after an answer knows that it was wrong"
    env.close()
    with pytest.raises(ValueError, match="call reset"): env.evaluate("1")
    with pytest.raises(ValueError, match="has no question"): env.reset(WorldTask("x", "?", "questions", variation="x"))

def test_another_comparison():
    with Questions("made", n=8, how="exact") as env:
        env.reset("made-0-003")
        assert env.evaluate(env.question_of().answer).correct and "/" in env.question_of().answer
        over, under = env.question_of().answer.split("/")
        assert not env.evaluate(f"\\boxed{{{2*int(over)}/{2*int(under)}}}").correct
    env = Questions()
    env.reset("scaling-1")
    assert env.evaluate(gold(env)[0]).correct

def test_the_agent_is_told_the_question_and_no_more():
    env = Questions()
    for t in env.tasks():
        seen, q = env.reset(t), env.question_of(t)
        assert seen.startswith(q.question) and all(o in seen for o in q.options) and q.trick not in seen and "tempting" not in seen+repr(t)

# What is private

SECRET = dict(id="s1", question='A cellar of nine vaults holds ninety-one casks, "so they say", and the café\'s keeper\nmoves one $\\nu$-cask a night under $\\theta$. When is it full? Nobody knows.',
    options=["Never at all", "In a fortnight from then on, or a day later", "42.7 keV", "x"], answer="B", private=True, solution="Count the casks that the seven keepers of the hill have moved by then.")
WORDS = re.findall(r"[^\W_]+", SECRET["question"])

@pytest.fixture
def private(tmp_path):
    write(tmp_path/"p", "mine.jsonl", SECRET)
    with Questions(str(tmp_path/"p")) as env: yield env

def planted(text):
    "Runs of eight words of the item that a text holds, however it is spaced"
    said = " ".join(re.findall(r"[^\W_]+", text.casefold()))
    return [g for i in range(len(WORDS)-RUN_WORDS+1) if (g := " ".join(WORDS[i:i+RUN_WORDS]).casefold()) in said]

@dataclass(frozen=True)
class Kept:
    title:str
    more:dict

def test_nothing_that_is_stored_shows_a_private_item(private, tmp_path, capsys):
    seen = private.reset()
    task, q = private.task, private.question_of()
    assert planted(seen), "the agent has to be asked"
    step = private.step("The casks: answer is (C).")
    run = dict(task=task, rows=[dict(prompt=seen, reply="I read: "+SECRET["question"].upper(), score=0.0, n=3)], gold=private.get_ground_truth(), step=step, verdict=private.evaluate("A"),
        memory=Kept("On "+SECRET["question"][:90], {"why": q.solution, SECRET["options"][0]: ("42.7  KeV",)}), json=json.dumps([seen, seen]), twice=json.dumps(json.dumps(dict(q=seen))),
        wrapped=re.sub(r"((?:\S+\s+){5})", r"\1\n> ", SECRET["question"]), cut=seen[9:120], lines=seen.split("\n"), quoted=f"*{'* *'.join(WORDS[3:20])}*", wide=seen.replace("a", "ａ"))
    hidden = redact(run, task, [q.solution])
    (tmp_path/"trace.jsonl").write_text(json.dumps(hidden, default=repr)); (tmp_path/"row.json").write_text(repr(hidden)); print(hidden, task, q, private, env_repr := repr(private.tasks()))
    stored = "".join(p.read_text() for p in tmp_path.glob("*.js*"))+capsys.readouterr().out
    assert len(planted(json.dumps(run, default=str))) > 10 and not planted(stored) and not planted(stored.replace("\\n", " ")) and not leaks(stored, q)
    for part in ("Never at all", "fortnight from", "42.7", "seven keepers", "Nobody knows"): assert part.casefold() not in stored.casefold(), part
    assert placeholder(q.text) in stored and isinstance(hidden["memory"], Kept) and hidden["rows"][0]["n"] == 3 and type(hidden["step"]) is tuple
    assert redact(hidden, task, [q.solution]) == hidden and "cellar" not in env_repr

def test_a_placeholder_is_stable_and_says_little(private):
    q = private.question_of(private.tasks()[0])
    assert re.fullmatch(r"\[private item [0-9a-f]{6}, [\d,]+ characters\]", placeholder(q.text)) and placeholder(q.text.upper().replace(" ", "  ")).split(",")[0] == placeholder(q.text).split(",")[0] != placeholder("another").split(",")[0]

def test_what_is_not_private_is_left_alone(private):
    q = read_row({**SECRET, "private": None}, id="x")
    record = {"a": [q.question]}
    assert redact(record, q) is record
    task = private.tasks()[0]
    innocent = {"id": task.id, "arm": "memory", "said": "We count x casks a night in 7 steps; the answer is B.", "ok": True, "none": None, "t": (1, 2.5)}
    assert redact(innocent, task) == innocent

@pytest.mark.parametrize("i", range(0, len(WORDS)-RUN_WORDS+1, 2))
def test_any_run_of_eight_words_is_found(private, i):
    task = private.tasks()[0]
    for said in (" ".join(WORDS[i:i+RUN_WORDS]), "-".join(WORDS[i:i+RUN_WORDS]).upper(), "xx "+",\n".join(WORDS[i:i+RUN_WORDS])+" yy"):
        assert leaks(said, task) and not planted(redact(said, task))

CAFE = SimpleNamespace(private=True, question="The café's naïve keeper's cask moved by Newton's rule, nine metres at 42.7 keV; so what is left?\nA) Newton's rule\nB) none of it")

@pytest.mark.parametrize("form", [lambda t: unicodedata.normalize("NFD", t), html.escape, lambda t: t.replace("keeper", "kee\u00adper").replace("rule", "ru\u200ble"), json.dumps, repr,
    lambda t: repr(t.replace(" ", "\u00a0")), lambda t: html.escape(json.dumps(t)), lambda t: t.encode("ascii", "xmlcharrefreplace").decode(), str.upper])
def test_a_private_text_is_hidden_however_it_is_written(form):
    said = redact(form(CAFE.question), CAFE)
    assert not re.search("keeper|cask|newton|metres|none of", said, re.I), said
    assert not re.search("newton", redact(form("By Newton's rule, then."), CAFE), re.I)

def test_a_private_text_is_hidden_in_whatever_holds_it():
    Pair, more = namedtuple("Pair", "a b"), defaultdict(list, x=[CAFE.question])
    for held in (Pair(CAFE.question, 1), more, CAFE.question.encode(), ValueError(CAFE.question), SimpleNamespace(x=CAFE.question), {CAFE.question}, {CAFE.question: 1}):
        assert "keeper" not in repr(redact(held, CAFE)) and "private item" in repr(redact(held, CAFE))
    plain = [1, 2.5, None, True, Path("a/b")]
    assert redact(plain, CAFE) == plain

def test_a_text_without_spaces_is_hidden():
    cask = SimpleNamespace(private=True, question="如果一个桶里有九十一个瓶子那么什么时候满")
    assert leaks("他说一个桶里有九十一个瓶子吧", cask) and not leaks("今天天气很好", cask)

@pytest.mark.parametrize("where", [lambda home: "gpqa", str, lambda home: home, lambda home: home.parent, lambda home: str(home.parent)])
def test_gpqa_is_private_wherever_it_is_opened_from(where, tmp_path, monkeypatch):
    home = tmp_path/"single_turn_bench"/"gpqa"
    write(home, "diamond.jsonl", {**{k: v for k, v in SECRET.items() if k != "id"}, "private": False})
    monkeypatch.setenv("RBKIT_DATA_PATH", str(tmp_path))
    env = Questions(where(home))
    assert all(t.private for t in env.tasks()) and "cellar" not in repr(env.tasks())

@algebra
def test_a_check_that_was_cut_off_by_chance_is_made_again(monkeypatch):
    comparison = import_module("rbkit.worlds.comparison")
    kept, said = comparison.CHECKER.ask, iter(["cut off"])
    monkeypatch.setattr(comparison.CHECKER, "ask", lambda *a: next(said, None) or kept(*a))
    comparison._remembered.cache_clear()
    assert not compare_answers("(a+5)(b+2)", "(b+2)(a+5)").correct and compare_answers("(a+5)(b+2)", "(b+2)(a+5)").correct

def test_gpqa_is_private_by_its_name(tmp_path, monkeypatch):
    write(tmp_path/"single_turn_bench"/"gpqa", "diamond.jsonl", {k: v for k, v in SECRET.items() if k not in ("private", "id")})
    monkeypatch.setenv("RBKIT_DATA_PATH", str(tmp_path))
    env = Questions("gpqa")
    env.reset()
    assert env.task.private and "cellar" not in repr([env.tasks(), env.question_of(), env, env.step("The answer is (A)"), env.evaluate("B")]) and check_env(lambda: Questions("gpqa"))["solved"] == 1

def test_open_tags_hold_nobody_up(monkeypatch):
    "Twice as many take twice as many steps, not four times; steps are counted, and the same on every machine"
    from rbkit.worlds import answers
    for how in ("math", "exact", "number"):
        some, more = (steps(answers, monkeypatch, lambda: answers.extract_answer("<answer>"*n, how)) for n in (100, 200))
        assert 100*8 <= some and more < 2.2*some, (how, some, more)
    assert answers.extract_answer("<answer>3</answer> or <Answer>4</ANSWER>") == "4"
