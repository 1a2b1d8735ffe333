"""Pairs of texts as one HTML page: the answer, and below it the two texts side by side."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.show.kit.html.card import card
from heedful.show.kit.html.document import document, escape, style
from heedful.show.kit.text.truncate import shortened
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.show.view import PairSheet, pair_sheet

LONGEST = 100  # characters of a label


def pair_page(
    explanations: Sequence[PairExplanation],
    *,
    title: str = "What the model read in two texts",
    notes: Sequence[str] = (),
) -> str:
    """Return a whole page; `notes` stand beside the answers."""
    sheets = [pair_sheet(explanation) for explanation in explanations]
    beside = [*notes, *[""] * (len(sheets) - len(notes))]
    cards = "\n".join(pair_card(each, note=note) for each, note in zip(sheets, beside, strict=True))
    return document(title, f"<h1>{escape(title)}</h1>\n{_account(sheets)}\n{cards}")


def pair_fragment(explanation: PairExplanation) -> str:
    """Return one pair for a notebook, with its own style."""
    drawn = pair_sheet(explanation)
    return f'<style>{style()}</style><div class="hf">{_account([drawn])}{pair_card(drawn)}</div>'


def pair_card(drawn: PairSheet, *, note: str = "") -> str:
    """Return the answer, what an audit said, and a card for each text."""
    kind = "doubt" if drawn.is_doubtful else "calm"
    verdict = f'<p class="verdict {kind}">{escape(drawn.verdict.replace("`", ""))}</p>' if drawn.verdict else ""
    return (
        f'<section class="pair"><div class="answer"><strong dir="auto">{_label(drawn.title)}</strong> '
        f'<span>{escape(drawn.figure)}</span> <span class="soft" dir="auto">{_label(drawn.others)}</span> '
        f'<span>{escape(note)}</span></div>{verdict}<div class="maps">{"".join(map(card, drawn.sides))}</div></section>'
    )


def _account(sheets: Sequence[PairSheet]) -> str:
    said = next((each.account for each in sheets if any(side.has_effects for side in each.sides)), "")
    said = said or (sheets[0].account if sheets else "")
    if any(not word.is_known for each in sheets for side in each.sides for word in side.words):
        said += " A dotted line marks a word that the model does not know."
    return f'<p class="soft">{escape(said)} Point at a word for its number.</p>'


def _label(text: str) -> str:
    return escape(shortened(text, LONGEST))
