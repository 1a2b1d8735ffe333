"""How reliable the heatmaps of a model are, as one HTML page: the verdict, then each check and its result."""

from __future__ import annotations

from markupsafe import Markup

from heedful.explain.audit.audit import Audit
from heedful.show.audit.plots import PLOTS
from heedful.show.audit.view import view
from heedful.show.audit.wording import TITLE
from heedful.show.kit.html import document as html
from heedful.show.kit.html.templates import render
from heedful.show.kit.text.sanitise import one_line

PACKAGE = "heedful.show.audit"


def audit_page(audit: Audit) -> str:
    """Return a whole page."""
    return html.document(f"{TITLE} {one_line(audit.model)}", _body(audit, html.style(PACKAGE)))


def audit_fragment(audit: Audit) -> str:
    """Return the same without a page around it, with its own style: for a notebook, or inside another page."""
    return str(_body(audit, html.style() + html.style(PACKAGE)))


def _body(audit: Audit, style: Markup) -> Markup:
    drawn = view(audit)
    plots = [Markup(PLOTS[check.key](audit)) for check in drawn.checks]  # SVG of ours, with every name escaped
    return render(
        "show/audit/page.html", title=TITLE, view=drawn, style=style, checks=list(zip(drawn.checks, plots, strict=True))
    )
