# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Iterable
from collections.abc import Iterator
from typing import NamedTuple
from dataclasses import dataclass
from dataclasses import field
from functools import lru_cache
import re
import threading
'A query is read before it is run'
__all__ = ['WELL_KNOWN', 'MAX_DEPTH', 'MAX_TOKENS', 'MAX_QUERY', 'MAX_STATEMENTS', 'QueryError', 'QueryRefused', 'QuerySyntax', 'QueryTimeout', 'QueryFailed', 'QueryUnavailable', 'Names', 'Guarded', 'guard']

class QueryError(ValueError):
    """A query without an answer; the message says what was given, what is allowed and what to do"""

class QueryRefused(QueryError):
    """The query asks for something that is not allowed"""

class QuerySyntax(QueryError):
    """The text is not SPARQL"""

class QueryTimeout(QueryError):
    """The query was stopped at its deadline"""

class QueryFailed(QueryError):
    """The engine gave up"""

class QueryUnavailable(QueryFailed):
    """A service is away or busy: the same query may have an answer later"""
WELL_KNOWN = dict(rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#', rdfs='http://www.w3.org/2000/01/rdf-schema#', owl='http://www.w3.org/2002/07/owl#', xsd='http://www.w3.org/2001/XMLSchema#')
_LETTER = 'A-Za-z0-9_\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF'
_SAFE = re.compile(f'[{_LETTER}][{_LETTER}\\-]*(?:\\.[{_LETTER}\\-]*[{_LETTER}])?')
_NOT_PLAIN = re.compile(f'"*(?:<[^<>"{{}}|^`\\\\\\x00-\\x20]*>|_:b\\d+|(?:[^\\W\\d_][\\w.\\-]*)?:{_SAFE.pattern})"*')

class Names:
    """The prefixes of a graph, and the way between IRIs and CURIEs"""

    def __init__(self, prefixes: dict[str, str]):
        missing = {p: space for p, space in WELL_KNOWN.items() if p not in prefixes}
        self.prefixes = {**prefixes, **missing}
        self.key = tuple(sorted(self.prefixes.items()))
        used = [(p, space) for p, space in self.prefixes.items() if space]
        self._longest_first = sorted(used, key=lambda pair: -len(pair[1]))
        self.short = {}

    def marked(self, text: str) -> str:
        """The text of a literal; in quotation marks where it could pass for the text of an IRI, a blank node or another mark"""

    def unmarked(self, text: str) -> str:
        """The text of a literal without the quotation marks of `marked`"""

    def curie(self, iri: str) -> str:
        """`prefix:local` if that reads back as `iri`, else `<iri>`"""

    def shorten(self, iri: str) -> str:
        """The text of an IRI, worked out and remembered"""

    def expand(self, name: str) -> str:
        """The full IRI of a CURIE, of `<iri>` or of an IRI; QueryRefused for an unknown prefix, and for what is no IRI"""

    def _whole(self, name: str) -> str:
        ...
_NO_IRI = re.compile('[<>"{}|^`\\\\\\x00-\\x20]')
_MOST_KNOWN = 20
_BLANK_NAME = '{} names a blank node of one result only. In a query it is a variable that matches everything. Reach the node by its properties, such as ?x ex:part ?b . ?b ex:name ?n.'

def _unknown_prefixes(unknown: Iterable[str], known: Iterable[str]) -> str:
    """That prefixes are unknown, and which are known"""
_TOKEN = re.compile('(?P<comment>\\#[^\\r\\n]*) | (?P<iri><[^<>"{}|^`\\\\\\x00-\\x20]*>) | (?P<quote>["\'])\n  | (?P<blank>_:[\\w.\\-]+) | (?P<name>(?:[^\\W\\d_][\\w.\\-]*+(?<!\\.))?:(?:[\\w:%.\\-]|\\\\.)*)\n  | (?P<parts>[^\\W\\d_][\\w.\\-]*) | (?P<var>[?$]\\w+) | (?P<word>@?[^\\W\\d]\\w*) | (?P<num>\\d+) | (?P<mark>\\S)', re.S | re.X)
_PARTS = re.compile('(?P<word>[^\\W\\d]\\w*)|(?P<num>\\d+)|(?P<mark>\\S)')
_TEXTS = {'"""': re.compile('"""(?:"{0,2}(?:[^"\\\\]|\\\\.))*+', re.S), "'''": re.compile("'''(?:'{0,2}(?:[^'\\\\]|\\\\.))*+", re.S), '"': re.compile('"(?:[^"\\\\\\r\\n]|\\\\.)*+', re.S), "'": re.compile("'(?:[^'\\\\\\r\\n]|\\\\.)*+", re.S)}

class _Token(NamedTuple):
    kind: str
    text: str
    start: int

def _text_end(text: str, start: int, closed: dict[str, int]) -> int:
    """Where a text in quotation marks ends; closed: mark -> where it is worth looking for its counterpart again"""

def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a query, in time that grows as its length does"""
_FORMS = ('SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE')

@dataclass
class _Outline:
    """What the surface of a query shows; limit, offset and form are those outside all brackets"""
    form: str = ''
    limit: int | None = None
    limit_span: tuple[int, int] = (0, 0)
    offset: int = 0
    values_at: int | None = None
    used: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    variables: dict[str, None] = field(default_factory=dict)
    star: bool = False
    depth: int = 0
    deepest: int = 0
    size: int = 0
    comments: list[tuple[int, int]] = field(default_factory=list)
    blanks: dict[str, int] = field(default_factory=dict)
    where_at: int = 0
    rebound: dict[str, None] = field(default_factory=dict)

    def see_mark(self, token: str, previous: str) -> None:
        """A bracket, a star or other punctuation"""

    def see_word(self, token: str, start: int) -> None:
        """A keyword or another word, in capitals"""

    def see_number(self, token: str, previous: str, span: tuple[int, int]) -> None:
        """A whole number"""

    def see(self, kind: str, span: tuple[int, int]) -> None:
        """Count a token, and refuse what is too much"""
MAX_DEPTH = 60
MAX_TOKENS = 1000

def _outline(text: str) -> _Outline:
    """Read the tokens of a query from first to last"""

def _without_comments(text: str, seen: _Outline) -> str:
    """The text with blanks in place of comments"""

def _with_limit(text: str, seen: _Outline, n: int) -> str:
    """The text with a top-level LIMIT n"""

def _with_prefixes(text: str, seen: _Outline, prefixes: tuple) -> str:
    """The text with declarations of the prefixes that it uses and does not declare"""

@dataclass(frozen=True)
class Guarded:
    """A query that may be run: the text that is sent is the text that was verified"""
    text: str
    kind: str
    limit: int
    capped: bool
    columns: tuple[str, ...] | None = None
    graphs: bool = False
    ungrouped: tuple[str, ...] = ()
    rebound: tuple[str, ...] = ()
    own: '_Own|None' = field(default=None, repr=False, compare=False)
    prepared: object = field(default=None, repr=False, compare=False)

    def said(self) -> dict:
        """All but the text as it was written and the algebra, as JSON can say it"""

def guard(query: str, limit: int=100, prefixes: dict[str, str] | Names | None=None, service_graph: str | None=None) -> Guarded:
    """Read a query with a parser, refuse what is not a read, bound what is; cached by text"""
MAX_QUERY = 20000
MAX_STATEMENTS = 100

@lru_cache(maxsize=2048)
def _guarded(query: str, limit: int, prefixes: tuple, service_graph: str | None) -> Guarded:
    ...

def _readable(query: str) -> str:
    """The text with its escapes resolved"""

class _Own(NamedTuple):
    """A query as it was written, within the text that is sent"""
    text: str
    begin: int = 0
    limit_at: int = 0
    added: int = 0

    def at(self, line: int, column: int, sent: str) -> int:
        """A position in the text that is sent, from its line and column there"""

    def here(self, at: int) -> int:
        """The position in the text as it was written, of one in the text that is sent"""

    def place(self, at: int) -> str:
        """Where that is, in words"""
_PARSER_LOCK = threading.Lock()

def _parsed(text: str, seen: _Outline, own: _Own, known: set[str]) -> tuple[Any, Any]:
    """Parse a text, or say what is wrong with it; known: prefixes"""

def _parse(text: str, unknown: set[str], known: set[str]) -> tuple[Any, Any]:
    ...

def _refuse_update(text: str) -> None:
    """Say so if a text that is no query is an update"""

def _node_names(tree: Any) -> set[str]:
    """Names of all nodes of a parse tree"""

def _refuse_many(tree: Any) -> None:
    """Refuse more patterns of statements side by side than can be put in order soon"""

def _ungrouped(tree: Any) -> tuple[str, ...]:
    """Variables that the outermost SELECT names beside groups or aggregates, and that are not grouped"""

def _group_name(condition: Any) -> Any:
    """The variable that a condition of GROUP BY makes or is"""

def _refuse(nodes: set[str], words: set[str], service_graph: str | None) -> None:
    """Refuse what reaches out of the graph"""

def _refuse_other_graphs(tree: Any, service_graph: str | None) -> None:
    """Refuse a FROM that names anything but the graph which a service is asked for"""
_RESULT_NODE = re.compile('_:b\\d+')

def _refuse_result_nodes(seen: _Outline) -> None:
    """Refuse the names that results give to blank nodes, but in the template of a CONSTRUCT"""

def _verify(top: Any, length: int, offset: int) -> None:
    """Refuse a query whose outermost operator is not the slice that was meant"""
