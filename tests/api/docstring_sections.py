"""The sections of a docstring in Google style."""

from __future__ import annotations

import inspect
import re

SECTIONS = ("Args", "Attributes", "Returns", "Raises", "Example")


def sections(thing: object) -> dict[str, list[str]]:
    """Return the lines of each section of a docstring; those before the first are the section Summary."""
    parts: dict[str, list[str]] = {"Summary": []}
    name = "Summary"
    for line in (inspect.getdoc(thing) or "").splitlines():
        if line.removesuffix(":") in SECTIONS:
            name = line.removesuffix(":")
            parts[name] = []
        else:
            parts[name].append(line)
    return parts


def entries(lines: list[str]) -> list[str]:
    """Return the names that a section describes."""
    return [match.group(1) for line in lines if (match := re.match(r" {4}(\w+): \S", line))]
