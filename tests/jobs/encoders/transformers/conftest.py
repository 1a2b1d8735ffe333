"""Small transformers, each saved once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.jobs.encoders.transformers.toy_transformers import save_transformer

from heedful.jobs.encoders.transformers.import_encoder import ImportOptions, import_encoder
from heedful.runtime.model import load
from heedful.tasks.embed.model import Encoder

Saved = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    """Return the folder of a family with a pooling."""
    home, made = tmp_path_factory.mktemp("transformers"), {}

    def folder(family: str, pooling: str = "mean") -> Path:
        key = f"{family}-{pooling}"
        if key not in made:
            made[key] = save_transformer(home / key, family, pooling=pooling)
        return made[key]

    return folder


@pytest.fixture(scope="session")
def encoder(saved: Saved, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Encoder]:
    """Return the imported encoder of a family."""
    home, made = tmp_path_factory.mktemp("imported"), {}

    def imported(family: str, pooling: str = "mean", **options: object) -> Encoder:
        key = f"{family}-{pooling}-{sorted(options.items())}"
        if key not in made:
            import_encoder(saved(family, pooling), home / str(len(made)), ImportOptions(**options))
            made[key] = load(home / str(len(made)))
        return made[key]

    return imported
