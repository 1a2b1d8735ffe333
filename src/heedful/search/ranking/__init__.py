"""Ranking by words and by meaning: passages, the terms of an index, scores in two parts."""
