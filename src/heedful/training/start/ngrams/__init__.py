"""Scores of n-grams: fitted, alone or beside the vectors of an encoder."""
