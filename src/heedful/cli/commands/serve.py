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

SEVERAL = ("allowed_host", "cors")  # flags that may be given more than once
MODELS, INDEXES = PREFIX + "MODELS", PREFIX + "INDEX"

EXAMPLE = f"""\
example:
  heedful serve en-base                             # then open http://127.0.0.1:8080
  heedful serve model en-base --index reviews.index
  heedful serve good=models/today --port 9000 --watch

Every flag is also an environment variable: --max-texts is HEEDFUL_MAX_TEXTS; models are {MODELS}, separated by commas.
Set the key that clients must send in {KEY}, or in the file of --api-key-file. Ctrl-C stops after pending requests
are answered; SIGHUP reloads the models.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "models",
        nargs="*",
        metavar="model",
        help="model folder, name of a model that comes with heedful, or NAME=FOLDER",
    )
    parser.add_argument(
        "--index",
        action="append",
        default=[],
        metavar="FOLDER",
        help="index to search, or NAME=FOLDER; can be repeated",
    )
    for each in fields(ServeSettings):
        flag = "--" + each.name.replace("_", "-")
        default = "" if each.default in (None, "", False) else f" (default {each.default})"
        if isinstance(each.default, bool):
            parser.add_argument(flag, action="store_const", const="yes", help=each.metadata["about"])
        else:
            how: dict[str, Any] = {"action": "append"} if each.name in SEVERAL else {}
            parser.add_argument(flag, metavar=each.metadata["unit"], help=each.metadata["about"] + default, **how)


def main(args: argparse.Namespace) -> int:
    """Serve models until interrupted."""
    for module in ("fastapi", "uvicorn", "httptools", "orjson", "prometheus_client"):
        need(module, feature="Serving", extra="serve")
    from heedful.serve.logs import start_logs
    from heedful.serve.models import Shelf, named_folders
    from heedful.serve.server import serve
    from heedful.serve.service import Service

    settings = settings_of(args)
    models = args.models or _listed(os.environ.get(MODELS, ""))
    if not models:
        raise HeedfulError("which model? heedful serve MODEL, such as en-base, or a folder that `heedful train` made")
    shelf = Shelf(named_folders(models), threads=1)
    indexes = opened(args.index or _listed(os.environ.get(INDEXES, "")))
    service = Service(settings, shelf, indexes, settings.keys(os.environ))
    start_logs(settings.log_level)
    names = ", ".join(held.name for held in shelf)
    serve(service, started=lambda address: note(f"serving {names} at {address} (Ctrl-C stops)"))
    return 0


def settings_of(args: argparse.Namespace) -> ServeSettings:
    """Return the settings of the flags, then of the environment."""
    named = {each.name: getattr(args, each.name) for each in fields(ServeSettings)}
    texts = {name: ",".join(value) if name in SEVERAL else value for name, value in named.items() if value is not None}
    return ServeSettings.given(texts, os.environ)


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def opened(given: list[str]) -> dict[str, Index]:
    """Return name → index for arguments of the form NAME=FOLDER or FOLDER."""
    from heedful.search.index import Index

    indexes: dict[str, Index] = {}
    for each in given:
        name, mark, folder = each.partition("=")
        if not mark or "/" in name:
            name, folder = Path(each).name.removesuffix(".index"), each
        if name in indexes:
            raise HeedfulError(f"two indexes are named {name}: use NAME={folder} for one of them")
        index = Index.open(folder)
        _ = index.model  # report a missing model now, not at the first search
        indexes[name] = index
    return indexes
