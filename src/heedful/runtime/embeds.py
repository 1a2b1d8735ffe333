"""Models that give a vector for each input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Never, overload

import numpy as np
from numpy.typing import NDArray

from heedful.errors import need
from heedful.runtime.checked_inputs import is_one
from heedful.runtime.deprecated import old_name, old_spelling
from heedful.runtime.model import Model
from heedful.runtime.progress import counted
from heedful.runtime.sentence_transformers import check_encode_keywords
from heedful.runtime.vector_form import NoCard, VectorForm, cosines

if TYPE_CHECKING:
    from heedful.explain.similarity import Similarity
    from heedful.explain.steps.self_attention_maps import SelfAttention


class EmbeddingModel(Model):
    """A model with a vector for each input: all rows of M, or an encoder's map of them."""

    vector_output = "rows"  # of the graph

    @property
    def has_unit_vectors(self) -> bool:
        """Whether `encode` scales vectors to length 1."""
        return False

    def embed(
        self,
        texts: str | Iterable[str],
        *,
        batch_size: int = 128,
        normalize: bool = False,
        width: int | None = None,
        dtype: str = "float32",
        normalise: bool | None = None,
    ) -> NDArray[Any]:
        """Return the vector of each text.

        Args:
            texts: a text or several; also a DataFrame or another table with the text column of the training data.
            batch_size: texts in one run.
            normalize: scale vectors to length 1.
            width: keep the first numbers only; an encoder is trained so that they are a good shorter vector.
            dtype: "float32", or "int8": each vector is scaled so that its largest number is 127.
            normalise: deprecated; use `normalize`.

        Returns:
            An array (text, width); of one text, (width,).

        Raises:
            InputError: if an input is not a text.
            HeedfulError: if `width` or `dtype` has an invalid value.

        Example:
            >>> encoder.embed(["one text", "another"], normalize=True, width=64).shape
            (2, 64)
        """
        normalize = old_spelling(normalise, normalize)
        if (inputs := self.inputs_in(texts)) is not None:
            texts = inputs
        if is_one(texts):
            single = self.embed([texts], batch_size=batch_size, normalize=normalize, width=width, dtype=dtype)[0]
            return np.asarray(single)
        return self._embedded(texts, VectorForm(normalize=normalize, width=width, dtype=dtype), batch_size=batch_size)

    def _embedded(
        self,
        texts: Iterable[str],
        form: VectorForm,
        *,
        batch_size: int,
        on_progress: Callable[[int], None] = lambda _: None,
    ) -> NDArray[Any]:
        form.check(self.width)
        features = self.featurise(texts)
        vectors = np.zeros((len(features), self.width), dtype=np.float32)
        done = 0
        for batch, (rows,) in self.run(features, (self.vector_output,), batch_size=batch_size):
            vectors[batch.positions] = rows.reshape(len(rows), -1)
            done += len(batch.positions)
            on_progress(done)
        return form.shaped(vectors)

    @overload
    def encode(
        self,
        sentences: str | Sequence[str],
        batch_size: int = ...,
        *,
        prompt_name: None = ...,
        prompt: str | None = ...,
        show_progress_bar: bool | None = ...,
        output_value: str | None = ...,
        precision: str | None = ...,
        convert_to_numpy: bool = ...,
        convert_to_tensor: Literal[False] = ...,
        device: str | None = ...,
        normalize_embeddings: bool = ...,
        truncate_dim: int | None = ...,
        pool: None = ...,
        chunk_size: int | None = ...,
        task: str | None = ...,
    ) -> NDArray[Any]: ...
    @overload
    def encode(
        self,
        sentences: str | Sequence[str],
        batch_size: int = ...,
        *,
        prompt_name: None = ...,
        prompt: str | None = ...,
        show_progress_bar: bool | None = ...,
        output_value: str | None = ...,
        precision: str | None = ...,
        convert_to_numpy: bool = ...,
        convert_to_tensor: Literal[True],
        device: str | None = ...,
        normalize_embeddings: bool = ...,
        truncate_dim: int | None = ...,
        pool: None = ...,
        chunk_size: int | None = ...,
        task: str | None = ...,
    ) -> Any: ...
    def encode(
        self,
        sentences: str | Sequence[str],
        batch_size: int = 128,
        *,
        prompt_name: None = None,
        prompt: str | None = None,
        show_progress_bar: bool | None = None,
        output_value: str | None = "sentence_embedding",
        precision: str | None = "float32",
        convert_to_numpy: bool = True,
        convert_to_tensor: bool = False,
        device: str | None = None,
        normalize_embeddings: bool = False,
        truncate_dim: int | None = None,
        pool: None = None,
        chunk_size: int | None = None,
        task: str | None = None,
        **unknown: Never,
    ) -> Any:
        """Return vectors, with the keywords of sentence-transformers.

        Vectors of an encoder have length 1, as those of all-MiniLM-L6-v2 have; `embed` gives them as they are.

        Args:
            sentences: a text, or several.
            batch_size: texts in one run.
            prompt: a text before each sentence.
            precision: "float32" or "int8".
            convert_to_tensor: return a torch tensor.
            normalize_embeddings: scale vectors to length 1; those of an encoder are.
            truncate_dim: keep the first numbers only.
            show_progress_bar: show a bar on stderr.
            prompt_name: not supported; there are no named prompts.
            output_value: only "sentence_embedding".
            convert_to_numpy: has no effect; arrays are returned unless `convert_to_tensor` is set.
            device: only "cpu".
            pool: not supported.
            chunk_size: has no effect.
            task: has no effect; queries and documents are read alike.
            unknown: none; other keywords are refused.

        Returns:
            An array (text, width); of one text, (width,).

        Raises:
            InputError: for an unknown keyword, or a value that is not supported.

        Example:
            >>> encoder.encode(["one text", "another"]).shape
            (2, 384)
        """
        del convert_to_numpy, chunk_size, task
        check_encode_keywords(prompt_name, output_value, device, pool, unknown)
        texts = [sentences] if isinstance(sentences, str) else list(sentences)
        with counted(len(texts), show=bool(show_progress_bar)) as on_progress:
            vectors = self._embedded(
                [f"{prompt}{text}" for text in texts] if prompt else texts,
                VectorForm(normalize_embeddings or self.has_unit_vectors, truncate_dim, precision or "float32"),
                batch_size=batch_size,
                on_progress=on_progress,
            )
        array = np.asarray(vectors[0]) if isinstance(sentences, str) else vectors
        if not convert_to_tensor:
            return array
        return need("torch", feature="convert_to_tensor", extra="train").from_numpy(array)

    encode_query = encode_document = encode  # what retrieval evaluators call
    similarity_fn_name = "cosine"
    model_card_data = NoCard()

    @overload
    def similarity(self, first: str, second: str) -> Similarity: ...
    @overload
    def similarity(self, first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float32]: ...
    @overload
    def similarity(self, first: Any, second: Any) -> Any: ...
    def similarity(self, first: Any, second: Any) -> Any:
        """Return the similarity of two texts, and the pairs of words behind it; or that of vectors.

        Args:
            first: a text; or vectors, as in sentence-transformers.
            second: a text; or vectors.

        Returns:
            A Similarity of two texts. Of vectors, an array (first, second) of cosines; of tensors, a tensor.

        Raises:
            HeedfulError: if texts are given and the model is not an encoder.

        Example:
            >>> similarity = encoder.similarity("a cat on the sofa", "a kitten on the couch")
            >>> similarity.top(1)
            [('cat', 'kitten', ...)]
            >>> encoder.similarity(encoder.encode(["one", "two"]), encoder.encode(["three"])).shape
            (2, 1)
        """
        if isinstance(first, str) and isinstance(second, str):
            from heedful.explain.similarity import explain_similarity

            return explain_similarity(self, first, second)
        return cosines(first, second)

    def self_attention(self, text: str) -> SelfAttention:
        """Return the weights of self-attention from each word to each other, in each layer and head.

        Args:
            text: a text.

        Returns:
            The words, and weights (layer, head, word, word).

        Raises:
            HeedfulError: if the encoder is not a transformer.

        Example:
            >>> import heedful
            >>> transformer = heedful.load("en-tiny")
            >>> transformer.self_attention("a bank of the river").words[1].text
            'bank'
        """
        from heedful.explain.steps.self_attention_maps import looks_of

        return looks_of(self, text)

    def looks(self, text: str) -> SelfAttention:
        """Return the weights of self-attention. Deprecated: use `model.self_attention`."""
        old_name(self, "looks", "model.self_attention")
        return self.self_attention(text)
