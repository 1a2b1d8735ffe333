import gzip
import io
import sys

import pytest

from heedful.data.files import lines
from heedful.data.files.lines import read_lines
from heedful.errors import DataError


def test_lines_are_numbered_from_one_and_keep_their_ends(tmp_path):
    (tmp_path / "a.txt").write_bytes("one\ntwo\r\nthrée".encode())
    assert list(read_lines(tmp_path / "a.txt")) == [(1, "one\n"), (2, "two\r\n"), (3, "thrée")]


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "a\u2028b\x0bc\x85d\re"
    assert len(text.splitlines()) == 5
    (tmp_path / "a.txt").write_text(text, encoding="utf-8", newline="")
    assert list(read_lines(tmp_path / "a.txt")) == [(1, text)]


def test_a_byte_order_mark_is_dropped_at_the_start_only(tmp_path):
    (tmp_path / "a.txt").write_bytes("\ufeffone\n\ufefftwo\n".encode())
    assert list(read_lines(tmp_path / "a.txt")) == [(1, "one\n"), (2, "\ufefftwo\n")]


def test_gz_reads_as_the_plain_file(tmp_path):
    raw = "\ufeffone\ntwo\r\n".encode()
    (tmp_path / "a.txt").write_bytes(raw)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(raw))
    assert list(read_lines(tmp_path / "a.txt.gz")) == list(read_lines(tmp_path / "a.txt"))


def test_an_empty_file_has_no_lines(tmp_path):
    (tmp_path / "a.txt").touch()
    assert list(read_lines(tmp_path / "a.txt")) == []


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_that_is_not_utf8_is_named_with_its_line_and_place(tmp_path, mark):
    (tmp_path / "a.txt").write_bytes(mark + b"caf\xe9\n")
    with pytest.raises(DataError, match=r"a\.txt, line 1: byte 4 \(0xe9\) is not UTF-8.*iconv"):
        list(read_lines(tmp_path / "a.txt"))


def test_lines_before_a_bad_byte_are_read(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"good\nbad \xff\n")
    reader = read_lines(tmp_path / "a.txt")
    assert next(reader) == (1, "good\n")
    with pytest.raises(DataError) as caught:
        next(reader)
    assert caught.value.line == 2


def test_a_truncated_gz_is_damaged(tmp_path):
    whole = gzip.compress(b"".join(b"line %d\n" % i for i in range(10_000)))
    (tmp_path / "a.txt.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"a\.txt\.gz, line \d+: the file is damaged"):
        list(read_lines(tmp_path / "a.txt.gz"))


def test_a_gz_with_flipped_bytes_is_damaged(tmp_path):
    whole = bytearray(gzip.compress(b"one\ntwo\n" * 1000))
    whole[-6] ^= 0xFF  # in the checksum
    (tmp_path / "a.txt.gz").write_bytes(whole)
    with pytest.raises(DataError, match="damaged"):
        list(read_lines(tmp_path / "a.txt.gz"))


def test_a_plain_file_called_gz_is_damaged(tmp_path):
    (tmp_path / "a.txt.gz").write_text("not zipped\n")
    with pytest.raises(DataError, match="line 1: the file is damaged"):
        list(read_lines(tmp_path / "a.txt.gz"))


def test_a_missing_file_and_a_folder_say_so(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        list(read_lines(tmp_path / "none.txt"))
    with pytest.raises(DataError, match="this is a folder, expected a file"):
        list(read_lines(tmp_path))


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE", 2**20)
    (tmp_path / "a.txt").write_bytes(b"short\n" + b"x" * (2**20 + 1))
    with pytest.raises(DataError, match="line 2: the line is longer than 1 MiB"):
        list(read_lines(tmp_path / "a.txt"))


def test_a_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("hé\n".encode())))
    assert list(read_lines("-")) == [(1, "hé\n")]


@pytest.mark.parametrize(
    ("encoding", "said"), [("utf-32", "UTF-32"), ("utf-16", "UTF-16"), ("utf-16-be", "UTF-16"), ("utf-32-be", "UTF-32")]
)
def test_wide_encodings_are_called_by_their_names(tmp_path, encoding, said):
    mark = "\ufeff" if encoding.endswith("be") else ""
    (tmp_path / "a b.txt").write_bytes(f"{mark}café\n".encode(encoding))
    expected = rf"the file is {said}\. Convert it: iconv -f {said.lower()} -t utf-8 '.*a b.txt'"
    with pytest.raises(DataError, match=expected):
        list(read_lines(tmp_path / "a b.txt"))


def test_a_file_of_windows_is_told_how_to_be_converted(tmp_path):
    (tmp_path / "a.txt").write_bytes("it’s".encode("cp1252"))
    with pytest.raises(DataError, match="comes from Windows or Excel, convert it: iconv -f cp1252"):
        list(read_lines(tmp_path / "a.txt"))
