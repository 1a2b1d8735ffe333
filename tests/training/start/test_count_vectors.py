"""Token vectors from counts."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from heedful.training.start.count_vectors import count_near, count_vectors, positive_information, rarity


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def test_pairs_count_by_their_distance_in_both_directions():
    near = count_near([ids(0, 1, 2), ids(1, 0)], 3)
    assert near[0, 1] == near[1, 0] == 2.0
    assert near[0, 2] == near[2, 0] == 0.5
    assert near[1, 2] == 1.0
    assert near[0, 0] == 0.0


def test_information_is_positive_and_zero_for_pairs_that_never_meet():
    near = count_near([ids(0, 1), ids(2, 3)], 4)
    information = positive_information(near, near.sum(dim=1))
    assert (information >= 0).all()
    assert information[0, 1] > 0
    assert information[0, 2] == 0


def test_frequent_tokens_weigh_less():
    weights = rarity([ids(0, 0, 0, 1)], 3)
    assert weights[0] < weights[1] < weights[2] == 1.0


def test_tokens_of_one_topic_have_similar_vectors():
    rng = np.random.default_rng(0)
    texts = [rng.integers(5, size=8).astype(np.int32) + 5 * (i % 2) for i in range(200)]
    vectors = count_vectors(texts, 10, width=4)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    assert cosines[:5, :5].min() > 0.5 > abs(cosines[:5, 5:]).max()


def test_a_seed_gives_the_same_vectors_and_leaves_the_generator_alone():
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    first, second = (count_vectors([ids(0, 1, 2, 1)] * 9, 3, width=2, seed=3) for _ in range(2))
    assert (first == second).all()
    assert (torch.random.get_rng_state() == before).all()


@pytest.mark.parametrize("texts", [[], [ids()], [ids(0)]])
def test_texts_without_pairs_give_zeros(texts):
    assert (count_vectors(texts, 2, width=5) == 0).all()
