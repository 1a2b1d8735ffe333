"""Learning to translate."""

import numpy as np
import pytest
import torch
from torch import nn

from heedful.config import Config
from heedful.data.batch import pad
from heedful.data.features import Item
from heedful.errors import ConfigError
from heedful.network.tensors import tensors_of
from heedful.tasks.translate.goal import TranslateGoal, build_translator, tokens_before
from heedful.tasks.translate.read import TARGET
from heedful.text.bpe import BOS_EOS
from heedful.training.loop.trainer import Trainer

N_IDS = 13  # pad, unknown, BOS and EOS, and ten words
SMALL = Config().changed(
    embed_width=24, units=24, decoder_units=48, score="general", dropout=0.1, word_dropout=0.0, lr=0.01, batch_size=32,
    epochs=12, patience=12,
)  # fmt: skip


def reversed_words(n: int, seed: int, longest: int = 4) -> list[Item]:
    """Return texts whose translation is the same words from the last to the first."""
    rng = np.random.default_rng(seed)
    words = [rng.integers(3, N_IDS, size=rng.integers(1, longest + 1)).astype(np.int32) for _ in range(n)]
    return [Item({"ids": ids, TARGET: np.append(ids[::-1], BOS_EOS).astype(np.int32)}) for ids in words]


def made(config: Config = SMALL):
    return build_translator(config.model, n_ids=N_IDS, n_target_ids=N_IDS, seed=config.train.seed)


def test_scores_are_those_of_the_real_tokens_whatever_the_padding():
    items, network = reversed_words(6, 0), made().eval()
    assert len({len(item) for item in items}) > 1  # the premise: there is padding
    together = network(*tensors_of(pad(items, range(6)))).scores
    alone = torch.cat([network(*tensors_of(pad(items, [i]))).scores for i in range(6)])
    assert together.shape == (sum(len(item.arrays[TARGET]) for item in items), N_IDS)
    assert torch.allclose(together, alone, atol=1e-5)


def test_what_stands_before_each_token_begins_with_an_edge():
    assert tokens_before(torch.tensor([[5, 6, BOS_EOS], [7, BOS_EOS, 0]])).tolist() == [
        [BOS_EOS, 5, 6],
        [BOS_EOS, 7, BOS_EOS],
    ]


def test_the_loss_is_the_smoothed_cross_entropy_of_the_true_tokens():
    items, network = reversed_words(4, 1), made().eval()
    goal = TranslateGoal(items, items, smoothing=0.1)
    positions = np.array([2, 0])
    output = network(*tensors_of(pad(items, positions)))
    chances = torch.log_softmax(output.scores, dim=-1)
    truth = [int(token) for i in positions for token in items[i].arrays[TARGET]]
    right = torch.stack([chances[i, token] for i, token in enumerate(truth)])
    by_hand = -(0.9 * right + 0.1 * chances.mean(dim=-1)).mean()
    assert goal.loss(output, positions).answer.item() == pytest.approx(float(by_hand.detach()), abs=1e-5)


def test_judging_counts_tokens():
    items, network = reversed_words(5, 2), made().eval()
    goal = TranslateGoal(items, items, smoothing=0.1)
    batches = [pad(items, [0, 1, 2]), pad(items, [4, 3])]
    with torch.inference_mode():
        outputs = [(batch, network(*tensors_of(batch))) for batch in batches]
    judged = goal.judge(outputs)
    scores = torch.cat([output.scores for _, output in outputs])
    truth = torch.tensor([int(t) for i in (0, 1, 2, 4, 3) for t in items[i].arrays[TARGET]])
    assert judged.loss == pytest.approx(float(nn.functional.cross_entropy(scores, truth)), abs=1e-5)
    assert judged.metrics["perplexity"] == pytest.approx(np.exp(judged.loss), rel=1e-4)
    assert judged.metrics["token_accuracy"] == pytest.approx(float((scores.argmax(1) == truth).float().mean()))


def test_batches_hold_every_text_once_and_little_padding():
    items = reversed_words(300, 3, longest=12)
    goal = TranslateGoal(items, items, smoothing=0.0)
    batches = goal.batches(SMALL.train, 0)
    assert sorted(np.concatenate(batches).tolist()) == list(range(300))
    lengths = np.array([len(item.arrays[TARGET]) for item in items])
    assert sum(lengths[batch].max() * len(batch) for batch in batches) < 1.15 * lengths.sum()
    assert [b.tolist() for b in batches] == [b.tolist() for b in goal.batches(SMALL.train, 0)]


def test_the_same_seed_gives_the_same_weights():
    first, second = made(), made()
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))


def test_every_parameter_learns():
    items, network = reversed_words(8, 4), made()
    goal = TranslateGoal(items, items, smoothing=0.1)
    goal.loss(network(*tensors_of(pad(items, range(8)))), np.arange(8)).total.backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert (parameter.grad.to_dense() != 0).any(), name


def test_settings_that_do_not_fit_are_refused():
    with pytest.raises(ConfigError, match=r"decoder_units \(48\) must be the width of the encoder's states \(50\)"):
        made(SMALL.changed(score="dot", units=25))
    with pytest.raises(ConfigError, match=r"model\.units is 24, which 5 heads cannot share evenly"):
        made(SMALL.changed(encoder="transformer", n_heads=5))


@pytest.mark.slow
def test_attention_learns_to_read_from_the_end():
    network = made()
    goal = TranslateGoal(reversed_words(1_500, 0), reversed_words(100, 1), smoothing=0.1)
    result = Trainer(network, goal, settings=SMALL.train).run()
    network.load_state_dict(dict(result.weights))
    assert result.kept_record is not None
    assert result.kept_record.metrics["token_accuracy"] > 0.98
    batch = pad(goal.valid, range(100))
    weights = network.eval()(*tensors_of(batch)).weights.detach().numpy()
    looked = [
        weights[i, at].argmax() == n - 1 - at for i, n in enumerate(batch.lengths) for at in range(n)
    ]  # the first word of the translation is the last of the text
    assert np.mean(looked) > 0.9
