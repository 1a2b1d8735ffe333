"""Model folders that a stranger made to do harm: each is a small trained folder with one file changed.

`tests/store/test_crafted_folders.py` holds that each is refused in one line; `benchmarks.crafted_folders` measures time
and memory.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from heedful.store.digests import seal

SEALED = (
    "config.toml",
    "vocab.json",
    "ngrams.safetensors",
    "tokenizer.json",
    "input.json",
    "model.onnx",
    "decoder.onnx",
    "weights.safetensors",
)


@dataclass(frozen=True)
class Crafted:
    """A way to change a folder. `of` is the kind of model that it is made from."""

    change: Callable[[Path], None]
    of: str = "words"
    on_gradient: bool = False  # refused where the weights are read, not when the model is loaded


def craft(source: Path, folder: Path, case: Crafted) -> Path:
    """Copy a model folder and change the copy; all digests fit, as a stranger would make them."""
    shutil.copytree(source, folder)
    case.change(folder)
    reseal(folder)
    return folder


def reseal(folder: Path) -> None:
    """Write the digests of the files into facts.json, where that is still an object."""
    try:
        facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return
    if isinstance(facts, dict) and "files" in facts:
        files = {name: (folder / name).read_bytes() for name in SEALED if (folder / name).is_file()}
        content = json.dumps({**facts, "files": seal(files)})
        (folder / "facts.json").write_text(content, encoding="utf-8")


def _graph(change: Callable[[Any], None]) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        model = onnx.load(folder / "model.onnx")
        change(model.graph)
        (folder / "model.onnx").write_bytes(model.SerializeToString())

    return changed


def _before_scores(*nodes: Callable[[str, str], list[Any]], constants: dict[str, Any] | None = None) -> Any:
    """Return a change that puts nodes between the scores as they were and the output."""

    def change(graph: Any) -> None:
        for node in graph.node:
            node.output[:] = ["old_scores" if name == "scores" else name for name in node.output]
        for name, value in (constants or {}).items():
            graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))
        for make in nodes:
            graph.node.extend(make("old_scores", "scores"))

    return _graph(change)


def _loop(source: str, result: str) -> list[Any]:
    inner = [
        helper.make_tensor_value_info("turn", TensorProto.INT64, []),
        helper.make_tensor_value_info("on", TensorProto.BOOL, []),
    ]
    outer = [helper.make_tensor_value_info("on_again", TensorProto.BOOL, [])]
    body = helper.make_graph([helper.make_node("Identity", ["on"], ["on_again"])], "body", inner, outer)
    true = helper.make_node("Cast", ["turns"], ["true"], to=TensorProto.BOOL)
    loop = helper.make_node("Loop", ["turns", "true"], [], body=body)
    return [true, loop, helper.make_node("Identity", [source], [result])]


def _branch(source: str, result: str) -> list[Any]:
    body = helper.make_graph(
        [helper.make_node("Identity", [source], ["inner"])],
        "body",
        [],
        [helper.make_tensor_value_info("inner", TensorProto.FLOAT, None)],
    )
    true = helper.make_node("Cast", ["turns"], ["true"], to=TensorProto.BOOL)
    return [true, helper.make_node("If", ["true"], [result], then_branch=body, else_branch=body)]


def _expand(source: str, result: str) -> list[Any]:
    return [
        helper.make_node("ReduceSum", [source], ["one"], keepdims=0),
        helper.make_node("Expand", ["one", "large"], ["huge"]),
        helper.make_node("ReduceSum", ["huge"], ["sum"], keepdims=0),
        helper.make_node("Add", [source, "sum"], [result]),
    ]


def _constant(source: str, result: str) -> list[Any]:
    return [
        helper.make_node("ConstantOfShape", ["large"], ["huge"]),
        helper.make_node("ReduceSum", ["huge"], ["sum"], keepdims=0),
        helper.make_node("Add", [source, "sum"], [result]),
    ]


def _outer(source: str, result: str) -> list[Any]:
    return [
        helper.make_node("MatMul", ["column", "row"], ["huge"]),
        helper.make_node("ReduceSum", ["huge"], ["sum"], keepdims=0),
        helper.make_node("Add", [source, "sum"], [result]),
    ]


def _doubled(source: str, result: str) -> list[Any]:
    nodes = [helper.make_node("Concat", [source, source], ["twice_0"], axis=1)]
    nodes += [helper.make_node("Concat", [f"twice_{i}"] * 2, [f"twice_{i + 1}"], axis=1) for i in range(33)]
    nodes.append(helper.make_node("ReduceSum", ["twice_33"], ["sum"], keepdims=0))
    return [*nodes, helper.make_node("Add", [source, "sum"], [result])]


def _one_hot(source: str, result: str) -> list[Any]:
    return [
        helper.make_node("OneHot", ["ids", "depth", "on_off"], ["huge"]),
        helper.make_node("ReduceSum", ["huge"], ["sum"], keepdims=0),
        helper.make_node("Add", [source, "sum"], [result]),
    ]


def _past_the_probe(source: str, result: str) -> list[Any]:
    """Nothing for texts of up to 300 tokens, and 10⁹ numbers for every 300 tokens of a longer one."""
    return [
        helper.make_node("Shape", ["ids"], ["shape"], start=1, end=2),
        helper.make_node("Div", ["shape", "three_hundred"], ["times"]),
        helper.make_node("Concat", ["times", "large"], ["wanted"], axis=0),
        helper.make_node("ReduceSum", [source], ["one"], keepdims=0),
        helper.make_node("Expand", ["one", "wanted"], ["huge"]),
        helper.make_node("ReduceSum", ["huge"], ["sum"], keepdims=0),
        helper.make_node("Add", [source, "sum"], [result]),
    ]


def _by_batch(source: str, result: str) -> list[Any]:
    """The fifth power of the number of texts."""
    shapes = [
        helper.make_node("Shape", ["lengths"], ["texts"]),
        helper.make_node("Concat", ["texts"] * 5, ["wanted"], axis=0),
    ]
    return [
        *shapes,
        helper.make_node("ReduceSum", [source], ["one"], keepdims=0),
        helper.make_node("Expand", ["one", "wanted"], ["huge"]),
        helper.make_node("ReduceSum", ["huge"], ["sum"], keepdims=0),
        helper.make_node("Add", [source, "sum"], [result]),
    ]


def _slow(source: str, result: str) -> list[Any]:
    nodes = [
        helper.make_node("ReduceSum", [source], ["one"], keepdims=0),
        helper.make_node("Add", ["square", "one"], ["step_0"]),
    ]
    nodes += [helper.make_node("MatMul", [f"step_{i}", "square"], [f"step_{i + 1}"]) for i in range(5_000)]
    nodes.append(helper.make_node("ReduceSum", ["step_5000"], ["sum"], keepdims=0))
    return [*nodes, helper.make_node("Add", [source, "sum"], [result])]


def _other_domain(source: str, result: str) -> list[Any]:
    return [helper.make_node("Gelu", [source], [result], domain="com.microsoft")]


def _no_data(graph: Any) -> None:
    graph.initializer.append(TensorProto(name="huge", data_type=1, dims=[10**6, 10**6]))


def _outside(graph: Any) -> None:
    tensor = TensorProto(name="outside", data_type=1, dims=[2], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="/etc/hostname")
    graph.initializer.append(tensor)


def _two_graphs(folder: Path) -> None:
    file = folder / "model.onnx"
    more = onnx.GraphProto(node=_loop("ids", "x")).SerializeToString()
    length = bytes([len(more) & 0x7F | 0x80, len(more) >> 7])
    file.write_bytes(file.read_bytes() + b"\x3a" + length + more)


def _ort_format(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"\x18\x00\x00\x00ORTM" + b"\x00" * 200)


def _config(**settings: str) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        file = folder / "config.toml"
        text = file.read_text(encoding="utf-8")
        for name, value in settings.items():
            text, n = re.subn(rf"^{name} = (\[[^\]]*\]|.*$)", f"{name} = {value}", text, flags=re.MULTILINE)
            assert n == 1, name
        file.write_text(text, encoding="utf-8")

    return changed


def _text(name: str, content: str | bytes) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return changed


def _json(name: str, change: Callable[[Any], None]) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        tree = json.loads((folder / name).read_text(encoding="utf-8"))
        change(tree)
        (folder / name).write_text(json.dumps(tree), encoding="utf-8")

    return changed


def _tokenizer(**parts: Any) -> Callable[[Path], None]:
    return _json("tokenizer.json", lambda tree: tree.update(parts))


def _token_id(number: int) -> Callable[[Path], None]:
    def change(tree: Any) -> None:
        vocab = tree["model"]["vocab"]
        vocab[max(vocab, key=vocab.__getitem__)] = number

    return _json("tokenizer.json", change)


def _facts(**values: Any) -> Callable[[Path], None]:
    return _json("facts.json", lambda tree: tree.update(values))


def _data(**values: Any) -> Callable[[Path], None]:
    return _json("facts.json", lambda tree: tree["data"].update(values))


def _weights_elsewhere(folder: Path) -> None:
    elsewhere = folder.parent / f"{folder.name}-elsewhere.safetensors"
    (folder / "weights.safetensors").rename(elsewhere)
    (folder / "weights.safetensors").symlink_to(elsewhere)


def _pipe(folder: Path) -> None:
    (folder / "vocab.json").unlink()
    os.mkfifo(folder / "vocab.json")


def _replacements(tree: Any) -> None:
    bomb = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 100}
    tree["normalizer"]["normalizers"] += [bomb] * 4


def _split(tree: Any) -> None:
    tree["pre_tokenizer"]["pretokenizers"][0]["pattern"] = {"Regex": "(a+)+$"}


def _normalizer(tree: Any) -> None:
    bomb = {"type": "Replace", "pattern": {"Regex": "(x+x+)+y"}, "content": "z"}
    tree["normalizer"]["normalizers"].append(bomb)


def _side(**values: Any) -> Callable[[Path], None]:
    return _json("input.json", lambda tree: tree["source"]["model"].update(values))


_LARGE = {"large": np.array([10**9], dtype=np.int64)}
_PADDING = {
    "strategy": {"Fixed": 500_000_000}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
    "pad_type_id": 0, "pad_token": "[PAD]",
}  # fmt: skip
_TRUNCATION = {"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 0}
_ADDED = {
    "id": 1, "content": "the", "single_word": False, "lstrip": True, "rstrip": True, "normalized": True,
    "special": False,
}  # fmt: skip

CASES: dict[str, Crafted] = {
    "loop": Crafted(_before_scores(_loop, constants={"turns": np.int64(2**62)})),
    "branch": Crafted(_before_scores(_branch, constants={"turns": np.int64(1)})),
    "mem_run": Crafted(_before_scores(_expand, constants=_LARGE)),
    "mem_const": Crafted(_before_scores(_constant, constants=_LARGE)),
    "mem_outer": Crafted(
        _before_scores(
            _outer, constants={"column": np.ones((60_000, 1), np.float32), "row": np.ones((1, 60_000), np.float32)}
        )
    ),
    "mem_doubled": Crafted(_before_scores(_doubled)),
    "mem_one_hot": Crafted(
        _before_scores(_one_hot, constants={"depth": np.int64(10**9), "on_off": np.array([0.0, 1.0], np.float32)})
    ),
    "mem_long": Crafted(
        _before_scores(_past_the_probe, constants={**_LARGE, "three_hundred": np.array([300], dtype=np.int64)})
    ),
    "mem_many": Crafted(_before_scores(_by_batch)),
    "slow": Crafted(_before_scores(_slow, constants={"square": np.ones((512, 512), np.float32)})),
    "other_domain": Crafted(_before_scores(_other_domain)),
    "no_data": Crafted(_graph(_no_data)),
    "outside": Crafted(_graph(_outside)),
    "two_graphs": Crafted(_two_graphs),
    "ort_format": Crafted(_ort_format),
    "wc": Crafted(_config(units="3000000")),
    "wc2": Crafted(_config(encoder='"transformer"', n_layers="1000000000")),
    "many_kernels": Crafted(_config(kernel_sizes=str([1] * 1_000))),
    "endless_tokens": Crafted(_config(max_tokens="100000000000000000000")),
    "long_number": Crafted(_config(n_hops="9" * 5_000)),
    "deep_config": Crafted(_text("config.toml", "a = " + "[" * 100_000)),
    "empty_config": Crafted(_text("config.toml", "")),
    "tok_padding": Crafted(_tokenizer(padding=_PADDING), of="subwords"),
    "tok_trunc": Crafted(_tokenizer(truncation=_TRUNCATION), of="subwords"),
    "tok_added": Crafted(_tokenizer(added_tokens=[_ADDED]), of="subwords"),
    "tok_laughs": Crafted(_json("tokenizer.json", _replacements), of="subwords"),
    "tok_redos": Crafted(_json("tokenizer.json", _split), of="subwords"),
    "tok_redos2": Crafted(_json("tokenizer.json", _normalizer), of="subwords"),
    "tok_long": Crafted(
        _json("tokenizer.json", lambda tree: tree["model"].update(max_input_chars_per_word=10**9)), of="subwords"
    ),
    "tok_badid": Crafted(_token_id(4_000_000_000), of="subwords"),
    "tok_gap": Crafted(_token_id(47_000), of="subwords"),
    "tok_negid": Crafted(_token_id(-1), of="subwords"),
    "tok_prefix": Crafted(
        _json("tokenizer.json", lambda tree: tree["model"].update(continuing_subword_prefix="<script>")), of="subwords"
    ),
    "known_text": Crafted(_data(known_tokens="x")),
    "known_null": Crafted(_data(known_tokens=None)),
    "known_list": Crafted(_data(known_tokens=[])),
    "half_pair": Crafted(_facts(labels=["bad\ud800", "good"])),
    "large_number": Crafted(_data(train_texts=2**64)),
    "label_twice": Crafted(_facts(labels=["good", "good"])),
    "deep_facts": Crafted(_text("facts.json", "[" * 100_000)),
    "deep_data": Crafted(_data(deep=[[[[[[[[1]]]]]]]])),
    "lists": Crafted(_text("vocab.json", '{"words": [' + "[]," * 5_000_000 + "[]]}")),
    "strings": Crafted(_text("vocab.json", '{"words": [' + '"ab",' * 6_000_000 + '"ab"]}')),
    "pipe": Crafted(_pipe),
    "deep_audit": Crafted(_text("audit.json", "[" * 100_000)),
    "weights_link": Crafted(_weights_elsewhere, on_gradient=True),
    "weights_header": Crafted(_text("weights.safetensors", (2**40).to_bytes(8, "little") + b"{}"), on_gradient=True),
    "tr_prefix": Crafted(_side(continuing_subword_prefix="<script>"), of="translator"),
    "tr_tokens": Crafted(_json("input.json", lambda tree: tree.update(max_tokens=10**12)), of="translator"),
}
