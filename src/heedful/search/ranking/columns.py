"""Hidden columns of an index: the passage, its terms and its vector."""

VECTOR = "_vector"
PART, PARTS = "_part", "_parts"  # number of the passage in its document, from 0; number of passages
START = "_start"  # offset of the passage in its document
WORDS, N_WORDS = "_words", "_n_words"  # terms, joined by spaces; their number
HIDDEN = (PART, PARTS, START, N_WORDS, WORDS, VECTOR)
