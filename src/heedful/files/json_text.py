"""Standard JSON: no NaN or Infinity, which few parsers accept, and no lone surrogates."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from heedful.files.unicode import without_lone_surrogates


def json_text(
    value: Any,
    *,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    default: Callable[[Any], Any] | None = None,
    ascii_only: bool = False,
) -> str:
    """Return a value as JSON, with null for numbers that are not finite."""

    def dumped(tree: Any) -> str:
        return json.dumps(
            tree, ensure_ascii=ascii_only, allow_nan=False, indent=indent, separators=separators, default=default
        )

    try:
        text = dumped(value)
    except ValueError:
        text = dumped(_finite(value))
    return text if ascii_only else without_lone_surrogates(text)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key): _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value


def _key(key: Any) -> Any:
    return str(key) if isinstance(key, float) and not math.isfinite(key) else key
