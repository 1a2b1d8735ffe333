"""Writes `heedful/api/settings.py` from the declarations in `heedful/settings.py`.

python -m tests.api.settings_source
"""

from __future__ import annotations

import dataclasses
import textwrap
import typing
from pathlib import Path

import heedful.api
from heedful.config import SECTIONS
from heedful.inputs import INPUTS
from heedful.settings import FIRST
from heedful.tasks import TASKS

TARGET = Path(heedful.api.__file__).with_name("settings.py")
OWN = ("train", "valid", "teacher")  # parameters of `heedful.train` and `heedful.distill`

HEAD = '''"""The settings of `heedful.train` as keywords, for editors and type checkers.

Written from `heedful/settings.py` by `python -m tests.api.settings_source`.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class Settings(TypedDict, total=False):
    """Keywords of `heedful.train`. The first ones matter most."""

'''


def fields() -> dict[str, tuple[str, str]]:
    """Return the type and the description of each setting, the first ones first."""
    known = {}
    for section in SECTIONS.values():
        hints = typing.get_type_hints(section)
        for field in dataclasses.fields(section):
            if field.name not in OWN:
                known[field.name] = (written(hints[field.name], field.metadata["choices"]), field.metadata["about"])
    tasks = dict.fromkeys(task.config_name for task in TASKS.values() if task.goal)
    chosen = {"task": (literal(tasks), "what to predict"), "input": (literal(INPUTS), "kind of input")}
    return {name: known[name] for name in FIRST if name in known} | chosen | known


def written(hint: object, choices: typing.Collection[str]) -> str:
    """Return a type as source."""
    if choices:
        return literal(choices)
    return hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)


def literal(choices: typing.Iterable[str]) -> str:
    """Return the type of a few strings."""
    return f"Literal[{', '.join(repr(choice) for choice in choices)}]".replace("'", '"')


def source() -> str:
    """Return the module."""
    lines = []
    for name, (kind, about) in fields().items():
        sentence = textwrap.wrap(f'"""{about[0].upper()}{about[1:]}."""', 116)
        lines += [f"    {name}: {kind}", *(f"    {line}" for line in sentence)]
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(source(), encoding="utf-8")
