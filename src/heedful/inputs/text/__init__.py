"""Texts: words or subwords."""
