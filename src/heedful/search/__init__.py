"""Semantic search: text vectors in an embedded database (LanceDB), and explanations of hits."""
