"""Pictures of inputs are tested with the same made-up explanations and hostile texts as pages."""

from __future__ import annotations

from tests.show.conftest import evil_text, make

__all__ = ["evil_text", "make"]
