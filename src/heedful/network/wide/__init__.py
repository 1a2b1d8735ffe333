"""Scores of n-grams beside the network."""
