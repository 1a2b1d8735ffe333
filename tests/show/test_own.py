"""Heatmaps and matrices of anyone's words and weights."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.errors import HeedfulError
from heedful.show import heatmap, matrix
from heedful.show.matrices.view import view

WORDS = ["the", "cat", "sat"]


def outputs(drawn):
    return drawn.to_html(), drawn._repr_html_(), drawn.to_svg(), str(drawn)


def test_both_are_loaded_on_first_use_and_stay_functions():
    code = (
        "import sys, heedful.show as s; assert not [m for m in sys.modules if m.startswith('heedful.show.')];"
        "s.heatmap(['a'], [1]); s.heatmap(['a'], [1]); s.matrix(['a'], [[1]]).to_html(); s.matrix(['a'], [[1]])"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_output_says_that_weights_are_as_given():
    for drawn in (heatmap(WORDS, [1, 2, 3], title="Mine"), matrix(WORDS, np.eye(3), title="Mine")):
        for source in outputs(drawn):
            assert "Weights as given" in source and "Mine" in source and 'class="verdict' not in source


def test_numbers_are_shown_as_given_and_shades_by_their_share():
    source = heatmap(WORDS, [10, 20, 70]).to_html()
    assert re.findall(r'data-n="([^"]+)"', source) == ["10.000", "20.000", "70.000"]
    shades = [float(x) for x in re.findall(r"--w:([\d.]+)", source)]
    np.testing.assert_allclose(shades, [0.1, 0.2, 0.7], atol=0.006)  # of three even shares, which is all


def test_hops_are_shown_with_their_mean():
    source = heatmap(WORDS, [[1, 0, 0], [0, 0, 1]]).to_html()
    assert "Mean of 2 hops" in source and len(Reader(source).all("div", "hop")) == 2
    assert re.findall(r'data-n="([^"]+)"', source)[:3] == ["0.500", "0.000", "0.500"]


def test_weights_below_0_make_a_heatmap_signed():
    assert "w against" not in heatmap(WORDS, [1, 2, 3]).to_html()
    signed = heatmap(WORDS, [1, -2, 0]).to_html()
    assert Reader(signed).all("span", "w", "for") and Reader(signed).all("span", "w", "against") and "−2.000" in signed


def test_effects_stand_beside_the_weights():
    source = heatmap(WORDS, [1, 2, 3], effects=[1, -1, 0]).to_html()
    assert len(Reader(source).all("figure", "map")) == 2 and Reader(source).all("span", "w", "against")


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, 2], "weights has 2 numbers, words has 3"),
        (np.ones((2, 7)), "weights has 7 columns, words has 3"),
        (np.ones((1, 1, 3)), "weights has 3 dimensions"),
        (1.0, "weights has 0 dimensions"),
        ([1, float("nan"), 2], r"weights\[1\] is nan"),
        ([[1, 2, 3], [1, 2, float("inf")]], r"weights\[1, 2\] is inf"),
        ([[1, 2, 3], [1]], "weights cannot be read"),
        (["a", "b", "c"], "weights cannot be read"),
        (np.ones((0, 3)), "weights is empty"),
    ],
)
def test_wrong_weights_of_a_heatmap_are_refused(weights, said):
    with pytest.raises(HeedfulError, match=said):
        heatmap(WORDS, weights)


def test_wrong_effects_and_words_are_refused():
    with pytest.raises(HeedfulError, match="effects has 2 numbers, words has 3"):
        heatmap(WORDS, [1, 2, 3], effects=[1, 2])
    with pytest.raises(HeedfulError, match="one text"):
        heatmap("the", [1, 2, 3])
    with pytest.raises(HeedfulError, match=r"words\[1\] is of type int"):
        heatmap(["a", 5], [1, 2])


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((7, 3), "weights has 7 rows, words has 3"),
        ((3, 7), "weights has 7 columns, words has 3"),
        ((3,), "weights has 1 dimensions"),
        ((1, 1, 1, 3, 3), "weights has 5 dimensions"),
        ((0, 3, 3), "weights is empty"),
    ],
)
def test_wrong_shapes_of_a_matrix_are_refused(shape, said):
    with pytest.raises(HeedfulError, match=said):
        matrix(WORDS, np.ones(shape))


def test_columns_may_be_other_words():
    with pytest.raises(HeedfulError, match="weights has 3 columns, columns has 2"):
        matrix(WORDS, np.ones((3, 3)), columns=["a", "b"])
    assert "sat → b 0.900" in str(matrix(WORDS, [[0, 0], [0, 0], [0.1, 0.9]], columns=["a", "b"]))
    with pytest.raises(HeedfulError, match=r"weights\[0, 0\] is nan"):
        matrix(["a"], [[float("nan")]])


def test_heads_and_layers_are_named():
    assert re.findall("head 2", matrix(WORDS, np.ones((2, 3, 3))).to_html())
    drawn = matrix(WORDS, np.ones((2, 3, 3, 3)))
    assert drawn.names[0] == "layer 1, head 1" and drawn.names[-1] == "layer 2, head 3"
    for source in (drawn.to_html(), drawn.to_svg()):
        assert source.count("layer 2, head 3") >= 1


def test_what_is_too_much_to_look_at_is_left_out_and_said():
    words = [f"w{i}" for i in range(300)]
    drawn = matrix(words, np.random.default_rng(0).random((12, 12, 300, 300)))
    for source in (drawn.to_html(), drawn.to_svg()):
        assert len(source) < 5_000_000
    assert "the first 36 of 144 heads, 26 of 300 rows, 26 of 300 columns" in view(drawn).account
    weights = np.zeros((300, 300))
    weights[250, 290] = 1
    assert "w250 → w290 1.000" in str(matrix(words, weights)), "the strongest are kept"


def test_tensors_are_read_like_arrays():
    torch = pytest.importorskip("torch")
    weights = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    expected = heatmap(WORDS, [1, 2, 3]).to_html()
    assert heatmap(WORDS, weights).to_html() == heatmap(WORDS, weights.bfloat16()).to_html() == expected


def test_hostile_words_are_only_text_in_every_output(evil_text):
    words = [evil_text, "</text><script>alert(1)</script>", "\x00\x1b[31m", " ", ""]
    n = len(words)
    drawings = (
        heatmap(words, np.ones((2, n)), effects=np.arange(n) - 2, title=evil_text),
        matrix(words, np.ones((2, n, n)), title=evil_text),
    )
    for drawn in drawings:
        html, fragment, picture, plain = outputs(drawn)
        for source in (html, fragment, picture):
            assert not re.search(r"<script|<img|<a |<svg onload|[\x00\x1b]", source)
        assert {e.tag.split("}")[1] for e in ElementTree.fromstring(picture).iter()} <= {
            "svg", "title", "desc", "rect", "text", "path",
        }  # fmt: skip
        assert all(c.isprintable() or c == "\n" for c in plain)
        plain.encode("utf-8")


def test_huge_and_zero_numbers_have_shades():
    for weights in ([1e300, 1e308, 0], [0, 0, 0], [1e-300, 0, 0]):
        assert "nan" not in heatmap(WORDS, weights).to_html().split("</style>")[1]


def test_a_png_is_written(tmp_path):
    pytest.importorskip("resvg_py")
    for drawn in (heatmap(WORDS, [1, 2, 3]), matrix(WORDS, np.eye(3))):
        assert drawn.to_png(tmp_path / "a.png")[:4] == b"\x89PNG" and (tmp_path / "a.png").exists()
