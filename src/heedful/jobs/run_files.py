"""Running a model on files, a chunk at a time, so that files may be larger than memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.example import Row, TwoTexts, texts_in
from heedful.data.files.stdin_lines import has_line
from heedful.data.read import read_texts
from heedful.data.renamed_columns import beside, making_room
from heedful.jobs.output.parquet import VECTOR
from heedful.jobs.output.sinks import Sink
from heedful.jobs.read_inputs import read_sources
from heedful.runtime.answer import AnswerForms
from heedful.runtime.model import Model

CHUNK = 2048  # texts: enough to sort by length into full batches, few enough for memory

Chunk = Sequence[tuple[Row, Any]]


def chunks(
    paths: Iterable[str | Path], *, text: str | None = None, hint: str | None = None, faults: BadRows = STRICT
) -> Iterator[Chunk]:
    """Yield rows with their texts from one file after the other; `hint` names the text column if a file has it."""
    texts = (read_texts(path, text=text, hint=hint, faults=faults) for path in paths)
    yield from _in_chunks(itertools.chain.from_iterable(texts))


def chunks_for(
    model: Model, paths: Iterable[str | Path], *, text: str | None = None, faults: BadRows = STRICT
) -> Iterator[Chunk]:
    """Yield rows with the inputs that a model reads, from one file after the other.

    A chunk of standard input ends where the next line has not arrived yet, so that a pipe never waits for more input.
    """
    for path in paths:
        sources = read_sources(model, path, text=text, faults=faults)
        yield from _as_they_come(sources) if str(path) == "-" else _in_chunks(sources)


def _in_chunks(rows: Iterator[tuple[Row, Any]]) -> Iterator[Chunk]:
    while chunk := list(itertools.islice(rows, CHUNK)):
        yield chunk


def _as_they_come(rows: Iterator[tuple[Row, Any]]) -> Iterator[Chunk]:
    chunk: list[tuple[Row, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK or not has_line():
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def as_chunk(texts: Sequence[Any]) -> Chunk:
    """Return texts that are not from a file as rows with one column."""
    return [(Row(_named(text), i), text) for i, text in enumerate(texts, start=1)]


def _named(text: Any) -> dict[str, Any]:
    texts = texts_in(text)
    return dict(zip(TwoTexts._fields, texts, strict=True)) if len(texts) > 1 else {"text": text}


def predict_stream(model: Model, chunk: Chunk, sink: Sink) -> None:
    """Write each row with its prediction: a label and its probability, a number, tags, or a translation."""
    answers = model.answers([source for _, source in chunk])
    if model.task.answer == "tags" and not model.input.is_text:
        sink.write([row for answer in answers for row in _nodes(answer)])
        return
    sink.write([beside(row.values, answer.cells) for (row, _), answer in zip(chunk, answers, strict=True)])


def _nodes(answer: AnswerForms) -> list[dict[str, Any]]:
    """Return a row for each node of a graph."""
    pairs = zip(answer.cells["tokens"], answer.cells["predicted"], strict=True)
    return [{"node": name, "predicted": label} for name, label in pairs]


def embed_stream(model: Model, chunk: Chunk, sink: Sink, **form: Any) -> None:
    """Write each row with its vector; `form` is passed to `Model.embed`."""
    vectors = model.embed([text for _, text in chunk], **form)
    sink.write([making_room(row.values, (VECTOR,)) for row, _ in chunk], vectors)


def run_stream(
    model: Model,
    source: Iterable[Chunk],
    sink: Sink,
    work: Callable[[Model, Chunk, Sink], None],
    *,
    on_progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Run `work` on every chunk, report the number of rows done to `on_progress`, and return it."""
    done = 0
    for chunk in source:
        work(model, chunk, sink)
        done += len(chunk)
        on_progress(done)
    return done
