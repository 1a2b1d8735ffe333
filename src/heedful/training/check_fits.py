"""Check that the layers of a config fit its task and its input."""

from __future__ import annotations

from collections.abc import Mapping

from heedful.config import Config
from heedful.errors import ConfigError
from heedful.inputs import INPUTS
from heedful.settings import GRAPH_ENCODERS
from heedful.tasks import TASKS, task_of

ONLY_FOR = {"surroundings": "molecule"}  # source settings of a single input


def _named(settings: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {value}" for name, value in settings.items())


def check_fits(config: Config) -> None:
    """Raise a ConfigError with every setting that does not fit the task or the input."""
    kind, task, model, faults = INPUTS[config.input], task_of(config), config.model, []
    if any(getattr(model, name) != value for name, value in task.needs.items()):
        faults.append(f"task {task.name} needs {_named(task.needs)}.")
    for other in TASKS.values():
        wrong = {name: value for name, value in other.needs.items() if getattr(model, name) == value}
        if other is not task and wrong and not task.needs:
            faults.append(f"{_named(other.needs)} are for task {other.name}: {other.about}.")
        elif other is not task and model.head in other.heads:
            faults.append(f"head {model.head} is for task {other.name}: {other.about}.")
    if model.encoder in GRAPH_ENCODERS and not kind.has_neighbours:
        names = " and ".join(each.name for each in INPUTS.values() if each.has_neighbours)
        faults.append(f"encoder {model.encoder} is for inputs {names}: other inputs have no neighbours.")
    if model.whole and kind.is_text:
        faults.append("whole is for inputs other than texts: the sum of all tokens says little about a text.")
    if model.count and kind.is_text:
        faults.append("count is for inputs other than texts: the number of tokens says little about a text.")
    for name, value in vars(config.source).items():
        only = ONLY_FOR.get(name)
        if only and value and only != kind.name:
            faults.append(f"{name} is for input {only}.")
    if kind.has_neighbours:
        reach = "neighbours" if model.encoder in GRAPH_ENCODERS else "all"  # the nodes that the encoder attends to
        if config.source.reach != reach:
            faults.append(f"encoder {model.encoder} needs reach {reach}, found {config.source.reach}.")
    if faults:
        raise ConfigError(faults)
