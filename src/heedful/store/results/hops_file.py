"""hops.json: what each hop of a model reads, beside the model that it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heedful.config import Config
from heedful.errors import ModelFolderError
from heedful.files.json_text import json_text
from heedful.inputs import INPUTS
from heedful.store.contained_files import read_small, write_file
from heedful.store.digests import digest
from heedful.store.results.hops_form import MOST_WORDS, is_atlas
from heedful.store.results.json_checks import NAME
from heedful.tasks import task_of
from heedful.tasks.task import HOPS as HOPS_ABILITY

HOPS = "hops.json"
MOST_BYTES = 2 * 2**20  # of the file: what is larger is not read
SMALL, SMALL_HOP = 20_000, 5_000  # bytes, and for each hop: examples are left out until the file is no larger
LABEL_WORDS = 8
EXAMPLES = ((3, MOST_WORDS), (1, MOST_WORDS), (1, 3), (0, 0))  # of each word, and of how many words of a hop


def has_atlas(config: Config) -> bool:
    """Return whether hops that choose among the words of a text answer for it: training then keeps what they read."""
    return HOPS_ABILITY in task_of(config).can and INPUTS[config.input].is_text and config.model.pooler == "structured"


def write_atlas(folder: Path, tree: Mapping[str, Any], fingerprint: str, *, examples: bool = True) -> Path:
    """Write hops.json atomically: `HopAtlas.to_dict()`, with fewer examples if it would be large.

    Without `examples` no stretch of a text is in it, only words.
    """
    made = {**rounded(_cut(tree)), "fingerprint": fingerprint}
    small = SMALL + SMALL_HOP * len(tree["hops"])
    for n_places, n_words in EXAMPLES if examples else EXAMPLES[-1:]:
        _keep_examples(made, n_places, n_words)
        content = json_text(made, separators=(",", ":"))
        if len(content.encode()) <= small:
            break
    if len(content.encode()) > MOST_BYTES or _checked(content, fingerprint) is None:
        raise ModelFolderError(f"{HOPS} cannot be written: what these hops read is too much to be kept")
    return write_file(folder, HOPS, content)


def read_atlas(folder: Path, fingerprint: str, graph: bytes = b"") -> dict[str, Any] | None:
    """Return the contents of hops.json; None if it is missing, invalid, or of another model.

    Older files have the digest of the graph instead of the model's fingerprint.
    """
    content = read_small(folder, HOPS, MOST_BYTES)
    return None if content is None else _checked(content, fingerprint, graph)


def _checked(content: str, fingerprint: str, graph: bytes = b"") -> dict[str, Any] | None:
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tree, dict):
        return None
    of_graph, of_model = tree.pop("graph", None), tree.pop("fingerprint", None)
    if of_model != fingerprint and not (of_model is None and graph and of_graph == digest(graph)):
        return None
    return tree if is_atlas(tree) else None


def _cut(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return the atlas with no more words than are kept, and no endless labels."""
    hops = [
        {
            **hop,
            "words": hop["words"][:MOST_WORDS],
            "by_label": [
                {**part, "label": part["label"][:NAME], "words": part["words"][:LABEL_WORDS]}
                for part in hop["by_label"]
            ],
        }
        for hop in tree["hops"]
    ]
    return {**tree, "model": tree["model"][:NAME], "file": tree["file"][:NAME], "hops": hops}


def rounded(value: Any) -> Any:
    """Return a copy made of what JSON has, its numbers with four digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list | tuple) else value


def _keep_examples(made: dict[str, Any], n_places: int, n_words: int) -> None:
    """Leave out places: all but the first of a word, and all of any but the first words of a hop."""
    for hop in made["hops"]:
        for i, word in enumerate(hop["words"]):
            word["places"] = word["places"][: n_places if i < n_words else 0]
