"""A tagger that reads pieces gives in ONNX Runtime what it gives in torch."""

import numpy as np
import onnxruntime
import pytest

from heedful.config import Config
from heedful.data.batch import feed, pad
from heedful.data.features import Item
from heedful.network.build import build_network
from heedful.network.parity import check_parity
from heedful.network.write import onnx_graph
from heedful.tasks.tag.word_pieces import PieceShape

SHAPE = PieceShape(n_ids=12, n_letters=9, letter_width=5, n_pieces=20, piece_width=6, piece_units=3)
SIZES = {"embed_width": 6, "units": 4, "n_heads": 2, "inner_units": 9, "attention_width": 5}


def items():
    """Return words of few and many pieces, one text of one word, and one without any."""
    rng = np.random.default_rng(0)
    found = []
    for n in (5, 1, 0, 3):
        pieces = rng.integers(1, 20, (n, 4)) * (np.arange(4) < rng.integers(1, 5, (n, 1)))
        letters = rng.integers(2, 9, (n, 7)) * (np.arange(7) < rng.integers(1, 8, (n, 1)))
        ids = rng.integers(1, 12, n).astype(np.int32)
        found.append(Item({"ids": ids, "letters": letters, "pieces": pieces}))
    return found


def made(encoder: str, *, small: bool = False):
    settings = Config().changed(encoder=encoder, pooler="each", head="tag", score="general", crf=True, **SIZES).model
    network = build_network(settings, shape=SHAPE, n_classes=4).eval().requires_grad_(False)
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    return network, onnx_graph(settings, weights, shape=SHAPE, small=small)


@pytest.mark.parametrize("encoder", ["static", "bilstm", "cnn", "transformer"])
def test_onnx_runtime_agrees_with_torch(encoder):
    assert check_parity(*made(encoder), items()) < 1e-5


def test_padding_and_company_change_nothing():
    session = onnxruntime.InferenceSession(made("bilstm")[1], providers=["CPUExecutionProvider"])
    together = session.run(["scores"], feed(pad(items(), range(4))))[0]
    for i, item in enumerate(items()):
        alone = session.run(["scores"], feed(pad([item], [0])))[0]
        assert np.allclose(together[i, : len(item)], alone[0, : len(item)], atol=1e-6)


def test_the_smallest_input_runs():
    session = onnxruntime.InferenceSession(made("bilstm")[1], providers=["CPUExecutionProvider"])
    scores = session.run(["scores"], feed(pad([SHAPE.smallest()], [0])))[0]
    assert scores.shape == (1, 1, 4) and np.isfinite(scores).all()
