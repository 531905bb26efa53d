# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Callable
from rbkit.graphs.files import GraphError
from rbkit.graphs.guard import Guarded
from collections.abc import Iterable
from collections.abc import Iterator
from rbkit.graphs.answers import KeptAnswers
from typing import NamedTuple
from rbkit.graphs.guard import Names
from rbkit.graphs.guard import QueryError
from rbkit.graphs.answers import Reply
from rbkit.graphs.rows import Row
from dataclasses import dataclass
import httpx
import rbkit
import re
import threading
"Somebody else's server, on our clock"
__all__ = ['LONG_QUERY', 'MAX_ATTEMPTS', 'MOST_WAIT_SECS', 'SparqlService', 'Endpoint']
_LATE = 'Ask for less, or raise timeout_secs.'

class _Outcome(NamedTuple):
    """What a thread came to"""
    value: Any = None
    error: BaseException | None = None

def _within(secs: float, work: Callable[[float], Any]) -> Any:
    """`work(deadline)` in a thread, for which we wait no longer than `secs`"""

@dataclass(frozen=True)
class SparqlService:
    """A SPARQL 1.1 service, and how it is to be asked"""
    url: str
    named_graph: str = ''
    gap_secs: float = 0.0
    counts: bool = True

    def __post_init__(self):
        import httpx
        try:
            url = httpx.URL(self.url)
        except httpx.InvalidURL:
            url = httpx.URL('')
        if url.scheme not in ('http', 'https') or not url.host:
            raise GraphError(f"{self.url!r} is no http(s) address. Give one such as 'https://host/sparql'.")

    @property
    def key(self) -> str:
        """Which graph of which service"""
_JSON = 'application/sparql-results+json'
_TRIPLES = 'application/n-triples, text/turtle;q=0.9'

class Endpoint:
    """The queries of a graph, run by a service"""

    def __init__(self, service: SparqlService, names: Names, max_bytes: int, kept: KeptAnswers | None=None):
        import httpx
        self.service = service
        self.url = httpx.URL(service.url)
        self.names = names
        self.max_bytes = max_bytes
        self.kept = kept
        self.asking = {}
        self.parser = None
        self.lock = threading.Lock()
        agent = f'rbkit/{rbkit.__version__}'
        about = {'User-Agent': agent, 'Accept-Encoding': 'gzip'}
        self.client = httpx.Client(headers=about, follow_redirects=False)

    def query(self, text: str, limit: int, timeout_secs: float) -> dict:
        """The fields of `Rows`; raises `QueryError`"""

    def close(self) -> None:
        """Close the connections"""

    def plan(self, text: str, limit: int, timeout_secs: float) -> Guarded:
        """Read a query and run nothing"""

    def answer(self, query: Guarded, timeout_secs: float) -> Reply:
        """What the service says, or has said"""

    def asked(self, query: Guarded, timeout_secs: float) -> Reply:
        """What the service says now; raises `QueryError` where that is no whole answer"""

    def wait_for_turn(self) -> None:
        """Wait until the service may be asked again; `QueryUnavailable` where that is too long"""

    def _fetch(self, query: Guarded, end: float) -> Reply:
        """Ask, and ask again while the service says that it is busy"""

    def _post(self, query: Guarded, end: float, url: 'httpx.URL', redirects: int=3) -> Reply:
        """One request, and where it is redirected"""

    def _body(self, response: 'httpx.Response', end: float) -> Reply:
        """The whole answer, or what the service said is wrong"""
LONG_QUERY = 1000
MAX_ATTEMPTS = 5
MOST_WAIT_SECS = 60.0
_MOST_PUT_OFF = 3600.0

class _Busy(Exception):
    """The service asked us to come back later"""

    def __init__(self, status: int, after_secs: float):
        super().__init__(status)
        self.status = status
        self.after_secs = min(after_secs, _MOST_PUT_OFF)
_MOST_REFUSAL = 20000
_PIECE = 2 ** 16

def _pieces(response: 'httpx.Response') -> Iterator[bytes]:
    """The body of an answer, unpacked, a little at a time"""

def _secs_in(header: str) -> float:
    """How long a service asks to be left alone"""
_TITLE = re.compile('<title[^>]*>(.*?)</title>', re.S | re.I)
_MARKUP = re.compile('<(script|style)\\b.*?</\\1>|<!--.*?-->|<[^>]*>', re.S | re.I)
_LATE_WORDS = re.compile('time[ -]?d? ?out|time limit|execution time|deadline|(took|takes) too long', re.I)
_MOST_SAID = 160

def _words(body: bytes) -> str:
    """What a page or text says, in short"""

def _refusal(status: int, said: str) -> QueryError:
    """The error for an answer that is none"""

class _Received:
    """An answer of a service, as an engine that gives it; `QueryError` where it is not whole"""

    def __init__(self, answer: Reply, names: Names, query: Guarded):
        self.answer = answer
        self.names = names
        self.blanks = {}
        self.columns = ['s', 'p', 'o']
        read = dict(ask=self.truth, select=self.results).get(query.kind, self.triples)
        try:
            self.rows = read()
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, SyntaxError):
            raise self.no_results() from None

    def run(self, query: Guarded) -> tuple[list[str], Iterable[Row]]:
        """Columns, and rows as text"""

    def truth(self) -> list[Row]:
        """The row of an ASK"""

    def results(self) -> list[Row]:
        """The rows of SPARQL's JSON results"""

    def no_results(self) -> QueryError:
        """The error for an answer that cannot be read as results"""

    def cell(self, term: dict | None) -> str | None:
        """One term of SPARQL's JSON results"""

    def triples(self) -> list[Row]:
        """Rows of subject, property and object"""
