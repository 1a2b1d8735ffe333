"""A tiny model of each kind that can be looked at from inside."""

from __future__ import annotations

import pytest
from tests.conftest import train_tiny
from tests.made_once import made_once

from heedful.runtime.model import load

KINDS = {
    "bilstm": {},
    "static": {"encoder": "static"},
    "cnn": {"encoder": "cnn", "kernel_sizes": [2, 3]},
    "transformer": {"encoder": "transformer", "n_layers": 1, "n_heads": 2, "inner_units": 8},
    "mean": {"pooler": "mean"},
    "full head": {"head": "full", "hidden": 12},
    "subwords": {"tokens": "subwords", "vocab_size": 45},
}


@pytest.fixture(scope="session", params=list(KINDS))
def any_model(request, tmp_path_factory):
    kind = {"start": "none", **KINDS[request.param]}
    name = f"inside-{request.param}".replace(" ", "-")
    home = made_once(tmp_path_factory, name, lambda home: train_tiny(home / "tiny", **kind))
    return load(home / "tiny", threads=1)
