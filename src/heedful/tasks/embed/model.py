"""A model whose answer is a vector."""

from __future__ import annotations

from heedful.runtime.embeds import EmbeddingModel


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
