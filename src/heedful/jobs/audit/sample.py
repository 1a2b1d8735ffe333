"""Which texts of a file an audit is made on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heedful.errors import DataError, listed
from heedful.jobs.read_inputs import read_sources
from heedful.runtime.model import Model


@dataclass(frozen=True)
class AuditText:
    """A text, and its label where the file has one."""

    text: Any  # or another input
    label: str | None = None

    @property
    def key(self) -> str:
        """What two equal inputs have in common."""
        return self.text.tobytes().hex() if hasattr(self.text, "tobytes") else str(self.text)


def sample_texts(
    file: str | Path, n: int, *, seed: int, model: Model, text: str | None = None, label: str | None = None
) -> list[AuditText]:
    """Return `n` texts by chance (0: all) in the order of the file, which is never held in memory as a whole."""
    rng, kept = random.Random(seed), list[tuple[int, AuditText]]()
    wanted = label or model.config.data.label or ""
    for i, (row, found) in enumerate(read_sources(model, file, text=text)):
        if label is not None and label not in row.values:
            raise DataError(file, f"no column {label!r}. There are: {listed(row.values)}")
        answer = row.values.get(wanted)
        one = i, AuditText(found, None if answer is None else str(answer))
        if n == 0 or i < n:
            kept.append(one)
        elif (place := rng.randrange(i + 1)) < n:
            kept[place] = one
    return [one for _, one in sorted(kept, key=lambda pair: pair[0])]
