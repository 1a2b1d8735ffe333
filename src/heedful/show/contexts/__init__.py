"""One word in two texts: view, terminal and page."""
