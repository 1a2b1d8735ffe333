"""Networks and their graphs, made from the tables of parts: what the parity tests run over."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from heedful.config import Config
from heedful.data.features import Features, Item, TextPair
from heedful.data.input_spec import InputSpec
from heedful.network.build import build_network
from heedful.network.encoders.parts import ENCODERS
from heedful.network.heads.parts import HEADS
from heedful.network.network import Network
from heedful.network.poolers.parts import POOLERS
from heedful.network.scores.parts import SCORES
from heedful.network.wrappers.parts import WRAPPERS
from heedful.network.write import onnx_graph
from heedful.store.weights import rounded

SIZES = {
    "embed_width": 6, "units": 6, "n_hops": 3, "attention_width": 4, "hidden": 7, "row_units": 3, "column_units": 2,
    "n_heads": 2, "n_layers": 2, "inner_units": 9, "vector_width": 8, "gate_units": 5,
}  # fmt: skip
SHAPES = {  # an input for every front
    "embed": InputSpec(n_ids=12),
    "one_hot": InputSpec(n_ids=12, is_one_hot=True),
    "scaled": InputSpec(width=5),
    "word_chars": InputSpec(n_ids=12, n_letters=9, letter_width=5),
    "word_pieces": InputSpec(
        n_ids=12, n_letters=9, letter_width=5, n_pieces=20, piece_width=6, piece_units=3, front="word_pieces"
    ),
    "environments": InputSpec(width=5, n_surroundings=9, n_radii=3, front="environments"),
}
GRAPHS = {name: replace(SHAPES[name], n_links=6) for name in ("scaled", "environments")}
PER_TOKEN = {"pooler": "each", "head": "tag", "score": "general"}


@dataclass(frozen=True)
class GraphCase:
    """Settings, input and size of a graph."""

    settings: dict[str, Any] = field(default_factory=dict)
    shape: InputSpec = SHAPES["embed"]
    n_classes: int = 4
    small: bool = False

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in self.settings.items()]
        words += [self.shape.front, f"{self.n_classes} classes", *(["small"] if self.small else [])]
        return " ".join(words)

    @property
    def features(self) -> list[Features]:
        """Four inputs, one of them empty; for pairs, each with each."""
        single = list(inputs_of(self.shape))
        if HEADS[self.settings.get("head", "linear")].needs_two_texts:
            return [TextPair(a, b) for a, b in itertools.product(single, single)]
        return single

    def made(self) -> tuple[Network, bytes]:
        """Return the network, shaken so that every number counts, and its graph."""
        model = Config().changed(**{**SIZES, **self.settings}).model
        network = build_network(model, shape=self.shape, n_classes=self.n_classes, seed=1).eval().requires_grad_(False)
        shake(network)
        weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
        if self.small:
            weights = rounded(weights)
            network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
        return network, onnx_graph(model, weights, shape=self.shape, small=self.small)


def shake(network: Network) -> None:
    """Make attention less even, and zeros and ones of fresh layers other numbers; what is looked up stays."""
    generator = torch.Generator().manual_seed(2)
    for name, tensor in network.state_dict().items():
        if name.startswith("pooler"):
            tensor.mul_(2.0)
        elif not name.startswith("embed") or name in ("embed.mean", "embed.spread"):
            tensor.add_(0.1 * torch.randn(tensor.shape, generator=generator))


def inputs_of(shape: InputSpec) -> Iterator[Any]:
    """Yield inputs of 5, 1, 0 and 3 tokens."""
    random = np.random.default_rng(0)
    for n in (5, 1, 0, 3):
        near = (np.arange(n)[:, None] + np.arange(3)) % max(1, n)  # itself, and the two after it
        links = random.integers(0, max(1, shape.n_links), (n, 3)) * (np.arange(3) < n)  # nobody is there twice
        links[:, :1] = 1
        arrays = {
            "ids": random.integers(1, 12, n).astype(np.int32),
            "vectors": random.normal(size=(n, shape.width)).astype(np.float32),
            "letters": random.integers(2, 9, (n, 7)) * (np.arange(7) < random.integers(1, 8, (n, 1))),
            "pieces": random.integers(1, 20, (n, 4)) * (np.arange(4) < random.integers(1, 5, (n, 1))),
            "surroundings": random.integers(1, 9, (n, 3)),
            "near": near,
            "links": links,
        }
        yield arrays["ids"] if shape.names == ("ids",) else Item({name: arrays[name] for name in shape.names})


def reads(encoder: str) -> InputSpec:
    """Return an input that an encoder can read."""
    return GRAPHS["scaled"] if ENCODERS[encoder].needs_neighbours else SHAPES["embed"]


def every_case() -> Iterator[GraphCase]:
    """Yield every part of the tables, in the pairs of kinds that meet in a graph."""
    yield from encoders_with_poolers()
    yield from heads_with_poolers_and_encoders()
    yield from encoders_in_wrappers()
    yield from fronts_with_encoders()
    yield from scores_with_poolers()
    yield from small_graphs()


def encoders_with_poolers() -> Iterator[GraphCase]:
    for encoder, pooler in itertools.product(ENCODERS, POOLERS):
        per_token = PER_TOKEN if POOLERS[pooler].row_per_token else {}
        yield GraphCase({"encoder": encoder, "pooler": pooler, **per_token}, reads(encoder))


def heads_with_poolers_and_encoders() -> Iterator[GraphCase]:
    for head, part in HEADS.items():
        for pooler in POOLERS:
            if POOLERS[pooler].row_per_token == part.row_per_token:
                yield GraphCase({"head": head, "pooler": pooler}, n_classes=1 if part.needs_two_texts else 3)
        if not part.row_per_token:
            for encoder in ENCODERS:
                yield GraphCase({"head": head, "encoder": encoder, "keep_words": True}, reads(encoder))
    yield GraphCase({**PER_TOKEN, "crf": True})


def encoders_in_wrappers() -> Iterator[GraphCase]:
    for chosen in itertools.product([False, True], repeat=len(WRAPPERS)):
        wrappers = dict(zip(WRAPPERS, chosen, strict=True))
        for encoder in ENCODERS:
            yield GraphCase({"encoder": encoder, **wrappers}, reads(encoder))
        yield GraphCase({"encoder": "bilstm", "pooler": "last", **wrappers})
        yield GraphCase({"encoder": "static", **wrappers}, SHAPES["scaled"])


def fronts_with_encoders() -> Iterator[GraphCase]:
    for encoder, part in ENCODERS.items():
        for shape in (GRAPHS if part.needs_neighbours else SHAPES).values():
            yield GraphCase({"encoder": encoder}, shape)
            yield GraphCase({"encoder": encoder, "keep_words": True, **PER_TOKEN, "crf": True}, shape)


def scores_with_poolers() -> Iterator[GraphCase]:
    for score in SCORES:
        for encoder, keep_words in itertools.product(["static", "bilstm"], [False, True]):
            yield GraphCase({"score": score, "encoder": encoder, "keep_words": keep_words})
            yield GraphCase({**PER_TOKEN, "score": score, "encoder": encoder, "keep_words": keep_words})
        for places in (False, True):
            yield GraphCase({"encoder": "transformer", "self_score": score, "places": places})
    for units, n_heads, n_layers in ((5, 1, 1), (6, 3, 3), (1, 1, 1), (8, 8, 2)):
        sizes = {"units": units, "n_heads": n_heads, "n_layers": n_layers}
        yield GraphCase({"encoder": "transformer", "head": "vector", **sizes})


def small_graphs() -> Iterator[GraphCase]:
    for encoder, keep_words in itertools.product(ENCODERS, [False, True]):
        yield GraphCase({"encoder": encoder, "keep_words": keep_words, "head": "vector"}, reads(encoder), small=True)
    for head, part in HEADS.items():
        yield GraphCase(PER_TOKEN if part.row_per_token else {"head": head}, small=True)
    for encoder, score in itertools.product(["static", "bilstm"], SCORES):
        yield GraphCase({"encoder": encoder, "score": score, "head": "vector"}, small=True)
