from hypothesis import given
from hypothesis import strategies as st

from heedful.data.renamed_columns import beside, free_names

NAMES = st.lists(st.sampled_from(["predicted", "input_predicted", "input_input_predicted", "text", "a"]), unique=True)


@given(NAMES, st.sets(st.sampled_from(["predicted", "probability", "input_predicted"])))
def test_no_two_columns_get_the_same_name(names, ours):
    found = free_names(names, ours)
    assert list(found) == names
    assert len(set(found.values())) == len(names) and not set(found.values()) & ours
    assert all(new == old for old, new in found.items() if old not in ours)


def test_tokens_that_the_answer_says_again_are_not_kept_twice():
    assert beside({"tokens": ["a"], "id": 1}, {"tokens": ["a"], "predicted": ["O"]}) == {
        "id": 1, "tokens": ["a"], "predicted": ["O"],
    }  # fmt: skip
    assert beside({"tokens": "a b"}, {"tokens": ["a", "b"]}) == {"input_tokens": "a b", "tokens": ["a", "b"]}
