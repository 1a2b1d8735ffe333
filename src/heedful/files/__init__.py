"""Atomic writes, locks, hashes, and JSON that every parser accepts."""
