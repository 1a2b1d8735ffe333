"""Schemas of the request bodies, with their limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, WithJsonSchema

By = Literal["words", "meaning", "both"]
Form = Literal["json", "svg", "png", "html"]
MAX_NAME = 200


def _texts(value: Any) -> Any:
    """Return a list of texts; a single text becomes a list of one."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not value:
        raise ValueError("expected a text or a non-empty list of texts")
    if isinstance(value[0], (int, list)) and not isinstance(value[0], bool):
        raise ValueError("token ids are not taken: they belong to another tokeniser. Send the texts")
    return value


def _inputs(value: Any) -> Any:
    """Return a list of texts or of pairs; a single text becomes a list of one."""
    if isinstance(value, str):
        return [value]
    kind = type(value[0]) if isinstance(value, list) and value else None
    is_valid = _is_pair if kind is list else _is_text
    if kind is None or not all(map(is_valid, value)):
        raise ValueError("expected a text, a list of texts, or for a pair model [[first, second], …]")
    return value


def _second(value: Any) -> Any:
    """Return a text or a list of texts."""
    if isinstance(value, str) or (isinstance(value, list) and value and all(map(_is_text, value))):
        return value
    raise ValueError("expected a text or a non-empty list of texts")


def _documents(value: Any) -> Any:
    """Return a list of texts; Cohere and Jina also send objects with a text."""
    if value is None:
        return None
    if isinstance(value, list) and value:
        texts = [item.get("text") if isinstance(item, dict) else item for item in value]
        if all(map(_is_text, texts)):
            return texts
    raise ValueError("expected a non-empty list of texts, or of objects with a text")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_text, value))


Texts = Annotated[
    list[str],
    FailFast(),  # one error is enough: a list of millions would take memory and time
    BeforeValidator(_texts),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}),
]
Second = Annotated[str | list[str], BeforeValidator(_second)]
Inputs = Annotated[
    list[Any],  # texts or pairs of texts, checked by _inputs
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
Documents = Annotated[
    list[str] | None,
    BeforeValidator(_documents),
    WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 1}),
]
View = Annotated[bool, Field(description="also what the page draws: sentences, shades, the strongest words")]
Name = Annotated[str | None, Field(max_length=MAX_NAME)]


class RequestBody(BaseModel):
    """Base class: strict types, unknown fields ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", hide_input_in_errors=True)


class EmbeddingsRequest(RequestBody):
    """As in the OpenAI API."""

    model: Name = Field(None, description="name of a model; default: the first that supports embeddings")
    input: Texts = Field(description="a text, or a list of texts")
    encoding_format: Literal["float", "base64"] | None = "float"
    dimensions: int | None = Field(None, ge=1, description="truncate vectors to this width")
    user: str | None = None


class PredictRequest(RequestBody):
    """Texts, or pairs of texts for a pair model."""

    model: Name = None
    input: Inputs


class ExplainRequest(RequestBody):
    """Texts to be explained."""

    model: Name = None
    input: Inputs
    methods: Annotated[list[str] | None, FailFast()] = Field(
        None,
        max_length=4,
        description="checks beside the contributions; default: none, leave-one-out if there are no contributions",
    )
    label: str | None = Field(None, description="label to show contributions to; default: the predicted one")
    hop: int | None = Field(None, ge=1, description="show the weights of this hop only, counted from 1")
    form: Form = Field("json", description="svg, png and html need a single text")
    view: View = False


class SimilarityRequest(RequestBody):
    """Two texts, or one and many."""

    model: Name = None
    first: str
    second: Second = Field(description="a text, or a list of texts for the scores alone")
    form: Literal["json", "html"] = "json"
    view: View = False


class StepsRequest(RequestBody):
    """A text, and the word to follow through self-attention."""

    model: Name = None
    text: str
    word: str | None = None
    nth: int = Field(1, ge=1, description="which occurrence, if the text has the word more than once")
    layer: int | None = Field(None, ge=1, description="counted from 1; by default that of a head that looks far")
    head: int | None = Field(None, ge=1, description="counted from 1")
    compare: str | None = Field(None, description="another text with the same word")
    form: Literal["json", "html"] = "json"
    view: View = False


class SearchRequest(RequestBody):
    """A search of an index by words, by meaning or by both."""

    index: Name = None
    query: str
    n: int = Field(10, ge=1, le=100)
    where: str | None = Field(None, max_length=2000, description="filter on columns, such as stars >= 4")
    by: By = Field("both", description="rank by words, by meaning or by both")
    words: bool = Field(True, description="include the pairs of words of similar meaning")


class RerankRequest(RequestBody):
    """As Cohere's and Jina's clients send it, with `documents`; as text-embeddings-inference takes it, with `texts`."""

    model: Name = None
    query: str
    documents: Documents = None
    texts: Documents = Field(None, description="instead of documents: the response is then a list of scores")
    top_n: int | None = Field(None, ge=1, description="number of documents to return; default: all")
    return_documents: bool | None = Field(False, description="return the documents too")
    return_text: bool | None = Field(False, description="the same, with texts")
    by: By = Field("both", description="rank by words, by meaning or by both")
    explain: bool = Field(False, description="also the parts of each score and the words behind them")


class EmbedRequest(RequestBody):
    """As in text-embeddings-inference."""

    model: Name = None
    inputs: Texts = Field(description="a text, or a list of texts")
    normalize: bool = Field(True, description="vectors have length 1; false is not supported")
    dimensions: int | None = Field(None, ge=1, description="truncate vectors to this width")


class TokenizeRequest(RequestBody):
    """As in text-embeddings-inference."""

    model: Name = None
    inputs: Texts = Field(description="a text, or a list of texts")
