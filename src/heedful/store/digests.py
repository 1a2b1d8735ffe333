"""Digests of a model's files, stored in facts.json and used to tie an audit to its model."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from heedful.errors import ModelFolderError

NOT_SEALED = (
    "facts.json",
    "history.jsonl",
    "README.md",
)  # the seal itself, and files without effect on predictions


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def seal(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the digests, by name, of all files that predictions depend on."""
    return {name: digest(content) for name, content in sorted(files.items()) if name not in NOT_SEALED}


class Seal:
    """The digests of a model's files, computed lazily, or in a background thread once started."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = dict(files)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Compute the digests in the background; hashing releases the GIL."""
        self._thread = threading.Thread(target=lambda: self.digests, daemon=True)
        self._thread.start()

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each file by name."""
        return {name: digest(content) for name, content in self._files.items()}

    def check(self, folder: Path, expected: Mapping[str, str]) -> None:
        """Raise if a file differs from the saved one. Folders of format 1 have no digests to compare with."""
        if not expected:
            return
        if self._thread is not None:
            self._thread.join()
        for name, actual in self.digests.items():
            if name not in NOT_SEALED and expected.get(name) != actual:
                raise ModelFolderError(
                    f"{folder / name} is not the file that was saved with this model: it was changed or damaged. "
                    "Copy the whole folder again, or train the model again"
                )

    @cached_property
    def fingerprint(self) -> str:
        """A digest over facts.json and all files that predictions depend on."""
        return digest("\n".join(f"{name} {file_digest}" for name, file_digest in sorted(self.digests.items())).encode())

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle without the thread."""
        return {**self.__dict__, "_thread": None}
