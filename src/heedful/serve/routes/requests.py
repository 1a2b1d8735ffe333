"""What requests look like. Each form knows its own limits; what a message says is for the one who sent it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, WithJsonSchema

Form = Literal["json", "svg", "png", "html"]
LONGEST_NAME = 200


def _texts(value: Any) -> Any:
    """Take a text for a list of one; say what is wrong with anything else."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not value:
        raise ValueError("expected a text, or a list of at least one")
    if isinstance(value[0], (int, list)) and not isinstance(value[0], bool):
        raise ValueError("token ids are not taken: they belong to another tokeniser. Send the texts themselves")
    return value


def _inputs(value: Any) -> Any:
    """Take a text for a list of one; say what is wrong with what is neither texts nor pairs."""
    if isinstance(value, str):
        return [value]
    kind = type(value[0]) if isinstance(value, list) and value else None
    is_right = _is_pair if kind is list else _is_text
    if kind is None or not all(map(is_right, value)):
        raise ValueError("expected a text, a list of texts, or for a model of pairs [[first, second], …]")
    return value


def _second(value: Any) -> Any:
    """Say what is wrong with what is neither a text nor texts."""
    if isinstance(value, str) or (isinstance(value, list) and value and all(map(_is_text, value))):
        return value
    raise ValueError("expected a text, or a list of at least one")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_text, value))


Texts = Annotated[
    list[str],
    FailFast(),  # one fault is enough: of millions a list would be made, in memory and time
    BeforeValidator(_texts),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}),
]
Second = Annotated[str | list[str], BeforeValidator(_second)]
Inputs = Annotated[
    list[Any],  # as _inputs has found them: texts, or pairs of texts
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
]
Name = Annotated[str | None, Field(max_length=LONGEST_NAME)]
View = Annotated[bool, Field(description="also what the page draws: sentences, shades, the strongest words")]


class Asked(BaseModel):
    """What all requests share: numbers are not texts, and what is not known is left alone."""

    model_config = ConfigDict(strict=True, extra="ignore", hide_input_in_errors=True)


class EmbeddingsAsked(Asked):
    """As OpenAI's."""

    model: Name = Field(None, description="a model's name; the first that gives vectors, if left out")
    input: Texts = Field(description="a text, or a list of texts")
    encoding_format: Literal["float", "base64"] | None = "float"
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
    methods: Annotated[list[str], FailFast()] = Field(
        ["leave-one-out"], max_length=4, description="none for the weights alone, which is fastest"
    )
    label: str | None = Field(None, description="the label that effects are for: the answer, if left out")
    hop: int | None = Field(None, ge=1, description="the weights of this hop alone, counted from 1")
    form: Form = Field("json", description="of one text also a picture or a page")
    view: View = False


class SimilarityAsked(Asked):
    """Two texts; or one and many."""

    model: Name = None
    first: str
    second: Second = Field(description="a text; or a list of texts, for the scores alone")
    form: Literal["json", "html"] = "json"
    view: View = False


class StepsAsked(Asked):
    """A text in which one word is followed."""

    model: Name = None
    text: str
    word: str | None = None
    nth: int = Field(1, ge=1, description="which one, where the text has the word more than once")
    layer: int = Field(1, ge=1)
    head: int = Field(1, ge=1)
    compare: str | None = Field(None, description="another text with the same word")
    form: Literal["json", "html"] = "json"
    view: View = False


class SearchAsked(Asked):
    """A search of an index by meaning."""

    index: Name = None
    query: str
    n: int = Field(10, ge=1, le=100)
    where: str | None = Field(None, max_length=2000, description="a filter on columns, such as: stars >= 4")
    words: bool = Field(True, description="with the words that made each a hit")
