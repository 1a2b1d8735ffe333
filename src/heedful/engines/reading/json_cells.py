"""JSON lines as columns: types are inferred from the first rows, cells that do not fit go to an extra column."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from heedful.data.renamed_columns import PREFIX
from heedful.files.json_text import json_text

MORE = "heedful_more"  # the column for cells that fit no other column, as a JSON object
MORE_OF_INPUT = PREFIX + MORE  # the name of such a column in the input
JSON = {b"heedful": b"json"}  # marks a field with cells of several types or objects, kept as JSON
LARGEST, EXACT = 2**63, 2**53


def infer(rows: Sequence[Mapping[str, Any]]) -> pa.Schema:
    """Infer the columns of rows."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.schema([_field(name, [row.get(name) for row in rows]) for name in names])


def _field(name: str, cells: Sequence[Any]) -> pa.Field:
    values = [cell for cell in cells if cell is not None]
    for dtype in (pa.string(), pa.bool_(), pa.int64(), pa.float64()):  # an empty column is a column of texts
        for candidate in (dtype, pa.list_(dtype)):
            if all(fits(cell, candidate) for cell in values):
                return pa.field(name, candidate)
    return json_field(name)


def json_field(name: str) -> pa.Field:
    """Return a column that can hold any JSON value."""
    return pa.field(name, pa.string(), metadata=JSON)


def is_json(field: pa.Field) -> bool:
    """Return whether the cells of a column are JSON."""
    return bool(field.metadata and field.metadata.get(b"heedful") == b"json")


def fits(cell: Any, dtype: pa.DataType) -> bool:
    """Return whether a column of this type can hold the cell without loss."""
    if pa.types.is_string(dtype) or pa.types.is_large_string(dtype):
        return isinstance(cell, str)
    if pa.types.is_boolean(dtype):
        return isinstance(cell, bool)
    if pa.types.is_int64(dtype):
        return isinstance(cell, int) and not isinstance(cell, bool) and -LARGEST <= cell < LARGEST
    if pa.types.is_float64(dtype):
        return isinstance(cell, float) or (isinstance(cell, int) and type(cell) is int and abs(cell) <= EXACT)
    if pa.types.is_list(dtype):
        return isinstance(cell, list) and all(fits(item, dtype.value_type) for item in cell)
    return False


def table_of(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Return rows as a table of this schema; cells that do not fit go to `heedful_more`."""
    left: list[dict[str, Any]] = [{} for _ in rows]
    columns = [_column(rows, field, left) for field in schema if field.name != MORE]
    known = set(schema.names) - {MORE}
    for row, rest in zip(rows, left, strict=True):
        rest.update({name: cell for name, cell in row.items() if name not in known})
    if MORE in schema.names:
        columns.append(pa.array([dumped(rest) if rest else None for rest in left], pa.string()))
    return pa.table(columns, schema=schema)


def _column(rows: Sequence[Mapping[str, Any]], field: pa.Field, left: Sequence[dict[str, Any]]) -> pa.Array:
    cells = [row.get(field.name) for row in rows]
    if is_json(field):
        return pa.array([None if cell is None else dumped(cell) for cell in cells], field.type)
    for i, cell in enumerate(cells):
        if cell is not None and not fits(cell, field.type):
            left[i][field.name], cells[i] = cell, None
    return pa.array(cells, field.type)


def dumped(value: Any) -> str:
    """Return JSON in one line."""
    return json_text(value, default=str)


def plain_rows(table: pa.Table) -> list[dict[str, Any]]:
    """Return the rows of a table as in the original JSON lines."""
    coded = [field.name for field in table.schema if is_json(field)]
    rows: list[dict[str, Any]] = table.to_pylist()
    for row in rows:
        row.update({name: json.loads(row[name]) for name in coded if row[name] is not None})
        if more := row.pop(MORE, None):
            row.update(json.loads(more))
    return rows
