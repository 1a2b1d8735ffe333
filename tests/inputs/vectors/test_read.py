import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.columns import Columns
from heedful.errors import DataError
from heedful.inputs.vectors.read import is_vector_file, read_sources, read_task_file, read_vectors

X = np.arange(24, dtype=np.float64).reshape(3, 4, 2)
Y = np.array(["a", "b", "a"])


def check(examples, lengths, labels):
    assert [len(e.vectors) for e in examples] == lengths
    assert [e.label for e in examples] == labels and [e.row for e in examples] == [1, 2, 3]
    for expected, n, example in zip(X, lengths, examples, strict=True):
        assert example.vectors.dtype == np.float32 and example.vectors.tolist() == expected[:n].tolist()


@pytest.mark.parametrize("lengths", [None, [4, 1, 0]])
def test_npz_of_one_block(tmp_path, lengths):
    more = {} if lengths is None else {"lengths": np.array(lengths)}
    np.savez(tmp_path / "a.npz", x=X, y=Y, **more)
    check(list(read_vectors(tmp_path / "a.npz")), lengths or [4, 4, 4], ["a", "b", "a"])


def test_npz_of_vectors_one_after_the_other(tmp_path):
    lengths = [3, 0, 2]
    x = np.concatenate([block[:n] for block, n in zip(X, lengths, strict=True)])
    np.savez(tmp_path / "a.npz", x=x, lengths=np.array(lengths), y=np.array([0.5, 2, 3]))
    check(list(read_vectors(tmp_path / "a.npz")), lengths, ["0.5", "2.0", "3.0"])


def test_npy_takes_its_labels_from_the_table_beside_it(tmp_path):
    np.save(tmp_path / "a.npy", X)
    check(list(read_vectors(tmp_path / "a.npy")), [4, 4, 4], [None, None, None])
    (tmp_path / "a.csv").write_text("n,label\n1,a\n2,b\n3,a\n")
    check(list(read_vectors(tmp_path / "a.npy")), [4, 4, 4], ["a", "b", "a"])
    check(list(read_vectors(tmp_path / "a.npy", label="n")), [4, 4, 4], ["1", "2", "3"])


def test_a_single_vector_for_each_example_is_a_time_of_one(tmp_path):
    np.save(tmp_path / "a.npy", X[:, 0])
    assert [e.vectors.shape for e in read_vectors(tmp_path / "a.npy")] == [(1, 2)] * 3


def test_tables_with_lists_of_lists(tmp_path):
    lengths = [4, 1, 2]
    vectors = [block[:n].tolist() for block, n in zip(X, lengths, strict=True)]
    pq.write_table(pa.table({"x": vectors, "label": ["a", "b", None], "n": [1, 2, 3]}), tmp_path / "a.parquet")
    rows = zip(vectors, ["a", "b", None], strict=True)
    lines = [json.dumps({"vectors": v, "label": label}) for v, label in rows]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    for name in ("a.parquet", "a.jsonl"):
        check(list(read_vectors(tmp_path / name)), lengths, ["a", "b", None])


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"y": Y}, "no array 'x'"),
        ({"x": X, "y": Y[:2]}, r"y has the shape \(2,\), expected \(3,\)"),
        ({"x": X[0], "lengths": np.array([1, 2])}, "lengths add up to 3, but x has 4 vectors"),
        ({"x": X[0], "lengths": np.array([-1, 5])}, "non-negative integers"),
        ({"x": X[0], "lengths": np.array([1.0, 3.0])}, "non-negative integers"),
        ({"x": X, "lengths": np.array([1, 2])}, "2 lengths, but x has 3 examples"),
        ({"x": X, "lengths": np.array([1, 2, 5])}, r"lengths\[2\] is 5, but x has room for 4"),
        ({"x": X[0, 0]}, r"x has the shape \(2,\), expected \(example, time, width\)"),
        ({"x": np.where(X == 11, np.nan, X)}, "example 2: vector 2 has a number that is not finite"),
        ({"x": X * 1e300}, "example 1: vector 1 has a number that is not finite"),
        ({"x": np.array([["a", "b"]])}, "example 1 has the type <U1, expected numbers"),
        ({"x": X[:0]}, "no examples"),
        ({"x": X, "y": np.array([1, np.nan, 2])}, r"y\[1\] is not finite"),
    ],
)
def test_faults_of_npz_say_both_numbers(tmp_path, arrays, said):
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(DataError, match=said):
        list(read_vectors(tmp_path / "a.npz"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"vectors": [[1, 2, 3]], "label": "a"}, "example 2: the vectors have width 3, expected 2"),
        ({"vectors": [[1, 2], [3]], "label": "a"}, "line 2: vectors is not a list of vectors of the same width"),
        ({"vectors": [["x", "y"]], "label": "a"}, "line 2: vectors is not a list of vectors"),
        ({"vectors": 3, "label": "a"}, r"line 2: vectors has the shape \(\), expected \(time, width\)"),
        ({"vectors": [], "label": "a"}, r"line 2: vectors has the shape \(0,\)"),
        ({"label": "a"}, "line 2"),
    ],
)
def test_faults_of_tables_name_the_line(tmp_path, row, said):
    lines = [json.dumps({"vectors": [[1, 2]], "label": "b"}), json.dumps(row)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    with pytest.raises(DataError, match=said):
        list(read_vectors(tmp_path / "a.jsonl"))


def test_a_table_without_vectors_and_labels_of_another_number_are_refused(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "hi", "label": "a"}')
    with pytest.raises(DataError, match="no column of vectors"):
        list(read_vectors(tmp_path / "a.jsonl"))
    np.save(tmp_path / "b.npy", X)
    (tmp_path / "b.tsv").write_text("label\na\nb\n")
    with pytest.raises(DataError, match="found 2 rows, expected 3: one per example"):
        list(read_vectors(tmp_path / "b.npy"))


def test_as_examples_of_a_task_all_have_answers(tmp_path):
    np.savez(tmp_path / "a.npz", x=X, y=np.array([1.5, 2, 3]))
    examples, _ = read_task_file(tmp_path / "a.npz", Config().changed(task="regress"), asked=Columns())
    assert [(e.text.shape, e.label, e.line) for e in examples] == [
        ((4, 2), str(y), i + 1) for i, y in enumerate((1.5, 2.0, 3.0))
    ]
    np.savez(tmp_path / "a.npz", x=X, y=Y)
    with pytest.raises(DataError, match="the label of example 1 is 'a', expected a number"):
        read_task_file(tmp_path / "a.npz", Config().changed(task="regress"), asked=Columns())
    np.savez(tmp_path / "a.npz", x=X)
    with pytest.raises(DataError, match=r"example 1 has no label\. Labels are read from y in an \.npz"):
        read_task_file(tmp_path / "a.npz", Config(), asked=Columns())


def test_bad_examples_are_left_out_and_counted_where_that_is_asked_for(tmp_path):
    rows = [[[1, 2]], [[1, 2, 3]], "no", [[np.inf, 1]], [[3, 4]]]
    labels = ["a", "b", "c", "d", ""]
    lines = [json.dumps({"vectors": v, "label": label}) for v, label in zip(rows, labels, strict=True)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    faults = BadRows(skip=True)
    examples, _ = read_task_file(tmp_path / "a.jsonl", Config(), asked=Columns(), faults=faults)
    assert [e.label for e in examples] == ["a"] and faults.n == 4


def test_files_of_arrays_are_told_by_their_ending():
    assert is_vector_file("a/b.npz") and is_vector_file("x.npy") and not is_vector_file("x.parquet")


def test_an_example_without_vectors_is_named(tmp_path):
    np.savez(tmp_path / "x.npz", x=np.ones((3, 2, 4)), lengths=np.array([2, 0, 1]), y=np.array(["a", "b", "a"]))
    config = Config().with_given(input="vectors")
    for read in (read_task_file, lambda *a, **k: list(read_sources(*a, **k))):
        with pytest.raises(DataError, match=r"x\.npz: example 2 has no vectors"):
            read(tmp_path / "x.npz", config, asked=Columns())
        faults = BadRows(skip=True)
        read(tmp_path / "x.npz", config, asked=Columns(), faults=faults)
        assert faults.n == 1
