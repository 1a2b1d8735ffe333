"""CoNLL-like files: a token and its tags on each line, a blank line after each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heedful.data.bad_rows import BadRows
from heedful.data.file_form import FileFacts, FileForm
from heedful.data.files.lines import read_lines
from heedful.errors import DataError, did_you_mean, listed

TOKEN_NAMES = ("token", "tokens", "word", "words", "form")
TAG_NAMES = ("tag", "tags", "label", "labels", "ner", "ner_tags", "pos", "pos_tags", "upos", "chunk")
UNTAGGED = "_"  # unknown tag: the token is read but does not count in the loss
_DOCUMENT = "-DOCSTART-"  # the token that starts each document in CoNLL-2003


@dataclass(frozen=True, slots=True)
class Tagged:
    """The tokens of a sentence with their tags (empty if untagged), and its first line."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class _Columns:
    """The layout of a line."""

    separator: str | None  # None for any whitespace
    n: int
    token: int
    tag: int | None
    names: str  # for messages

    def cells(self, line: str) -> list[str]:
        return line.split(self.separator)

    def is_comment(self, line: str) -> bool:
        """Return whether a line is `# …` rather than the token # with its tags."""
        return line.startswith("# ") and len(self.cells(line)) != self.n


def from_columns(
    path: str | Path, token: str | None, tag: str | None, need_tags: bool, faults: BadRows
) -> Iterator[Tagged]:
    columns: _Columns | None = None
    for lines in _blocks(path, faults):
        if columns is None:
            while lines and lines[0][1].startswith("# ") and "\t" not in lines[0][1]:
                lines = lines[1:]
            if not lines:
                continue
            columns, is_header = _columns_of(path, *lines[0], token, tag, need_tags)
            lines = lines[is_header:]
        lines = [(number, line) for number, line in lines if not columns.is_comment(line)]
        try:
            rows = [_row(path, line, number, columns) for number, line in lines]
        except DataError as error:
            faults.take(error)
            continue
        if rows and [token for token, _ in rows] != [_DOCUMENT]:
            tokens, tags = zip(*rows, strict=True)
            yield Tagged(tokens, () if columns.tag is None else tags, lines[0][0])


def column_names(path: str | Path, form: FileForm) -> list[str]:
    """Return the cells of the first line that is not a comment; they may be column names."""
    for _, raw in read_lines(path, form):
        line = raw.strip()
        if line and not (line.startswith("# ") and "\t" not in line):
            return line.split("\t" if "\t" in line else None)
    return []


def _blocks(path: str | Path, faults: BadRows) -> Iterator[list[tuple[int, str]]]:
    """Yield the numbered lines between blank ones."""
    block: list[tuple[int, str]] = []
    facts = FileFacts()
    for number, raw in read_lines(path, faults.form, facts):
        facts.rows = number
        line = raw.strip("\r\n")
        if line.strip(" \t"):
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block
    faults.summarise(str(path), facts)


def _row(path: str | Path, line: str, number: int, columns: _Columns) -> tuple[str, str]:
    cells = columns.cells(line)
    if len(cells) != columns.n:
        wrong = "column" if len(cells) == 1 else "columns"
        separator = "tab" if columns.separator == "\t" else "space"
        raise DataError(
            path,
            f"found {len(cells)} {wrong}, expected {columns.n} ({columns.names}). Is there a {separator} between them, "
            "and a blank line after each sentence?",
            line=number,
        )
    token, tag = cells[columns.token], "" if columns.tag is None else cells[columns.tag]
    if not token.strip():
        raise DataError(path, "the token is empty", line=number)
    if columns.tag is not None and not tag.strip():
        raise DataError(
            path, f"the token {token!r:.40} has an empty tag; use {UNTAGGED} for an unknown tag", line=number
        )
    return token, tag.strip()


def _columns_of(
    path: str | Path, number: int, line: str, token: str | None, tag: str | None, need_tags: bool
) -> tuple[_Columns, bool]:
    """Return the layout of the lines, inferred from the first, and whether the first is a header."""
    separator = "\t" if "\t" in line else None
    cells = [cell.strip() for cell in line.split(separator)]
    is_header = cells[0].lower() in TOKEN_NAMES and (len(cells) == 1 or cells[-1].lower() in TAG_NAMES)
    is_header = is_header or (token in cells and (tag is None or tag in cells)) or (tag in cells and len(cells) > 1)
    if not is_header and (token or tag):
        asked = token or tag
        raise DataError(
            path, f"there is no column {asked!r}: the first line, {line!r:.60}, has no such name", line=number
        )
    token_index = _index(path, cells, token, TOKEN_NAMES, 0) if is_header else 0
    tag_index = _index(path, cells, tag, TAG_NAMES, len(cells) - 1) if is_header else len(cells) - 1
    if tag_index == token_index and need_tags:
        raise DataError(path, "found 1 column, expected 2 or more (token, tag). Is there a tab between?", line=number)
    names = listed(cells) if is_header else "token, tag" if len(cells) == 2 else "token, …, tag"
    return _Columns(
        separator, len(cells), token_index, None if tag_index == token_index else tag_index, names
    ), is_header


def _index(path: str | Path, cells: Sequence[str], asked: str | None, names: Sequence[str], otherwise: int) -> int:
    if asked is not None:
        if asked not in cells:
            raise DataError(path, f"no column {asked!r}. The columns are {listed(cells)}.{did_you_mean(asked, cells)}")
        return cells.index(asked)
    known = [i for i, cell in enumerate(cells) if cell.lower() in names]
    return known[0] if len(known) == 1 else otherwise
