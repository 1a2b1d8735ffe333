"""Explanations and hostile texts for the tests of pictures."""

from tests.show.conftest import evil_text, make

__all__ = ["evil_text", "make"]
