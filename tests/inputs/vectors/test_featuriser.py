import numpy as np
import pytest

from heedful.config import Config
from heedful.errors import HeedfulError, ModelFolderError
from heedful.inputs.vectors.featuriser import VectorFeaturiser


def test_vectors_come_out_as_they_are_cut_at_the_most_that_is_read():
    item = VectorFeaturiser(2, max_tokens=2).features([[1, 2], [3, 4], [5, 6]])
    assert item.arrays["vectors"].tolist() == [[1, 2], [3, 4]] and item.arrays["vectors"].dtype == np.float32


def test_one_vector_is_a_time_of_one_and_none_is_a_time_of_zero():
    assert len(VectorFeaturiser(2).features([1, 2])) == 1
    assert len(VectorFeaturiser(2).features(np.zeros((0, 2)))) == 0


def test_parts_are_numbers_or_names():
    parts = VectorFeaturiser(1, names=("eye", "ear")).parts([[1], [2], [3]])
    assert [parts.text[a:b] for a, b in parts.spans] == ["eye", "ear", "3"]


def test_one_is_learned_from_the_first_vectors_and_says_what_is_cut():
    found = VectorFeaturiser.learned([np.zeros((3, 2)), np.zeros((1, 2))], Config().changed(max_tokens=2))
    assert found.shape.names == ("vectors",) and found.shape.width == 2
    assert found.is_cut(np.zeros((3, 2))) and not found.is_cut(np.zeros((2, 2)))


def test_saved_then_read_it_is_the_same():
    before = VectorFeaturiser(3, max_tokens=7, names=("ä",))
    assert vars(VectorFeaturiser.from_json(before.to_json())) == vars(before)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"width": "3", "max_tokens": 1, "names": []}'])
def test_what_is_no_featuriser_is_refused(text):
    with pytest.raises(ModelFolderError, match=r"input\.json is not readable"):
        VectorFeaturiser.from_json(text)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("a text", "found str, expected vectors"),
        ([[1, 2], [3]], "found list, expected vectors"),
        ([[1, 2, 3]], r"shape \(1, 3\), expected \(time, 2\)"),
        (np.zeros((1, 1, 2)), r"shape \(1, 1, 2\), expected \(time, 2\)"),
        ([[1, 2], [3, np.inf]], "vector 2 has a number that is not finite"),
    ],
)
def test_what_does_not_fit_says_what_would(source, said):
    with pytest.raises(HeedfulError, match=said):
        VectorFeaturiser(2).features(source)
