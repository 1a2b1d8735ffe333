"""Self-attention step by step: terminal and page."""
