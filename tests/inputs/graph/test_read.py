import networkx as nx
import pytest

from heedful.config import Config
from heedful.data.columns import Columns
from heedful.errors import DataError
from heedful.inputs.graph.read import read_node_sides, read_task_file

EDGES = "source\ttarget\na\tb\n"
NODES = "id\tx\tlabel\tsplit\na\t1\tp\ttrain\nb\t2\tq\tdev\nc\t3\tp\ttest\nd\t4\tq\tother\ne\t5\t\ttrain\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "nodes.tsv").write_text(NODES)
    (tmp_path / "edges.tsv").write_text(EDGES)
    return tmp_path


def settings(folder, **more):
    return Config().changed(input="graph", **{"task": "tag", "edges": str(folder / "edges.tsv"), **more})


def test_the_column_of_splits_says_which_labels_are_learned_checked_and_tested(folder):
    train, valid, columns = read_node_sides(folder / "nodes.tsv", settings(folder))
    assert train[0].label == ("p", "", "", "", "") and valid[0].label == ("", "q", "", "", "")
    assert train[0].text is valid[0].text and train[0].text.names == tuple("abcde")
    assert columns == Columns("id", "label")
    (test,), _ = read_task_file(folder / "nodes.tsv", settings(folder), asked=Columns(), hints=columns)
    assert test.label == ("", "", "p", "", "")


def test_without_splits_a_share_of_each_label_is_kept_back_and_all_are_tested(folder):
    rows = "".join(f"n{i}\t{i}\t{'pq'[i % 2]}\n" for i in range(40))
    (folder / "nodes.tsv").write_text(f"id\tx\tlabel\n{rows}last\t1\t\n")
    (folder / "edges.tsv").write_text("source\ttarget\nn1\tn2\n")
    train, valid, _ = read_node_sides(folder / "nodes.tsv", settings(folder, valid_share=0.2))
    assert [valid[0].label.count(label) for label in ("p", "q")] == [4, 4]
    for a, b in zip(train[0].label[:40], valid[0].label[:40], strict=True):
        assert (a == "") != (b == "")
    (test,), _ = read_task_file(folder / "nodes.tsv", settings(folder), asked=Columns())
    assert test.label == (*("p", "q") * 20, "")


def test_one_graphml_file_may_hold_the_nodes_and_their_labels(tmp_path):
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: "p", 1: "q"}, "label")
    nx.set_node_attributes(graph, {0: "train", 1: "valid", 2: "train"}, "split")
    nx.write_graphml(graph, tmp_path / "a.graphml")
    train, valid, _ = read_node_sides(tmp_path / "a.graphml", settings(tmp_path))
    assert train[0].label == ("p", "", "") and valid[0].label == ("", "q", "")


def test_a_table_of_graphs_gives_their_paths_and_labels(tmp_path):
    (tmp_path / "train.csv").write_text("graph,label\na.graphml,ring\nb.graphml,tree\n")
    examples, columns = read_task_file(tmp_path / "train.csv", settings(tmp_path, task="classify"), asked=Columns())
    assert [(e.text, e.label) for e in examples] == [
        (str(tmp_path / "a.graphml"), "ring"),
        (str(tmp_path / "b.graphml"), "tree"),
    ]
    assert columns == Columns("graph", "label")


def test_what_is_missing_is_said(folder):
    with pytest.raises(DataError, match=r"a node table needs an edge table\. Set source\.edges"):
        read_node_sides(folder / "nodes.tsv", settings(folder, edges=None))
    (folder / "nodes.tsv").write_text("id\tx\na\t1\nb\t2\n")
    with pytest.raises(DataError, match=r"no node has a label\. Set data\.label"):
        read_node_sides(folder / "nodes.tsv", settings(folder))
    (folder / "nodes.tsv").write_text("id\tx\tlabel\tsplit\na\t1\tp\ttrain\nb\t2\tq\ttest\n")
    with pytest.raises(DataError, match="no labelled node is marked as dev"):
        read_node_sides(folder / "nodes.tsv", settings(folder))
