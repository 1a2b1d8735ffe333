"""What comes in: one folder for each kind of input."""

from __future__ import annotations

from heedful.inputs.audio import INPUT as AUDIO
from heedful.inputs.graph import INPUT as GRAPH
from heedful.inputs.input import Input
from heedful.inputs.molecule import INPUT as MOLECULE
from heedful.inputs.text import INPUT as TEXT
from heedful.inputs.vectors import INPUT as VECTORS

INPUTS: dict[str, Input] = {each.name: each for each in (TEXT, AUDIO, MOLECULE, GRAPH, VECTORS)}
