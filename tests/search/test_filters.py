from __future__ import annotations

import pytest

from heedful.errors import HeedfulError
from heedful.search.column_types import NUMBER, TEXT, YES_NO
from heedful.search.filters import MAX_JOINS, as_text, checked_filter

COLUMNS = ["id", "text", "stars", "lang", "Odd name"]


@pytest.mark.parametrize(
    ("where", "written"),
    [
        ("stars >= 4 and lang = 'en'", "`stars` >= 4 AND `lang` = 'en'"),
        ("stars in (1, -2.5, 1e3)", "`stars` IN ( 1 , -2.5 , 1000 )"),
        ("NOT (`Odd name` is not null)", "`Odd name` IS NULL"),
        ("NOT (stars = 1 or lang = 'en')", "NOT ( `stars` = 1 OR `lang` = 'en' )"),
        (
            "stars <> 1 AND (lang = 'en' OR `Odd name` NOT IN ('a'))",
            "`stars` != 1 AND ( `lang` = 'en' OR `Odd name` NOT IN ( 'a' ) )",
        ),
        ("\"Odd name\" like 'a%'", "`Odd name` LIKE 'a%'"),
        ("text = 'it''s; DROP -- nothing'", "`text` = 'it''s; DROP -- nothing'"),
        ("stars BETWEEN 1 AND 2", "`stars` BETWEEN 1 AND 2"),
    ],
)
def test_good_filters_pass_with_their_columns_quoted(where, written):
    assert checked_filter(where, COLUMNS) == written


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("starz > 4", "no column 'starz'.*Did you mean stars"),
        ('lang = "en"', "no column 'en'.*single quotes: 'en'"),
        ("lang = 'en", "never closed"),
        ("stars = 1; DROP TABLE rows", "';"),
        ("stars = 1 -- comment", "'--"),
        ("stars = 1 /* x */", "'/"),
        ("version() = 'a'", "function"),
        ("stars IN (SELECT 1)", "no column 'SELECT'"),
        ("(stars = 1", "not closed"),
        ("stars = 1)", "not opened"),
        ("stars % 2 = 0", "'%"),
        ("(" * 1000 + "stars" + ")" * 1000, "brackets"),
        ("NOT " * (MAX_JOINS + 1) + "stars = 1", "ANDs"),
        ("x" * 200_000, "characters"),
    ],
)
def test_anything_else_is_a_clear_error(where, said):
    with pytest.raises(HeedfulError, match=said):
        checked_filter(where, COLUMNS)


def test_a_text_with_quotes_stays_one_text():
    assert checked_filter("lang = " + as_text("a' OR '1'='1"), COLUMNS) == "`lang` = 'a'' OR ''1''=''1'"


KINDS = {"stars": NUMBER, "lang": TEXT, "seen": YES_NO}


@pytest.mark.parametrize(
    ("where", "at", "expected"),
    [
        ("stars = 4 lang = 'de'", 11, "AND, OR or the end"),
        ("stars = 4, lang = 'de'", 10, "AND, OR or the end"),
        ("stars = 4 (lang = 'de')", 11, "AND, OR or the end"),
        ("stars = 4 'x'", 11, "AND, OR or the end"),
        ("stars = 4 5", 11, "AND, OR or the end"),
        ("stars = 1.5.5", 12, "AND, OR or the end"),
        ("stars = 4 AND", 13, "a column or a value"),
        ("(stars = 4 lang = 'de')", 12, "AND, OR or a closing bracket"),
        ("stars IN (1 2)", 13, "a comma or a closing bracket"),
        ("stars IN ()", 11, "a column or a value"),
        ("stars IN 4", 10, "an opening bracket"),
        ("stars BETWEEN 1", 15, "AND"),
        ("stars NOT 4", 11, "IN, BETWEEN or LIKE"),
        ("stars IS 4", 10, "NULL or NOT NULL"),
        ("stars = = 4", 9, "a column or a value"),
        ("AND stars = 4", 1, "a column or a value"),
        ("lang LIKE 4", 11, "a pattern in single quotes"),
        ("stars LIKE 'a'", 1, "LIKE needs a text"),
        ("stars = NULL", 9, "IS NULL"),
        ("lang = 4", 8, "column 'lang' is text"),
        ("seen = 'yes'", 8, "TRUE or FALSE"),
        ("4 = 'a'", 5, "the value before is number"),
        ("lang", 1, "not a condition"),
        ("stars = 1e999", 9, "too large"),
    ],
)
def test_what_is_out_of_place_is_named_with_its_position(where, at, expected):
    with pytest.raises(HeedfulError, match=f"character {at}: .*{expected}"):
        checked_filter(where, KINDS)
