"""Words read piece by piece, in the whole text."""

import torch

from heedful.network.fronts.word_chars import WordChars
from heedful.network.fronts.word_pieces import PieceEncoder, WordPieces, in_a_row

PIECES = torch.tensor([[[3, 4, 0], [5, 0, 0], [2, 6, 7]], [[6, 0, 0], [0, 0, 0], [0, 0, 0]]])  # (2, 3, 3)


def made():
    torch.manual_seed(0)
    return PieceEncoder(8, 4, 3)


def test_pieces_stand_in_a_row_without_gaps_and_each_cell_knows_its_place():
    row, places = in_a_row(PIECES)
    assert row.tolist() == [[3, 4, 5, 2, 6, 7, 0], [6, 0, 0, 0, 0, 0, 0]]
    assert torch.equal(row.gather(1, places), PIECES.flatten(1))


def test_a_word_is_the_mean_of_its_pieces_states_and_own_vectors():
    layer = made()
    found = layer(PIECES)
    assert found.shape == (2, 3, layer.width) == (2, 3, 10)
    ids = torch.tensor([[3, 4, 5, 2, 6, 7]])
    x = layer.embed(ids)
    states = torch.cat([layer.encoder(x, ids > 0), x], dim=-1)[0]
    for word, cells in enumerate(([0, 1], [2], [3, 4, 5])):
        assert torch.allclose(found[0, word], states[cells].mean(0), atol=1e-6)


def test_pads_are_0_and_more_padding_changes_nothing():
    layer = made()
    found = layer(PIECES)
    assert found[1, 1:].abs().max() == 0
    more = torch.zeros(2, 5, 6, dtype=torch.long)
    more[:, :3, :3] = PIECES
    assert torch.allclose(layer(more)[:, :3], found, atol=1e-6)
    assert torch.allclose(layer(PIECES[1:, :1]), found[1:, :1], atol=1e-6)


def test_a_text_without_pieces_gives_no_nan():
    assert made()(torch.zeros(2, 1, 1, dtype=torch.long)).abs().max() == 0


def test_words_and_letters_stand_before_the_pieces_and_only_they_learn():
    torch.manual_seed(0)
    front = WordPieces(5, 4, n_letters=8, letter_width=6, n_pieces=8, piece_width=4, piece_units=3)
    inputs = {"ids": torch.tensor([[2, 3, 4]]), "letters": torch.ones(1, 3, 2, dtype=torch.long), "pieces": PIECES[:1]}
    found = front(inputs)
    assert isinstance(front, WordChars) and found.shape == (1, 3, front.width) == (1, 3, 20)
    assert torch.equal(found[..., :10], WordChars.forward(front, inputs))
    assert torch.equal(found[..., 10:], front.pieces(PIECES[:1]))
    found.square().sum().backward()
    assert front.window.weight.grad.abs().max() > 0
    assert all(parameter.grad is None for parameter in front.pieces.parameters())
