import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.errors import HeedfulError
from heedful.inputs.graph import graph as graphs
from heedful.inputs.graph.graph import Graph, neighbours


def made(n, edges, **more):
    return Graph(tuple(f"n{i}" for i in range(n)), np.eye(n, 3), np.array(edges), **more)


EDGES = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=20), st.booleans()
    )
)


@given(EDGES)
def test_each_node_is_its_own_first_neighbour_and_sees_those_at_the_other_ends_once(case):
    n, edges, directed = case
    near, links = neighbours(made(n, edges), directed=directed)
    for node in range(n):
        expected = {a for a, b in edges if b == node} | ({b for a, b in edges if a == node} if not directed else set())
        found = near[node][links[node] > 0].tolist()
        assert found[0] == node and links[node][0] == 1
        assert sorted(found[1:]) == sorted(expected - {node})
        assert set(links[node][1:]) <= {0, 2}


def test_links_have_the_numbers_of_their_kinds_both_ways():
    graph = made(3, [(0, 1), (1, 2)], kinds=("likes", "knows"))
    near, links = neighbours(graph, kinds=("knows", "likes"))
    assert near.tolist() == [[0, 1, 0], [1, 0, 2], [2, 1, 0]]
    assert links.tolist() == [[1, 3, 0], [1, 3, 2], [1, 2, 0]]


def test_a_kind_that_was_not_learned_names_the_edge():
    graph = made(2, [(0, 1)], kinds=("owes",))
    with pytest.raises(HeedfulError, match="the edge n0 – n1 has the kind 'owes', expected one of knows, likes"):
        neighbours(graph, kinds=("knows", "likes"))
    with pytest.raises(HeedfulError, match="the edges have no kind, expected knows"):
        neighbours(made(2, [(0, 1)]), kinds=("knows",))


def test_a_hub_that_would_take_too_much_memory_is_named_with_both_numbers(monkeypatch):
    monkeypatch.setattr(graphs, "MOST_CELLS", 15)
    star = made(4, [(0, 1), (0, 2), (0, 3)])
    with pytest.raises(HeedfulError, match=r"node 'n0' has 3 neighbours, .* 16 neighbour slots, expected at most 15"):
        neighbours(star)
    monkeypatch.setattr(graphs, "MOST_CELLS", 16)
    assert neighbours(star)[0].shape == (4, 4)


@pytest.mark.parametrize(
    ("names", "vectors", "edges", "more", "said"),
    [
        ((), np.zeros((0, 2)), [], {}, "the graph has no nodes"),
        (("a", "b"), np.zeros((3, 2)), [], {}, r"shape \(3, 2\), expected \(2, width\)"),
        (("a", "a"), np.zeros((2, 2)), [], {}, "node 'a' occurs twice"),
        (("a", "b"), [[0, 0], [0, np.nan]], [], {}, "vector of node 'b' has a number that is not finite"),
        (("a", "b"), np.zeros((2, 2)), [(0, 1), (1, 2)], {}, r"edges\[1\] refers to node 2, expected 0 to 1"),
        (("a", "b"), np.zeros((2, 2)), [(0, 1)], {"kinds": ()}, "1 edges, but 0 kinds"),
        (("a", "b"), np.zeros((2, 2)), [], {"columns": ("x",)}, "width 2, but there are 1 column names"),
    ],
)
def test_a_graph_that_does_not_fit_together_says_what_is_wrong(names, vectors, edges, more, said):
    with pytest.raises(HeedfulError, match=said):
        Graph(names, vectors, edges, **more)
