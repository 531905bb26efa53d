# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Iterator
from typing import NamedTuple
from pathlib import Path
from random import Random
from rbkit.graphs.guard import WELL_KNOWN
from dataclasses import dataclass
'A graph of any size'
__all__ = ['Written', 'protein_like', 'Asked', 'WideOntology', 'wide_ontology']
_PATHS = dict(up='core', protein='uniprot', taxon='taxonomy', disease='diseases', keyword='keywords', node='node')
_PREFIXES = {prefix: f'http://purl.uniprot.org/{path}/' for prefix, path in _PATHS.items()}
_SPACES = {**_PREFIXES, **WELL_KNOWN}
_WORDS = 'binding kinase receptor transport membrane cell signal domain factor growth nuclear\n    regulates pathway catalytic activity complex ligase hydrolase inhibitor transcription repair\n    channel zinc iron heme'.split()

class _Triple(NamedTuple):
    """CURIEs, text in double quotes, or whole numbers"""
    subject: str
    prop: str
    object: str | int

def _written(term: str | int) -> str:
    """A term in N-Triples"""

@dataclass
class _Proteins:
    """A seeded source of proteins"""
    rng: Random
    taxa: int
    diseases: int
    keywords: int

    def words(self, k: int) -> str:
        ...

    def unevenly(self, n: int) -> int:
        """A number below `n`; small ones are far more frequent"""

    def protein(self, i: int) -> Iterator[_Triple]:
        """The statements of one protein"""

    def annotation(self, protein: str, node: str) -> Iterator[_Triple]:
        """The statements of one annotation of a protein"""

class Written(NamedTuple):
    """A graph that was written to a file"""
    n_triples: int
    prefixes: dict[str, str]

def _things(prefix: str, klass: str, n: int) -> Iterator[_Triple]:
    """Things with nothing but a class and a label"""

def _triples(n_triples: int, rng_seed: int) -> Iterator[_Triple]:
    ...

def protein_like(n_triples: int, path: str | Path, rng_seed: int=7) -> Written:
    """Write a protein-like graph of a given size"""

def _pairs(text: str) -> list[tuple[str, str]]:
    ...
_NOUNS = _pairs('pump/compressor valve/tap engine/motor boiler/heater turbine/rotor tank/vessel pipe/duct\n    cable/wire sensor/probe filter/strainer crane/hoist truck/lorry wagon/railcar depot/warehouse office/bureau\n    vendor/seller client/customer contract/agreement invoice/bill payment/remittance permit/licence\n    audit/review claim/complaint policy/cover worker/employee team/crew')
_KINDS = _pairs('water/hydraulic steam/vapour fuel/petrol spare/backup coastal/seaside urban/municipal\n    mobile/portable primary/main rented/leased marine/naval polar/arctic rural/village digital/electronic\n    manual/handheld rapid/express joint/shared former/previous')
_VERBS = _pairs('feed/nourish control/govern replace/supersede inspect/examine insure/underwrite finance/fund\n    store/keep move/haul guard/protect cool/chill charge/energise repair/mend')
_MEASURES = _pairs('weight/mass length/extent price/cost capacity/volume age/lifetime rating/grade colour/hue\n    status/condition serial/identifier warranty/guarantee pressure/load speed/velocity')
_QUALITIES = _pairs('total/overall daily/everyday average/mean rated/nominal lowest/least highest/greatest')
_WIDE = 'http://example.org/works#'

class _WideTerm(NamedTuple):
    """A class or a property of a wide ontology"""
    name: str
    parts: list[tuple[str, str]]
    domain: str = ''
    range: str = ''
    noun: int = 0

    def spoken(self, synonyms: bool) -> str:
        """What a question calls it"""

def _camel(parts: list[tuple[str, str]], upper: bool) -> str:
    ...

def _wide_classes(rng: Random, n: int) -> list[_WideTerm]:
    """Classes such as `WaterPump`"""

def _one_per_noun(classes):
    """One class for each noun, the last"""

def _one_of_noun(rng, classes, noun):
    """The name of any class with a noun"""

def _wide_links(rng: Random, classes: list[_WideTerm], n: int) -> list[_WideTerm]:
    """Properties between classes"""

def _wide_attributes(rng: Random, classes: list[_WideTerm], n: int) -> list[_WideTerm]:
    """Properties with a text for a value"""

def _wide_lines(rng: Random, classes: list[_WideTerm], properties: list[_WideTerm]) -> Iterator[str]:
    """The statements about a class or a property, a line of Turtle each"""

class Asked(NamedTuple):
    """A question, the query that answers it, and the terms that the query uses"""
    question: str
    gold: str
    terms: tuple[str, ...]

def _asked(gold: str, question: str, *terms: _WideTerm) -> Asked:
    ...

def _wide_question(rng: Random, classes: dict[str, _WideTerm], links: list[_WideTerm], attributes: dict[str, list[_WideTerm]]) -> Asked:
    """A question over two to four terms"""

class WideOntology(NamedTuple):
    """An ontology that was written to a file, and questions about it"""
    n_classes: int
    n_properties: int
    questions: list[Asked]

def wide_ontology(path: str | Path, n_classes: int=400, n_properties: int=1500, n_questions: int=100, rng_seed: int=7) -> WideOntology:
    """Write a schema of many classes and properties whose names share their words, and questions about it"""
