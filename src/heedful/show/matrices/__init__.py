"""Matrices of weights between words: page and picture."""
