"""An argument parser with one-line errors and suggestions."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from heedful.errors import did_you_mean


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that does not print its usage on errors."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, what was probably meant, and where to read more."""
        known = [flag for action in self._actions for flag in action.option_strings]
        strange = [word for word in re.findall(r"--[\w-]+", message) if word not in known]
        hint = next(filter(None, (did_you_mean(word, known) for word in strange)), "")
        self.exit(2, f"heedful: {message}.{hint} See: {self.prog} --help\n")
