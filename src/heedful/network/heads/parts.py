"""The heads: rows to scores, or to a vector."""

from __future__ import annotations

from heedful.network.part import Part

# Outputs of a graph by which its scores are sums over tokens.
STATES, SUM_MAP, SUM_BIAS, SUM_LENGTH = "states", "sum_map", "sum_bias", "sum_length"
# Outputs of a graph by which its scores are sums over tokens and pairs of tokens; names of the first and second text.
PAIR_MAPS, PAIR_GATES, PAIR_ANSWER = ("pair_map_1", "pair_map_2"), ("pair_gate_1", "pair_gate_2"), "pair_answer"
# Outputs by which the score of each token is a sum over the tokens that it looked at.
TOKEN_MAP, TOKEN_BIAS = "token_map", "token_bias"
# Outputs of the wide part: the value of each n-gram of a text, and the weights of all n-grams.
NGRAM_VALUES, NGRAM_MAP = "ngram_values", "ngram_map"
_SIZES = ("n_hops", "width", "n_classes")

HEADS: dict[str, Part] = {
    "linear": Part(
        layer="heedful.network.heads.linear:LinearHead",
        nodes="heedful.network.heads.linear_onnx:linear_scores",
        settings=("dropout",),
        sizes=_SIZES,
        can_lack_hops=True,
        is_linear=True,
    ),
    "pruned": Part(
        layer="heedful.network.heads.pruned:PrunedHead",
        nodes="heedful.network.heads.pruned_onnx:pruned_scores",
        settings=("row_units", "column_units", "dropout"),
        sizes=_SIZES,
        can_lack_hops=True,
    ),
    "full": Part(
        layer="heedful.network.heads.full:FullHead",
        nodes="heedful.network.heads.full_onnx:full_scores",
        settings=("hidden", "dropout"),
        sizes=_SIZES,
        can_lack_hops=True,
    ),
    "mapped": Part(
        layer="heedful.network.heads.mapped:MappedHead",
        nodes="heedful.network.heads.mapped_onnx:mapped_scores",
        settings=("vector_width", "dropout"),
        sizes=_SIZES,
        can_lack_hops=True,
        is_linear=True,
    ),
    "vector": Part(
        layer="heedful.network.heads.vector:VectorHead",
        nodes="heedful.network.heads.vector_onnx:vector_and_map",
        settings=("vector_width",),
        sizes=("n_hops", "width"),
    ),
    "tag": Part(
        layer="heedful.network.heads.tag.tag_head:tagger",
        nodes="heedful.network.heads.tag.tag_head_onnx:tag_scores",
        settings=("dropout", "crf"),
        sizes=("width", "n_classes"),
        row_per_token=True,
    ),
    "gated": Part(
        layer="heedful.network.heads.pair.gated:GatedHead",
        nodes="heedful.network.heads.pair.gated_onnx:gated_scores",
        settings=("gate_units", "hidden", "dropout"),
        sizes=_SIZES,
        needs_two_texts=True,
    ),
    "bilinear": Part(
        layer="heedful.network.heads.pair.bilinear:BilinearHead",
        nodes="heedful.network.heads.pair.bilinear_onnx:bilinear_scores",
        settings=("gate_units", "dropout"),
        sizes=_SIZES,
        needs_two_texts=True,
    ),
    "concat": Part(
        layer="heedful.network.heads.pair.concat:ConcatHead",
        nodes="heedful.network.heads.pair.concat_onnx:concat_scores",
        settings=("hidden", "dropout"),
        sizes=_SIZES,
        needs_two_texts=True,
    ),
    "likeness": Part(
        layer="heedful.network.heads.pair.likeness:LikenessHead",
        nodes="heedful.network.heads.pair.likeness_onnx:likeness_scores",
        settings=("vector_width", "dropout"),
        sizes=_SIZES,
        needs_two_texts=True,
    ),
}
