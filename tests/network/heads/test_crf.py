"""The CRF against every row of labels there is."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from heedful.network.heads.tag.crf import NEVER, Crf
from heedful.tasks.tag.crf.viterbi import viterbi

LABELS = 3


def made(seed: int, *, time: int = 4, lengths=(4, 2, 1)):
    """Return a CRF with steps of chance, scores with noise on the pads, and the mask."""
    torch.manual_seed(seed)
    crf = Crf(LABELS).requires_grad_(False)
    crf.steps.copy_(torch.randn(LABELS + 1, LABELS + 1))
    scores = torch.randn(len(lengths), time, LABELS)
    return crf, scores, torch.arange(time) < torch.tensor(lengths)[:, None]


def by_hand(crf: Crf, scores: torch.Tensor, row: tuple[int, ...]) -> float:
    """Return the score of one row of labels of one text."""
    steps = crf.steps
    total = steps[LABELS, row[0]] + steps[row[-1], LABELS] + sum(scores[t, label] for t, label in enumerate(row))
    return float(total + sum(steps[i, j] for i, j in itertools.pairwise(row)))


def all_rows(n: int):
    return list(itertools.product(range(LABELS), repeat=n))


def test_log_sum_is_that_of_all_rows():
    crf, scores, mask = made(0)
    for i, n in enumerate(mask.sum(1).tolist()):
        expected = np.logaddexp.reduce([by_hand(crf, scores[i], row) for row in all_rows(n)])
        assert float(crf.log_sum(scores, mask)[i]) == pytest.approx(expected, abs=1e-4)


def test_loss_is_minus_log_of_the_share_of_the_truth():
    crf, scores, mask = made(1)
    truth = torch.tensor([[0, 2, 1, 1], [2, 0, -1, -1], [1, -1, -1, -1]])
    found = crf(scores, truth, mask)
    for i, n in enumerate(mask.sum(1).tolist()):
        every = np.logaddexp.reduce([by_hand(crf, scores[i], row) for row in all_rows(n)])
        assert float(found[i]) == pytest.approx(every - by_hand(crf, scores[i], tuple(truth[i, :n].tolist())), abs=1e-4)


def test_a_label_that_is_not_known_may_be_any():
    crf, scores, mask = made(2)
    truth = torch.tensor([[0, -1, 1, -1], [-1, 0, -1, -1], [-1, -1, -1, -1]])
    found = crf(scores, truth, mask)
    agreeing = [row for row in all_rows(4) if row[0] == 0 and row[2] == 1]
    every, some = (np.logaddexp.reduce([by_hand(crf, scores[0], r) for r in rows]) for rows in (all_rows(4), agreeing))
    assert float(found[0]) == pytest.approx(every - some, abs=1e-4)
    assert float(found[2]) == pytest.approx(0.0, abs=1e-5)  # nothing is known: every row agrees


@given(seed=st.integers(0, 10_000), n=st.integers(1, 5))
def test_viterbi_finds_the_best_of_all_rows(seed, n):
    crf, scores, mask = made(seed, time=n, lengths=(n,))
    best = max(all_rows(n), key=lambda row: by_hand(crf, scores[0], row))
    assert tuple(viterbi(scores[0].numpy(), crf.steps.numpy())) == best
    assert tuple(crf.best(scores, mask)[0].tolist()) == best


def test_both_viterbis_agree_over_padded_batches():
    crf, scores, mask = made(3, time=6, lengths=(6, 3, 1))
    best = crf.best(scores, mask)
    assert (best[~mask] == -1).all()
    for i, n in enumerate((6, 3, 1)):
        assert best[i, :n].tolist() == viterbi(scores[i, :n].numpy(), crf.steps.numpy()).tolist()


def test_padding_changes_nothing():
    crf, scores, mask = made(4)
    more = torch.cat([scores, torch.full((3, 2, LABELS), 9.0)], 1)
    more_mask = torch.cat([mask, torch.zeros(3, 2, dtype=torch.bool)], 1)
    assert torch.allclose(crf.log_sum(more, more_mask), crf.log_sum(scores, mask))


def test_an_empty_text_costs_nothing():
    crf, scores, mask = made(5)
    mask[1] = False
    truth = torch.full((3, 4), -1)
    truth[mask] = 0
    assert float(crf(scores, truth, mask)[1]) == 0.0
    assert (crf.best(scores, mask)[1] == -1).all()
    assert viterbi(np.zeros((0, LABELS), np.float32), crf.steps.numpy()).tolist() == []


def test_a_barred_step_is_never_taken_and_never_learned():
    barred = torch.zeros(LABELS + 1, LABELS + 1, dtype=torch.bool)
    barred[0, 1] = barred[LABELS, 2] = True
    crf = Crf(LABELS)
    crf.bar(barred)
    scores = torch.zeros(1, 3, LABELS)
    scores[0, 0, 2] = scores[0, 1, 1] = 50.0  # what the scores alone would want: 2 first, then 1
    mask = torch.ones(1, 3, dtype=torch.bool)
    assert scores[0].argmax(1).tolist()[:2] == [2, 1]
    row = crf.best(scores, mask)[0].tolist()
    assert row[0] != 2
    assert (0, 1) not in itertools.pairwise(row)
    crf(scores, torch.tensor([[1, 1, 0]]), mask).sum().backward()
    assert crf.steps.grad[barred].abs().max() == 0
    assert crf.steps.grad[0, 0] != 0
    assert (crf.steps[barred] == NEVER).all()


def test_steps_of_the_wrong_shape_are_refused():
    with pytest.raises(ValueError, match=r"barred steps are \(3, 3\), expected \(4, 4\)"):
        Crf(LABELS).bar(torch.zeros(3, 3, dtype=torch.bool))
