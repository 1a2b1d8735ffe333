"""`heedful serve`."""

from __future__ import annotations

import argparse
import os
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.cli.shared.console import note
from heedful.errors import HeedfulError, need
from heedful.serve.settings import KEY, PREFIX, ServeSettings

if TYPE_CHECKING:
    from heedful.search.index import Index

REPEATABLE = ("allowed_host", "cors")  # flags that may be given more than once
MODELS, INDEXES = PREFIX + "MODELS", PREFIX + "INDEX"

EXAMPLE = f"""\
example:
  heedful serve en-base                             # then open http://127.0.0.1:8080
  heedful serve model en-base --index reviews.index
  heedful serve good=models/today --port 9000 --watch

Every flag is also an environment variable: --max-texts is HEEDFUL_MAX_TEXTS. Models are in {MODELS}, separated by
commas. API keys are in {KEY}, or in the file given by --api-key-file. Ctrl-C stops after running requests are
answered; SIGHUP reloads the models.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "models",
        nargs="*",
        metavar="model",
        help="model folder, name of a shipped model, or NAME=FOLDER",
    )
    parser.add_argument(
        "--index",
        action="append",
        default=[],
        metavar="FOLDER",
        help="index to search, or NAME=FOLDER; can be repeated",
    )
    for setting in fields(ServeSettings):
        flag, help_text = "--" + setting.name.replace("_", "-"), setting.metadata["help"]
        default = "" if setting.default in (None, "", False) else f" (default {setting.default})"
        if isinstance(setting.default, bool):
            parser.add_argument(flag, action="store_const", const="yes", help=help_text)
        else:
            options: dict[str, Any] = {"action": "append"} if setting.name in REPEATABLE else {}
            parser.add_argument(flag, metavar=setting.metadata["unit"], help=help_text + default, **options)


def main(args: argparse.Namespace) -> int:
    """Serve models until a signal arrives."""
    for module in ("fastapi", "uvicorn", "httptools", "orjson", "prometheus_client"):
        need(module, feature="Serving", extra="serve")
    from heedful.serve.logs import start_logs
    from heedful.serve.models import ModelRegistry, named_folders
    from heedful.serve.server import serve
    from heedful.serve.service import Service

    settings = settings_of(args)
    models = args.models or _split(os.environ.get(MODELS, ""))
    if not models:
        raise HeedfulError("which model? heedful serve MODEL, such as en-base or a folder written by `heedful train`")
    registry = ModelRegistry(named_folders(models), threads=1)
    indexes = open_indexes(args.index or _split(os.environ.get(INDEXES, "")))
    service = Service(settings, registry, indexes, settings.keys(os.environ))
    start_logs(settings.log_level)
    names = ", ".join(served.name for served in registry)
    serve(service, on_started=lambda address: note(f"serving {names} at {address} (Ctrl-C stops)"))
    return 0


def settings_of(args: argparse.Namespace) -> ServeSettings:
    """Return the settings of flags and environment; flags win."""
    values = {setting.name: getattr(args, setting.name) for setting in fields(ServeSettings)}
    flags = {
        name: ",".join(value) if name in REPEATABLE else value for name, value in values.items() if value is not None
    }
    return ServeSettings.from_sources(flags, os.environ)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def open_indexes(arguments: list[str]) -> dict[str, Index]:
    """Return name → index for arguments of the form NAME=FOLDER or FOLDER."""
    from heedful.search.index import Index

    indexes: dict[str, Index] = {}
    for argument in arguments:
        name, equals, folder = argument.partition("=")
        if not equals or "/" in name:
            name, folder = Path(argument).name.removesuffix(".index"), argument
        if name in indexes:
            raise HeedfulError(f"two indexes are named {name}: say NAME={folder} for one of them")
        index = Index.open(folder)
        _ = index.model  # so that a missing model fails now, not at the first search
        indexes[name] = index
    return indexes
