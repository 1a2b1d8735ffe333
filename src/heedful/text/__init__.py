"""Words, subwords, vocabularies and word vectors. NumPy only."""
