from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from heedful.data.split import stratified_split

LABELS = st.lists(st.sampled_from("abcd"), max_size=60)
SHARE = st.floats(0.01, 0.5)


@given(LABELS, SHARE, st.integers(0, 9))
def test_the_parts_are_a_partition_in_order(labels, share, seed):
    kept, held = stratified_split(labels, share, seed=seed)
    assert sorted(kept + held) == list(range(len(labels)))
    assert (kept, held) == (sorted(kept), sorted(held))


@given(LABELS, SHARE, st.integers(0, 9))
def test_every_label_keeps_its_share_on_both_sides(labels, share, seed):
    kept, held = stratified_split(labels, share, seed=seed)
    left, back = Counter(labels[i] for i in kept), Counter(labels[i] for i in held)
    for label, n in Counter(labels).items():
        assert left[label] >= 1
        assert back[label] == (0 if n == 1 else min(n - 1, max(1, round(share * n))))


def test_a_seed_repeats_and_another_differs():
    labels = ["a", "b"] * 50
    assert stratified_split(labels, 0.2, seed=1) == stratified_split(labels, 0.2, seed=1)
    assert stratified_split(labels, 0.2, seed=1) != stratified_split(labels, 0.2, seed=2)


def test_what_is_held_back_is_no_run_of_the_file():
    _, held = stratified_split(["a"] * 100, 0.1, seed=0)
    assert len(held) == 10
    assert held[-1] - held[0] > 20
