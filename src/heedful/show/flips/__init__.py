"""The fewest words without which the answer would be another: view, terminal and page."""
