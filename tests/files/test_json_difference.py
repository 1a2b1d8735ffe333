"""The first difference between an untrusted JSON value and ours."""

import pytest

from heedful.files.json_difference import first_difference

OURS = {"a": 1, "b": {"c": [1, {"d": None}]}, "e": True}


def test_equal_values_and_fewer_keys_have_none():
    assert first_difference(OURS, OURS) is None
    assert first_difference({"a": 1}, OURS) is None
    assert first_difference({}, OURS) is None


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"a": 2}, "'a'"),
        ({"a": 1.0}, "'a'"),
        ({"e": 1}, "'e'"),
        ({"a": 1, "f": None}, "'f'"),
        ({"": 1}, "''"),  # an empty key is a difference like any other
        ({"b": {"c": [1]}}, "'c'"),
        ({"b": {"": 0}}, "''"),
        ([], "the top"),
    ],
)
def test_the_key_that_differs_is_returned(given, place):
    assert first_difference(given, OURS) == place


@pytest.mark.parametrize("value", [None, False, [], {}])
def test_unset_keys_are_accepted_only_if_allowed(value):
    given = {"b": {"c": [1, {"d": None, "new": value}]}}
    assert first_difference(given, OURS, allow_unset=True) is None
    assert first_difference({"new": value}, OURS) == "'new'"


@pytest.mark.parametrize("value", [True, 1, "x", [0], {"x": 1}])
def test_a_new_key_with_a_value_is_never_accepted(value):
    assert first_difference({"b": {"c": [1, {"new": value}]}}, OURS, allow_unset=True) == "'new'"


def test_lists_of_other_lengths_differ():
    assert first_difference({"b": {"c": [1]}}, OURS, allow_unset=True) == "'c'"
