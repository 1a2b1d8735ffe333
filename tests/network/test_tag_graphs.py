"""A tagger gives in ONNX Runtime what it gives in torch, by every score, with and without letters."""

import numpy as np
import onnxruntime
import pytest
import torch
from heedful.network.encoders.encoders_onnx import bilstm_states
from heedful.network.scores_onnx import SCORES

from heedful.config import Config
from heedful.data.batch import feed, pad
from heedful.data.features import Item
from heedful.data.input_spec import InputShape
from heedful.network import build
from heedful.network.encoders.bilstm import BiLstm
from heedful.network.fronts.word_chars import Spelled
from heedful.network.fronts.word_chars_onnx import spelled_vectors
from heedful.network.heads.crf import Crf
from heedful.network.heads.tag_head import TagHead
from heedful.network.heads.tag_head_onnx import tag_scores
from heedful.network.network import Network
from heedful.network.onnx_graph import Graph
from heedful.network.onnx_inputs import declare_inputs
from heedful.network.parity import check_parity
from heedful.network.poolers.per_token import EachToken
from heedful.network.poolers.per_token_onnx import each_pool
from heedful.network.tensors import tensors_of
from heedful.network.write import onnx_graph

WIDTH = 6  # of a state


def items():
    """Return words of many lengths, one text of one word, and one without any."""
    rng = np.random.default_rng(0)
    found = []
    for n in (5, 1, 0, 3):
        letters = rng.integers(2, 9, (n, 7)) * (np.arange(7) < rng.integers(1, 8, (n, 1)))
        found.append(Item({"ids": rng.integers(1, 12, n).astype(np.int32), "letters": letters}))
    return found


def made(score: str, *, hidden: int = 0, crf: bool = False):
    torch.manual_seed(0)
    front = Spelled(12, 4, n_letters=9, units=5, letter_width=3)
    encoder = BiLstm(front.width, WIDTH // 2)
    pooler = EachToken(WIDTH, build.SCORES[score](WIDTH, WIDTH, 4))
    head = TagHead(pooler.row_width, 3, hidden=hidden, crf=Crf(3) if crf else None)
    network = Network(front, encoder, pooler, head).eval().requires_grad_(False)
    for parameter in pooler.parameters():
        parameter.mul_(3.0)
    if crf:
        head.crf.steps.copy_(torch.randn(4, 4))
    return network


def exported(network: Network, score: str) -> bytes:
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    graph = Graph()
    inputs = declare_inputs(graph, ("ids", "letters"))
    x = spelled_vectors(graph, weights, inputs.ids, inputs.arrays["letters"])
    rows, looked = each_pool(score)(graph, weights, bilstm_states(graph, weights, x, inputs), inputs)
    graph.output("scores", tag_scores(graph, weights, rows), ["batch", "time", "label"])
    graph.output("rows", rows, ["batch", "time", "width"])
    graph.output("weights", looked, ["batch", "time", "time"])
    return graph.to_bytes(description="tagger")


def session_of(graph: bytes) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("hidden", [0, 7])
@pytest.mark.parametrize("score", SCORES)
def test_onnx_runtime_agrees_with_torch(score, hidden):
    network = made(score, hidden=hidden)
    batch = pad(items(), range(4))
    theirs = session_of(exported(network, score)).run(["scores", "rows", "weights"], feed(batch))
    ours = network(*tensors_of(batch))
    for a, b in zip((ours.scores, ours.rows, ours.weights), theirs, strict=True):
        assert np.isfinite(b).all()
        assert np.allclose(a.numpy(), b, atol=1e-5)


def test_padding_and_company_change_nothing():
    session = session_of(exported(made("general"), "general"))
    together = session.run(["scores"], feed(pad(items(), range(4))))[0]
    for i, item in enumerate(items()):
        alone = session.run(["scores"], feed(pad([item], [0])))[0]
        assert np.allclose(together[i, : len(item)], alone[0, : len(item)], atol=1e-6)


@pytest.mark.parametrize("letters", [True, False])
@pytest.mark.parametrize("keep_words", [True, False])
@pytest.mark.parametrize("encoder", ["static", "bilstm", "cnn", "transformer"])
def test_a_whole_tagger_over_every_encoder_agrees_with_torch(encoder, keep_words, letters):
    sizes = {"embed_width": 6, "units": 4, "n_heads": 2, "inner_units": 9, "attention_width": 5}
    chosen = {"pooler": "each", "head": "tag", "score": "general", "crf": True}
    settings = Config().changed(encoder=encoder, keep_words=keep_words, **sizes, **chosen).model
    shape = InputShape(n_ids=12, n_letters=9, letter_width=5) if letters else InputShape(n_ids=12)
    network = build.build_network(settings, shape=shape, n_classes=4).eval().requires_grad_(False)
    graph = onnx_graph(settings, {name: t.numpy() for name, t in network.state_dict().items()}, shape=shape)
    features = items() if letters else [item.arrays["ids"] for item in items()]
    assert check_parity(network, graph, features) < 1e-5


def test_the_steps_of_a_crf_are_an_output():
    network = made("dot", crf=True)
    found = session_of(exported(network, "dot")).run(["steps"], feed(pad(items(), range(4))))[0]
    assert np.array_equal(found, network.head.crf.steps.numpy())
    names = [value.name for value in session_of(exported(made("dot"), "dot")).get_outputs()]
    assert "steps" not in names
