"""Files of tokens with a tag each, whatever their format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns
from heedful.data.example import Example, Row
from heedful.data.file_form import FileForm
from heedful.data.read import read_rows, read_texts
from heedful.errors import DataError
from heedful.tasks.tag.files.conll import TOKEN_NAMES, UNTAGGED, Tagged, column_names, from_columns
from heedful.tasks.tag.files.lists import from_lists
from heedful.tasks.tag.spans import as_bio, is_bio

LISTS = (".jsonl", ".ndjson", ".parquet")  # rows with two lists; other files have a token on each line
TEXTS = (".txt", ".csv")  # of these a text is tagged, after it was split into words


def read_task_file(
    path: str | Path, _: Config, *, asked: Columns, hints: Columns | None = None, faults: BadRows = STRICT
) -> tuple[list[Example], Columns]:
    """Read a file of tagged tokens: the input of an example are its tokens, the answer is a tag for each."""
    asked = _there(path, asked, hints, faults.form)
    sentences = list(read_tagged(path, tokens=asked.text, tags=asked.label, faults=faults))
    rows = [_known(sentence.tags) for sentence in sentences]
    if is_bio({tag for row in rows for tag in row if tag}):
        rows = [as_bio(row) for row in rows]
        _note_odd(path, sentences, rows, faults)
    examples = [Example(sentence.tokens, row, sentence.line) for sentence, row in zip(sentences, rows, strict=True)]
    return examples, Columns()


def _there(path: str | Path, asked: Columns, hints: Columns | None, form: FileForm) -> Columns:
    """Return the columns as asked; those that a model was trained on only where this file has them."""
    if hints is None or not any(hints):
        return asked
    names = column_names(path, form) if _ending(path) not in LISTS else list(next(read_rows(path), Row({}, 0)).values)
    return Columns(*(a or (h if h in names else None) for a, h in zip(asked, hints, strict=True)))


def _note_odd(path: str | Path, sentences: Sequence[Tagged], rows: Sequence[Sequence[str]], faults: BadRows) -> None:
    """Note where a span began with I-: it was read as conlleval does, as if it began with B-."""
    odd = [sentence for sentence, row in zip(sentences, rows, strict=True) if _known(sentence.tags) != row]
    if odd:
        many = f"{len(odd):,} sentences have spans that begin" if len(odd) > 1 else "a sentence has a span that begins"
        faults.note(f"{path}: {many} with I- and not with B-, the first at line {odd[0].line}; read as if with B-")


def read_sources(
    path: str | Path, _: Config, *, asked: Columns, faults: BadRows = STRICT
) -> Iterator[tuple[Row, Sequence[str] | str]]:
    """Yield what is to be tagged, with its row: sentences of a file of tokens, or texts of another file."""
    if _ending(path) in TEXTS or str(path) == "-" or not _has_tokens(path, asked.text):
        yield from read_texts(path, text=asked.text, faults=faults)
        return
    for sentence in read_tagged(path, tokens=asked.text, need_tags=False, faults=faults):
        tags = {"tags": list(sentence.tags)} if sentence.tags else {}
        yield Row({"tokens": list(sentence.tokens), **tags}, sentence.line), sentence.tokens


def read_tagged(
    path: str | Path,
    *,
    tokens: str | None = None,
    tags: str | None = None,
    need_tags: bool = True,
    faults: BadRows = STRICT,
) -> Iterator[Tagged]:
    """Yield the sentences of a file; `tokens` and `tags` name its columns where it has names.

    A file without names has tokens in its first column and tags in its last. Where tags are not needed, a file of
    tokens alone will do.
    """
    if _ending(path) in LISTS:
        sentences = from_lists(path, read_rows(path, faults=faults), tokens, tags, need_tags, faults)
    else:
        sentences = from_columns(path, tokens, tags, need_tags, faults)
    first = next(sentences, None)
    if first is None and not faults.n:
        raise DataError(path, "no sentences: expected a token and its tag on each line, and a blank line after each")
    if first is not None:
        yield first
    yield from sentences


def _has_tokens(path: str | Path, asked: str | None) -> bool:
    """Return whether a file is one of tokens: of lists, by what the first row has."""
    if _ending(path) not in LISTS:
        return True
    first = next(read_rows(path), Row({}, 0)).values
    return any(isinstance(value, list) for name, value in first.items() if name == asked or name.lower() in TOKEN_NAMES)


def _known(tags: Sequence[str]) -> tuple[str, ...]:
    return tuple("" if tag == UNTAGGED else tag for tag in tags)


def _ending(path: str | Path) -> str:
    return Path(Path(path).name.removesuffix(".gz")).suffix.lower()
