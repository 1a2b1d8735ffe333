"""A graph with several hops can be asked for the answer without some of them; not asked, it answers with all."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import feed, pad
from heedful.network.build import build_network
from heedful.network.encoders.parts import ENCODERS
from heedful.network.heads.parts import HEADS
from heedful.network.masks import mask_of
from heedful.network.scores.parts import SCORES
from heedful.network.write import onnx_graph
from heedful.runtime.session import Session

SIZES = {"embed_width": 6, "units": 6, "n_hops": 3, "attention_width": 4, "hidden": 7, "n_heads": 2, "vector_width": 8}
TEXTS = [np.array(ids, dtype=np.int32) for ids in ([2, 3, 4, 5, 6], [7], [], [8, 9, 2])]
OF_TEXTS = [name for name, part in ENCODERS.items() if not part.needs_neighbours]
ANSWER_HEADS = [name for name, part in HEADS.items() if part.can_lack_hops]
OUTPUTS = ("scores", "rows", "weights")


def made(**settings):
    model = Config().changed(**{**SIZES, **settings}).model
    network = build_network(model, n_ids=12, n_classes=4).eval().requires_grad_(False)
    return network, onnx_graph(model, {name: t.numpy() for name, t in network.state_dict().items()})


def run(session, keep=None):
    """Return all outputs, straight from ONNX Runtime."""
    given = {} if keep is None else {"keep": np.asarray(keep, np.float32)}
    return session._session.run(list(OUTPUTS), {**feed(pad(TEXTS, range(len(TEXTS)))), **given})


@pytest.mark.parametrize(
    ("encoder", "score", "head"),
    [*itertools.product(OF_TEXTS, ["additive"], ANSWER_HEADS), *(("bilstm", s, "pruned") for s in SCORES)],
)
def test_without_a_hop_the_answer_is_that_of_the_head_without_its_row(encoder, score, head):
    network, graph = made(encoder=encoder, score=score, head=head)
    session, batch = Session(graph, outputs=OUTPUTS), pad(TEXTS, range(len(TEXTS)))
    whole = network(torch.from_numpy(batch.ids), mask_of(torch.from_numpy(batch.lengths), batch.ids.shape[1]))
    for hop in range(3):
        kept = np.ones((1, 3, 1))
        kept[:, hop] = 0
        scores, rows, weights = run(session, kept)
        expected = whole.rows * torch.from_numpy(kept).float()
        assert not rows[:, hop].any() and not weights[:, hop].any()
        np.testing.assert_allclose(rows, expected, atol=1e-5)
        np.testing.assert_allclose(scores, network.head(expected), atol=1e-5)


def test_each_text_of_a_batch_can_be_asked_without_another_hop():
    session = Session(made()[1], outputs=OUTPUTS)
    keep = 1.0 - np.eye(4, 3)[:, :, None]  # the last with all
    together, whole = run(session, keep), run(session)
    np.testing.assert_array_equal(together[0][3], whole[0][3])
    for hop in range(3):
        alone = run(session, keep[hop : hop + 1])
        np.testing.assert_allclose(together[0][hop], alone[0][hop], atol=1e-6)


@pytest.mark.parametrize(("encoder", "head"), list(itertools.product(OF_TEXTS, ANSWER_HEADS)))
def test_one_text_is_encoded_once_and_answered_many_times(encoder, head):
    session, keep = Session(made(encoder=encoder, head=head)[1], outputs=OUTPUTS), 1.0 - np.eye(4, 3)[:, :, None]
    for i in range(len(TEXTS)):
        batch = feed(pad(TEXTS, [i]))
        for n in (4, 1, 4):  # what was planned for one number of answers holds for another
            found = session._session.run(list(OUTPUTS), {**batch, "keep": keep[:n].astype(np.float32)})
            assert [len(array) for array in found] == [n] * 3
            for hop in range(n):
                alone = session._session.run(list(OUTPUTS), {**batch, "keep": keep[hop : hop + 1].astype(np.float32)})
                for ours, theirs in zip(found, alone, strict=True):
                    np.testing.assert_allclose(ours[hop], theirs[0], atol=1e-6)


def test_ones_change_nothing():
    session = Session(made()[1], outputs=OUTPUTS)
    for given, not_given in zip(run(session, np.ones((4, 3, 1))), run(session), strict=True):
        np.testing.assert_array_equal(given, not_given)


@pytest.mark.parametrize(
    ("settings", "takes"),
    [
        ({}, True),
        ({"score": "dot"}, True),
        ({"encoder": "static"}, True),
        ({"n_hops": 1}, False),
        *(({"pooler": pooler}, False) for pooler in ("mean", "max", "last")),
        *(({"head": head}, False) for head in ("vector", "gated", "bilinear", "concat", "likeness")),
        ({"pooler": "each", "head": "tag"}, False),
    ],
)
def test_only_answers_from_several_hops_of_one_text_can_do_without_one(settings, takes):
    _, graph = made(**settings)
    answer = "vector" if settings.get("head") == "vector" else "scores"
    session = Session(graph, outputs=(answer, "rows", "weights"))
    assert session.defaults == ({"keep": ["one or answers", 3, 1]} if takes else {})
