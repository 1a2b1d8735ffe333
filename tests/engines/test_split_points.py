import csv
import io
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.engines.reading import split_points as cuts
from heedful.engines.reading.split_points import cut_csv, cut_groups, cut_lines, even


def stretches(content: bytes, found) -> list[bytes]:
    assert [cut.start for cut in found] == [0, *(cut.stop for cut in found)][: len(found)], "a gap, or an overlap"
    return [content[cut.start : cut.stop] for cut in found]


@given(st.lists(st.text("ab\r", max_size=5)), st.integers(1, 4), st.booleans(), st.integers(1, 9))
def test_lines_are_cut_between_lines_and_none_is_lost(lines, part_rows, closed, block):
    content = "\n".join(lines).encode() + (b"\n" if closed and lines else b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "BLOCK", block)
        found = cut_lines(io.BytesIO(content), part_rows)
    pieces = stretches(content, found)
    assert b"".join(pieces) == content
    assert all(piece.endswith(b"\n") for piece in pieces[:-1])
    counts = [piece.count(b"\n") + (not piece.endswith(b"\n")) for piece in pieces]
    assert [cut.rows for cut in found] == counts
    assert all(count == part_rows for count in counts[:-1])
    assert [cut.row for cut in found] == [1, *itertools.accumulate(counts, initial=1)][1:][: len(found)]


def test_long_lines_make_short_parts(monkeypatch):
    monkeypatch.setattr(cuts, "MOST_BYTES", 10)
    content = b"12345\n" * 6
    assert [len(piece) for piece in stretches(content, cut_lines(io.BytesIO(content), 100))] == [12, 12, 12]


CELLS = st.text('a,"\n', max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=12), st.integers(1, 4))
def test_csv_is_cut_between_records_whatever_the_quotes_hold(records, part_rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(records)
    content = text.getvalue().encode()
    found, fault = cut_csv(io.BytesIO(content), part_rows)
    pieces = stretches(content, found)
    assert fault is None and b"".join(pieces) == content
    read = [record for piece in pieces for record in csv.reader(io.StringIO(piece.decode(), newline=""), strict=True)]
    assert read == records
    assert [cut.row for cut in found] == [1 + content[: cut.start].count(b"\n") for cut in found]


def test_a_stray_quote_in_a_cell_moves_no_cut():
    content = b'text,n\n5" disk,1\n"two\nlines",2\nplain,3\n'
    found, fault = cut_csv(io.BytesIO(content), 1)
    assert (
        stretches(content, found) == [b"text,n\n", b'5" disk,1\n', b'"two\nlines",2\n', b"plain,3\n"] and fault is None
    )


def test_a_quote_that_is_never_closed_costs_the_rest_only():
    content = b'text\nfine\n"never closed\nmore\n'
    found, fault = cut_csv(io.BytesIO(content), 10)
    assert stretches(content, found) == [b"text\nfine\n"]
    assert fault is not None and "from line 3 on" in fault


@given(st.lists(st.integers(0, 50), max_size=12), st.integers(1, 20))
def test_row_groups_are_joined_and_cut_and_no_row_is_lost(sizes, part_rows):
    found = cut_groups(sizes, part_rows)
    assert [i for cut in found for i in range(cut.start, cut.stop)] == list(range(sum(sizes)))
    assert all(0 < cut.rows <= part_rows and cut.row == cut.start + 1 for cut in found)


def test_even_parts():
    assert even(10, 4) == [4, 3, 3] and even(8, 4) == [4, 4]
