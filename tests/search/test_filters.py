from __future__ import annotations

import pytest

from heedful.errors import HeedfulError
from heedful.search.filters import MAX_JOINS, as_text, checked_filter

COLUMNS = ["id", "text", "stars", "lang", "Odd name"]


@pytest.mark.parametrize(
    ("where", "written"),
    [
        ("stars >= 4 and lang = 'en'", "`stars` >= 4 AND `lang` = 'en'"),
        ("stars in (1, -2.5, 1e3)", "`stars` IN ( 1 , -2.5 , 1e3 )"),
        ("NOT (`Odd name` is not null)", "NOT ( `Odd name` IS NOT NULL )"),
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
        ("version() = 'a'", "functions"),
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
