"""The table of languages in docs/results.md."""

from __future__ import annotations

from typing import Any

from benchmarks.result import read_result

MANY = {"500": "500", "2000": "2,000"}


def languages() -> str:
    """Accuracy and macro F1 by set and number of texts, ours first, and the mean of each language."""
    figures: dict[str, Any] = read_result("languages")
    rows, table = figures["rows"], figures["table"]
    lines = [f"| | texts | {' | '.join(rows.values())} |", "|---|---|" + "---|" * len(rows)]
    for source in table.values():
        for size, cells in source["sizes"].items():
            name = f"{source['language']}, {source['name']}"
            lines.append(f"| {name} | {MANY.get(size, size)} | {' | '.join(_cell(cells.get(row)) for row in rows)} |")
    return "\n".join(lines)


def _cell(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return "–"
    accuracy, spread = cell["accuracy"]["mean"], cell["accuracy"]["spread"]
    return f"{accuracy:.1f}" + (f" ± {spread:.1f}" if spread is not None else "") + f" / {cell['macro_f1']['mean']:.1f}"


def unlabelled() -> str:
    """Accuracy with few labels, without and with unlabelled texts."""
    table: dict[str, Any] = read_result("unlabelled")["table"]
    lines = ["| | labels | unlabelled texts | without them | with them |", "|---|---|---|---|---|"]
    for source in table.values():
        for size, cells in source["sizes"].items():
            figures = " | ".join(
                f"{cells[way]['mean']:.1f} ± {cells[way]['spread']:.1f}" for way in ("without", "with")
            )
            lines.append(f"| {source['name']} | {MANY[size]} | {source['texts']:,} | {figures} |")
    return "\n".join(lines)


def wide_speed() -> str:
    """Speed of predictions with n-grams, and seconds of training."""
    table: dict[str, Any] = read_result("wide_speed")["table"]
    names = ("", "texts", "seconds to train", "of the processor", "many texts", "one text", "ms for one text")
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    for each in table.values():
        seconds = f"{each['train_seconds']:.0f} | {each['train_cpu_seconds']:.0f}"
        ratios = f"{each['batch']:.1f} × | {each['single']:.1f} × | {each['milliseconds']:.1f}"
        lines.append(f"| {each['name']} | {each['texts']:,} | {seconds} | {ratios} |")
    return "\n".join(lines)
