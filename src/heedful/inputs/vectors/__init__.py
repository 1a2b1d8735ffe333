"""Vectors from another model, as they are."""

from heedful.inputs.input import Input, Wording

INPUT = Input(
    name="vectors",
    wording=Wording("examples", "vector", "vectors", "vectors"),
    featuriser="heedful.inputs.vectors.featuriser:VectorFeaturiser",
    picture="heedful.inputs.vectors.picture:picture_of",
    files="heedful.inputs.vectors.read",
    columns=("vectors", "x", "vector", "embedding", "features"),
    is_scaled=True,
)
