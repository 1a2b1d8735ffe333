"""A model folder as bytes: what a worker on another machine is given, so that nothing must lie there before."""

from __future__ import annotations

import atexit
import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path

from heedful.runtime.model import Model, load
from heedful.store.contained_files import read_file
from heedful.store.shipped import model_path

NOT_SENT = {"README.md", "history.jsonl", "hops.json"}  # what no answer depends on


def read_files(model: str | Path | Model) -> dict[str, bytes]:
    """Return the files of a model that answers depend on."""
    folder = model.path if isinstance(model, Model) else model_path(model)
    return {
        file.name: read_file(folder, file.name)
        for file in sorted(folder.iterdir())
        if file.is_file() and file.name not in NOT_SENT
    }


def digest(files: Mapping[str, bytes], command: str) -> str:
    """Return what tells one model from another; an audit changes explanations only."""
    total = hashlib.sha256()
    for name in sorted(files):
        if command == "explain" or name not in ("audit.json", "weights.safetensors"):
            total.update(f"{name}\0{hashlib.sha256(files[name]).hexdigest()}\0".encode())
    return total.hexdigest()[:16]


def load_files(files: Mapping[str, bytes], name: str, *, keep: bool) -> Model:
    """Return the model that these files are, on one thread: a worker is one core.

    The folder is gone again when the model is loaded, or where it is to be kept (gradients read the weights) when the
    process ends.
    """
    home = tempfile.TemporaryDirectory(prefix="heedful-")
    folder = Path(home.name) / name
    folder.mkdir()
    for one, content in files.items():
        (folder / one).write_bytes(content)
    model = load(folder, threads=1)
    if keep:
        atexit.register(home.cleanup)
    else:
        home.cleanup()
    return model
