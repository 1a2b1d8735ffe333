"""The plan of an imported tokeniser: plain values from which the library's tokeniser is built, and their JSON.

A tokenizer.json of another project is never passed to the library: it could pad to any length, run endless regular
expressions or abort the process. The import reads these values out of it; a model folder has them and nothing else.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from heedful.errors import ModelFolderError
from heedful.files.json_text import json_text
from heedful.files.unicode import without_lone_surrogates

WORDPIECE, BYTE_BPE, UNIGRAM = "wordpiece", "byte_bpe", "unigram"
KINDS = (WORDPIECE, BYTE_BPE, UNIGRAM)
NAME = "tokenizer.json"
MAX_FORMS, MAX_FORM = 2_000_000, 1_000  # forms in a vocab, characters in a form
MAX_SPECIAL, MAX_PROMPT, MAX_PROMPTS = 64, 1_000, 100
MAX_CHARSMAP = 4 * 2**20  # characters of base64


@dataclass(frozen=True)
class TokeniserPlan:
    """How texts become the ids of an imported transformer."""

    kind: str  # wordpiece (BERT, MPNet), byte_bpe (RoBERTa) or unigram (XLM-R)
    vocab: tuple[str, ...]  # forms in the order of their ids
    n_ids: int  # rows of the embedding table; at least as many as forms
    before: tuple[int, ...]  # special tokens before the words, such as [CLS]
    after: tuple[int, ...]  # special tokens after them, such as [SEP]
    unknown: str | None = None  # form of tokens that are not in the vocab
    merges: tuple[tuple[str, str], ...] = ()  # of byte_bpe
    scores: tuple[float, ...] = ()  # of unigram, one for each form
    charsmap: str = ""  # of unigram: the normalisation of SentencePiece, as base64
    lowercase: bool = False  # of wordpiece
    strip_accents: bool | None = None  # of wordpiece; None: if lowercase
    clean_text: bool = True  # of wordpiece: without control characters
    chinese_characters: bool = True  # of wordpiece: each Chinese character is a word
    squeeze_spaces: bool = False  # of unigram: several spaces are one
    prefix_space: bool = True  # of byte_bpe and unigram: the first word is as if after a space
    prompt: str = ""  # read before every text
    prompts: Mapping[str, str] = field(default_factory=dict)  # by name, such as query and passage

    def to_json(self) -> str:
        """Return the content of the file."""
        return json_text(asdict(self), separators=(",", ":")) + "\n"

    @classmethod
    def from_json(cls, text: str) -> TokeniserPlan:
        """Read the output of `to_json`; the file is not trusted."""
        try:
            tree = json.loads(text)
            names = {each.name for each in fields(cls)}
            if not isinstance(tree, dict) or set(tree) != names:
                raise ModelFolderError(f"{NAME} does not have the entries of an imported tokeniser")
            for name in ("vocab", "before", "after", "scores"):
                tree[name] = tuple(tree[name])
            tree["merges"] = tuple((first, second) for first, second in tree["merges"])
            plan = cls(**tree)
            if (wrong := plan.wrong()) is not None:
                raise ModelFolderError(f"{NAME}: {wrong} has an invalid value")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            if isinstance(error, ModelFolderError):
                raise
            raise ModelFolderError(f"{NAME} is not readable: {type(error).__name__}: {error}") from None
        return plan

    def wrong(self) -> str | None:
        """Return the name of the first invalid value."""
        forms = set(self.vocab) if self._has_forms() else set()
        good = {
            "kind": self.kind in KINDS,
            "vocab": bool(forms) and (self.kind == UNIGRAM or len(forms) == len(self.vocab)),
            "n_ids": type(self.n_ids) is int and len(self.vocab) <= self.n_ids <= MAX_FORMS,
            "before": self._are_ids(self.before),
            "after": self._are_ids(self.after),
            "unknown": self._is_unknown(forms),
            "merges": (self.kind == BYTE_BPE or not self.merges) and self._are_merges(forms),
            "scores": self._are_scores(),
            "charsmap": _is_base64(self.charsmap) and (self.kind == UNIGRAM or not self.charsmap),
            "strip_accents": self.strip_accents in (None, True, False),
            "flags": all(type(flag) is bool for flag in self._flags()),
            "prompt": _is_prompt(self.prompt),
            "prompts": isinstance(self.prompts, dict)
            and len(self.prompts) <= MAX_PROMPTS
            and all(_is_prompt(name) and _is_prompt(prompt) for name, prompt in self.prompts.items()),
        }
        return next((name for name, is_good in good.items() if not is_good), None)

    def _flags(self) -> tuple[bool, ...]:
        return (self.lowercase, self.clean_text, self.chinese_characters, self.squeeze_spaces, self.prefix_space)

    def _has_forms(self) -> bool:
        if not 0 < len(self.vocab) <= MAX_FORMS or not set(map(type, self.vocab)) <= {str}:
            return False
        every = "".join(self.vocab)
        return max(map(len, self.vocab)) <= MAX_FORM and without_lone_surrogates(every) == every

    def _are_ids(self, ids: tuple[int, ...]) -> bool:
        return len(ids) <= MAX_SPECIAL and all(type(i) is int and 0 <= i < self.n_ids for i in ids)

    def _is_unknown(self, forms: set[str]) -> bool:
        return self.unknown in forms if self.kind != BYTE_BPE else self.unknown is None or self.unknown in forms

    def _are_merges(self, forms: set[str]) -> bool:
        return len(self.merges) <= MAX_FORMS and all(
            isinstance(first, str) and isinstance(second, str) and {first, second, first + second} <= forms
            for first, second in self.merges
        )

    def _are_scores(self) -> bool:
        if self.kind != UNIGRAM:
            return not self.scores
        return len(self.scores) == len(self.vocab) and all(
            isinstance(score, (int, float)) and math.isfinite(score) for score in self.scores
        )


def _is_prompt(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_PROMPT and without_lone_surrogates(value) == value


def _is_base64(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > MAX_CHARSMAP:
        return False
    try:
        base64.b64decode(value, validate=True)
    except ValueError:
        return False
    return True
