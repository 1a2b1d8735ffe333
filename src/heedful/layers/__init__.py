"""Tensors in, tensors out. No text, no files, no config.

An encoder is `forward(x, mask) → states`, a pooler `forward(states, mask) → (rows, weights)`, a head
`forward(rows) → scores`; see `faces`.
"""
