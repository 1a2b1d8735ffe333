"""The table of classifiers in docs/results.md."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean
from typing import Any

from benchmarks.result import read_result

ALL, EIGHT = "all", "8 per label"
LABELS = {"50": "50", "200": "200", "1000": "1,000"}
SLOW = ("setfit", "tuned", "taught")  # rows that may have fewer cells
SEEDS = 3


def classifiers() -> str:
    """Return accuracy by set and number of labels, all labels first; then means, and what each row costs."""
    figures: dict[str, Any] = read_result("classifiers")
    rows = {key: row for key, row in figures["rows"].items() if any(key in cells for *_, cells in _cells(figures))}
    lines = [f"| | labels | {' | '.join(row['name'] for row in rows.values())} |", "|---|---|" + "---|" * len(rows)]
    for name, size, cells in sorted(_cells(figures), key=lambda cell: cell[1] != ALL):
        lines.append(f"| {name} | {_labels(size, cells)} | {' | '.join(_cell(cells.get(row)) for row in rows)} |")
    return "\n".join([*lines, *_means(figures, list(rows)), *_costs(figures, list(rows)), _explains(rows)])


def _cells(figures: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for source in figures["table"].values():
        for size, cells in source["sizes"].items():
            yield source["name"], size, cells


def _labels(size: str, cells: dict[str, Any]) -> str:
    texts = next(iter(cells.values()))["texts"]
    return f"{size}: {texts:,}" if size in (ALL, EIGHT) else LABELS[size]


def _cell(cell: dict[str, Any] | None) -> str:
    """Return accuracy, spread, and the number of trainings if it is neither three nor one."""
    if cell is None:
        return "–"
    trainings = len(cell["values"])
    if trainings == 1:
        return f"{cell['mean']:.1f}"
    return f"{cell['mean']:.1f} ± {cell['spread']:.1f}" + (f" ({trainings})" if trainings != SEEDS else "")


def _means(figures: dict[str, Any], rows: list[str]) -> Iterator[str]:
    """Yield means over the cells that all compared rows have: of all labels and few, then without the slow rows."""
    for labels in ("all labels", "few labels"):
        cells = [own for _, size, own in _cells(figures) if (size == ALL) == (labels == "all labels")]
        measured = [row for row in rows if any(row in own for own in cells)]
        for compared in (measured, [row for row in measured if row not in SLOW]):
            means = [_common_mean(own, compared) for own in cells if all(row in own for row in compared)]
            if means:
                by_row = {row: f"**{mean(each[row] for each in means):.1f}**" for row in compared}
                yield f"| mean of {len(means)} | {labels} | {' | '.join(by_row.get(row, '–') for row in rows)} |"


def _common_mean(cells: dict[str, Any], rows: list[str]) -> dict[str, float]:
    """Return the mean of each row over the seeds that all rows have; a row with one value counts as it is."""
    own = {row: dict(zip(cells[row]["seeds"], cells[row]["values"], strict=True)) for row in rows}
    common = set.intersection(*(set(values) for values in own.values()))
    return {row: mean(values[seed] for seed in common) for row, values in own.items()}


def _costs(figures: dict[str, Any], rows: list[str]) -> Iterator[str]:
    """Yield seconds of training by the number of labels, texts a second and megabytes."""
    for name, size in (("AG News", EIGHT), ("Banking77", EIGHT), ("TREC", ALL), ("Banking77", ALL)):
        cells = next((own for n, s, own in _cells(figures) if (n, s) == (name, size)), {})
        seconds = [_number(cells[row]["seconds"], "s") if row in cells else "–" for row in rows]
        yield f"| seconds to train | {name}, {size} | {' | '.join(seconds)} |"
    if speeds := figures["speed"]:
        yield f"| texts/s | SST-2, 1 thread | {' | '.join(_rate(speeds.get(row)) for row in rows)} |"
    sizes = {row: [own[row]["megabytes"] for *_, own in _cells(figures) if row in own] for row in rows}
    yield f"| on disk | smallest to largest | {' | '.join(_range(sizes[row]) for row in rows)} |"


def _explains(rows: dict[str, Any]) -> str:
    return f"| says why | | {' | '.join(row['explains'] for row in rows.values())} |"


def _number(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{float(f'{value:.2g}'):,.0f}"


def _range(values: list[float]) -> str:
    low, high = (_number(value, "MB") for value in (min(values), max(values)))
    return low if low == high else f"{low.removesuffix(' MB')} to {high}"
