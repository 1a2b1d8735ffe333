"""Self-attention, step by step."""
