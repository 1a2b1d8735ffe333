"""Filters of every form: written, read and written again they are the same, and LanceDB finds what Python finds."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.errors import HeedfulError
from heedful.search.column_types import NUMBER, TEXT, YES_NO
from heedful.search.filter_parser import parse_filter
from heedful.search.filter_tree import (
    And,
    Between,
    Column,
    Compare,
    Holds,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Value,
    written,
)
from heedful.search.filters import checked_filter
from heedful.search.index import Index
from heedful.search.table import Table

KINDS = {"id": TEXT, "stars": NUMBER, "price": NUMBER, "lang": TEXT, "Odd name": TEXT, "seen": YES_NO, "new": YES_NO}
NUMBERS = [-1e300, -2.5, -1.0, 0.0, 0.1, 1.0, 2.0, 4.0, 4.5, 1e15, 123456789012345678.0, 1e300]
TEXTS = ["", "en", "de", "EN", "it's", "a%b", "a_b", "a\\b", "' OR 1=1 --", "ü", "猫", "a\nb", "`x`", '"x"', "🦔"]
PATTERNS = ["%", "_", "e_", "%n", "a%b", "a\\%b", "a_b", "a\\_b", "a\\\\b", "%'%", "", "en", "a%", "%猫%", "_\n_"]
ROWS = [
    {
        "id": f"r{i}",
        "stars": None if i % 7 == 0 else NUMBERS[i % len(NUMBERS)],
        "price": None if i % 5 == 0 else NUMBERS[(i * 5 + 1) % len(NUMBERS)],
        "lang": None if i % 6 == 0 else TEXTS[i % len(TEXTS)],
        "Odd name": None if i % 11 == 0 else TEXTS[(i * 7 + 3) % len(TEXTS)],
        "seen": (None, True, False)[i % 3],
        "new": (True, False, None, True)[i % 4],
    }
    for i in range(60)
]
VALUES = {NUMBER: NUMBERS, TEXT: TEXTS, YES_NO: [True, False]}


def operands(kind):
    columns = st.sampled_from([Column(name) for name, own in KINDS.items() if own == kind])
    return st.one_of(columns, st.sampled_from([Value(value) for value in VALUES[kind]]))


@st.composite
def conditions(draw):
    kind = draw(st.sampled_from([NUMBER, TEXT, YES_NO]))
    of_kind = operands(kind)
    forms = [
        st.builds(Compare, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), of_kind, of_kind),
        st.builds(IsNull, of_kind),
        st.builds(In, of_kind, st.lists(of_kind, min_size=1, max_size=4).map(tuple)),
    ]
    if kind != YES_NO:
        forms.append(st.builds(Between, of_kind, of_kind, of_kind))
    if kind == TEXT:
        forms.append(st.builds(Like, of_kind, st.sampled_from([Value(pattern) for pattern in PATTERNS])))
    if kind == YES_NO:
        forms.append(st.builds(Holds, of_kind))
    return draw(st.one_of(forms))


def joined(parts):
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    opposite = parts.filter(lambda tree: not isinstance(tree, Not)).map(Not)
    return st.one_of(several.map(And), several.map(Or), opposite)


trees = st.recursive(conditions(), joined, max_leaves=8)


def value_of(operand, row):
    return operand.value if isinstance(operand, Value) else row[operand.name]


def compared(op, a, b):
    if a is None or b is None:
        return None
    return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def all_of(parts):
    return False if False in parts else None if None in parts else True


def opposite(found):
    return None if found is None else not found


def is_like(text, pattern):
    pieces = re.findall(r"\\.|[^\\]|\\$", pattern, re.DOTALL)
    known = {"%": ".*", "_": "."}
    made = "".join(known.get(p, re.escape(p[-1])) for p in pieces)
    return re.fullmatch(made, text, re.DOTALL) is not None


def holds(tree, row):
    """Return True, False, or None for unknown, as SQL does."""
    match tree:
        case And():
            return all_of([holds(part, row) for part in tree.parts])
        case Or():
            return opposite(all_of([opposite(holds(part, row)) for part in tree.parts]))
        case Not():
            return opposite(holds(tree.part, row))
        case Compare():
            return compared(tree.op, value_of(tree.left, row), value_of(tree.right, row))
        case IsNull():
            return value_of(tree.operand, row) is None
        case In():
            own = value_of(tree.operand, row)
            equal = [opposite(compared("=", own, value_of(choice, row))) for choice in tree.choices]
            return opposite(all_of(equal))
        case Between():
            own = value_of(tree.operand, row)
            ends = value_of(tree.low, row), value_of(tree.high, row)
            return all_of([compared(">=", own, ends[0]), compared("<=", own, ends[1])])
        case Like():
            own = value_of(tree.operand, row)
            return None if own is None else is_like(own, tree.pattern.value)
        case Holds():
            return value_of(tree.operand, row)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    made = Table(tmp_path_factory.mktemp("filters") / "index", key="id", width=2, has_words=False)
    made.write({name: [row[name] for row in ROWS] for name in KINDS}, np.ones((len(ROWS), 2), np.float32), KINDS)
    return made


@given(trees)
@settings(max_examples=400)
def test_a_tree_written_and_read_is_the_same_tree(tree):
    assert parse_filter(written(tree), KINDS) == tree


@given(trees)
@settings(max_examples=250)
def test_lancedb_finds_the_rows_that_python_finds(table, tree):
    expected = sum(holds(tree, row) is True for row in ROWS)
    assert table.count(checked_filter(written(tree), KINDS)) == expected


@given(st.text(alphabet="stars lang='e4<>=(),NOTANDRI.5-", max_size=30))
@settings(max_examples=300)
def test_any_text_is_read_to_its_end_or_refused(where):
    try:
        tree = parse_filter(where, KINDS)
    except HeedfulError:
        return
    again = written(tree)
    assert parse_filter(again, KINDS) == tree
    kept = re.sub(r"[\s()`]", "", where).upper()  # no sign of what was given is left out
    for sign in set(kept) - set("NOT<>!.E-"):
        assert sign in again.upper()


@pytest.mark.parametrize(
    "where",
    [
        "stars = 4 lang = 'en'",
        "stars = 4, lang = 'en'",
        "stars = 4 (lang = 'en')",
        "stars = 4 'x'",
        "stars = 4 5",
        "stars = 1.5.5",
    ],
)
def test_what_follows_a_whole_condition_deletes_nothing(where, tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    index.add([{"id": str(i), "text": "rain", "stars": 4, "lang": ("en", "de")[i % 2]} for i in range(10)])
    for use in (lambda: index.delete(where=where), lambda: index.count(where=where)):
        with pytest.raises(HeedfulError, match="expected AND, OR or the end of the filter"):
            use()
    with pytest.raises(HeedfulError, match="expected AND, OR or the end of the filter"):
        index.search("rain", where=where)
    assert index.count() == 10
    assert index.delete(where="stars = 4 AND lang = 'en'") == 5
    assert index.count() == 5
