import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.data.batch import ordered_batches, pad, training_batches
from heedful.data.read import read_texts
from heedful.data.samples.customer_messages import messages_path
from heedful.text.word_tokeniser import WordTokeniser

SIZES = st.lists(st.integers(0, 30), max_size=80)


def features(lengths):
    """Texts of these lengths; each token's id tells its text."""
    return [np.full(n, i + 1, dtype=np.int32) for i, n in enumerate(lengths)]


def lengths_like(kind):
    rng = np.random.default_rng(0)
    if kind == "messages":
        tokeniser = WordTokeniser()
        return np.array([len(tokeniser.surfaces(text)) for _, text in read_texts(messages_path("train"))])
    made = {"tweets": rng.normal(18, 6, 5000), "reviews": rng.lognormal(5.1, 0.7, 5000)}[kind]
    return np.clip(made, 1, 1000).astype(int)


def test_padding_goes_after_the_ids():
    batch = pad([np.array([5, 6], np.int32), np.array([], np.int32), np.array([7, 8, 9], np.int32)], [2, 0, 1])
    assert batch.ids.tolist() == [[7, 8, 9], [5, 6, 0], [0, 0, 0]]
    assert batch.lengths.tolist() == [3, 2, 0]
    assert batch.positions.tolist() == [2, 0, 1]
    assert batch.padding == pytest.approx(4 / 9)


def test_a_batch_of_empty_texts_is_one_token_wide():
    batch = pad(features([0, 0]), [0, 1])
    assert batch.ids.tolist() == [[0], [0]]
    assert batch.padding == 1.0


@given(SIZES, st.integers(1, 9), st.integers(0, 5), st.integers(0, 5))
def test_an_epoch_has_every_text_exactly_once(lengths, batch_size, seed, epoch):
    batches = training_batches(features(lengths), batch_size=batch_size, seed=seed, epoch=epoch)
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= batch_size for batch in batches)


def test_order_repeats_for_a_seed_and_differs_between_epochs_and_seeds():
    texts = features(lengths_like("tweets")[:500])

    def order(seed, epoch):
        return [tuple(batch) for batch in training_batches(texts, batch_size=16, seed=seed, epoch=epoch)]

    assert order(1, 0) == order(1, 0)
    orders = [order(1, 0), order(1, 1), order(2, 0), order(0, 1)]
    assert len({tuple(o) for o in orders}) == 4
    # Other batches, not only another order of the same; the few longest texts may meet again.
    assert len(set(orders[0]) & set(orders[1])) <= 1


def test_batches_do_not_come_shortest_first():
    texts = features(lengths_like("tweets")[:1000])
    means = [np.mean([len(texts[i]) for i in b]) for b in training_batches(texts, batch_size=16, seed=0, epoch=0)]
    assert abs(np.corrcoef(means, np.arange(len(means)))[0, 1]) < 0.4


@pytest.mark.parametrize("batch_size", [16, 32, 64])
@pytest.mark.parametrize("kind", ["messages", "tweets", "reviews"])
def test_less_than_a_tenth_is_padding(kind, batch_size):
    texts = features(lengths_like(kind))
    shuffled = [pad(texts, range(i, i + batch_size)) for i in range(0, len(texts) - batch_size, batch_size)]
    assert np.mean([batch.padding for batch in shuffled]) > 0.25  # what sorting saves us from
    batches = [pad(texts, b) for b in training_batches(texts, batch_size=batch_size, seed=0, epoch=0)]
    assert 1 - sum(b.lengths.sum() for b in batches) / sum(b.ids.size for b in batches) < 0.10


@given(SIZES, st.integers(1, 9), st.integers(1, 60))
def test_ordered_batches_hold_every_text_once_within_the_limits(lengths, max_texts, max_cells):
    texts = features(lengths)
    batches = list(ordered_batches(texts, max_texts=max_texts, max_cells=max_cells))
    assert sorted(i for batch in batches for i in batch.positions) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch.ids) == 1 or (len(batch.ids) <= max_texts and batch.ids.size <= max_cells)
        for row, n, i in zip(batch.ids, batch.lengths, batch.positions, strict=True):
            assert row.tolist() == [i + 1] * n + [0] * (len(row) - n)
    assert [n for batch in batches for n in batch.lengths] == sorted(lengths)


def test_a_batch_ends_where_padding_would_cost_more_than_a_call():
    texts = features([5] * 8 + [6] * 3 + [9, 9])
    assert [batch.lengths.tolist() for batch in ordered_batches(texts, max_texts=99, max_cells=999, call=8)] == [
        [5] * 8,
        [6] * 3,
        [9, 9],
    ]
    assert [len(batch.lengths) for batch in ordered_batches(texts, max_texts=99, max_cells=999, call=9)] == [11, 2]
    assert [len(batch.lengths) for batch in ordered_batches(texts, max_texts=99, max_cells=999, call=99)] == [13]
