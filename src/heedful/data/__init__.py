"""Files to Examples, Examples to Features, Features to Batches. NumPy only."""
