"""From files of graphs and of vectors to a model folder, and back to answers."""

import networkx as nx
import numpy as np
import pytest

from heedful.api.train import train
from heedful.errors import DataError
from heedful.jobs.evaluate import evaluate_file
from heedful.jobs.read_inputs import read_sources
from heedful.runtime.model import load

SMALL = {"units": 16, "n_heads": 2, "inner_units": 16, "n_layers": 1, "n_hops": 2, "row_units": 4, "dropout": 0.0}


def write_graphs(folder, n):
    """Write trees: `with` has one red node whose number stands out."""
    rows = ["graph,label"]
    for i in range(n):
        tree = nx.random_labeled_tree(5 + i % 3, seed=i)
        nx.set_node_attributes(tree, dict.fromkeys(tree, "green"), "colour")
        nx.set_node_attributes(tree, {v: 100.0 + v for v in tree}, "height")
        if i % 2:
            tree.nodes[i % 5]["colour"] = "red"
        nx.write_graphml(tree, folder / f"{i}.graphml")
        rows.append(f"{i}.graphml,{'with' if i % 2 else 'without'}")
    (folder / "graphs.csv").write_text("\n".join(rows))
    return folder / "graphs.csv"


def assert_adds_most(model, found, name, label):
    """Check that a part of an input adds most to the score of its label, and that the sum is the answer."""
    assert not found.effects and found.label == label
    assert found.top(1)[0][0] == name and found.top(1)[0][1] > 0
    total = found.bias + found.contributions.sum(axis=0)
    np.testing.assert_allclose(total, found.scores, atol=1e-5)
    powers = np.exp(total - total.max())
    np.testing.assert_allclose(powers / powers.sum(), [found.probabilities[name] for name in model.labels], atol=1e-5)


def test_a_label_for_each_graph_is_learned_and_the_node_that_makes_it_is_found(tmp_path):
    table = write_graphs(tmp_path, 60)
    model = train(table, tmp_path / "model", input="graph", **SMALL, lr=0.02, epochs=10)
    assert model.facts.metrics["accuracy"] == 1.0
    assert model.featuriser.columns == ("height", "colour=green", "colour=red")
    assert evaluate_file(model, table).to_dict()["accuracy"] == 1.0
    path = str(tmp_path / "7.graphml")
    assert model.predict(path) == model.predict(nx.read_graphml(path)) == "with"
    found = model.explain(path, methods="leave-one-out")
    assert found.top(1, method="leave-one-out")[0][0] == "2"  # node 7 % 5
    assert_adds_most(model, model.explain(path), "2", "with")
    assert "A graph of 6 nodes and 5 edges" in found.to_svg()
    again = load(tmp_path / "model")
    assert again.predict_proba([path]) == pytest.approx(model.predict_proba([path]))


def test_where_each_node_sees_all_a_transformer_without_places_reads_the_graph(tmp_path):
    table = write_graphs(tmp_path, 40)
    model = train(table, tmp_path / "model", input="graph", reach="all", **SMALL, lr=0.02, epochs=6)
    assert model.config.model.encoder == "transformer" and not model.config.model.places
    assert model.featuriser.shape.names == ("vectors",)
    graph = nx.read_graphml(tmp_path / "3.graphml")
    turned = nx.Graph()
    turned.add_nodes_from(reversed(list(graph.nodes(data=True))))
    turned.add_edges_from(graph.edges)
    assert model.predict_proba(turned) == pytest.approx(model.predict_proba(graph), abs=1e-5)


def test_a_graph_that_cannot_be_read_names_the_line_of_the_table(tmp_path):
    table = write_graphs(tmp_path, 20)
    (tmp_path / "4.graphml").write_text("<!DOCTYPE x><graphml/>")
    with pytest.raises(DataError, match="the file has a DOCTYPE"):
        train(table, tmp_path / "model", input="graph", **SMALL, epochs=1)
    assert not (tmp_path / "model").exists()


def write_vectors(path, n):
    random = np.random.default_rng(0)
    lengths = random.integers(3, 8, size=n)
    labels = np.array(["up", "down"])[np.arange(n) % 2]
    pieces = [random.normal(size=(k, 3)) for k in lengths]
    for piece, label in zip(pieces, labels, strict=True):
        piece[random.integers(len(piece))] = (9, 5, 0) if label == "up" else (9, -5, 0)
    np.savez(path, x=np.concatenate(pieces), lengths=lengths, y=labels)
    return path


def test_vectors_of_ones_own_are_learned_evaluated_predicted_and_explained(tmp_path):
    path = write_vectors(tmp_path / "a.npz", 120)
    network = {"encoder": "static", "n_hops": 1, "row_units": 4, "attention_width": 8, "dropout": 0.0}
    model = train(path, tmp_path / "model", input="vectors", **network, lr=0.02, epochs=15)
    assert evaluate_file(model, path).to_dict()["accuracy"] > 0.95
    vectors = np.zeros((5, 3), dtype=np.float32)
    vectors[3] = (9, 5, 0)
    assert model.predict(vectors) == "up" and model.predict([vectors, -vectors])[0] == "up"
    assert model.predict(vectors.tolist()) == "up" and model.predict([vectors.tolist(), [[0, 0, 0]]])[0] == "up"
    found = model.explain(vectors, methods="leave-one-out")
    assert found.top(1, method="leave-one-out")[0][0] == "4" and int(found.overall.argmax()) == 3
    assert_adds_most(model, model.explain(vectors), "4", "up")
    assert "5 vectors of 3 numbers" in found.to_svg()
    sources = list(read_sources(model, path))
    assert len(sources) == 120 and sources[0][0].values == {"example": 1}


def test_vectors_of_another_width_are_refused(tmp_path):
    path = write_vectors(tmp_path / "a.npz", 40)
    model = train(path, tmp_path / "model", input="vectors", encoder="static", epochs=1)
    np.save(tmp_path / "b.npy", np.zeros((2, 4, 5)))
    with pytest.raises(DataError, match=r"b\.npy, line 1: vectors have the shape \(4, 5\), expected \(time, 3\)"):
        list(read_sources(model, tmp_path / "b.npy"))
