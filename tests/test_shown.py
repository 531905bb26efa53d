"What a model wrote is shown as it was written: no page and no terminal obeys it"
import contextlib, io, re
import pandas as pd
import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from rbkit.bank.bank import Bank
from rbkit.bank.health import Contradiction, health
from rbkit.bank.items import Item
from rbkit.context import Context, Layer
from rbkit.graphs.graph import load_graph
from rbkit.graphs.schema import schema_of
from rbkit.ground.text import in_markdown, visible
from rbkit.packers.fit import Packed
from rbkit.reports.cli import main
from rbkit.reports.terminal import show_table

EVIL = "look | <img src=x onerror=alert(1)><script>alert(2)</script> ![](http://e.example/i.png) [x](javascript:alert(3)) $\\href{javascript:alert(4)}{y}$ ``` \x1b[2J\x07\x9b1m \u202e\u200b\ud83d"
OBEYED = re.compile(r'<(?:img|script)\b|<a href="([^"]*)"(?![^>]*>\1</a>)') # an address that is shown as what it is may be a link
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

def item(**more): return Item(**{"title": EVIL.replace("\ud83d", ""), "description": "d", "content": EVIL.replace("\ud83d", ""), **more})

def changed():
    bank = Bank()
    [id] = bank.add(item(id="a"))
    bank.change(id, title=item().title+"!")
    return bank.diff(0), bank.diff(1)

def at_odds():
    with Bank() as bank:
        bank.add(item())
        found = health(bank)
    object.__setattr__(found, "contradictions", (Contradiction("a", EVIL, EVIL),))
    return found

def schema(tmp_path):
    (tmp_path/"g.ttl").write_text('@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . e:a a e:K . e:K rdfs:label "<img src=x>|[x](javascript:alert(1))" .')
    with load_graph(tmp_path/"g.ttl", isolate=False) as g: return schema_of(g)

def test_a_notebook_obeys_nothing_in_what_was_written(tmp_path):
    came, edited = changed()
    packed = Packed(f"a\n```\n{EVIL}\n````\n{EVIL}", 10, 0, 1)
    shown = [item(), came, edited, at_odds(), schema(tmp_path), packed]
    assert OBEYED.search(markdown2html_mistune(EVIL)), "the control: unescaped, all of it is obeyed"
    for each in shown:
        text = each._repr_markdown_()
        assert not STEERS.search(text) and not STEERS.search(repr(each)), type(each)
        assert not OBEYED.search(markdown2html_mistune(text)), (type(each), text)

@pytest.mark.parametrize("text", [EVIL, "\\[a](javascript:x)", "\\\\[a](x)", "`", "a|b", "&lt;b&gt;", "$x$", "x"*500])
def test_what_is_shown_reads_as_it_was_written(text):
    "What a reader sees is the text itself, control signs written out"
    html = markdown2html_mistune(f"{in_markdown(text)}")
    import html as h
    assert h.unescape(re.sub("<.*?>", "", html)).strip() == " ".join(visible(text).splitlines()).strip()

def test_a_terminal_obeys_nothing(monkeypatch, capsys):
    for tty in (False, True):
        out = io.StringIO(); out.isatty = lambda: tty
        with contextlib.redirect_stdout(out): show_table(pd.DataFrame(dict(said=[EVIL.replace("\ud83d", ""), "b"])))
        text = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()) if tty else out.getvalue() # colours are ours
        assert not STEERS.search(text) and "\\x1b" in text
    def fail(a): raise ValueError(EVIL)
    monkeypatch.setattr("rbkit.reports.cli._VERBS", dict.fromkeys(("list",), fail))
    assert main(["list"]) == 1
    said = capsys.readouterr().err
    assert not STEERS.search(said) and "\\x1b" in said
