import networkx as nx
import numpy as np
import pytest

from heedful.config import Config
from heedful.errors import DataError, HeedfulError, ModelFolderError
from heedful.inputs.graph import featuriser as graph_features
from heedful.inputs.graph.featuriser import GraphFeaturiser
from heedful.inputs.graph.graph import Graph


def learned(*sources, reach="neighbours"):
    return GraphFeaturiser.learned(sources, Config().changed(input="graph", reach=reach))


@pytest.fixture
def graph():
    return Graph(("ann", "bob", "cy"), [[1, 3], [0, 0], [2, -2]], [(0, 1), (1, 2)], columns=("p", "q"))


def test_vectors_neighbours_and_names_come_out(graph):
    featuriser = learned(graph)
    item, parts = featuriser.features(graph), featuriser.parts(graph)
    assert item.arrays["vectors"].tolist() == [[1, 3], [0, 0], [2, -2]]
    assert item.arrays["near"].tolist() == [[0, 1, 0], [1, 0, 2], [2, 1, 0]]
    assert item.arrays["links"].tolist() == [[1, 2, 0], [1, 2, 2], [1, 2, 0]]
    assert [parts.text[a:b] for a, b in parts.spans] == ["ann", "bob", "cy"] and list(parts.sizes) == [1, 1, 1]
    assert (featuriser.shape.width, featuriser.shape.n_links, featuriser.row_sum) == (2, 3, 0.0)
    assert not featuriser.is_cut(graph)


def test_rows_are_scaled_to_the_same_sum_of_sizes_and_zeros_stay(graph):
    vectors = GraphFeaturiser(graph.columns, row_sum=2.0).features(graph).arrays["vectors"]
    assert vectors.tolist() == [[0.5, 1.5], [0, 0], [1, -1]]


def test_where_each_node_sees_all_there_are_no_neighbours(graph):
    featuriser = learned(graph, reach="all")
    assert set(featuriser.features(graph).arrays) == {"vectors"} and featuriser.shape.names == ("vectors",)
    with pytest.raises(HeedfulError, match="reach is 'far', expected neighbours or all"):
        GraphFeaturiser(["a"], reach="far")


def test_a_path_of_graphml_and_a_networkx_graph_give_the_same(tmp_path):
    source = nx.Graph()
    source.add_node("a", kind="C", weight=12)
    source.add_node("b", kind="O", weight=16)
    source.add_edge("a", "b", kind="double")
    nx.write_graphml(source, tmp_path / "a.graphml")
    path = str(tmp_path / "a.graphml")
    featuriser = learned(path)
    assert featuriser.columns == learned(source).columns
    assert featuriser.kinds == ("double",)
    assert featuriser.features(path).tobytes() == featuriser.features(source).tobytes()
    assert featuriser.parts(path).text == "a b"


def test_saved_then_read_it_gives_equal_items(graph):
    for options in ({}, {"row_sum": 2.5, "reach": "all"}, {"directed": True, "max_tokens": 7}):
        before = GraphFeaturiser(graph.columns, **options)
        after = GraphFeaturiser.from_json(before.to_json())
        assert vars(after) == vars(before)
        assert after.features(graph).tobytes() == before.features(graph).tobytes()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"kind": "graph", "columns": [1], "kinds": []}', '{"kind": "audio", "columns": [], "kinds": []}'],
)
def test_what_is_no_featuriser_is_refused(text):
    with pytest.raises(ModelFolderError, match=r"input\.json is not readable"):
        GraphFeaturiser.from_json(text)


def test_graphs_that_do_not_fit_the_model_say_both_sides(graph, monkeypatch):
    with pytest.raises(HeedfulError, match=r"have width 2 \(p, q\), expected 3 \(p, q, r\)"):
        GraphFeaturiser(["p", "q", "r"]).features(graph)
    with pytest.raises(HeedfulError, match="the graph has 3 nodes, expected at most 2"):
        GraphFeaturiser(["p", "q"], max_tokens=2).features(graph)
    monkeypatch.setattr(graph_features, "MOST_CELLS", 8)
    with pytest.raises(HeedfulError, match="3 nodes, expected at most 2 if reach"):
        GraphFeaturiser(["p", "q"], reach="all").features(graph)
    with pytest.raises(HeedfulError, match="found int, expected a graph"):
        GraphFeaturiser(["p", "q"]).features(3)
    with pytest.raises(HeedfulError, match=r"graph 2 has vectors of width 1, expected 2 \(p, q\) as in graph 1"):
        learned(graph, Graph(("a",), np.zeros((1, 1)), []))
    with pytest.raises(HeedfulError, match="found 1 heedful graphs and 1 others"):
        learned(graph, nx.path_graph(2))


def test_a_file_that_lacks_a_column_is_named(tmp_path):
    nx.write_graphml(nx.path_graph(2), tmp_path / "a.graphml")
    with pytest.raises(DataError, match=r"a\.graphml: node '0' has no 'weight', which is required"):
        GraphFeaturiser(["weight"]).features(tmp_path / "a.graphml")


def test_vectors_without_names_fit_by_their_width():
    bare = Graph(("a",), np.ones((1, 2)), [])
    featuriser = learned(bare)
    assert featuriser.columns == ("1", "2") and featuriser.features(bare).arrays["vectors"].tolist() == [[1, 1]]


def test_marks_that_the_model_does_not_know_are_left_out_and_those_that_are_not_there_are_zero():
    known = Graph(("a",), [[5, 1, 1]], [], columns=("age", "word=1", "word=2"))
    other = Graph(("a", "b"), [[1, 1, 7], [0, 1, 8]], [(0, 1)], columns=("word=2", "word=9", "age"))
    assert learned(known).features(other).arrays["vectors"].tolist() == [[7, 0, 1], [8, 0, 0]]
    with pytest.raises(HeedfulError, match=r"width 1 \(word=2\), expected 3 \(age, word=1, word=2\)"):
        learned(known).features(Graph(("a",), [[1]], [], columns=("word=2",)))


def test_vectors_of_marks_alone_are_scaled_to_a_sum_of_one():
    graph = Graph(("a", "b", "c"), [[1, 1], [0, 1], [0, 0]], [], columns=("word=1", "word=2"))
    assert learned(graph).features(graph).arrays["vectors"].tolist() == [[0.5, 0.5], [0, 1], [0, 0]]
    assert learned(graph).marks.tolist() == [True, True]
