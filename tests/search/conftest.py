"""A tiny encoder with random weights: its vectors mean nothing, but they are vectors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from heedful.config import Config
from heedful.runtime.model import Model, load
from heedful.store import folder
from heedful.store.metadata import Facts
from heedful.text.vocab import Vocab

TEXTS = (
    "the food came late and cold",
    "a lovely dinner with quick service",
    "my sister lost the broken parcel in town on monday",
    "wine bread soup waiter bill table window rain sun train bus station ticket seat",
)


def make_encoder(path: Path, *, seed: int = 0) -> Path:
    """Write a model folder that turns texts into vectors of 8 numbers."""
    import tomli_w

    from heedful.network.build import build_network
    from heedful.network.write import onnx_graph

    settings = {"encoder": "static", "head": "vector", "embed_width": 8, "n_hops": 2, "attention_width": 4}
    config = replace(Config().changed(**settings, vector_width=8), task="embed")
    vocab = Vocab(list(dict.fromkeys(word for text in TEXTS for word in text.split())))
    network = build_network(config.model, n_ids=len(vocab), seed=seed)
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    facts = Facts(labels=(), n_hops=2, width=8, heedful="0")
    files = {
        folder.CONFIG: tomli_w.dumps(config.to_dict()).encode(),
        folder.FACTS: facts.to_json().encode(),
        folder.VOCAB: vocab.to_json().encode(),
        folder.GRAPH: onnx_graph(config.model, weights),
    }
    folder.write_folder(path, files)
    return path


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture(scope="session")
def encoder(encoder_folder: Path) -> Model:
    return load(encoder_folder, threads=1)


@pytest.fixture(scope="session")
def other_encoder(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load(make_encoder(tmp_path_factory.mktemp("encoder") / "other", seed=1), threads=1)
