"""The tables of README.md and docs/results.md, made from `results/*.json`.

python -m benchmarks.readme          # write them into the two pages
python -m benchmarks.readme --check  # exit 1 if a page says something else
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.check_table import check_duplicates, check_labels
from benchmarks.classifiers_table import classifiers
from benchmarks.imported_table import imported
from benchmarks.languages_table import languages, unlabelled, wide_speed
from benchmarks.result import read_result
from benchmarks.rivals_table import labels_needed, rivals, rivals_spread
from benchmarks.scale_table import scale, together
from benchmarks.search_table import search, search_rows
from benchmarks.serve_table import serve, soak
from benchmarks.task_table import tasks

ROOT = Path(__file__).parents[1]
README, RESULTS_PAGE = "README.md", "docs/results.md"
SETS = {"sst2": "SST-2", "trec": "TREC", "subj": "SUBJ", "ag_news": "AG News", "imdb": "IMDB"}


def footprint() -> str:
    """Size of the package and time of its start, before and now."""
    figures: dict[str, Any] = read_result("footprint")
    before, now = figures["before"], figures["now"]
    rows = {"wheel": "wheel_mb", "installed, own files": "own_mb", "installed, with run-time packages": "install_mb"}
    times = {"`import heedful`": "import_ms", "`heedful --help`": "help_ms", "load `en-base`": "load_ms"}
    lines = ["| | version 0.1.0 | version 0.2.0 |", "|---|---|---|"]
    lines += [f"| {name} | {before[key]:.1f} MB | {now[key]:.1f} MB |" for name, key in rows.items()]
    lines += [f"| {name} | {before[key]:.1f} ms | {now[key]:.1f} ms |" for name, key in times.items()]
    return "\n".join(lines)


def accuracy() -> str:
    """Accuracy by model and set, best mean first."""
    table: dict[str, Any] = read_result("accuracy")["table"]
    rows = sorted(table.values(), key=lambda row: -row.get("all", 0.0))
    lines = [f"| | {' | '.join(SETS.values())} | mean |", "|---|" + "---|" * (len(SETS) + 1)]
    for row in rows:
        cells = [_cell(row.get(name)) for name in SETS]
        lines.append(
            f"| {row['name']} | {' | '.join(cells)} | {row['all']:.1f} |" if "all" in row else f"| {row['name']} |"
        )
    return "\n".join(lines)


def _cell(value: dict[str, Any] | None) -> str:
    if value is None:
        return "–"
    return f"{value['mean']:.1f}" + (f" ± {value['spread']:.1f}" if value["spread"] is not None else "")


def train_speed() -> str:
    """Texts a second, ours and the ports' style."""
    found: dict[str, Any] = read_result("train_speed")
    lines = ["| | heedful | style of the public ports | ratio | dev accuracy, ours : theirs |", "|---|---|---|---|---|"]
    for key, name in (("sst2", "SST-2"), ("imdb", "IMDB, 200 words")):
        if key in found:
            row = found[key]
            rival = f"{row['port_dev_accuracy']:.1f}"
            lines.append(
                f"| {name} | {row['ours_texts_per_second']:.0f} texts/s | {row['port_texts_per_second']:.0f} texts/s | "
                f"{row['ratio']:.1f}× | {row['ours_dev_accuracy']:.1f} : {rival} |"
            )
    v = found["vocabulary"]
    large, small = f"{v['ms_400k']:.0f} ms", f"{v['ms_20k']:.0f} ms (ours)"
    lines.append(f"| a step with 400,000 words known, against 20,000 | {large} | {small} | {v['ratio']:.2f}× | |")
    return "\n".join(lines)


def run_speed() -> str:
    """Texts a second in ONNX Runtime and in torch."""
    found: dict[str, Any] = read_result("run_speed")
    lines = ["| u=300, r=30, 20 tokens, weights included | ONNX Runtime | torch eager | ratio |", "|---|---|---|---|"]
    for key, name in (("batch_1", "one text at a time"), ("batch_128", "128 at a time")):
        row = found[key]
        ours, rival = f"{row['onnx_texts_per_second']:,.0f}", f"{row['torch_texts_per_second']:,.0f}"
        lines.append(f"| {name} | {ours} texts/s | {rival} texts/s | {row['ratio']:.1f}× |")
    row = found["help"]
    bare = f"`python -c pass`: {row['python_ms']:.0f} ms"
    lines.append(f"| `heedful --help` | {row['help_ms']:.0f} ms | {bare} | {row['ratio']:.1f}× |")
    return "\n".join(lines)


def embed_corpus() -> str:
    """A million sentences to parquet."""
    f: dict[str, Any] = read_result("embed_corpus")
    return (
        f"{f['rows']:,} sentences to parquet ({f['width']} numbers each) with a static model: "
        f"{f['rows_per_second']:,.0f} a second, peak memory {f['peak_mb']:.0f} MB, the last tenth at "
        f"{f['last_tenth_over_first']:.2f}× the speed of the first."
    )


def install_size() -> str:
    """How large the run-time install is."""
    f: dict[str, Any] = read_result("install_size")
    return (
        f"`pip install heedful` into an empty venv is {f['run_mb']:.0f} MB with everything it needs, "
        f"{f['own_mb']:.0f} MB more than the empty venv; with `[train]`, which brings torch, {f['train_mb']:,.0f} MB."
    )


def embedding() -> str:
    """Vectors of sentences: quality, speed, load time and size, best likeness first."""
    rows: dict[str, Any] = read_result("embedding")["rows"]
    lines = [
        "| | STS-B | SICK-R | five probes, mean | sentences/s | one sentence | load | installed |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(rows.values(), key=lambda row: -row["stsb"]):
        figures = f"{100 * row['stsb']:.1f} | {100 * row['sick']:.1f} | {100 * row['probe_mean']:.1f}"
        pace = f"{row['sentences_per_second']:,.0f} | {row['one_ms']:.2f} ms | {row['load_seconds']:.1f} s"
        lines.append(f"| {row['name']} | {figures} | {pace} | {row['installed_mb']:,.0f} MB |")
    return "\n".join(lines)


def few_labels() -> str:
    """Accuracy by classifier, set and number of labels, best mean first."""
    found: dict[str, Any] = read_result("few_labels")
    table: dict[str, Any] = found["table"]
    columns = [(name, str(n)) for name in table for n in found["sizes"]]
    means = {m: sum(table[s][m][n]["mean"] for s, n in columns) for m in found["names"]}
    lines = [f"| | {' | '.join(f'{SETS[s]}, {int(n):,}' for s, n in columns)} |", "|---|" + "---|" * len(columns)]
    for method in sorted(means, key=lambda m: -means[m]):
        cells = [_cell(table[s][method][n]) for s, n in columns]
        lines.append(f"| {found['names'][method]} | {' | '.join(cells)} |")
    return "\n".join(lines)


def explain_speed() -> str:
    """What one text takes to explain, quickest first, and how often ours fits into it."""
    found: dict[str, Any] = read_result("explain_speed")
    own, rows = found["ratios"], found["rows"]
    lines = [
        "| one text at a time | dev accuracy | median | nine in ten texts | "
        + " | ".join(f"× {rows[key]['name'].removeprefix('heedful, ')}" for key in own)
        + " |",
        "|---|---|---|---|" + "---|" * len(own),
    ]
    for key, row in sorted(rows.items(), key=lambda item: item[1]["ms_median"]):
        times = f"{row['ms_median']:.1f} ms | {row['ms_low']:.1f} to {row['ms_high']:.1f} ms"
        ratios = [f"{own[name][key]['mean']:.1f}" if key in own[name] else "" for name in own]
        lines.append(f"| {row['name']} | {row['dev_accuracy']:.1f} | {times} | {' | '.join(ratios)} |")
    return "\n".join(lines)


def scores() -> str:
    """Accuracy of the hops by score function."""
    table: dict[str, Any] = read_result("scores")["table"]
    names = ("sst2", "trec")
    lines = [f"| score of a state h | {' | '.join(SETS[name] for name in names)} |", "|---|---|---|"]
    lines += [f"| {row['name']} | {' | '.join(_cell(row.get(name)) for name in names)} |" for row in table.values()]
    return "\n".join(lines)


AUDITED = {"messages": "the messages of the demo", "sst2": "SST-2", "imdb": "IMDB, 200 words"}


SET_NAMES = {"messages": "messages", "sst2": "SST-2", "trec": "TREC", "ag_news": "AG News", "imdb": "IMDB"}


def audit() -> str:
    """Recovered shares of contributions and attention, and accuracy beside that of the version before."""
    table: dict[str, Any] = read_result("audit")["table"]
    lines = [
        "| model | set | recovered by contributions | by attention | accuracy | before | seeds |",
        "|---|---|---|---|---|---|---|",
    ]
    for model in table.values():
        for name, row in model["sets"].items():
            shares = [_percent(row[method]) for method in ("contributions", "attention")]
            figures = [_points(row[key]) for key in ("accuracy", "before")]
            lines.append(f"| {' | '.join([model['name'], SET_NAMES[name], *shares, *figures, str(row['seeds'])])} |")
    return "\n".join(lines)


def _percent(value: dict[str, Any]) -> str:
    spread = f" ± {100 * value['spread']:.0f}" if value["spread"] is not None else ""
    return f"{100 * value['mean']:.0f}{spread} %"


def _points(value: dict[str, Any]) -> str:
    return f"{value['mean']:.1f}" + (f" ± {value['spread']:.1f}" if value["spread"] is not None else "")


def penalty_audit() -> str:
    """Whether the penalty makes attention more faithful, by set and model."""
    table: dict[str, Any] = read_result("penalty_audit")["table"]
    lines = [
        "| | accuracy | needed: attention (random words) | enough: attention (random words) | needed, by leave-one-out "
        "| moved by shuffling | overlap of hops | verdicts |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, models in table.items():
        lines.append(f"| **{AUDITED[name]}** | | | | | | | |")
        lines += [_audited(row) for row in models.values()]
    return "\n".join(lines)


def _audited(row: dict[str, Any]) -> str:
    def both(side: str) -> str:
        return f"{_two(row[f'attention {side}'])} ({row[f'random {side}']['mean']:.2f})"

    overlap = _two(row["overlap"]) if "overlap" in row else "–"
    verdicts = ", ".join(f"{row['levels'].count(level)} {level}" for level in dict.fromkeys(row["levels"]))
    return (
        f"| {row['name']} | {100 * row['accuracy']['mean']:.1f} | {both('comprehensiveness')} | {both('sufficiency')} "
        f"| {_two(row['leave-one-out comprehensiveness'])} | {_two(row['permutation'])} | {overlap} | {verdicts} |"
    )


def _two(value: dict[str, Any]) -> str:
    return f"{value['mean']:.2f}" + (f" ± {value['spread']:.2f}" if value["spread"] is not None else "")


BLOCKS: dict[str, Callable[[], str]] = {
    "accuracy": accuracy,
    "train_speed": train_speed,
    "run_speed": run_speed,
    "embed_corpus": embed_corpus,
    "install_size": install_size,
}
# Asked for in a page once they have been measured.
LATER: dict[str, Callable[[], str]] = {
    "embedding": embedding,
    "search": search,
    "search_rows": search_rows,
    "few_labels": few_labels,
    "explain_speed": explain_speed,
    "audit": audit,
    "penalty_audit": penalty_audit,
    "scores": scores,
    "tasks": tasks,
    "serve": serve,
    "soak": soak,
    "scale": scale,
    "together": together,
    "rivals": rivals_spread,
    "classifiers": classifiers,
    "imported": imported,
    "languages": languages,
    "unlabelled": unlabelled,
    "wide_speed": wide_speed,
    "footprint": footprint,
}
BLOCKS |= {name: make for name, make in LATER.items() if read_result(name) is not None}
if checks := read_result("check"):
    parts = {"labels": check_labels, "duplicates": check_duplicates}
    BLOCKS |= {f"check_{name}": make for name, make in parts.items() if name in checks}
# Those of the README, with the result that each is made from; all others are in docs/results.md.
SHORT: dict[str, tuple[str, Callable[[], str]]] = {
    "rivals_short": ("rivals", rivals),
    "labels_needed": ("few_labels", labels_needed),
}
README_BLOCKS = {name: make for name, (source, make) in SHORT.items() if read_result(source) is not None}


def filled(text: str) -> str:
    """Return a page with every block that has a result rebuilt."""
    for name, make in (BLOCKS | README_BLOCKS).items():
        start, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
        if start in text:
            head, rest = text.split(start, 1)
            text = head + start + make() + end + rest.split(end, 1)[1]
    return text


def main() -> None:
    """Write or check."""
    for name in (README, RESULTS_PAGE):
        page = ROOT / name
        text = page.read_text(encoding="utf-8")
        if "--check" not in sys.argv:
            page.write_text(filled(text), encoding="utf-8")
        elif filled(text) != text:
            sys.exit(f"{name} differs from benchmarks/results: run python -m benchmarks.readme")


if __name__ == "__main__":
    main()
