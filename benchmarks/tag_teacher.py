"""A teacher for taggers: all-MiniLM-L6-v2, tuned on a tagged set, labels plain sentences for ours to learn from.

The teacher ignores case, so each of its pieces is also told how its word is written. It runs in torch, and no part of
it is in the model folder of a tagger that learned from its labels.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.encoders import teacher_folder
from benchmarks.result import DATA
from heedful.config import Config
from heedful.data.columns import Columns
from heedful.data.task_files import read_task_file
from heedful.network.heads.tag.crf import Crf
from heedful.tasks.tag.goal import barred_steps
from heedful.text.word_tokeniser import WordTokeniser

CORPORA = ("blogs", "chitchat", "imdb_unsup", "tatoeba_en", "wikinews")
MOST_PIECES, PIECES_OF_A_WORD = 256, 5
N_SHAPES, WIDTH, INNER = 8, 384, 128
EPOCHS, BATCH, RATE, NEW_RATE, WARMUP, MISS_COST = 4, 16, 1.5e-4, 2e-3, 0.08, 4.0

Tagged = tuple[list[str], list[str]]  # tokens, and their tags


def shape_of(word: str, place: int) -> list[float]:
    """Return how a word is written, in numbers of 0 and 1."""
    letters = [c for c in word if c.isalpha()]
    told = (
        word[:1].isupper(), bool(letters) and all(c.isupper() for c in letters), any(c.isupper() for c in word[1:]),
        any(c.isdigit() for c in word), word[:1] == "#", word[:1] == "@", place == 0, not letters,
    )  # fmt: skip
    return [float(one) for one in told]


@dataclass(frozen=True)
class Told:
    """A sentence as the teacher reads it."""

    pieces: list[int]
    words: list[int]  # which word each piece is of; -1 for the two marks around the sentence
    shapes: list[list[float]]  # of each word

    @property
    def first(self) -> list[int]:
        """Where each word begins; of words that were cut off, the last piece."""
        places = {word: i for i, word in reversed(list(enumerate(self.words)))}
        return [places.get(word, len(self.words) - 1) for word in range(len(self.shapes))]


class TagTeacher(nn.Module):
    """MiniLM, a layer over the first piece of each word, and a CRF."""

    def __init__(self, labels: Sequence[str]) -> None:
        from transformers import AutoModel, AutoTokenizer

        super().__init__()
        self.labels = list(labels)
        self.tokeniser: Any = AutoTokenizer.from_pretrained(teacher_folder())
        self.encoder: Any = AutoModel.from_pretrained(teacher_folder())
        self.encoder.embeddings.word_embeddings.requires_grad_(False)
        self.shape = nn.Linear(N_SHAPES, WIDTH, bias=False)
        nn.init.zeros_(self.shape.weight)
        self.inner, self.answer = nn.Linear(WIDTH + N_SHAPES, INNER), nn.Linear(INNER, len(labels))
        self.crf, self.drop = Crf(len(labels)), nn.Dropout(0.3)
        if (barred := barred_steps(labels)) is not None:
            self.crf.bar(barred)

    def told(self, tokens: Sequence[str]) -> Told:
        """Cut each token into pieces."""
        pieces, words = [self.tokeniser.cls_token_id], [-1]
        for i, token in enumerate(tokens):
            found = self.tokeniser.encode(token, add_special_tokens=False)[:PIECES_OF_A_WORD]
            found = found or [self.tokeniser.unk_token_id]
            pieces, words = pieces + found, words + [i] * len(found)
        pieces, words = [*pieces[: MOST_PIECES - 1], self.tokeniser.sep_token_id], [*words[: MOST_PIECES - 1], -1]
        return Told(pieces, words, [shape_of(token, i) for i, token in enumerate(tokens)])

    def forward(self, batch: Sequence[Told]) -> tuple[Tensor, Tensor]:
        """Map sentences to scores (batch, word, label) and a mask (batch, word)."""
        ids = _padded([torch.tensor(one.pieces) for one in batch])  # (batch, piece)
        read = _padded([torch.ones(len(one.pieces), dtype=torch.long) for one in batch])
        mask = _padded([torch.ones(len(one.shapes), dtype=torch.bool) for one in batch])  # (batch, word)
        first = _padded([torch.tensor(one.first) for one in batch])
        shapes = _padded([torch.tensor(one.shapes) for one in batch])  # (batch, word, shape)
        marks = [torch.cat([torch.tensor(one.shapes), torch.zeros(1, N_SHAPES)])[one.words] for one in batch]
        x = self.encoder.embeddings.word_embeddings(ids) + self.shape(_padded(marks))  # (batch, piece, width)
        states = self.encoder(inputs_embeds=x, attention_mask=read).last_hidden_state
        rows = torch.cat([states.gather(1, first[:, :, None].expand(-1, -1, WIDTH)), shapes], dim=-1)
        return self.answer(self.drop(self.inner(self.drop(rows)).relu())), mask

    @torch.inference_mode()
    def label(self, texts: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the most probable tags of each sentence."""
        self.eval()
        told, found = [self.told(tokens) for tokens in texts], [[""]] * len(texts)
        order = sorted(range(len(texts)), key=lambda i: len(told[i].pieces))
        for k in range(0, len(order), 64):
            chosen = order[k : k + 64]
            best = self.crf.best(*self([told[i] for i in chosen]))
            for i, row in zip(chosen, best.tolist(), strict=True):
                found[i] = [self.labels[j] for j in row[: len(texts[i])]]
        return found


def tuned_teacher(train: Sequence[Tagged], *, seed: int = 0) -> TagTeacher:
    """Return a teacher that has learned a tagged set. A span that is missed is dear, as for ours (`--miss-cost`)."""
    torch.manual_seed(seed)
    teacher = TagTeacher(sorted({tag for _, tags in train for tag in tags}))
    told = [teacher.told(tokens) for tokens, _ in train]
    truth = [torch.tensor([teacher.labels.index(tag) for tag in tags]) for _, tags in train]
    outside = teacher.labels.index("O")
    known = {"params": list(teacher.encoder.parameters()), "lr": RATE}
    new = [p for name, p in teacher.named_parameters() if not name.startswith("encoder.")]
    optimiser = torch.optim.AdamW([known, {"params": new, "lr": NEW_RATE}], weight_decay=0.01)
    n_steps = EPOCHS * -(-len(train) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (WARMUP * n_steps), 1.0) * max(0.02, 1 - step / n_steps)
    )
    for epoch in range(EPOCHS):
        teacher.train()
        total = 0.0
        for chosen in _batches(told, random.Random(f"{seed} {epoch}")):
            scores, mask = teacher([told[i] for i in chosen])
            tags = _padded([truth[i] for i in chosen], fill=-1)
            missed = ((tags >= 0) & (tags != outside)).float() * MISS_COST
            scores = scores + missed[:, :, None] * nn.functional.one_hot(torch.tensor(outside), len(teacher.labels))
            loss = teacher.crf(scores, tags, mask).sum() / mask.sum()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item() * len(chosen)
        print(f"teacher, epoch {epoch + 1} of {EPOCHS}: loss {total / len(train):.4f}", flush=True)
    return teacher


def read_tagged(path: Path) -> list[Tagged]:
    """Return the sentences of a tagged file."""
    examples, _ = read_task_file(path, Config().with_given(task="tag"), asked=Columns())
    return [(list(example.text), list(example.label)) for example in examples]


def sampled_sentences(n: int) -> Iterator[list[str]]:
    """Return the words of so many sentences of each corpus."""
    tokeniser = WordTokeniser(lowercase=False)
    for corpus in CORPORA:
        with gzip.open(DATA / f"corpus/{corpus}.txt.gz", "rt", encoding="utf-8") as file:
            lines = [line.strip() for line in file]
        for line in random.Random(corpus).sample(lines, n):
            yield tokeniser.surfaces(line)


def write_labelled(path: Path, teacher: TagTeacher, texts: Sequence[Sequence[str]]) -> None:
    """Write sentences with the teacher's tags, as a tagged file."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        file.write("token\ttag\n\n")
        for k in range(0, len(texts), 2_000):
            some = texts[k : k + 2_000]
            for tokens, tags in zip(some, teacher.label(some), strict=True):
                file.write("".join(f"{token}\t{tag}\n" for token, tag in zip(tokens, tags, strict=True)) + "\n")
            print(f"teacher, {k + len(some):,} of {len(texts):,} sentences labelled", flush=True)
    part.rename(path)


def _batches(told: Sequence[Told], rng: random.Random) -> list[list[int]]:
    """Return sentences of like length together, in an order of their own in each epoch."""
    order = rng.sample(range(len(told)), len(told))
    pools = [order[k : k + 20 * BATCH] for k in range(0, len(order), 20 * BATCH)]
    pools = [sorted(pool, key=lambda i: len(told[i].pieces)) for pool in pools]
    found = [pool[k : k + BATCH] for pool in pools for k in range(0, len(pool), BATCH)]
    rng.shuffle(found)
    return found


def _padded(rows: Sequence[Tensor], fill: float = 0) -> Tensor:
    return nn.utils.rnn.pad_sequence(list(rows), batch_first=True, padding_value=fill)
