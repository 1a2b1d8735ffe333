"""A model whose answer is a label for each token."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import pad
from heedful.data.features import source_of
from heedful.errors import ModelFolderError
from heedful.runtime.answer import AnswerForms
from heedful.runtime.checked_inputs import checked_text, is_one, listed
from heedful.runtime.model import Model
from heedful.runtime.softmax import softmax
from heedful.tasks.tag.crf.marginals import marginals
from heedful.tasks.tag.crf.viterbi import viterbi
from heedful.tasks.tag.spans import marks_spans, spans

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Tags:
    """The labels of a text's tokens: `text[start:end]` is where each stands, `probabilities` how sure its label is."""

    text: str
    places: tuple[tuple[int, int], ...]
    labels: tuple[str, ...]
    probabilities: tuple[float, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens as they stand in the text."""
        return tuple(self.text[start:end] for start, end in self.places)

    @property
    def spans(self) -> list[dict[str, Any]]:
        """The spans that labels such as B-person and I-person mark; none for labels of another kind."""
        if not marks_spans(self.labels):
            return []
        return [self._span(kind, first, end) for kind, first, end in spans(self.labels)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        values = {"text": self.text, "tokens": list(self.tokens), "tags": list(self.labels)}
        return {**values, "probabilities": [round(p, 6) for p in self.probabilities], "spans": self.spans}

    def _span(self, kind: str, first: int, end: int) -> dict[str, Any]:
        start, stop = self.places[first][0], self.places[end - 1][1]
        return {"kind": kind, "text": self.text[start:stop], "start": start, "end": stop, "tokens": [first, end]}


class Tagger(Model):
    """A model that labels each token of a text, or each node of a graph.

    A text is a `str`, which is split into words, or the list of its tokens; several are a list of these.
    """

    does = "labels each token"

    def tag(self, texts: Any, *, batch_size: int = 64) -> Any:
        """Return the `Tags` of each text; of one text, that alone."""
        if is_one(texts):
            return self.tag([texts], batch_size=batch_size)[0]
        sources = listed(texts)
        return [self._tags(*pair) for pair in zip(sources, self.scores(sources, batch_size=batch_size), strict=True)]

    def predict(self, texts: Any, *, batch_size: int = 64) -> Any:
        """Return the labels of each text's tokens, a tuple for each; of one text, that alone."""
        if is_one(texts):
            return self.predict([texts], batch_size=batch_size)[0]
        return [tags.labels for tags in self.tag(texts, batch_size=batch_size)]

    def predict_proba(self, texts: Any, *, batch_size: int = 64) -> Any:
        """Return probabilities (token, label) of each text; of one text, that alone. With a CRF, of all label rows."""
        if is_one(texts):
            return self.predict_proba([texts], batch_size=batch_size)[0]
        return [self.chances(scores) for scores in self.scores(texts, batch_size=batch_size)]

    def scores(self, texts: Iterable[Any], *, batch_size: int = 64) -> Any:
        """Return scores (token, label) of each text, before softmax or the CRF."""
        features = self.featurise(texts)
        scores = [np.zeros((0, len(self.labels)), dtype=np.float32)] * len(features)
        for batch, (padded,) in self.run(features, ("scores",), batch_size=batch_size):
            for i, rows, n in zip(batch.positions, padded, batch.lengths, strict=True):
                scores[i] = rows[:n]
        return scores

    def explain(
        self,
        texts: Any,
        *,
        word: int | str | None = None,
        methods: str | Collection[str] = ("leave-one-out",),
        label: str | None = None,
        batch_size: int = 64,
    ) -> Any:
        """Return the labels of each text and what each token looked at, a `TagExplanation`; of one text, that alone.

        With `word`, counted from 1, or the name of a node: what the label of that one depends on, by `methods`, for it
        or for another `label`, an `Explanation`.
        """
        from heedful.inputs.graph.explain_node import check_few, explain_node
        from heedful.tasks.tag.explain import explain_tags, explain_word

        many = [texts] if is_one(texts) else listed(texts)
        explain_one: Any = explain_node if self.config.input == "graph" else explain_word
        if self.config.input == "graph" and word is None:
            check_few(self, many)
        results: list[Any] = (
            explain_tags(self, many, batch_size=batch_size)
            if word is None
            else [explain_one(self, text, word, methods=methods, label=label) for text in many]
        )
        return results[0] if is_one(texts) else results

    def answers(self, texts: Sequence[Any]) -> list[AnswerForms]:
        """Return the labels of each text: lists for files and JSON, a token on each line for a terminal."""
        return [_answer(tags) for tags in self.tag(list(texts))]

    def best(self, scores: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the numbers of the best labels (token,) by scores (token, label)."""
        return scores.argmax(axis=1) if self.steps is None else viterbi(scores, self.steps)

    def chances(self, scores: NDArray[np.float32]) -> Values:
        """Return probabilities (token, label) by scores."""
        if self.steps is not None:
            return marginals(scores, self.steps)
        return softmax(scores).astype(np.float64) if len(scores) else np.zeros(scores.shape)

    @cached_property
    def steps(self) -> NDArray[np.float32] | None:
        """The transition scores of the CRF, or None without a CRF."""
        if not self.config.model.crf:
            return None
        return self._session.run(pad([self.featuriser.shape.smallest()], [0]), ("steps",))[0]

    def checked(self, source: Any) -> Any:
        """Return an input as the featuriser takes it, or say what was given instead."""
        if not self.input.is_text or (isinstance(source, Sequence) and not isinstance(source, str)):
            return source
        return checked_text(source)

    def _tags(self, source: Any, scores: NDArray[np.float32]) -> Tags:
        parts = self.featuriser.parts(self.checked(source_of(source)))
        best, chances = self.best(scores), self.chances(scores)
        return Tags(
            parts.text,
            tuple((int(start), int(end)) for start, end in parts.spans),
            tuple(self.labels[i] for i in best),
            tuple(float(chances[t, i]) for t, i in enumerate(best)),
        )

    def _check_files_fit(self) -> None:
        """Check the transitions of the CRF too: their number must be that of the labels."""
        super()._check_files_fit()
        n = len(self.labels) + 1
        if self.steps is not None and self.steps.shape != (n, n):
            raise ModelFolderError(f"{self.path}: the CRF has {self.steps.shape} transitions, expected {(n, n)}")

    def _expected_shapes(self) -> list[tuple[int, ...]]:
        # A word's row is its state and what it looked at; a node's row is what it looked at, itself among it.
        n_parts = 1 if self.featuriser.shape.n_links else 2
        return [(1, 1, len(self.labels)), (1, 1, n_parts * self.facts.width), (1, 1, 1)]

    @property
    def _parts(self) -> tuple[str, ...]:
        return (*super()._parts, *(("steps",) if self.config.model.crf else ()))

    def __repr__(self) -> str:
        kind = "tags" if self.config.input == "text" else f"labels for each part of a {self.config.input}"
        return f"<heedful tagger {self.path.name}: {self.config.model.encoder}, {len(self.labels)} {kind}>"


def _answer(tags: Tags) -> AnswerForms:
    cells = {"tokens": list(tags.tokens), "predicted": list(tags.labels)}
    lines = [f"{_one_cell(token)}\t{label}" for token, label in zip(tags.tokens, tags.labels, strict=True)]
    return AnswerForms(cells, tags.to_dict(), " ".join(tags.labels), "\n".join(lines))


def _one_cell(token: str) -> str:
    """Return a token that is one cell of one line."""
    return " ".join(token.split()) or "\N{REPLACEMENT CHARACTER}"
