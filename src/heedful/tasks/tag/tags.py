"""The labels of a text's tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heedful.tasks.tag.spans import marks_spans, spans


@dataclass(frozen=True)
class Tags:
    """The labels of a text's tokens.

    Attributes:
        text: the text.
        places: start and end of each token: `text[start:end]`.
        labels: the label of each token.
        probabilities: the probability of each of these labels.

    Example:
        >>> tagger.tag("anna lives in rome").labels
        ('B-person', 'O', 'O', 'B-place')
    """

    text: str
    places: tuple[tuple[int, int], ...]
    labels: tuple[str, ...]
    probabilities: tuple[float, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens as written in the text."""
        return tuple(self.text[start:end] for start, end in self.places)

    @property
    def spans(self) -> list[dict[str, Any]]:
        """The spans that labels such as B-person and I-person mark; none for labels of another kind."""
        if not marks_spans(self.labels):
            return []
        return [self._span(kind, first, end) for kind, first, end in spans(self.labels)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Text, tokens, tags, probabilities and spans.

        Example:
            >>> tagger.tag("anna lives in rome").to_dict()["tokens"]
            ['anna', 'lives', 'in', 'rome']
        """
        values = {"text": self.text, "tokens": list(self.tokens), "tags": list(self.labels)}
        return {**values, "probabilities": [round(p, 6) for p in self.probabilities], "spans": self.spans}

    def _span(self, kind: str, first: int, end: int) -> dict[str, Any]:
        start, stop = self.places[first][0], self.places[end - 1][1]
        return {"kind": kind, "text": self.text[start:stop], "start": start, "end": stop, "tokens": [first, end]}
