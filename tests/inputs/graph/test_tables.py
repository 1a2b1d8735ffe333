from pathlib import Path

import numpy as np
import pytest

from heedful.errors import DataError
from heedful.inputs.graph.tables import NodeColumns, read_tables

NODES = "node_id\tage\tlabel\tsplit\tword_ids\na\t30\tx\ttrain\t0 2\nb\t2.5\t\ttest\t\nc\t-1\ty\tdev\t12\n"
EDGES = "source\ttarget\na\tb\nc\ta\n"


@pytest.fixture
def files(tmp_path):
    def write(nodes=NODES, edges=EDGES, ending="tsv"):
        for name, text in (("nodes", nodes), ("edges", edges)):
            (tmp_path / f"{name}.{ending}").write_text(text, encoding="utf-8")
        return tmp_path / f"nodes.{ending}", tmp_path / f"edges.{ending}"

    return write


def test_numbers_sets_labels_splits_and_edges_are_read(files):
    found = read_tables(*files())
    assert found.graph.names == ("a", "b", "c")
    assert found.graph.columns == ("age", "word_ids=0", "word_ids=2", "word_ids=12")
    assert found.graph.vectors.tolist() == [[30, 1, 1, 0], [2.5, 0, 0, 0], [-1, 0, 0, 1]]
    assert found.graph.edges.tolist() == [[0, 1], [2, 0]] and found.graph.kinds is None
    assert found.labels == ("x", None, "y") and found.splits == ("train", "test", "dev")


def test_columns_of_words_are_no_features_and_the_ones_asked_for_are_the_only_ones(files):
    nodes = "id\ttitle\tp\tq\na\tOn bees\t1\t2\nb\t\t3\t4\n"
    edges = "source\ttarget\na\tb\n"
    assert read_tables(*files(nodes, edges)).graph.columns == ("p", "q")
    assert read_tables(*files(nodes, edges), asked=NodeColumns(features=("q",))).graph.vectors.tolist() == [[2], [4]]
    with pytest.raises(DataError, match="line 2: title has 'On', expected integers"):
        read_tables(*files(nodes, edges), asked=NodeColumns(features=("title",)))


def test_columns_may_have_other_names_and_edges_kinds(files):
    nodes = "who,team,x\nann,red,1\nbob,blue,2\n"
    edges = "from,to,kind\nann,bob,likes\n"
    found = read_tables(*files(nodes, edges, "csv"), asked=NodeColumns(name="who", label="team"))
    assert found.graph.columns == ("x",) and found.labels == ("red", "blue") and found.graph.kinds == ("likes",)


def test_several_numbers_in_any_cell_make_a_set(files):
    found = read_tables(*files("id\tseen\na\t3\nb\t3 5\n", "a\tb\na\tb\n"))
    assert found.graph.columns == ("seen=3", "seen=5")
    assert found.graph.vectors.tolist() == [[1, 0], [1, 1]]


def test_nodes_without_features_are_told_by_their_number_of_edges(files):
    found = read_tables(*files("id\na\nb\nc\n", EDGES))
    assert found.graph.columns == ("degree",) and found.graph.vectors.tolist() == [[2], [1], [1]]


def test_a_graph_without_edges_is_a_graph(files):
    assert read_tables(*files(edges="source\ttarget\n")).graph.edges.shape == (0, 2)


@pytest.mark.parametrize(
    ("nodes", "edges", "line", "said"),
    [
        (NODES, EDGES + "a\tzed\n", 4, "target is 'zed', which is not a node in"),
        (NODES + "b\t1\t\t\t\n", EDGES, 5, "node 'b' was already defined in line 3"),
        (NODES + "d\told\t\t\t\n", EDGES, 5, "age is 'old', expected a number"),
        (NODES + "d\tinf\t\t\t\n", EDGES, 5, "age is 'inf', expected a number"),
        (NODES + "d\t\t\t\t\n", EDGES, 5, "age is '', expected a number"),
        (NODES + "d\t1\t\t\t1 -2\n", EDGES, 5, "word_ids has '-2', expected integers"),
        (NODES + "d\t1\n", EDGES, 5, "found 2 columns, expected 5"),
        (NODES + " \t1\t\t\t\n", EDGES, 5, "node_id is empty, expected the name of a node"),
        ("node_id\tage\n", EDGES, None, "no nodes"),
        (NODES, "source\na\n", None, "found 1 column, 'source', expected 2"),
        ("id\tx=1\na\t1\n", "s\tt\na\ta\n", None, "'x=1' contains '='"),
    ],
)
def test_faults_name_the_file_and_the_line(files, nodes, edges, line, said):
    with pytest.raises(DataError, match=said) as caught:
        read_tables(*files(nodes, edges))
    assert caught.value.line == line


def test_a_missing_column_is_named(files):
    with pytest.raises(DataError, match=r"no column 'lable'.* Did you mean label\?"):
        read_tables(*files(), asked=NodeColumns(label="lable"))


def test_too_many_numbers_are_refused_before_they_are_made(files, monkeypatch):
    monkeypatch.setattr("heedful.inputs.graph.columns.MOST_NUMBERS", 11)
    with pytest.raises(DataError, match="3 nodes with 4 numbers each are 12 numbers, expected at most 11"):
        read_tables(*files())


def test_cora_is_as_its_papers_say():
    folder = Path("/work/shared/data/cora")
    if not folder.is_dir():
        pytest.skip("the data is not here")
    found = read_tables(folder / "nodes.tsv", folder / "edges.tsv")
    assert len(found.graph) == 2708 and len(found.graph.edges) == 5278 and len(set(found.labels)) == 7
    assert [found.splits.count(name) for name in ("train", "dev", "test")] == [140, 500, 1000]
    assert int(np.count_nonzero(found.graph.vectors)) == 49216
