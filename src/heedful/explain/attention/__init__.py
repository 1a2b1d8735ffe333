"""One input: weights over words, effects of words, flips."""
