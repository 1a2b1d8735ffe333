"""The table of serving, and what is said of a server under too much load."""

from __future__ import annotations

from typing import Any

from benchmarks.aims import said
from benchmarks.result import read_result

CLIENTS = (1, 8, 64)


def serve() -> str:
    """Sentences a second by server, texts in a request and clients; the time of a request alone and among many."""
    found: dict[str, Any] = read_result("serve")
    heads = [f"{n} client{'s' if n > 1 else ''}, sentences/s" for n in CLIENTS]
    lines = [
        f"| | in a request | {' | '.join(heads)} | alone, p50 | 64 clients, p50 and p99 |",
        "|---|---|" + "---|" * (len(CLIENTS) + 2),
    ]
    for texts in sorted({cell["texts"] for row in found["rows"].values() for cell in row["cells"].values()}):
        rows = sorted(found["rows"].values(), key=lambda row, texts=texts: -_pace(row, texts))  # type: ignore[misc]
        lines += [_row(row, texts) for row in rows]
    offline, n = found["offline"]["sentences_per_second"], found["texts"]["n"]
    lines.append(f"| heedful en-base without HTTP, one call | {n:,} | {offline:,.0f} | | | | |")
    return "\n".join([*lines, "", said(found["targets"])])


def _pace(row: dict[str, Any], texts: int) -> float:
    return float(row["cells"][f"{texts}x{CLIENTS[-1]}"]["sentences_per_second"])


def _row(row: dict[str, Any], texts: int) -> str:
    cells = [row["cells"][f"{texts}x{n}"] for n in CLIENTS]
    paces = " | ".join(f"{cell['sentences_per_second']:,.0f}" for cell in cells)
    many = f"{_ms(cells[-1]['p50_ms'])}, {_ms(cells[-1]['p99_ms'])}"
    return f"| {row['name']} | {texts} | {paces} | {_ms(cells[0]['p50_ms'])} | {many} |"


def _ms(value: float) -> str:
    return f"{value:,.0f} ms" if value >= 100 else f"{value:.1f} ms"


def soak() -> str:
    """How a server bears twice the load that it can."""
    f: dict[str, Any] = read_result("soak")
    taken, refused = f["statuses"].get("200", 0), f["statuses"].get("429", 0)
    strange = ", ".join(f"{n:,} × {status}" for status, n in f["statuses"].items() if status not in ("200", "429"))
    unanswered = sum(f["unanswered"].values())
    low, high = (f["accepted_ms"][name] / 1e3 for name in ("p50", "p99"))
    return (
        f"Offered twice the requests it can answer ({f['offered_per_second']:,.0f} a second) for {f['minutes']:g} "
        f"minutes, with clients that go away, read slowly or not at all, `heedful serve` answered {taken:,} "
        f"(p50 {low:.1f} s, p99 {high:.1f} s), refused {refused:,} with 429, gave {strange or 'no other status'}, "
        f"and left {unanswered or 'none'} without an answer; memory in the second half: "
        f"{100 * f['memory_growth']:+.1f} %."
    )
