"""The report after training an encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heedful.cli.commands.train import INTERRUPTED, resume_command
from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.progress import shown_figures

if TYPE_CHECKING:
    from heedful.jobs.train.train import TrainResult


def report_encoder(result: TrainResult, *, as_json: bool) -> int:
    """Print the metrics and the folder, and return the exit code."""
    figures = dict(result.facts.metrics) if result.facts else {}
    if as_json:
        path = str(result.path) if result.path else None
        print_json({"model": path, "interrupted": result.is_interrupted, "figures": figures})
    elif result.best is None:
        note("No epoch was finished, so no model was written.")
    else:
        out.print(f"dev {shown_figures(result.best.metrics)} (epoch {result.best.epoch} of {len(result.records)})")
        out.print(f"encoder written to {result.path}", markup=False, soft_wrap=True)
    if result.is_interrupted:
        note(f"Stopped early. To resume: heedful {resume_command()}")
    return INTERRUPTED if result.is_interrupted else 0
