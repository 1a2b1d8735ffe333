"""A model may be shared by threads, used in asyncio, copied, pickled and sent to other processes."""

from __future__ import annotations

import asyncio
import copy
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import heedful

N_THREADS = 8
COPIES = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "deepcopy": copy.deepcopy}


@pytest.fixture(scope="module")
def encoder():
    return heedful.load("en-small", threads=1)


@pytest.fixture(scope="module")
def texts(examples):
    return [example.text for example in examples(48, seed=3)]


def in_threads(function, items):
    """Return the results of calls that run at the same time, several for each item."""
    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(function, items * 4))


def test_threads_get_the_answers_of_one(tiny_model, texts):
    assert in_threads(tiny_model.predict, texts) == [tiny_model.predict(text) for text in texts] * 4
    alone = [tiny_model.explain(text) for text in texts] * 4
    for explained, expected in zip(in_threads(tiny_model.explain, texts), alone, strict=True):
        assert explained.label == expected.label
        np.testing.assert_array_equal(explained.contributions, expected.contributions)
        np.testing.assert_array_equal(explained.weights, expected.weights)


def test_threads_get_the_vectors_of_one(encoder, texts):
    for vector, expected in zip(in_threads(encoder.embed, texts), [encoder.embed(t) for t in texts] * 4, strict=True):
        np.testing.assert_array_equal(vector, expected)
    pairs = [(first, texts[0]) for first in texts[1:9]]
    scores = in_threads(lambda pair: encoder.similarity(*pair).score, pairs)
    assert scores == [encoder.similarity(*pair).score for pair in pairs] * 4


def test_a_model_that_threads_use_first_at_the_same_time_answers_as_one(tiny_folder, texts):
    fresh = heedful.load(tiny_folder, threads=1)
    answers = in_threads(lambda text: fresh.explain(text, methods="leave-one-out"), texts[:8])
    expected = [heedful.load(tiny_folder, threads=1).explain(text, methods="leave-one-out") for text in texts[:8]] * 4
    for explained, alone in zip(answers, expected, strict=True):
        np.testing.assert_array_equal(explained.left_out, alone.left_out)


def test_asyncio_runs_models_in_threads(tiny_model, texts):
    async def answers():
        return await asyncio.gather(*(asyncio.to_thread(tiny_model.predict, text) for text in texts))

    assert asyncio.run(answers()) == [tiny_model.predict(text) for text in texts]


@pytest.mark.parametrize("make", COPIES)
def test_copies_of_a_classifier_give_the_same_answers(tiny_model, texts, make):
    again = COPIES[make](tiny_model)
    assert type(again) is heedful.Classifier and again is not tiny_model
    assert again.labels == tiny_model.labels and again.fingerprint == tiny_model.fingerprint
    np.testing.assert_array_equal(again.predict_proba(texts), tiny_model.predict_proba(texts))
    np.testing.assert_array_equal(again.explain(texts[0]).contributions, tiny_model.explain(texts[0]).contributions)


@pytest.mark.parametrize("make", COPIES)
def test_copies_of_an_encoder_give_the_same_vectors(encoder, texts, make):
    again = COPIES[make](encoder)
    assert type(again) is heedful.Encoder
    np.testing.assert_array_equal(again.encode(texts), encoder.encode(texts))
    assert again.similarity(*texts[:2]).score == encoder.similarity(*texts[:2]).score


@pytest.mark.slow
def test_other_processes_give_the_same_answers(tiny_model, encoder, texts):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(tiny_model.predict, [texts[:8], texts[8:]]) == [
            tiny_model.predict(texts[:8]),
            tiny_model.predict(texts[8:]),
        ]
        (explained,) = pool.map(tiny_model.explain, [texts[0]])
        (vectors,) = pool.map(encoder.embed, [texts])
    np.testing.assert_array_equal(explained.contributions, tiny_model.explain(texts[0]).contributions)
    np.testing.assert_array_equal(vectors, encoder.embed(texts))


@pytest.mark.parametrize("make", COPIES)
def test_results_can_be_copied(tiny_model, encoder, examples, make):
    rows = [{"text": example.text, "label": example.label} for example in examples(30, seed=4)]
    results = [
        tiny_model.explain(rows[0]["text"], methods="leave-one-out"),
        tiny_model.flip(rows[0]["text"]),
        tiny_model.words([row["text"] for row in rows]),
        encoder.similarity("a cat", "a kitten"),
        tiny_model.evaluate(rows, on_note=lambda _: None),
        heedful.audit(tiny_model, rows, keep=False),
    ]
    for result in results:
        again = COPIES[make](result)
        assert type(again) is type(result)
        assert repr(again) == repr(result)
        assert str(again.to_dict()) == str(result.to_dict())


def test_errors_can_be_pickled(tiny_model, tmp_path):
    """A process pool sends errors of its workers to its owner."""
    calls = [
        lambda: tiny_model.predict(3.5),
        lambda: heedful.load(tmp_path / "nowhere"),
        lambda: heedful.train(tmp_path / "nowhere.csv"),
        lambda: heedful.train(([], []), epoch=3),
        lambda: tiny_model.translate("one"),
        lambda: tiny_model.evaluate([{"text": "a", "label": "x"}], text="texts"),
    ]
    for call in calls:
        with pytest.raises(heedful.HeedfulError) as caught:
            call()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value) and str(again) == str(caught.value)
