"""A toy task: labels in an order, judged by how far off they are. All that a new task needs is here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from heedful.tasks.classify.goal import ClassifyGoal
from heedful.tasks.classify.goal import make_goal as classify_goal
from heedful.tasks.classify.model import Classifier
from heedful.tasks.task import EXPLAIN, PREDICT, Task


class OrdinalGoal(ClassifyGoal):
    """The right label; the best epoch is the one with the smallest loss."""

    def judge(self, outputs: Any) -> Any:
        judged = super().judge(outputs)
        return judged._replace(rank=(-judged.loss, 0.0))


def make_goal(config: Any, data: Any, sides: Any) -> OrdinalGoal:
    goal = classify_goal(config, data, sides)
    goal.__class__ = OrdinalGoal
    return goal


class OrdinalModel(Classifier):
    """A model whose labels have an order."""

    does = "gives each input a grade"

    def grade(self, source: Any) -> int:
        return sorted(self.labels).index(self.predict(source))


@dataclass(frozen=True)
class Distance:
    """How many grades off an answer is, on average."""

    mean_distance: float

    @property
    def sentence(self) -> str:
        return f"mean distance {self.mean_distance:.3f}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def evaluate(model: OrdinalModel, examples: Any, path: Any) -> Distance:
    del path
    order = sorted(model.labels)
    answers = model.predict([example.text for example in examples])
    off = [abs(order.index(a) - order.index(e.label)) for a, e in zip(answers, examples, strict=True)]
    return Distance(sum(off) / len(off))


TASK = Task(
    name="ordinal",
    about="a grade for each input",
    answer="label",
    model="tests.toys.ordinal:OrdinalModel",
    goal="tests.toys.ordinal:make_goal",
    evaluate="tests.toys.ordinal:evaluate",
    can=frozenset({PREDICT, EXPLAIN}),
    noun="grader of each {input}",
    defaults={"dropout": 0.0},
)
