"""/predict, /explain, /similarity, /steps: what the models know, for programs and for the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful.data.example import TwoTexts
from heedful.explain.attention.explanation import GRADIENT, INTEGRATED, Word
from heedful.explain.similarity import explain_similarity
from heedful.explain.steps.self_attention_maps import looks_of
from heedful.explain.steps.steps import Steps, steps_of
from heedful.explain.steps.two_contexts import compare_word
from heedful.runtime.answer import answers_of_scores
from heedful.runtime.vector_form import cosines
from heedful.serve.budget import Planned, check_pairs, guessed_cost, planned
from heedful.serve.http.bodies import answer, asked
from heedful.serve.http.errors import Refused
from heedful.serve.models import Held
from heedful.serve.routes.openapi import takes
from heedful.serve.routes.renderings import pictured
from heedful.serve.routes.requests import ExplainAsked, PredictAsked, SimilarityAsked, StepsAsked
from heedful.serve.routes.views import contexts_view, explanation_view, similarity_view, steps_view
from heedful.serve.service import Service
from heedful.serve.settings import ServeSettings

SLOW_TOKENS = 500  # that an answer counts which is not gathered: of a tagger, a model of pairs, a translator


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["answers"])

    @router.post("/predict", **takes(PredictAsked))
    async def predict(request: Request) -> Response:
        """The answer to each text: a label with probabilities, several, a number, tags, or a translation."""
        form = await asked(request, PredictAsked, service.settings)
        held = service.shelf.find(form.model, does="predict")
        sources = _sources(held, form.input)
        if held.is_plain:
            read = await service.read(held, sources)
            scores = await service.rows(request, held.scores, read.features)
            found, tokens = answers_of_scores(held.model, scores), read.tokens
        else:
            service.check_count(sources, most=service.settings.max_explained)
            await service.check_length(held, *_texts(sources))
            found = await service.call(request, lambda: held.model.answers(sources), cost=SLOW_TOKENS * len(sources))
            tokens = 0
        data = [{"index": i, **each.values} for i, each in enumerate(found)]
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return answer({"object": "list", "model": held.name, "data": data, "usage": usage})

    @router.post("/explain", **takes(ExplainAsked, pictures=True))
    async def explain(request: Request) -> Response:
        """What the model read in each text, its answer, and what each word does to it."""
        form = await asked(request, ExplainAsked, service.settings)
        held = service.shelf.find(form.model, does="explain")
        sources = _sources(held, form.input)
        if form.form != "json" and len(sources) != 1:
            raise Refused(400, f"{form.form} is a picture of one text: send one.", param="input")
        service.check_count(sources, most=service.settings.max_explained)
        await service.check_length(held, *_texts(sources))
        methods = _methods(form, service.settings)

        def work() -> Response:
            plans = planned(held, sources, methods, most=service.settings.explain_tokens)
            found = [_explained(held, each, form) for each in plans]
            if form.form != "json":
                return pictured(found[0], form.form)
            has_view = form.view and hasattr(found[0], "of_hop")
            views = [{"view": explanation_view(each)} if has_view else {} for each in found]
            data = [{"index": i, **each.to_dict(), **views[i]} for i, each in enumerate(found)]
            return answer({"object": "list", "model": held.name, "data": data})

        cost = guessed_cost(map(len, _texts(sources)), methods)
        return await service.call(request, work, cost=cost)

    @router.post("/similarity", **takes(SimilarityAsked, pictures=True))
    async def similarity(request: Request) -> Response:
        """How alike two texts are, and the part of each pair of words in it; of one text and many, the scores."""
        form = await asked(request, SimilarityAsked, service.settings)
        held = service.shelf.find(form.model, does="similarity")
        if isinstance(form.second, list):
            if form.form != "json":
                raise Refused(400, f"{form.form} is a picture of two texts: send one as second.", param="form")
            read = await service.read(held, [form.first, *form.second])
            rows = await service.rows(request, held.vectors, read.features)
            return answer({"model": held.name, "scores": cosines(rows[:1], rows[1:])[0].tolist()})
        first, second = form.first, form.second
        await service.check_length(held, first, second)

        def work() -> Response:
            check_pairs(held, first, second, most=service.settings.explain_tokens)
            found = explain_similarity(held.model, first, second)
            if form.form != "json":
                return pictured(found, form.form)
            view = {"view": similarity_view(found)} if form.view else {}
            return answer({**found.to_dict(), "model": held.name, **view})

        return await service.call(request, work, cost=len(first) + len(second))

    @router.post("/steps", **takes(StepsAsked, pictures=True))
    async def steps(request: Request) -> Response:
        """Self-attention step by step, with the model's own numbers; with `compare`, one word in two texts."""
        form = await asked(request, StepsAsked, service.settings)
        held = service.shelf.find(form.model, does="steps")
        await service.check_length(held, form.text, form.compare or "")
        stepping = _stepping(held, form)

        def work() -> Response:
            found, more = stepping()
            if form.form == "html":
                return pictured(found, form.form)
            return answer({**found.to_dict(), **more, "model": held.name})

        return await service.call(request, work, cost=len(form.text) + len(form.compare or ""))

    return router


def _sources(held: Held, given: Sequence[Any]) -> list[Any]:
    """Return what a model takes: texts, or pairs of them."""
    is_pair, wants = isinstance(given[0], list), held.model.config.task == "pair"
    if is_pair != wants:
        said = "pairs of texts: [[first, second], …]" if wants else "texts, not pairs"
        raise Refused(400, f"{held.name} takes {said}.", param="input")
    return [TwoTexts(*each) for each in given] if wants else list(given)


def _texts(sources: Sequence[Any]) -> list[str]:
    """Return the texts, those of pairs one after the other."""
    return [text for source in sources for text in ([source] if isinstance(source, str) else source)]


def _methods(form: ExplainAsked, settings: ServeSettings) -> list[str]:
    """Return the methods that were asked for, each once."""
    methods = list(dict.fromkeys(name.strip() for name in form.methods))
    if not settings.gradients and (off := [name for name in methods if name in (GRADIENT, INTEGRATED)]):
        said = f"{off[0]} is off on this server, as it is slow. The flag --gradients allows it."
        raise Refused(400, said, param="methods", code="method_off")
    return methods


def _explained(held: Held, each: Planned, form: ExplainAsked) -> Any:
    model: Any = held.model
    if held.model.config.task in ("tag", "translate"):
        return model.explain(each.source)
    found = model.explain([each.source], methods=list(each.methods), label=form.label)[0]
    if form.hop is not None and hasattr(found, "of_hop"):
        found = found.of_hop(form.hop)
    return _noted(found, each.notes) if each.notes else found


def _noted(found: Any, notes: tuple[str, ...]) -> Any:
    """Return an explanation, of one text or two, with more notes."""
    if hasattr(found, "notes"):
        return replace(found, notes=(*found.notes, *notes))
    return replace(found, first=_noted(found.first, notes), second=_noted(found.second, notes))


def _stepping(held: Held, form: StepsAsked) -> Callable[[], tuple[Any, dict[str, Any]]]:
    def work() -> tuple[Any, dict[str, Any]]:
        if form.compare is not None:
            both = compare_word(held.model, form.text, form.compare, word=form.word)
            return both, {"view": contexts_view(both)} if form.view else {}
        steps = steps_of(held.model, form.text, word=form.word, layer=form.layer, head=form.head)
        attention = looks_of(held.model, form.text)
        steps = _nth(steps, attention.words, form.nth)
        view = {"view": steps_view(steps, attention.weights)} if form.view else {}
        maps = attention.to_dict()
        return steps, {"looks": maps["weights"], "words": maps["words"], **view}

    return work


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
