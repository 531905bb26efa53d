# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.ground.extras import need
import numpy as np
import os
from rbkit.ground.settings import setting
'A text becomes a row of numbers, so that texts can be compared without sharing a word'
__all__ = ['unit', 'Embedder', 'check_embedder', 'pieces', 'Hash', 'LSA', 'EmbeddingEndpoint']

def unit(rows: np.ndarray) -> np.ndarray:
    """Vectors scaled to length 1; a vector of zeros stays one"""

class Embedder:
    """Texts to vectors of length 1. A subclass sets `name` and `dims` and defines `rows(texts)`, vectors of any length"""
    name = ''
    dims = 0
    fits = False
    local = True
    least = 0.0
    by_chance = 0.0

    def __repr__(self):
        ...

    def __deepcopy__(self, memo):
        ...

    def parts(self, text: str) -> list[str]:
        """The parts of a text that is too long for one vector"""

    def embed(self, texts: list[str]) -> np.ndarray:
        """One vector of length 1 per text, in order; zeros for a text that holds nothing"""
_ODD_TEXTS = ('', ' \n', 'plain words', 'Ünïcode ½ straße', '人口最多的城市', '🦊🌍', 'a\x00b \ud800', '() ?!', 'word ' * 600)

def check_embedder(e: Embedder) -> None:
    """Assert what a retriever relies on: shapes, lengths, blank texts, and vectors that do not depend on the batch"""

def _runs(word):
    """The runs of characters in a word; a word in another script than Latin has shorter ones"""

def pieces(text: str) -> list[str]:
    """The parts by which `Hash` and `LSA` know a text"""

class Hash(Embedder):
    """Pieces hashed to places and signs: nothing is learned, and every process agrees"""
    by_chance = 0.5
    least = 0.155

    def __init__(self, dims: int=512):
        text = need('sklearn.feature_extraction.text', 'A hash of pieces')
        if dims < 1:
            raise ValueError(f'dims={dims!r}; give 1 or more.')
        self.name = f'hash-{dims}'
        self.dims = dims
        self._hash = text.HashingVectorizer(analyzer=pieces, n_features=dims, norm=None)

    def rows(self, texts: list[str]) -> np.ndarray:
        """Signed counts on a logarithmic scale"""

class LSA(Embedder):
    """TF-IDF reduced to its strongest directions, learned from the texts that are to be found"""
    fits = True
    by_chance = 0.9

    def __init__(self, dims: int=128, seed: int=0):
        if dims < 1:
            raise ValueError(f'dims={dims!r}; give 1 or more.')
        self.most = dims
        self.seed = seed
        self.name = 'lsa, not fitted'

    def rows(self, texts: list[str]) -> np.ndarray:
        """Coordinates of the texts along the directions"""

    def fit(self, texts: list[str]) -> LSA:
        """Learn from these texts; earlier vectors are void. Raises ValueError for fewer than 3 texts"""

class EmbeddingEndpoint(Embedder):
    """An embeddings server, through dspy"""
    local = False

    def __init__(self, model: str, batch: int=64, timeout_secs: float | None=None):
        if not model:
            raise ValueError('No model named; give service:MODEL, as service:openai/text-embedding-3-small.')
        self.model = model if '/' in model else f'openai/{model}'
        self.name = f'service:{self.model}'
        self._dims = 0
        base = setting('api_base')
        key = f"{self.model.split('/')[0].upper()}_API_KEY"
        if key == 'OPENAI_API_KEY' and (not base) and (not os.environ.get(key)):
            raise ValueError(f'{self.name} needs a key: set {key}, or RBKIT_API_BASE for a local server.')
        self.options = dict(batch_size=batch, timeout=setting('request_timeout_secs', timeout_secs), max_retries=2)
        if key == 'OPENAI_API_KEY':
            self.options['encoding_format'] = 'float'
        if base:
            self.options.update(api_base=base, api_key=os.environ.get(key) or 'none')

    @property
    def dims(self) -> int:
        """Numbers per vector; the server is asked once"""

    def rows(self, texts: list[str]) -> np.ndarray:
        """One vector per text. Raises RuntimeError when offline, ConnectionError where the server fails or answers wrongly"""
