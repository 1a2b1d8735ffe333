"""OpenAPI descriptions of the routes, and an API page without external resources."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from heedful.show.kit.html.document import document, escape

API_DESCRIPTION = "Models with inspectable attention: vectors, predictions, explanations, search."
ERROR_SCHEMA = {
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
    400: "the request is invalid",
    401: "the API key is missing or wrong",
    408: "the request arrived too slowly",
    413: "the request is too large",
    415: "the request is not JSON",
    421: "the Host header is not allowed",
    422: "the request exceeds the budget of one request",
    429: "the queue is full, or there are too many connections: see Retry-After",
    503: "the server is shutting down",
    504: "no result in time",
}


def operation(body: type[BaseModel] | None = None, *, missing: bool = False, pictures: bool = False) -> dict[str, Any]:
    """Return the OpenAPI keywords of a route: the schema of its body and its responses."""
    without_body = {status: STATUSES[status] for status in (401, 421, 429, 503, 504)}
    errors = without_body if body is None else STATUSES
    if body is not None or missing:
        errors = {**errors, 404: "no such model or index"}
    responses: dict[int | str, Any] = {
        status: {"description": description, "content": {"application/json": {"schema": ERROR_SCHEMA}}}
        for status, description in sorted(errors.items())
    }
    kinds = ["application/json", *(["image/svg+xml", "image/png", "text/html"] if pictures else [])]
    responses[200] = {"description": "the result", "content": {kind: {} for kind in kinds}}
    extra = {}
    if body is not None:
        schema = body.model_json_schema(ref_template="#/components/schemas/{model}")
        schema.pop("$defs", None)
        extra = {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
    return {"responses": responses, "openapi_extra": extra, "response_model": None}


def api_page(app: FastAPI) -> str:
    """Return an HTML page with every path and the fields of its body."""
    spec = app.openapi()
    parts = [f"<h1>{escape(spec['info']['title'])}</h1><p>{escape(API_DESCRIPTION)}</p>"]
    parts.append('<p class="soft">Machine-readable: <a href="openapi.json">openapi.json</a>.</p>')
    for path, methods in spec["paths"].items():
        parts += [_section(path, method, details) for method, details in methods.items()]
    return document("heedful API", "\n".join(parts))


def _section(path: str, method: str, details: dict[str, Any]) -> str:
    schema = details.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    required, fields = schema.get("required", ()), schema.get("properties", {})
    rows = "".join(_row(name, field, name in required) for name, field in fields.items())
    heads = "<thead><tr><th>field</th><th>description</th><th>default</th></tr></thead>"
    table = f"<table>{heads}<tbody>{rows}</tbody></table>" if rows else ""
    return (
        f'<section class="card"><h2><code>{method.upper()} {escape(path)}</code></h2>'
        f"<p>{escape(details.get('description', ''))}</p>{table}</section>"
    )


def _row(name: str, schema: dict[str, Any], is_required: bool) -> str:
    default = "required" if is_required else json.dumps(schema.get("default"))
    kinds = dict.fromkeys(str(choice.get("type", "")) for choice in schema.get("anyOf", [schema]))
    choices = f": {', '.join(map(str, schema['enum']))}" if "enum" in schema else ""
    description = ". ".join(filter(None, [" or ".join(kinds) + choices, schema.get("description", "")]))
    cells = (f"<code>{escape(name)}</code>", escape(description), f"<code>{escape(default)}</code>")
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
