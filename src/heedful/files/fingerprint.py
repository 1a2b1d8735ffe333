"""Short hashes of contents, to notice that data or a model has changed."""

from __future__ import annotations

import hashlib

LENGTH = 16  # hexadecimal digits


def fingerprint(*contents: bytes) -> str:
    """Return the first 64 bits of the SHA-256 of the concatenated contents, as hexadecimal digits."""
    digest = hashlib.sha256()
    for content in contents:
        digest.update(content)
    return digest.hexdigest()[:LENGTH]
