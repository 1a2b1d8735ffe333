"""The additions to an encoder, each by the setting that asks for it, the innermost first."""

from __future__ import annotations

from heedful.network.part import Part

WRAPPERS: dict[str, Part] = {
    "whole": Part(
        layer="heedful.network.wrappers.global_sum:GlobalSum",
        nodes="heedful.network.wrappers.global_sum_onnx:global_sum",
        sizes=("encoder",),
        input_factor=2,
        is_bidirectional=True,
    ),
    "count": Part(
        layer="heedful.network.wrappers.scale_by_length:ScaleByLength",
        nodes="heedful.network.wrappers.scale_by_length_onnx:scale_by_length",
        sizes=("encoder",),
    ),
    "keep_words": Part(
        layer="heedful.network.wrappers.keep_input:KeepInput",
        nodes="heedful.network.wrappers.keep_input_onnx:keep_input",
        settings=("context_dropout",),
        sizes=("encoder", "width_in"),
    ),
}
