"""Explanations as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape as escape_markup
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from heedful.explain.explanation import Explanation
from heedful.show.shade import relative
from heedful.show.visible import visible

FAINT = 0.02  # of the largest weight: no shade to be seen
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def escape(text: str) -> str:
    """Return text that is only text in a page, without control characters."""
    return escape_markup(visible(text))


@cache
def style() -> str:
    """Return the style sheet of all pages."""
    return (files("heedful.show") / "page.css").read_text(encoding="utf-8")


def page(
    explanations: Sequence[Explanation],
    *,
    title: str = "What the model read",
    intro: str = "",
    notes: Sequence[str] = (),
) -> str:
    """Return a whole page. `intro` is HTML of ours, placed above the heatmaps; `notes` stand beside the answers."""
    beside = [*notes, *[""] * (len(explanations) - len(notes))]
    cards = "\n".join(card(e, note=note) for e, note in zip(explanations, beside, strict=True))
    return document(
        title,
        f"<h1>{escape(title)}</h1>\n{intro}\n"
        '<p class="soft">Stronger colour is more weight: <span class="legend" aria-hidden="true"></span> '
        "Weights say where the model looked. They have no sign and belong to no label. "
        "A dotted line marks a word the model does not know.</p>\n" + cards,
    )


def document(title: str, body: str) -> str:
    """Return a page around a body of ours."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style()}</style>\n</head>\n"
        f'<body class="hf">\n{body}\n</body>\n</html>\n'
    )


def fragment(explanation: Explanation) -> str:
    """Return one heatmap for a notebook, with its own style."""
    return f'<style>{style()}</style><div class="hf">{card(explanation)}</div>'


def card(explanation: Explanation, *, note: str = "") -> str:
    """Return one text: its answer, the overall heatmap, each hop, and the numbers as a table."""
    probability = explanation.probabilities[explanation.label]
    others = sorted(explanation.probabilities.items(), key=lambda pair: -pair[1])[1:4]
    rest = ", ".join(f"{escape(label)} {p:.2f}" for label, p in others)
    return (
        '<section class="card">'
        f'<div class="answer"><strong>{escape(explanation.label)}</strong> <span>{probability:.2f}</span>'
        f'<span class="soft">{rest}</span> <span>{escape(note)}</span></div>'
        f'<div class="text" dir="auto">{_words(explanation, explanation.overall)}</div>'
        + "".join(
            f'<p class="verdict">{escape(line)}</p>' for line in (explanation.warning, explanation.verdict) if line
        )
        + f"{_hops(explanation)}{_table(explanation)}</section>"
    )


def _words(explanation: Explanation, weights: NDArray[np.float32], *, words_only: bool = False) -> str:
    shares = relative(weights)
    parts: list[str] = []
    at = 0
    for word, share, weight in zip(explanation.words, shares, weights, strict=True):
        parts.append(escape(explanation.text[at : word.start]))
        at = word.end
        if words_only and share < FAINT:  # with many hops and a long text, most spans would show nothing
            parts.append(escape(word.text))
            continue
        kinds = "w" + (" strong" if share > 0.55 else "") + ("" if word.is_known else " unknown")
        parts.append(f'<span class="{kinds}" style="--w:{share:.2f}" title="{weight:.3f}">{escape(word.text)}</span>')
    parts.append(escape(explanation.text[at : explanation.read_to]))
    if explanation.read_to < len(explanation.text) and not words_only:
        parts.append(f'<span class="unread" title="not read">{escape(explanation.text[explanation.read_to :])}</span>')
    return "".join(parts)


def _hops(explanation: Explanation) -> str:
    if len(explanation.weights) < 2:
        return ""
    rows = "".join(
        f'<div class="hop"><span class="soft">hop {i + 1}</span>'
        f'<div class="text" dir="auto">{_words(explanation, weights, words_only=True)}</div></div>'
        for i, weights in enumerate(explanation.weights)
    )
    return f"<details><summary>Each of the {len(explanation.weights)} hops on its own</summary>{rows}</details>"


def _table(explanation: Explanation) -> str:
    order = np.argsort(-explanation.overall, kind="stable")[:200]
    hops = range(len(explanation.weights))
    head = "".join(f'<th class="n" scope="col">hop {i + 1}</th>' for i in hops)
    rows = "".join(
        f'<tr><th scope="row" dir="auto">{escape(explanation.words[j].text)}</th>'
        f'<td class="n">{explanation.overall[j]:.3f}</td>'
        + "".join(f'<td class="n">{explanation.weights[i, j]:.3f}</td>' for i in hops)
        + "</tr>"
        for j in order
    )
    return (
        "<details><summary>The same as numbers</summary>"
        '<div class="scroll" tabindex="0" role="region" aria-label="weights of each word"><table>'
        f'<thead><tr><th scope="col">word</th><th class="n" scope="col">overall</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )
