import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.data.files.jsonl import read_jsonl
from heedful.errors import DataError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUE = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT | st.lists(TEXT, max_size=2)


@given(records=st.lists(st.dictionaries(TEXT, VALUE, max_size=3), max_size=5), is_ascii=st.booleans())
def test_what_pythons_json_writes_is_read_back(tmp_path_factory, records, is_ascii):
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    path.write_text("\n".join(json.dumps(r, ensure_ascii=is_ascii) for r in records), encoding="utf-8")
    assert [row.values for row in read_jsonl(path)] == records


def test_blank_lines_are_passed_over_and_counted(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf\r\n{"text": "a"}\r\n  \r\n{"text": "b"}')
    assert [(row.values["text"], row.line) for row in read_jsonl(tmp_path / "a.jsonl")] == [("a", 2), ("b", 4)]


def test_gz_reads_as_the_plain_file(tmp_path):
    raw = '{"text": "é"}\n'.encode()
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(raw))
    assert [row.values for row in read_jsonl(tmp_path / "a.jsonl.gz")] == [{"text": "é"}]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "a"', r"line 2: not JSON: .*\(column 13\)"),
        ("{'text': 'a'}", "line 2: not JSON: "),
        ('["a"]', "line 2: found list, expected an object"),
        ("null", "line 2: found NoneType, expected an object"),
        ("[" * 200_000, "line 2: the JSON is nested too deeply"),
        ('{"n": ' + "1" * 5000 + "}", "line 2: unreadable JSON: .*digits"),
    ],
    ids=["cut", "quotes", "list", "null", "deep", "digits"],
)
def test_a_line_that_is_no_object_is_named(tmp_path, line, message):
    (tmp_path / "a.jsonl").write_text('{"text": "fine"}\n' + line + "\n")
    with pytest.raises(DataError, match=message):
        list(read_jsonl(tmp_path / "a.jsonl"))


def test_half_a_surrogate_pair_becomes_the_replacement_character(tmp_path):
    (tmp_path / "a.jsonl").write_text(r'{"text": "cut \ud83d", "n": 1, "whole": "\ud83d\ude00"}')
    (row,) = read_jsonl(tmp_path / "a.jsonl")
    assert row.values == {"text": "cut \ufffd", "n": 1, "whole": "😀"}


def test_half_a_surrogate_pair_in_a_key_or_deep_inside_becomes_the_replacement_character(tmp_path):
    (tmp_path / "a.jsonl").write_text(r'{"a\ud800": {"b\uDFFF": ["\ud800"]}, "text": "x"}')
    (row,) = read_jsonl(tmp_path / "a.jsonl")
    assert row.values == {"a\ufffd": {"b\ufffd": ["\ufffd"]}, "text": "x"}
