# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from collections import Counter
from rbkit.graphs.graph import Graph
from collections.abc import Iterable
from rbkit.graphs.vocabulary import Klass
from rbkit.graphs.vocabulary import Measurements
from typing import NamedTuple
from rbkit.graphs.vocabulary import Prop
from rbkit.graphs.rows import Row
from rbkit.graphs.vocabulary import Vocabulary
from functools import cached_property
from dataclasses import dataclass
import rbkit
import re
'What a graph is made of, measured once'
__all__ = ['MOST_ASKED', 'Schema', 'labels_seen', 'labels_declared', 'labels_of_terms', 'schema_of']

@dataclass
class Schema:
    """What a graph is made of: classes by size, properties by use"""
    name: str
    n_triples: int | None
    prefixes: dict[str, str]
    classes: list[Klass]
    properties: list[Prop]
    labels: dict[str, dict[str, float]]
    namespaces: dict[str, int]
    disjoint: list[tuple[str, str]]
    inverses_both_ways: list[tuple[str, str]]
    only_subclass_typed: list[str]
    skipped: list[str]

    @cached_property
    def _classes_by_name(self) -> dict[str, Klass]:
        ...

    @cached_property
    def _properties_by_name(self) -> dict[str, Prop]:
        ...

    def klass(self, iri: str) -> Klass | None:
        """The class of this name"""

    def prop(self, iri: str) -> Prop | None:
        """The property of this name"""

    def above(self, iri: str, implied: bool=False) -> set[str]:
        """A class with all classes above it; with those of the intersection that it equals, if `implied`"""

    @cached_property
    def links(self) -> Counter:
        """Own class -> how many of the own properties are declared to begin at it"""

    @cached_property
    def own_names(self) -> frozenset[str]:
        ...

    @cached_property
    def mostly_unused(self) -> bool:
        """Is this an ontology rather than data: are most of its own properties in no statement?"""

    @property
    def own_classes(self) -> list[Klass]:
        ...

    @property
    def own_properties(self) -> list[Prop]:
        ...

    def __repr__(self) -> str:
        ...

    def _repr_markdown_(self) -> str:
        ...
_BOTH_WAYS = 'SELECT ?p ?q (COUNT(*) AS ?n)\n    { @ ?a ?p ?b . ?b ?q ?a FILTER(STR(?p) <= STR(?q)) } GROUP BY ?p ?q'
_ANY = '*'

def _left(prop: Prop) -> set[str]:
    """Classes of its subjects"""

def _right(prop: Prop) -> set[str]:
    """Classes of its objects"""

class _Ends(NamedTuple):
    """Classes on both sides of a property"""
    left: set[str]
    right: set[str]

def _meet(some: set[str], others: set[str]) -> bool:
    """Could a thing be of both sets of classes?"""

def _two_way_candidates(props: dict[str, Prop]) -> list[str]:
    """Properties in use of which another could store the opposite direction"""

def _leads_back(there: _Ends, others: Iterable[_Ends]) -> bool:
    """Could one of the others store the opposite direction?"""

def _both_ways(measured: Measurements, props: dict[str, Prop]) -> list[tuple[str, str]]:
    """Note symmetric use; return pairs of properties of which each stores what the other says"""
_LABEL = re.compile('(?i)(^|[a-z_:])(pref_?label|label|name|title)>?$')
_TEXT = {'xsd:string', 'rdf:langString'}

def _labelling(words: Vocabulary) -> dict[str, dict[str, float]]:
    """property -> {class: coverage} of the best label of each class"""

def _is_text(value: str, schema: Schema) -> bool:
    """Is a value a text, and not a name or a blank node?"""

def labels_seen(schema: Schema) -> dict[str, str]:
    """What one instance of each class was seen to be labelled by"""

def labels_declared(schema: Schema) -> list[str]:
    """What would label things, by its name: no property that leads to a class, or that only terms have"""
_TEXTS = ('text', 'string', 'literal')

def _local(iri):
    """A name without its prefix or namespace"""
_PLAIN = ('preflabel', 'label', 'name', 'title')

def labels_of_terms(schema: Schema) -> list[str]:
    """What labels the classes and properties themselves"""

def _label_rank(prop: Prop, klass: str) -> tuple:
    """Coverage first, then the usual vocabularies, then the name"""

def _namespaces(words: Vocabulary) -> dict[str, int]:
    """prefix -> uses, most used first"""
_DISJOINT = 'SELECT ?a ?b { ?a owl:disjointWith ?b FILTER(isIRI(?a) && isIRI(?b)) }'
_ALL_DISJOINT = 'SELECT DISTINCT ?a ?b {\n    ?x a owl:AllDisjointClasses ; owl:members ?l . ?l rdf:rest*/rdf:first ?a .\n    ?l rdf:rest*/rdf:first ?b FILTER(isIRI(?a) && isIRI(?b) && STR(?a) < STR(?b)) }'

def _disjoint(measured: Measurements) -> list[tuple[str, str]]:
    """Pairs of disjoint classes, each once"""

def _only_subclass_typed(classes: dict[str, Klass]) -> list[str]:
    """Classes without instances of their own that have a subclass with some"""
_MOST_ABOVE = 200

def _count_below(measured: Measurements, classes: dict[str, Klass], bare: list[str]) -> None:
    """Enter the instances of classes that have only those of the classes below them, each thing once"""
MOST_ASKED = 12
_MOST_SEEN = 60

def _each(measured: Measurements, name: str, queries: dict[str, str], limit: int=1) -> dict[str, list[Row]]:
    """The rows of each query, up to the first that is refused"""

def _counted(measured: Measurements, name: str, pattern: str, terms: list[Klass | Prop]) -> dict[str, int]:
    """Term -> how often a pattern matches, in which @ stands for the term"""

def _count_classes(measured: Measurements, classes: list[Klass]) -> None:
    """Enter the size of each of some classes, and an instance"""

def _count_properties(measured: Measurements, props: list[Prop]) -> None:
    """Enter how often each of some properties is used"""

def _look_at_instances(measured: Measurements, classes: list[Klass], props: dict[str, Prop]) -> None:
    """Enter what an instance of each class has; a property that is met so belongs to the data"""

def _links(words: Vocabulary) -> Counter:
    """How much is declared about each class, and about the classes of each property"""

def _one_by_one(measured: Measurements, words: Vocabulary) -> None:
    """Ask about single terms, where a service would not count all of them at once"""
_SCHEMAS = {}

def schema_of(graph: Graph, timeout_secs: float=120, max_rows: int=50000) -> Schema:
    """Measure what a graph is made of, once per process"""
_KEPT = f'schema, rbkit {rbkit.__version__}'

def _from_json(text: str) -> Schema:
    """A schema that was kept"""

def _ordered(terms: Iterable[Klass | Prop], size: Callable[[Klass | Prop], int], links: Counter) -> list:
    """The graph's own terms first, then by size, then by name"""

def _size(measured: Measurements) -> int | None:
    """Statements of the graph; None where a service with an ontology would not count them"""

def _measure(graph: Graph, timeout_secs: float, max_rows: int) -> Schema:
    ...

def _largest(shares: dict[str, float]) -> str:
    """The three largest shares, for a cell of a Markdown table"""
