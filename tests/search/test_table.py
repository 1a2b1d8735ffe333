from __future__ import annotations

import numpy as np
import pytest

from heedful.search.table import Table

KINDS = {"id": "text", "n": "number"}


def clustered(n: int, *, seed: int, width: int = 32) -> np.ndarray:
    """Return unit vectors around 100 centres, as texts lie around topics."""
    centres = np.random.default_rng(0).normal(size=(100, width))
    rng = np.random.default_rng(seed)
    vectors = centres[rng.integers(0, 100, n)] + 0.7 * rng.normal(size=(n, width))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def columns(numbers: range) -> dict[str, list[object]]:
    return {"id": [str(i) for i in numbers], "n": [float(i) for i in numbers]}


@pytest.mark.slow
def test_the_approximate_index_finds_nine_of_ten_and_sees_later_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "heedful.search.ranking.candidates.PROBES", 15
    )  # of 50 parts: the share that a million rows get
    table, vectors, queries = (
        Table(tmp_path, key="id", width=32, has_words=False),
        clustered(12_000, seed=1),
        clustered(40, seed=2),
    )
    vectors[5] = 0
    table.write(columns(range(10_000)), vectors[:10_000], KINDS)
    assert not table.is_approximate
    table.optimise(many=5_000)
    assert table.is_approximate
    table.write(columns(range(10_000, 12_000)), vectors[10_000:], KINDS)
    for _ in range(2):  # the second time, later rows are in the index too
        truth = np.argsort(-(queries @ vectors.T), axis=1)[:, :10]
        found = [[int(hit.row["id"]) for hit in table.nearest(query, 10)] for query in queries]
        assert np.mean([len(set(a) & set(b)) / 10 for a, b in zip(found, truth, strict=True)]) >= 0.9
        table.optimise(many=5_000)
    assert all(hit.row["n"] >= 11_000 for hit in table.nearest(queries[0], 10, "`n` >= 11000"))
    assert len(table.nearest(queries[0], 10, "`n` >= 11990")) == 10


def test_scores_after_the_approximate_index_are_exact(tmp_path):
    table, vectors = Table(tmp_path, key="id", width=32, has_words=False), clustered(2_000, seed=1)
    table.write(columns(range(2_000)), vectors, KINDS)
    table.optimise(many=1_000)
    assert table.is_approximate
    for hit in table.nearest(vectors[7], 10):
        expected = float(vectors[7] @ vectors[int(hit.row["id"])])
        assert hit.cosine(vectors[7]) == pytest.approx(expected, abs=1e-5)


def test_optimising_drops_what_was_replaced(tmp_path):
    table, vectors = Table(tmp_path, key="id", width=32, has_words=False), clustered(2_000, seed=1)
    for _ in range(5):
        table.write(columns(range(2_000)), vectors, KINDS)
    table.optimise()
    assert table.count() == 2_000
    assert len(table.have(["1", "1999", "2000", "it's"])) == 2


def test_a_first_write_that_was_never_finished_is_no_table(tmp_path):
    (tmp_path / "rows.lance" / "data").mkdir(parents=True)
    table = Table(tmp_path, key="id", width=32, has_words=False)
    assert table.count() == 0 and table.nearest(clustered(1, seed=1)[0], 3) == []
    table.write(columns(range(3)), clustered(3, seed=1), KINDS)
    assert Table(tmp_path, key="id", width=32, has_words=False).count() == 3


def test_an_index_that_was_extended_often_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr("heedful.search.table.MOST_SEGMENTS", 2)
    table, vectors = Table(tmp_path, key="id", width=32, has_words=False), clustered(1_500, seed=1)
    for start in range(0, 1_500, 300):
        table.write(columns(range(start, start + 300)), vectors[start : start + 300], KINDS)
        table.optimise(many=200)
        assert table.is_approximate and table._segments() <= 2
    assert [hit.row["id"] for hit in table.nearest(vectors[1_400], 1)] == ["1400"]
