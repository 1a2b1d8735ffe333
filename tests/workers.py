"""Which tests one worker of pytest-xdist does after each other (`pytest -n 2`)."""

from __future__ import annotations

from typing import Any

import pytest

SEVERAL_PROCESSES = "several processes"  # Chromium, torchrun and Ray: beside each other they would starve
STARTS_SEVERAL = (
    "tests/engines/test_cluster.py",
    "tests/engines/test_ray",
    "tests/serve/test_page_",
    "tests/show/test_browser.py",
    "tests/training/loop/test_torchrun.py",
)
SHARES_NOTHING = ("tests/test_examples.py", "tests/test_readme.py", "tests/training/test_attention_tasks.py")


def group_of(nodeid: str) -> str:
    """Return the group of a test: its file, whose fixtures it shares, with two exceptions."""
    if nodeid.startswith(STARTS_SEVERAL):
        return SEVERAL_PROCESSES
    return nodeid if nodeid.startswith(SHARES_NOTHING) else nodeid.partition("::")[0]


def scheduler(config: pytest.Config, log: Any) -> Any:
    """Return what gives groups to workers, in the order in which they were collected.

    `--dist loadgroup` would do, but pytest-xdist 3.8 finds no marks of groups with pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    config.option.loadscopereorder = False
    return ByGroup(config, log)
