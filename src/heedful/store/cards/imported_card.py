"""The model card of an imported transformer."""

from __future__ import annotations

from heedful.config import Config
from heedful.store.cards.wording import plain
from heedful.store.metadata import Facts


def imported_card(name: str, config: Config, facts: Facts) -> str:
    """Return the card of an encoder that was imported from a transformer's folder."""
    data, model = facts.data, config.model
    numbers = "8-bit whole numbers in products" if data.get("int8") else "32-bit numbers"
    length = "scaled to length 1" if model.unit_vectors else "not scaled to length 1"
    lines = [
        f"# {plain(name)}",
        "",
        f"A sentence encoder that heedful {facts.heedful} imported from `{plain(data['imported_from'])}`: "
        f"{plain(data['about'])}.",
        "",
        f"Vectors of {model.vector_width} numbers, {length}; texts of at most {config.text.max_tokens:,} tokens; "
        f"{data['known_tokens']:,} tokens known; {numbers}.",
        "",
        "The weights and their licence are those of the original.",
        "",
    ]
    return "\n".join(lines)
