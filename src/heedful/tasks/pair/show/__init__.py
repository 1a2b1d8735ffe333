"""Explanations of two texts: terminal, page, picture."""
