"""Attention along the links of a graph."""
