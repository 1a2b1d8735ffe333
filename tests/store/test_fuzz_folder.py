"""A minute of what `benchmarks.fuzz_folder` does for an hour: changed folders load or are one line, never more."""

from __future__ import annotations

import random

import pytest
from benchmarks.fuzz_folder import Target, train_all

pytestmark = pytest.mark.slow

N = 1_500
FOUND: list[bytes] = []  # inputs with which the fuzzer broke something, once mended


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    home = tmp_path_factory.mktemp("fuzz")
    return Target(train_all(home / "models"), home / "model")


def test_a_changed_folder_is_loaded_or_refused_in_one_line(target):
    rng = random.Random(16)
    for _ in range(N):
        target(rng.randbytes(rng.randrange(8, 200)))
    assert target.tried == N and 0.05 < target.loaded / N < 0.7


@pytest.mark.parametrize("content", FOUND)
def test_what_broke_it_once_is_refused(target, content):
    target(content)
