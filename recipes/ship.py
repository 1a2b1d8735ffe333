"""Put an encoder into the package: `python recipes/ship.py FOLDER NAME [--run-only]`.

The graph is written anew from the weights, so that an older folder gets the newest graph. With `--run-only` the weights
themselves stay out: the model is half the size, and cannot be trained further.
"""

from __future__ import annotations

import sys
from pathlib import Path

from heedful.config import load_config
from heedful.jobs.train.write_hops import keep_message_hops
from heedful.network.write import onnx_graph
from heedful.runtime.model import load
from heedful.store import folder
from heedful.store.shipped import HOME
from heedful.store.weights import read_weights


def main(source: str, name: str, *options: str) -> None:
    """Copy the files of a model folder that a shipped model has."""
    path = Path(source)
    weights = read_weights(path / folder.WEIGHTS)
    tokens = folder.SUBWORDS if (path / folder.SUBWORDS).is_file() else folder.VOCAB
    kept = [folder.CONFIG, folder.FACTS, tokens, folder.HISTORY, folder.CARD]
    if "--run-only" not in options:
        kept.append(folder.WEIGHTS)
    files = {file: (path / file).read_bytes() for file in kept}
    files[folder.GRAPH] = onnx_graph(load_config(path / folder.CONFIG).model, weights, small=True)
    folder.write_folder(HOME / name, files, overwrite=True)
    keep_message_hops(load(HOME / name))


if __name__ == "__main__":
    main(*sys.argv[1:])
