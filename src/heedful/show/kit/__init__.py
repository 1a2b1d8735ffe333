"""Primitives of pages and pictures. They know no explanation."""
