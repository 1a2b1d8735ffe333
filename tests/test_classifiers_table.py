"""The table of classifiers compares like with like."""

import pytest
from benchmarks import classifiers_table
from benchmarks.classifier_transformers import pairs_of_a_text
from benchmarks.classifier_tuned import epochs_for


def cell(*values, seeds=(0, 1, 2)):
    spread = 1.0 if len(values) > 1 else None
    own = {"seeds": list(seeds[: len(values)]), "values": list(values), "mean": sum(values) / len(values)}
    return {**own, "spread": spread, "seconds": 2.0, "megabytes": 1.0, "texts": 16}


@pytest.fixture
def table(monkeypatch):
    rows = {key: {"name": key, "explains": "no"} for key in ("tfidf", "setfit", "heedful", "tuned")}
    few = {"tfidf": cell(50.0, 60.0, 70.0), "setfit": cell(80.0), "heedful": cell(90.0, 70.0)}
    full = {"tfidf": cell(80.0), "heedful": cell(90.0), "tuned": cell(94.0)}
    sizes = {"8 per label": few, "50": {"tfidf": cell(40.0)}, "all": full}
    figures = {"rows": rows, "table": {"sst2": {"name": "SST-2", "sizes": sizes}}, "speed": {}}
    monkeypatch.setattr(classifiers_table, "read_result", lambda _: figures)
    return classifiers_table.classifiers().splitlines()


def line(table, start):
    return next(line for line in table if line.startswith(start))


def test_a_cell_says_how_many_trainings_it_has(table):
    assert line(table, "| SST-2 | 8 per label") == (
        "| SST-2 | 8 per label: 16 | 60.0 ± 1.0 | 80.0 | 80.0 ± 1.0 (2) | – |"
    )


def test_a_mean_is_over_the_cells_and_seeds_that_all_rows_have(table):
    assert [each.split(" | ")[1:] for each in table if each.startswith("| mean of 1")] == [
        ["all labels", "**80.0**", "–", "**90.0**", "**94.0** |"],
        ["all labels", "**80.0**", "–", "**90.0**", "– |"],
        ["few labels", "**50.0**", "**80.0**", "**90.0**", "– |"],
        ["few labels", "**55.0**", "–", "**80.0**", "– |"],
    ]


def test_fewer_texts_get_more_pairs_and_epochs():
    assert [pairs_of_a_text(n) for n in (16, 200, 1_200, 10_000)] == [20, 15, 2, 1]
    assert [epochs_for(n) for n in (100, 3_460, 8_311)] == [3, 2, 1]
