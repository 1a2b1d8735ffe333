"""One tiny model of words and one of sub-words, trained once, for every test that needs a model."""

from __future__ import annotations

import os

# Before the libraries are imported, and for child processes too: with matrices this small, threads only wait for each
# other, and beside a second worker they take its core.
os.environ.update(
    dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LANCE_CPU_THREADS"), "1")
)

import random
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import hypothesis
import onnxruntime
import pytest
from tests.made_once import made_once

from heedful.config import Config
from heedful.data.example import Example
from heedful.runtime.model import Model, load

# Tests read what a pipe gets: plain text, 80 columns wide, whatever the shell or the CI around them asks for.
for _name in ("FORCE_COLOR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS", "PYTHON_COLORS", "COLORTERM",
              "TTY_COMPATIBLE", "TTY_INTERACTIVE", "LINES"):  # fmt: skip
    os.environ.pop(_name, None)
os.environ.update(TERM="xterm", COLUMNS="80")

# The same cases in every run: what CI finds, a developer finds too. For new cases: pytest --hypothesis-seed=random
hypothesis.settings.register_profile("heedful", derandomize=True, deadline=None)
hypothesis.settings.load_profile("heedful")

TINY = {"units": 8, "n_hops": 3, "epochs": 2, "embed_width": 12, "attention_width": 8, "batch_size": 8, "lr": 0.02}
FILLERS = ["the", "parcel", "came", "on", "monday", "and", "it", "was", "for", "my", "sister", "near", "town"]
TINY_ENCODER = {
    "encoder": "bilstm", "units": 8, "n_hops": 2, "embed_width": 12, "attention_width": 8, "vector_width": 16,
    "vocab_size": 150, "min_count": 1, "epochs": 2, "batch_size": 16, "lr": 0.01, "n_layers": 1, "n_heads": 2,
    "inner_units": 16,
}  # fmt: skip
SIGNS = {"bad": ["awful", "slow", "broken", "worst"], "good": ["great", "lovely", "quick", "best"]}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Let pytest-xdist give a worker a whole file, or all files whose tests start several processes."""
    from tests.workers import scheduler

    return scheduler(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let workers begin with what takes longest: what comes last is short, and none waits for another."""
    from tests.workers import SEVERAL_PROCESSES, group_of

    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: (group_of(item.nodeid) != SEVERAL_PROCESSES, item.path not in slow))


class OneThread(onnxruntime.SessionOptions):
    """Options of a session of ONNX Runtime: one thread, where no other number is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.intra_op_num_threads = 1


onnxruntime.SessionOptions = OneThread


def make_examples(n: int, *, seed: int = 0) -> list[Example]:
    """Return short texts, half of them good; one word in each tells."""
    rng = random.Random(seed)
    made = []
    for i in range(n):
        label = ("bad", "good")[i % 2]
        words = rng.choices(FILLERS, k=rng.randint(2, 9))
        words.insert(rng.randrange(len(words)), rng.choice(SIGNS[label]))
        made.append(Example(" ".join(words), label))
    return made


def train_tiny(out: Path, **settings: object) -> Path:
    """Train on 120 texts."""
    from heedful.jobs.train.train import train_model

    made = make_examples(120)
    train_model(Config().changed(**{**TINY, **settings}), out, examples=(made[:100], made[100:]))
    return out


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder: words, two labels, three hops. Not to be changed."""
    return made_once(tmp_path_factory, "words", lambda home: train_tiny(home / "tiny")) / "tiny"


@pytest.fixture(scope="session")
def tiny_model(tiny_folder: Path) -> Model:
    return load(tiny_folder, threads=1)


@pytest.fixture(scope="session")
def subword_model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model of sub-words with so few of them that most words are in pieces."""
    few = {"tokens": "subwords", "vocab_size": 45}
    home = made_once(tmp_path_factory, "subwords", lambda home: train_tiny(home / "tiny", **few))
    return load(home / "tiny", threads=1)


@pytest.fixture(scope="session")
def wide_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder with n-grams beside a BiLSTM. Not to be changed."""
    return made_once(tmp_path_factory, "wide", lambda home: train_tiny(home / "tiny", ngrams=5_000)) / "tiny"


@pytest.fixture(scope="session")
def wide_model(wide_folder: Path) -> Model:
    return load(wide_folder, threads=1)


@pytest.fixture(scope="session")
def pretrained_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an encoder that has learned a little, with all that training writes. Not to be changed."""
    from heedful.jobs.encoders.encoder import encoder_config
    from heedful.jobs.encoders.pretrain import pretrain_model

    def pretrain(home: Path) -> None:
        (home / "corpus.txt").write_text("\n".join(example.text for example in make_examples(80, seed=7)))
        pretrain_model(encoder_config(train=str(home / "corpus.txt"), **TINY_ENCODER), home / "encoder")

    return made_once(tmp_path_factory, "pretrained", pretrain) / "encoder"


@pytest.fixture(scope="session")
def pretrained(pretrained_folder: Path) -> Model:
    return load(pretrained_folder, threads=1)


@pytest.fixture(scope="session")
def encoder_settings() -> dict[str, object]:
    """Settings of a tiny encoder of any kind."""
    return dict(TINY_ENCODER)


@pytest.fixture
def tiny_copy(tiny_folder: Path, tmp_path: Path) -> Path:
    """A copy of the model folder, to be damaged."""
    return Path(shutil.copytree(tiny_folder, tmp_path / "copy"))


@pytest.fixture(scope="session")
def examples() -> Callable[..., list[Example]]:
    return make_examples


@pytest.fixture(scope="session")
def tiny_settings() -> dict[str, object]:
    return dict(TINY)


@pytest.fixture(scope="session")
def write_csv() -> Callable[[Path, Sequence[Example]], Path]:
    def write(path: Path, rows: Sequence[Example]) -> Path:
        path.write_text("text,label\n" + "".join(f"{row.text},{row.label}\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def reseal() -> Callable[[Path], None]:
    """Write the digests of a folder's files into its facts.json: what a stranger who crafts a folder does too."""
    from benchmarks import crafted

    return crafted.reseal


@pytest.fixture
def limited_files() -> Callable[[int], AbstractContextManager[None]]:
    """Let no file grow beyond so many bytes, as a full disk does: what is written past it is an OSError."""
    resource = pytest.importorskip("resource")

    @contextmanager
    def limited(most: int) -> Iterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, before)

    return limited
