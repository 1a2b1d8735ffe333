"""schemathesis asks what the description says, and more: answers are as it says, and never a fault of ours."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

pytestmark = pytest.mark.slow

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
WITH_BODY = (
    "/v1/embeddings", "/predict", "/explain", "/similarity", "/steps", "/search", "/rerank",
    "/v1/rerank", "/v2/rerank", "/embed", "/tokenize",
)  # fmt: skip
PATHS = (*WITH_BODY, "/info", "/v1/models", "/v1/models/{name}", "/indexes", "/card", "/health", "/ready")


@pytest.fixture(scope="module")
def described(server):
    schema = schemathesis.openapi.from_url(server.address + "/openapi.json")
    return {each.ok().path: each.ok() for each in schema.get_all_operations()}


def test_every_path_is_tried_here(described):
    assert set(described) == set(PATHS)


@pytest.mark.parametrize(
    ("path", "mode"),
    [(path, GenerationMode.POSITIVE) for path in PATHS] + [(path, GenerationMode.NEGATIVE) for path in WITH_BODY],
)
def test_answers_are_as_described(described, path, mode):
    operation = described[path]

    @settings(max_examples=20, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        case.call_and_validate(checks=CHECKS)

    ask()
