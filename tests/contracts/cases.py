"""The layers under contract: every part of the tables, alone and in the products that matter."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from tests.contracts.layer_contracts import BATCH, LENGTHS, N_LINKS, TIME, WIDTH
from torch import Tensor, nn

from heedful.network.encoders.parts import ENCODERS
from heedful.network.fronts.parts import FRONTS
from heedful.network.heads.parts import HEADS
from heedful.network.part import Part
from heedful.network.poolers.parts import POOLERS
from heedful.network.scores.parts import SCORES
from heedful.network.wrappers.parts import WRAPPERS
from heedful.settings import ModelSettings

HOPS, CLASSES = 4, 3
SETTINGS = ModelSettings(
    embed_width=5, units=6, n_layers=2, n_heads=2, inner_units=10, kernel_sizes=(2, 3, 4), n_hops=HOPS,
    attention_width=5, vector_width=6, hidden=7, row_units=3, column_units=2, gate_units=5, dropout=0.0, crf=False,
)  # fmt: skip


class Case(NamedTuple):
    """A part, and what it is made from beside the settings above."""

    part: Part
    values: dict[str, Any]
    wrapper: Part | None = None

    @property
    def linked(self) -> bool:
        """Whether it takes the links of a graph."""
        return self.part.needs_neighbours

    def layer(self) -> Any:
        """Return the layer, fresh."""
        values = {**vars(SETTINGS), "width": WIDTH, "width_in": WIDTH, "n_links": N_LINKS, **self.values}
        if self.wrapper is None:
            return self.part.build(values)
        inner = self.part.build({**values, "width_in": self.wrapper.input_factor * WIDTH})
        return self.wrapper.build({**values, "encoder": inner})


def encoder_cases() -> dict[str, Case]:
    """Every encoder, and every wrapper around one that reads texts and around one that reads graphs."""
    cases = {name: Case(part, {}) for name, part in ENCODERS.items()}
    cases["transformer, no places"] = Case(ENCODERS["transformer"], {"places": False})
    for score in SCORES:
        cases[f"transformer, {score}"] = Case(ENCODERS["transformer"], {"self_score": score})
    for setting, wrapper in WRAPPERS.items():
        for name in ("bilstm", "neighbours"):
            cases[f"{name}, {setting}"] = Case(ENCODERS[name], {}, wrapper)
    return cases


def pooler_cases() -> dict[str, Case]:
    """Every pooler, over text and over a graph, by every score and in both directions."""
    cases = {}
    for name, part in POOLERS.items():
        scores = SCORES if "score" in part.settings else ["any"]
        directions = (False, True) if "bidirectional" in part.sizes else (False,)
        for score in scores:
            for bidirectional in directions:
                values = {"score": score, "bidirectional": bidirectional}
                cases[f"{name}, {score}, {'both ways' if bidirectional else 'one way'}"] = Case(part, values)
        if part.where_linked:
            cases[f"{name}, linked"] = Case(part.where_linked, {})
    return cases


def head_cases() -> dict[str, Case]:
    """Every head, of several classes and of a number."""
    return {
        f"{name}, {n_classes}": Case(part, {"n_hops": HOPS, "n_classes": n_classes})
        for name, part in HEADS.items()
        for n_classes in (1, CLASSES)
    }


IDS, LETTERS, PIECES, PATTERNS = 9, 8, 7, 6
SIZES = {
    "n_ids": IDS, "n_letters": LETTERS, "letter_width": 4, "n_pieces": PIECES, "piece_width": 3, "piece_units": 2,
    "n_surroundings": PATTERNS, "tune": True,
}  # fmt: skip


def front_cases() -> dict[str, Case]:
    """Every front."""
    return {name: Case(part, SIZES) for name, part in FRONTS.items()}


def arrays_of(case: Case) -> dict[str, Tensor]:
    """Return what a front reads, by name: 0 on pads."""
    generator = torch.Generator().manual_seed(0)
    mask = torch.arange(TIME) < torch.tensor(LENGTHS)[:, None]

    def numbers(size: str, *inside: int) -> Tensor:
        shape = (BATCH, TIME, *inside)
        drawn = torch.randint(1, SIZES[size], shape, generator=generator)
        return drawn * mask.view(BATCH, TIME, *[1] * len(inside))

    arrays = {name: numbers(size, *inside) for size, (name, *inside) in READS.items() if size in case.part.sizes}
    if "width" in case.part.sizes:
        arrays["vectors"] = torch.randn(BATCH, TIME, WIDTH, generator=generator) * mask[:, :, None]
    return arrays


READS: dict[str, tuple[Any, ...]] = {  # the array of which a size counts the values, and its axes inside a token
    "n_ids": ("ids",),
    "n_letters": ("letters", 5),
    "n_pieces": ("pieces", 3),
    "n_surroundings": ("surroundings", 2),
}


def has_weights(case: Case) -> bool:
    """Return whether there is something that a gradient can reach."""
    layer: nn.Module = case.layer()
    return any(parameter.requires_grad for parameter in layer.parameters())
