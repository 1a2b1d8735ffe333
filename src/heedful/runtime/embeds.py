"""Models that give a vector for each input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from heedful.errors import need
from heedful.runtime.checked_inputs import is_one
from heedful.runtime.deprecated import old_name, old_spelling
from heedful.runtime.model import Model
from heedful.runtime.vector_form import NoCard, VectorForm, cosines

if TYPE_CHECKING:
    from heedful.explain.similarity import Similarity
    from heedful.explain.steps.self_attention_maps import SelfAttention


class EmbeddingModel(Model):
    """A model with a vector for each input: all rows of M, or an encoder's map of them."""

    vector_output = "rows"  # of the graph

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
        """Return vectors (text, width); of one text, (width,).

        `width` keeps the first numbers only: an encoder is trained so that they are a good shorter vector. `dtype` may
        be int8: each vector is then scaled so that its largest number is 127, which keeps its direction.
        """
        normalize = old_spelling(normalise, normalize)
        if is_one(texts):
            single = self.embed([texts], batch_size=batch_size, normalize=normalize, width=width, dtype=dtype)[0]
            return np.asarray(single)
        form = VectorForm(normalize=normalize, width=width, dtype=dtype)
        form.check(self.width)
        features = self.featurise(texts)
        vectors = np.zeros((len(features), self.width), dtype=np.float32)
        for batch, (rows,) in self.run(features, (self.vector_output,), batch_size=batch_size):
            vectors[batch.positions] = rows.reshape(len(rows), -1)
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
        """Do the same as `embed`, with the argument names of sentence-transformers.

        Its other keywords (show_progress_bar, prompt_name, …) are taken and change nothing.
        """
        vectors = self.embed(
            sentences,
            batch_size=batch_size,
            normalize=normalize_embeddings,
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
        """Return the similarity of two texts, and the pairs of words behind it.

        Of two arrays or tensors of vectors, as in sentence-transformers, the cosine of each with each.
        """
        if isinstance(first, str) and isinstance(second, str):
            from heedful.explain.similarity import explain_similarity

            return explain_similarity(self, first, second)
        return cosines(first, second)

    def self_attention(self, text: str) -> SelfAttention:
        """Return the weights of self-attention from each word to each other, in each layer and head."""
        from heedful.explain.steps.self_attention_maps import looks_of

        return looks_of(self, text)

    def looks(self, text: str) -> SelfAttention:
        """Return the weights of self-attention. Deprecated: use `model.self_attention`."""
        old_name(self, "looks", "model.self_attention")
        return self.self_attention(text)
