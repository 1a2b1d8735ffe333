"""/predict, /explain, /similarity, /steps: what the models know, for programs and for the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from heedful.data.example import TwoTexts
from heedful.explain.explanation import LEAVE_ONE_OUT
from heedful.explain.looks import looks_of
from heedful.explain.similarity import explain_similarity
from heedful.explain.steps import steps_of
from heedful.explain.two_contexts import compare_word
from heedful.runtime.answer import answers_of_scores
from heedful.runtime.vectors import cosines
from heedful.serve.describe import takes
from heedful.serve.faults import Refused
from heedful.serve.forms import ExplainAsked, PredictAsked, SimilarityAsked, StepsAsked
from heedful.serve.pictures import pictured
from heedful.serve.service import Service
from heedful.serve.shelf import Held
from heedful.serve.wire import answer, asked, while_there


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
            found = await while_there(request, service.call(lambda: held.model.answers(sources)))
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
        work = _explaining(held, sources, form, most=service.settings.explain_tokens)
        found = await while_there(request, service.call(work))
        if form.form != "json":
            return await service.call(lambda: pictured(found[0], form.form))
        data = [{"index": i, **each.to_dict()} for i, each in enumerate(found)]
        return answer({"object": "list", "model": held.name, "data": data})

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
        found = await while_there(request, service.call(lambda: explain_similarity(held.model, first, second)))
        if form.form != "json":
            return await service.call(lambda: pictured(found, form.form))
        return answer({**found.to_dict(), "model": held.name})

    @router.post("/steps", **takes(StepsAsked, pictures=True))
    async def steps(request: Request) -> Response:
        """Self-attention step by step, with the model's own numbers; with `compare`, one word in two texts."""
        form = await asked(request, StepsAsked, service.settings)
        held = service.shelf.find(form.model, does="steps")
        await service.check_length(held, form.text, form.compare or "")
        found, more = await while_there(request, service.call(_stepping(held, form)))
        if form.form == "html":
            return await service.call(lambda: pictured(found, form.form))
        return answer({**found.to_dict(), **more, "model": held.name})

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


def _explaining(held: Held, sources: Sequence[Any], form: ExplainAsked, *, most: int) -> Callable[[], Any]:
    """Return the work: one text after the other, each with effects only where that is not too much."""

    def work() -> list[Any]:
        return [_explained(held, source, form, most) for source in sources]

    return work


def _explained(held: Held, source: Any, form: ExplainAsked, most: int) -> Any:
    model: Any = held.model
    if held.model.config.task in ("tag", "translate"):
        return model.explain(source)
    methods, note = list(form.methods), ""
    if held.is_plain and (runs := len(held.model.featuriser.features(source)) ** 2) > most and LEAVE_ONE_OUT in methods:
        methods.remove(LEAVE_ONE_OUT)
        note = (
            f"Leave-one-out was not done: for this text it would run {runs:,} tokens, and this server runs at most "
            f"{most:,}. Ask about a part of the text."
        )
    found = model.explain([source], methods=methods, label=form.label)[0]
    if form.hop is not None and hasattr(found, "of_hop"):
        found = found.of_hop(form.hop)
    return replace(found, notes=(*found.notes, note)) if note else found


def _stepping(held: Held, form: StepsAsked) -> Callable[[], tuple[Any, dict[str, Any]]]:
    def work() -> tuple[Any, dict[str, Any]]:
        if form.compare is not None:
            return compare_word(held.model, form.text, form.compare, word=form.word), {}
        found = steps_of(held.model, form.text, word=form.word, layer=form.layer, head=form.head)
        looks = looks_of(held.model, form.text).to_dict()
        return found, {"looks": looks["weights"], "words": looks["words"]}

    return work
