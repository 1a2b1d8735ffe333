"""Which parts a network has: `build` makes them, `write` exports them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from heedful.data.input_spec import InputSpec
from heedful.network.encoders.parts import ENCODERS
from heedful.network.fronts.parts import FRONTS
from heedful.network.heads.parts import HEADS
from heedful.network.part import Part
from heedful.network.poolers.parts import POOLERS
from heedful.network.wrappers.parts import WRAPPERS
from heedful.settings import ModelSettings


@dataclass(frozen=True)
class Choice:
    """The parts that settings and input choose, and the values that parts take, by name."""

    front: Part
    encoder: Part
    wrappers: tuple[Part, ...]  # the innermost first
    pooler: Part
    head: Part
    values: Mapping[str, Any]

    @property
    def can_lack_hops(self) -> bool:
        """Whether the answer is made of several hops of one text, and can be made without some of them."""
        return self.pooler.can_lack_hops and self.head.can_lack_hops and self.values["n_hops"] > 1


def chosen_parts(settings: ModelSettings, shape: InputSpec, *, wrappers: Collection[str] = WRAPPERS) -> Choice:
    """Look up the parts of a network; of its encoder's wrappers, at most these."""
    front, encoder, pooler = FRONTS[shape.front], ENCODERS[settings.encoder], POOLERS[settings.pooler]
    around = tuple(part for name, part in WRAPPERS.items() if name in wrappers and getattr(settings, name))
    if shape.n_links and pooler.where_linked is not None:
        pooler = pooler.where_linked
    of_states = {
        "bidirectional": all(part.is_bidirectional for part in (encoder, *around)),
        "is_lookup": all(part.is_lookup for part in (front, encoder, *around)),
    }
    values = {**vars(settings), **vars(shape), **of_states}
    return Choice(front, encoder, around, pooler, HEADS[settings.head], values)
