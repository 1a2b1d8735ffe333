"""A model folder as bytes, to send it to workers on other machines."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Mapping
from pathlib import Path

from heedful.files.fingerprint import fingerprint
from heedful.runtime.model import Model, load
from heedful.store.contained_files import read_file
from heedful.store.digests import digest as file_digest
from heedful.store.shipped import model_path

NOT_SENT = {"README.md", "history.jsonl", "hops.json", "words.json"}  # predictions do not depend on these
NOT_FOR_PREDICTIONS = ("audit.json", "weights.safetensors")  # but explanations do


def read_files(model: str | Path | Model) -> dict[str, bytes]:
    """Return the files of a model that predictions depend on."""
    folder = model.path if isinstance(model, Model) else model_path(model)
    return {
        file.name: read_file(folder, file.name)
        for file in sorted(folder.iterdir())
        if file.is_file() and file.name not in NOT_SENT
    }


def digest(files: Mapping[str, bytes], command: str) -> str:
    """Return a fingerprint of a model; audit.json and the torch weights only matter for explanations."""
    names = [name for name in sorted(files) if command == "explain" or name not in NOT_FOR_PREDICTIONS]
    return fingerprint(*(f"{name}\0{file_digest(files[name])}\0".encode() for name in names))


def load_files(files: Mapping[str, bytes], name: str, *, keep: bool) -> Model:
    """Load a model from its files, with one thread because a worker has one core.

    The temporary folder is removed after loading, or with `keep` (gradients read the weights) when the process ends.
    """
    temporary = tempfile.TemporaryDirectory(prefix="heedful-")
    folder = Path(temporary.name) / name
    folder.mkdir()
    for file_name, content in files.items():
        (folder / file_name).write_bytes(content)
    model = load(folder, threads=1)
    if keep:
        atexit.register(temporary.cleanup)
    else:
        temporary.cleanup()
    return model
