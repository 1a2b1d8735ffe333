"""The model folder: written atomically, read without running code."""
