"""Search by meaning: texts as vectors in an embedded database (LanceDB), and the words that made a hit."""
