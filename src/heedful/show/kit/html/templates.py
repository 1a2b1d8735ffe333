"""HTML from templates, which lie beside the page that they draw.

Autoescape is on: a template writes text, and HTML only where Python hands it `Markup` of ours.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from heedful.show.kit.text.numbers import number, percent
from heedful.show.kit.text.sanitise import one_line, visible
from heedful.show.kit.text.truncate import shortened

if TYPE_CHECKING:
    from jinja2 import Environment

_COMMAND = re.compile("`([^`]+)`")


def commands(text: str) -> list[str]:
    """Split a sentence at its commands in backticks: every second part is a command."""
    return _COMMAND.split(text)


FILTERS = {"commands": commands, "number": number, "one_line": one_line, "percent": percent, "shortened": shortened}


def render(template: str, /, **values: Any) -> Markup:
    """Return the HTML of a template, named by its path inside the package: `show/hops/page.html`."""
    return Markup(_environment().get_template(template).render(values))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("heedful", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_without_hidden_characters,
    )
    environment.filters.update(FILTERS)
    return environment


def _without_hidden_characters(value: Any) -> Any:
    return visible(value) if type(value) is str else value
