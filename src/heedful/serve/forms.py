"""What requests look like. Each form knows its own limits; what a message says is for the one who sent it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

Form = Literal["json", "svg", "png", "html"]
LONGEST_NAME = 200


def _texts(value: Any) -> Any:
    """Take a text for a list of one; say what is wrong with anything else."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise ValueError("expected a text or a list of texts")
    if any(isinstance(each, (int, list)) and not isinstance(each, bool) for each in value[:1]):
        raise ValueError("token ids are not taken: they belong to another tokeniser. Send the texts themselves")
    return value


def _inputs(value: Any) -> Any:
    """Take a text or a pair for a list of one."""
    return [value] if isinstance(value, str) else value


Texts = Annotated[
    list[str],
    BeforeValidator(_texts),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}),
    Field(min_length=1),
]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Inputs = Annotated[
    list[str] | list[Pair],
    BeforeValidator(_inputs),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
                {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                    "minItems": 1,
                },
            ]
        }
    ),
    Field(min_length=1),
]
Name = Annotated[str | None, Field(max_length=LONGEST_NAME)]


class Asked(BaseModel):
    """What all requests share: numbers are not texts, and what is not known is left alone."""

    model_config = ConfigDict(strict=True, extra="ignore", hide_input_in_errors=True)


class EmbeddingsAsked(Asked):
    """As OpenAI's."""

    model: Name = Field(None, description="a model's name; the first that gives vectors, if left out")
    input: Texts = Field(description="a text, or a list of texts")
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(None, ge=1, description="the first numbers of each vector only")
    user: str | None = None


class PredictAsked(Asked):
    """Texts, or pairs of texts for a model of pairs."""

    model: Name = None
    input: Inputs


class ExplainAsked(Asked):
    """Texts to be explained."""

    model: Name = None
    input: Inputs
    methods: list[str] = Field(
        ["leave-one-out"], max_length=4, description="none for the weights alone, which is fastest"
    )
    label: str | None = Field(None, description="the label that effects are for: the answer, if left out")
    hop: int | None = Field(None, ge=1, description="the weights of this hop alone, counted from 1")
    form: Form = Field("json", description="of one text also a picture or a page")


class SimilarityAsked(Asked):
    """Two texts; or one and many."""

    model: Name = None
    first: str
    second: str | Annotated[list[str], Field(min_length=1)]
    form: Literal["json", "html"] = "json"


class StepsAsked(Asked):
    """A text in which one word is followed."""

    model: Name = None
    text: str
    word: str | None = None
    layer: int = Field(1, ge=1)
    head: int = Field(1, ge=1)
    compare: str | None = Field(None, description="another text with the same word")
    form: Literal["json", "html"] = "json"


class SearchAsked(Asked):
    """A search of an index by meaning."""

    index: Name = None
    query: str
    n: int = Field(10, ge=1, le=100)
    where: str | None = Field(None, max_length=2000, description="a filter on columns, such as: stars >= 4")
    words: bool = Field(True, description="with the words that made each a hit")
