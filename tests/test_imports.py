"""Imports go one way: a stage uses those above it, never those below."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "heedful"

# From top to bottom. A stage imports from those above it, and never from those in NEVER.
ORDER = [
    "lazy", "errors", "parts", "settings", "descriptors", "config", "files", "data", "text", "features", "metrics",
    "store", "layers", "network", "training", "runtime", "explain", "torch_model", "show", "search", "jobs", "engines",
    "estimators", "serve", "cli", "api",
]  # fmt: skip
TORCH = {"layers", "network", "training"}
NEVER = {
    "layers": {"config", "settings", "data", "text", "features"},
    "store": TORCH,
    "runtime": TORCH,
    "explain": TORCH,
    "show": TORCH,
}
# In a folder of `inputs/` or `tasks/` the file names are the stages.
STAGES = {
    "features": {
        "columns", "conll", "descriptors", "environments", "featuriser", "graph", "graphml", "lists",
        "known_ngrams", "log_mel", "rdkit_log", "read", "recase", "scaffold", "spans", "tables", "wide", "word_pieces",
    },
    "metrics": {"metrics", "span_metrics"},
    "network": {"network"},
    "training": {"contrastive", "distill", "goal", "parity", "ridge", "start", "vocab"},
    "store": {"card"},
    "runtime": {"beam", "marginals", "model", "tags", "viterbi"},
    "explain": {"explain", "explain_node", "explanation"},
    "show": {"drawing", "layout", "picture", "show", "spectrogram"},
    "jobs": {"evaluate"},
}  # fmt: skip
# Modules of network/ that are not layers.
BUILDERS = {"build", "choice", "network", "onnx_graph", "onnx_inputs", "onnx_layers", "parity", "tensors", "write"}
STAGE_OF = {name: stage for stage, names in STAGES.items() for name in names}
# Results and models that a user holds reach down to what they offer, on call and not on import.
REACH_DOWN = {
    ("runtime", "explain"), ("runtime", "jobs"), ("explain", "show"), ("explain", "torch_model"), ("metrics", "show"),
}  # fmt: skip


def stage_of(module: str) -> str:
    """Return the stage of `heedful.MODULE`."""
    parts = [part for part in module.split(".") if not part.isupper()]  # INPUT and TASK are descriptors
    if parts[0] == "network" and parts[-1] in ("part", "parts"):
        return "parts"  # the tables that settings take their choices from: no torch, no ONNX
    if parts[0] == "network" and parts[-1] not in BUILDERS and not parts[-1].endswith("_onnx"):
        return "layers"
    if parts[0] not in ("inputs", "tasks"):
        return parts[0]
    if len(parts) < 3:
        return "descriptors"
    return next(
        (STAGE_OF[part] for part in parts[2:] if part in STAGE_OF),
        f"{module}, which has no stage",
    )


def imports(path: Path) -> list[tuple[str, bool]]:
    """Return (module, is inside a function or for types only) of each import of heedful."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = {id(node) for node in tree.body}
    modules = []
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
            if node.module in PACKAGES:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        modules += [(n.removeprefix("heedful."), id(node) not in top) for n in names if n.startswith("heedful.")]
    return modules


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


FILES = sorted(p for p in SOURCE.rglob("*.py") if p.name != "__main__.py" and p != SOURCE / "__init__.py")
PACKAGES = {f"heedful.{module_of(path)}" for path in FILES if path.name == "__init__.py"}


def fault(stage: str, other: str, *, is_late: bool) -> str | None:
    """Return what is wrong with an import from one stage to another."""
    if other == stage or (is_late and (stage, other) in REACH_DOWN):
        return None
    if other not in ORDER or stage not in ORDER:
        return "no such stage"
    if ORDER.index(other) > ORDER.index(stage):
        return f"{other} is below {stage}"
    return f"{stage} must not import {other}" if other in NEVER.get(stage, ()) else None


def test_imports_go_up_only():
    faults = []
    for path in FILES:
        module = module_of(path)
        for other, is_late in imports(path):
            said = fault(stage_of(module), stage_of(other), is_late=is_late)
            if said:
                faults.append(f"{module} imports {other}: {said}")
    assert not faults, "\n".join(faults)


def test_an_import_that_goes_down_is_noticed():
    assert fault("data", "serve", is_late=True)
    assert fault("runtime", "explain", is_late=False)
    assert fault("store", "training", is_late=True)
    assert fault(stage_of("tasks.tag.model"), stage_of("tasks.tag.goal"), is_late=True)
    assert not fault("runtime", "explain", is_late=True)


def test_every_folder_has_its_place_in_the_order():
    rooms = {module_of(path).split(".")[0] for path in FILES} - {"inputs", "tasks"}
    assert rooms <= set(ORDER)


@pytest.mark.parametrize(
    "stage", ["parts", "data", "text", "features", "metrics", "store", "runtime", "explain", "show"]
)
def test_running_a_model_needs_no_torch(stage):
    paths = [path for path in FILES if stage_of(module_of(path)) == stage]
    assert paths
    for path in paths:
        source = path.read_text(encoding="utf-8")
        assert "import torch" not in source, path
        assert "import pickle" not in source, path
