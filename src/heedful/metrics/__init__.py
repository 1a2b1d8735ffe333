"""Answers and truths in, figures out. NumPy only, so that `evaluate` needs no torch."""
