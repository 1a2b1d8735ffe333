"""Folders that are made once in a whole run, whichever worker of pytest-xdist needs one first."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that `make` filled: here, or in another worker, which is then waited for."""
    base = factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base  # each worker has a folder of its own in it
    home = root / "made-once" / name
    is_made = home.with_name(f"{name}.made")
    home.parent.mkdir(exist_ok=True)
    with FileLock(home.with_name(f"{name}.lock")):
        if not is_made.exists():
            shutil.rmtree(home, ignore_errors=True)  # what a worker left that failed
            home.mkdir()
            make(home)
            is_made.touch()
    return home
