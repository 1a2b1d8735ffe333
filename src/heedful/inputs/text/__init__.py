"""Texts: words or subwords."""

from heedful.inputs.input import Input, Wording

INPUT = Input(name="text", wording=Wording("texts", "word", "words", "tokens"), smallest="a")
