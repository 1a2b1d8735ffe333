"""Rows of two texts to scores."""
