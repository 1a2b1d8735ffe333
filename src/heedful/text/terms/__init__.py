"""Terms: the words of a text as a search by words compares them, and their ranking by BM25."""
