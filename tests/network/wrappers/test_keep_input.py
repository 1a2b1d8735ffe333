"""The words' own vectors, beside an encoder's states."""

from __future__ import annotations

import torch

from heedful.network.encoders.bilstm import BiLstm
from heedful.network.encoders.static import StaticEncoder
from heedful.network.wrappers.keep_input import KeepInput


def test_states_come_first_and_the_words_after_them():
    torch.manual_seed(0)
    encoder = BiLstm(6, 4)
    both, x = KeepInput(encoder, 6), torch.randn(3, 5, 6)
    mask = torch.arange(5) < torch.tensor([5, 2, 0])[:, None]
    found = both(x, mask)
    assert both.width == 4 + 4 + 6 and found.shape == (3, 5, 14)
    assert torch.equal(found[:, :, :8], encoder(x, mask))
    assert torch.equal(found[:, :, 8:][mask], x[mask])
    assert found[~mask].abs().max() == 0


def test_a_word_keeps_its_vector_in_any_company():
    torch.manual_seed(0)
    both = KeepInput(BiLstm(6, 4), 6)
    x, mask = torch.randn(2, 4, 6), torch.ones(2, 4, dtype=torch.bool)
    x[1, 2] = x[0, 0]
    found = both(x, mask)
    assert torch.equal(found[1, 2, 8:], found[0, 0, 8:])
    assert not torch.allclose(found[1, 2, :8], found[0, 0, :8])


def test_beside_no_context_the_words_are_there_twice():
    x, mask = torch.randn(1, 3, 6), torch.ones(1, 3, dtype=torch.bool)
    assert torch.equal(KeepInput(StaticEncoder(6), 6)(x, mask), torch.cat([x, x], dim=-1))
