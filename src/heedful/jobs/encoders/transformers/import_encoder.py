"""From a transformer's folder to an encoder of ours: `heedful import`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful import __version__
from heedful.config import Config
from heedful.errors import ConfigError, check_installed
from heedful.files.unicode import without_lone_surrogates
from heedful.inputs.text.featuriser import ImportedFeaturiser
from heedful.jobs.encoders.transformers.families import family_of, sizes_of
from heedful.jobs.encoders.transformers.hub_folder import HubFolder, read_hub_folder
from heedful.jobs.encoders.transformers.hub_tokeniser import read_plan
from heedful.jobs.encoders.transformers.hub_weights import Renaming
from heedful.jobs.encoders.transformers.pooling import Ending, read_ending
from heedful.store import folder as store
from heedful.store.cards.imported_card import imported_card
from heedful.store.digests import Seal, seal
from heedful.store.metadata import Facts
from heedful.store.verdict import NOT_AUDITED
from heedful.store.weights import weights_file
from heedful.text.imported.tokeniser import ImportedTokeniser

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class ImportOptions:
    """How a transformer is imported; None keeps what its folder says."""

    int8: bool = False  # multiply whole numbers: faster, and a quarter of the size
    max_tokens: int | None = None
    pooling: str | None = None
    prompt: str | None = None  # a text, or the name of one of the folder's prompts


@dataclass(frozen=True)
class Imported:
    """A transformer as our network has it."""

    name: str
    config: Config
    featuriser: ImportedFeaturiser
    weights: Mapping[str, Floats]
    facts: Mapping[str, Any]
    int8: bool

    def graph(self) -> bytes:
        """Return the ONNX graph."""
        check_installed("onnx", feature="Importing a transformer", extra="train")
        from heedful.network.write import onnx_graph

        return onnx_graph(self.config.model, self.weights, shape=self.featuriser.shape, int8=self.int8)

    def stored(self, path: Path, graph: bytes) -> store.Stored:
        """Return the model as the runtime needs it, without a folder of ours."""
        facts = self.facts_of({})
        sealed = Seal({store.GRAPH: graph, **store.featuriser_files(self.featuriser)})
        return store.Stored(path, self.config, facts, self.featuriser, graph, NOT_AUDITED, sealed)

    def facts_of(self, files: Mapping[str, bytes]) -> Facts:
        """Return the content of facts.json for these files."""
        model = self.config.model
        return Facts((), n_hops=1, width=model.units, heedful=__version__, data=self.facts, files=seal(files))


def import_encoder(
    source: Path,
    out: Path,
    options: ImportOptions | None = None,
    *,
    overwrite: bool = False,
    on_note: Callable[[str], None] = lambda _: None,
) -> Facts:
    """Read a transformer's folder, write its graph, and save it as a model folder."""
    import tomli_w

    store.check_target(out, overwrite=overwrite)
    with store.held(out):
        store.clean_up(out)
        imported = read_imported(source, options or ImportOptions())
        on_note(imported.facts["about"])
        files = {
            store.CONFIG: without_lone_surrogates(tomli_w.dumps(imported.config.to_dict())).encode(),
            **store.featuriser_files(imported.featuriser),
            store.WEIGHTS: weights_file(imported.weights, small=False),
            store.GRAPH: imported.graph(),
        }
        facts = imported.facts_of(files)
        files |= {
            store.FACTS: facts.to_json().encode(),
            store.HISTORY: b"",
            store.CARD: without_lone_surrogates(imported_card(out.name, imported.config, facts)).encode(),
        }
        store.write_folder(out, files, overwrite=overwrite)
    return facts


def stored_transformer(source: Path) -> store.Stored:
    """Return a transformer's folder as a model in memory, for `heedful.load`."""
    imported = read_imported(source, ImportOptions())
    return imported.stored(source, imported.graph())


def read_imported(source: Path, options: ImportOptions) -> Imported:
    """Return the parts of a transformer's folder under our names."""
    hub = read_hub_folder(source)
    family = family_of(hub)
    sizes, ending = sizes_of(hub, family), read_ending(hub, pooling=options.pooling)
    weights = Renaming(hub, family, sizes).weights()
    width, n_positions = int(sizes["units"]), len(weights["encoder.positions.weight"])
    weights["head.map.weight"] = np.eye(width, dtype=np.float32) if ending.map is None else ending.map
    named, prompt = _prompts(hub, options.prompt)
    plan = read_plan(hub, n_ids=len(weights["embed.weight"]), prompt=prompt, prompts=named)
    max_tokens = _max_tokens(hub, n_positions, options.max_tokens)
    config = _config(sizes, ending, weights, max_tokens=max_tokens, n_positions=n_positions)
    featuriser = ImportedFeaturiser(ImportedTokeniser(plan), max_tokens=max_tokens)
    kind = hub.config["model_type"]
    about = f"{kind}, {sizes['n_layers']} layers of {sizes['n_heads']} heads, {ending.pooler} pooling, {width} numbers"
    facts = {"imported_from": source.resolve().name, "family": kind, "about": about, "known_tokens": len(featuriser)}
    return Imported(source.name, config, featuriser, weights, facts | {"int8": options.int8}, options.int8)


def _config(
    sizes: Mapping[str, Any], ending: Ending, weights: Mapping[str, Floats], *, max_tokens: int, n_positions: int
) -> Config:
    """Return the settings of the encoder."""
    distances = weights.get("encoder.distances.weight")
    return Config(task="embed").changed(
        tokens="imported", encoder="bert", embed_width=sizes["units"], keep_words=False, pooler=ending.pooler, n_hops=1,
        head="vector", vector_width=len(weights["head.map.weight"]), max_tokens=max_tokens, start="none", ngrams=0,
        unit_vectors=ending.is_unit, n_positions=n_positions,
        n_distances=0 if distances is None else len(distances) // 2, dropout=0.0, word_dropout=0.0, penalty=0.0,
        **sizes,
    )  # fmt: skip


def _max_tokens(hub: HubFolder, n_positions: int, asked: int | None) -> int:
    """Return the limit of tokens: as asked for, or that of the folder."""
    limit = hub.json("sentence_bert_config.json").get("max_seq_length") or hub.json("tokenizer_config.json").get(
        "model_max_length"
    )
    usual = min(n_positions, limit) if isinstance(limit, int) and limit > 0 else n_positions
    if asked is not None and asked > n_positions:
        raise ConfigError([f"text.max_tokens is {asked:,}, but the transformer has {n_positions:,} positions."])
    return asked or usual


def _prompts(hub: HubFolder, asked: str | None) -> tuple[dict[str, str], str]:
    """Return the folder's prompts by name, and the one that is read before every text."""
    settings = hub.json("config_sentence_transformers.json")
    given = settings.get("prompts")
    named = {str(name): str(text) for name, text in given.items() if text} if isinstance(given, dict) else {}
    if asked is None:
        return named, named.get(settings.get("default_prompt_name") or "", "")
    return named, named.get(asked, asked)
