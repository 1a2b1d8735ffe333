"""JSON encoding that never fails, whatever labels and numbers a model folder contains."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import orjson

OPTIONS = orjson.OPT_SERIALIZE_NUMPY


def json_bytes(value: Any) -> bytes:
    """Return plain values and arrays as JSON.

    A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD. Integers may have any size.
    """
    try:
        return orjson.dumps(value, option=OPTIONS)
    except TypeError:  # orjson.JSONEncodeError is a TypeError
        return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _replace_surrogates(value)
    if isinstance(value, Mapping):
        return {_replace_surrogates(str(name)): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int)):
        return value
    return _replace_surrogates(str(value))


def _replace_surrogates(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
