"""The section of a model card on the words that drive each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heedful.store.cards.card import HEATMAPS
from heedful.store.cards.wording import plain

DRIVERS = "## What drives each label"
TOP, MOST_LABELS, MOST_SHORTCUTS = 5, 20, 10


def with_words(card: str, tree: Mapping[str, Any]) -> str:
    """Return a card with a section made of `LabelWords.to_dict()`, before that on heatmaps; an old one is replaced."""
    before, heading, after = card.partition(f"{DRIVERS}\n")
    if heading:
        _, next_heading, rest = after.partition("\n## ")
        card = f"{before}{next_heading.lstrip()}{rest}"
    before, heading, after = card.partition(f"{HEATMAPS}\n")
    return f"{before.rstrip()}\n\n{section(tree)}\n{heading}{after}"


def section(tree: Mapping[str, Any]) -> str:
    """Return the section as Markdown."""
    kind, sides = ("number", ("raises it", "lowers it")) if tree["is_number"] else ("label", ("for", "against"))
    lines = [
        DRIVERS,
        "",
        f"Mean contributions to the score, over {tree['n_texts']:,} texts of {plain(tree['file'])}. `heedful words` "
        "shows them for other texts, with intervals and examples.",
        "",
        f"| {kind} | {sides[0]} | {sides[1]} |",
        "|---|---|---|",
        *(
            f"| `{plain(part['label'])}` | {_listed(part['supporting'])} | {_listed(part['opposing'])} |"
            for part in tree["labels"][:MOST_LABELS]
        ),
        "",
    ]
    if (more := tree["n_labels"] - MOST_LABELS) > 0:
        lines += [f"These are the {MOST_LABELS} most frequent predictions; {more:,} more labels are not listed.", ""]
    if tree["shortcuts"]:
        sentences = [f"- {plain(shortcut['sentence'])}" for shortcut in tree["shortcuts"][:MOST_SHORTCUTS]]
        lines += ["Words that decide a label almost alone:", "", *sentences, ""]
    return "\n".join(lines)


def _listed(words: Sequence[Mapping[str, Any]]) -> str:
    numbers = [(plain(word["form"]), f"{word['mean']:+.2f}".replace("-", "−")) for word in words[:TOP]]
    return ", ".join(f"`{form}` {mean}" for form, mean in numbers if form) or "–"
