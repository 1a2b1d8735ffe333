"""What each hop reads, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from heedful.explain.hops.atlas import Hop, HopAtlas, Shares
from heedful.show.hops.view import ACCOUNT, MAP, NAME, SHARES, HopView, PlacePart, entropy_of, place_parts, view
from heedful.show.kit.html import document as html
from heedful.show.kit.html.cells import ROOMY
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.numbers import percent

PACKAGE = "heedful.show.hops"
MOST_LABELS = 12  # in the table of a hop


@dataclass(frozen=True)
class Places:
    """Where a hop reads a word."""

    word: str
    count: int
    places: list[tuple[list[PlacePart], str]]  # the text, and the hop's weight on the word


def hops_page(atlas: HopAtlas) -> str:
    """Return a whole page."""
    return html.document(view(atlas).title, _body(atlas))


def hops_fragment(atlas: HopAtlas) -> str:
    """Return the same for a notebook, with its own style."""
    return html.fragment(_body(atlas))


def _body(atlas: HopAtlas) -> Markup:
    drawn = view(atlas)
    return render(
        "show/hops/page.html",
        view=drawn,
        style=html.style(PACKAGE),
        map_account=MAP,
        account=ACCOUNT,
        cards=[(hop, _shares(hop.hop, atlas.even), *_places(hop.hop), _few_labels(hop)) for hop in drawn.hops],
        heads=("entropy", *SHARES),
        most_labels=MOST_LABELS,
        roomy=ROOMY,
        name=NAME,
    )


def _shares(hop: Hop, even: Shares) -> list[tuple[str, list[str]]]:
    """Return where the weight of a hop goes, beside that of one that reads evenly."""
    rows = (("this hop", hop.entropy, hop.shares), ("reading evenly", 1.0, even))
    return [
        (name, [entropy_of(entropy), *(percent(share) for share in vars(shares).values())])
        for name, entropy, shares in rows
    ]


def _places(hop: Hop) -> tuple[list[Places], list[Places]]:
    """Return the best place of each word, and the others; of a hop that reads no words all are others."""
    n_best = 0 if hop.is_dead else 1
    return _rows(hop, slice(0, n_best)), _rows(hop, slice(n_best, None))


def _rows(hop: Hop, which: slice) -> list[Places]:
    return [
        Places(word.word, word.count, [(place_parts(place), f"{place.weight:.2f}") for place in word.places[which]])
        for word in hop.words
        if word.places[which]
    ]


def _few_labels(hop: HopView) -> str:
    n = len(hop.labels)
    return f", the {MOST_LABELS} most frequent of {n}" if n > MOST_LABELS else ""
