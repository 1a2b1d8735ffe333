"""A label for each token or node."""
