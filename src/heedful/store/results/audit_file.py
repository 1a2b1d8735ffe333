"""audit.json: the results of an audit, in the folder of its model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heedful.errors import ModelFolderError
from heedful.files.json_text import json_text
from heedful.store.contained_files import read_file, write_file
from heedful.store.json_limits import limited_text
from heedful.store.verdict import LEVELS, Verdict

AUDIT = "audit.json"
MAX_WORDS = 1_000  # characters of a verdict
OLD = Verdict(
    "not audited",
    "Audited by an older heedful, which did not record all files of the model: run `heedful audit` again.",
)
CHANGED = Verdict("not audited", "The model has changed since it was audited: run `heedful audit` again.")


def read_verdict(text: str, fingerprint: str) -> Verdict:
    """Return the verdict of audit.json, or `CHANGED` if the model has changed since."""
    try:
        tree = json.loads(text)
        level, words, of = tree["verdict"]["level"], tree["verdict"]["words"], tree.get("fingerprint")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFolderError(
            f"{AUDIT} is not readable: {type(error).__name__}: {error}. Delete it, or run `heedful audit` again"
        ) from None
    if level not in LEVELS or not isinstance(words, str):
        raise ModelFolderError(f"{AUDIT} has no verdict. Delete it, or run `heedful audit` again")
    if of is None:
        return OLD
    return Verdict(level, words[:MAX_WORDS]) if of == fingerprint else CHANGED


def audited_texts(folder: Path) -> int:
    """Return the number of texts of an earlier audit, or 0."""
    try:
        n_texts = json.loads(limited_text(read_file(folder, AUDIT), folder / AUDIT))["n_texts"]
    except (ModelFolderError, ValueError, KeyError, TypeError, RecursionError):
        return 0
    return n_texts if isinstance(n_texts, int) else 0


def write_audit(folder: Path, tree: Mapping[str, Any], fingerprint: str) -> Path:
    """Write audit.json atomically."""
    content = json_text({**tree, "fingerprint": fingerprint}, indent=2)
    return write_file(folder, AUDIT, content)
