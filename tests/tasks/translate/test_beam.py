"""Beam search against searches that cannot be wrong."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.tasks.translate.beam import beam_search
from heedful.text.bpe import BOS_EOS

N_IDS = 5  # 0 pad, 1 unknown, 2 BOS and EOS, and two that can be said: 3 and 4
WORDS = (3, 4)


def chances(seed: int, history: tuple[int, ...]) -> np.ndarray:
    """Return log-probabilities after some tokens: any, but always the same."""
    rng = np.random.default_rng([seed, *history])
    scores = rng.normal(size=N_IDS) * 2.0
    return scores - np.log(np.exp(scores).sum())


def toy(seeds: list[int]):
    """Return a step whose memory is the number of the history, and its first memory."""
    histories: list[tuple[int, ...]] = [()]

    def step(before, memory):
        (numbers,) = memory
        scores, after = np.zeros((*before.shape, N_IDS), np.float32), np.zeros_like(numbers)
        for text, way in np.ndindex(before.shape):
            history = (*histories[int(numbers[text, way, 0])], int(before[text, way]))
            scores[text, way] = chances(seeds[text], history)
            after[text, way, 0] = len(histories)
            histories.append(history)
        looks = np.repeat(before[:, :, None], 2, axis=2).astype(np.float32)  # what was said last, twice
        return scores, [after], looks

    return step, [np.zeros((len(seeds), 1, 1), np.float32)]


def score_of(seed: int, ids: tuple[int, ...]) -> float:
    total, history = 0.0, (BOS_EOS,)
    for token in (*ids, BOS_EOS):
        total += chances(seed, history)[token]
        history = (*history, token)
    return total / (len(ids) + 1)


def greedy(seed: int, most: int) -> tuple[int, ...]:
    ids: tuple[int, ...] = ()
    while len(ids) < most:
        token = max((*WORDS, BOS_EOS), key=lambda t: chances(seed, (BOS_EOS, *ids))[t])
        if token == BOS_EOS:
            break
        ids = (*ids, token)
    return ids


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=4), st.integers(0, 6))
def test_a_beam_of_1_says_the_most_probable_token_each_time(seeds, most):
    found = beam_search(*toy(seeds), np.full(len(seeds), most), beam=1)
    assert [some[0].ids for some in found] == [greedy(seed, most) for seed in seeds]


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=3), st.integers(0, 4))
def test_a_beam_wide_enough_for_all_finds_the_best_of_all(seeds, most):
    every = [ids for n in range(most + 1) for ids in itertools.product(WORDS, repeat=n)]
    found = beam_search(*toy(seeds), np.full(len(seeds), most), beam=len(every))
    for seed, some in zip(seeds, found, strict=True):
        assert {one.ids for one in some} == set(every)
        expected = sorted(every, key=lambda ids: -score_of(seed, ids))
        assert some[0].ids == expected[0]
        assert [one.score for one in some] == pytest.approx([score_of(seed, ids) for ids in expected], abs=1e-5)


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 5))
def test_a_text_is_translated_alike_alone_and_in_company(seed, beam, most):
    company = [seed, seed + 1, seed + 2]
    together = beam_search(*toy(company), np.array([most, most + 2, 1]), beam=beam)
    alone = beam_search(*toy([seed]), np.array([most]), beam=beam)
    assert [one.ids for one in together[0]] == [one.ids for one in alone[0]]


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 6))
def test_results_are_different_in_order_and_never_too_long(seed, beam, most):
    (some,) = beam_search(*toy([seed]), np.array([most]), beam=beam)
    assert 1 <= len(some) <= beam
    assert len({one.ids for one in some}) == len(some)
    assert [one.score for one in some] == sorted((one.score for one in some), reverse=True)
    for one in some:
        assert len(one.ids) <= most
        assert set(one.ids) <= set(WORDS)
        assert math.isclose(one.score, score_of(seed, one.ids), abs_tol=1e-5)


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_the_weights_are_those_of_the_tokens_that_were_said(seed, beam):
    (some,) = beam_search(*toy([seed]), np.array([5]), beam=beam)
    for one in some:
        assert one.weights.shape == (len(one.ids), 2)
        before = (BOS_EOS, *one.ids)[: len(one.ids)]  # the toy looks at what stands before
        assert one.weights[:, 0].tolist() == list(before)


def test_without_room_nothing_is_said():
    (some,) = beam_search(*toy([1]), np.array([0]), beam=3)
    assert [one.ids for one in some] == [()]
