"""fastText's binary models, written here byte by byte. (Against fastText itself: equal to 2e-9, see the commit.)"""

import gzip
import struct

import numpy as np
import pytest

from heedful.errors import DataError
from heedful.text.fasttext import MAGIC
from heedful.text.word_vectors import read_word_vectors

WORDS, BUCKETS, WIDTH = ["</s>", "cat", "naïve"], 50, 3
TABLE = np.random.default_rng(0).normal(size=(len(WORDS) + BUCKETS, WIDTH)).astype("<f4")


def model(*, shortest=3, longest=4, quantised=False, version=12, words=WORDS, table=TABLE, buckets=BUCKETS) -> bytes:
    settings = [WIDTH, 5, 5, 1, 5, 1, 2, 2, buckets, shortest, longest, 100]
    raw = MAGIC + struct.pack("<i", version) + struct.pack("<12id", *settings, 1e-4)
    raw += struct.pack("<3i2q", len(words), len(words), 0, 100, -1)
    for word in words:
        raw += word.encode() + b"\0" + struct.pack("<qb", 7, 0)
    return raw + struct.pack("<?2q", quantised, *table.shape) + table.tobytes()


def put(folder, raw: bytes, name: str = "cc.en.3.bin"):
    (folder / name).write_bytes(raw)
    return folder / name


def fnv(text: str) -> int:
    """The hash as its authors describe it, in fixed-width numbers."""
    value = np.uint32(2166136261)
    with np.errstate(over="ignore"):
        for byte in np.frombuffer(text.encode(), dtype=np.int8):
            value = np.uint32(value ^ np.uint32(np.int64(byte) & 0xFFFFFFFF)) * np.uint32(16777619)
    return int(value)


def test_a_words_vector_is_the_mean_of_its_row_and_its_ngrams(tmp_path):
    found = read_word_vectors(put(tmp_path, model()))
    assert found.words == WORDS
    for i, word in enumerate(["cat", "naïve"], start=1):
        framed = f"<{word}>"
        grams = [framed[s : s + n] for n in (3, 4) for s in range(len(framed) - n + 1)]
        rows = [i, *[len(WORDS) + fnv(gram) % BUCKETS for gram in grams]]
        assert np.allclose(found.values[i], TABLE[rows].mean(0), atol=1e-6)


def test_the_end_of_sentence_has_its_own_row_only(tmp_path):
    assert np.array_equal(read_word_vectors(put(tmp_path, model())).values[0], TABLE[0])


def test_without_ngrams_a_word_has_its_own_row_only(tmp_path):
    found = read_word_vectors(put(tmp_path, model(shortest=0, longest=0)))
    assert np.array_equal(found.values, TABLE[: len(WORDS)])


def test_only_wanted_words_are_made(tmp_path):
    found = read_word_vectors(put(tmp_path, model()), keep=lambda word, _: word == "cat")
    assert found.words == ["cat"]


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (model(quantised=True), "quantised. Use its .vec file"),
        (model(version=13), "version 13"),
        (model()[:200], "truncated"),
        (model()[:30], "truncated"),
        (model(table=TABLE[:10]), "does not match 3 words"),
        (model(buckets=0), "0 buckets"),
        (model(buckets=-7), "-7 buckets"),
    ],
)
def test_a_model_that_cannot_be_read_is_a_clear_error(tmp_path, raw, problem):
    with pytest.raises(DataError, match=problem.replace(".", r"\.")):
        read_word_vectors(put(tmp_path, raw))


def test_a_zipped_model_is_to_be_unzipped_first(tmp_path):
    with pytest.raises(DataError, match="gunzip"):
        read_word_vectors(put(tmp_path, gzip.compress(model()), "cc.en.3.bin.gz"))
