"Import direction, annotations, links, glossary"
import ast, json, re
from functools import cached_property
import pytest
from house import cells, modules, name_of, notebooks, root

shipped = [p for p in modules if p.name != "_modidx.py"]
chapters = [p for p in shipped if p.name != "__init__.py"]
every = dict(argvalues=chapters, ids=name_of)

class Source:
    "A module's text and tree"
    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(text)
    @cached_property
    def nodes(self): return list(ast.walk(self.tree))

class Read(dict):
    "Modules by path, each read when it is first asked for: of several processes that test, one asks"
    def __missing__(self, path): return self.setdefault(path, Source(path.read_text(encoding="utf-8")))

read = Read()

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

@pytest.mark.parametrize("m", **every)
def test_public_functions_say_their_types(m):
    assert not unannotated(read[m]), f"{name_of(m)}: no annotation on {', '.join(unannotated(read[m])[:12])}"
    assert not bare_lists(read[m]), f"{name_of(m)}: a list of what? {', '.join(bare_lists(read[m])[:12])}"

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
