from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.columns import Columns
from heedful.data.example import Example, TwoTexts
from heedful.errors import DataError
from heedful.tasks.pair.read import TWO_NAMES, read_pairs, read_sources, two_columns

NONE = Columns()


def write(path, *lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_snli_columns_are_found(tmp_path):
    file = write(tmp_path / "a.tsv", "label\tpremise\thypothesis", "neutral\tA man.\tA tall man.")
    examples, columns = read_pairs(file, NONE)
    assert examples == [Example(TwoTexts("A man.", "A tall man."), "neutral")]
    assert columns == Columns("premise,hypothesis", "label")


def test_one_other_column_is_the_answer_whatever_its_name(tmp_path):
    file = write(tmp_path / "a.csv", "score,sentence1,sentence2", "3.5,one,two")
    assert read_pairs(file, NONE, numbers=True)[1] == Columns("sentence1,sentence2", "score")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "csv.gz"])
def test_every_format_gives_the_same(tmp_path, ending):
    rows = [("a b", "c", "yes"), ("d", "e f", "no")]
    if ending == "jsonl":
        text = "".join(json.dumps({"a": a, "b": b, "label": y}) + "\n" for a, b, y in rows)
    else:
        separator = "\t" if ending == "tsv" else ","
        text = "".join(separator.join(row) + "\n" for row in [("a", "b", "label"), *rows])
    path = tmp_path / f"pairs.{ending}"
    path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())
    assert read_pairs(path, NONE)[0] == [Example(TwoTexts(a, b), y) for a, b, y in rows]


def test_parquet_gives_the_same(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"question1": ["a"], "question2": ["b"], "label": [1]})
    parquet.write_table(table, tmp_path / "pairs.parquet")
    assert read_pairs(tmp_path / "pairs.parquet", NONE)[0] == [Example(TwoTexts("a", "b"), "1")]


def test_columns_are_taken_as_told(tmp_path):
    file = write(tmp_path / "a.csv", "id,title,body,kind", "1,one,two,same")
    assert read_pairs(file, Columns("title, body", "kind"))[0] == [Example(TwoTexts("one", "two"), "same")]
    assert read_pairs(file, Columns("body,title", "kind"))[0] == [Example(TwoTexts("two", "one"), "same")]


def test_hints_hold_where_both_columns_are_there(tmp_path):
    file = write(tmp_path / "a.csv", "title,body,premise,hypothesis,kind", "1,2,3,4,same")
    assert read_pairs(file, NONE, hints=Columns("title,body", "kind"))[1].text == "title,body"
    assert read_pairs(file, Columns(None, "kind"), hints=Columns("title,gone", "kind"))[1].text == "premise,hypothesis"


@pytest.mark.parametrize(
    ("header", "asked", "said"),
    [
        ("x,y,z,label", NONE, "which columns are the two texts?"),
        ("premise,hypothesis,text1,text2,label", NONE, "could both be the two texts"),
        ("premise,hypothesis,label", Columns("premise"), r"names 1 column \(premise\), a pair has two"),
        ("premise,hypothesis,label", Columns("premise,hypothesis,label"), "names 3 columns"),
        ("premise,hypothesis,label", Columns("premise,hypotesis"), "Did you mean hypothesis"),
        ("premise,hypothesis,label", Columns("premise,premise"), "cannot be both texts"),
        ("premise,hypothesis,label", Columns("premise,label", "label"), "both a text and the label"),
        ("premise,hypothesis,label", Columns(None, "lable"), "Did you mean label"),
        ("sentence_a,sentence_b,relatedness,score", NONE, "relatedness and score could each be it"),
        ("premise,hypothesis,p,q", NONE, "none is plainly it"),
        ("premise,hypothesis", NONE, "no column left for the label"),
    ],
)
def test_what_is_in_doubt_is_asked(tmp_path, header, asked, said):
    file = write(tmp_path / "a.csv", header, ",".join("abcdefgh"[: header.count(",") + 1]))
    with pytest.raises(DataError, match=said):
        read_pairs(file, asked)


def test_what_is_no_number_is_named_with_its_line(tmp_path):
    file = write(tmp_path / "a.csv", "score,a,b", "1,x,y", "much,x,y")
    with pytest.raises(DataError, match="line 3: score is 'much', expected a number"):
        read_pairs(file, NONE, numbers=True)
    faults = BadRows(skip=True)
    assert len(read_pairs(file, NONE, numbers=True, faults=faults)[0]) == 1
    assert faults.n == 1 and "line 3" in faults.first[0]


def test_an_empty_file_is_told(tmp_path):
    with pytest.raises(DataError, match="no pairs"):
        read_pairs(write(tmp_path / "a.csv", "a,b,label"), NONE)


def test_texts_without_answers_are_streamed(tmp_path):
    file = write(tmp_path / "a.csv", "id,b,a", "7,two,one", "8,four,three")
    stream = read_sources(file, Config(), asked=NONE)
    row, texts = next(stream)
    assert (row.values["id"], texts) == ("7", TwoTexts("one", "two"))
    assert next(stream)[1] == TwoTexts("three", "four")


@given(st.sampled_from(TWO_NAMES), st.permutations(range(4)), st.booleans())
def test_known_names_are_found_in_any_order_and_case(names, order, upper):
    known = [name.upper() if upper else name for name in names]
    columns = [["id", "label", *known][i] for i in order]
    assert list(two_columns("x.csv", columns, None)) == known
