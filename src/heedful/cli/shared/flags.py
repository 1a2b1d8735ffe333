"""Command-line flags for the settings: one for each field, with the same name."""

from __future__ import annotations

import argparse
import dataclasses
import types
import typing
from collections.abc import Callable, Collection, Sequence
from typing import Any

from heedful.config import SECTIONS

TITLES = {
    "data": "data",
    "text": "text",
    "source": "sounds, molecules, graphs",
    "model": "model",
    "train": "training",
    "encode": "encoder",
}
CLASSIFIER = ("data", "text", "source", "model", "train")
ENCODER = ("text", "model", "train", "encode")
EXTRA_NAMES = {"n_hops": ("--hops",), "lr": ("--learning-rate",)}
POSITIONAL = {"train"}  # settings that are not flags but arguments


def add_setting_flags(
    parser: argparse.ArgumentParser,
    sections: Sequence[str] = CLASSIFIER,
    *,
    without: Collection[str] = (),
    also: Collection[str] = (),
    first: Sequence[str] = (),
) -> None:
    """Add a flag for every setting of these sections, and those of others named in `also` or `first`.

    Flags that are not given are not in the result.

    If some come `first`, `--help` lists only those, and `--help-all` lists all.
    """
    fields = {
        field.name: (section, field, hint)
        for section in SECTIONS
        for field, hint in _fields_of(SECTIONS[section])
        if field.name in (*also, *first)
        or (section in sections and field.name not in POSITIONAL and field.name not in without)
    }
    if first:
        group = parser.add_argument_group("settings that matter most")
        for name in first:
            _, field, hint = fields.pop(name)
            _add_flag(group, field, hint)
    groups: dict[str, Any] = {}
    hidden: dict[argparse.Action, str] = {}
    for section, field, hint in fields.values():
        group = groups.setdefault(section, None) or parser.add_argument_group(TITLES[section])
        groups[section] = group
        action = _add_flag(group, field, hint)
        hidden[action] = str(action.help)
        action.help = argparse.SUPPRESS if first else action.help
    if first:
        parser.add_argument("--help-all", action=HelpAll, hidden=hidden)


def _fields_of(section: type[Any]) -> list[tuple[dataclasses.Field[Any], Any]]:
    hints = typing.get_type_hints(section)
    return [(field, hints[field.name]) for field in dataclasses.fields(section)]


class HelpAll(argparse.Action):
    """Prints help with all flags."""

    def __init__(self, *, hidden: dict[argparse.Action, str], **options: Any) -> None:
        options |= {"nargs": 0, "default": argparse.SUPPRESS, "help": f"list {len(hidden)} more settings, and exit"}
        super().__init__(**options)
        self._hidden = hidden

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print help and exit."""
        for action, text in self._hidden.items():
            action.help = text
        parser.print_help()
        parser.exit()


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given as flags."""
    names = {field.name for cls in SECTIONS.values() for field in dataclasses.fields(cls)} - POSITIONAL
    return {name: value for name, value in vars(args).items() if name in names}


def _add_flag(group: Any, field: dataclasses.Field[Any], hint: Any) -> argparse.Action:
    flag = "--" + field.name.replace("_", "-")
    default = "" if field.default is None else f" (default {_formatted(field.default)})"
    options: dict[str, Any] = {
        "dest": field.name,
        "default": argparse.SUPPRESS,
        "help": (field.metadata["about"] + default).replace("%", "%%"),
    }
    if hint in (bool, bool | None):
        options["action"] = argparse.BooleanOptionalAction
    elif field.metadata["choices"]:
        options["choices"] = field.metadata["choices"]
    else:
        options["type"], options["metavar"] = _parser(hint)
    action: argparse.Action = group.add_argument(flag, *EXTRA_NAMES.get(field.name, ()), **options)
    return action


def _parser(hint: Any) -> tuple[Callable[[str], Any], str]:
    if isinstance(hint, types.UnionType):
        hint = typing.get_args(hint)[0]
    if typing.get_origin(hint) is tuple:
        return _whole_numbers, "N,N,…"
    return {int: (int, "N"), float: (float, "X"), str: (str, "NAME")}[hint]


def _whole_numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected whole numbers and commas, such as 3,4,5") from None


def _formatted(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) and value > 9999 else str(value)
