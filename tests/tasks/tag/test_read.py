"""Files of tagged tokens, right ones and wrong ones."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.columns import Columns
from heedful.errors import DataError
from heedful.tasks.tag.read import Tagged, read_sources, read_tagged, read_task_file

TWO = [("Kim", "B-per"), ("sings", "O")], [("#", "O"), ("ah", "O"), (".", "O")]


def written(tmp_path, text, name="some.conll"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def found(path, **options):
    return [(list(zip(s.tokens, s.tags, strict=True)), s.line) for s in read_tagged(path, **options)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Kim\tB-per\nsings\tO\n\n#\tO\nah\tO\n.\tO\n", (1, 4)),
        ("Kim B-per\nsings O\n\n\n# O\nah O\n. O\n\n", (1, 5)),
        ("token\ttag\n\nKim\tB-per\nsings\tO\n\n#\tO\nah\tO\n.\tO", (3, 6)),
        ("token\ttag\r\nKim\tB-per\r\nsings\tO\r\n\r\n#\tO\r\nah\tO\r\n.\tO\r\n", (2, 5)),
        ("# from a newspaper\nKim\tNNP\tB-per\nsings\tVBZ\tO\n\n# a sigh\n#\t#\tO\nah\tUH\tO\n.\t.\tO\n", (2, 6)),
        ("-DOCSTART- -X- O\n\nKim NNP B-per\nsings VBZ O\n\n# # O\nah UH O\n. . O\n", (3, 6)),
        ("\ufeffword pos ner\nKim NNP B-per\nsings VBZ O\n  \n# # O\nah UH O\n. . O\n", (2, 5)),
    ],
)
def test_columns_are_read(tmp_path, text, lines):
    assert found(written(tmp_path, text)) == list(zip(TWO, lines, strict=True))


def test_names_choose_the_columns(tmp_path):
    path = written(tmp_path, "form\tpos\tner\nKim\tNNP\tB-per\n")
    assert found(path, tags="pos")[0][0] == [("Kim", "NNP")]
    assert found(path)[0][0] == [("Kim", "B-per")]
    assert found(written(tmp_path, "a\tb\nx\ty\n"), tags="a", tokens="b")[0][0] == [("y", "x")]


def test_gzip_is_read(tmp_path):
    path = tmp_path / "some.tsv.gz"
    path.write_bytes(gzip.compress(b"Kim\tB-per\n"))
    assert found(path)[0][0] == [("Kim", "B-per")]


def test_lists_are_read(tmp_path):
    rows = [{"tokens": list(t), "ner_tags": list(g)} for t, g in (zip(*one, strict=True) for one in TWO)]
    lines = written(tmp_path, "".join(json.dumps(row) + "\n" for row in rows), "some.jsonl")
    assert [pairs for pairs, _ in found(lines)] == list(TWO)
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "some.parquet")
    assert [pairs for pairs, _ in found(tmp_path / "some.parquet")] == list(TWO)


def test_tags_need_not_be_there_where_nobody_asks(tmp_path):
    assert next(read_tagged(written(tmp_path, "Kim\nsings\n"), need_tags=False)) == Tagged(("Kim", "sings"), (), 1)
    path = written(tmp_path, '{"tokens": ["Kim"]}\n', "some.jsonl")
    assert next(read_tagged(path, need_tags=False)).tags == ()


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        ("Kim\tB-per\nsings\n", {}, "line 2: found 1 column, expected 2 (token, tag). Is there a tab"),
        ("Kim\tB-per\n\na\tb\tc\n", {}, "line 3: found 3 columns, expected 2"),
        ("Kim B-per\nsings\n", {}, "line 2: found 1 column, expected 2 (token, tag). Is there a space"),
        ("Kim\nsings\n", {}, "line 1: found 1 column, expected 2 or more (token, tag)"),
        ("Kim\tO\n\tO\n", {}, "line 2: the token is empty"),
        ("Kim\tO\nsings\t\n", {}, "line 2: the token 'sings' has an empty tag"),
        ("", {}, "no sentences"),
        ("\n\n", {}, "no sentences"),
        ("token\ttag\n\n", {}, "no sentences"),
        ("Kim\tO\n", {"tags": "ner"}, "there is no column 'ner'"),
        (
            "token\tpos\tner\nKim\tN\tO\n",
            {"tags": "nerr"},
            "no column 'nerr'. The columns are token, pos, ner. Did you",
        ),
    ],
)
def test_wrong_columns_are_refused_with_their_line(tmp_path, text, options, problem):
    with pytest.raises(DataError) as error:
        list(read_tagged(written(tmp_path, text), **options))
    assert problem in str(error.value)
    assert "some.conll" in str(error.value)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"tokens": ["a", "b"], "tags": ["O"]}, "found 2 tokens and 1 tags"),
        ({"tokens": [], "tags": []}, "the sentence is empty"),
        ({"tokens": "a b", "tags": ["O"]}, "tokens is 'a b', expected a list of tokens"),
        ({"tokens": ["a", 1.5], "tags": ["O", "O"]}, "tokens has 1.5 at position 2"),
        ({"tokens": ["a", ""], "tags": ["O", "O"]}, "tokens has '' at position 2"),
        ({"text": "a"}, "no list of tokens; found text"),
        ({"tokens": ["a"]}, "no list of tags; found tokens"),
        ({}, "no list of tokens; found nothing"),
    ],
)
def test_wrong_lists_are_refused_with_their_line(tmp_path, row, problem):
    good = {"tokens": ["a"], "tags": ["O"]}
    path = written(tmp_path, f"{json.dumps(good)}\n{json.dumps(row)}\n", "some.jsonl")
    with pytest.raises(DataError) as error:
        list(read_tagged(path))
    assert f"some.jsonl, line 2: {problem}" in str(error.value)


def test_a_bad_sentence_can_be_left_out(tmp_path):
    faults = BadRows(skip=True)
    path = written(tmp_path, "a\tO\n\nb\n\nc\tO\n")
    assert [s.tokens for s in read_tagged(path, faults=faults)] == [("a",), ("c",)]
    assert faults.n == 1
    assert "line 3" in faults.first[0]


def test_examples_have_tokens_and_tags_and_begin_each_span_with_b(tmp_path):
    path = written(tmp_path, "a\tI-per\nb\tI-per\nc\t_\n\nd\tO\n")
    examples, _ = read_task_file(path, Config(task="tag"), asked=Columns())
    assert [e.text for e in examples] == [("a", "b", "c"), ("d",)]
    assert [e.label for e in examples] == [("B-per", "I-per", ""), ("O",)]
    assert [e.line for e in examples] == [1, 5]


def test_tags_that_mark_no_spans_stay_as_they_are(tmp_path):
    examples, _ = read_task_file(written(tmp_path, "a\tNOUN\nb\tI-x\n"), Config(task="tag"), asked=Columns())
    assert examples[0].label == ("NOUN", "I-x")


words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=6)


@given(st.lists(st.lists(st.tuples(words, st.sampled_from("ABC")), min_size=1, max_size=4), min_size=1, max_size=4))
def test_what_was_written_is_read(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("round") / "some.tsv"
    text = "".join("".join(f"{t}\t{g}\n" for t, g in one) + "\n" for one in sentences)
    path.write_text("token\ttag\n\n" + text, encoding="utf-8")
    assert [pairs for pairs, _ in found(path)] == sentences


def test_spans_that_begin_with_i_are_noted(tmp_path):
    faults = BadRows()
    path = written(tmp_path, "a\tO\n\nb\tI-per\n\nc\tB-per\nd\tI-per\n\ne\tI-loc\n")
    read_task_file(path, Config(task="tag"), asked=Columns(), faults=faults)
    assert faults.report == [
        f"{path}: 2 sentences have spans that begin with I- and not with B-, the first at line 3; read as if with B-"
    ]


def test_columns_that_a_model_was_trained_on_are_found_again_where_they_are(tmp_path):
    hints = Columns(None, "pos")
    three = written(tmp_path, "form\tpos\tner\nKim\tNNP\tB-per\n")
    two = written(tmp_path, "Kim\tVB\n", "two.conll")
    read = [read_task_file(p, Config(task="tag"), asked=Columns(), hints=hints)[0][0].label for p in (three, two)]
    assert read == [("NNP",), ("VB",)]
    rows = written(tmp_path, '{"tokens": ["Kim"], "pos": ["NNP"], "ner": ["O"]}\n', "some.jsonl")
    assert read_task_file(rows, Config(task="tag"), asked=Columns(), hints=hints)[0][0].label == ("NNP",)


def test_what_is_to_be_tagged_may_be_tokens_or_texts(tmp_path):
    files = {
        "a.conll": "Kim\nsings\n",
        "b.tsv": "Kim\tO\nsings\tO\n",
        "c.txt": "Kim sings\n",
        "d.csv": "text\nKim sings\n",
        "e.jsonl": '{"tokens": ["Kim", "sings"]}\n',
        "f.jsonl": '{"text": "Kim sings"}\n',
    }
    for name, text in files.items():
        path = written(tmp_path, text, name)
        ((row, source),) = read_sources(path, Config(task="tag"), asked=Columns())
        assert source == ("Kim sings" if name[0] in "cdf" else ("Kim", "sings")), name
        assert row.line >= 1
