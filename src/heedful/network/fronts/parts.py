"""The fronts: what comes in to vectors. An input names its front: see `data/input_spec.py`."""

from __future__ import annotations

from heedful.network.part import Part

FRONTS: dict[str, Part] = {
    "embed": Part(
        layer="heedful.network.fronts.embed:Embed",
        nodes="heedful.network.fronts.embed_onnx:embedded_vectors",
        settings=("embed_width",),
        sizes=("n_ids", "tune"),
        is_lookup=True,
    ),
    "one_hot": Part(
        layer="heedful.network.fronts.embed:OneHot",
        nodes="heedful.network.fronts.embed_onnx:one_hot_vectors",
        sizes=("n_ids",),
        nodes_take=("n_ids",),
    ),
    "scaled": Part(
        layer="heedful.network.fronts.embed:Scaled",
        nodes="heedful.network.fronts.embed_onnx:scaled_vectors",
        sizes=("width",),
    ),
    "word_chars": Part(
        layer="heedful.network.fronts.word_chars:WordChars",
        nodes="heedful.network.fronts.word_chars_onnx:word_char_vectors",
        settings=("embed_width",),
        sizes=("n_ids", "n_letters", "letter_width", "tune"),
    ),
    "word_pieces": Part(
        layer="heedful.network.fronts.word_pieces:WordPieces",
        nodes="heedful.network.fronts.word_pieces_onnx:word_piece_vectors",
        settings=("embed_width",),
        sizes=("n_ids", "n_letters", "letter_width", "n_pieces", "piece_width", "piece_units", "tune"),
    ),
    "environments": Part(
        layer="heedful.network.fronts.environments:Environments",
        nodes="heedful.network.fronts.environments_onnx:environment_vectors",
        settings=("embed_width",),
        sizes=("width", "n_surroundings", "tune"),
    ),
}
