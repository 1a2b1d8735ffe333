import numpy as np
import pytest

from heedful.api.train import train
from heedful.cli.main import main
from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.inputs.graph.explain_node import around
from heedful.inputs.graph.graph import Graph

LINE = Graph(tuple("abcdef"), np.eye(6), [(i, i + 1) for i in range(5)])


@pytest.mark.parametrize(("steps", "expected"), [(0, "c"), (1, "bcd"), (2, "abcde"), (9, "abcdef")])
def test_around_are_the_nodes_so_many_steps_away(steps, expected):
    kept = around(LINE, 2, steps)
    assert LINE.keeping(kept).names == tuple(expected)


def test_what_is_kept_of_a_graph_keeps_its_edges_vectors_and_kinds():
    graph = Graph(tuple("abcd"), np.eye(4), [(0, 1), (1, 2), (2, 3)], ("x", "y", "z"), tuple("pqrs"))
    found = graph.keeping(np.array([False, True, True, True]))
    assert found.names == ("b", "c", "d") and found.edges.tolist() == [[0, 1], [1, 2]] and found.kinds == ("y", "z")
    assert (found.vectors == graph.vectors[1:]).all() and found.columns == graph.columns


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return a tagger of nodes that are `near` where a red one is beside them, and the graph that it learned."""
    folder = tmp_path_factory.mktemp("nodes")
    random = np.random.default_rng(0)
    n = 120
    red = random.random(n) < 0.2
    pairs = [(i, i + 1) for i in range(n - 1) if i % 10 != 9]  # lines of ten
    near = {a for a, b in pairs if red[b]} | {b for a, b in pairs if red[a]}
    rows = [f"n{i}\t{int(red[i])}\t{random.normal():.3f}\t{'near' if i in near else 'far'}" for i in range(n)]
    (folder / "nodes.tsv").write_text("\n".join(["id\tred\tnoise\tlabel", *rows]))
    (folder / "edges.tsv").write_text("\n".join(["source\ttarget", *(f"n{a}\tn{b}" for a, b in pairs)]))
    return train(
        folder / "nodes.tsv",
        folder / "model",
        input="graph",
        task="tag",
        edges=str(folder / "edges.tsv"),
        encoder="neighbours",  # a node must be told from its neighbours here
        l2=0.0,
        units=16,
        n_heads=2,
        inner_units=32,
        n_layers=1,
        dropout=0.0,
        lr=0.02,
        epochs=60,
        patience=60,
    ), folder


def test_a_label_for_each_node_is_learned(trained):
    model, _ = trained
    assert model.labels == ("far", "near") and model.facts.metrics["accuracy"] == 1.0
    assert "120 nodes" not in repr(model) and model.config.source.edges.endswith("edges.tsv")


def test_leaving_out_the_red_neighbour_is_what_changes_the_label(trained):
    model, _ = trained
    graph = Graph(
        tuple("abcdefg"),
        np.array([[0, 0], [0, 0], [1, 0], [0, 0], [0, 0], [0, 0], [1, 0]], dtype=np.float32),
        [(i, i + 1) for i in range(6)],
        columns=("red", "noise"),
    )
    assert model.predict(graph) == ("far", "near", "far", "near", "far", "near", "far")
    found = model.explain(graph, word="b")
    effects = dict(zip([word.text for word in found.words], found.effects[LEAVE_ONE_OUT], strict=True))
    assert list(effects) == ["a", "b", "c", "d"]  # two steps: those further off have no part in it
    assert np.isnan(effects["b"]) and effects["c"] > 0.5 and abs(effects["a"]) < 0.3
    assert found.label == "near" and "at most 2 edges away" in found.notes[0]
    assert 0.99 < found.weights.sum() < 1.01 and found.weights.shape == (1, 4) and found.weights[0, 3] == 0
    assert "<svg" in found.to_svg() and "c" in found.to_html()


def test_the_part_that_is_shown_gives_the_answer_of_the_whole(trained):
    model, _ = trained
    random = np.random.default_rng(1)
    edges = random.integers(0, 30, size=(40, 2))
    names = tuple(f"m{i}" for i in range(30))
    graph = Graph(names, random.normal(size=(30, 2)), edges, columns=("red", "noise"))
    whole = model.predict_proba(graph)
    for i in range(0, 30, 7):
        found = model.explain(graph, word=i + 1)
        assert [found.probabilities[label] for label in model.labels] == pytest.approx(list(whole[i]), abs=1e-5)


def test_the_nodes_looked_at_sum_to_the_scores(trained):
    model, _ = trained
    names = tuple(f"m{i}" for i in range(12))
    edges = np.random.default_rng(2).integers(0, 12, size=(16, 2))
    graph = Graph(names, np.random.default_rng(3).normal(size=(12, 2)), edges, columns=("red", "noise"))
    found = model.explain(graph)
    assert not found.own.any()  # a node looks at itself too
    for c, label in enumerate(model.labels):
        total = found.bias[c] + found.contributions_to(label).sum(axis=1)
        np.testing.assert_allclose(total, found.scores[:, c], atol=1e-5)
    node = model.explain(graph, word="m3")
    np.testing.assert_allclose(node.bias + node.contributions.sum(axis=0), node.scores, atol=1e-5)
    np.testing.assert_allclose(node.scores, found.scores[3], atol=1e-5)
    assert "each node that it looked at" in found.to_html() and "own state" not in found.to_html()


def test_a_node_that_is_not_there_is_named(trained):
    model, _ = trained
    with pytest.raises(HeedfulError, match="there is no node 'zed' in this graph"):
        model.explain(LINE, word="zed")
    with pytest.raises(HeedfulError, match="there is no node 7: expected 1 to 6, or a name"):
        model.explain(LINE, word=7)


def test_of_a_small_graph_all_nodes_are_explained_and_of_a_large_one_a_name_is_asked_for(trained):
    model, _ = trained
    small = Graph(tuple("abc"), np.zeros((3, 2)), [(0, 1)], columns=("red", "noise"))
    found = model.explain(small)
    assert len(found.labels) == 3 and found.weights.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert found.weights[2].tolist() == [0, 0, 1]
    large = Graph(tuple(map(str, range(301))), np.zeros((301, 2)), [], columns=("red", "noise"))
    with pytest.raises(HeedfulError, match=r"301 nodes, and at most 300 can be explained at once.*word=NAME"):
        model.explain(large)


def test_the_nodes_of_a_file_are_evaluated_and_predicted_with_the_edges_it_was_trained_with(trained):
    from heedful.jobs.evaluate import evaluate_file
    from heedful.jobs.read_inputs import read_sources

    model, folder = trained
    assert evaluate_file(model, folder / "nodes.tsv").to_dict()["accuracy"] > 0.95
    ((row, graph),) = read_sources(model, folder / "nodes.tsv")
    assert len(model.predict(graph)) == 120 and row.values["graph"].endswith("nodes.tsv")


def test_a_file_of_answers_has_a_row_for_each_node(trained, tmp_path):
    _, folder = trained
    command = ["predict", str(folder / "model"), str(folder / "nodes.tsv"), "-o", str(tmp_path / "out.csv"), "-q"]
    assert main(command) == 0
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == "node,predicted"
    assert len(lines) == 121
