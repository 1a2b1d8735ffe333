"""Models that score labels, or a number, for each input."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.runtime.answer import Answer, AnswerForms
from heedful.runtime.checked_inputs import is_one, listed
from heedful.runtime.model import Model

if TYPE_CHECKING:
    from heedful.explain.attention.explanation import Explanation
    from heedful.explain.words.label_words import LabelWords


class ScoringModel(Model):
    """A model whose answer is made of scores: one label, several labels, or a number."""

    answer: Answer

    def predict(self, texts: Any, *, top: int | None = None, batch_size: int = 64) -> Any:
        """Return the answer to each input.

        Args:
            texts: a text or several; also a DataFrame or another table with the text column of the training data.
            top: return this many labels with their probabilities, the most probable first.
            batch_size: inputs in one run.

        Returns:
            An answer for each input; of one input, that alone.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> model.predict(["lovely soup", "dreadful soup"])
            ['good', 'bad']
        """
        if (inputs := self.inputs_in(texts)) is not None:
            return self._decided(inputs, top, batch_size)
        return self._decided([texts], top, batch_size)[0] if is_one(texts) else self._decided(texts, top, batch_size)

    def _decided(self, texts: Iterable[Any], top: int | None, batch_size: int) -> list[Any]:
        values = self.answer.values(self.scores(texts, batch_size=batch_size))
        return [self.answer.decide(row) if top is None else self.answer.ranked(row, top) for row in values]

    def predict_proba(self, texts: Any, *, batch_size: int = 64) -> NDArray[Any]:
        """Return the probability of each label, in the order of `labels`.

        Args:
            texts: a text or several; also a DataFrame or another table with the text column of the training data.
            batch_size: inputs in one run.

        Returns:
            An array (input, label); of one input, (label,). The probabilities of a multilabel model do not sum to 1.

        Raises:
            InputError: if an input is not a text.
            HeedfulError: if the model answers with a number.

        Example:
            >>> model.predict_proba(["lovely soup", "dreadful soup"]).shape
            (2, 2)
        """
        if (inputs := self.inputs_in(texts)) is not None:
            return self.predict_proba(inputs, batch_size=batch_size)
        if is_one(texts):
            return np.asarray(self.predict_proba([texts], batch_size=batch_size)[0])
        if self.answer.is_number:
            raise HeedfulError(f"{self.path.name} answers with a number, which has no probability: see predict")
        return self.answer.values(self.scores(texts, batch_size=batch_size))

    def answers(self, texts: Sequence[Any]) -> list[AnswerForms]:
        """Return the answer to each input in the forms that files, programs and terminals ask for."""
        return self.forms_of(self.scores(texts))

    def forms_of(self, scores: NDArray[Any]) -> list[AnswerForms]:
        """Return the answers that scores (input, label) stand for."""
        return [self.answer.forms(row) for row in self.answer.values(scores)]

    def scores(self, texts: Iterable[Any], *, batch_size: int = 64) -> NDArray[Any]:
        """Return the score of each label: the numbers before the softmax.

        Args:
            texts: several texts.
            batch_size: inputs in one run.

        Returns:
            An array (input, label); of a model whose answer is a number, that number.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> model.scores(["lovely soup"]).shape
            (1, 2)
        """
        features = self.featurise(texts)
        scores = np.zeros((len(features), len(self.labels)), dtype=self.answer.dtype)
        for batch, (rows,) in self.run(features, ("scores",), batch_size=batch_size):
            scores[batch.positions] = rows
        return scores

    @overload
    def explain(  # type: ignore[overload-overlap]
        self, texts: str, *, methods: str | Collection[str] | None = ..., label: str | None = ..., batch_size: int = 64
    ) -> Explanation: ...
    @overload
    def explain(
        self,
        texts: Iterable[str],
        *,
        methods: str | Collection[str] | None = ...,
        label: str | None = ...,
        batch_size: int = 64,
    ) -> list[Explanation]: ...
    def explain(
        self,
        texts: Any,
        *,
        methods: str | Collection[str] | None = None,
        label: str | None = None,
        batch_size: int = 64,
    ) -> Any:
        """Return the answer to each input with the contribution of each word to the score of each label.

        Contributions and weights come from the run that gives the answer.

        Args:
            texts: a text or several; also a DataFrame or another table with the text column of the training data.
            methods: other methods to add, separated by commas: leave-one-out; with torch also gradient, integrated.
            label: the label that effects are for, and that is shown first; by default the answer.
            batch_size: inputs in one run.

        Returns:
            An Explanation for each input; of one input, that alone.

        Raises:
            InputError: if an input is not a text.
            HeedfulError: if the model has no such label, or if there is no such method.

        Example:
            >>> explanation = model.explain("the soup was lovely")
            >>> explanation.label
            'good'
            >>> explanation.top(1)
            [('lovely', ...)]
        """
        from heedful.explain.attention.explain import explain_texts

        given = self.inputs_in(texts)
        sources = given if given is not None else [texts] if is_one(texts) else listed(texts)
        explanations = explain_texts(self, sources, methods=methods, label=label, batch_size=batch_size)
        return explanations[0] if given is None and is_one(texts) else explanations

    def words(
        self,
        data: str | os.PathLike[str] | Iterable[str],
        *,
        label: str | None = None,
        top: int = 10,
        min_count: int | None = None,
        text: str | None = None,
        batch_size: int = 64,
        on_progress: Callable[[int, int], None] = lambda _, __: None,
    ) -> LabelWords:
        """Return the words and short phrases that add most for and against each label, over a corpus.

        Args:
            data: a list of texts, or the path of a file.
            label: list the words of this label only.
            top: number of words listed for and against each label.
            min_count: smallest number of texts that a word occurs in; by default 3, fewer in a small corpus.
            text: name of the text column of a file.
            batch_size: texts in one run.
            on_progress: called with the number of texts done and of all texts.

        Returns:
            The words of each label. Single words that decide a label almost alone are in `shortcuts`.

        Raises:
            DataError: if the file cannot be read.
            HeedfulError: if the model has no such label, or no contributions.

        Example:
            >>> "lovely" in model.words(texts, top=1).of("good").supporting[0].form
            True
        """
        from heedful.explain.words.statistics import label_words

        return label_words(
            self,
            data,
            label=label,
            top=top,
            min_count=min_count,
            text=text,
            batch_size=batch_size,
            on_progress=on_progress,
        )
