"""What goes out: one folder for each task."""

from __future__ import annotations

from typing import Any, Protocol

from heedful.tasks.classify import TASK as CLASSIFY
from heedful.tasks.embed import TASK as EMBED
from heedful.tasks.multilabel import TASK as MULTILABEL
from heedful.tasks.pair import TASK as PAIR
from heedful.tasks.regress import TASK as REGRESS
from heedful.tasks.tag import TASK as TAG
from heedful.tasks.task import AnswerKind, Task
from heedful.tasks.translate import TASK as TRANSLATE

TASKS: dict[str, Task] = {each.name: each for each in (CLASSIFY, MULTILABEL, REGRESS, TAG, PAIR, TRANSLATE, EMBED)}


class _Settings(Protocol):
    """The part of a Config that says what the task is."""

    @property
    def task(self) -> str: ...
    @property
    def data(self) -> Any: ...


def task_of(config: _Settings, *, many: bool = False) -> Task:
    """Return the task of a model; `many` if its data have any number of labels for each input."""
    return MULTILABEL if many else next(task for task in TASKS.values() if task.config_name == config.task)


def answer_kind(config: _Settings, *, many: bool = False) -> AnswerKind:
    """Return the form of a model's answers."""
    task = task_of(config, many=many)
    kind: AnswerKind = config.data.answer if task.chooses_answer else task.answer
    return kind


def config_names() -> tuple[str, ...]:
    """Return the values that `task` in config.toml may have."""
    return tuple(dict.fromkeys(task.config_name for task in TASKS.values()))
