"""The shipped recipes load, and train."""

from pathlib import Path

import pytest

from heedful.config import load_config
from heedful.data.example import Example
from heedful.jobs.train.train import train_model

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))


def test_there_are_recipes():
    assert {path.name for path in RECIPES} >= {"paper-age.toml", "paper-yelp.toml"}


@pytest.mark.parametrize("path", RECIPES, ids=lambda p: p.name)
def test_a_recipe_trains(path, tmp_path):
    texts = [Example(f"good nice {i}", "yes") for i in range(8)] + [Example(f"bad poor {i}", "no") for i in range(8)]
    small = load_config(path).changed(units=4, hidden=8, attention_width=4, n_hops=2, epochs=1)
    result = train_model(small, tmp_path / "model", examples=(texts, texts))
    assert result.path.is_dir()


@pytest.mark.parametrize("path", RECIPES, ids=lambda p: p.name)
def test_a_recipe_has_the_papers_sizes(path):
    config = load_config(path)
    assert (config.model.units, config.model.attention_width, config.model.n_hops) == (300, 350, 30)
    assert (config.train.optimiser, config.train.lr, config.train.clip, config.train.l2) == ("sgd", 0.06, 0.5, 1e-4)
