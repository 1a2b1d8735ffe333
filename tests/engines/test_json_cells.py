import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.engines.reading.json_cells import MORE, infer, is_json, plain_rows, table_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=2), inner, max_size=2),
    max_leaves=5,
)
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3), max_size=6)


def with_more(schema: pa.Schema) -> pa.Schema:
    return schema.append(pa.field(MORE, pa.string()))


def full(rows: list[dict], names: list[str]) -> list[dict]:
    """Rows in which a cell that is not there is empty."""
    return [{name: row.get(name) for name in {**dict.fromkeys(names), **row}} for row in rows]


def told_apart(value):
    """A value in which True is not 1, as it is to Python; 1 and 1.0 are the same number."""
    if isinstance(value, dict):
        return {name: told_apart(one) for name, one in value.items()}
    if isinstance(value, list):
        return [told_apart(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no such number
    return ("truth", value) if isinstance(value, bool) else value


@given(ROWS, ROWS)
def test_no_cell_is_lost_or_changed_whatever_came_in_the_first_rows(first, rest):
    schema = with_more(infer(first))
    for rows in (first, rest):
        assert told_apart(plain_rows(table_of(rows, schema))) == told_apart(full(rows, schema.names[:-1]))


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["a", None], pa.string()),
        ([1, 2], pa.int64()),
        ([1, 2.5], pa.float64()),
        ([True, None], pa.bool_()),
        ([["a"], []], pa.list_(pa.string())),
        ([None], pa.string()),
    ],
)
def test_plain_cells_have_plain_types(cells, kind):
    field = infer([{"x": cell} for cell in cells]).field("x")
    assert field.type == kind and not is_json(field)


@pytest.mark.parametrize("cells", [[1, "a"], [{"deep": 1}], [True, 1], [2**64]])
def test_other_cells_are_kept_as_json(cells):
    assert is_json(infer([{"x": cell} for cell in cells]).field("x"))


def test_a_key_with_the_name_of_our_column_is_kept():
    rows = [{"a": 1, MORE: "theirs"}]
    assert plain_rows(table_of(rows, with_more(infer([{"a": 1}])))) == rows
