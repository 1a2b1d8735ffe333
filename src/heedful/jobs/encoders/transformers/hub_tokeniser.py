"""The plan of a tokeniser from a tokenizer.json of Hugging Face: what heedful can rebuild exactly, or an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heedful.errors import ModelFolderError
from heedful.jobs.encoders.transformers.hub_folder import TOKENIZER, HubFolder
from heedful.text.imported.plan import BYTE_BPE, UNIGRAM, WORDPIECE, TokeniserPlan

SPACE = "▁"
SPACES = " {2,}"  # the expression by which several spaces become one


class UnknownPartError(Exception):
    """A part of a tokeniser that heedful does not rebuild."""


def read_plan(folder: HubFolder, *, n_ids: int, prompt: str, prompts: Mapping[str, str]) -> TokeniserPlan:
    """Return the plan for the tokeniser of a folder."""
    if not (folder.home / TOKENIZER).is_file():
        raise ModelFolderError(
            f"{folder.home} has no {TOKENIZER}. Save it with a fast tokenizer: "
            "AutoTokenizer.from_pretrained(…).save_pretrained(folder)"
        )
    tree = folder.json(TOKENIZER, needed=True)
    try:
        before, after = _special(tree)
        parts = _PARTS[_kind(tree)](tree, folder)
        plan = TokeniserPlan(**parts, n_ids=n_ids, before=before, after=after, prompt=prompt, prompts=dict(prompts))
    except UnknownPartError as error:
        raise ModelFolderError(f"{folder.home / TOKENIZER} has {error}, which heedful cannot rebuild") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        message = f"{folder.home / TOKENIZER} is not a tokeniser: {type(error).__name__}: {error!s:.100}"
        raise ModelFolderError(message) from None
    if (wrong := plan.wrong()) is not None:
        raise ModelFolderError(f"{folder.home / TOKENIZER}: {wrong} has an invalid value")
    return plan


def _kind(tree: Mapping[str, Any]) -> str:
    model = tree["model"]
    kind = model.get("type") or ("BPE" if "merges" in model else "WordPiece")
    if kind not in _KINDS:
        raise UnknownPartError(f"a model of the type {kind!r:.40}")
    return _KINDS[kind]


def _special(tree: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids before and after the words of a single text."""
    post = tree.get("post_processor")
    if post is None:
        return (), ()
    if post["type"] == "Sequence":
        kept = [part for part in post["processors"] if part["type"] != "ByteLevel"]
        post = kept[0] if len(kept) == 1 else post
    if post["type"] in ("RobertaProcessing", "BertProcessing"):
        return (int(post["cls"][1]),), (int(post["sep"][1]),)
    if post["type"] != "TemplateProcessing":
        raise UnknownPartError(f"a post-processor of the type {post['type']!r:.40}")
    before: list[int] = []
    after: list[int] = []
    side = before
    for part in post["single"]:
        if "Sequence" in part:
            side = after
        else:
            side += [int(i) for i in post["special_tokens"][part["SpecialToken"]["id"]]["ids"]]
    return tuple(before), tuple(after)


def _wordpiece(tree: Mapping[str, Any], folder: HubFolder) -> dict[str, Any]:
    model, normalizer = tree["model"], tree["normalizer"]
    if normalizer["type"] != "BertNormalizer":
        raise UnknownPartError(f"a normaliser of the type {normalizer['type']!r:.40}")
    if tree["pre_tokenizer"]["type"] != "BertPreTokenizer" or model.get("continuing_subword_prefix", "##") != "##":
        raise UnknownPartError("words or subwords that are not those of BERT")
    own = folder.json("tokenizer_config.json")  # the libraries let it overrule tokenizer.json
    lowercase = own.get("do_lower_case", normalizer["lowercase"]) or _lowers_texts(folder)
    return {
        "kind": WORDPIECE,
        "vocab": _in_order(model["vocab"]),
        "unknown": model["unk_token"],
        "lowercase": lowercase,
        "strip_accents": own.get("strip_accents", normalizer["strip_accents"]),
        "clean_text": normalizer["clean_text"],
        "chinese_characters": own.get("tokenize_chinese_chars", normalizer["handle_chinese_chars"]),
    }


def _byte_bpe(tree: Mapping[str, Any], folder: HubFolder) -> dict[str, Any]:
    model, words = tree["model"], tree["pre_tokenizer"]
    odd = [name for name in ("dropout", "fuse_unk", "byte_fallback", "ignore_merges") if model.get(name)]
    odd += [name for name in ("continuing_subword_prefix", "end_of_word_suffix") if model.get(name)]
    if odd or tree.get("normalizer") or words["type"] != "ByteLevel" or words.get("use_regex", True) is not True:
        raise UnknownPartError("a BPE that is not that of RoBERTa")
    if _lowers_texts(folder):
        raise UnknownPartError("texts in lower case")
    merges = [pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"]]
    return {
        "kind": BYTE_BPE,
        "vocab": _in_order(model["vocab"]),
        "unknown": model.get("unk_token"),
        "merges": tuple((first, second) for first, second in merges),
        "prefix_space": words["add_prefix_space"],
    }


def _unigram(tree: Mapping[str, Any], folder: HubFolder) -> dict[str, Any]:
    model = tree["model"]
    if model.get("byte_fallback") or _lowers_texts(folder):
        raise UnknownPartError("a Unigram model that is not that of XLM-R")
    vocab = tuple(str(form) for form, _ in model["vocab"])
    return {
        "kind": UNIGRAM,
        "vocab": vocab,
        "scores": tuple(float(score) for _, score in model["vocab"]),
        "unknown": vocab[model["unk_id"]],
        **_normalised(tree.get("normalizer")),
        "prefix_space": _prefix_space(tree["pre_tokenizer"]),
    }


def _normalised(tree: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return how the texts of a Unigram model are normalised."""
    parts: Sequence[Any] = () if tree is None else tree["normalizers"] if tree["type"] == "Sequence" else [tree]
    charsmap, squeeze = "", False
    for part in parts:
        if part["type"] == "Precompiled":
            charsmap = part["precompiled_charsmap"] or ""
        elif part["type"] == "Replace" and part["pattern"] == {"Regex": SPACES} and part["content"] == " ":
            squeeze = True
        else:
            raise UnknownPartError(f"a normaliser of the type {part['type']!r:.40}")
    return {"charsmap": charsmap, "squeeze_spaces": squeeze}


def _prefix_space(tree: Mapping[str, Any]) -> bool:
    """Return whether a text starts as if after a space."""
    parts = tree["pretokenizers"] if tree["type"] == "Sequence" else [tree]
    if [part["type"] for part in parts if part["type"] != "WhitespaceSplit"] != ["Metaspace"]:
        raise UnknownPartError("words that are not divided at spaces")
    meta = parts[-1]
    if meta.get("replacement", SPACE) != SPACE or meta.get("split", True) is not True:
        raise UnknownPartError("a sign for spaces that is not that of SentencePiece")
    return bool(meta.get("prepend_scheme", "always" if meta.get("add_prefix_space", True) else "never") == "always")


def _in_order(vocab: Mapping[str, int]) -> tuple[str, ...]:
    """Return the forms in the order of their ids, which must be 0, 1, 2 …"""
    forms = sorted(vocab, key=vocab.__getitem__)
    if [vocab[form] for form in forms] != list(range(len(forms))):
        raise UnknownPartError("ids that are not 0, 1, 2 …")
    return tuple(forms)


def _lowers_texts(folder: HubFolder) -> bool:
    """Return whether sentence-transformers puts texts into lower case first."""
    return bool(folder.json("sentence_bert_config.json").get("do_lower_case"))


_KINDS = {"WordPiece": WORDPIECE, "BPE": BYTE_BPE, "Unigram": UNIGRAM}
_PARTS = {WORDPIECE: _wordpiece, BYTE_BPE: _byte_bpe, UNIGRAM: _unigram}
