"""How well a key answers a query: the score functions of attention."""
