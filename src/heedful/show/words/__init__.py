"""The words that drive each label: view, terminal and page."""
