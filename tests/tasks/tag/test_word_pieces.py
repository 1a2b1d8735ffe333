"""Words as the pieces of an encoder."""

import json

import numpy as np
import pytest

from heedful.data.input_spec import PIECES, InputSpec
from heedful.errors import ModelFolderError
from heedful.tasks.tag.featuriser import WordCharFeaturiser
from heedful.tasks.tag.word_pieces import MOST_PIECES, Pieces
from heedful.text.vocab import UNKNOWN, Vocab
from heedful.text.word_tokeniser import WordTokeniser
from heedful.text.wordpiece import WordPieceTokeniser


@pytest.fixture(scope="module")
def pieces():
    texts = ["the cats sat", "a cat sits", "the cat"]
    return Pieces(WordPieceTokeniser.trained(texts, size=40), width=6, units=4)


def made(pieces, **options):
    words = WordTokeniser(lowercase=True)
    return WordCharFeaturiser(words, Vocab(["cat"]), "abc", letter_width=5, max_tokens=3, pieces=pieces, **options)


def test_a_row_has_the_pieces_of_one_word_and_no_gap_before_its_last(pieces):
    rows = pieces.rows(["the", "catsits", "the"])
    assert rows[1].tolist() == pieces.tokeniser.ids("catsits").tolist()
    assert (rows > 0).sum(1).tolist() == [len(pieces.tokeniser.ids(word)) for word in ("the", "catsits", "the")]
    assert rows[0].tolist() == rows[2].tolist()


@pytest.mark.parametrize("nothing", [" ", "", "\u200b"])
def test_a_token_without_pieces_is_unknown_and_not_a_pad(pieces, nothing):
    rows = pieces.rows([nothing, "cat"])
    assert (rows[:, 0] > 0).all()
    assert rows[0, 0] == UNKNOWN


def test_of_a_long_word_the_first_pieces_are_read(pieces):
    assert pieces.rows(["cat" * 20]).shape == (1, MOST_PIECES)
    assert pieces.rows([]).shape == (0, 1)


def test_words_come_with_their_pieces_cut_where_words_are(pieces):
    item = made(pieces).features(["Cat", "sat", "the", "cat"])
    assert len(item) == 3
    assert [len(array) for array in item.arrays.values()] == [3, 3, 3]
    assert tuple(item.arrays) == made(pieces).shape.names == ("ids", "letters", PIECES)
    assert made(pieces).is_known("cats") and not made(pieces).is_known("q")


def test_the_shape_says_how_large_the_encoder_is(pieces):
    shape = made(pieces).shape
    assert shape.front == "word_pieces"
    assert (shape.n_pieces, shape.piece_width, shape.piece_units) == (len(pieces.tokeniser), 6, 4)
    assert (shape.n_ids, shape.n_letters, shape.letter_width) == (3, 5, 5)
    smallest = shape.smallest()
    assert len(smallest) == 1 and tuple(smallest.arrays) == shape.names
    assert shape != InputSpec(n_ids=3, n_letters=5, letter_width=5)


def test_after_a_round_through_json_all_is_the_same(pieces):
    before = made(pieces)
    after = WordCharFeaturiser.from_json(before.to_json())
    assert after.shape == before.shape
    assert after.features("The cats sat").tobytes() == before.features("The cats sat").tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"pieces": 3}, {"pieces": None}, {"pieces": {}}, {"pieces": {"tokenizer": "{}", "width": 6, "units": 4}},
        {"width": 0}, {"width": "6"}, {"units": -1}, {"units": True}, {"tokenizer": 4}, {"letters": ""},
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_refused(pieces, change):
    tree = json.loads(made(pieces).to_json())
    inner = {name: value for name, value in change.items() if name in tree["pieces"]}
    outer = {name: value for name, value in change.items() if name not in tree["pieces"]}
    with pytest.raises(ModelFolderError):
        WordCharFeaturiser.from_json(json.dumps({**tree, "pieces": {**tree["pieces"], **inner}, **outer}))


def test_leaving_out_a_word_leaves_out_its_pieces(pieces):
    item = made(pieces).features(["the", "catsits", "sat"])
    left = item.keeping(np.array([True, False, True]))
    assert left.arrays[PIECES].tolist() == item.arrays[PIECES][[0, 2]].tolist()
