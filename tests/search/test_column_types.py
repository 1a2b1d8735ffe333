from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from heedful.errors import HeedfulError
from heedful.search.column_types import NUMBER, TEXT, YES_NO, DoesNotFitError, as_kind, check_name, given_back, kind_of


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2.5, None, float("nan")], NUMBER),
        ([Decimal("1.5")], NUMBER),
        (["1", "-2.5", "", "1e3", ".5"], NUMBER),
        (["1", "x"], TEXT),
        (["007"], TEXT),
        (["+49"], TEXT),
        ([str(2**60)], TEXT),
        ([2**60], TEXT),
        (["."], TEXT),
        (["-"], TEXT),
        (["1e999"], TEXT),
        (["nan"], TEXT),
        ([True, None], YES_NO),
        ([True, 1], TEXT),
        ([], TEXT),
        ([None, ""], TEXT),
        ([{"a": 1}], TEXT),
    ],
)
def test_the_kind_fits_every_value(values, kind):
    assert kind_of(values, numbers_in_text=True) == kind
    for value in values:
        as_kind(value, kind)


def test_text_is_not_read_as_numbers_unless_asked():
    assert kind_of(["1", "2"]) == TEXT


@pytest.mark.parametrize(
    ("value", "kind"), [("x", NUMBER), (True, NUMBER), ("yes", YES_NO), (1, YES_NO), ([1], NUMBER)]
)
def test_a_value_of_another_kind_is_refused(value, kind):
    with pytest.raises(DoesNotFitError, match="as in earlier rows"):
        as_kind(value, kind)


@pytest.mark.parametrize(
    ("value", "text"),
    [(4.0, "4"), ({"a": "é"}, '{"a": "é"}'), (True, "true"), (date(2020, 1, 2), "2020-01-02"), ("\ud800", "�")],
)
def test_anything_can_be_kept_as_text(value, text):
    assert as_kind(value, TEXT) == text


def test_whole_numbers_come_back_whole():
    assert repr(given_back(4.0)) == "4" and repr(given_back(4.5)) == "4.5" and given_back(None) is None


@pytest.mark.parametrize("name", ["a.b", "a`b", 'a"b', "", " ", "_vector", "_distance", 3])
def test_names_the_database_cannot_have_are_refused(name):
    with pytest.raises(HeedfulError, match="is not a valid column name"):
        check_name(name)
