"""Some seconds of what `benchmarks.fuzz_folder` does for an hour: changed folders load or are one line, never more."""

from __future__ import annotations

import random

import pytest
from benchmarks.fuzz_folder import Target, train_all

pytestmark = pytest.mark.slow

N = 1_500
FOUND = {  # inputs with which the fuzzer broke something, before it was mended
    "a Concat without an axis": bytes.fromhex("00930441302708 1fbc"),
    "an LSTM without units": bytes.fromhex("06bebccd9dcdcdcdcdcdcd009300274925cdcdcd41cdcd"),
    "a decoder that gives no numbers": bytes.fromhex("06faf9f7f1d6d500ffffffffffffff00f03fbc"),
}


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    home = tmp_path_factory.mktemp("fuzz")
    return Target(train_all(home / "models"), home / "model")


def test_a_changed_folder_is_loaded_or_refused_in_one_line(target):
    rng, before = random.Random(16), (target.tried, target.loaded)
    for _ in range(N):
        target(rng.randbytes(rng.randrange(8, 200)))
    assert target.tried - before[0] == N and 0.05 < (target.loaded - before[1]) / N < 0.7


@pytest.mark.parametrize("name", FOUND)
def test_what_broke_it_once_is_refused(target, name):
    target(FOUND[name])
