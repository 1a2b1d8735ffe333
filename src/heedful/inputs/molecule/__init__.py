"""Molecules: SMILES to atoms and bonds."""

from heedful.inputs.input import Input, Wording

INPUT = Input(
    name="molecule",
    wording=Wording("molecules", "atom", "atoms", "atoms"),
    featuriser="heedful.inputs.molecule.featuriser:MoleculeFeaturiser",
    picture="heedful.inputs.molecule.picture:picture_of",
    columns=("smiles", "molecule", "structure", "canonical_smiles"),
    smallest="C",
    has_neighbours=True,
    defaults={
        "encoder": "neighbours",
        "units": 64,
        "n_layers": 3,
        "inner_units": 128,
        "n_hops": 4,
        "attention_width": 64,
        "row_units": 32,
        "count": True,
        "whole": True,
        "dropout": 0.1,
        "input_dropout": 0.0,
        "attention_dropout": 0.0,
        "penalty": 0.0,
        "schedule": "cosine",
        "patience": 10,
    },
    extra="molecules",
)
