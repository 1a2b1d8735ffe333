"""A check of labelled data as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from markupsafe import Markup

from heedful.explain.check.results import Check
from heedful.show.check import wording
from heedful.show.check.plots import curve_plot
from heedful.show.check.view import MOST_GROUPS, view
from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.numbers import percent

PACKAGE = "heedful.show.check"


def check_page(check: Check) -> str:
    """Return a whole page."""
    return html.document(view(check).title, _body(check))


def check_fragment(check: Check) -> str:
    """Return the same for a notebook, with its own style."""
    return html.fragment(_body(check))


def _body(check: Check) -> Markup:
    curve = check.curve
    points = [] if curve is None else [(p, False) for p in curve.points] + [(p, True) for p in curve.ahead]
    return render(
        "show/check/page.html",
        view=view(check),
        wording=wording,
        style=html.style(PACKAGE),
        plot=None if curve is None else Markup(curve_plot(curve)),  # SVG of ours, with numbers alone
        points=[
            (f"{p.n:,}", *(percent(x, digits=1) for x in (p.accuracy, p.low, p.high)), ahead) for p, ahead in points
        ],
        sentence="" if curve is None else wording.curve_sentence(check),
        duplicates="" if check.duplicates is None else wording.duplicates_sentence(check),
        leaks="" if check.leaks is None else wording.leaks_sentence(check.leaks),
        most_groups=MOST_GROUPS,
        is_judged=check.label_check is not None,
    )
