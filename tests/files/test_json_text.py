from __future__ import annotations

import ast
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import heedful
from heedful.files.json_text import json_text

SOURCE = Path(heedful.__file__).parent
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)
# json.dumps of what is never read by others, or cannot hold a float.
ALONE = {
    "files/json_text.py", "training/loop/checkpoint.py", "training/loop/torchrun.py", "jobs/audit/progress_file.py",
    "search/about.py", "search/rows.py", "serve/routes/openapi.py", "serve/logs.py", "text/vocab.py",
    "tasks/translate/read.py", "inputs/molecule/featuriser.py", "inputs/graph/featuriser.py",
    "tasks/tag/featuriser.py", "inputs/audio/featuriser.py", "inputs/vectors/featuriser.py", "serve/http/json_bytes.py",
}  # fmt: skip


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


@given(VALUES, st.booleans())
def test_every_value_is_json_that_any_reader_accepts(value, ascii_only):
    text = json_text(value, ascii_only=ascii_only)
    assert json.loads(text, parse_constant=pytest.fail) == plain(value)
    text.encode("ascii" if ascii_only else "utf-8")


def test_half_a_surrogate_pair_can_be_written():
    assert json_text({"a\ud800": "\udfff"}) == '{"a\ufffd": "\ufffd"}'


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: p.relative_to(SOURCE).as_posix())
def test_nothing_else_makes_json_for_others(path):
    if path.relative_to(SOURCE).as_posix() in ALONE:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("dumps", "dump"):
            assert getattr(node.func.value, "id", "") != "json", f"line {node.lineno}"
