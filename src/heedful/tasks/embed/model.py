"""A model whose answer is a vector."""

from __future__ import annotations

from heedful.runtime.embeds import EmbeddingModel


class Encoder(EmbeddingModel):
    """A trained encoder: a vector for each text."""

    does = "makes vectors"
    output = vector_output = "vector"
    has_unit_vectors = True

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
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
