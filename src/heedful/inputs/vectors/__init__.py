"""Vectors from another model, as they are."""
