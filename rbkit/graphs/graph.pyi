# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from collections.abc import Callable
from rbkit.graphs.files import GraphInfo
from rbkit.graphs.files import GraphSource
from rbkit.graphs.guard import Guarded
from collections.abc import Iterable
from rbkit.graphs.answers import KeptAnswers
from typing import NamedTuple
from rbkit.graphs.guard import Names
from pathlib import Path
from typing import Protocol
from rbkit.graphs.rows import Rows
from rbkit.graphs.endpoint import SparqlService
from rbkit.graphs.engines import load_engine
import threading
'A graph is loaded once and queried safely, on any engine'
__all__ = ['ENGINES', 'Backend', 'InProcess', 'Graph', 'answers_of_services', 'load_graph', 'check_engine']

class Backend(Protocol):
    """Where the queries of a graph run"""

    def query(self, text: str, limit: int, timeout_secs: float) -> dict:
        """The fields of `Rows`; raises `QueryError`"""

    def plan(self, text: str, limit: int, timeout_secs: float) -> Guarded:
        """A query as it would be run; raises `QueryError`"""

    def close(self) -> None:
        """End processes or connections"""

class InProcess:
    """A graph in this process: no deadline, no memory cap"""

    def __init__(self, source: GraphSource):
        loaded = load_engine(source)
        self.info = loaded.info
        self.names = Names(self.info.prefixes)
        self.engine = loaded.open_engine(self.names)
        self.max_bytes = source.max_bytes
        self.lock = threading.RLock()

    def query(self, text: str, limit: int, timeout_secs: float) -> dict:
        """The fields of `Rows`; the deadline is ignored"""

    def plan(self, text: str, limit: int, timeout_secs: float) -> Guarded:
        """A query as it would be run; the deadline is ignored"""

    def close(self) -> None:
        """Let the graph go"""

class Graph:
    """A loaded graph: bounded, read-only queries, plain text out.
    Threads may share it; as a context manager it closes itself."""

    def __init__(self, name: str, engine: str, backend: Backend, names: Names, info: GraphInfo, timeout_secs: float, has_deadline: bool=True, service: SparqlService | None=None, ontology: 'Graph|None'=None, kept: KeptAnswers | None=None, examples: tuple[str, ...]=()):
        self.name = name
        self.service = service
        self.ontology = ontology
        self.kept = kept
        self.engine = engine
        self.names = names
        self.timeout_secs = timeout_secs
        self.has_deadline = has_deadline
        self.examples = tuple(examples)
        self.fingerprint = info.fingerprint
        self._n_triples = info.n_triples
        self._backend = backend
        self._lock = threading.Lock()

    def __len__(self):
        ...

    def __bool__(self):
        ...

    def __repr__(self):
        ...

    def query(self, text: str, limit: int=100, timeout_secs: float | None=None) -> Rows:
        """Answer a query: read only, bounded, stopped at its deadline"""

    def plan(self, text: str, limit: int=100, timeout_secs: float | None=None) -> Guarded:
        """A query as it would be run: read, refused or bounded, and not run"""

    def _open(self) -> Backend:
        """Where queries run, as long as the graph is not closed"""

    def remember(self, what: str, text: str) -> None:
        """Keep a text about this graph with the answers of its service, if those are kept"""

    def recalled(self, what: str) -> str | None:
        """The text that was remembered under a name"""

    @property
    def prefixes(self) -> dict[str, str]:
        """prefix -> namespace, as the files declare them"""

    @property
    def n_triples(self) -> int:
        """Statements; a service is asked once"""

    def expand(self, name: str) -> str:
        """The full IRI of a CURIE; `QueryRefused` for an unknown prefix"""

    def curie(self, iri: str) -> str:
        """The short text of an IRI"""

    def close(self) -> None:
        """End the graph's processes or connections"""

    def __enter__(self) -> Graph:
        ...

    def __exit__(self, *args) -> None:
        ...

def _whole_limit(limit):
    """A limit as a whole number; `QueryRefused` where it is none"""
ENGINES = ('oxigraph', 'rdflib', 'endpoint')

def _name_of(files: tuple[str, ...], url: str | None) -> str:
    """A graph is called after its file, or after its folder where the file's name says nothing"""

def _check_source(source: GraphSource, service: SparqlService | None) -> None:
    """Is this something that can be loaded?"""

def answers_of_services(keep: bool=True) -> KeptAnswers:
    """What services have said, to this and to earlier runs"""

def _fingerprint_of(*parts: str) -> str:
    """16 hexadecimal digits of texts"""

def _service_info(source: GraphSource, service: SparqlService) -> GraphInfo:
    """Prefixes and fingerprint of a service's graph, without asking it"""

def _service_graph(name: str, source: GraphSource, service: SparqlService, timeout_secs: float, ontology: list[Path], keep_answers: bool, examples: tuple[str, ...]) -> Graph:
    """A graph of which a service runs the queries"""

def load_graph(files: str | Path | Iterable[str | Path]=(), engine: str | None=None, name: str | None=None, isolate: bool=True, timeout_secs: float | None=None, store_path: str | Path | None=None, endpoint_url: str | SparqlService | None=None, ontology: str | Path | Iterable[str | Path]=(), keep_answers: bool=False, prefixes: dict[str, str] | None=None, lenient: bool=False, max_bytes: int=10000000, examples: Iterable[str]=()) -> Graph:
    """Load a graph once; query it as often as you like.
    Files: .ttl .nt .nq .trig .rdf .owl .xml .jsonld, each also .gz; their prefixes come along."""
_CHECK_TTL = '@prefix e: <http://example.org/> . @prefix limit: <http://example.org/limit/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\ne:a a e:K ; rdfs:label "DIS3" ; e:n 1 ; e:to e:b .\ne:b a e:K ; rdfs:label "beta"@en ; e:n 2 ; e:to e:c .\ne:c a e:K ; e:n 3 ; e:part [ e:n 4 ] ; e:ok true .\nlimit:x a e:L ; e:day "2001-02-03"^^xsd:date . <http://example.org/q#1> a e:L .'
_CHECK_TRIPLES = 16
_CHECK_ANSWERS = {"SELECT ?s { ?s rdfs:label 'DIS3' }": [['e:a']], 'SELECT ?s { ?s <http://example.org/to> e:c }': [['e:b']], 'PREFIX x: <http://example.org/> SELECT ?n { x:b x:n ?n }': [['2']], 'ASK { e:a e:to+ e:c }': [['true']], 'SELECT (SUM(?n) AS ?all) { ?s a e:K ; e:n ?n }': [['6']], 'SELECT ?l { e:b rdfs:label ?l }': [['beta']], 'SELECT ?s ?l { ?s a e:K OPTIONAL { ?s rdfs:label ?l } } ORDER BY ?s': [['e:a', 'DIS3'], ['e:b', 'beta'], ['e:c', None]], 'SELECT ?b ?n { e:c e:part ?b . ?b e:n ?n }': [['_:b0', '4']], 'SELECT ?s { ?s a e:L } ORDER BY ?s': [['limit:x'], ['<http://example.org/q#1>']], 'SELECT ?v ?d { e:c e:ok ?v . limit:x e:day ?d }': [['true', '2001-02-03']], 'CONSTRUCT { ?o e:from ?s } WHERE { ?s e:to ?o . ?s e:n 1 }': [['e:b', 'e:from', 'e:a']]}
_AWAY = 'http://127.0.0.1:9/'
_CHECK_REFUSED = [f'SELECT * {{ SERVICE <{_AWAY}> {{ ?s ?p ?o }} }}', f'SELECT * {{ \\u0053ERVICE <{_AWAY}> {{ ?s ?p ?o }} }}', f'SELECT * {{ ?s ?p ?o FILTER EXISTS {{ SERVICE SILENT <{_AWAY}> {{ ?s ?p ?o }} }} }}', f'SELECT * FROM <{_AWAY}> {{ ?s ?p ?o }}', 'SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }', 'INSERT DATA { <urn:a> <urn:b> 1 }', 'DELETE WHERE { ?s ?p ?o }', f'LOAD <{_AWAY}>', 'CLEAR ALL', 'SELECT ?s { ?s ?p ?o } #' + 'x' * 20000, 'SELECT ?s { ' + '{' * 70 + '?s ?p ?o' + '}' * 70 + ' }']
_CHECK_UNREADABLE = ['SELECT ?s {', 'FROB', '', 'SELECT ?s { ?s nope:x ?o }']

class _Limited(NamedTuple):
    """A query under a limit, and what is to come back"""
    query: str
    limit: int
    rows: int
    truncated: bool = False
    capped: bool = False
_CHECK_LIMITS = [_Limited('SELECT ?s { ?s ?p ?o } # LIMIT 2', 3, 3, truncated=True), _Limited('SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 5 } }', 3, 3, truncated=True), _Limited('SELECT ?s { ?s a e:K } VALUES ?s { e:a e:b }', 1, 1, truncated=True), _Limited('SELECT ?s { ?s a limit:K }', 3, 0), _Limited('SELECT ?s { ?s a e:K } ORDER BY ?s OFFSET 1', 5, 2), _Limited('SELECT ?s { ?s a e:K } OFFSET 1 LIMIT 1', 5, 1), _Limited('SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s HAVING (COUNT(*) > 3)', 1, 1, truncated=True), _Limited('SELECT ?s { ?s ?p ?o } LIMIT 1000', 4, 4, truncated=True, capped=True), _Limited('SELECT ?s { ?s a e:K } limit 2', 2, 2), _Limited("SELECT ?s { ?s rdfs:label ?l FILTER(?l != 'LIMIT 1') }", 9, 2), _Limited('CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }', 4, 4, truncated=True), _Limited('DESCRIBE e:a', 2, 2, truncated=True), _Limited('SELECT * { ?s ?p ?o }', 0, 0, truncated=True)]

def _check_raises(error: type[Exception], graph: Graph, query: str, **kw) -> None:
    ...

def _check(what: str, got: Any, want: Any) -> None:
    ...
_LATE = 20

def _check_deadline(graph: Graph, secs: float) -> int:
    """Late queries are stopped; returns how many were tried"""

def _check_queries(graph: Graph) -> None:
    """Answers, refusals, limits, order"""

def check_engine(make_graph: Callable[[Path], Graph], timeout_secs: float=1.0) -> dict[str, int]:
    """The contract of an engine: same answers, same refusals, bounded, stoppable, repeatable"""
