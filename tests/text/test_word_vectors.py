import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.errors import DataError
from heedful.text.word_vectors import read_word_vectors

WORDS = ["the", "café", "中文", "n't"]
VALUES = np.array([[0.5, -1, 2], [1e-5, 3, 4], [0, 0, 0], [7, 8, 9.25]], dtype=np.float32)


def rows(end="\n"):
    return end.join(f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, VALUES, strict=True)) + end


def binary(end=b"\n"):
    pairs = zip(WORDS, VALUES, strict=True)
    return b"4 3\n" + b"".join(word.encode() + b" " + row.astype("<f4").tobytes() + end for word, row in pairs)


FORMATS = {
    "glove.txt": rows().encode(),
    "glove.crlf.txt": rows("\r\n").encode(),
    "glove.bom.txt": b"\xef\xbb\xbf" + rows().encode(),
    "glove.no-end.txt": rows().encode().rstrip() + b"\n\n",
    "word2vec.txt": b"4 3\n" + rows().encode(),
    "word2vec.bom.txt": b"\xef\xbb\xbf4 3\n" + rows().encode(),
    "fasttext.vec": b"4 3\n" + rows(" \n").encode(),
    "word2vec.bin": binary(),
    "gensim.bin": binary(end=b""),
}


def put(folder, name, raw):
    (folder / name).write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return folder / name


@pytest.mark.parametrize("is_zipped", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_words_and_values(tmp_path, name, is_zipped):
    raw = FORMATS[name]
    path = put(tmp_path, f"{name}.gz", gzip.compress(raw)) if is_zipped else put(tmp_path, name, raw)
    vectors = read_word_vectors(path)
    assert vectors.words == WORDS
    assert vectors.width == 3
    assert vectors.values.dtype == np.float32
    np.testing.assert_array_equal(vectors.values, VALUES)


@given(
    st.lists(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=5, max_size=5), min_size=1)
)
def test_numbers_are_read_back_to_the_last_bit(tmp_path_factory, table):
    text = "".join(f"w{i} {' '.join(map(repr, row))}\n" for i, row in enumerate(table))
    vectors = read_word_vectors(put(tmp_path_factory.mktemp("v"), "a.txt", text))
    np.testing.assert_array_equal(vectors.values, np.array(table, dtype=np.float32))


def test_words_with_spaces_are_whole(tmp_path):
    text = "the 1 2\n. . . 3 4\nat name@domain.com 5 6\nNew York 7 8\n"
    read = read_word_vectors(put(tmp_path, "a.txt", text))
    found = dict(zip(read.words, read.values.tolist(), strict=True))
    assert found == {"the": [1, 2], ". . .": [3, 4], "at name@domain.com": [5, 6], "New York": [7, 8]}


def test_the_width_of_the_header_finds_a_first_word_with_a_space(tmp_path):
    assert read_word_vectors(put(tmp_path, "a.vec", "2 2\nNew York 7 8\nthe 1 2\n")).words == ["New York", "the"]


def test_words_that_are_numbers_are_words(tmp_path):
    assert read_word_vectors(put(tmp_path, "a.txt", "the 1 2\n1990 3 4\n3.5 5 6\n")).words == ["the", "1990", "3.5"]


def test_the_first_of_a_word_that_stands_twice_counts(tmp_path):
    vectors = read_word_vectors(put(tmp_path, "a.txt", "a 1 2\nb 3 4\na 5 6\n"))
    assert (vectors.words, vectors.values.tolist()) == (["a", "b"], [[1, 2], [3, 4]])


def test_only_what_is_wanted_is_kept(tmp_path):
    path = put(tmp_path, "a.txt", rows())
    assert read_word_vectors(path, keep=lambda word, _: word in ("the", "n't")).words == ["the", "n't"]
    assert read_word_vectors(path, keep=lambda _, n: n < 2).words == WORDS[:2]
    with pytest.raises(DataError, match="no vector for any word of the texts"):
        read_word_vectors(path, keep=lambda *_: False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no word vectors in this file"),
        ("5 300\n", "no word vectors in this file"),
        ("a 1 2 3\nb 1 2\n", "line 2: found 2 numbers, expected 3"),
        ("a 1 2 3\nb 1 2 3 4\n", "line 2: found 4 numbers, expected 3"),
        ("2 3\na 1 2\n", "line 2: found 2 numbers, expected 3"),
        ("2 3\na 1 2 3\nb 1 2 3 4\n", "line 3: found 4 numbers, expected 3"),
        ("a 1 2 3\nb\n", "line 2: found 0 numbers, expected 3"),
        ("a\tb\n", "line 1: found 0 numbers, expected some"),
        ("a 1 nan 3\n", "line 1: found a number that is not finite"),
        ("a 1 2 3\nb 1 -inf 3\n", "line 2: found a number that is not finite"),
        ("a 1 1e50 3\n", "line 1: found a number that is not finite"),
        ("this is no file of vectors\n", "line 1: found a cell that is not a number, expected: word number"),
        ("a 1 2 3\nb 1 x 3\n", "line 2: found a cell that is not a number"),
    ],
)
def test_a_fault_in_a_text_file_names_the_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read_word_vectors(put(tmp_path, "a.txt", text))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (binary()[:-5], "the file ends in word 4 of 4"),
        (binary().replace(b"4 3\n", b"9 3\n"), "word 5 is not terminated"),
        (b"4 0\n", "the width is 0, expected 1 to 4096"),
        (b"4 99999\n", "the width is 99999, expected 1 to 4096"),
        (b"1 300\n" + b"x" * 10_000, "word 1 is not terminated: is this word2vec binary"),
        (b"1 1\na " + np.array([np.nan], "<f4").tobytes(), "word 1 of 1 has a number that is not finite"),
    ],
    ids=["cut", "count", "narrow", "wide", "endless", "nan"],
)
def test_a_fault_in_a_binary_file_names_the_word(tmp_path, raw, message):
    with pytest.raises(DataError, match=message):
        read_word_vectors(put(tmp_path, "a.bin", raw))


@pytest.mark.parametrize("name", ["word2vec.bin", "glove.txt"])
def test_a_damaged_gz_is_one_message(tmp_path, name):
    with pytest.raises(DataError, match="the file is damaged"):
        read_word_vectors(put(tmp_path, f"{name}.gz", gzip.compress(FORMATS[name])[:-25]))
    with pytest.raises(DataError, match="the file is damaged"):
        read_word_vectors(put(tmp_path, f"plain.{name}.gz", FORMATS[name]))


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_word_vectors(tmp_path / "none.txt")
