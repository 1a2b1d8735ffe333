"""/predict, /explain, /similarity, /steps: predictions and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful.data.example import TwoTexts
from heedful.explain.attention.explain import default_methods
from heedful.explain.attention.explanation import GRADIENT, INTEGRATED, Word
from heedful.explain.similarity import explain_similarity
from heedful.explain.steps.self_attention_maps import looks_of
from heedful.explain.steps.steps import Steps, steps_of
from heedful.explain.steps.two_contexts import compare_word
from heedful.runtime.vector_form import cosines
from heedful.serve.budget import ExplanationPlan, check_pair_count, estimate_cost, plan_explanations
from heedful.serve.http.bodies import json_response, read_request
from heedful.serve.http.errors import Refused
from heedful.serve.models import ServedModel
from heedful.serve.routes.openapi import operation
from heedful.serve.routes.renderings import render
from heedful.serve.routes.requests import ExplainRequest, PredictRequest, SimilarityRequest, StepsRequest
from heedful.serve.routes.views import contexts_view, explanation_values, explanation_view, similarity_view, steps_view
from heedful.serve.service import Service
from heedful.serve.settings import ServeSettings

UNBATCHED_TOKENS = 500  # assumed cost of a prediction that is not batched: of a tagger, pair model or translator


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["answers"])

    @router.post("/predict", **operation(PredictRequest))
    async def predict(request: Request) -> Response:
        """The prediction for each text: a label with probabilities, several labels, a number, tags or a translation."""
        return await _predict(service, request)

    @router.post("/explain", **operation(ExplainRequest, pictures=True))
    async def explain(request: Request) -> Response:
        """The prediction for each text, its attention weights, and the effect of each word on the prediction."""
        return await _explain(service, request)

    @router.post("/similarity", **operation(SimilarityRequest, pictures=True))
    async def similarity(request: Request) -> Response:
        """The similarity of two texts and the part of each pair of words in it; of one text and many, the scores."""
        return await _similarity(service, request)

    @router.post("/steps", **operation(StepsRequest, pictures=True))
    async def steps(request: Request) -> Response:
        """Self-attention step by step, with the numbers of the model; with `compare`, one word in two texts."""
        return await _steps(service, request)

    return router


async def _predict(service: Service, request: Request) -> Response:
    body = await read_request(request, PredictRequest, service.settings)
    served = service.models.find(body.model, capability="predict")
    sources = _sources(served, body.input)
    if served.is_plain:
        texts = await service.tokenise(served, sources)
        scores = await service.run_batched(request, served.scores, texts.features)
        answers, n_tokens = served.model.forms_of(scores), texts.n_tokens
    else:
        service.check_text_count(sources, max_texts=service.settings.max_explained)
        await service.check_length(served, *_texts(sources))
        cost = UNBATCHED_TOKENS * len(sources)
        answers, n_tokens = await service.run_call(request, lambda: served.model.answers(sources), cost=cost), 0
    data = [{"index": i, **answer.values} for i, answer in enumerate(answers)]
    usage = {"prompt_tokens": n_tokens, "total_tokens": n_tokens}
    return json_response({"object": "list", "model": served.name, "data": data, "usage": usage})


async def _explain(service: Service, request: Request) -> Response:
    body = await read_request(request, ExplainRequest, service.settings)
    served = service.models.find(body.model, capability="explain")
    sources = _sources(served, body.input)
    if body.form != "json" and len(sources) != 1:
        raise Refused(400, f"{body.form} shows a single text: send one.", param="input")
    service.check_text_count(sources, max_texts=service.settings.max_explained)
    await service.check_length(served, *_texts(sources))
    methods = _methods(served, body, service.settings)

    def work() -> Response:
        plans = plan_explanations(served, sources, methods, budget=service.settings.explain_tokens)
        explanations = [_explanation(served, plan, body) for plan in plans]
        if body.form != "json":
            return render(explanations[0], body.form)
        has_view = body.view and hasattr(explanations[0], "of_hop")
        views = [{"view": explanation_view(explanation)} if has_view else {} for explanation in explanations]
        data = [{"index": i, **explanation_values(each), **views[i]} for i, each in enumerate(explanations)]
        return json_response({"object": "list", "model": served.name, "data": data})

    cost = estimate_cost(map(len, _texts(sources)), methods)
    return await service.run_call(request, work, cost=cost)


async def _similarity(service: Service, request: Request) -> Response:
    body = await read_request(request, SimilarityRequest, service.settings)
    served = service.models.find(body.model, capability="similarity")
    if isinstance(body.second, list):
        if body.form != "json":
            raise Refused(400, f"{body.form} shows two texts: send a single text as second.", param="form")
        texts = await service.tokenise(served, [body.first, *body.second])
        rows = await service.run_batched(request, served.vectors, texts.features)
        return json_response({"model": served.name, "scores": cosines(rows[:1], rows[1:])[0].tolist()})
    first, second = body.first, body.second
    await service.check_length(served, first, second)

    def work() -> Response:
        check_pair_count(served, first, second, budget=service.settings.explain_tokens)
        similarity = explain_similarity(served.model, first, second)
        if body.form != "json":
            return render(similarity, body.form)
        view = {"view": similarity_view(similarity)} if body.view else {}
        return json_response({**similarity.to_dict(), "model": served.name, **view})

    return await service.run_call(request, work, cost=len(first) + len(second))


async def _steps(service: Service, request: Request) -> Response:
    body = await read_request(request, StepsRequest, service.settings)
    served = service.models.find(body.model, capability="steps")
    await service.check_length(served, body.text, body.compare or "")

    def work() -> Response:
        steps, maps = _steps_and_maps(served, body)
        if body.form == "html":
            return render(steps, body.form)
        return json_response({**steps.to_dict(), **maps, "model": served.name})

    return await service.run_call(request, work, cost=len(body.text) + len(body.compare or ""))


def _sources(served: ServedModel, inputs: Sequence[Any]) -> list[Any]:
    """Return the inputs as the model takes them: texts, or pairs of texts."""
    are_pairs, takes_pairs = isinstance(inputs[0], list), served.model.task.n_texts == 2
    if are_pairs != takes_pairs:
        expected = "pairs of texts: [[first, second], …]" if takes_pairs else "texts, not pairs"
        raise Refused(400, f"{served.name} takes {expected}.", param="input")
    return [TwoTexts(*pair) for pair in inputs] if takes_pairs else list(inputs)


def _texts(sources: Sequence[Any]) -> list[str]:
    """Return the texts, with pairs flattened."""
    return [text for source in sources for text in ([source] if isinstance(source, str) else source)]


def _methods(served: ServedModel, body: ExplainRequest, settings: ServeSettings) -> list[str]:
    """Return the requested methods without duplicates."""
    asked = default_methods(served.model) if body.methods is None else body.methods
    methods = list(dict.fromkeys(name.strip() for name in asked))
    disabled = [] if settings.gradients else [name for name in methods if name in (GRADIENT, INTEGRATED)]
    if disabled:
        message = f"{disabled[0]} is disabled on this server because it is slow. Enable it with --gradients."
        raise Refused(400, message, param="methods", code="method_off")
    return methods


def _explanation(served: ServedModel, plan: ExplanationPlan, body: ExplainRequest) -> Any:
    model: Any = served.model
    if not served.model.answer:
        return model.explain(plan.source)
    explanation = model.explain([plan.source], methods=list(plan.methods), label=body.label)[0]
    if body.hop is not None and hasattr(explanation, "of_hop"):
        explanation = explanation.of_hop(body.hop)
    return _with_notes(explanation, plan.notes) if plan.notes else explanation


def _with_notes(explanation: Any, notes: tuple[str, ...]) -> Any:
    """Return an explanation of a text, or of a pair, with notes added."""
    if hasattr(explanation, "notes"):
        return replace(explanation, notes=(*explanation.notes, *notes))
    first, second = _with_notes(explanation.first, notes), _with_notes(explanation.second, notes)
    return replace(explanation, first=first, second=second)


def _steps_and_maps(served: ServedModel, body: StepsRequest) -> tuple[Any, dict[str, Any]]:
    """Return the steps, and the self-attention maps of the text unless two texts are compared."""
    if body.compare is not None:
        contexts = compare_word(served.model, body.text, body.compare, word=body.word)
        return contexts, {"view": contexts_view(contexts)} if body.view else {}
    steps = steps_of(served.model, body.text, word=body.word, layer=body.layer, head=body.head)
    attention = looks_of(served.model, body.text)
    steps = _nth(steps, attention.words, body.nth)
    view = {"view": steps_view(steps, attention.weights)} if body.view else {}
    maps = attention.to_dict()
    return steps, {"looks": maps["weights"], "words": maps["words"], **view}


def _nth(steps: Steps, words: Sequence[Word], nth: int) -> Steps:
    """Return the steps of the nth word that is equal to the one followed."""
    if nth == 1:
        return steps
    start = steps.pieces[steps.at].start
    form = next(word.text.casefold() for word in words if word.start <= start < word.end)
    same = [word for word in words if word.text.casefold() == form]
    if nth > len(same):
        raise Refused(400, f"nth is {nth}, but the text has this word {len(same)} times.", param="nth")
    word = same[nth - 1]
    own = [i for i, piece in enumerate(steps.pieces) if word.start <= piece.start < word.end]
    return replace(steps, at=own[0], n_pieces=len(own))
