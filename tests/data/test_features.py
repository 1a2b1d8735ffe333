"""Inputs of any kind, padded together and taken apart."""

from __future__ import annotations

import numpy as np

from heedful.data.batch import ordered_batches, pad
from heedful.data.features import LINKS, NEAR, Item, TextPair, parts_of_names
from heedful.data.input_spec import InputSpec


def vectors(n: int) -> Item:
    return Item({"vectors": np.arange(3.0 * n, dtype=np.float32).reshape(n, 3)})


def test_every_axis_is_padded_with_zeros():
    letters = [np.ones((2, 5), dtype=np.int64), np.ones((4, 1), dtype=np.int64)]
    batch = pad([Item({"ids": np.arange(1, len(one) + 1), "letters": one}) for one in letters], [1, 0])
    assert batch.inputs["letters"].shape == (2, 4, 5)
    assert batch.lengths.tolist() == [4, 2]
    assert batch.inputs["letters"].sum() == 14
    assert batch.ids.tolist() == [[1, 2, 3, 4], [1, 2, 0, 0]]
    assert batch.padding == 0.25


def test_vectors_are_floats_and_an_empty_input_takes_one_place():
    batch = pad([vectors(0), vectors(0)], [0, 1])
    assert batch.inputs["vectors"].shape == (2, 1, 3)
    assert batch.inputs["vectors"].dtype == np.float32
    assert batch.time == 1


def test_the_first_of_all_pairs_come_before_the_second():
    pairs = [TextPair(np.array([1]), np.array([2, 3])), TextPair(np.array([4, 5, 6]), np.array([7]))]
    batch = pad(pairs, [0, 1])
    assert batch.ids.tolist() == [[1, 0, 0], [4, 5, 6], [2, 3, 0], [7, 0, 0]]
    assert (len(batch.positions), batch.lengths.tolist()) == (2, [1, 3, 2, 1])
    assert [batch.positions.tolist() for batch in ordered_batches(pairs, max_texts=1, max_cells=99)] == [[0], [1]]


def test_what_leads_to_a_place_that_went_is_gone():
    # a chain 0 – 1 – 2 – 3; each is its own first neighbour
    near = np.array([[0, 1, 0], [1, 0, 2], [2, 1, 3], [3, 2, 0]])
    links = np.array([[1, 2, 0], [1, 2, 2], [1, 2, 2], [1, 2, 0]])
    chain = Item({"vectors": np.eye(4, dtype=np.float32), NEAR: near, LINKS: links})
    left = chain.keeping(np.array([True, False, True, True]))
    assert left.arrays["vectors"].argmax(1).tolist() == [0, 2, 3]
    assert left.arrays[LINKS].tolist() == [[1, 0, 0], [1, 0, 2], [1, 2, 0]]
    assert left.arrays[NEAR].tolist() == [[0, 0, 0], [1, 0, 2], [2, 1, 0]]


def test_equal_items_have_the_same_bytes():
    assert vectors(3).tobytes() == vectors(3).tobytes() != vectors(2).tobytes()


def test_names_become_a_text_with_places():
    found = parts_of_names(["C1", "N2"], [1, 3])
    assert [found.text[a:b] for a, b in found.spans] == ["C1", "N2"]
    assert found.sizes == [1, 3]


def test_the_smallest_input_has_every_array_that_the_graph_takes():
    shape = InputSpec(width=4, n_links=3)
    assert shape.names == ("vectors", "near", "links")
    assert set(shape.smallest().arrays) == set(shape.names)
    assert InputSpec(n_ids=9).smallest().tolist() == [8]
