"""Keywords of sentence-transformers' `encode`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heedful.errors import InputError, did_you_mean

KEYWORDS = (
    "batch_size", "prompt_name", "prompt", "show_progress_bar", "output_value", "precision", "convert_to_numpy",
    "convert_to_tensor", "device", "normalize_embeddings", "truncate_dim", "pool", "chunk_size", "task",
)  # fmt: skip


def check_encode_keywords(
    prompt_name: Any, output_value: Any, device: Any, pool: Any, unknown: Mapping[str, Any]
) -> None:
    """Raise if a keyword is unknown, or has a value that no encoder of ours supports."""
    for name in unknown:
        raise InputError(f"encode has no keyword {name!r}.{did_you_mean(name, KEYWORDS)}")
    if prompt_name is not None:
        raise InputError(f"prompt_name is {prompt_name!r:.40}, but there are no named prompts: use prompt")
    if output_value not in (None, "sentence_embedding"):
        raise InputError(f"output_value is {output_value!r:.40}, expected 'sentence_embedding'")
    if device not in (None, "cpu"):
        raise InputError(f"device is {device!r:.40}, but models run on the CPU")
    if pool is not None:
        raise InputError("pool is not supported: models use all threads of one process")
