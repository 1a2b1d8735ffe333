"""The network: embed, encode, attend, answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn

from heedful.data.features import LINKS, NEAR
from heedful.data.input_spec import NGRAM_COUNTS, NGRAMS
from heedful.network.dropout import Dropout
from heedful.network.fronts.embed import Embed
from heedful.network.protocols import Encoder, Front, Head, Neighbours, Pooler
from heedful.network.wide.ngram_scores import Wide

BESIDE = (NEAR, LINKS, NGRAMS, NGRAM_COUNTS)  # arrays that are not for the front
Inputs = Tensor | Mapping[str, Tensor]  # of one array, that array; of several, each by its name


class Output(NamedTuple):
    """What a network gives for a batch."""

    scores: Tensor  # (batch, class); of a tagger (batch, time, label)
    rows: Tensor  # (batch, hop, width), the paper's M
    weights: Tensor  # (batch, hop, time), the paper's A


class Network(nn.Module):
    """Any front, encoder, pooler and head with the right faces, and optionally a wide part beside them."""

    def __init__(
        self,
        embed: Front,
        encoder: Encoder,
        pooler: Pooler,
        head: Head,
        *,
        dropout: float = 0.0,
        input_dropout: float | None = None,  # None: as dropout
        wide: Wide | None = None,
        unpooled: tuple[int, int] = (0, 0),  # special tokens, before and after the words, that the pooler does not read
    ) -> None:
        super().__init__()
        self.embed, self.encoder, self.pooler, self.head = embed, encoder, pooler, head
        self.wide, self.unpooled = wide, unpooled
        self.drop = Dropout(dropout)
        self.drop_input = Dropout(dropout if input_dropout is None else input_dropout)

    def forward(self, inputs: Inputs, mask: Tensor) -> Output:
        """Map inputs (batch, time, …) and a bool mask (batch, time) to scores, rows and weights."""
        states = self.states(self.drop_input(self.embed(front_inputs(inputs))), mask, inputs)
        rows, weights = self.pooled(states, mask, inputs)
        return Output(self.scores(self.drop(rows), inputs), rows, weights)

    def scores(self, rows: Tensor, inputs: Inputs) -> Tensor:
        """Map rows (batch, hop, width) to scores (batch, class); the wide part adds those of the n-grams."""
        scores: Tensor = self.head(rows)
        if self.wide is None:
            return scores
        assert isinstance(inputs, Mapping)
        ngram_scores: Tensor = self.wide(inputs[NGRAMS], inputs[NGRAM_COUNTS])
        return scores + ngram_scores

    def states(self, x: Tensor, mask: Tensor, inputs: Inputs) -> Tensor:
        """Give vectors (batch, time, width) their context: (batch, time, width). The links come from the inputs."""
        return self.encoder(x, mask, *neighbours_in(inputs))

    def pooled(self, states: Tensor, mask: Tensor, inputs: Inputs) -> tuple[Tensor, Tensor]:
        """Map states to rows (batch, hop, width) and weights (batch, hop, time)."""
        return self.pooler(states, self.pooled_mask(mask), *neighbours_in(inputs))

    def pooled_mask(self, mask: Tensor) -> Tensor:
        """Return the mask (batch, time) of the tokens that the pooler reads."""
        before, after = self.unpooled
        if not before + after:
            return mask
        at = torch.arange(mask.shape[1], device=mask.device)
        return (at >= before) & (at < mask.sum(dim=1, keepdim=True) - after)

    @property
    def is_fast(self) -> bool:
        """Whether running the encoder again costs little: a transformer of several layers is slow."""
        return not hasattr(self.encoder, "looks")

    @property
    def tables(self) -> list[nn.Parameter]:
        """The tables of tokens, whose gradients are sparse."""
        return [module.weight for module in self.modules() if isinstance(module, Embed)]


def neighbours_in(inputs: Inputs) -> tuple[Neighbours, ...]:
    """Return the links of a batch of graphs, and nothing for other inputs."""
    if not isinstance(inputs, Mapping) or NEAR not in inputs:
        return ()
    return (Neighbours(inputs[NEAR], inputs[LINKS]),)


def front_inputs(inputs: Inputs) -> Inputs:
    """Return what the front takes: all but links and n-grams, and one array as itself."""
    if not isinstance(inputs, Mapping):
        return inputs
    own = {name: array for name, array in inputs.items() if name not in BESIDE}
    return next(iter(own.values())) if len(own) == 1 else own
