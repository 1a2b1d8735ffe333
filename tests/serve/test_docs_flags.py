"""docs/serve.md says what is so: its flags are the settings, its examples are answered, its names are there."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import pytest

from heedful.serve.settings import PREFIX, ServeSettings

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
HERE = "http://127.0.0.1:8080"


def flags() -> str:
    lines = ["| flag | environment | default | what |", "|---|---|---|---|", *map(_row, fields(ServeSettings))]
    return "\n".join(lines)


def _row(each: Field[Any]) -> str:
    flag, name = f"`--{each.name.replace('_', '-')}`", f"`{PREFIX}{each.name.upper()}`"
    return f"| {flag} | {name} | {_shown(each.default)} | {each.metadata['help']} |"


def _shown(default: Any) -> str:
    if default is None:
        return ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    return f"{default:g}" if isinstance(default, float) else str(default)


def commands() -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", DOCS, flags=re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines if line.strip()]


def test_the_flags_are_the_settings():
    there = DOCS.split("<!-- flags -->\n", 1)[1].split("\n<!-- /flags -->", 1)[0]
    assert there == flags(), f"the table should be:\n{flags()}"


@pytest.mark.slow
@pytest.mark.parametrize("words", commands(), ids=lambda words: words[2].removeprefix(HERE))
def test_what_is_asked_with_curl_is_answered(server, words):
    assert words[:2] == ["curl", "-s"]
    path = words[2].removeprefix(HERE)
    if "-d" not in words:
        assert server.get(path).status == 200
        return
    assert words[words.index("-H") + 1] == "Content-Type: application/json"
    answer = server.post(path, json.loads(words[words.index("-d") + 1]))
    assert answer.status == 200, answer.body
    if "-o" in words:
        assert answer.headers["content-type"].startswith(f"image/{Path(words[-1]).suffix[1:]}")


@pytest.mark.slow
def test_the_python_runs(server):
    blocks = re.findall(r"```python\n(.*?)```", DOCS, flags=re.DOTALL)
    assert len(blocks) == 1
    names: dict[str, Any] = {}
    exec(compile(blocks[0].replace(HERE, server.address), "serve.md", "exec"), names)
    names["client"].close()
    assert [len(vector) for vector in names["vectors"]] == [384, 384]


@pytest.mark.slow
def test_the_metrics_have_these_names(server):
    server.post("/v1/embeddings", {"model": "en-tiny", "input": "a text"})
    there = server.get("/metrics").body.decode()
    named = set(re.findall(r"^\| `(heedful_\w+)`", DOCS, flags=re.MULTILINE))
    kinds = set(re.findall(r"^# TYPE (heedful_\w+) ", there, flags=re.MULTILINE))
    assert named == {kind for kind in kinds if not kind.endswith("_created")}


@pytest.mark.slow
def test_the_paths_are_those_of_the_api(server):
    named = {path.replace("NAME", "{name}").partition("?")[0] for path in re.findall(r"`(?:GET|POST) (/[^`]*)`", DOCS)}
    there = set(server.get("/openapi.json").json["paths"])
    assert there <= named, "the table of paths leaves some out"
    assert named - there <= {"/", "/docs", "/openapi.json", "/metrics"}


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", DOCS):
        assert (ROOT / "docs" / target).exists(), target
