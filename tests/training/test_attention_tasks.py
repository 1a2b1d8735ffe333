"""Two tasks that only attention can solve: learning is tested, and where the model looks."""

import numpy as np
import pytest
import torch

from heedful.config import Config
from heedful.data.batch import pad
from heedful.network.build import build_network
from heedful.network.masks import mask_of
from heedful.tasks.classify.goal import ClassifyGoal, LabelledSet
from heedful.training.loop.loss import ClassifyLoss
from heedful.training.loop.trainer import Trainer

ANSWERS = 8  # ids 2..9 are the marked tokens
NOISE = 500  # ids 10..509 are all others
# A BiLSTM can carry a mark away from where it stands, and then attention may find it anywhere. Much noise, few units
# and high dropout make that hard, so that the mark itself is where to look (5 of 5 seeds).
CONFIG = Config().changed(
    embed_width=16, units=12, n_hops=2, attention_width=16, row_units=16, column_units=2, batch_size=32, epochs=20,
    patience=20, lr=0.01, dropout=0.6, word_dropout=0.0, penalty=0.0,
)  # fmt: skip


def find_the_mark(n: int, seed: int) -> tuple[LabelledSet, list[set[int]]]:
    """Twenty tokens, one of them marked: which of the eight is it?"""
    rng = np.random.default_rng(seed)
    features, truth, marks = [], [], []
    for _ in range(n):
        ids = noise(rng)
        at, label = int(rng.integers(20)), int(rng.integers(ANSWERS))
        ids[at] = 2 + label
        features.append(ids)
        truth.append(label)
        marks.append({at})
    return LabelledSet(features, np.array(truth)), marks


def which_comes_first(n: int, seed: int) -> tuple[LabelledSet, list[set[int]]]:
    """Twenty tokens, two of them marked: which comes first? The words are the same either way."""
    rng = np.random.default_rng(seed)
    features, truth, marks = [], [], []
    for _ in range(n):
        ids = noise(rng)
        first, second = sorted(rng.choice(20, size=2, replace=False))
        label = int(rng.integers(2))
        ids[first], ids[second] = (2, 3) if label == 0 else (3, 2)
        features.append(ids)
        truth.append(label)
        marks.append({int(first), int(second)})
    return LabelledSet(features, np.array(truth)), marks


def noise(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(10, 10 + NOISE, size=20).astype(np.int32)


def learn(make, n_classes: int, **settings):
    config = CONFIG.changed(**settings)
    train, _ = make(1500, 0)
    valid, marks = make(300, 1)
    labels = [str(i) for i in range(n_classes)]
    network = build_network(config.model, n_ids=10 + NOISE, n_classes=n_classes, seed=config.train.seed)
    goal = ClassifyGoal(train, valid, labels=labels, error=ClassifyLoss(coefficient=0.0))
    trainer = Trainer(network, goal, settings=config.train)
    result = trainer.run()
    network.load_state_dict(dict(result.weights))
    return max(r.metrics["accuracy"] for r in result.records), share_on_mark(network, valid, marks)


def share_on_mark(network, valid: LabelledSet, marks: list[set[int]]) -> float:
    """Return how often the largest overall weight lies on a marked token."""
    batch = pad(valid.features, range(len(valid)))
    ids = torch.from_numpy(batch.ids)
    with torch.inference_mode():
        weights = network.eval()(ids, mask_of(torch.from_numpy(batch.lengths), ids.shape[1])).weights
    top = weights.sum(1).argmax(1).tolist()
    return float(np.mean([position in marked for position, marked in zip(top, marks, strict=True)]))


@pytest.mark.slow
def test_attention_finds_the_marked_token():
    accuracy, on_mark = learn(find_the_mark, ANSWERS, encoder="static", epochs=8, dropout=0.2)
    assert accuracy == 1.0
    assert on_mark == 1.0


@pytest.mark.slow
def test_attention_tells_which_of_two_marked_tokens_comes_first():
    accuracy, on_mark = learn(which_comes_first, 2)
    assert accuracy == 1.0
    assert on_mark == 1.0


@pytest.mark.slow
def test_without_context_the_order_cannot_be_told():
    """The premise of the task above: the bag of words does not have the answer."""
    accuracy, _ = learn(which_comes_first, 2, encoder="static", epochs=4)
    assert accuracy < 0.65
