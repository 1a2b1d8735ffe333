"""Torch layers and their ONNX nodes, side by side. No text, no files."""
