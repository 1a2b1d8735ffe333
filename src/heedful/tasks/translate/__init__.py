"""A sequence in another language for each text."""
