"""Imports go one way: a lower stage may use an upper one, never the other way round."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "heedful"

# From top to bottom. A stage may import those above it, and never those in NEVER.
ORDER = [
    "errors", "settings", "config", "data", "files", "metrics", "layers", "training", "store", "export", "runtime",
    "explain", "inside", "show", "search", "jobs", "engines", "estimators", "serve", "cli",
]  # fmt: skip
TORCH_SIDE = {"layers", "training", "export"}
NEVER = {
    "data": {"layers"},
    "layers": {"config", "settings", "data"},
    "store": TORCH_SIDE,
    "runtime": TORCH_SIDE,
    "explain": TORCH_SIDE,
    "show": TORCH_SIDE,
}
# The things a user holds reach down to what they offer, on call and not on import.
HANDLES = {
    ("runtime/model.py", "explain"),
    ("explain/alignment.py", "show"),
    ("runtime/translator.py", "explain"),
    ("runtime/pair_model.py", "explain"),
    ("runtime/tagger.py", "explain"),
    ("explain/attention.py", "inside"),
    ("explain/audit.py", "show"),
    ("explain/explanation.py", "show"),
    ("explain/hops.py", "show"),
    ("explain/looks.py", "show"),
    ("explain/pair.py", "show"),
    ("explain/steps.py", "show"),
    ("explain/tags.py", "show"),
    ("explain/two_contexts.py", "show"),
    ("explain/similarity.py", "show"),
}


def room_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else path.stem


def imports(path: Path) -> list[tuple[str, bool]]:
    """Return (room, is inside a function or for types only) of each import of heedful."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = {id(node) for node in tree.body}
    found = []
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found += [(n.split(".")[1], id(node) not in top) for n in names if n.startswith("heedful.")]
    return found


FILES = sorted(p for p in SOURCE.rglob("*.py") if p.name != "__main__.py" and p != SOURCE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_up_only(path):
    room, name = room_of(path), path.relative_to(SOURCE).as_posix()
    for other, is_late in imports(path):
        if other == room or ((name, other) in HANDLES and is_late):
            continue
        assert ORDER.index(other) < ORDER.index(room), f"{name} imports {other}, which is below {room}"
        assert other not in NEVER.get(room, set()), f"{name} must not import {other}"


def test_every_folder_has_its_place_in_the_order():
    assert {room_of(path) for path in FILES} == set(ORDER)


@pytest.mark.parametrize("room", ["data", "metrics", "store", "runtime", "explain", "show"])
def test_running_a_model_needs_no_torch(room):
    for path in (SOURCE / room).rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert "import torch" not in source, path
        assert "import pickle" not in source, path
