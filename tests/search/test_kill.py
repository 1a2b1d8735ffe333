"""A process killed while it adds: the index opens, has whole batches, and the way on leads to all rows."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import pytest

from heedful.search.index import Index

pytestmark = pytest.mark.slow

ADD = """
import sys
from heedful.search import rows
from heedful.search.index import Index
rows.MOST_ROWS = 20
index = Index.create(sys.argv[1], sys.argv[2])
print("ready", flush=True)
index.add({"text": f"bus number {i} came late"} for i in range(10**9))
"""


def test_a_killed_process_leaves_an_index_that_opens(tmp_path, encoder_folder):
    rng = random.Random(0)
    counts = []
    for turn, n_versions in enumerate([0, rng.randint(2, 8), rng.randint(9, 20)]):
        path = tmp_path / f"index{turn}"
        process = subprocess.Popen([sys.executable, "-c", ADD, path, encoder_folder], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            while len(list((path / "rows.lance" / "_versions").glob("*"))) < n_versions:
                assert process.poll() is None
                time.sleep(0.001)
        finally:
            process.kill()
            process.communicate()
        index = Index.open(path)
        counts.append(index.count())
        assert counts[-1] % 20 == 0
        done = index.add({"text": f"bus number {i} came late"} for i in range(1_000))
        assert index.count() == max(1_000, counts[-1]) and done.new == max(0, 1_000 - counts[-1])
        index.optimise()
        assert Index.open(path).search("bus number 3 came late")
    assert any(counts), "no process was killed in the middle"
