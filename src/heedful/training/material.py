"""Which texts to learn from, and which to choose the best epoch by."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from heedful.config import DataSettings
from heedful.data.columns import Columns
from heedful.data.example import Example
from heedful.data.read import read_labelled
from heedful.data.split import stratified_split
from heedful.errors import ConfigError, DataError

Pair = tuple[Sequence[Example], Sequence[Example]]


@dataclass(frozen=True)
class Material:
    """Texts with their labels."""

    train: Sequence[Example]
    valid: Sequence[Example]
    labels: tuple[str, ...]
    columns: Columns  # where they stood in the training file
    is_held_out: bool = False  # whether the valid texts were kept back from the training texts

    def fingerprints(self) -> dict[str, str]:
        """Return hashes by which a changed file is noticed."""
        return {"texts": _fingerprint(self.train), "valid texts": _fingerprint(self.valid)}


def read_material(settings: DataSettings, *, seed: int, given: Pair | None = None, numbers: bool = False) -> Material:
    """Read the files, or take what is given; without valid texts, keep some of the training texts back.

    With `numbers`, the one label is the name of the column that they stand in.
    """
    train, valid, columns = (*given, Columns()) if given else _read(settings, numbers=numbers)
    source = settings.train or "the training texts"
    if numbers:
        return _numbered(train, valid, columns, settings, seed=seed, source=source)
    labels = tuple(sorted({e.label for e in train}))
    if len(labels) < 2:
        raise DataError(source, f"every text has the label {labels[0]!r}, expected two labels or more")
    is_held_out = not valid
    if is_held_out:
        kept, held = stratified_split([e.label for e in train], settings.valid_share, seed=seed)
        train, valid = [train[i] for i in kept], [train[i] for i in held]
        if not valid:
            raise DataError(source, "too few texts to keep some back: every label has only one. Give a --valid file")
    if strange := sorted({e.label for e in valid} - set(labels)):
        known = ", ".join(labels)
        raise DataError(settings.valid or source, f"label {strange[0]!r} is not among the training labels: {known}")
    return Material(train, valid, labels, columns, is_held_out)


def _numbered(
    train: Sequence[Example],
    valid: Sequence[Example],
    columns: Columns,
    settings: DataSettings,
    *,
    seed: int,
    source: str,
) -> Material:
    if len({float(e.label) for e in train}) < 2:
        raise DataError(source, f"every text has the number {train[0].label}, expected two numbers or more")
    is_held_out = not valid
    if is_held_out:
        kept, held = stratified_split(["" for _ in train], settings.valid_share, seed=seed)
        train, valid = [train[i] for i in kept], [train[i] for i in held]
    return Material(train, valid, (columns.label or settings.label or "number",), columns, is_held_out)


def _read(settings: DataSettings, *, numbers: bool) -> tuple[Sequence[Example], Sequence[Example], Columns]:
    if settings.train is None:
        raise ConfigError(["data.train is not given: which file of labelled texts? Say --train FILE."])
    asked = Columns(settings.text, settings.label)
    train, columns = read_labelled(settings.train, asked, numbers=numbers)
    valid = read_labelled(settings.valid, asked, hints=columns, numbers=numbers)[0] if settings.valid else []
    return train, valid, columns


def _fingerprint(examples: Sequence[Example]) -> str:
    digest = hashlib.sha256()
    for example in examples:
        digest.update(f"{example.text}\x00{example.label}\x01".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
