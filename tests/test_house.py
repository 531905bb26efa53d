"The rules of the house: parts, plain code, public names, links"
import ast, json, re, statistics
from functools import cached_property
import pytest
from house import cells, modules, name_of, notebooks, root

DENSITY_MEDIAN = 11.0 # syntax nodes a code line, docstrings, comments and blank lines apart
DENSITY_MOST = 14.0
LINES_MOST = 450 # of a module
FUNCTION_MOST = 30 # code lines of a function
ROOMS_MOST = 17 # integrations stands by itself, so that whoever wants a memory for an agent finds it and needs no other room of the lab
FLOORS_MOST = 8
ARROWS_MOST = 60

shipped = [p for p in modules if p.name != "_modidx.py"]
chapters = [p for p in shipped if p.name != "__init__.py"]
every = dict(argvalues=chapters, ids=name_of)

# Plain code

class Source:
    "A module's text, its tree, and which of its lines are code"
    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(text)
        self.prose = set()
        for node in ast.walk(self.tree):
            self._without_docstring(node)
        self.tree.body = [n for n in self.tree.body if not self._lists_names(n)]
        lines = enumerate(text.splitlines(), 1)
        self.code = {i for i, l in lines if l.strip() and not l.strip().startswith("#") and i not in self.prose}
    def _without_docstring(self, node):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if not isinstance(node, kinds) or ast.get_docstring(node) is None: return
        said = node.body[0]
        self.prose.update(range(said.lineno, said.end_lineno+1))
        said.value = ast.Constant("")
    def _lists_names(self, node):
        listed = isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "__all__" for t in node.targets)
        if listed: self.prose.update(range(node.lineno, node.end_lineno+1))
        return listed
    @cached_property
    def nodes(self): return list(ast.walk(self.tree))
    @property
    def density(self): return len(self.nodes)/max(len(self.code), 1)
    @property
    def functions(self): return [n for n in self.nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    def lines_of(self, node): return len(self.code & set(range(node.lineno, node.end_lineno+1)))

class Read(dict):
    "Modules by path, each read when it is first asked for: of several processes that test, one asks"
    def __missing__(self, path): return self.setdefault(path, Source(path.read_text(encoding="utf-8")))

read = Read()

def named_lambdas(source):
    return [n.lineno for n in source.nodes if isinstance(n, (ast.Assign, ast.AnnAssign)) and isinstance(n.value, ast.Lambda)]

def paired_assignments(source):
    "Lines such as `a, b = 1, x`; `a, b = b, a` is a swap, and `low, high = interval` unpacks one thing"
    found = []
    for n in source.nodes:
        if not isinstance(n, ast.Assign) or not isinstance(n.value, ast.Tuple): continue
        targets = [t for t in n.targets if isinstance(t, ast.Tuple)]
        swaps = any({ast.unparse(x) for x in t.elts} == {ast.unparse(x) for x in n.value.elts} for t in targets)
        if targets and not swaps: found.append(n.lineno)
    return found

def long_functions(source):
    sizes = {f.name: source.lines_of(f) for f in source.functions}
    return {name: n for name, n in sizes.items() if n > FUNCTION_MOST}

def public_functions(source):
    "Public functions and methods of a module"
    for node in source.tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
        yield from (f for f in inside if isinstance(f, ast.FunctionDef) and not f.name.startswith("_"))

def annotations_of(f):
    args = [a for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs) if a.arg not in ("self", "cls")]
    return {a.arg: a.annotation for a in args} | {"return": f.returns}

def unannotated(source):
    return [f"{f.name}({name})" for f in public_functions(source) for name, a in annotations_of(f).items() if a is None]

def bare_lists(source):
    return [f"{f.name}({name})" for f in public_functions(source) for name, a in annotations_of(f).items()
        if isinstance(a, ast.Name) and a.id == "list"]

def test_the_median_module_is_plain():
    found = statistics.median(read[p].density for p in chapters)
    assert found <= DENSITY_MEDIAN, f"{found:.1f} syntax nodes a code line in the median module"

@pytest.mark.parametrize("m", **every)
def test_a_module_is_plain(m):
    s = read[m]
    assert s.density <= DENSITY_MOST, f"{name_of(m)}: {s.density:.1f} syntax nodes a code line"
    assert len(s.text.splitlines()) <= LINES_MOST, f"{name_of(m)} has {len(s.text.splitlines())} lines; split it by idea"
    assert not named_lambdas(s), f"{name_of(m)} gives a lambda a name in lines {named_lambdas(s)}; write a def"
    assert not paired_assignments(s), f"{name_of(m)} assigns several things at once in lines {paired_assignments(s)}"
    assert not long_functions(s), f"{name_of(m)} has functions over {FUNCTION_MOST} lines: {long_functions(s)}"

@pytest.mark.parametrize("m", **every)
def test_public_functions_say_their_types(m):
    assert not unannotated(read[m]), f"{name_of(m)}: no annotation on {', '.join(unannotated(read[m])[:12])}"
    assert not bare_lists(read[m]), f"{name_of(m)}: a list of what? {', '.join(bare_lists(read[m])[:12])}"

@pytest.mark.parametrize("text, find", [
    ("f = lambda x: x", named_lambdas), ("a, b = 1, x", paired_assignments), ("def f(x): pass", unannotated),
    ("def f(x:list)->int: pass", bare_lists), ("def f():\n"+"    g()\n"*31, long_functions)])
def test_what_is_not_plain_is_found(text, find): assert find(Source(text))

@pytest.mark.parametrize("text, find", [
    ("a, b = b, a", paired_assignments), ("low, high = interval", paired_assignments), ("f(lambda x: x)", named_lambdas),
    ("def _f(x): pass", unannotated), ("def f(x:list[int])->int: pass", bare_lists), ("def f():\n    '''"+"word\n"*40+"'''\n    g()", long_functions)])
def test_what_is_plain_is_left_alone(text, find): assert not find(Source(text))

def test_density_counts_code_alone():
    plain = "def f(x):\n    return x\n"
    said = '"""A module"""\n# A comment\ndef f(x):\n    "What it does"\n    return x\n'
    assert abs(Source(plain).density-Source(said).density) <= 3

# Rooms

def room_of(p): return p.relative_to(root/"rbkit").parts[0].removesuffix(".py")

def imports_of(p):
    "Rooms of ours that a module imports"
    package = ["rbkit", *p.relative_to(root/"rbkit").parent.parts]
    for n in read[p].nodes:
        if isinstance(n, ast.Import): names = [a.name for a in n.names]
        elif not isinstance(n, ast.ImportFrom): continue
        else:
            base = ".".join([*package[:len(package)-n.level+1], *([n.module] if n.module else [])]) if n.level else n.module
            names = [base] if base != "rbkit" else [f"rbkit.{a.name}" for a in n.names]
        yield from (name.split(".")[1] for name in names if name.startswith("rbkit."))

def arrows():
    "Pairs of rooms of which one imports the other"
    rooms = {room_of(p) for p in chapters}
    return {(room_of(p), to) for p in chapters for to in imports_of(p) if to in rooms and to != room_of(p)}

def floors(found):
    "Each room's floor: one above the highest that it imports"
    level = {}
    def climb(room, above=()):
        assert room not in above, f"a circle of imports: {' -> '.join((*above, room))}"
        if room not in level: level[room] = 1+max((climb(to, (*above, room)) for a, to in found if a == room), default=0)
        return level[room]
    for p in chapters: climb(room_of(p))
    return level

def test_the_house_has_few_rooms():
    found = arrows()
    level = floors(found)
    assert len(level) <= ROOMS_MOST, f"{len(level)} rooms: {', '.join(sorted(level))}"
    assert max(level.values()) <= FLOORS_MOST, f"{max(level.values())} floors"
    assert len(found) <= ARROWS_MOST, f"{len(found)} arrows"

def test_nothing_private_crosses_a_module():
    found = []
    for p in chapters:
        for n in read[p].nodes:
            if isinstance(n, ast.ImportFrom) and n.level:
                found += [f"{name_of(p)}: {a.name}" for a in n.names if a.name.startswith("_")]
    assert not found, f"names with an underscore are imported: {', '.join(found)}"

def part_of(nb):
    m = re.match(r"(\d\d)_", nb.parent.name)
    return int(m[1]) if m else None

def test_a_part_imports_only_earlier_parts():
    home = {}
    for nb in notebooks:
        for kind, text, *_ in cells(nb):
            m = re.search(r"^#\|\s*default_exp\s+(\S+)", text, re.M) if kind == "code" else None
            if m: home[m[1]] = part_of(nb)
    late = []
    for p in chapters:
        mine = home[name_of(p).replace("/", ".")]
        for n in read[p].nodes:
            if mine is None or not isinstance(n, ast.ImportFrom) or not n.level: continue
            package = ["rbkit", *p.relative_to(root/"rbkit").parent.parts]
            base = ".".join([*package[:len(package)-n.level+1], *([n.module] if n.module else [])])[6:]
            late += [f"{name_of(p)} -> {base}" for _ in (1,) if home.get(base) is not None and home[base] > mine]
    assert not late, f"a part imports a later one: {', '.join(late)}"

# Names

ALLOWED_TWICE = {"dspy"}

def test_no_public_name_has_two_meanings():
    "One name, one thing: two modules do not define the same public name"
    homes = {}
    for p in chapters:
        for n in read[p].tree.body:
            if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_"):
                if any("patch" in ast.unparse(d) for d in n.decorator_list): continue
                homes.setdefault(n.name, set()).add(name_of(p))
    twice = {k: sorted(v) for k, v in homes.items() if len(v) > 1 and k not in ALLOWED_TWICE and not all(x.startswith("experiments/") for x in v)}
    assert not twice, f"defined in more than one place: {twice}"

# Links

LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")

def links(text):
    "Relative links of a page; what stands in code is not one"
    prose = re.sub(r"```.*?```|(?<!`)`[^`\n]+`(?!`)", "", text, flags=re.S)
    return [to for to in LINK.findall(prose) if not re.match(r"[a-z]+:", to)]

def broken(page, text): return [to for to in links(text) if not (page.parent/to).exists()]

def test_a_link_that_leads_nowhere_is_found():
    page = root/"README.md"
    text = "```sh\npip install -e '.[dev]'\n```\nSee [handles](01_handles.ipynb), [the file](settings.ini) and `[x](y.md)`.\n```python\na[0](b)\n```\n"
    assert links(text) == ["01_handles.ipynb", "settings.ini"] and broken(page, text) == ["01_handles.ipynb"]

@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "seeds/README.md", "results/README.md"])
def test_links_lead_somewhere(name):
    page = root/name
    found = broken(page, page.read_text(encoding="utf-8"))
    assert not found, f"{name} leads to {', '.join(found)}, which are not there"

@pytest.mark.parametrize("nb", notebooks, ids=name_of)
def test_links_of_a_chapter_lead_somewhere(nb):
    found = [to for kind, text, *_ in cells(nb) if kind == "markdown" for to in broken(nb, text)]
    assert not found, f"{nb.name} leads to {', '.join(found)}, which are not there"

# Outputs

@pytest.mark.parametrize("nb", [n for n in notebooks if part_of(n) is not None], ids=name_of)
def test_lessons_show_what_comes_out(nb):
    lessons = [outputs for kind, text, _, outputs in cells(nb) if kind == "code" and not re.match(r"#\|\s*(exports?|hide\b|default_exp)", text)]
    shown = sum(bool(o) for o in lessons)
    assert 2*shown >= len(lessons), f"{nb.name} shows {shown} outputs in {len(lessons)} lesson cells"

# The glossary

def public_classes():
    return {n.name for p in chapters for n in read[p].tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")}

def test_the_glossary_knows_every_class():
    page = root/"nbs/glossary.ipynb"
    text = json.dumps([outputs for *_, outputs in cells(page)])
    lacks = sorted(name for name in public_classes() if f"`{name}`" not in text)
    assert not lacks, f"the glossary lacks {', '.join(lacks)}; execute nbs/glossary.ipynb"

def test_the_picture_of_the_house_is_drawn_from_the_code():
    picture = (root/"nbs/house.svg").read_text(encoding="utf-8")
    drawn = re.search(r"<dc:description>(.*?)</dc:description>", picture, re.S)[1].replace("&gt;", ">").split()
    assert sorted(drawn) == sorted(f"{room}>{to}" for room, to in arrows()), "execute nbs/house.ipynb"
