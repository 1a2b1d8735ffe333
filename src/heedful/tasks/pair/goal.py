"""Learning one answer for two texts."""

from __future__ import annotations

from heedful.config import Config
from heedful.tasks import answer_kind
from heedful.tasks.classify.goal import ClassifyGoal
from heedful.tasks.classify.goal import make_goal as classify_goal
from heedful.tasks.regress.goal import RegressGoal
from heedful.tasks.regress.goal import make_goal as regress_goal
from heedful.training.dataset import Sides, TrainingData


def make_goal(config: Config, data: TrainingData, sides: Sides) -> ClassifyGoal | RegressGoal:
    """Return the goal of a label, or of a number: similarity has no unit, and is judged by Spearman's correlation."""
    if answer_kind(config) == "number":
        return regress_goal(config, data, sides, by_order=True)
    return classify_goal(config, data, sides)
