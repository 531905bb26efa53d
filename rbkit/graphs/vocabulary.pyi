# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.graphs.graph import Graph
from collections.abc import Iterable
from typing import NamedTuple
from rbkit.graphs.guard import Names
from rbkit.graphs.rows import Row
from rbkit.graphs.guard import WELL_KNOWN
from dataclasses import dataclass
from dataclasses import field
import re
'The classes and properties of a graph, as declared and as used'
__all__ = ['ABOUT_SCHEMA', 'Klass', 'Prop', 'is_own', 'described_spaces', 'percent', 'with_label', 'Measurements', 'iri_pattern', 'Vocabulary', 'vocabulary_of']

@dataclass
class Klass:
    """A class, as declared and as used"""
    iri: str
    label: str = ''
    count: int = 0
    superclasses: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    pattern: str = ''
    own: bool = True
    comment: str = ''
    measured: bool = field(default=True, repr=False)
    with_subclasses: int = 0
    equals: list[str] = field(default_factory=list, repr=False)
    restrictions: list[str] = field(default_factory=list, repr=False)
    seen: dict[str, str] = field(default_factory=dict, repr=False)

@dataclass
class Prop:
    """A property, as declared and as used"""
    iri: str
    label: str = ''
    n: int = 0
    subjects: int = 0
    domain: list[str] = field(default_factory=list)
    range: list[str] = field(default_factory=list)
    all_of: list[str] = field(default_factory=list)
    one_of: list[str] = field(default_factory=list)
    observed_domain: dict[str, float] = field(default_factory=dict)
    observed_range: dict[str, float] = field(default_factory=dict)
    datatypes: dict[str, float] = field(default_factory=dict)
    per_subject_max: int = 0
    multi_share: float = 0.0
    functional: bool = False
    inverse_of: str = ''
    transitive: bool = False
    symmetric: bool = False
    symmetric_share: float = 0.0
    subproperty_of: list[str] = field(default_factory=list)
    coverage: dict[str, float] = field(default_factory=dict)
    numeric_text: float = 0.0
    cardinality: dict[str, str] = field(default_factory=dict)
    own: bool = True
    comment: str = ''
    measured: bool = field(default=True, repr=False)
_SHACL = 'http://www.w3.org/ns/shacl#'
_COMMON = (*WELL_KNOWN.values(), _SHACL)

def is_own(name: str, names: Names, described: tuple[str, ...]=()) -> bool:
    """Is this a term of the graph's own, not of rdf, rdfs, owl, xsd or SHACL, unless the graph is that vocabulary?"""

def described_spaces(declared: Iterable[str], names: Names) -> tuple[str, ...]:
    """The one of rdf, rdfs, owl, xsd and SHACL that holds most of the terms that a graph declares"""

def percent(share: float) -> str:
    """A whole per cent, never 100 when something is missing nor 0 when something is there"""
_CODE = re.compile('[:#/][A-Za-z]{0,12}[_-]?\\d{3,}[A-Za-z]?>?$')
_LABEL_CHARS = 60

def with_label(term: Klass | Prop) -> str:
    """The name of a term, with its label where the name is a code that says nothing"""
_OBSERVED = dict(classes='SELECT ?c (COUNT(*) AS ?n) (MIN(?i) AS ?first) (MAX(?i) AS ?last)\n        { ?s a ?c FILTER(isIRI(?c)) BIND(IF(isIRI(?s), STR(?s), "") AS ?i) } GROUP BY ?c', properties='SELECT ?p (SUM(?k) AS ?n) (COUNT(*) AS ?subjects) (MAX(?k) AS ?most)\n        (SUM(IF(?k > 1, 1, 0)) AS ?multi)\n        { { SELECT ?s ?p (COUNT(*) AS ?k) { ?s ?p ?o } GROUP BY ?s ?p } } GROUP BY ?p', domains='SELECT ?p ?c (COUNT(DISTINCT ?s) AS ?n)\n        { ?s a ?c ; ?p ?o FILTER(isIRI(?c)) } GROUP BY ?p ?c', ranges='SELECT ?p ?c (COUNT(*) AS ?n) { ?s ?p ?o . ?o a ?c FILTER(isIRI(?c)) } GROUP BY ?p ?c', datatypes='SELECT ?p ?c (COUNT(*) AS ?n)\n        (SUM(IF(?c = xsd:string && REGEX(?o, "^[-+]?[0-9]+([.][0-9]+)?$"), 1, 0)) AS ?k)\n        { ?s ?p ?o BIND(DATATYPE(?o) AS ?c) FILTER(BOUND(?c)) } GROUP BY ?p ?c')
_INCLUDES = 'VALUES ?includes { <https://schema.org/@> <http://schema.org/@> <http://purl.org/dc/dcam/@> }\n        ?p ?includes ?c BIND("any" AS ?how)'
_MEMBERS = '((owl:unionOf|owl:intersectionOf)/rdf:rest*/rdf:first)+'
_RESTRICTED = '{ ?c rdfs:subClassOf|owl:equivalentClass ?r } UNION\n        { ?c (rdfs:subClassOf|owl:equivalentClass)?/owl:intersectionOf/rdf:rest*/rdf:first ?r }'

def _ends(end):
    """A query for the declared classes of one end of every property, and whether its things are of all or any of them"""
_DECLARED = dict(kinds='SELECT ?x ?t { ?x a ?t FILTER(isIRI(?x)) VALUES ?t {\n        owl:Class rdfs:Class rdf:Property owl:ObjectProperty owl:DatatypeProperty\n        owl:FunctionalProperty owl:TransitiveProperty owl:SymmetricProperty } }', domain=_ends('domain'), range=_ends('range'), one_of='SELECT DISTINCT ?p ?v ?t { ?p rdfs:range/owl:oneOf/rdf:rest*/rdf:first ?v\n        BIND(IF(isLiteral(?v), DATATYPE(?v), "") AS ?t) }', equals='SELECT DISTINCT ?a ?b { ?a owl:equivalentClass?/owl:intersectionOf/rdf:rest*/rdf:first ?b\n        FILTER(isIRI(?a) && isIRI(?b)) }', restrictions=f'SELECT DISTINCT ?c ?p ?k ?r ?v {{ {_RESTRICTED}\n        ?r owl:onProperty ?p ; ?k ?f . VALUES ?k {{ owl:someValuesFrom owl:allValuesFrom owl:hasValue }}\n        OPTIONAL {{ ?f (owl:unionOf|owl:oneOf)/rdf:rest*/rdf:first ?m }} BIND(COALESCE(?m, ?f) AS ?v)\n        FILTER(isIRI(?c) && isIRI(?p) && !isBlank(?v)) }}', subclass='SELECT ?a ?b { ?a rdfs:subClassOf ?b FILTER(isIRI(?a) && isIRI(?b) && ?a != ?b)\n        FILTER(EXISTS { ?a a owl:Class } || EXISTS { ?a a rdfs:Class } || EXISTS { ?i a ?a }\n        || NOT EXISTS { ?a a ?t }) }', subproperty='SELECT ?a ?b { ?a rdfs:subPropertyOf ?b FILTER(isIRI(?b) && ?a != ?b) }', inverse='SELECT ?a ?b { ?a owl:inverseOf ?b FILTER(isIRI(?a) && isIRI(?b)) }', cardinality='SELECT ?c ?p ?k ?v { ?c rdfs:subClassOf ?r . ?r owl:onProperty ?p ; ?k ?v\n        FILTER(isIRI(?c)) VALUES ?k {\n        owl:cardinality owl:maxCardinality owl:minCardinality owl:qualifiedCardinality\n        owl:maxQualifiedCardinality owl:minQualifiedCardinality } }')
_FROM_FILE = (*_DECLARED, 'labels', 'comments', 'disjoint', 'all_disjoint')
_MOST_REFUSALS = 2

class Measurements:
    """Rows of named queries; what the graph cannot answer in time is noted, not fatal"""

    def __init__(self, graph: Graph, timeout_secs: float, max_rows: int):
        self.graph = graph
        self.timeout_secs = timeout_secs
        self.max_rows = max_rows
        self.skipped = []
        self.answered = 0
        self.refused = 0
        self.away = False

    def home_of(self, name: str) -> Graph | None:
        """Who answers a measurement; nobody where a service may not or would not"""

    def rows(self, name: str, query: str | None=None) -> list[Row]:
        """The sorted rows of a query, or none if it was skipped"""

    def ask(self, name: str, home: Graph | None, text: str, limit: int) -> list[Row]:
        """The rows of a query to one who may answer it; none, and a note, if it was skipped"""

    def pairs(self, name: str) -> dict[str, list[str]]:
        """The rows of a query of two columns: first -> the seconds"""

def iri_pattern(graph: Graph, first: str, last: str) -> str:
    """What two IRIs have in common: a prefix, or the text up to the last / or #"""

def _classes(measured: Measurements, kinds: dict[str, list[str]]) -> dict[str, Klass]:
    """Classes in use, and those declared"""
_QUANTIFIERS = {'owl:hasValue': 'value', 'owl:someValuesFrom': 'some', 'owl:allValuesFrom': 'only'}

def _restrictions(measured: Measurements) -> dict[str, list[str]]:
    """Class -> what its restrictions say of the values of properties, such as ':hasTopping some :Cheese'"""

def _is_property(types: list[str]) -> bool:
    """Is a thing of these types declared to be a property?"""

def _declared_ends(measured: Measurements, end: str) -> tuple[dict[str, list[str]], set[str]]:
    """The declared classes of one end of each property, and the properties whose things are of several at once"""

def _properties(measured: Measurements, kinds: dict[str, list[str]]) -> dict[str, Prop]:
    """Properties in use, and those declared, with what is declared about them"""

def _declare_relations(measured: Measurements, props: dict[str, Prop]) -> None:
    """Inverses and cardinalities, as declared"""

class _Count(NamedTuple):
    """How often a property goes with a class or datatype"""
    prop: str
    kind: str
    n: int

def _counts(rows: list[Row]) -> list[_Count]:
    """Rows of property, kind, number; the largest first"""

def _shares(counts: list[_Count], total_of: Callable[[_Count], int]) -> dict[str, dict[str, float]]:
    """property -> {kind: share}, the largest first"""
_SHARES = {'properties', 'domains', 'ranges', 'datatypes'}

def _observe(measured: Measurements, props: dict[str, Prop], classes: dict[str, Klass]) -> None:
    """What the statements show about properties"""

def _numeric_shares(literals: list[list[str]]) -> dict[str, float]:
    """By property, the share of its strings that spell a number"""

def _with_untyped(shares: dict[str, float], n: int) -> dict[str, float]:
    """The shares with what is left over as rdfs:Resource, the largest first"""
ABOUT_SCHEMA = ('rdfs:domain', 'rdfs:range', 'rdfs:subPropertyOf')

def _about_data(prop: Prop, names: Names, classes: dict[str, Klass], described: tuple[str, ...]) -> bool:
    """Does it say something about data, rather than about the schema?"""
_COMMENTS = ('rdfs:comment', '<http://www.w3.org/2004/02/skos/core#definition>', '<http://www.w3.org/2004/02/skos/core#altLabel>', '<http://purl.org/dc/terms/description>', '<https://schema.org/description>')
_LABELS = ('rdfs:label', '<http://www.w3.org/2004/02/skos/core#prefLabel>')
_COMMENT_CHARS = 300

def _said(measured: Measurements, name: str, by: list[str], terms: list[str]) -> dict[str, list[str]]:
    """What some properties say of terms: English or without a language first, then by text"""

class Vocabulary(NamedTuple):
    """Classes and properties by IRI"""
    classes: dict[str, Klass]
    properties: dict[str, Prop]

def _note_unknown(measured: Measurements, props: dict[str, Prop]) -> None:
    """Say of properties that their shares are unknown, where one of the measurements is missing"""

def vocabulary_of(measured: Measurements) -> Vocabulary:
    """Measure the classes and properties of a graph"""

def _used(measured: Measurements, props: dict[str, Prop], asked: Iterable[str]) -> list[str]:
    """Which of some properties this graph may have: all of them where a file declares its terms"""

def _describe(measured: Measurements, terms: list[Klass | Prop], props: dict[str, Prop]) -> None:
    """Enter labels and comments, where the graph has any"""
