"How many steps a regular expression takes, counted by trying it by hand: the same on every machine"
import re
from re import _compiler, _constants as op, _parser

REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}

CALLS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "split")

class Functions:
    "Stands in a module for `re`"
    def __init__(self, taken): self.taken = taken
    def __getattr__(self, name):
        def call(pattern, *args, flags=0, **more):
            if isinstance(args[-1], re.RegexFlag): *args, flags = args
            return getattr(Steps(re.compile(pattern, flags), self.taken), name)(*args, **more)
        return call if name in CALLS else getattr(re, name)

class Steps:
    "Stands in a module for a pattern: does the same, and adds to a list of one number what it takes"
    def __init__(self, pattern, taken): self.pattern, self.taken, self.parts = pattern, taken, {}
    def __getattr__(self, name):
        def call(*args, **more):
            self.count(args[1 if name == "sub" else 0], name)
            return getattr(self.pattern, name)(*args, **more)
        return call if name in CALLS else getattr(self.pattern, name)

    def count(self, text, name):
        "Try the pattern at each place, as the engine does; at the beginning alone where it has to match there"
        tree = _parser.parse(self.pattern.pattern, self.pattern.flags & ~re.UNICODE)
        at = 0
        while at <= len(text):
            end = next(self.ways(list(tree), text, at), None)
            if name in ("match", "fullmatch") or name == "search" and end is not None: return
            at = max(end or 0, at+1)

    def ways(self, items, text, at):
        "Where a match of these may end, in the order in which the engine tries"
        if not items: yield at; return
        (kind, arg), rest = items[0], items[1:]
        if kind is op.SUBPATTERN: firsts = self.ways(list(arg[-1]), text, at)
        elif kind is op.BRANCH: firsts = (end for branch in arg[1] for end in self.ways(list(branch), text, at))
        elif kind in REPEATS: firsts = self.repeats(kind, *arg, text, at)
        else: firsts = self.one(items[0], text, at)
        for end in firsts: yield from self.ways(rest, text, end)

    def one(self, item, text, at):
        "A character, or a look around"
        self.taken[0] += 1
        if repr(item) not in self.parts:
            tree = _parser.parse("", self.pattern.flags & ~re.UNICODE)
            tree.data.append(item)
            self.parts[repr(item)] = _compiler.compile(tree, self.pattern.flags)
        if found := self.parts[repr(item)].match(text, at): yield found.end()

    def repeats(self, kind, least, most, what, text, at):
        "Every number of times, the most first, or the fewest, or the most alone; each time in the first way that fits"
        ends = [at]
        if kind is op.MIN_REPEAT and not least: yield at
        while len(ends) <= most and (end := next(self.ways(list(what), text, ends[-1]), None)) not in (None, ends[-1]):
            ends.append(end)
            if kind is op.MIN_REPEAT and len(ends) > least: yield end
        if kind is not op.MIN_REPEAT: yield from ends[:least-1 if least else None:-1][:1 if kind is op.POSSESSIVE_REPEAT else None]

def steps(module, monkeypatch, run):
    "What the regular expressions of a module take while something runs"
    taken = [0]
    with monkeypatch.context() as m:
        for name, value in list(vars(module).items()):
            if isinstance(value, re.Pattern): m.setattr(module, name, Steps(value, taken))
        m.setattr(module, "re", Functions(taken))
        run()
    return taken[0]
