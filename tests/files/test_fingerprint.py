"""Fingerprints are the start of a SHA-256, however the contents are split."""

import hashlib

from heedful.files.fingerprint import fingerprint


def test_it_is_the_start_of_the_sha256():
    assert fingerprint(b"abc") == hashlib.sha256(b"abc").hexdigest()[:16]


def test_only_the_concatenation_counts():
    assert fingerprint(b"a", b"", b"bc") == fingerprint(b"abc")
    assert fingerprint(b"abd") != fingerprint(b"abc")
