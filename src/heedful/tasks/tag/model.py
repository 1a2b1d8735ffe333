"""A model whose answer is a label for each token."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

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
from heedful.tasks.tag.tags import Tags

if TYPE_CHECKING:
    from heedful.data.table import Data
    from heedful.explain.attention.explanation import Explanation
    from heedful.tasks.tag.explanation import TagExplanation
    from heedful.tasks.tag.metrics import TokenMetrics
    from heedful.tasks.tag.span_metrics import SpanMetrics

Values = NDArray[np.float64]


class Tagger(Model):
    """A model that labels each token of a text, or each node of a graph.

    A text is a `str`, which is split into words, or the list of its tokens; several are a list of these.

    Example:
        >>> tagger.predict("anna lives in rome")
        ('B-person', 'O', 'O', 'B-place')
    """

    does = "labels each token"

    if TYPE_CHECKING:

        def evaluate(
            self,
            data: Data,
            *,
            text: str | None = None,
            label: str | None = None,
            on_note: Callable[[str], None] | None = None,
        ) -> SpanMetrics | TokenMetrics: ...

    @overload
    def tag(self, texts: str, *, batch_size: int = 64) -> Tags: ...
    @overload
    def tag(self, texts: Iterable[Any], *, batch_size: int = 64) -> list[Tags]: ...
    def tag(self, texts: Any, *, batch_size: int = 64) -> Any:
        """Return the tokens of each text with their labels, probabilities and spans.

        Args:
            texts: a text, or a list of texts or of lists of tokens.
            batch_size: texts in one run.

        Returns:
            The Tags of each text; of one text, that alone.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> [(span["kind"], span["text"]) for span in tagger.tag("anna lives in rome").spans]
            [('person', 'anna'), ('place', 'rome')]
        """
        if is_one(texts):
            return self.tag([texts], batch_size=batch_size)[0]
        sources = listed(texts)
        return [self._tags(*pair) for pair in zip(sources, self.scores(sources, batch_size=batch_size), strict=True)]

    @overload
    def predict(self, texts: str, *, batch_size: int = 64) -> tuple[str, ...]: ...
    @overload
    def predict(self, texts: Iterable[Any], *, batch_size: int = 64) -> list[tuple[str, ...]]: ...
    def predict(self, texts: Any, *, batch_size: int = 64) -> Any:
        """Return the labels of the tokens of each text.

        Args:
            texts: a text, or a list of texts or of lists of tokens.
            batch_size: texts in one run.

        Returns:
            A tuple of labels for each text; of one text, that alone.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> tagger.predict([["anna", "lives", "in", "rome"]])
            [('B-person', 'O', 'O', 'B-place')]
        """
        if is_one(texts):
            return self.predict([texts], batch_size=batch_size)[0]
        return [tags.labels for tags in self.tag(texts, batch_size=batch_size)]

    @overload
    def predict_proba(self, texts: str, *, batch_size: int = 64) -> Values: ...
    @overload
    def predict_proba(self, texts: Iterable[Any], *, batch_size: int = 64) -> list[Values]: ...
    def predict_proba(self, texts: Any, *, batch_size: int = 64) -> Any:
        """Return the probability of each label for each token; with a CRF, over all sequences of labels.

        Args:
            texts: a text, or a list of texts or of lists of tokens.
            batch_size: texts in one run.

        Returns:
            An array (token, label) for each text; of one text, that alone.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> tagger.predict_proba("anna lives in rome").shape
            (4, 3)
        """
        if is_one(texts):
            return self.predict_proba([texts], batch_size=batch_size)[0]
        return [self.chances(scores) for scores in self.scores(texts, batch_size=batch_size)]

    def scores(self, texts: Iterable[Any], *, batch_size: int = 64) -> list[NDArray[np.float32]]:
        """Return the score of each label for each token, before the softmax or the CRF.

        Args:
            texts: a list of texts or of lists of tokens.
            batch_size: texts in one run.

        Returns:
            An array (token, label) for each text.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> [scores.shape for scores in tagger.scores(["anna lives in rome"])]
            [(4, 3)]
        """
        features = self.featurise(texts)
        scores = [np.zeros((0, len(self.labels)), dtype=np.float32)] * len(features)
        for batch, (padded,) in self.run(features, ("scores",), batch_size=batch_size):
            for i, rows, n in zip(batch.positions, padded, batch.lengths, strict=True):
                scores[i] = rows[:n]
        return scores

    @overload
    def explain(
        self,
        texts: str,
        *,
        word: None = None,
        methods: str | Collection[str] = ...,
        label: str | None = ...,
        batch_size: int = 64,
    ) -> TagExplanation: ...
    @overload
    def explain(
        self,
        texts: str,
        *,
        word: int | str,
        methods: str | Collection[str] = ...,
        label: str | None = ...,
        batch_size: int = 64,
    ) -> Explanation: ...
    @overload
    def explain(
        self,
        texts: Iterable[Any],
        *,
        word: None = None,
        methods: str | Collection[str] = ...,
        label: str | None = ...,
        batch_size: int = 64,
    ) -> list[TagExplanation]: ...
    @overload
    def explain(
        self,
        texts: Iterable[Any],
        *,
        word: int | str,
        methods: str | Collection[str] = ...,
        label: str | None = ...,
        batch_size: int = 64,
    ) -> list[Explanation]: ...
    def explain(
        self,
        texts: Any,
        *,
        word: int | str | None = None,
        methods: str | Collection[str] = ("leave-one-out",),
        label: str | None = None,
        batch_size: int = 64,
    ) -> Any:
        """Return the labels of each text with the contributions of the words that each token looked at.

        Args:
            texts: a text, or a list of texts or of lists of tokens.
            word: explain the label of one word only, counted from 1, or of the node with this name.
            methods: with `word`, how its effects are measured.
            label: with `word`, the label that effects are for; by default its own.
            batch_size: texts in one run.

        Returns:
            A TagExplanation for each text; of one text, that alone. With `word`, an Explanation.

        Raises:
            InputError: if an input is not a text.
            HeedfulError: if there is no such word, label or method.

        Example:
            >>> tagger.explain("anna lives in rome").labels
            ('B-person', 'O', 'O', 'B-place')
            >>> tagger.explain("anna lives in rome", word=4).label
            'B-place'
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
