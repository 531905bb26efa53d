# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from collections.abc import Callable
from rbkit.graphs.graph import Graph
from rbkit.bank.items import Item
from rbkit.packers.fit import Packed
from rbkit.retrieval.interface import Retriever
from rbkit.graphs.schema import Schema
from collections.abc import Sequence
from dataclasses import dataclass
'The layer cake is a value that you can print'
__all__ = ['LAYERS', 'MODES', 'TOOLSETS', 'BASES', 'BASE', 'SCHEMA_CALLS', 'ASK_MEMORY', 'LayerInputs', 'LayerSpec', 'register_layer', 'unregister_layer', 'find_layers', 'layer_names', 'Layer', 'Context', 'texts_of', 'layer_budgets', 'ContextBuilder']

@dataclass(frozen=True)
class LayerInputs:
    """What a layer may be made from"""
    question: str
    graph: Graph
    bank: Bank | list[Item] | None = None
    guide: str | None = None
    focus: str | None = None
    rules: dict | None = None
    placebo: Bank | None = None
    items: int = 1
    item_chars: int = 1000
    retriever: Retriever | None = None
    more: str = ''
    min_score: float | None = None
    cite: bool = False
    known_tools: tuple[str, ...] = ()
    beside: str = ''

    def touched(self, schema: Schema) -> dict[str, float] | None:
        """How much the question touches each term of a schema; None if the cards are not to ask"""

@dataclass(frozen=True)
class LayerSpec:
    """An entry of the registry: the names of a layer, how it is made, and its budget"""
    number: str
    name: str
    pack: Callable[[LayerInputs, int], Packed]
    depends_on: tuple[str, ...] = ('graph',)
    budget_key: str = ''
    default_chars: int = 1000

    def __repr__(self):
        ...

    @property
    def key(self) -> str:
        """The key of its budget"""
LAYERS: dict[str, LayerSpec] = {}

def register_layer(spec: LayerSpec) -> LayerSpec:
    """Add a layer; raises `ValueError` if its number or name is taken, or a dependency unknown"""

def unregister_layer(number: str) -> LayerSpec:
    """Take a layer out of the registry; raises `KeyError` if it has no such number"""

def _sense(given, budget):
    """L0"""

def _constraints(given, budget):
    """L1"""

def _memory(given, budget):
    """L2"""
_TITLES = 2

def _titles(given, budget):
    """What stands for L2 where memory is left to tools"""

def _guide(given, budget):
    """L3"""

def find_layers(layers: str | Sequence[str | LayerSpec]) -> tuple[LayerSpec, ...]:
    """Layers by number or by name; raises `ValueError` for one that is not registered"""

def layer_names(layers: str | Sequence[str | LayerSpec]) -> tuple[str, ...]:
    """Names of layers, checked and in the order in which they are put together"""

@dataclass(frozen=True)
class Layer:
    """One layer of a context"""
    name: str
    text: str
    budget: int
    left_out: int = 0
    retrieved: tuple[str, ...] = ()
    abstained: int = 0
    with_content: int | None = None
    whole: int | None = None

    @property
    def hash(self) -> str:
        """A short hash of the text"""

@dataclass(frozen=True)
class Context:
    """What a model is told before its first turn, layer by layer"""
    layers: tuple[Layer, ...]
    mode: str = 'inject'
    toolset: str = 'handles'
    allowance: int | None = None
    tools: tuple[Callable, ...] = ()

    @property
    def text(self) -> str:
        """What is injected: every layer's text, in order"""

    @property
    def hash(self) -> str:
        """A short hash of the whole text"""

    def __getitem__(self, name: str) -> Layer:
        """A layer by name; raises `KeyError` where it is not in this context"""

    @property
    def chars(self) -> int:
        """Characters in all"""

    @property
    def items(self) -> int:
        """How many memory items are in it"""

    @property
    def with_content(self) -> int | None:
        """How many memory items show some of their content"""

    @property
    def whole(self) -> int | None:
        """How many memory items are not cut"""

    @property
    def abstained(self) -> int:
        """How many memory items were found and not shown, too far from the question"""

    def figures(self) -> dict[str, int | str]:
        """Characters and hash of each layer, as a row of results carries them"""

    def __repr__(self):
        ...

    def _repr_markdown_(self):
        ...

    def with_tools(self, tools: Sequence[Callable]) -> Context:
        """The same context with a user's tools, described in its base; raises `ValueError` for what cannot be one"""

def _added(layers, name):
    """A count over the layers that show memory items; None if one of them was not counted"""

def texts_of(context: Context) -> list[dict]:
    """The text of every layer that has any, under its hash, as a run keeps it"""
_TABLE = '| layer | characters | budget | left out | retrieved | hash |\n| --- | ---: | ---: | ---: | --- | --- |\n'
MODES = ('inject', 'tools', 'both')
TOOLSETS = ('handles', 'naive')
_BASE = 'You answer a question about the RDF graph `{{graph}}` with SPARQL. {tools}\nCURIEs and full IRIs both work, with or without PREFIX lines; only reading queries are allowed.\nSubmit `answer`: {whole}, or a list of values (of rows, for several columns). Give names where the question asks for\nnames and identifiers (CURIE or IRI) where it asks for identifiers, each row once; for yes or no, what an ASK returns.\n`sparql` is the query{left_out}. Where a card of the graph stands below, begin from what it says; where none does,\nlook first. Whatever else stands below is advice from memory: it may be wrong, and what the graph returns decides.'
BASES = dict(handles=_BASE.format(tools="Tools return handles, not payloads: a query's handle shows its first rows.", whole='the handle whose rows are the answer', left_out='; a handle knows its own'), naive=_BASE.format(tools='Tools return what they find, in full.', whole='what run_sparql returned, where its rows are the answer', left_out=''), own=_BASE.format(tools='Your tools are listed at the end of these lines.', whole='a dict whose `rows` are the answer', left_out=''))
BASE = BASES['handles']
SCHEMA_CALLS = dict(handles='sparql_schema()', naive='get_schema()', own='')
_ASK = 'A memory of procedures can be searched with mem_search(words); mem_get([id]) or mem_quote(id) read it.'
ASK_MEMORY = dict(handles=_ASK, naive=_ASK)

def layer_budgets(profile: str | None=None, budget: dict[str, int] | None=None, specs: Sequence[LayerSpec]=()) -> dict[str, int]:
    """Budgets of all layers; raises `ValueError` for an override of a budget that does not exist"""

def _check_mode(mode, toolset, names):
    """Refuse an unknown mode or tool set, and combinations that cannot work"""

class ContextBuilder:
    """Puts the layer cake together: which layers, how much of each, injected or left to tools"""

    def __init__(self, layers: str | Sequence[str | LayerSpec]=(), profile: str | None=None, budget: dict[str, int] | None=None, mode: str='inject', slice_sense: bool=True, rules: dict | None=None, placebo: Bank | None=None, toolset: str='handles', tools: Sequence[Callable]=(), retriever: Retriever | None=None, min_score: float | None=None, cite: bool=False):
        self.specs = find_layers(layers)
        self.layers = tuple((s.name for s in self.specs))
        _check_mode(mode, toolset, self.layers)
        self.budget = layer_budgets(profile, budget, self.specs)
        self.mode = mode
        self.toolset = toolset
        self.slice_sense = slice_sense
        self.rules = rules
        self.placebo = placebo
        self.tools = tuple(tools)
        self.retriever = retriever
        self.min_score = min_score
        self.cite = cite
        self._packed = {}

    def __repr__(self):
        ...

    def _pack(self, spec, given):
        """One layer; packed once per graph and guide where it depends on nothing else"""

    def _base_text(self, graph):
        """What every arm with these tools is told"""

    def _packed_for_mode(self, spec, given):
        """A layer, of which mode `tools` leaves the titles of memory; None where there are none to show"""

    def build(self, task: object, graph: Graph, bank: Bank | list[Item] | None=None, guide: str | None=None) -> Context:
        """The context of one task: base first, then each layer that is on, each inside its budget"""
_NEEDED = dict(bank='pass bank=seed_bank() or your own.', guide='pass guide=text, from a file or written by a model.')
_VARIES = ('question', 'focus', 'bank')

def _check_given(spec, given):
    """Refuse to make a layer if its bank or its guide is missing"""
