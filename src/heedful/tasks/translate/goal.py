"""Learning to say a text in another language."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heedful.config import Config
from heedful.data.batch import Batch, ordered_batches, training_batches
from heedful.data.features import Features, Item
from heedful.data.input_spec import InputSpec
from heedful.errors import ConfigError
from heedful.network.build import build_encoder, check_heads
from heedful.network.choice import chosen_parts
from heedful.network.fronts.embed import Embed
from heedful.network.heads.decoder import Decoder
from heedful.network.network import Inputs, Network, Output
from heedful.network.poolers.mean_max_last import MeanPooler
from heedful.network.protocols import Encoder
from heedful.network.scores.parts import SCORES
from heedful.network.scores.score import build_score
from heedful.settings import ModelSettings, TrainSettings
from heedful.tasks.translate.read import TARGET, TwoLanguages
from heedful.text.bpe import BOS_EOS
from heedful.training.dataset import Sides, TrainingData
from heedful.training.goal import InMemoryGoal, Judged, Positions
from heedful.training.loop.loss import Loss

EVAL_TEXTS, EVAL_CELLS = 256, 16_384  # at a time
FIRST = 10_000  # one token more in a translation counts as much as any text: that length comes first


class TranslateNetwork(Network):
    """An encoder and a decoder. In training the decoder reads the true tokens (teacher forcing)."""

    head: Decoder

    def __init__(self, embed: Embed, encoder: Encoder, decoder: Decoder, *, dropout: float = 0.0) -> None:
        super().__init__(embed, encoder, MeanPooler(), decoder, dropout=dropout)

    def forward(self, inputs: Inputs, mask: Tensor) -> Output:
        """Map ids (batch, time) and target (batch, out) to scores (token, id), outs and weights (batch, out, time).

        Scores are those of the real tokens of the targets, one text after the other: pads would cost a third more.
        """
        assert isinstance(inputs, Mapping)
        target = inputs[TARGET]
        outs, weights = self.head(self.read(inputs["ids"], mask), mask, tokens_before(target))
        return Output(self.head.scores(outs[target > 0]), outs, weights)

    def read(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Map ids (batch, time) to states (batch, time, width)."""
        return self.drop(self.encoder(self.drop(self.embed(ids)), mask))  # type: ignore[no-any-return]


def tokens_before(target: Tensor) -> Tensor:
    """Return the token before each token (batch, out), with BOS before the first."""
    bos = torch.full_like(target[:, :1], BOS_EOS)
    return torch.cat([bos, target[:, :-1]], dim=1)


def build_translator(settings: ModelSettings, *, n_ids: int, n_target_ids: int, seed: int = 0) -> TranslateNetwork:
    """Make a fresh network; the same seed gives the same weights."""
    parts = chosen_parts(settings, InputSpec(n_ids=n_ids), wrappers=["keep_words"])
    check_heads(parts)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        embed = Embed(n_ids, settings.embed_width)
        encoder = build_encoder(parts, settings.embed_width)
        decoder = _decoder(settings, n_target_ids, encoder.width)
    return TranslateNetwork(embed, encoder, decoder, dropout=settings.dropout)


def _decoder(settings: ModelSettings, n_ids: int, width: int) -> Decoder:
    units = settings.decoder_units
    if SCORES[settings.score].one_width and units != width:
        raise ConfigError(
            [f"model.score is {settings.score}, for which model.decoder_units ({units}) must be the width of the "
             f"encoder's states ({width}). Say decoder_units = {width}, or score = general."]
        )  # fmt: skip
    score = build_score(settings.score, query_width=units, key_width=width, width=settings.attention_width)
    return Decoder(n_ids, settings.embed_width, units, width, score, dropout=settings.dropout)


class TranslateGoal(InMemoryGoal):
    """The right next token, after each of those before it."""

    def __init__(self, train: Sequence[Item], valid: Sequence[Item], *, smoothing: float) -> None:
        super().__init__(train, valid)
        self._train, self._valid = train, valid
        self.smoothing = smoothing
        self._device = torch.device("cpu")

    def batches(self, settings: TrainSettings, epoch: int) -> list[Positions]:
        """Return batches of translations of similar length and, among these, of texts of similar length.

        By the texts alone a third of the decoder's work would be on pads, and it has more to do than the encoder.
        """
        lengths = [range(FIRST * len(item.arrays[TARGET]) + min(len(item), FIRST - 1)) for item in self._train]
        return training_batches(
            lengths,  # type: ignore[arg-type]
            batch_size=settings.batch_size,
            seed=settings.seed,
            epoch=epoch,
        )

    def to(self, device: torch.device) -> Self:
        """Remember where the truth belongs."""
        self._device = device
        return self

    def loss(self, output: Output, positions: Positions) -> Loss:
        """Return the mean cross-entropy of a token, with label smoothing."""
        truth = torch.from_numpy(tokens_at(self._train, positions)).to(self._device)
        answer = nn.functional.cross_entropy(output.scores, truth, label_smoothing=self.smoothing)
        return Loss(answer, torch.zeros(()), mass=torch.tensor(len(truth)))

    def judge(self, outputs: Iterable[tuple[Batch, Output]]) -> Judged:
        """Return how often the next token is right, and the perplexity, both with the true tokens before it."""
        loss, right, n = 0.0, 0, 0
        for batch, output in outputs:
            truth = torch.from_numpy(tokens_at(self._valid, batch.positions))
            scores = output.scores.cpu()
            loss += float(nn.functional.cross_entropy(scores, truth, reduction="sum"))
            right += int((scores.argmax(1) == truth).sum())
            n += len(truth)
        mean, share = loss / max(1, n), right / max(1, n)
        figures = {"token_accuracy": share, "perplexity": math.exp(min(mean, 50.0))}
        return Judged(figures, mean, (share, -mean))

    def judge_model(self, model: Any) -> Judged:
        """Return the metrics of a loaded translator on the validation set."""
        return self.judge(_outputs(model, self.valid))


def _outputs(model: Any, features: Sequence[Features]) -> Iterator[tuple[Batch, Output]]:
    nothing = torch.zeros(0)
    for batch in ordered_batches(features, max_texts=EVAL_TEXTS, max_cells=EVAL_CELLS):
        target = batch.inputs[TARGET]
        scores = model.next_log_probabilities(batch, target)[target > 0]
        yield batch, Output(torch.from_numpy(scores), nothing, nothing)


def make_goal(config: Config, data: TrainingData, sides: Sides) -> TranslateGoal:
    """Return the goal for the examples of a training."""
    del data
    train, valid = sides
    return TranslateGoal(train, valid, smoothing=config.model.smoothing)  # type: ignore[arg-type]


def make_network(config: Config, featuriser: TwoLanguages, n_classes: int) -> TranslateNetwork:
    """Return a fresh network for the tokens of both languages."""
    del n_classes
    n_target_ids = len(featuriser.target)
    return build_translator(config.model, n_ids=len(featuriser), n_target_ids=n_target_ids, seed=config.train.seed)


def learn_featuriser(config: Config, data: TrainingData) -> tuple[TwoLanguages, None]:
    """Learn the tokens of both languages."""
    return TwoLanguages.learned([(example.text, example.label) for example in data.train], config), None


def tokens_at(items: Sequence[Item], positions: Positions) -> NDArray[np.int64]:
    """Return the target tokens of some items, one after the other."""
    return np.concatenate([items[i].arrays[TARGET] for i in positions]).astype(np.int64)
