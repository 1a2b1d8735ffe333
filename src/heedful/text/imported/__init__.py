"""Tokenisers of imported transformers."""
