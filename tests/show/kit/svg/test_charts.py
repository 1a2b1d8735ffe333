from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import pytest

from heedful.metrics.bootstrap import Interval
from heedful.show.kit.svg.charts import (
    INNER,
    LEFT,
    RIGHT,
    SEEN,
    WIDTH,
    Line,
    Row,
    bars,
    columns,
    lines,
    matrix,
    scale,
    span,
)
from heedful.show.kit.text.numbers import short

NAN = float("nan")
UNKNOWN = Interval(NAN, NAN, NAN)
ROWS = [Row("attention", Interval(0.4, 0.3, 0.5)), Row("random", Interval(-0.1, -0.2, 0.0), 4)]
SERIES = [Line("attention", (0.1, 0.2, 0.8)), Line("random", (0.0, -0.1, 0.3), 4)]
PLACES = [1, 10, 50]
SQUARE = [[1.0, 0.25], [0.25, 1.0]]


def drawn(figure_: str) -> ET.Element:
    """Return the SVG, which must be well-formed."""
    return ET.fromstring(re.search(r"<svg.*</svg>", figure_, re.DOTALL).group())


def table(figure_: str) -> list[list[str]]:
    body = re.search(r"<tbody>(.*)</tbody>", figure_).group(1)
    return [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in body.split("</tr>")[:-1]]


def all_kinds(name: str = "a name") -> list[str]:
    return [
        bars(name, ROWS),
        bars(name, ROWS, dots=True),
        lines(name, SERIES, PLACES, below="%"),
        columns(name, (0.2, 0.9), below="hop"),
        matrix(name, SQUARE, of="hop"),
    ]


def test_every_plot_is_a_named_picture_with_its_numbers_in_a_table():
    for each in all_kinds("What it shows"):
        svg = drawn(each)
        assert svg.get("role") == "img"
        assert [child.tag for child in svg][:2] == ["title", "desc"]
        assert svg[0].text == "What it shows" and svg[1].text
        assert "<table>" in each and 'scope="row"' in each and 'scope="col"' in each


def test_no_colour_is_written_into_a_plot():
    for each in all_kinds():
        assert not re.search(r"#[0-9a-f]{3,6}\b|rgb\(|fill=|stroke=", each)
        assert all(re.fullmatch(r"--w:[01]\.\d\d", style) for style in re.findall(r'style="([^"]*)"', each))


def test_names_from_outside_are_only_text():
    evil = "<script>alert(1)</script>\"' onload=x \x00\u202e"
    hostile = [
        *all_kinds(evil),
        bars("t", [Row(evil, Interval(1, 0, 2))]),
        lines("t", [Line(evil, (1.0,))], [1], below=evil),
        columns("t", (1.0,), below=evil),
        matrix("t", SQUARE, of=evil),
    ]
    for each in hostile:
        assert "<script" not in each and "\x00" not in each and "\u202e" not in each
        assert "&lt;script&gt;" in each
        drawn(each)


def test_a_bar_is_as_long_as_its_value():
    svg = drawn(bars("t", ROWS))
    up, down = svg.findall("rect")
    across = scale([0.4, 0.3, 0.5, -0.1, -0.2, 0.0], LEFT, RIGHT)
    assert float(up.get("x")) == pytest.approx(across.at(0), abs=0.06)
    assert float(up.get("width")) == pytest.approx(across.at(0.4) - across.at(0), abs=0.06)
    assert float(down.get("x")) == pytest.approx(across.at(-0.1), abs=0.06)
    assert float(up.get("width")) == pytest.approx(4 * float(down.get("width")), abs=0.4)


def test_the_line_over_a_bar_spans_its_interval():
    path = drawn(bars("t", ROWS[:1])).find("path[@class='whisker']").get("d")
    low, high = re.fullmatch(r"M([\d.]+) [\d.]+v11m0-5.5H([\d.]+)m0-5.5v11", path).groups()
    across = scale([0.5], LEFT, RIGHT)
    assert [float(low), float(high)] == pytest.approx([across.at(0.3), across.at(0.5)], abs=0.06)


def test_a_value_without_an_interval_has_no_line_over_it():
    assert "whisker" not in bars("t", [Row("a", Interval(0.3, 0.3, 0.3))])
    assert span(Interval(0.3, 0.3, 0.3)) == "0.30" and span(ROWS[0].value) == "0.40 [0.30, 0.50]"


def test_what_could_not_be_measured_is_told_and_not_drawn():
    assert math.isnan(UNKNOWN.mean)
    shown = bars("t", [Row("a", UNKNOWN), Row("b", Interval(0.2, 0.1, 0.3))])
    assert len(drawn(shown).findall("rect")) == 1 and ">not defined<" in shown
    assert table(shown)[0] == ["a", "–", "–", "–"]
    for each in (bars("t", [Row("a", UNKNOWN)], dots=True), lines("t", [Line("a", (NAN,))], [1], below="x")):
        assert "nan" not in each.lower()
        drawn(each)
    assert "nan" not in columns("t", (NAN, 1), below="h") + matrix("t", [[1, NAN], [NAN, 1]], of="h")


def test_the_table_has_every_number():
    assert table(bars("t", ROWS)) == [["attention", "0.400", "0.300", "0.500"], ["random", "−0.100", "−0.200", "0.000"]]
    assert table(lines("t", SERIES, PLACES, below="%"))[1] == ["random", "0.000", "−0.100", "0.300"]
    assert table(columns("t", (0.2, 0.9), below="hop")) == [["1", "0.200"], ["2", "0.900"]]
    assert table(matrix("t", SQUARE, of="hop")) == [["1", "1.00", "0.25"], ["2", "0.25", "1.00"]]


@pytest.mark.parametrize("n", [1, 2, 8, 30, 64])
def test_nothing_is_drawn_outside_the_plot(n):
    values = [i / n for i in range(n)]
    for each in (columns("t", values, below="hop"), matrix("t", [values] * n, of="hop")):
        svg = drawn(each)
        width, height = map(float, svg.get("viewBox").split()[2:])
        assert width == WIDTH
        for rect in svg.findall("rect"):
            assert float(rect.get("x")) >= INNER and float(rect.get("x")) + float(rect.get("width")) <= width
            assert float(rect.get("y")) + float(rect.get("height")) <= height


def test_a_square_of_many_cells_has_every_cell_and_few_numbers():
    svg = drawn(matrix("t", [[0.5] * 30] * 30, of="hop"))
    assert len(svg.findall("rect")) == 900
    shown = [text.text for text in svg.findall("text")]
    assert shown.count("30") == 2 and "29" not in shown and "0.50" not in shown
    few = [text.text for text in drawn(matrix("t", [[0.5] * SEEN] * SEEN, of="hop")).findall("text")]
    assert few.count("0.50") == SEEN * SEEN


def test_shades_stay_between_0_and_1():
    shades = re.findall(r"--w:([\d.]+)", matrix("t", [[1.0000001, -0.2], [0.5, 1]], of="hop"))
    assert shades == ["1.00", "0.00", "0.50", "1.00"]


def test_lines_keep_their_true_places():
    points = [p for p in drawn(lines("t", SERIES[:1], PLACES, below="%")).findall("path") if "point" in p.get("class")]
    x = [float(re.match(r"translate\(([\d.]+)", p.get("transform")).group(1)) for p in points[:3]]
    assert (x[1] - x[0]) / (x[2] - x[0]) == pytest.approx(9 / 49, abs=0.002)


def test_lines_differ_by_marker_and_not_by_colour_alone():
    shapes = {
        p.get("class"): p.get("d")
        for p in drawn(lines("t", SERIES, PLACES, below="%")).findall("path")
        if "point" in p.get("class")
    }
    assert len(set(shapes.values())) == len(shapes) == 2


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        ([0.52], [0, 0.2, 0.4, 0.6]),
        ([-0.01, 0.38], [0, 0.1, 0.2, 0.3, 0.4]),
        ([-1, 1], [-1, -0.5, 0, 0.5, 1]),
        ([0.693], [0, 0.2, 0.4, 0.6]),
        ([-5, -2], [-6, -4, -2, 0]),
        ([0.0], [0, 0.5]),
        ([NAN], [0, 0.5]),
    ],
)
def test_marks_are_round_and_0_is_one_of_them(values, marks):
    assert scale(values, 0, 100).marks == pytest.approx(marks)


def test_a_scale_reaches_all_values():
    for values in ([0.693], [-0.37, 0.02], [3.2, 17], [-5, -2]):
        found = scale(values, 10, 20)
        assert all(10 <= found.at(x) <= 20 for x in values)


def test_a_dash_stands_for_no_number():
    assert [short(x) for x in (NAN, -0.004, -0.25)] == ["–", "0.00", "−0.25"]
