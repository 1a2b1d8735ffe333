"""Statistics shared by the metrics of all tasks. NumPy only, so that `evaluate` runs without torch."""
