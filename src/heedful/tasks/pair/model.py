"""The model a user holds that answers to two texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from heedful.data.example import TwoTexts
from heedful.data.features import Features, TextPair
from heedful.errors import HeedfulError
from heedful.runtime.answer import AnswerForms
from heedful.runtime.checked_inputs import checked_text, listed
from heedful.runtime.scores import ScoringModel
from heedful.tasks.pair.read import split_names

if TYPE_CHECKING:
    from heedful.data.table import Data
    from heedful.tasks.classify.metrics import ClassificationMetrics
    from heedful.tasks.pair.explanation import PairExplanation
    from heedful.tasks.regress.metrics import RegressionMetrics

Pair = tuple[str, str]


class PairModel(ScoringModel):
    """A trained model for pairs of texts: one label, or a number, for each pair.

    Example:
        >>> pair_model.names
        ('premise', 'hypothesis')
        >>> pair_model.predict(("a dog sleeps", "the dog runs")) in pair_model.labels
        True
    """

    n_sides = 2
    does = "answers to pairs of texts"

    if TYPE_CHECKING:

        def evaluate(
            self,
            data: Data,
            *,
            text: str | None = None,
            label: str | None = None,
            on_note: Callable[[str], None] | None = None,
        ) -> ClassificationMetrics | RegressionMetrics: ...

    @property
    def names(self) -> Pair:
        """The names of the two texts: the columns of the training data."""
        names = split_names(self.config.data.text or "")
        return (names[0], names[1]) if len(names) == 2 else ("first text", "second text")

    @overload  # type: ignore[override]
    def predict(self, pairs: Pair, *, top: None = None, batch_size: int = 64) -> str | float: ...
    @overload
    def predict(self, pairs: Pair, *, top: int, batch_size: int = 64) -> list[tuple[str, float]]: ...
    @overload
    def predict(self, pairs: Iterable[Any], *, top: None = None, batch_size: int = 64) -> list[str | float]: ...
    @overload
    def predict(self, pairs: Iterable[Any], *, top: int, batch_size: int = 64) -> list[list[tuple[str, float]]]: ...
    def predict(self, pairs: Any, *, top: int | None = None, batch_size: int = 64) -> Any:
        """Return the label of each pair, or its number; of one pair (a tuple of two texts), that alone.

        Args:
            pairs: a tuple of two texts, or several; also a DataFrame or another table with both columns.
            top: return this many labels with their probabilities, the most probable first.
            batch_size: pairs in one run.

        Returns:
            A label, or a number, for each pair. With `top`, a list of (label, probability) for each.

        Raises:
            InputError: if a pair is not two texts.

        Example:
            >>> pair_model.predict([("a dog sleeps", "the dog runs"), ("a dog sleeps", "a dog sleeps")])
            [...]
            >>> pair_model.predict(("a dog sleeps", "the dog runs"), top=1)
            [(...)]
        """
        if (inputs := self.inputs_in(pairs)) is not None:
            pairs = inputs
        if is_one_pair(pairs):
            return self.predict([pairs], top=top, batch_size=batch_size)[0]
        return super().predict(listed_pairs(pairs), top=top, batch_size=batch_size)

    def predict_proba(self, pairs: Any, *, batch_size: int = 64) -> NDArray[Any]:
        """Return the probability of each label, in the order of `labels`.

        Args:
            pairs: a tuple of two texts, or several.
            batch_size: pairs in one run.

        Returns:
            An array (pair, label); of one pair, (label,).

        Raises:
            HeedfulError: if a pair is not two texts, or if the model answers with a number.

        Example:
            >>> pair_model.predict_proba([("a dog sleeps", "the dog runs")]).shape
            (1, 2)
        """
        if is_one_pair(pairs):
            return np.asarray(self.predict_proba([pairs], batch_size=batch_size)[0])
        return super().predict_proba(listed_pairs(pairs), batch_size=batch_size)

    @overload  # type: ignore[override]
    def explain(
        self, pairs: Pair, *, methods: str | Collection[str] | None = ..., label: str | None = ..., batch_size: int = 64
    ) -> PairExplanation: ...
    @overload
    def explain(
        self,
        pairs: Iterable[Pair],
        *,
        methods: str | Collection[str] | None = ...,
        label: str | None = ...,
        batch_size: int = 64,
    ) -> list[PairExplanation]: ...
    def explain(
        self,
        pairs: Pair | Iterable[Pair],
        *,
        methods: str | Collection[str] | None = None,
        label: str | None = None,
        batch_size: int = 64,
    ) -> PairExplanation | list[PairExplanation]:
        """Return the answer to each pair, and the contribution of each word of either text to its score.

        Args:
            pairs: a tuple of two texts, or several.
            methods: methods beside contributions, such as leave-one-out, which is the default if the head is not
                bilinear and there are no contributions.
            label: the label that effects are for, and that is shown first; by default the answer.
            batch_size: pairs in one run.

        Returns:
            A PairExplanation for each pair; of one pair, that alone.

        Raises:
            HeedfulError: if a pair is not two texts, or if there is no such label or method.

        Example:
            >>> explanation = pair_model.explain(("a dog sleeps", "the dog runs"))
            >>> [word.text for word in explanation.second.words]
            ['the', 'dog', 'runs']
        """
        from heedful.tasks.pair.explain import explain_pairs

        many = [pairs] if is_one_pair(pairs) else listed_pairs(pairs)
        explanations = explain_pairs(self, many, methods=methods, label=label, batch_size=batch_size)
        return explanations[0] if is_one_pair(pairs) else explanations

    def featurise(self, pairs: Iterable[Any]) -> list[Features]:
        """Return the ids of both texts of each pair."""
        return [
            TextPair(self.texts.ids(first), self.texts.ids(second))
            for first, second in map(checked_pair, listed_pairs(pairs))
        ]

    def answers(self, sources: Sequence[Any]) -> list[AnswerForms]:
        """Return answers with both texts in them, each by itself."""
        return [
            forms._replace(values={"texts": list(pair), **forms.values})
            for pair, forms in zip(sources, super().answers(sources), strict=True)
        ]

    def from_arguments(self, given: Sequence[str]) -> list[Any]:
        """Return the pairs that texts of a command line make up: the first two, the next two, …"""
        if len(given) % 2:
            texts = f"{len(given)} text{'s' * (len(given) != 1)}"
            raise HeedfulError(f'found {texts}, but {self.path.name} answers to pairs: give two texts, "…" "…"')
        return [TwoTexts(*given[i : i + 2]) for i in range(0, len(given), 2)]

    def _smallest(self) -> Features:
        side = self.featuriser.shape.smallest()
        return TextPair(side, side)

    def __repr__(self) -> str:
        settings = self.config.model
        return f"<heedful model {self.path.name}: pairs, {settings.encoder}, {self.facts.n_hops} hops, {self.answer}>"


def is_one_pair(pairs: object) -> bool:
    """Return whether this is a single pair and not several: a tuple of two texts."""
    return isinstance(pairs, tuple) and len(pairs) == 2 and all(isinstance(text, str) for text in pairs)


def checked_pair(pair: object) -> Pair:
    """Return the two texts, or say what was given instead."""
    if isinstance(pair, (str, bytes)) or not isinstance(pair, Iterable):
        raise HeedfulError(f"found {type(pair).__name__} {pair!r:.60}, expected a pair of texts: (first, second)")
    texts = list(pair)
    if len(texts) != 2:
        raise HeedfulError(f"found {len(texts)} text{'s' * (len(texts) != 1)}, expected two: (first, second)")
    return checked_text(texts[0]), checked_text(texts[1])


def listed_pairs(pairs: Any) -> list[Any]:
    """Return pairs as a list, or say that a text alone is none."""
    if isinstance(pairs, str):
        raise HeedfulError(
            f"found the text {pairs!r:.60}, expected a pair of texts (first, second), or a list of pairs"
        )
    return listed(pairs)
