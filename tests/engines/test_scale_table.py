"""The figures of `benchmarks/scale.py`, as docs/results.md shows them."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("psutil", reason="benchmarks need psutil")
sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import scale, scale_table


def measured(rows: int, alone: float, ray: float, peak: float) -> dict:
    return {
        "rows": rows,
        "alone": {"seconds": rows / alone, "peak_mb": 251.4, "worker_peak_mb": 251.4, "rows_per_second": alone},
        "ray": {"seconds": rows / ray, "peak_mb": peak, "worker_peak_mb": 400.0, "parts": 3.0, "rows_per_second": ray},
        "ray_over_alone": ray / alone,
        "largest_difference": 1.2e-7,
    }


@pytest.fixture
def shown(monkeypatch):
    rows = [
        measured(10_000, 2000, 400, 1500),
        measured(100_000, 3000, 2400, 2000),
        measured(1_055_166, 3100, 2790, 2100),
    ]
    figures = {"model": "en-base", "workers": 2, "rows": rows, "targets": scale.judged(rows)}
    monkeypatch.setattr(scale_table, "read_result", {"scale": figures}.get)
    return scale_table.scale()


def test_the_table_has_a_row_for_each_size(shown):
    lines = shown.splitlines()
    assert lines[0].startswith("| sentences to vectors of `en-base` | one process | Ray, 2 workers | ratio |")
    assert lines[2] == "| 10,000 | 2,000 a second | 400 a second | 0.20× | 251 : 1,500 MB | 1e-07 |"
    assert lines[4] == "| 1,055,166 | 3,100 a second | 2,790 a second | 0.90× | 251 : 2,100 MB | 1e-07 |"
    assert {line.count("|") for line in lines[:5]} == {7}


def test_a_sentence_says_what_is_met_and_what_is_not(shown, monkeypatch):
    assert "Aims met: ray ≥ 0.85 × one process, start included (0.9); vectors equal to 1e-05 (1.2e-07);" in shown
    assert "missed" not in shown
    slow = [measured(100_000, 3000, 2400, 2000), measured(1_055_166, 3100, 1500, 2100)]
    figures = {"model": "en-base", "workers": 2, "rows": slow, "targets": scale.judged(slow)}
    monkeypatch.setattr(scale_table, "read_result", {"scale": figures}.get)
    assert "missed: ray ≥ 0.85 × one process, start included (0.48); time for a row" in scale_table.scale()
