import gzip

import networkx as nx
import numpy as np
import pytest

from heedful.errors import DataError, HeedfulError
from heedful.inputs.graph import graphml as graph_files
from heedful.inputs.graph.graphml import graph_of, is_networkx, networkx_columns, networkx_kinds, read_graphml

HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'


@pytest.fixture
def party():
    graph = nx.Graph()
    graph.add_node("ann", age=30, town="Ghent", label="x", split="train")
    graph.add_node("bob", age=2.5, town="Rome")
    graph.add_edge("ann", "bob", kind="likes")
    return graph


def test_graphml_gives_what_networkx_gave_it(tmp_path, party):
    nx.write_graphml(party, tmp_path / "a.graphml")
    found = graph_of(read_graphml(tmp_path / "a.graphml"))
    again = graph_of(party)
    assert again.graph.columns == ("age", "town=Ghent", "town=Rome")
    assert again.graph.vectors.tolist() == [[30, 1, 0], [2.5, 0, 1]]
    assert again.labels == ("x", None) and again.splits == ("train", None) and again.graph.kinds == ("likes",)
    assert found.graph.columns == again.graph.columns and (found.graph.vectors == again.graph.vectors).all()
    assert (found.labels, found.graph.kinds, found.graph.names) == (again.labels, again.graph.kinds, again.graph.names)


def test_a_zipped_file_reads_as_the_plain_one(tmp_path, party):
    nx.write_graphml(party, tmp_path / "a.graphml")
    (tmp_path / "b.graphml.gz").write_bytes(gzip.compress((tmp_path / "a.graphml").read_bytes()))
    assert set(read_graphml(tmp_path / "b.graphml.gz").nodes) == {"ann", "bob"}


def test_a_value_given_for_all_nodes_is_that_of_those_that_do_not_say(tmp_path):
    text = (
        f'{HEAD}<key id="k" for="node" attr.name="age" attr.type="int"><default>7</default></key>'
        '<graph edgedefault="undirected"><node id="a"/><node id="b"><data key="k">9</data></node></graph></graphml>'
    )
    (tmp_path / "a.graphml").write_text(text)
    assert graph_of(read_graphml(tmp_path / "a.graphml")).graph.vectors.tolist() == [[7], [9]]


def test_arrays_on_nodes_are_as_many_columns():
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {i: np.arange(2) + i for i in range(3)}, "v")
    found = graph_of(graph).graph
    assert found.columns == ("v_1", "v_2") and found.vectors.tolist() == [[0, 1], [1, 2], [2, 3]]


def test_nodes_without_attributes_have_the_number_of_their_edges():
    assert graph_of(nx.path_graph(3)).graph.vectors.tolist() == [[1], [2], [1]]


def test_columns_and_kinds_are_those_of_all_graphs(party):
    other = nx.Graph()
    other.add_node(1, age=1, town="Bonn")
    other.add_edge(1, 1, kind="is")
    assert networkx_columns([party, other]) == ("age", "town=Bonn", "town=Ghent", "town=Rome")
    assert networkx_kinds([party, other]) == ("is", "likes")
    assert networkx_kinds([party, nx.path_graph(2)]) == ()


def test_is_networkx_knows_all_kinds_of_graphs():
    assert all(is_networkx(cls()) for cls in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph))
    assert not any(is_networkx(value) for value in ("a", np.zeros(3), {}))


def test_a_node_that_lacks_a_number_is_named(party):
    party.add_node("carl", town="Rome")
    with pytest.raises(HeedfulError, match="node 'carl' has no 'age', which is required; it has town"):
        graph_of(party)
    party.add_node("carl", town="Rome", age=float("nan"))
    with pytest.raises(HeedfulError, match="age of node 'carl' is nan, expected a finite number"):
        graph_of(party)
    party.add_node("carl", town="Rome", age="old")
    with pytest.raises(HeedfulError, match="age is a number in some nodes and 'old' in others"):
        graph_of(party)


def test_a_graph_without_nodes_is_refused():
    with pytest.raises(HeedfulError, match="the graph has no nodes"):
        graph_of(nx.Graph())


BOMB = '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
GRAPH = '<graph edgedefault="undirected">'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (f"{BOMB}\n{HEAD}{GRAPH}<node id='&b;'/></graph></graphml>", 1, "the file has a DOCTYPE"),
        (f"\n{OUTSIDE}\n{HEAD}{GRAPH}<node id='a'>&e;</node></graph></graphml>", 2, "the file has a DOCTYPE"),
        (
            f"{HEAD}{GRAPH}\n<node id='a'/>\n<edge source='a' target='b'/></graph></graphml>",
            3,
            "refers to 'b', which is not a",
        ),
        (
            f"{HEAD}{GRAPH}\n<node id='a'/>\n\n<node id='a'/></graph></graphml>",
            4,
            "node 'a' was already defined in line 2",
        ),
        (f"{HEAD}{GRAPH}</graph></graphml>", None, "no nodes in this file"),
        (f"{HEAD}\n{GRAPH}<node", 2, "not XML"),
        (f"{HEAD}{'<a>' * 60}{'</a>' * 60}</graphml>", 1, "more than 50 nested elements"),
        (
            f"{HEAD}{GRAPH}<node id='a'><data key='k'>1</data></node></graph></graphml>",
            None,
            "invalid GraphML: .* no key k",
        ),
        (
            f"{HEAD}<key id='k' for='node' attr.name='n' attr.type='int'/>{GRAPH}<node id='a'>"
            "<data key='k'>x</data></node></graph></graphml>",
            None,
            "invalid GraphML: invalid literal",
        ),
        ("", 1, "not XML"),
    ],
)
def test_files_that_are_wrong_or_meant_to_harm_are_refused(tmp_path, text, line, said):
    (tmp_path / "a.graphml").write_text(text)
    with pytest.raises(DataError, match=said) as caught:
        read_graphml(tmp_path / "a.graphml")
    assert caught.value.line == line


def test_a_file_that_unzips_without_end_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(graph_files, "MOST_BYTES", 2**20)
    (tmp_path / "a.graphml.gz").write_bytes(gzip.compress(b" " * (2**20 + 1)))
    with pytest.raises(DataError, match="larger than 1 MiB"):
        read_graphml(tmp_path / "a.graphml.gz")


def test_too_many_elements_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(graph_files, "MOST_ELEMENTS", 3)
    (tmp_path / "a.graphml").write_text(f"{HEAD}{GRAPH}<node id='a'/><node id='b'/></graph></graphml>")
    with pytest.raises(DataError, match="more than 3 elements"):
        read_graphml(tmp_path / "a.graphml")
