"""A parser whose errors are one line and suggest what was meant."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from heedful.errors import did_you_mean


class Parser(argparse.ArgumentParser):
    """argparse, without pages of usage on a misspelt flag."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, what was probably meant, and where to read more."""
        known = [flag for action in self._actions for flag in action.option_strings]
        strange = [word for word in re.findall(r"--[\w-]+", message) if word not in known]
        hint = next((found for word in strange if (found := did_you_mean(word, known))), "")
        self.exit(2, f"heedful: {message}.{hint} See: {self.prog} --help\n")
