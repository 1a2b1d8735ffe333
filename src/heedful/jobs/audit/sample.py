"""The sample of texts for an audit."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.table import Source
from heedful.errors import DataError, listed
from heedful.jobs.read_inputs import read_sources
from heedful.runtime.model import Model


@dataclass(frozen=True)
class AuditText:
    """A text, and its label if the file has one."""

    text: Any  # or another input
    label: str | None = None

    @property
    def key(self) -> str:
        """A key that is the same for equal inputs."""
        return self.text.tobytes().hex() if hasattr(self.text, "tobytes") else str(self.text)


def sample_texts(
    file: Source,
    n: int,
    *,
    seed: int,
    model: Model,
    text: str | None = None,
    label: str | None = None,
    faults: BadRows = STRICT,
) -> list[AuditText]:
    """Return `n` random texts (0: all) in the order of the file, by reservoir sampling."""
    rng, kept = random.Random(seed), list[tuple[int, AuditText]]()
    wanted = label or model.config.data.label or ""
    for i, (row, source) in enumerate(read_sources(model, file, text=text, faults=faults)):
        if label is not None and label not in row.values:
            raise DataError(file, f"no column {label!r}. There are: {listed(row.values)}")
        answer = row.values.get(wanted)
        numbered = i, AuditText(source, None if answer is None else str(answer))
        if n == 0 or i < n:
            kept.append(numbered)
        elif (place := rng.randrange(i + 1)) < n:
            kept[place] = numbered
    return [sampled for _, sampled in sorted(kept, key=lambda pair: pair[0])]
