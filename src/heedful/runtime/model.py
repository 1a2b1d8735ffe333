"""The model a user holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import Batch, ordered_batches, pad
from heedful.data.features import Features, Featurised
from heedful.errors import HeedfulError, ModelFolderError, NotForThisModel
from heedful.inputs import INPUTS
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.lazy import imported
from heedful.network.encoders.parts import ENCODERS
from heedful.runtime.answer import ANSWERS, Answer
from heedful.runtime.cancel import check_wanted
from heedful.runtime.checked_inputs import checked_text, listed
from heedful.runtime.deprecated import OldNames
from heedful.runtime.held_model import HeldModel
from heedful.runtime.public_names import public_names
from heedful.runtime.session import Session
from heedful.store.folder import Stored, is_transformer_folder, read_folder
from heedful.store.shipped import model_path
from heedful.store.unit import Unit
from heedful.tasks import answer_kind, task_of

Vectors = NDArray[np.float32]
MAX_CELLS = 16_384  # padded tokens in one call: bounds memory whatever the texts
CALL, CALL_OF_STATIC = 16, 64  # padded tokens that cost as much as one more call: docs/decisions/0011


class Model(HeldModel, OldNames):
    """A trained model. Lists go in, results come out in the same order, whatever the batch size.

    `load` returns the class of the model's task: a Classifier, MultilabelClassifier, Regressor, Tagger, PairModel,
    Translator or Encoder. Threads may share a model, and it can be pickled.

    Attributes:
        path: folder of the model.
        config: all settings, by groups, such as `config.train.epochs`.
        verdict: the verdict of an audit on the model's explanations.

    Example:
        >>> import heedful
        >>> heedful.load("model").labels
        ('bad', 'good')
    """

    n_sides = 1  # rows and weights of the graph for each answer: those of a pair are two
    does = "answers"  # in a sentence about what it cannot do
    output = "scores"  # of the graph: the answer

    def __init__(self, stored: Stored, *, threads: int | None = None) -> None:
        self.path, self.config, self.facts, self.featuriser = (
            stored.path,
            stored.config,
            stored.facts,
            stored.featuriser,
        )
        self.verdict, self._seal = stored.verdict, stored.seal
        self.task = task_of(self.config, many=self.facts.is_multilabel)
        self.input = INPUTS[self.config.input]
        self.answer = _answer(stored)
        self._session = Session(
            stored.graph, outputs=(self.output, *self._parts), inputs=self.featuriser.shape.names, threads=threads
        )
        self._check_files_fit()

    @property
    def session(self) -> Session:
        """The graph itself, for inputs that `run` does not give."""
        return self._session

    @property
    def fingerprint(self) -> str:
        """A digest of all files that the model's answers depend on."""
        return self._seal.fingerprint

    @property
    def can(self) -> frozenset[str]:
        """What it can be asked for."""
        return self.task.can

    @property
    def texts(self) -> TextFeaturiser:
        """The featuriser of texts; raises if the model does not read texts."""
        if not self.input.is_text:
            raise HeedfulError(f"{self.path.name} reads {self.config.input}, not texts")
        return cast("TextFeaturiser", self.featuriser)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of `predict_proba`."""
        return self.facts.labels

    @property
    def width(self) -> int:
        """The width of a vector: hops × width of a row."""
        return self.facts.n_hops * self.facts.width

    def run(
        self, features: Sequence[Features], outputs: Sequence[str], *, batch_size: int = 64
    ) -> Iterator[tuple[Batch, list[Vectors]]]:
        """Yield each batch with its outputs; `batch.positions` says which texts it holds. Numbers are in their unit."""
        if batch_size < 1:
            raise HeedfulError(f"batch_size is {batch_size}, expected at least 1")
        call = CALL_OF_STATIC if self.config.model.encoder == "static" else CALL
        at = list(outputs).index("scores") if self.answer and self.answer.is_number and "scores" in outputs else None
        for batch in ordered_batches(features, max_texts=batch_size, max_cells=MAX_CELLS, call=call):
            check_wanted()
            arrays = self._session.run(batch, outputs)
            if at is not None:
                arrays[at] = self.in_units(arrays[at])
            yield batch, arrays

    @property
    def factor(self) -> float:
        """The value of a score of 1 in units of the answer; 1 if the answer is a label."""
        return self.answer.unit.factor if self.answer else 1.0

    def in_units(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Return the numbers that scores of the graph stand for; scores of labels stay as they are."""
        return self.answer.unit.numbers(scores) if self.answer and self.answer.is_number else scores

    def featurise(self, texts: Iterable[Any]) -> list[Features]:
        """Return the features of each input."""
        sources, at_once = listed(texts), getattr(self.featuriser, "features_of", None)
        if at_once is None or any(isinstance(source, Featurised) for source in sources):
            return [self._features(source) for source in sources]
        return list(at_once([self.checked(source) for source in sources]))

    def _features(self, source: Any) -> Features:
        if isinstance(source, Featurised):
            features: Features = source.features
            return features
        return self.featuriser.features(self.checked(source))

    def from_arguments(self, given: Sequence[str]) -> list[Any]:
        """Return the inputs for the arguments of a command line."""
        return list(given)

    def checked(self, source: Any) -> Any:
        """Return an input as the featuriser takes it. Raise if a text is expected and it is not one."""
        return checked_text(source) if self.input.is_text else source

    @property
    def looks_outputs(self) -> tuple[str, ...]:
        """The outputs with the weights of self-attention, one for each layer."""
        settings = self.config.model
        n_layers = settings.n_layers if ENCODERS[settings.encoder].has_self_attention else 0
        return tuple(f"looks_{i + 1}" for i in range(n_layers))

    def __getattr__(self, name: str) -> Any:
        """Raise an error with what the model does, for a method that only other models have."""
        if name.startswith("_") or name not in VERBS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise NotForThisModel(f"{self.path.name} {self.does} and has no {name}{VERBS[name]}")

    def __dir__(self) -> list[str]:
        """Return the public names, for completion. Internal ones are attributes, too."""
        return sorted({*dir(object), *public_names(type(self))})

    def _check_files_fit(self) -> None:
        """Run the last token of the vocab, so that a graph of another model is detected on loading."""
        shape = self.featuriser.shape
        known = self.facts.data.get("known_tokens", shape.n_ids)
        if known != shape.n_ids:
            raise ModelFolderError(f"{self.path}: the vocab has {shape.n_ids:,} tokens, facts.json says {known:,}")
        expected = self._expected_shapes()
        try:
            arrays = self._session.run(pad([self._smallest()], [0]), (self.output, "rows", "weights"))
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"{self.path}: model.onnx does not fit the vocab: {error!s:.400}") from None
        if (shapes := [array.shape for array in arrays]) != expected:
            raise ModelFolderError(f"{self.path}: model.onnx gives {shapes}, expected {expected} by facts.json")

    def _expected_shapes(self) -> list[tuple[int, ...]]:
        """Return the shapes of the answer, the rows and the weights for the smallest input."""
        sides, hops = self.n_sides, self.facts.n_hops
        return [(1, self._n_answers), (sides, hops, self.facts.width), (sides, hops, 1)]

    @property
    def _n_answers(self) -> int:
        return len(self.labels)

    def _smallest(self) -> Features:
        """Return the features of an input that has one of everything."""
        return self.featuriser.shape.smallest()

    @property
    def _parts(self) -> tuple[str, ...]:
        return ("rows", "weights", *self.looks_outputs)

    def __repr__(self) -> str:
        settings = self.config.model
        return f"<heedful model {self.path.name}: {settings.encoder}, {self.facts.n_hops} hops, {self.answer}>"


# What some models can be asked for, and where to go with a model that cannot.
VERBS = {
    "predict": "; train a classifier that starts from it",
    "predict_proba": ": see predict",
    "scores": ": see predict",
    "answers": "; train a classifier that starts from it",
    "embed": "; en-base gives vectors",
    "encode": "; en-base gives vectors",
    "similarity": "; en-base gives vectors",
    "explain": ": see similarity",
    "flip": ": see explain",
    "self_attention": ": see explain",
    "words": ": see explain",
    "looks": ": see explain",
    "tag": "; train a model with task tag",
    "translate": "; train a model with task translate",
}


def _answer(stored: Stored) -> Answer | None:
    """Return the meaning of a model's scores; None if its answers are of another form."""
    kind = ANSWERS.get(answer_kind(stored.config, many=stored.facts.is_multilabel))
    return kind(stored.facts.labels, Unit.of(stored.facts.unit)) if kind else None


def as_model(model: str | Path | Model, *, threads: int | None = None) -> Model:
    """Return a model that is loaded already, or load it."""
    return model if isinstance(model, Model) else load(model, threads=threads)


def _stored(path: Path) -> Stored:
    """Read a model folder; a transformer's folder of Hugging Face is converted in memory."""
    if not is_transformer_folder(path):
        return read_folder(path)
    stored: Stored = imported("heedful.jobs.encoders.transformers.import_encoder:stored_transformer")(path)
    return stored


def load(folder: str | Path, *, threads: int | None = None) -> Model:
    """Load a model folder, or a bundled model by its name. Nothing in it is run as code.

    Args:
        folder: path of the folder, or a name: en-base, en-small or en-tiny. Also a transformer's folder of Hugging
            Face or sentence-transformers (see `heedful import`), which is converted each time.
        threads: CPU threads; all by default.

    Returns:
        A Classifier, MultilabelClassifier, Regressor, Tagger, PairModel, Translator or Encoder, by the model's task.

    Raises:
        ModelFolderError: if the folder is not a model, is broken, or is from a newer heedful.
        NoSuchModel: if there is no such folder.

    Example:
        >>> import heedful
        >>> heedful.load("en-small")
        <heedful model en-small: static, 8 hops, vectors of 384>
    """
    stored = _stored(model_path(folder))
    model: Model = imported(task_of(stored.config, many=stored.facts.is_multilabel).model)(stored, threads=threads)
    return model
