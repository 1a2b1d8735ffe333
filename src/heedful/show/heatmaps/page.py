"""Explanations as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.pictures import picture_of
from heedful.show.heatmaps.view import ACCOUNT, ATTENTION_ONLY, Sheet, sheet
from heedful.show.kit.html.card import card
from heedful.show.kit.html.document import document, escape, style

__all__ = ["document", "escape", "fragment", "page", "sheet_fragment", "sheet_page", "style"]


def page(
    explanations: Sequence[Explanation],
    *,
    title: str = "What the model read",
    intro: str = "",
    notes: Sequence[str] = (),
) -> str:
    """Return a whole page. `intro` is HTML of ours, placed above the heatmaps; `notes` stand beside the answers."""
    sheets = [sheet(explanation) for explanation in explanations]
    beside = [*notes, *[""] * (len(sheets) - len(notes))]
    drawn = [_drawn(explanation) for explanation in explanations]
    cards = "\n".join(
        card(each, note=note, drawn=image) for each, note, image in zip(sheets, beside, drawn, strict=True)
    )
    return document(title, f"<h1>{escape(title)}</h1>\n{intro}\n{_account(sheets)}\n{cards}")


def _drawn(explanation: Explanation) -> str:
    """Return the picture of an input that is not a text, as an image that runs nothing."""
    if explanation.kind == "text":
        return ""
    data = b64encode(picture_of(explanation).encode()).decode()
    said = f"the heatmap drawn over the {explanation.kind}"
    return f'<img class="drawn" alt="{said}" src="data:image/svg+xml;base64,{data}">'


def fragment(explanation: Explanation) -> str:
    """Return one heatmap for a notebook, with its own style."""
    return sheet_fragment(sheet(explanation))


def sheet_page(drawn: Sheet) -> str:
    """Return a whole page of one sheet."""
    return document(drawn.title or drawn.rows[0].name, f"{_account([drawn])}\n{card(drawn)}")


def sheet_fragment(drawn: Sheet) -> str:
    """Return one sheet for a notebook, with its own style."""
    return f'<style>{style()}</style><div class="hf">{_account([drawn])}{card(drawn)}</div>'


def _account(sheets: Sequence[Sheet]) -> str:
    said = ACCOUNT if any(each.has_effects for each in sheets) else ATTENTION_ONLY
    if len(sheets) == 1 and sheets[0].account:
        said = sheets[0].account
    if any(not word.is_known for each in sheets for word in each.words):
        said += " A dotted line marks a word that the model does not know."
    return f'<p class="soft">{escape(said)} Point at a word for its number.</p>'
