"""Where things are printed: answers to stdout, the rest to stderr."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console

out = Console(highlight=False, soft_wrap=False)
err = Console(stderr=True, highlight=False)


def print_json(value: Any) -> None:
    """Print one JSON value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def note(message: str) -> None:
    """Say something that is not the answer."""
    err.print(message, markup=False)
