"""Digests of a model's files: facts.json has them, and an audit is about the model that they describe."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from heedful.errors import ModelFolderError

NOT_SEALED = ("facts.json", "history.jsonl", "README.md")  # the seal itself, and files that no answer depends on


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def seal(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the digests of all files that answers depend on, by name."""
    return {name: digest(content) for name, content in sorted(files.items()) if name not in NOT_SEALED}


def check_seal(folder: Path, digests: Mapping[str, str], expected: Mapping[str, str]) -> None:
    """Raise where a file is not the one that was saved. Folders of format 1 have no digests to compare with."""
    for name, found in digests.items():
        if expected and name not in NOT_SEALED and expected.get(name) != found:
            raise ModelFolderError(
                f"{folder / name} is not the file that was saved with this model: it was changed or damaged. "
                "Copy the whole folder again, or train the model again"
            )


def fingerprint(digests: Mapping[str, str]) -> str:
    """Return what a model is known by: a digest over all files that its answers depend on, and over facts.json."""
    return digest("\n".join(f"{name} {found}" for name, found in sorted(digests.items())).encode())
