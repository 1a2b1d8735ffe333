from __future__ import annotations

import random

from heedful.data.quality.columns import column_leaks

RNG = random.Random(3)
LABELS = [RNG.choice(("yes", "no", "maybe")) for _ in range(300)]


def leaks(**columns):
    return {leak.column: leak for leak in column_leaks(columns, LABELS)}


def test_a_column_that_repeats_the_label_leaks():
    leak = leaks(answer=[label.upper() for label in LABELS])["answer"]
    assert leak.accuracy == 1.0 and leak.base < 0.5 and "in" in leak.example


def test_a_number_that_depends_on_the_label_leaks():
    score = [RNG.random() + {"yes": 0, "no": 2, "maybe": 4}[label] for label in LABELS]
    assert leaks(score=score)["score"].accuracy > 0.95


def test_unrelated_columns_do_not_leak():
    columns = {
        "id": list(range(300)), "name": [f"customer {i}" for i in range(300)], "shop": [i % 3 for i in range(300)],
        "constant": ["x"] * 300, "empty": [None] * 300, "noise": [RNG.random() for _ in range(300)],
    }  # fmt: skip
    assert leaks(**columns) == {}


def test_with_one_label_or_few_rows_nothing_leaks():
    assert column_leaks({"a": ["x"] * 300}, ["same"] * 300) == ()
    assert column_leaks({"a": ["x", "y"]}, ["x", "y"]) == ()
