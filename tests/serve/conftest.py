"""Tiny models of every kind, and servers of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.made_once import made_once
from tests.serve.running import WORDS, Running

from heedful.config import Config
from heedful.runtime.model import Model, load
from heedful.store import folder
from heedful.store.metadata import Facts
from heedful.text.vocab import Vocab

TINY = {
    "start": "none", "encoder": "static", "embed_width": 8, "n_hops": 2, "attention_width": 8, "batch_size": 16,
    "epochs": 1, "lr": 0.01, "dropout": 0.0, "word_dropout": 0.0, "penalty": 0.0,
}  # fmt: skip


def make_encoder(path: Path, *, seed: int = 0) -> Path:
    """Write the folder of an encoder of two layers, with random weights."""
    import tomli_w

    from heedful.network.build import build_network
    from heedful.network.write import onnx_graph
    from heedful.store.weights import weights_file

    settings = {
        "encoder": "transformer", "head": "vector", "embed_width": 8, "n_hops": 2, "attention_width": 4,
        "vector_width": 8, "n_heads": 2, "n_layers": 2, "inner_units": 8, "max_tokens": 40,
    }  # fmt: skip
    config = replace(Config().changed(**settings), task="embed")
    vocab = Vocab(list(dict.fromkeys(WORDS.split())))
    network = build_network(config.model, n_ids=len(vocab), seed=seed).eval()
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    facts = Facts(labels=(), n_hops=2, width=int(network.encoder.width), heedful="0")
    files = {
        folder.CONFIG: tomli_w.dumps(config.to_dict()).encode(),
        folder.FACTS: facts.to_json().encode(),
        folder.VOCAB: vocab.to_json().encode(),
        folder.GRAPH: onnx_graph(config.model, weights),
        folder.WEIGHTS: weights_file(weights, small=False),
    }
    folder.write_folder(path, files)
    return path


def _lines(head: str, row: Callable[[random.Random], str], n: int = 60) -> str:
    rng = random.Random(0)
    return "\n".join([head, *(row(rng) for _ in range(n))]) + "\n"


def _some(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS.split(), k=5))


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> dict[str, Path]:
    """A model of every kind. They learned nothing, but they answer."""
    from heedful.jobs.train.train import train_model

    files = {
        "many": _lines("text,late,lovely", lambda rng: f"{_some(rng)},{rng.randrange(2)},{rng.randrange(2)}"),
        "price": _lines("text,price", lambda rng: f"{_some(rng)},{rng.randrange(900, 1100)}"),
        "pair": _lines(
            "premise,hypothesis,label", lambda rng: f"{_some(rng)},{_some(rng)},{rng.choice(('same', 'other'))}"
        ),
        "tagger": "token\ttag\n\n" + "Kim\tB-per\nsaw\tO\nOslo\tB-loc\n\n" * 30,
    }
    more: dict[str, dict[str, object]] = {
        "many": {"label": "late,lovely"},
        "price": {"task": "regress", "label": "price"},
        "pair": {"task": "pair", "gate_units": 8, "hidden": 8},
        "tagger": {"task": "tag", "encoder": "bilstm", "units": 8, "letters": 8},
    }

    def train_all(home: Path) -> None:
        for name, text in files.items():
            file = home / (f"{name}.tsv" if name == "tagger" else f"{name}.csv")
            file.write_text(text, encoding="utf-8")
            train_model(Config().with_given(**{**TINY, **more[name]}, train=str(file)), home / name)
        make_encoder(home / "encoder")

    home = made_once(tmp_path_factory, "served", train_all)
    return {"tiny": tiny_folder, **{name: home / name for name in (*files, "encoder")}}


@pytest.fixture(scope="session")
def models(folders: dict[str, Path]) -> dict[str, Model]:
    """The same models, here."""
    return {name: load(path, threads=1) for name, path in folders.items()} | {
        name: load(name, threads=1) for name in ("en-tiny", "en-base")
    }


@pytest.fixture(scope="session")
def index_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from heedful.search.index import Index

    rng = random.Random(1)
    rows = [{"id": f"r{i}", "text": _some(rng), "stars": i % 5} for i in range(60)]
    home = made_once(tmp_path_factory, "search", lambda home: Index.create(home / "reviews.index", "en-tiny").add(rows))
    return home / "reviews.index"


@pytest.fixture(scope="session")
def server(folders: dict[str, Path], index_folder: Path) -> Iterator[Running]:
    """A server of all of them, for tests that leave it as it was."""
    limits = ("--explain-tokens", "1000", "--gradients")
    with Running(*folders.values(), "en-tiny", "en-base", "--index", index_folder, *limits) as it:
        yield it
        assert it.process.poll() is None
        assert "Traceback" not in it.log
        assert '"level": "error"' not in it.log


@pytest.fixture
def start(tiny_folder: Path) -> Iterator[Callable[..., Running]]:
    """Start a server that a test may stop: of the tiny classifier, if no model is given."""
    running: list[Running] = []

    def begin(*given: str | Path, key: str | None = None, env: dict[str, str] | None = None) -> Running:
        models = given if given and not str(given[0]).startswith("--") else (tiny_folder, *given)
        running.append(Running(*models, key=key, env=env))
        return running[-1]

    yield begin
    for each in running:
        each.__exit__()
