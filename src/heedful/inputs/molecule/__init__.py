"""Molecules: SMILES to atoms and bonds."""
