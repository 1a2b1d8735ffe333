from __future__ import annotations

import numpy as np
import pytest

from heedful.explain.words.form_table import FormTable
from heedful.explain.words.occurrences import Occurrences
from heedful.explain.words.ranking import PRIOR, Ranking, label_word, ranks


def table_of(values):
    """Return a table of one label: form → its contribution in each text."""
    table, text = FormTable([0]), 0
    for key, contributions in values.items():
        for value in contributions:
            one = Occurrences([key], [0], np.array([[float(value)]]), np.ones((1, 1), dtype=bool))
            table.add([one], [text])
            text += 1
    return table


def test_the_rank_is_recomputed_by_hand():
    values = {("a",): [1.0, 2.0, 3.0], ("b",): [0.5] * 5}
    table = table_of(values)
    means, rank = ranks(table)
    common = 2.0 / (2 + 4)  # the sum of squared deviations over the degrees of freedom
    deviation = ((2.0 + PRIOR * common) / (2 + PRIOR)) ** 0.5
    assert means[:, 0].tolist() == [2.0, 0.5]
    assert rank[0, 0] == pytest.approx(2.0 * 3**0.5 - 2 * deviation)


def test_a_word_of_uncertain_sign_is_not_listed_and_frequent_ones_come_first():
    table = table_of({("odd",): [2.0], ("often",): [1.5, 1.6] * 20, ("mixed",): [3.0, -2.5] * 5, ("rare",): [1.5] * 3})
    best = Ranking((table,), min_count=1).best(0, 1, 9)
    assert [form.key for form in best][:2] == [("often",), ("rare",)] and ("mixed",) not in [f.key for f in best]
    assert [form.key for form in Ranking((table,), min_count=4).best(0, 1, 9)] == [("often",)]
    assert Ranking((table,), min_count=1).best(0, -1, 9) == []


def test_a_phrase_stands_for_a_word_that_hardly_occurs_outside_it():
    words = table_of({("customer",): [1.0] * 10, ("service",): [1.0] * 40})
    phrases = table_of({("customer", " service"): [2.0] * 9})
    best = [form.key for form in Ranking((words, phrases), min_count=3).best(0, 1, 9)]
    assert sorted(best) == [("customer", " service"), ("service",)]


def test_the_interval_is_that_of_the_bootstrap_over_texts():
    table = table_of({("a",): [1.0, 2.0, 3.0, 4.0]})
    (form,) = Ranking((table,), min_count=1).best(0, 1, 1)
    word = label_word(form, 0, seed=0)
    assert (word.form, word.count, word.n_texts, word.mean) == ("a", 4, 4, 2.5)
    assert 1.0 < word.low < 2.0 and 3.0 < word.high < 4.0
