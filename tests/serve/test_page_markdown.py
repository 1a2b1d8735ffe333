"""A model's card on the page: what Markdown means, and that no card can hold the page up."""

from __future__ import annotations

import pytest
from tests.serve.page_in_node import in_node

MARKDOWN = """
const { markdown } = await import(`${UI}/lib/markdown.js`);
const main = (cards) => cards.map((card) => markdown(card).children.map(plain));
"""
LENGTHS = """
const { markdown } = await import(`${UI}/lib/markdown.js`);
const main = (cards) => cards.map((card) => markdown(card).children.length);
"""


@pytest.mark.parametrize(
    ("card", "shown"),
    [
        ("# One ##\n\ntwo\nthree", [["h3", "One"], ["p", "two three"]]),
        ("####### seven", [["p", "####### seven"]]),
        ("---\na: b\n---\ntext", [["p", "text"]]),
        ("* * *", [["hr"]]),
        ("- a\n- b\n  c", [["ul", ["li", "a"], ["li", "b c"]]]),
        ("1. a\n2. b", [["ol", ["li", "a"], ["li", "b"]]]),
        ("```\na | b\n```", [["pre", "a | b"]]),
        ("a **b** *c* `d`", [["p", "a ", ["strong", "b"], " ", ["em", "c"], " ", ["code", "d"]]]),
        ("``a`b`` c", [["p", ["code", "a`b"], " c"]]),
        ("2 * 3 * 4, a ** b", [["p", "2 * 3 * 4, a ** b"]]),
        ("[a](https://x.example/y) b", [["p", ["a https://x.example/y", "a"], " b"]]),
        ("[a](javascript:x) [b]", [["p", "[a](javascript:x) [b]"]]),
        ("a [not [b](https://x.example)", [["p", "a ", ["a https://x.example", "not [b"]]]),
        ("`a", [["p", "`a"]]),
    ],
)
def test_markdown_is_shown(card, shown):
    assert in_node(MARKDOWN, [card]) == [shown]


def test_a_table_is_a_table():
    ((box,),) = in_node(MARKDOWN, ["a | b\n:-- | --:\n1 | 2\n3 \\| 4 | 5"])
    head = ["thead", ["tr", ["th", "a"], ["th", "b"]]]
    body = ["tbody", ["tr", ["td", "1"], ["td", "2"]], ["tr", ["td", "3 | 4"], ["td", "5"]]]
    assert box == ["div", ["table", head, body]]
    assert in_node(MARKDOWN, ["a | b\nc - d"]) == [[["p", "a | b c - d"]]]


CARDS = {
    "spaces in a table": ("a|b\n" + " " * 1660 + "-" + " " * 3300 + "x\n\n") * 11,
    "spaces in a heading": ("#" + " " * 4900 + "x" + " " * 90 + "\n\n") * 12,
    "spaces in an item": ("- " + " " * 4900 + "a\u2028\n\n") * 12,
    "ticks": ("`" * 2500 + "a" + "` `` " * 490 + "\n\n") * 12,
    "stars": ("*a" * 2450 + " ** " + "\n\n") * 12,
    "brackets": ("[" * 2400 + "](" * 1200 + "\n\n") * 12,
    "marks": ("- " * 2490 + "x\n\n") * 12,
    "front matter": "---\n" + "-- \n" * 15_000,
}


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_no_card_holds_the_page_up(card):
    """Each took minutes, or hours, where a pattern could be matched in many ways; now milliseconds."""
    (n,) = in_node(LENGTHS, [card[:60_000]])
    assert n > 0
