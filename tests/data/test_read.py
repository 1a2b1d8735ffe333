import gzip
import json
import math

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heedful.data.example import Example
from heedful.data.read import READERS, read_examples, read_rows, read_texts
from heedful.errors import DataError

RECORDS = [("good, really", "pos"), ('say "no"', "neg"), ("日本 👍🏽 é", "pos")]


def content(ending, folder):
    if ending == ".csv":
        quoted = ['"' + text.replace('"', '""') + f'",{label}' for text, label in RECORDS]
        return "\r\n".join(["text,label", *quoted]).encode()
    if ending == ".tsv":
        return "\n".join(["text\tlabel", *(f"{text}\t{label}" for text, label in RECORDS)]).encode()
    if ending in (".jsonl", ".ndjson"):
        return "\n".join(json.dumps({"text": text, "label": label}) for text, label in RECORDS).encode()
    if ending == ".json":
        return json.dumps([{"text": text, "label": label} for text, label in RECORDS], indent=1).encode()
    if ending == ".xlsx":
        book = openpyxl.Workbook()
        for record in [("text", "label"), *RECORDS]:
            book.active.append(record)
        book.save(folder / "made")
        return (folder / "made").read_bytes()
    if ending == ".txt":
        return "\n".join(text for text, _ in RECORDS).encode()
    pq.write_table(pa.table({"text": [t for t, _ in RECORDS], "label": [x for _, x in RECORDS]}), folder / "made")
    return (folder / "made").read_bytes()


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("is_zipped", [False, True])
@pytest.mark.parametrize("ending", READERS)
def test_every_format_plain_or_zipped_gives_the_same_texts(tmp_path, ending, is_zipped):
    raw = content(ending, tmp_path)
    path = tmp_path / (f"A{ending.upper()}.gz" if is_zipped else f"a{ending}")
    path.write_bytes(gzip.compress(raw) if is_zipped else raw)
    assert [text for _, text in read_texts(path)] == [text for text, _ in RECORDS]
    if ending != ".txt":
        assert read_examples(path) == [Example(*record) for record in RECORDS]


def test_an_unknown_ending_lists_the_known_ones(tmp_path):
    with pytest.raises(DataError, match=r"a\.xls: unknown file extension.*\.csv, \.tsv.*also with \.gz.*\.xlsx"):
        read_rows(tmp_path / "a.xls")


def test_texts_come_as_a_stream(tmp_path):
    path = write(tmp_path, "a.jsonl", '{"text": "a", "id": 7}\nnot json\n')
    texts = read_texts(path)
    row, text = next(texts)
    assert (row.values["id"], text) == (7, "a")
    with pytest.raises(DataError, match="line 2"):
        next(texts)


def test_labels_are_trimmed_strings_whatever_they_were(tmp_path):
    labels = [1, 2.5, True, " x "]
    path = write(tmp_path, "a.jsonl", "\n".join(json.dumps({"text": "a", "label": label}) for label in labels))
    assert [example.label for example in read_examples(path)] == ["1", "2.5", "True", "x"]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_header_alone_is_no_examples(tmp_path, name):
    with pytest.raises(DataError, match="no examples"):
        read_examples(write(tmp_path, name, "text,label\n"))


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_an_empty_file_is_no_examples(tmp_path, name):
    with pytest.raises(DataError, match="no examples: the file is empty"):
        read_examples(write(tmp_path, name, ""))


def test_a_file_of_plain_lines_has_no_label(tmp_path):
    with pytest.raises(DataError, match="no column is left for the label"):
        read_examples(write(tmp_path, "a.txt", "one\ntwo\n"))


@pytest.mark.parametrize("label", ["", "   "])
def test_an_empty_label_is_named_with_its_line(tmp_path, label):
    with pytest.raises(DataError, match="line 3: label is empty, expected a label"):
        read_examples(write(tmp_path, "a.csv", f"text,label\ngood,x\nbad,{label}\n"))


@pytest.mark.parametrize("label", [None, math.nan, [], ["x"], {"a": 1}])
def test_a_label_that_is_none_is_named_with_its_line(tmp_path, label):
    lines = [{"text": "a", "label": "x"}, {"text": "b", "label": label}]
    with pytest.raises(DataError, match=r"line 2: label is (empty|a list|a dict), expected"):
        read_examples(write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, lines))))


@pytest.mark.parametrize("text", [None, 5, ["a"], {"a": 1}])
def test_a_text_that_is_no_string_is_shown_with_its_line(tmp_path, text):
    lines = [{"text": "a", "label": "x"}, {"text": text, "label": "x"}]
    with pytest.raises(DataError, match=r"line 2: text is .*, expected a text"):
        read_examples(write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, lines))))


def test_a_record_without_the_column_says_what_it_has(tmp_path):
    path = write(tmp_path, "a.jsonl", '{"text": "a", "label": "x"}\n{"text": "a", "lable": "x"}\n')
    with pytest.raises(DataError, match="line 2: no 'label' here; found text, lable"):
        read_examples(path)


def test_an_empty_text_is_a_text(tmp_path):
    assert read_examples(write(tmp_path, "a.csv", "text,label\n,x\n")) == [Example("", "x")]


def test_columns_in_doubt_name_the_candidates_and_the_setting(tmp_path):
    path = write(tmp_path, "a.tsv", "text\ttopic\tfeeling\na\tb\tc\n")
    with pytest.raises(DataError, match=r"topic and feeling could both be the label. Set label to the name"):
        read_examples(path)
    assert read_examples(path, label="feeling") == [Example("a", "c")]
