"""A corpus that can be read more than once: a list of texts, or a file that is read as a stream."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.read import read_texts
from heedful.errors import DataError, HeedfulError
from heedful.runtime.checked_inputs import listed
from heedful.runtime.model import Model

STDIN = "-"


@dataclass(frozen=True)
class Corpus:
    """Texts, their number, and the name of their source."""

    name: str
    size: int
    texts: Callable[[], Iterator[str]]  # the same texts at each call


def corpus_of(
    model: Model,
    data: str | os.PathLike[str] | Iterable[str],
    *,
    text: str | None = None,
    name: str = "",
    faults: BadRows = STRICT,
) -> Corpus:
    """Return the texts of a list or of a file; `text` names the column of a file, `name` a list.

    A file is read once to count its texts. Standard input, which can be read only once, is held in memory.
    """
    if not isinstance(data, str | os.PathLike):
        texts = listed(data)
        if not texts:
            raise HeedfulError("found an empty list, expected texts")
        return Corpus(name, len(texts), lambda: iter(texts))
    path = data if isinstance(data, str) else Path(data)

    def read() -> Iterator[str]:
        rows = read_texts(path, text=text, hint=model.config.data.text, kind=model.config.input, faults=faults)
        return (source for _, source in rows)

    held = list(read()) if str(path) == STDIN else None
    size = sum(1 for _ in read()) if held is None else len(held)
    if not size:
        raise DataError(path, "no texts: the file is empty, or has nothing after the column names")
    return Corpus(Path(path).name, size, read if held is None else lambda: iter(held))
