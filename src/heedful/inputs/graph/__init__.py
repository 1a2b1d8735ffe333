"""Graphs: nodes with vectors, and edges."""

from heedful.inputs.input import Input, Wording

INPUT = Input(
    name="graph",
    wording=Wording("graphs", "node", "nodes", "nodes"),
    featuriser="heedful.inputs.graph.featuriser:GraphFeaturiser",
    picture="heedful.inputs.graph.picture:picture_of",
    files="heedful.inputs.graph.read",
    columns=("graph", "path", "file", "graphml"),
    endings=(".graphml",),
    is_path=True,
    is_scaled=True,
    has_neighbours=True,
    defaults={"encoder": "neighbours"},
    extra="graph",
)
