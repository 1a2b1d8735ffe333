"""The columns of all files together, and which of them is the text."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from heedful.config import Config
from heedful.data.columns import input_column, text_column
from heedful.data.renamed_columns import TOKENS
from heedful.engines.reading.json_cells import MORE, MORE_OF_INPUT, is_json, json_field
from heedful.engines.reading.paths import InputFile, ending
from heedful.errors import DataError, HeedfulError
from heedful.inputs import INPUTS
from heedful.tasks import answer_kind, task_of
from heedful.tasks.pair.read import two_columns

FILE, ROW = "heedful_file", "heedful_row"  # where a row comes from: its file, and its line or row in it
JSON_KINDS = (".jsonl", ".ndjson")


def check_input(config: Config, name: str) -> None:
    """Raise if the input of a model does not fit into a column."""
    if INPUTS[config.input].smallest is None:
        in_rows = " or ".join(kind.name for kind in INPUTS.values() if kind.smallest is not None)
        raise HeedfulError(f"{name} reads {config.input}; engines run models that read {in_rows}")


def sources_of(file: InputFile, schema: pa.Schema, config: Config, text: str | None) -> tuple[str, ...]:
    """Return the column that a model reads; of a model of pairs, the two."""
    names, hint = [name for name in schema.names if name != MORE], config.data.text
    if task_of(config).n_texts == 2:
        found = tuple(two_columns(file.name, names, text, hint=hint, label=config.data.label))
    else:
        known = hint if hint in names else input_column(names, config.input)
        found = (text_column(file.name, names, text or known),)
    for name in found:
        _check_type(file, schema.field(name), lists=answer_kind(config) == "tags")
    return found


def _check_type(file: InputFile, field: pa.Field, *, lists: bool) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if lists and (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        kind = kind.value_type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    if not is_text:
        raise DataError(file.name, f"column {field.name!r} is {field.type}, expected texts")


def joined(files: Sequence[InputFile], schemas: Sequence[pa.Schema], sources: Sequence[tuple[str, ...]]) -> pa.Schema:
    """Return columns that hold the rows of all files; a column of two types is kept as JSON where it came from JSON."""
    fields: dict[str, tuple[pa.Field, InputFile]] = {}
    for file, schema, own in zip(files, schemas, sources, strict=True):
        for field in schema:
            if field.name == MORE and ending(file.name)[0] in JSON_KINDS:  # it goes into ours
                continue
            plain = pa.field(field.name, pa.string()) if field.name in own and is_json(field) else field
            here = plain.with_nullable(True).with_name(MORE_OF_INPUT if field.name == MORE else field.name)
            before, other = fields.get(here.name, (here, file))
            fields[here.name] = (_both(before, here, other, file), other)
    more = any(ending(file.name)[0] in JSON_KINDS for file in files)
    return pa.schema([*(field for field, _ in fields.values()), *([pa.field(MORE, pa.string())] if more else [])])


def _both(first: pa.Field, second: pa.Field, *files: InputFile) -> pa.Field:
    if first.type == second.type and is_json(first) == is_json(second):
        return first
    from_json = all(ending(file.name)[0] in JSON_KINDS for file in files)
    try:
        if not is_json(first) and not is_json(second):
            schemas = [pa.schema([field]) for field in (first, second)]
            return pa.unify_schemas(schemas, promote_options="permissive").field(0)
    except pa.ArrowException:
        pass
    if from_json:
        return json_field(first.name)
    a, b = (f"{field.type} in {file.name}" for field, file in zip((first, second), files, strict=True))
    raise HeedfulError(f"column {first.name!r} is {a} and {b}: they do not go into one table. Run the files apart")


def is_tokens(field: pa.Field) -> bool:
    """Return whether a column holds what a tagger reads and says again in its answer."""
    return bool(field.name == TOKENS and (pa.types.is_list(field.type) or pa.types.is_large_list(field.type)))
