"""Check a model.onnx from anywhere before ONNX Runtime sees it: only what our exporter writes, at a bounded cost.

`protobuf` reads the wire format, `graph_file` nodes and constants, `shape_rules` has the size of each result, `cost`
adds them up.
"""
