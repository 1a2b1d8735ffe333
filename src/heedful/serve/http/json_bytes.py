"""Plain values as JSON, whatever a model's folder holds: no label and no number may break an answer."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import orjson

OPTIONS = orjson.OPT_SERIALIZE_NUMPY


def json_bytes(value: Any) -> bytes:
    """Return plain values, and arrays, as JSON.

    Half a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD. Whole numbers may have any size.
    """
    try:
        return orjson.dumps(value, option=OPTIONS)
    except TypeError:  # orjson's own error is one, too
        return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, Mapping):
        return {_whole(str(name)): _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int)):
        return value
    return _whole(str(value))


def _whole(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
