"""Files through a model, a chunk at a time, so that a file larger than memory passes through."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from heedful.data.example import Row
from heedful.data.read import read_texts
from heedful.jobs.sinks import Sink
from heedful.runtime.model import Model

CHUNK = 2048  # texts: enough to sort by length into full batches, few enough to hold

Chunk = Sequence[tuple[Row, str]]


def chunks(paths: Iterable[str | Path], *, text: str | None = None, hint: str | None = None) -> Iterator[Chunk]:
    """Yield rows with their texts from one file after the other; `hint` names the column where there is such a one."""
    rows = itertools.chain.from_iterable(read_texts(path, text=text, hint=hint) for path in paths)
    while chunk := list(itertools.islice(rows, CHUNK)):
        yield chunk


def as_chunk(texts: Sequence[str]) -> Chunk:
    """Return texts that come from no file as rows with one column."""
    return [(Row({"text": text}, i), text) for i, text in enumerate(texts, start=1)]


def predict_stream(model: Model, chunk: Chunk, sink: Sink) -> None:
    """Write each row with its label and the probability of it, or with its number."""
    if model.is_regressor:
        values = model.predict([text for _, text in chunk])
        sink.write([{**row.values, "predicted": value} for (row, _), value in zip(chunk, values, strict=True)])
        return
    found = model.predict_proba([text for _, text in chunk])
    best = found.argmax(1)
    sink.write(
        [
            {**row.values, "predicted": model.labels[k], "probability": round(float(found[i, k]), 6)}
            for i, ((row, _), k) in enumerate(zip(chunk, best, strict=True))
        ]
    )


def embed_stream(model: Model, chunk: Chunk, sink: Sink, **form: Any) -> None:
    """Write each row with its vector, in a form that `Model.embed` takes."""
    vectors = model.embed([text for _, text in chunk], **form)
    sink.write([row.values for row, _ in chunk], vectors)


def run_stream(
    model: Model,
    source: Iterable[Chunk],
    sink: Sink,
    work: Callable[[Model, Chunk, Sink], None],
    *,
    told: Callable[[int], None] = lambda _: None,
) -> int:
    """Send every chunk through `work`, telling how many rows are done; return their number."""
    done = 0
    for chunk in source:
        work(model, chunk, sink)
        done += len(chunk)
        told(done)
    return done
