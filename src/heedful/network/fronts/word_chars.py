"""Words and their characters."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from heedful.network.fronts.embed import Embed

WINDOW = 3  # letters seen at once: an ending, a capital after a dot, digits


class WordChars(Embed):
    """A word's own vector, and beside it what its letters say: the largest answer of each filter over the word.

    A word that the table does not know still has its letters. `weight` is the table of words, row 0 for the pad.
    """

    def __init__(
        self,
        n_ids: int,
        embed_width: int,
        *,
        n_letters: int,
        letter_width: int,  # of what is made of a word's letters
        letter_embed_width: int = 25,
        tune: bool = True,
    ) -> None:
        super().__init__(n_ids, embed_width, tune=tune)
        self.width = embed_width + letter_width
        self.letters = nn.Embedding(n_letters, letter_embed_width, padding_idx=0)
        self.window = nn.Conv1d(letter_embed_width, letter_width, WINDOW, padding=WINDOW // 2)

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:  # type: ignore[override]
        """Map ids (batch, time) and letters (batch, time, letter), 0 after a word's last, to (batch, time, width)."""
        return torch.cat([super().forward(inputs["ids"]), self._spelling(inputs["letters"])], dim=-1)

    def _spelling(self, letters: Tensor) -> Tensor:
        """Map (batch, time, letter) to (batch, time, letter_width), 0 for a word without letters."""
        batch, time, _ = letters.shape
        words = letters.flatten(0, 1)  # (word, letter)
        seen = self.window(self.letters(words).transpose(1, 2)).relu()  # (word, letter_width, letter)
        largest = (seen * (words > 0)[:, None, :]).amax(dim=2)  # (word, letter_width)
        return largest.view(batch, time, -1)  # type: ignore[no-any-return]
