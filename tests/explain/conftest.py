"""Tiny encoders, not trained: what they add up to does not depend on what they learnt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tomli_w

from heedful import __version__
from heedful.config import Config
from heedful.data.featuriser import Featuriser
from heedful.inputs.text.featuriser import SubwordFeaturiser, WordFeaturiser
from heedful.network.build import build_network
from heedful.network.write import onnx_graph
from heedful.runtime.model import Model, load
from heedful.store import folder
from heedful.store.metadata import Facts
from heedful.store.weights import weights_file
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.text.wordpiece import WordPieceTokeniser

WORDS = ["the", "parcel", "package", "came", "arrived", "on", "monday", "today", "great", "awful", "broken", "lovely"]
SIZES = {"embed_width": 10, "units": 6, "n_hops": 3, "attention_width": 7, "vector_width": 8, "head": "vector"}
VARIANTS: dict[str, dict[str, object]] = {
    "static": {"encoder": "static"},
    "bilstm": {"encoder": "bilstm", "keep_words": True},
    "static subwords": {"encoder": "static", "tokens": "subwords"},
    "bilstm subwords": {"encoder": "bilstm", "keep_words": True, "tokens": "subwords"},
    "transformer": {"encoder": "transformer", "n_heads": 3, "n_layers": 2, "inner_units": 9},
    "transformer subwords": {
        "encoder": "transformer",
        "n_heads": 2,
        "n_layers": 3,
        "inner_units": 9,
        "keep_words": True,
        "tokens": "subwords",
    },
    "mean": {"encoder": "static", "pooler": "mean"},
    "max": {"encoder": "static", "pooler": "max"},
}


def featuriser_of(config: Config) -> Featuriser:
    """Return one that knows WORDS, or so few sub-words that most of them are in pieces."""
    if config.text.tokens == "subwords":
        return SubwordFeaturiser(WordPieceTokeniser.trained(WORDS, size=45), max_tokens=60)
    return WordFeaturiser(WordTokeniser(), Vocab(WORDS), max_tokens=60)


def write_encoder(out: Path, *, small: bool = False, **settings: object) -> Path:
    """Write the folder of an encoder."""
    config = Config(task="embed").changed(**{**SIZES, "max_tokens": 60, **settings})
    featuriser = featuriser_of(config)
    network = build_network(config.model, n_ids=len(featuriser), seed=3).eval()
    weights = {name: t.numpy() for name, t in network.state_dict().items()}
    graph = onnx_graph(config.model, weights, small=small)
    facts = Facts((), int(network.pooler.n_hops), int(network.encoder.width), __version__)
    ((name, vocab),) = folder.featuriser_files(featuriser).items()
    files = {
        folder.CONFIG: tomli_w.dumps(config.to_dict()).encode(),
        folder.FACTS: facts.to_json().encode(),
        name: vocab,
        folder.GRAPH: graph,
        folder.WEIGHTS: weights_file(weights, small=small),
    }
    folder.write_folder(out, files)
    return out


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Model]:
    """A function from the name of a variant to its model."""
    made: dict[tuple[str, bool], Model] = {}

    def get(name: str, *, small: bool = False) -> Model:
        if (name, small) not in made:
            out = tmp_path_factory.mktemp("encoder") / "tiny-encoder"
            made[name, small] = load(write_encoder(out, small=small, **VARIANTS[name]), threads=1)
        return made[name, small]

    return get


@pytest.fixture(scope="session", params=["static", "bilstm", "static subwords", "bilstm subwords", "mean"])
def tiny_encoder(request: pytest.FixtureRequest, encoder: Callable[..., Model]) -> Model:
    """Each kind of encoder whose vector is a sum over words."""
    return encoder(request.param)
