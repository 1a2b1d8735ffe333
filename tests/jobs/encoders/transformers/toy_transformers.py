"""Small random transformers of six families, saved as Hugging Face and sentence-transformers save them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

CORPUS = [
    "The animal didn't cross the street because it was too tired.",
    "time flies like an arrow, fruit flies like a banana!",
    "naïve café, ÜBER-große Straße; 3.5 % of 1,024",
    "東京タワーに行きました。 我们去了北京。 안녕하세요 세계",
    "مرحبا بالعالم नमस्ते दुनिया สวัสดีชาวโลก",
] * 3
TEXTS = [
    "The animal didn't cross the street because it was too tired.",
    "",
    "   ",
    "a",
    "naïve CAFÉ\tÜber…  3.5%",
    "東京タワー 我们去北京 안녕하세요",
    "مرحبا नमस्ते สวัสดี 🙂👩‍🚀 zzz\u200bzz",
    "flies " * 150,
    "x\x00y\x0bz\x85w \u3000 wide",
]
SIZES = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 40}
FAMILIES = ("bert", "distilbert", "roberta", "xlm-roberta", "mpnet", "minilm")


def save_transformer(
    folder: Path, family: str, *, positions: int = 64, layers: int = 2, pooling: str | None = None
) -> Path:
    """Write a transformer with random weights; with a pooling, as sentence-transformers does."""
    tokenizer = TOKENISERS[family]()
    network = _network(family, len(tokenizer.get_vocab()), positions, layers)
    network.eval().save_pretrained(folder)
    limit = positions if family in ("bert", "distilbert", "minilm") else positions - 2
    _save_tokeniser(folder, tokenizer, limit)
    if pooling is not None:
        add_modules(folder, pooling)
    return folder


def add_modules(folder: Path, pooling: str, *, unit: bool = True, prompts: dict[str, str] | None = None) -> None:
    """Make a sentence-transformers folder of a transformer's folder."""
    kinds = {"": "Transformer", "1_Pooling": "Pooling", **({"2_Normalize": "Normalize"} if unit else {})}
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate(kinds.items())
    ]
    write_json(folder / "modules.json", modules)
    (folder / "1_Pooling").mkdir(exist_ok=True)
    modes = {f"pooling_mode_{name}": False for name in ("cls_token", "mean_tokens", "max_tokens")}
    chosen = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens"}[pooling]
    config = {"word_embedding_dimension": 24, **modes, f"pooling_mode_{chosen}": True}
    write_json(folder / "1_Pooling" / "config.json", config)
    if prompts:
        name = next(iter(prompts))
        write_json(folder / "config_sentence_transformers.json", {"prompts": prompts, "default_prompt_name": name})


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def change_json(path: Path, **values: Any) -> None:
    write_json(path, {**json.loads(path.read_text(encoding="utf-8")), **values})


def _network(family: str, n_ids: int, positions: int, layers: int) -> Any:
    import transformers as library

    torch.manual_seed(7)
    sizes = {**SIZES, "vocab_size": n_ids, "max_position_embeddings": positions, "num_hidden_layers": layers}
    if family == "distilbert":
        return shaken(
            library.DistilBertModel(
                library.DistilBertConfig(
                    dim=24, n_layers=2, n_heads=3, hidden_dim=40, vocab_size=n_ids, max_position_embeddings=positions
                )
            )
        )
    config, model = {
        "bert": (library.BertConfig, library.BertModel),
        "minilm": (library.BertConfig, library.BertModel),
        "roberta": (library.RobertaConfig, library.RobertaModel),
        "xlm-roberta": (library.XLMRobertaConfig, library.XLMRobertaModel),
        "mpnet": (library.MPNetConfig, library.MPNetModel),
    }[family]
    more = {"pad_token_id": 1, "type_vocab_size": 1} if family in ("roberta", "xlm-roberta") else {}
    return shaken(model(config(**sizes, **more)))


def shaken(network: Any) -> Any:
    """Change all weights, so that none is 0 or 1 as in a fresh network, and positions and distances matter."""
    with torch.no_grad():
        for name, weight in network.named_parameters():
            weight.add_(torch.randn_like(weight) * (0.3 if "bias" in name or "position" in name else 0.1))
    return network


def _wordpiece(*special: str) -> Tokenizer:
    """A tokeniser as that of BERT, with these special tokens by their ids."""
    unknown, first, last = (next(form for form in special if mark in form.lower()) for mark in _MARKS[special[0]])
    tokenizer = Tokenizer(models.WordPiece({}, unk_token=unknown, max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=list(special), show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return _with_template(tokenizer, first, last)


def _byte_bpe() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=330,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return tokenizer


def _unigram() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.Replace(_spaces(), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")]
    )
    trainer = trainers.UnigramTrainer(
        vocab_size=250, special_tokens=["<s>", "<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return _with_template(tokenizer, "<s>", "</s>")


def _spaces() -> Any:
    from tokenizers import Regex

    return Regex(" {2,}")


def _with_template(tokenizer: Tokenizer, first: str, last: str) -> Tokenizer:
    ids = [(form, tokenizer.token_to_id(form)) for form in (first, last)]
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{first} $A {last}", special_tokens=ids)
    return tokenizer


def _save_tokeniser(folder: Path, tokenizer: Tokenizer, limit: int) -> None:
    import transformers as library

    forms = {"[PAD]": "[UNK]"} if tokenizer.token_to_id("[PAD]") is not None else {"<pad>": "<unk>"}
    ((pad, unknown),) = forms.items()
    fast = library.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=pad, unk_token=unknown, model_max_length=limit
    )
    fast.save_pretrained(folder)


_MARKS = {"[PAD]": ("unk", "cls", "sep"), "<s>": ("unk", "<s>", "</s>")}  # by the first special token
TOKENISERS = {
    "bert": lambda: _wordpiece("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    "distilbert": lambda: _wordpiece("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    "minilm": lambda: _wordpiece("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    "mpnet": lambda: _wordpiece("<s>", "<pad>", "</s>", "<unk>"),
    "roberta": _byte_bpe,
    "xlm-roberta": _unigram,
}
