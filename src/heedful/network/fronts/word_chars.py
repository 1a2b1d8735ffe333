"""Words as they are known and as they are spelled."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from heedful.network.fronts.embed import Embed

WINDOW = 3  # letters seen at once: an ending, a capital after a dot, digits


class Spelled(Embed):
    """A word's own vector, and beside it what its letters say: the largest answer of each filter over the word.

    A word that the table does not know still has its letters. `weight` is the table of words, row 0 for the pad.
    """

    def __init__(
        self, n_ids: int, word_width: int, *, n_letters: int, units: int, letter_width: int = 25, tune: bool = True
    ) -> None:
        super().__init__(n_ids, word_width, tune=tune)
        self.width = word_width + units
        self.letters = nn.Embedding(n_letters, letter_width, padding_idx=0)
        self.window = nn.Conv1d(letter_width, units, WINDOW, padding=WINDOW // 2)

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:  # type: ignore[override]
        """Map ids (batch, time) and letters (batch, time, letter), 0 after a word's last, to (batch, time, width)."""
        return torch.cat([super().forward(inputs["ids"]), self._spelling(inputs["letters"])], dim=-1)

    def _spelling(self, letters: Tensor) -> Tensor:
        """Map (batch, time, letter) to (batch, time, units), 0 for a word without letters."""
        batch, time, _ = letters.shape
        words = letters.flatten(0, 1)  # (word, letter)
        seen = self.window(self.letters(words).transpose(1, 2)).relu()  # (word, units, letter)
        largest = (seen * (words > 0)[:, None, :]).amax(dim=2)  # (word, units)
        return largest.view(batch, time, -1)  # type: ignore[no-any-return]
