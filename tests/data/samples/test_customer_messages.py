import unicodedata
from collections import Counter

import pytest

from heedful.data.read import read_examples, read_rows
from heedful.data.samples.customer_messages import SPLITS, messages_path
from heedful.errors import DataError
from heedful.jobs.sample_files import write_messages
from heedful.text.word_tokeniser import WordTokeniser

TOPICS = {"product", "delivery", "billing", "app", "staff"}
FEELINGS = {"negative", "positive", "mixed", "neutral"}
ROWS = {split: [row.values for row in read_rows(messages_path(split))] for split in SPLITS}
ALL = [row for split in SPLITS for row in ROWS[split]]


def plain(text):
    return " ".join(WordTokeniser().form(word) for word in WordTokeniser().surfaces(text))


def test_there_are_enough_rows_in_the_shares_that_the_readme_says():
    assert len(ALL) == 1600
    for split, share in zip(SPLITS, (0.7, 0.1, 0.2), strict=True):
        assert len(ROWS[split]) / len(ALL) == pytest.approx(share, abs=0.01)


def test_no_text_stands_twice():
    assert [text for text, n in Counter(plain(row["text"]) for row in ALL).items() if n > 1] == []


def test_labels_are_the_ones_of_the_readme():
    assert {row["topic"] for row in ALL} == TOPICS
    assert {row["feeling"] for row in ALL} == FEELINGS


@pytest.mark.parametrize("label", ["topic", "feeling"])
def test_every_split_has_every_label_in_its_share(label):
    whole = Counter(row[label] for row in ALL)
    for rows in ROWS.values():
        part = Counter(row[label] for row in rows)
        for name, n in whole.items():
            assert part[name] / len(rows) == pytest.approx(n / len(ALL), abs=0.03)


def test_texts_are_clean():
    for row in ALL:
        text = row["text"]
        assert text == text.strip() != ""
        assert unicodedata.is_normalized("NFC", text)
        assert 2 <= len(WordTokeniser().surfaces(text)) <= 120


def test_texts_do_not_follow_a_template():
    openings = Counter(tuple(plain(row["text"]).split()[:3]) for row in ALL)
    assert openings.most_common(1)[0][1] <= 8


@pytest.mark.parametrize("label", ["topic", "feeling"])
def test_it_reads_as_examples_when_told_which_label(label):
    assert len(read_examples(messages_path("dev"), label=label)) == len(ROWS["dev"])


def test_an_unknown_split_names_the_known_ones():
    with pytest.raises(ValueError, match="split is 'valid', expected one of train, dev, test"):
        messages_path("valid")


def test_the_messages_are_written_out_and_nothing_is_overwritten(tmp_path):
    written = write_messages(tmp_path / "new")
    assert [path.name for path in written] == ["messages.csv", "test.csv"]
    for path, split in zip(written, ("train", "test"), strict=True):
        found = [row.values for row in read_rows(path)]
        assert found == [row.values for row in read_rows(messages_path(split))]
    with pytest.raises(DataError, match="already exists"):
        write_messages(tmp_path / "new")
