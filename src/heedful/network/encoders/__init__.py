"""Vectors to states."""
