"""The two graphs of a translator give in ONNX Runtime what the network gives in torch."""

import numpy as np
import onnxruntime
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.network.heads.decoder_onnx import MEMORY, reader_graph, step_graph
from heedful.network.masks import mask_of
from heedful.network.scores.parts import SCORES
from heedful.tasks.translate.goal import build_translator
from heedful.text.bpe import BOS_EOS

N_IDS, N_TARGET = 12, 9
TEXTS = [np.array(ids, dtype=np.int32) for ids in ([2, 3, 4, 5, 6], [7], [], [8, 9, 2])]
BEFORE = torch.tensor([[BOS_EOS, 3, 4], [BOS_EOS, 5, 6], [BOS_EOS, 7, 8], [BOS_EOS, 3, 3]])


def made(**more):
    width = {"bilstm": 10, "transformer": 6, "static": 6, "cnn": 15}[more.get("encoder", "bilstm")]
    settings = {"units": 6 if more.get("encoder") == "transformer" else 5, "embed_width": 6, "n_heads": 2}
    settings |= {"inner_units": 9, "attention_width": 4, "decoder_units": width}
    model = Config().changed(**{**settings, **more}).model
    network = build_translator(model, n_ids=N_IDS, n_target_ids=N_TARGET).eval().requires_grad_(False)
    for parameter in network.head.parameters():
        parameter.mul_(2.0)  # fresh weights are so small that all tokens look alike
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    return network, *(opened(write(model, weights)) for write in (reader_graph, step_graph))


def opened(graph: bytes):
    return onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(
    "settings",
    [
        *({"score": score} for score in SCORES),
        {"encoder": "transformer", "score": "general"},
        {"encoder": "static", "score": "general"},
        {"encoder": "cnn", "score": "general"},
        {"score": "general", "keep_words": True},
    ],
    ids=lambda settings: " ".join(map(str, settings.values())),
)
def test_reading_and_writing_agree_with_torch(settings):
    network, reader, writer = made(**settings)
    batch = pad(TEXTS, range(len(TEXTS)))
    mask = mask_of(torch.from_numpy(batch.lengths), batch.time)
    expected_states = network.read(torch.from_numpy(batch.ids), mask)
    outs, weights = network.head(expected_states, mask, BEFORE)
    expected = torch.log_softmax(network.head.scores(outs), dim=-1).numpy()
    assert expected.std(axis=-1).min() > 0.05  # the premise: some tokens are more probable than others
    states, *memory = reader.run(["states", *MEMORY], {"ids": batch.ids, "lengths": batch.lengths})
    np.testing.assert_allclose(states[mask.numpy()], expected_states[mask], atol=1e-5)  # on pads they may differ
    for said in range(BEFORE.shape[1]):
        inputs = {"before": BEFORE[:, said : said + 1].numpy(), "states": states, "lengths": batch.lengths}
        inputs |= dict(zip(MEMORY, memory, strict=True))
        scores, *memory, looks = writer.run(
            ["log_probabilities", *(f"next_{name}" for name in MEMORY), "weights"], inputs
        )
        np.testing.assert_allclose(scores[:, 0], expected[:, said], atol=1e-4)
        np.testing.assert_allclose(looks[:, 0], weights[:, said], atol=1e-5)


def test_ways_to_go_on_are_independent():
    _, reader, writer = made(score="general")
    batch = pad(TEXTS, range(len(TEXTS)))
    states, *memory = reader.run(["states", *MEMORY], {"ids": batch.ids, "lengths": batch.lengths})
    rng = np.random.default_rng(0)
    ways = [np.repeat(array, 3, axis=1) + rng.normal(size=(4, 3, array.shape[2])).astype("f4") for array in memory]
    before = rng.integers(0, N_TARGET, size=(4, 3))

    def run(text: slice, way: slice):
        inputs = {"before": before[text, way], "states": states[text], "lengths": batch.lengths[text]}
        inputs |= {name: array[text, way] for name, array in zip(MEMORY, ways, strict=True)}
        return writer.run(["log_probabilities"], inputs)[0]

    together = run(slice(None), slice(None))
    assert np.abs(together[0, 0] - together[0, 1]).max() > 0.01  # the premise: the ways differ
    for text in range(4):
        for way in range(3):
            alone = run(slice(text, text + 1), slice(way, way + 1))
            np.testing.assert_allclose(together[text, way], alone[0, 0], atol=1e-5)
