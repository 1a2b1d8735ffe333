"""Decoding with a CRF: the best label sequence and marginal probabilities."""
