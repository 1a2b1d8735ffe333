"""Checks of untrusted model.onnx files before ONNX Runtime loads them: only our operators, at a bounded cost.

`protobuf` reads the wire format, `graph_file` nodes and constants, `shape_rules` computes the size of each result,
`cost` adds them up.
"""
