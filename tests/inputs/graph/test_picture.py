from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest
from tests.inputs.summed import drawn_sum, with_sum

from heedful.data.features import parts_of_names
from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation, Word
from heedful.inputs.graph.graph import Graph
from heedful.inputs.graph.layout import distances, laid_out
from heedful.inputs.graph.picture import HALO, graph_picture
from heedful.inputs.vectors.picture import vector_picture
from heedful.show.heatmaps.view import view
from heedful.show.kit.svg import svg

NAME = "{http://www.w3.org/2000/svg}"


def edges_of(graph):
    return np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)


def made(graph, names=None):
    n = len(graph)
    names = tuple(names or (f"v{i}" for i in range(n)))
    return Graph(names, np.zeros((n, 1)), edges_of(nx.convert_node_labels_to_integers(graph)))


def explained(names, weights=None, effects=None, *, values=None, kind="graph"):
    parts = parts_of_names(names)
    words = tuple(Word(name, a, b, True) for name, (a, b) in zip(names, parts.spans, strict=True))
    weights = np.full(len(names), 1 / max(1, len(names))) if weights is None else np.asarray(weights)
    found = Explanation(
        parts.text, words, weights[None].astype(np.float32), "good", {"good": 0.75, "bad": 0.25}, len(parts.text)
    )
    found = replace(found if values is None else with_sum(found, values), kind=kind)
    return view(found if effects is None else replace(found, effects={LEAVE_ONE_OUT: np.asarray(effects, float)}))


def elements(source, tag):
    return [e for e in ElementTree.fromstring(source).iter() if e.tag == f"{NAME}{tag}"]


def shown(source):
    return [e.text for e in elements(source, "text")]


def test_distances_are_those_of_networkx():
    graph = nx.gnp_random_graph(30, 0.08, seed=3)
    found, expected = distances(30, edges_of(graph)), dict(nx.all_pairs_shortest_path_length(graph))
    assert not nx.is_connected(graph)
    longest = max(max(row.values()) for row in expected.values())
    for i in range(30):
        assert found[i].tolist() == [expected[i].get(j, longest + 1.5) for j in range(30)]


@pytest.mark.parametrize("graph", [nx.path_graph(12), nx.cycle_graph(8), nx.grid_2d_graph(4, 5)])
def test_nodes_are_as_far_apart_as_the_steps_between_them_and_always_at_the_same_place(graph):
    graph = nx.convert_node_labels_to_integers(graph)
    points, steps = laid_out(len(graph), edges_of(graph)), distances(len(graph), edges_of(graph))
    assert points.min() >= -1e-9 and points.max() <= 1 + 1e-9
    assert (points == laid_out(len(graph), edges_of(graph))).all()
    pairs = list(combinations(range(len(graph)), 2))
    apart = [np.linalg.norm(points[i] - points[j]) for i, j in pairs]
    assert min(apart) > 0.05
    assert np.corrcoef(apart, [steps[i, j] for i, j in pairs])[0, 1] > 0.75


def test_a_hub_stands_in_the_middle_of_its_neighbours():
    points = laid_out(10, edges_of(nx.star_graph(9)))
    apart = np.linalg.norm(points[1:] - points[0], axis=1)
    assert apart.max() < 1.9 * apart.min() and np.linalg.norm(points[1:].mean(axis=0) - points[0]) < 0.1


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_smallest_graphs_have_places(n):
    assert np.isfinite(laid_out(n, np.zeros((0, 2), dtype=np.int64))).all()
    assert np.isfinite(laid_out(n, edges_of(nx.path_graph(n)))).all()


def test_strong_nodes_have_large_grounds_in_their_colour_and_weak_ones_none():
    graph = made(nx.path_graph(5))
    source = graph_picture(explained(graph.names, [0.9, 0.1, 0, 0, 0], [0.5, -0.25, 0, 0, 0]), graph)
    circles = [(float(c.get("r")), c.get("fill"), c.get("stroke")) for c in elements(source, "circle")]
    strong, weak = svg.shade_colour(1.0, is_signed=False), svg.shade_colour(0.1 / 0.9, is_signed=False)
    assert (HALO, strong, None) in circles and sum(fill == weak and r > 5 for r, fill, _ in circles) == 1
    assert (HALO, svg.shade_colour(1.0, is_signed=True), None) in circles
    against = svg.shade_colour(-0.5, is_signed=True)
    assert [stroke for r, fill, stroke in circles if fill == against and r > 5] == [svg.EDGE]
    assert sum(r == 5 for r, *_ in circles) == 10 and sum(r > 5 for r, *_ in circles) == 4


def test_every_edge_is_drawn_once_in_each_panel_and_loops_are_not():
    graph = replace(made(nx.cycle_graph(5)), edges=np.array([(0, 1), (1, 2), (2, 2)]))
    source = graph_picture(explained(graph.names, effects=np.zeros(5)), graph)
    lines = [p.get("d") for p in elements(source, "path") if "L" in p.get("d")]
    assert [line.count("L") for line in lines] == [2, 2]


def test_the_answer_the_verdict_and_what_is_drawn_are_said():
    graph = made(nx.path_graph(4), ("ann", "bob", "cy", "dee"))
    source = graph_picture(explained(graph.names, effects=[0.0, 0.1, 0.2, 0.3]), graph)
    said = " ".join(shown(source))
    for part in (
        "good 0.75",
        "A graph of 4 nodes and 3 edges",
        "without this node",
        "Not audited",
        "a blue node",
        "ann",
    ):
        assert part in said
    assert "word" not in said


def test_of_a_large_graph_what_lies_around_the_strongest_or_the_named_node_is_drawn():
    graph = made(nx.path_graph(400))
    weights = np.zeros(400)
    weights[200] = 1.0
    drawn = explained(graph.names, weights)
    names = [text for text in shown(graph_picture(drawn, graph)) if re.fullmatch(r"v\d+", text or "")]
    assert sorted(names) == ["v198", "v199", "v200", "v201", "v202"]
    assert "5 nodes around v200 are drawn" in " ".join(shown(graph_picture(drawn, graph)))
    assert "3 nodes around v0 are drawn" in " ".join(shown(graph_picture(drawn, graph, node="v0")))
    with pytest.raises(HeedfulError, match="there is no node 'zed'"):
        graph_picture(drawn, graph, node="zed")


def test_a_hub_with_thousands_of_neighbours_stays_a_picture():
    graph = made(nx.star_graph(3000))
    source = graph_picture(explained(graph.names), graph, node="v0")
    assert "60 nodes around v0 are drawn" in " ".join(shown(source)) and len(source) < 100_000


def test_names_do_not_cover_each_other():
    graph = made(nx.complete_graph(40), [f"a rather long name {i}" for i in range(40)])
    source = graph_picture(explained(graph.names), graph)
    boxes = [
        (float(e.get("x")), float(e.get("y")), float(e.get("textLength")))
        for e in elements(source, "text")
        if e.get("paint-order")
    ]
    assert 5 < len(boxes) <= 40
    for (x, y, wide), (other_x, other_y, other_wide) in combinations(boxes, 2):
        assert x + wide <= other_x or other_x + other_wide <= x or abs(y - other_y) > 11


def test_hostile_names_leave_no_element_and_no_attribute_of_their_own(evil_text):
    names = tuple(f"{i}{evil_text}" for i in range(3))
    assert "<script>" in evil_text
    source = graph_picture(explained(names, effects=np.ones(3)), made(nx.path_graph(3), names))
    tags = {e.tag.removeprefix(NAME) for e in ElementTree.fromstring(source).iter()}
    assert tags <= {"svg", "title", "desc", "rect", "text", "path", "circle"}
    attributes = {name for e in ElementTree.fromstring(source).iter() for name in e.attrib}
    assert not any(name.startswith("on") or "href" in name or name == "style" for name in attributes)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff\u202e]", source)


def test_numbers_for_other_nodes_and_widths_that_make_no_picture_are_refused():
    with pytest.raises(HeedfulError, match="numbers for 2 nodes, but the graph has 3"):
        graph_picture(explained(("a", "b")), made(nx.path_graph(3)))
    with pytest.raises(HeedfulError, match=r"width is 10, .* from 240 to 10000"):
        graph_picture(explained(("a", "b")), made(nx.path_graph(2)), width=10)
    with pytest.raises(HeedfulError, match=r"width is 10, .* from 240 to 10000"):
        vector_picture(explained(("a", "b")), width=10)


def bars(source):
    fills = {svg.shade_colour(shade, is_signed=True): shade for shade in (1.0, -1.0)}
    found = [e for e in elements(source, "rect") if e.get("fill") in fills and float(e.get("width")) > 6]
    return [(fills[e.get("fill")], float(e.get("height"))) for e in found]


def test_each_vector_has_a_bar_up_or_down_as_high_as_its_effect():
    source = vector_picture(explained(("1", "2", "3"), effects=[0.5, -0.25, 0.5], kind="vectors"), np.zeros((3, 7)))
    assert bars(source) == [(1.0, 42.0), (-1.0, 21.0), (1.0, 42.0)]
    said = " ".join(shown(source))
    assert "3 vectors of 7 numbers" in said and "without this vector" in said and "+0.50" in said


def test_of_many_vectors_neighbours_share_a_bar_and_the_strongest_is_seen():
    effects = np.zeros(1000)
    effects[777] = -0.9
    source = vector_picture(explained([str(i + 1) for i in range(1000)], effects=effects), np.zeros((1200, 2)))
    assert "1000 vectors of 2 numbers, the first of 1,200" in " ".join(shown(source))
    down = [e for e in elements(source, "rect") if e.get("fill") == svg.shade_colour(-1.0, is_signed=True)]
    assert len([e for e in down if float(e.get("height")) == 42.0]) == 1 and len(source) < 100_000


def test_no_vectors_at_all_are_a_picture():
    source = vector_picture(explained(()), np.zeros((0, 3)))
    assert bars(source) == []
    assert "0 vectors of 3 numbers" in " ".join(shown(source))


def about_of(source):
    return elements(source, "desc")[0].text


def test_contributions_of_nodes_are_drawn_with_their_signs_and_sum_to_the_score():
    graph, values = made(nx.path_graph(5)), [2.0, -1.0, 0.5, 0.0, -2.0]
    drawn = explained(graph.names, values=values)
    source = graph_picture(drawn, graph)
    grounds = [(c.get("fill"), c.get("stroke")) for c in elements(source, "circle") if float(c.get("r")) > 5][:4]
    expected = [(svg.shade_colour(v / 2, is_signed=True), svg.EDGE if v < 0 else None) for v in values if v]
    assert sorted(grounds, key=str) == sorted(expected, key=str)
    assert drawn_sum(" ".join(shown(source)), "nodes") == (-1.0, -0.5, -0.5) and sum(drawn.rows[0].values) == -0.5
    assert "Contributions for good, strongest at v0 (+2.00), v4 (−2.00), v1 (−1.00)." in about_of(source)
    said = " ".join(shown(source))
    assert "what each node adds" in said and "contributions of all nodes" in said and "word" not in said


def test_bars_of_contributions_sum_to_the_score():
    values = [3.0, -1.5, 0.75, -0.5]
    source = vector_picture(explained(tuple("1234"), values=values, kind="vectors"), np.zeros((4, 2)))
    heights = [sign * high / 42 * 3.0 for sign, high in bars(source)]
    score, bias, added = drawn_sum(" ".join(shown(source)), "vectors")
    assert heights == pytest.approx(values, abs=0.01) and added == sum(values)
    assert score == pytest.approx(bias + sum(heights), abs=0.02)
    assert "strongest at 1 (+3.00), 2 (−1.50), 3 (+0.75). score +1.25 = bias −0.50" in about_of(source)
    said = " ".join(shown(source))
    assert "what each vector adds" in said and "A blue bar adds" in said and "word" not in said


def test_what_adds_nothing_is_not_named():
    source = vector_picture(explained(("1", "2"), values=[0.0, 1.0], kind="vectors"))
    assert "strongest at 2 (+1.00). " in about_of(source)


def test_a_path_is_drawn_flat():
    flat, round_ = (graph_picture(explained(g.names), g) for g in (made(nx.path_graph(9)), made(nx.cycle_graph(9))))
    heights = [float(ElementTree.fromstring(source).get("height")) for source in (flat, round_)]
    assert heights[0] < heights[1] - 60
