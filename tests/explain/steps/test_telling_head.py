"""The head that steps begin with."""

from __future__ import annotations

import numpy as np

from heedful.explain.steps.telling_head import telling_head


def looks(**weights):
    """Return weights (layer, head, token) of two layers of two heads; names are like l1h0t3."""
    array = np.full((2, 2, 6), 0.01)
    for name, weight in weights.items():
        array[int(name[1]), int(name[3]), int(name[5])] = weight
    return array


SPECIAL = np.array([True, False, False, False, False, True])


def test_an_earlier_word_counts_more_than_a_neighbour_and_a_special_token():
    given = looks(l0h0t3=0.9, l0h1t0=0.95, l1h1t2=0.4, l1h0t5=0.99)
    assert telling_head(given, 4, SPECIAL) == (1, 1)


def test_a_word_with_nothing_before_it_looks_ahead():
    assert telling_head(looks(l1h0t4=0.5, l0h0t2=0.9), 1, SPECIAL) == (1, 0)


def test_a_word_alone_has_the_first_head():
    assert telling_head(looks(l1h1t0=0.5), 1, np.array([True, False, True, True, True, True])) == (0, 0)
