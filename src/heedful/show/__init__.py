"""Explanations as things to look at: terminal and page, all from the same plain values."""
