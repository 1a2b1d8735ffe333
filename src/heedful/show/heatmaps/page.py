"""Explanations as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.pictures import picture_of
from heedful.show.heatmaps.view import HeatmapView, account, view
from heedful.show.kit.html import document as html
from heedful.show.kit.html.card import card
from heedful.show.kit.html.templates import render

if TYPE_CHECKING:
    from heedful.show.heatmaps.api import Heatmap

TEMPLATE = "show/heatmaps/page.html"


def page(
    explanations: Sequence[Explanation],
    *,
    title: str = "What the model read",
    intro: str = "",
    notes: Sequence[str] = (),
) -> str:
    """Return a whole page. `intro` is HTML of ours, placed above the heatmaps; `notes` stand beside the answers."""
    views = [view(explanation) for explanation in explanations]
    beside = [*notes, *[""] * (len(views) - len(notes))]
    images = [_image(explanation) for explanation in explanations]
    cards = [card(each, note=note, image=image) for each, note, image in zip(views, beside, images, strict=True)]
    return html.document(title, render(TEMPLATE, title=title, intro=Markup(intro), account=account(views), cards=cards))


def page_of(explanation: Explanation) -> str:
    """Return a whole page of one explanation."""
    return page([explanation])


def fragment_of(explanation: Explanation) -> str:
    """Return one explanation for a notebook, with its own style."""
    return html.fragment(_body(view(explanation)))


def heatmap_page(heatmap: Heatmap) -> str:
    """Return a whole page of a heatmap of anyone's words."""
    drawn = heatmap.view
    return html.document(drawn.title or drawn.rows[0].name, _body(drawn))


def heatmap_fragment(heatmap: Heatmap) -> str:
    """Return a heatmap of anyone's words for a notebook, with its own style."""
    return html.fragment(_body(heatmap.view))


def _body(drawn: HeatmapView) -> Markup:
    return render(TEMPLATE, title="", intro="", account=account([drawn]), cards=[card(drawn)])


def _image(explanation: Explanation) -> str:
    """Return the picture of an input that is not a text, in base 64."""
    return "" if explanation.kind == "text" else b64encode(picture_of(explanation).encode()).decode()
