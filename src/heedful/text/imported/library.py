"""The library's tokeniser, built from a plan."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from heedful.errors import ModelFolderError
from heedful.text.imported.plan import BYTE_BPE, NAME, UNIGRAM, WORDPIECE, TokeniserPlan

LONGEST_WORD = 100  # characters; WordPiece reads longer words as unknown
SPACE = "▁"


def library_tokeniser(plan: TokeniserPlan) -> Tokenizer:
    """Return the tokeniser. Special tokens are not in it: in a text, "[SEP]" is just text."""
    try:
        return _BUILDERS[plan.kind](plan)
    except BaseException as error:  # the library panics at some files, with a BaseException
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        raise ModelFolderError(f"{NAME} does not make a tokeniser: {error!s:.200}") from None


def _wordpiece(plan: TokeniserPlan) -> Tokenizer:
    model = models.WordPiece(_ids(plan), unk_token=plan.unknown or "", max_input_chars_per_word=LONGEST_WORD)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=plan.clean_text,
        handle_chinese_chars=plan.chinese_characters,
        strip_accents=plan.strip_accents,
        lowercase=plan.lowercase,
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def _byte_bpe(plan: TokeniserPlan) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(_ids(plan), list(plan.merges), unk_token=plan.unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=plan.prefix_space)
    return tokenizer


def _unigram(plan: TokeniserPlan) -> Tokenizer:
    unknown = plan.vocab.index(plan.unknown or "")
    tokenizer = Tokenizer(models.Unigram(list(zip(plan.vocab, plan.scores, strict=True)), unknown))
    parts: list[Any] = []
    if plan.charsmap:
        parts.append(normalizers.Precompiled(base64.b64decode(plan.charsmap)))
    if plan.squeeze_spaces:
        parts.append(normalizers.Replace(Regex(" {2,}"), " "))
    tokenizer.normalizer = normalizers.Sequence(parts)
    scheme = "always" if plan.prefix_space else "never"
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme=scheme)]
    )
    return tokenizer


def _ids(plan: TokeniserPlan) -> dict[str, int]:
    return {form: i for i, form in enumerate(plan.vocab)}


_BUILDERS: Mapping[str, Callable[[TokeniserPlan], Tokenizer]] = {
    WORDPIECE: _wordpiece,
    BYTE_BPE: _byte_bpe,
    UNIGRAM: _unigram,
}
