"""The score functions of attention: queries and keys to scores."""

from __future__ import annotations

from heedful.network.part import Part

_PRODUCTS = "heedful.network.scores.products"
_WIDTHS = ("query_width", "key_width")

SCORES: dict[str, Part] = {
    "additive": Part(
        layer="heedful.network.scores.additive:Additive",
        nodes="heedful.network.scores.additive_onnx:additive_score",
        sizes=(*_WIDTHS, "width"),
    ),
    "dot": Part(layer=f"{_PRODUCTS}:Dot", nodes=f"{_PRODUCTS}_onnx:dot_score", sizes=_WIDTHS, one_width=True),
    "scaled_dot": Part(
        layer=f"{_PRODUCTS}:ScaledDot", nodes=f"{_PRODUCTS}_onnx:scaled_dot_score", sizes=_WIDTHS, one_width=True
    ),
    "general": Part(layer=f"{_PRODUCTS}:General", nodes=f"{_PRODUCTS}_onnx:general_score", sizes=_WIDTHS),
    "content": Part(
        layer="heedful.network.scores.content:Content",
        nodes="heedful.network.scores.content_onnx:content_score",
        sizes=_WIDTHS,
        one_width=True,
    ),
    "location": Part(
        layer="heedful.network.scores.location:Location",
        nodes="heedful.network.scores.location_onnx:location_score",
        sizes=("query_width", "width"),
    ),
}
