"""Words as an encoder of sub-words reads them."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from heedful.network.encoders.bilstm import BiLstm
from heedful.network.fronts.embed import Embed
from heedful.network.fronts.word_chars import WordChars


class PieceEncoder(nn.Module):
    """The whole text is read piece by piece; a word is the mean of its pieces' states and own vectors.

    What an encoder learned before stays as it is: a tagger has too few texts to teach it anything.
    """

    def __init__(self, n_pieces: int, piece_width: int, units: int) -> None:
        super().__init__()
        self.embed = Embed(n_pieces, piece_width, tune=False)
        self.encoder = BiLstm(piece_width, units).requires_grad_(False)
        self.width = self.encoder.width + piece_width

    def forward(self, pieces: Tensor) -> Tensor:
        """Map pieces (batch, time, piece), 0 after a word's last, to vectors (batch, time, width), 0 on pads."""
        row, places = in_a_row(pieces)  # (batch, cell) each: cells are words times pieces
        x = self.embed(row)  # (batch, cell, piece_width)
        states = torch.cat([self.encoder(x, row > 0), x], dim=-1)  # (batch, cell, width)
        back = states.gather(1, places[:, :, None].expand(-1, -1, self.width))
        back = back.view(*pieces.shape, self.width)  # (batch, time, piece, width)
        real = (pieces > 0).float()
        return (back * real[..., None]).sum(2) / real.sum(2).clamp(min=1.0)[..., None]


class WordPieces(WordChars):
    """A word's own vector, what its letters say, and what an encoder makes of its pieces in their text."""

    def __init__(
        self,
        n_ids: int,
        embed_width: int,
        *,
        n_letters: int,
        letter_width: int,
        n_pieces: int,
        piece_width: int,
        piece_units: int,
        tune: bool = True,
    ) -> None:
        pieces = PieceEncoder(n_pieces, piece_width, piece_units)  # first: a seed gives the weights it always gave
        super().__init__(n_ids, embed_width, n_letters=n_letters, letter_width=letter_width, tune=tune)
        self.pieces = pieces
        self.width += pieces.width

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:  # type: ignore[override]
        """Map ids (batch, time), letters and pieces (batch, time, …) to (batch, time, width)."""
        return torch.cat([super().forward(inputs), self.pieces(inputs["pieces"])], dim=-1)


def in_a_row(pieces: Tensor) -> tuple[Tensor, Tensor]:
    """Close the gaps after words of few pieces: (batch, time, piece) to the pieces in a row, with 0 after the last.

    Also return the place in that row of every cell (batch, time · piece); that of a gap is the last, which is a pad.
    """
    cells = pieces.flatten(1)  # (batch, time · piece)
    real = cells > 0
    longest = int(real.sum(1).max())
    places = torch.where(real, real.long().cumsum(1) - 1, longest)
    row = cells.new_zeros(len(cells), longest + 1).scatter(1, places, cells)
    return row, places
