"""Words beside their spelling."""

import torch

from heedful.network.fronts.embed import Embed
from heedful.network.fronts.word_chars import WordChars

LETTERS = torch.tensor([[[3, 4, 5, 0], [6, 0, 0, 0], [0, 0, 0, 0]]])  # (1, 3, 4): a word of three, of one, a pad
IDS = torch.tensor([[2, 1, 0]])


def made():
    torch.manual_seed(0)
    return WordChars(5, 4, n_letters=8, letter_width=6, letter_embed_width=3)


def test_the_first_columns_are_the_words_own():
    front = made()
    found = front({"ids": IDS, "letters": LETTERS})
    assert isinstance(front, Embed)
    assert found.shape == (1, 3, front.width) == (1, 3, 10)
    assert torch.equal(found[..., :4], front.weight[IDS])


def test_the_others_are_the_largest_answer_of_each_filter_over_the_letters():
    front = made()
    found = front({"ids": IDS, "letters": LETTERS})
    word = front.letters.weight[torch.tensor([3, 4, 5])]  # (letter, width)
    padded = torch.cat([torch.zeros(1, 3), word, torch.zeros(1, 3)])
    answers = [(front.window.weight * padded[i : i + 3].T[None]).sum(dim=(1, 2)) + front.window.bias for i in range(3)]
    assert torch.allclose(found[0, 0, 4:], torch.stack(answers).relu().amax(0), atol=1e-6)


def test_a_pad_has_no_spelling_and_more_padding_changes_nothing():
    front = made()
    found = front({"ids": IDS, "letters": LETTERS})
    assert found[0, 2].abs().max() == 0
    more = torch.cat([LETTERS, torch.zeros(1, 3, 5, dtype=torch.long)], dim=2)
    assert torch.allclose(front({"ids": IDS, "letters": more}), found, atol=1e-6)


def test_an_unknown_word_still_has_its_letters():
    front = made()
    other = LETTERS.clone()
    other[0, 1, 0] = 7
    same_id = front({"ids": IDS, "letters": LETTERS})[0, 1], front({"ids": IDS, "letters": other})[0, 1]
    assert torch.equal(same_id[0][:4], same_id[1][:4])
    assert not torch.equal(same_id[0], same_id[1])


def test_gradients_reach_every_parameter_and_no_pad():
    front = made()
    front({"ids": IDS, "letters": LETTERS}).square().sum().backward()
    assert front.weight.grad.is_sparse
    assert all(p.grad.abs().max() > 0 for p in (front.letters.weight, front.window.weight, front.window.bias))
    assert front.letters.weight.grad[0].abs().max() == 0
