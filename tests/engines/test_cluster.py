"""The Ray that a command starts for itself, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
STARTED = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from listening import listening
from heedful.engines.cluster import NO_CLUSTER, joined
with joined(None, 1) as (ray, n):
    assert ray.get(ray.remote(lambda x: x + 1).remote(1)) == 2
    found = {name: sorted(places) for name, places in listening(os.getpid()).items()}
assert NO_CLUSTER not in os.environ
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs /proc")
def test_a_ray_started_here_listens_on_the_loopback_only():
    pytest.importorskip("ray", reason="needs Ray: pip install 'heedful[scale]'")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(HERE)],
        capture_output=True,
        text=True,
        timeout=280,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert "gcs_server" in found and "raylet" in found  # the premise: Ray's processes were seen
    strange = {name: places for name, places in found.items() if set(places) - {"127.0.0.1", "::1", "::ffff:127.0.0.1"}}
    assert not strange


def test_the_oldest_ray_allowed_is_the_one_that_is_tested():
    root = HERE.parents[1]
    pinned = next(
        line for line in (root / "constraints.txt").read_text().splitlines() if line.startswith("ray==")
    ).removeprefix("ray==")
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    least = next(one for one in extras["scale"] if one.startswith("ray[")).partition(">=")[2]
    assert pinned.split(".")[:2] == least.split(".")[:2]
