"""A model whose answer is a vector."""

from __future__ import annotations

from collections.abc import Iterable

from heedful.errors import HeedfulError
from heedful.runtime.checked_inputs import checked_text
from heedful.runtime.embeds import EmbeddingModel
from heedful.runtime.rerank import Ranked, ranked
from heedful.text.terms.mix import checked_by


class Encoder(EmbeddingModel):
    """A trained encoder: a vector for each text.

    Example:
        >>> from heedful import Encoder
        >>> encoder = Encoder.load("en-small")
        >>> encoder.similarity("a cat on the sofa", "a kitten on the couch").score > 0.5
        True
    """

    does = "makes vectors"
    output = vector_output = "vector"

    @property
    def has_unit_vectors(self) -> bool:
        """Whether `encode` scales vectors to length 1; some imported transformers do not."""
        return self.config.model.unit_vectors

    @property
    def width(self) -> int:
        """The width of a vector."""
        return self.config.model.vector_width

    def rerank(self, query: str, documents: Iterable[str], *, n: int | None = None, by: str = "both") -> list[Ranked]:
        """Rank documents by a query: by the words that they share, by meaning, or by both.

        Args:
            query: a text.
            documents: texts.
            n: number of documents to return; all by default.
            by: "words" (BM25 over these documents), "meaning" (cosine of vectors) or "both".

        Returns:
            The documents with their scores, the best first.

        Raises:
            HeedfulError: if `n` or `by` has an invalid value.

        Example:
            >>> [ranked.index for ranked in encoder.rerank("a kitten", ["a train to rome", "a cat on the sofa"])]
            [1, 0]
        """
        kind, query, texts = checked_by(by), checked_text(query), [checked_text(text) for text in documents]
        if n is not None and n < 1:
            raise HeedfulError(f"n is {n}, expected at least 1")
        if not texts:
            return []
        if kind == "words":
            return ranked(query, texts, None, by=kind, n=n)
        vectors = self.embed([query, *texts], normalize=True)
        return ranked(query, texts, vectors[1:] @ vectors[0], by=kind, n=n)

    @property
    def _n_answers(self) -> int:
        return self.width

    @property
    def _parts(self) -> tuple[str, ...]:
        return ("rows", "weights", "states", "map", *self.looks_outputs)

    def __repr__(self) -> str:
        settings = self.config.model
        hops = f"{self.facts.n_hops} hops"
        return f"<heedful model {self.path.name}: {settings.encoder}, {hops}, vectors of {self.width}>"
