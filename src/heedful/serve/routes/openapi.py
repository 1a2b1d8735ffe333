"""The API in OpenAPI's words, and as a page that needs nothing from another host."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from heedful.show.kit.html.document import document, escape

ABOUT = "Models whose attention you can look at: vectors, answers, explanations, search."
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "param", "code"],
            "properties": {
                "message": {"type": "string", "description": "what is wrong, and what to do"},
                "type": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "code": {"type": ["string", "null"]},
            },
        }
    },
}
STATUSES = {
    400: "what was sent does not fit",
    401: "a key is needed",
    408: "the request came in too slowly",
    413: "the request is too large",
    415: "the request is not JSON",
    421: "the server is not called by this name",
    422: "more work than one request may ask for",
    429: "the queue is full, or there are too many connections: see Retry-After",
    503: "stopping",
    504: "no answer in time",
}


def takes(form: type[BaseModel] | None = None, *, missing: bool = False, pictures: bool = False) -> dict[str, Any]:
    """Return what a route says of itself: the form of its body, and how it fails."""
    failing = (
        STATUSES
        if form is not None
        else {key: said for key, said in STATUSES.items() if key in (401, 421, 429, 503, 504)}
    )
    if form is not None or missing:
        failing = {**failing, 404: "no such model, or index"}
    responses: dict[int | str, Any] = {
        status: {"description": said, "content": {"application/json": {"schema": ERROR}}}
        for status, said in sorted(failing.items())
    }
    kinds = ["application/json", *(["image/svg+xml", "image/png", "text/html"] if pictures else [])]
    responses[200] = {"description": "the answer", "content": {kind: {} for kind in kinds}}
    extra = {}
    if form is not None:
        schema = form.model_json_schema(ref_template="#/components/schemas/{model}")
        schema.pop("$defs", None)
        extra = {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
    return {"responses": responses, "openapi_extra": extra, "response_model": None}


def api_page(app: FastAPI) -> str:
    """Return the API as a page: every path, what it takes, how to call it."""
    tree = app.openapi()
    parts = [f"<h1>{escape(tree['info']['title'])}</h1><p>{escape(ABOUT)}</p>"]
    parts.append('<p class="soft">The same for programs: <a href="openapi.json">openapi.json</a>.</p>')
    for path, methods in tree["paths"].items():
        parts += [_operation(path, method, said) for method, said in methods.items()]
    return document("heedful API", "\n".join(parts))


def _operation(path: str, method: str, said: dict[str, Any]) -> str:
    schema = said.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    needed, fields = schema.get("required", ()), schema.get("properties", {})
    rows = "".join(_row(name, each, name in needed) for name, each in fields.items())
    heads = "<thead><tr><th>field</th><th>what</th><th>if left out</th></tr></thead>"
    table = f"<table>{heads}<tbody>{rows}</tbody></table>" if rows else ""
    return (
        f'<section class="card"><h2><code>{method.upper()} {escape(path)}</code></h2>'
        f"<p>{escape(said.get('description', ''))}</p>{table}</section>"
    )


def _row(name: str, schema: dict[str, Any], is_needed: bool) -> str:
    default = "needed" if is_needed else json.dumps(schema.get("default"))
    kinds = dict.fromkeys(str(each.get("type", "")) for each in schema.get("anyOf", [schema]))
    choices = f": {', '.join(map(str, schema['enum']))}" if "enum" in schema else ""
    about = ". ".join(filter(None, [" or ".join(kinds) + choices, schema.get("description", "")]))
    return (
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(about)}</td><td><code>{escape(default)}</code></td></tr>"
    )
