import pyarrow as pa
import pytest

from heedful.engines.plan import Part, Plan, PlannedFile
from heedful.engines.reading.columns import joined
from heedful.engines.reading.json_cells import MORE, is_json, json_field
from heedful.engines.reading.paths import InputFile
from heedful.engines.reading.split_points import WHOLE, Cut
from heedful.errors import HeedfulError

SETTINGS = {"command": "embed", "model": "tiny abc", "width": None}
FILE = PlannedFile("in/a.csv", "/x/in/a.csv", 10, 5, ("text",), ("id", "text"))
OTHER = PlannedFile("in/b.parquet", "/x/in/b.parquet", 20, None, fault="broken")
PLAN = Plan(SETTINGS, (FILE, OTHER), ((0, Cut(0, 9, 1, 3)), (0, WHOLE)), pa.schema([json_field("id")]))
AS_IT_WAS = [InputFile(file.name, file.place, file.size, file.changed) for file in PLAN.files]


def test_a_plan_is_read_as_it_was_written():
    again = Plan.from_json(PLAN.to_json(), "out/_plan.json")
    assert again == PLAN and is_json(again.schema.field("id"))
    assert [part.name for part in again.parts] == ["part-000000", "part-000001"]
    assert [Part.from_json(part.to_json()) for part in again.parts] == PLAN.parts


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"heedful_plan": 1}', '{"heedful_plan": 99}'])
def test_what_is_no_plan_is_one_message(text):
    with pytest.raises(HeedfulError, match="overwrite"):
        Plan.from_json(text, "out/_plan.json")


def test_the_same_again_goes_on():
    PLAN.check_same(SETTINGS, AS_IT_WAS, "out")
    PLAN.check_same(SETTINGS, AS_IT_WAS[::-1], "out")


@pytest.mark.parametrize(
    ("settings", "files", "message"),
    [
        ({**SETTINGS, "width": 64}, AS_IT_WAS, "width was not given, is 64"),
        ({**SETTINGS, "model": "tiny xyz"}, AS_IT_WAS, "model was tiny abc, is tiny xyz"),
        (SETTINGS, AS_IT_WAS[:1], "in/b.parquet is gone"),
        (SETTINGS, [*AS_IT_WAS, InputFile("c.txt", "/x/c.txt", 1, 1)], "c.txt is new"),
        (SETTINGS, [InputFile("in/a.csv", "/x/in/a.csv", 10, 6), AS_IT_WAS[1]], "in/a.csv has changed"),
    ],
)
def test_other_settings_and_changed_files_are_refused(settings, files, message):
    with pytest.raises(HeedfulError, match=message) as caught:
        PLAN.check_same(settings, files, "out")
    assert "set overwrite" in str(caught.value)


def join(*files):
    """Join the columns of files, given as (name, type of column x)."""
    inputs = [InputFile(name, name, 1, 1) for name, _ in files]
    return joined(inputs, [pa.schema([pa.field("x", kind)]) for _, kind in files], [("text",)] * len(files))


def test_columns_of_two_types_are_widened_or_kept_as_json():
    assert join(("a.parquet", pa.int32()), ("b.parquet", pa.int64())).field("x").type == pa.int64()
    both = join(("a.jsonl", pa.int64()), ("b.jsonl", pa.string()))
    assert is_json(both.field("x")) and both.names == ["x", MORE]


def test_columns_that_do_not_go_together_name_both_files():
    with pytest.raises(HeedfulError, match=r"'x' is int64 in a.parquet and string in b.csv"):
        join(("a.parquet", pa.int64()), ("b.csv", pa.string()))
