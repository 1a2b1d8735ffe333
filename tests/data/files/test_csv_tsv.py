import csv
import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.data.bad_rows import BadRows
from heedful.data.file_form import FileForm
from heedful.data.files.csv_tsv import read_csv, read_tsv, read_txt
from heedful.data.read import read_examples, read_texts
from heedful.errors import DataError

CELL = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(['"', "a\nb", 'x","y', "\r\n"])


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder / name


def cells(rows):
    return [list(row.values.values()) for row in rows]


@given(table=st.lists(st.tuples(CELL, CELL), max_size=6), end=st.sampled_from(["\n", "\r\n"]), is_all=st.booleans())
def test_what_pythons_csv_writes_is_read_back(tmp_path_factory, table, end, is_all):
    file = io.StringIO(newline="")
    quote_all = (
        is_all or end == "\n"
    )  # with "\n" alone, Python leaves a cell with "\r" unquoted, which RFC 4180 forbids
    writer = csv.writer(file, lineterminator=end, quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL)
    writer.writerows([("text", "label"), *table])
    path = write(tmp_path_factory.mktemp("csv"), "a.csv", file.getvalue())
    assert cells(read_csv(path)) == [list(row) for row in table]


CLEAN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1, max_size=12)


@given(table=st.lists(st.tuples(CLEAN, CLEAN), max_size=6), end=st.sampled_from(["\n", "\r\n"]))
def test_tsv_reads_every_cell_as_it_stands(tmp_path_factory, table, end):
    text = end.join(["text\tlabel", *("\t".join(row) for row in table)])
    path = write(tmp_path_factory.mktemp("tsv"), "a.tsv", text)
    assert cells(read_tsv(path)) == [list(row) for row in table]


def test_a_record_is_numbered_by_the_line_it_starts_on(tmp_path):
    path = write(tmp_path, "a.csv", 'text,label\n"one\ntwo\n",x\n\nthree,y\n')
    rows = list(read_csv(path))
    assert [row.line for row in rows] == [2, 6]
    assert rows[0].values == {"text": "one\ntwo\n", "label": "x"}


def test_quotes_mean_nothing_in_tsv(tmp_path):
    path = write(tmp_path, "a.tsv", 'text\tlabel\n"open\tx\nsay ""hi""\ty\n')
    assert cells(read_tsv(path)) == [['"open', "x"], ['say ""hi""', "y"]]


@pytest.mark.parametrize(("name", "read", "comma"), [("a.csv", read_csv, ","), ("a.tsv", read_tsv, "\t")])
class TestBoth:
    def test_bom_and_crlf_leave_no_trace(self, tmp_path, name, read, comma):
        path = write(tmp_path, name, f"\ufefftext{comma}label\r\ngood{comma}x\r\n")
        assert [dict(row.values) for row in read(path)] == [{"text": "good", "label": "x"}]

    def test_gz_reads_as_the_plain_file(self, tmp_path, name, read, comma):
        path = write(tmp_path, name, f"text{comma}label\ngood{comma}x\n")
        zipped = tmp_path / f"{name}.gz"
        zipped.write_bytes(gzip.compress(path.read_bytes()))
        assert list(read(zipped)) == list(read(path)) != []

    def test_an_empty_file_is_an_error(self, tmp_path, name, read, comma):
        with pytest.raises(DataError, match="the file is empty, expected a first line with column names"):
            list(read(write(tmp_path, name, "")))

    def test_an_empty_first_line_is_an_error(self, tmp_path, name, read, comma):
        with pytest.raises(DataError, match="line 1: the first line is empty, expected column names"):
            list(read(write(tmp_path, name, f"\ntext{comma}label\n")))

    def test_a_header_alone_has_no_rows(self, tmp_path, name, read, comma):
        assert list(read(write(tmp_path, name, f"text{comma}label\n"))) == []

    def test_columns_that_share_a_name_are_numbered_and_none_is_lost(self, tmp_path, name, read, comma):
        header, row = comma.join(["text", "label", " text", "", ""]), comma.join("abcde")
        found = next(iter(read(write(tmp_path, name, f"{header}\n{row}\n"))))
        assert found.values == {"text_1": "a", "label": "b", "text_2": "c", "column_4": "d", "column_5": "e"}

    def test_a_column_that_is_used_needs_a_name_of_its_own(self, tmp_path, name, read, comma):
        path = write(tmp_path, name, comma.join(["text", "label", "text"]) + "\n" + comma.join("abc") + "\n")
        with pytest.raises(DataError, match=r"'text' appears more than once\. Set text to text_1 or"):
            list(read_texts(path, text="text"))
        assert [text for _, text in read_texts(path, text="text_2")] == ["c"]

    @pytest.mark.parametrize(("row", "found"), [("lonely", "1 column,"), ("a{0}b{0}c", "3 columns,")])
    def test_a_wrong_number_of_columns_names_the_line_and_both_numbers(self, tmp_path, name, read, comma, row, found):
        path = write(tmp_path, name, f"text{comma}label\nfine{comma}x\n\n{row.format(comma)}\n")
        with pytest.raises(DataError) as caught:
            list(read(path))
        assert caught.value.line == 4
        assert f"found {found} expected 2 (text, label). Is the separator a " in str(caught.value)


def test_a_quote_that_is_never_closed_names_the_line_it_opens_on(tmp_path):
    path = write(tmp_path, "a.csv", 'text,label\nfine,x\n"open,y\nmore,z\n')
    with pytest.raises(DataError, match=r"line 3: .*Is a quote opened here and never closed"):
        list(read_csv(path))


def test_an_endless_cell_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("heedful.data.files.csv_tsv.MAX_FIELD", 100)
    before = csv.field_size_limit()
    try:
        with pytest.raises(DataError, match="line 2: field larger than field limit"):
            list(read_csv(write(tmp_path, "a.csv", 'text,label\n"' + "y\n" * 100)))
    finally:
        csv.field_size_limit(before)


def test_a_bad_byte_inside_quotes_keeps_its_own_line(tmp_path):
    (tmp_path / "a.csv").write_bytes(b'text,label\n"one\n\xff two",x\n')
    with pytest.raises(DataError, match="line 3: byte 1"):
        list(read_csv(tmp_path / "a.csv", BadRows(form=FileForm(encoding="utf-8"))))


def test_txt_gives_every_line_empty_ones_too(tmp_path):
    rows = list(read_txt(write(tmp_path, "a.txt", 'one\r\n\n"two",\tx')))
    assert [(row.values["text"], row.line) for row in rows] == [("one", 1), ("", 2), ('"two",\tx', 3)]


def test_line_ends_of_an_old_mac_are_an_error_with_advice(tmp_path):
    path = write(tmp_path, "a.csv", "text,label\rgood,yes\r")
    with pytest.raises(DataError, match="Classic Mac line endings"):
        list(read_csv(path))


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_another_separator_is_detected(tmp_path, separator):
    path = write(tmp_path, "a.csv", f'text{separator}label\n"good, very{separator}\nreally"{separator}yes\n')
    assert cells(read_csv(path)) == [[f"good, very{separator}\nreally", "yes"]]


def test_a_separator_that_is_given_is_not_detected(tmp_path):
    path = write(tmp_path, "a.csv", "a,b;c,d\n1,2;3,4\n")
    assert cells(read_csv(path)) == [["1", "2;3", "4"]]
    assert cells(read_csv(path, BadRows(form=FileForm(sep=";")))) == [["1,2", "3,4"]]


def test_a_blank_line_in_a_file_of_one_column_is_an_empty_text(tmp_path):
    assert cells(read_csv(write(tmp_path, "a.csv", 'text\na\n\n""\nb\n'))) == [["a"], [""], [""], ["b"]]


def test_a_header_with_empty_names_is_read(tmp_path):
    path = write(tmp_path, "s.csv", "v1,v2,,,\nham,hi there,,,\nspam,win now,,,\n")
    found = read_examples(path, text="v2", label="v1")
    assert [(e.text, e.label) for e in found] == [("hi there", "ham"), ("win now", "spam")]


def test_an_index_column_without_a_name_stays_as_it_is(tmp_path):
    path = write(tmp_path, "s.csv", ",text\n0,a\n")
    assert next(iter(read_csv(path))).values == {"": "0", "text": "a"}


def test_an_error_about_a_wide_table_is_short(tmp_path):
    names = [f"column {i}" for i in range(100_000)]
    path = write(tmp_path, "wide.csv", ",".join(names) + "\n" + "x," * 99_999 + "x\n")
    with pytest.raises(DataError, match="and 99,990 more") as caught:
        list(read_texts(path))
    assert len(str(caught.value)) < 500 + len(str(path))
    with pytest.raises(DataError, match="and 99,990 more"):
        list(read_texts(path, text="no such"))


def test_a_file_without_a_header_is_asked_about_it(tmp_path):
    article = "It was a long and winding article about everything and nothing, " * 20
    path = write(tmp_path, "articles.csv", f'"{article}",sport\n"{article}",news\n')
    for asked in ({}, {"text": "text"}):
        with pytest.raises(DataError, match=r"[Ii]s the first line a row of data.*--no-header") as caught:
            list(read_texts(path, **asked))
        assert len(str(caught.value)) < 500 + len(str(path))
