"""Graphs: nodes with vectors, and edges."""
