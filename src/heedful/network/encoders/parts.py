"""The encoders: vectors to states."""

from __future__ import annotations

from heedful.network.part import Part

ENCODERS: dict[str, Part] = {
    "bilstm": Part(
        layer="heedful.network.encoders.bilstm:BiLstm",
        nodes="heedful.network.encoders.bilstm_onnx:bilstm_states",
        settings=("units",),
        sizes=("width_in",),
        is_bidirectional=True,
    ),
    "cnn": Part(
        layer="heedful.network.encoders.cnn:Cnn",
        nodes="heedful.network.encoders.cnn_onnx:cnn_states",
        settings=("units", "kernel_sizes"),
        sizes=("width_in",),
    ),
    "static": Part(
        layer="heedful.network.encoders.static:StaticEncoder",
        nodes="heedful.network.encoders.static_onnx:static_states",
        sizes=("width_in",),
        is_lookup=True,
    ),
    "transformer": Part(
        layer="heedful.network.encoders.transformer:Transformer",
        nodes="heedful.network.encoders.transformer_onnx:transformer_states",
        settings=("units", "n_layers", "n_heads", "inner_units", "places", "self_score"),
        sizes=("width_in",),
        nodes_take=("n_layers", "n_heads", "places", "self_score"),
        has_self_attention=True,
    ),
    "bert": Part(
        layer="heedful.network.encoders.bert:Bert",
        nodes="heedful.network.encoders.bert_onnx:bert_states",
        settings=(
            "units",
            "n_layers",
            "n_heads",
            "inner_units",
            "n_positions",
            "n_distances",
            "norm_epsilon",
            "dropout",
        ),
        sizes=("width_in",),
        nodes_take=("n_layers", "n_heads", "norm_epsilon"),
        has_self_attention=True,
        tuning={"lr": 5e-5, "dropout": 0.1, "word_dropout": 0.0, "epochs": 4, "patience": 2, "optimiser": "adamw"},
    ),
    "neighbours": Part(
        layer="heedful.network.encoders.graph.neighbour_attention:NeighbourAttention",
        nodes="heedful.network.encoders.graph.neighbour_attention_onnx:neighbour_states",
        settings=("units", "n_layers", "n_heads", "inner_units", "dropout", "attention_dropout"),
        sizes=("width_in", "n_links"),
        nodes_take=("n_layers", "n_heads"),
        needs_neighbours=True,
    ),
    "graph_attention": Part(
        layer="heedful.network.encoders.graph.graph_attention:GraphAttention",
        nodes="heedful.network.encoders.graph.graph_attention_onnx:graph_attention_states",
        settings=("units", "n_layers", "n_heads", "dropout", "attention_dropout"),
        sizes=("width_in", "n_links"),
        nodes_take=("n_layers",),
        needs_neighbours=True,
    ),
}
