"""Every promise of docs/security.md names a test, and the test exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_is_named_exists():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) > 20
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file} has no {name}"


def test_every_promise_names_a_test():
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and not line.startswith(("| promise", "|---"))]
    assert len(rows) > 15
    assert [row for row in rows if "`tests/" not in row] == []
