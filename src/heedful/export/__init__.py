"""Weights to an ONNX graph, written node by node (not traced), and checked against torch."""
