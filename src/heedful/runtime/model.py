"""The model a user holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import Batch, ordered_batches, pad
from heedful.data.features import Features
from heedful.errors import HeedfulError, ModelFolderError, need
from heedful.inputs.text.featuriser import TextFeaturiser
from heedful.runtime.answer import Answer, plain_answers
from heedful.runtime.cancel import check_wanted
from heedful.runtime.checked_inputs import checked_text, is_one, listed, sigmoid, softmax
from heedful.runtime.session import Session
from heedful.runtime.vector_form import NoCard, VectorForm, cosines
from heedful.store.folder import Stored, read_folder
from heedful.store.shipped import model_path
from heedful.store.unit import Unit

if TYPE_CHECKING:
    from heedful.explain.attention.explanation import Explanation
    from heedful.explain.attention.flip import Flip
    from heedful.explain.similarity import Similarity
    from heedful.explain.steps.self_attention_maps import Looks

Vectors = NDArray[np.float32]
# Tasks whose answers are of another form have a model of another class, loaded when it is met.
KINDS = {
    "tag": ("heedful.tasks.tag.model", "Tagger"),
    "pair": ("heedful.tasks.pair.model", "PairModel"),
    "translate": ("heedful.tasks.translate.model", "Translator"),
}
MAX_CELLS = 16_384  # padded tokens in one call: bounds memory whatever the texts
CALL, CALL_OF_STATIC = 16, 64  # padded tokens that cost as much as one more call: docs/decisions/0011


class Model:
    """A trained model. Lists go in, results come out in the same order, whatever the batch size."""

    n_sides = 1  # rows and weights of the graph for each answer: those of a pair are two

    def __init__(self, stored: Stored, *, threads: int | None = None) -> None:
        self.path, self.config, self.facts, self.featuriser = (
            stored.path,
            stored.config,
            stored.facts,
            stored.featuriser,
        )
        self.verdict, self._seal = stored.verdict, stored.seal
        self._unit = Unit.of(stored.facts.unit)
        self._session = Session(
            stored.graph, outputs=(self._answer, *self._parts), inputs=self.featuriser.shape.names, threads=threads
        )
        self._check_files_fit()

    @property
    def session(self) -> Session:
        """The graph itself, for inputs that `run` does not give."""
        return self._session

    @property
    def fingerprint(self) -> str:
        """What this model is known by: a digest over all files that its answers depend on."""
        return self._seal.fingerprint

    @property
    def is_encoder(self) -> bool:
        """Whether it gives vectors and has no labels."""
        return self.config.task == "embed"

    @property
    def is_regressor(self) -> bool:
        """Whether its answer is a number; `labels` then has the name of that number alone."""
        return self.config.task == "regress"

    @property
    def is_many(self) -> bool:
        """Whether each label is a question of its own, so that a text may have several, or none."""
        return self.facts.many

    @property
    def texts(self) -> TextFeaturiser:
        """What makes tokens of texts; raises where the model does not read texts."""
        if self.config.input != "text":
            raise HeedfulError(f"{self.path.name} reads {self.config.input}, not texts")
        return cast("TextFeaturiser", self.featuriser)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of `predict_proba`."""
        return self.facts.labels

    @property
    def width(self) -> int:
        """How many numbers a vector has: those of the encoder's map, or else hops × width of a row."""
        return self.config.model.vector_width if self.is_encoder else self.facts.n_hops * self.facts.width

    def predict(self, texts: str | Iterable[str], *, batch_size: int = 64) -> Any:
        """Return the label of each text, or its number where the task is regress; of one text, that alone.

        Of a model with many labels, a tuple of those that are more probable than not.
        """
        if is_one(texts):
            return self.predict([texts], batch_size=batch_size)[0]
        if self.is_regressor:
            return [float(value) for value in self.scores(texts, batch_size=batch_size)[:, 0]]
        found = self.predict_proba(texts, batch_size=batch_size)
        if self.is_many:
            return [tuple(name for name, p in zip(self.labels, row, strict=True) if p > 0.5) for row in found]
        return [self.labels[i] for i in found.argmax(1)]

    def predict_proba(self, texts: str | Iterable[str], *, batch_size: int = 64) -> Vectors:
        """Return probabilities (text, label); of one text, (label,). Those of many labels do not sum to 1."""
        if is_one(texts):
            return np.asarray(self.predict_proba([texts], batch_size=batch_size)[0])
        if self.is_regressor:
            raise HeedfulError(f"{self.path.name} answers with a number, which has no probability: see predict")
        scores = self.scores(texts, batch_size=batch_size)
        return sigmoid(scores) if self.is_many else softmax(scores)

    def answers(self, texts: Sequence[Any]) -> list[Answer]:
        """Return the answer to each text in the forms that files, programs and terminals ask for."""
        return plain_answers(self, texts)

    def scores(self, texts: Iterable[str], *, batch_size: int = 64) -> NDArray[Any]:
        """Return (text, label) before softmax; of a model whose answer is a number, that number."""
        if self.is_encoder:
            raise HeedfulError(f"{self.path.name} makes vectors and has no labels; train a classifier with --start")
        features = self.featurise(texts)
        scores = np.zeros((len(features), len(self.labels)), dtype=self.score_dtype)
        for batch, (found,) in self.run(features, ("scores",), batch_size=batch_size):
            scores[batch.positions] = found
        return scores

    def embed(
        self,
        texts: str | Iterable[str],
        *,
        batch_size: int = 128,
        normalise: bool = False,
        width: int | None = None,
        dtype: str = "float32",
    ) -> NDArray[Any]:
        """Return vectors (text, width); of one text, (width,).

        `width` keeps the first numbers only: an encoder is trained so that they are a good shorter vector. `dtype` may
        be int8: each vector is then scaled so that its largest number is 127, which keeps its direction.
        """
        if is_one(texts):
            single = self.embed([texts], batch_size=batch_size, normalise=normalise, width=width, dtype=dtype)[0]
            return np.asarray(single)
        form = VectorForm(normalise=normalise, width=width, dtype=dtype)
        form.check(self.width)
        features = self.featurise(texts)
        vectors = np.zeros((len(features), self.width), dtype=np.float32)
        output = "vector" if self.is_encoder else "rows"
        for batch, (found,) in self.run(features, (output,), batch_size=batch_size):
            vectors[batch.positions] = found.reshape(len(found), -1)
        return form.shaped(vectors)

    def encode(
        self,
        sentences: str | Sequence[str],
        batch_size: int = 128,
        *,
        normalize_embeddings: bool = False,
        precision: str | None = "float32",
        truncate_dim: int | None = None,
        convert_to_tensor: bool = False,
        **_: Any,
    ) -> Any:
        """Do what `embed` does, under the names that sentence-transformers has for it.

        Its other keywords (show_progress_bar, prompt_name, …) are taken and change nothing.
        """
        vectors = self.embed(
            sentences,
            batch_size=batch_size,
            normalise=normalize_embeddings,
            width=truncate_dim,
            dtype=precision or "float32",
        )
        if not convert_to_tensor:
            return vectors
        return need("torch", feature="convert_to_tensor", extra="train").from_numpy(vectors)

    encode_query = encode_document = encode  # what retrieval evaluators call
    similarity_fn_name = "cosine"
    model_card_data = NoCard()

    @overload
    def similarity(self, first: str, second: str) -> Similarity: ...
    @overload
    def similarity(self, first: Any, second: Any) -> Any: ...
    def similarity(self, first: Any, second: Any) -> Any:
        """Return how alike two texts are, and which pairs of words make them so.

        Of two arrays or tensors of vectors, as in sentence-transformers, the cosine of each with each.
        """
        if isinstance(first, str) and isinstance(second, str):
            from heedful.explain.similarity import explain_similarity

            return explain_similarity(self, first, second)
        return cosines(first, second)

    @overload
    def explain(  # type: ignore[overload-overlap]
        self, texts: str, *, methods: str | Collection[str] = ..., label: str | None = ..., batch_size: int = 64
    ) -> Explanation: ...
    @overload
    def explain(
        self,
        texts: Iterable[str],
        *,
        methods: str | Collection[str] = ...,
        label: str | None = ...,
        batch_size: int = 64,
    ) -> list[Explanation]: ...
    def explain(
        self,
        texts: str | Iterable[str],
        *,
        methods: str | Collection[str] = ("leave-one-out",),
        label: str | None = None,
        batch_size: int = 64,
    ) -> Explanation | list[Explanation]:
        """Return what the model read in each text, its answer, and what each word does to it.

        `methods` may have leave-one-out, and with torch installed gradient and integrated; without any, only the
        weights are given, which is fastest. `label` is the one that effects are for: the answer, unless you name one.
        """
        from heedful.explain.attention.explain import explain_texts

        many = [texts] if is_one(texts) else listed(texts)
        found = explain_texts(self, many, methods=methods, label=label, batch_size=batch_size)
        return found[0] if is_one(texts) else found

    def flip(self, text: str) -> Flip:
        """Return the fewest words without which the answer would be another."""
        from heedful.explain.attention.flip import find_flip

        return find_flip(self, text)

    def looks(self, text: str) -> Looks:
        """Return where each word looks, in each layer and head of self-attention."""
        from heedful.explain.steps.self_attention_maps import looks_of

        return looks_of(self, text)

    def run(
        self, features: Sequence[Features], outputs: Sequence[str], *, batch_size: int = 64
    ) -> Iterator[tuple[Batch, list[Vectors]]]:
        """Yield each batch with its outputs; `batch.positions` says which texts it holds."""
        if batch_size < 1:
            raise HeedfulError(f"batch_size is {batch_size}, expected at least 1")
        call = CALL_OF_STATIC if self.config.model.encoder == "static" else CALL
        for batch in ordered_batches(features, max_texts=batch_size, max_cells=MAX_CELLS, call=call):
            check_wanted()
            found = self._session.run(batch, outputs)
            if self.is_regressor and "scores" in outputs:
                at = list(outputs).index("scores")
                found[at] = self.in_units(found[at])
            yield batch, found

    @property
    def score_dtype(self) -> Any:
        """The type of `scores`: a number has its unit, which may need more digits than a score."""
        return np.float64 if self.is_regressor else np.float32

    @property
    def factor(self) -> float:
        """How much of the number a score of 1 is; 1 where the answer is no number."""
        return self._unit.factor

    def in_units(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Return the numbers that scores of the graph stand for; scores of labels stay as they are."""
        return self._unit.numbers(scores) if self.is_regressor else scores

    def _check_files_fit(self) -> None:
        """Run one token, the last of the vocab, so that a graph from another model is found now and not midway."""
        shape = self.featuriser.shape
        known = self.facts.data.get("known_tokens", shape.n_ids)
        if known != shape.n_ids:
            raise ModelFolderError(f"{self.path}: the vocab has {shape.n_ids:,} tokens, facts.json says {known:,}")
        expected = self._expected_shapes()
        try:
            found = [
                array.shape
                for array in self._session.run(pad([self._smallest()], [0]), (self._answer, "rows", "weights"))
            ]
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"{self.path}: model.onnx does not fit the vocab: {error!s:.400}") from None
        if found != expected:
            raise ModelFolderError(f"{self.path}: model.onnx gives {found}, expected {expected} by facts.json")

    def _expected_shapes(self) -> list[tuple[int, ...]]:
        """Return the shapes of the answer, the rows and the weights for the smallest input."""
        n_answers = self.width if self.is_encoder else len(self.labels)
        sides, hops = self.n_sides, self.facts.n_hops
        return [(1, n_answers), (sides, hops, self.facts.width), (sides, hops, 1)]

    def _smallest(self) -> Features:
        """Return the features of an input that has one of everything."""
        return self.featuriser.shape.smallest()

    @property
    def _answer(self) -> str:
        return "vector" if self.is_encoder else "scores"

    @property
    def _parts(self) -> tuple[str, ...]:
        parts = ("rows", "weights", "states", "map") if self.is_encoder else ("rows", "weights")
        return (*parts, *self.looks_outputs)

    @property
    def looks_outputs(self) -> tuple[str, ...]:
        """The outputs that say where tokens look in each layer of self-attention; none where there is none."""
        settings = self.config.model
        n_layers = settings.n_layers if settings.encoder == "transformer" else 0
        return tuple(f"looks_{i + 1}" for i in range(n_layers))

    def featurise(self, texts: Iterable[Any]) -> list[Features]:
        """Return the numbers of each text, or of whatever else the model reads."""
        return [self.featuriser.features(self.checked(text)) for text in listed(texts)]

    def from_arguments(self, given: Sequence[str]) -> list[Any]:
        """Return the inputs that words of a command line stand for."""
        return list(given)

    def checked(self, source: Any) -> Any:
        """Return an input as the featuriser takes it, or say what was given instead of a text."""
        return checked_text(source) if self.config.input == "text" else source

    def __repr__(self) -> str:
        settings = self.config.model
        gives = f"vectors of {self.width}" if self.is_encoder else f"{len(self.labels)} labels"
        gives = f"a number ({self.labels[0]})" if self.is_regressor else gives
        return f"<heedful model {self.path.name}: {settings.encoder}, {self.facts.n_hops} hops, {gives}>"


def load(folder: str | Path, *, threads: int | None = None) -> Model:
    """Load a model folder, or a model that comes with heedful by its name. Nothing in it is run as code."""
    stored = read_folder(model_path(folder))
    module, name = KINDS.get(stored.config.task, (__name__, "Model"))
    found: Model = getattr(import_module(module), name)(stored, threads=threads)
    return found
