"""Inputs to vectors."""
