"""What a user holds: a Model on ONNX Runtime and NumPy, without torch."""
