"""What is asked of a model for every row, and the columns that its answers make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from heedful.data.example import TwoTexts, texts_in
from heedful.engines.reading.json_cells import JSON, dumped
from heedful.engines.reading.paths import first_line
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import check_can_explain, effect_methods
from heedful.runtime.model import Model
from heedful.runtime.vector_form import VectorForm
from heedful.tasks.task import PREDICT

AT_ONCE = 64  # texts to explain


@dataclass(frozen=True)
class Work:
    """A command with its options: those of `Model.embed`, `explain`, or the beam of a translator."""

    command: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self, model: Model) -> None:
        """Raise if the model does not support this command."""
        if self.command == "embed":
            VectorForm(**self.options).check(model.width)
        elif self.command == "explain" and model.answer:
            check_can_explain(model, effect_methods(self.options.get("methods") or ()), self.options.get("label"))
        elif self.command == "predict" and PREDICT not in model.can:
            raise HeedfulError(f"{model.path.name} makes vectors and has no labels: see heedful embed")
        self.schema(model)

    def schema(self, model: Model) -> pa.Schema:
        """Return the columns that answers make."""
        smallest = model.input.smallest or ""
        return self.answer(model, [TwoTexts(smallest, smallest) if model.task.n_texts == 2 else smallest]).schema

    def answer(self, model: Model, sources: Sequence[Any]) -> pa.Table:
        """Return a row of answers for each source."""
        return ANSWERS[self.command](model, sources, self.options)


def _embed(model: Model, sources: Sequence[Any], options: Mapping[str, Any]) -> pa.Table:
    vectors = np.ascontiguousarray(model.embed(sources, **options))
    return pa.table({"vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1])})


def _predict(model: Model, sources: Sequence[Any], options: Mapping[str, Any]) -> pa.Table:
    if "beam" in options:
        model.beam = options["beam"]  # type: ignore[attr-defined]
    cells = [answer.cells for answer in model.answers(sources)]
    names = [name for name in cells[0] if name != "text"]
    return pa.table({name: pa.array([_listed(row[name]) for row in cells]) for name in names})


def _listed(cell: Any) -> Any:
    return list(cell) if isinstance(cell, tuple) else cell


def _explain(model: Model, sources: Sequence[Any], options: Mapping[str, Any]) -> pa.Table:
    kept = dict(options) if model.answer else {}
    found: list[str] = []
    for start in range(0, len(sources), AT_ONCE):
        some: Any = model.explain(list(sources[start : start + AT_ONCE]), **kept)
        found += [dumped(one.to_dict()) for one in some]
    explanation = pa.field("explanation", pa.string(), metadata=JSON)
    return pa.table([pa.array(found, pa.string())], schema=pa.schema([explanation]))


ANSWERS: dict[str, Callable[[Model, Sequence[Any], Mapping[str, Any]], pa.Table]] = {
    "embed": _embed,
    "predict": _predict,
    "explain": _explain,
}


@dataclass(frozen=True)
class Answered:
    """The answers to those sources that have one, and why the others have none."""

    positions: list[int]
    answers: pa.Table
    reasons: dict[int, str]


def answer_all(model: Model, work: Work, schema: pa.Schema, sources: Sequence[Any]) -> Answered:
    """Answer to every source that the model can read: one that it cannot costs no other its answer."""
    reasons = {i: why for i, source in enumerate(sources) if (why := wrong_with(model, source))}
    positions = [i for i in range(len(sources)) if i not in reasons]
    found = _halved(model, work, sources, positions, reasons)
    answers = pa.concat_tables([schema.empty_table(), *(table.cast(schema) for table in found)])
    return Answered([i for i in positions if i not in reasons], answers, reasons)


def wrong_with(model: Model, source: Any) -> str | None:
    """Return why a cell cannot be an input, before it is tried."""
    if len(texts := texts_in(source)) > 1:
        return next((why for text in texts if (why := wrong_with(model, text))), None)
    if isinstance(source, str) or (model.task.answer == "tags" and _is_tokens(source)):
        return None
    return f"found {source!r:.60}, expected a text"


def _is_tokens(source: Any) -> bool:
    return isinstance(source, list) and all(isinstance(token, str) for token in source)


def _halved(
    model: Model, work: Work, sources: Sequence[Any], positions: Sequence[int], reasons: dict[int, str]
) -> list[pa.Table]:
    """Try all at once, and where that fails, each half: what is left is the very source that fails."""
    if not positions:
        return []
    try:
        return [work.answer(model, [sources[i] for i in positions])]
    except Exception as error:  # whatever it is, it must not cost the other rows of a day's work
        if len(positions) == 1:
            reasons[positions[0]] = f"{first_line(error)}" if isinstance(error, HeedfulError) else f"{error!r:.300}"
            return []
    half = len(positions) // 2
    return [t for some in (positions[:half], positions[half:]) for t in _halved(model, work, sources, some, reasons)]
