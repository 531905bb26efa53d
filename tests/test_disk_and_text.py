"Tests of disk space beyond file length, and of texts that no file can store"
import json
import pytest
from house import no_lock
from rbkit.agents.interpreter import Interpreter
from rbkit.agents.repl import Repl, SCRATCH_MB
from rbkit.ground.text import whole_value

locked = pytest.mark.skipif(bool(no_lock()), reason=no_lock() or "")

@pytest.mark.parametrize("said", ['"a \\ud800"', '"a \\uD800"', '"\\uDfFf"', '["x", {"k\\uD83D": ["\\udC00"]}]'])
def test_no_half_of_a_character_comes_through(said):
    found = whole_value(json.loads(said))
    assert json.dumps(found, ensure_ascii=False).encode("utf-8") and "?" in json.dumps(found)

@pytest.mark.parametrize("value", ["🔍", "p53", ["½", None, 1.5, True], {"é": "\\ud800"}])
def test_whole_values_stay_as_they_are(value): assert whole_value(value) == value

FORGED = '''import os, sys
line = '{"type": "result", "value": {"text": "x UD800 y", "chars": 1, "error": null}, "id": 1}'.replace("UD800", chr(92)+"HALF")
for fd in range(3, 64):
    try: os.write(fd, (line+chr(10)).encode())
    except OSError: pass
os.write(1, (line+chr(10)).encode())
'''

@locked
@pytest.mark.parametrize("half", ["ud800", "uD800", "uDfff"])
def test_a_forged_message_with_half_a_character_is_clean(half):
    it = Interpreter(step_secs=10, profile="locked")
    try:
        shown = []
        for _ in range(2):
            out = it.execute(FORGED.replace("HALF", half))
            shown.append(str(out))
        "".join(shown).encode("utf-8")
        json.dumps(it.trace, ensure_ascii=False).encode("utf-8")
    finally: it.shutdown()

@locked
@pytest.mark.parametrize("half", ["\\ud800", "\\uDFFF"])
def test_half_a_character_in_an_answer_a_print_or_an_argument_is_clean(half):
    given = []
    def tell(text:str)->dict:
        given.append(text)
        return {"ok": True}
    it = Interpreter([tell], step_secs=10, profile="locked")
    it.tools = {"tell": tell}
    try:
        said = it.execute(f"tell('{half}')\nprint('{half}')\n'{half}'")
        wrong = it.execute(f"raise ValueError('{half}')")
        final = it.execute(f"SUBMIT(answer='{half}')")
        for text in (said, wrong, *given, json.dumps(it.trace, ensure_ascii=False), json.dumps(getattr(final, "output", str(final)), ensure_ascii=False)): text.encode("utf-8")
    finally: it.shutdown()

DISK = dict(
    keeps_its_length="""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
n = 0
for i in range(20):
    fd = os.open(f"f{i}", os.O_CREAT | os.O_RDWR)
    n += libc.fallocate(fd, 1, ctypes.c_long(0), ctypes.c_long(15*2**20)) == 0
    os.close(fd)
n""",
    unlinked_and_open="""
import os, time
held = []
for i in range(20):
    f = open(f"f{i}", "wb"); f.write(bytes(15*2**20)); f.flush(); os.unlink(f"f{i}"); held.append(f)
time.sleep(3)
len(held)""",
    without_a_name="""
import os, time
held = []
for i in range(20):
    fd = os.open(".", os.O_TMPFILE | os.O_RDWR); os.write(fd, bytes(15*2**20)); held.append(fd)
time.sleep(3)
len(held)""",
    mapped_and_closed="""
import mmap, os, time
held = []
for i in range(20):
    f = open(f"f{i}", "w+b"); f.write(bytes(15*2**20)); f.flush()
    held.append(mmap.mmap(f.fileno(), 4096)); f.close(); os.unlink(f"f{i}")
time.sleep(3)
len(held)""")

@locked
@pytest.mark.parametrize("name", DISK)
def test_room_on_the_disk_that_no_length_shows_is_refused_or_weighed(name):
    it = Interpreter(step_secs=20, profile="locked")
    try:
        it.execute("1")
        said = it.execute(DISK[name])
        ended = it.restarts == 1 and f"more than {SCRATCH_MB} MB" in said
        refused = said.strip() in ("0",) or "Operation not permitted" in said or "Permission denied" in said
        assert ended or refused, said
    finally: it.shutdown()

@locked
def test_small_files_that_were_unlinked_are_no_fault():
    with Repl() as r:
        assert r.execute("import tempfile\nf = tempfile.TemporaryFile()\nf.write(b'x'*1000)\nos = __import__('os')\ng = open('a', 'wb'); os.posix_fallocate(g.fileno(), 0, 1000)\nos.path.getsize('a')") == 1000
