"""A vector for each text."""
