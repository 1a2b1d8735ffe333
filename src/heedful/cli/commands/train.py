"""`heedful train`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.flags import add_setting_flags, given_settings
from heedful.cli.shared.training import has_checkpoint, is_first_process, run_training
from heedful.config import Config, load_config
from heedful.errors import HeedfulError, check_installed
from heedful.inputs import INPUTS
from heedful.settings import FIRST
from heedful.tasks import TASKS

if TYPE_CHECKING:
    from heedful.jobs.train.train import TrainResult
    from heedful.training.dataset import TrainingData

INTERRUPTED = 130  # exit code of a command that was stopped by Ctrl-C

USAGE = "heedful train FILE [--out FOLDER] [--text NAME] [--label NAME] [--valid FILE] [settings …]"

EXAMPLE = """\
example:
  heedful train reviews.csv --text review --label stars --out model
  heedful evaluate model test.csv

  heedful train reviews.csv --label stars --task regress --out model   # predict a number
  heedful train pairs.csv --task pair --text premise,hypothesis --out model   # classify pairs of texts
  heedful train reviews.csv --out model --vectors glove.6B.100d.txt --hops 10
  heedful train config.toml --out again           # a model's own config.toml, or a recipe
  heedful train reviews.csv --out model --resume  # resume after an interrupt or a crash
  heedful train reviews.csv --out model --teacher ./bert --unlabelled more.txt  # a large model labels, ours learns

  heedful train 'parts/*.csv' --out model         # several files, or a folder of them
  heedful train mails.xlsx --text subject,body --label topic --out model   # columns that are joined

Files: csv, tsv, xlsx, json, jsonl, parquet, each also with .gz; dataset folders of Hugging Face.
Ctrl-C keeps the best model so far.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "file", help="labelled texts: a file, a folder, a pattern such as 'parts/*.csv', - for stdin; or a config.toml"
    )
    parser.add_argument("-o", "--out", default="model", help="folder for the model (default: model)")
    parser.add_argument("--train", dest="train_file", metavar="FILE", help="file of labelled texts, with a config.toml")
    parser.add_argument("--resume", action="store_true", help="resume from the last checkpoint of this --out")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing model")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.add_argument(
        "--task",
        choices=list(dict.fromkeys(task.config_name for task in TASKS.values() if task.goal)),
        help="what to predict: a label (classify, the default), a number (regress), a label for each word (tag), "
        "a label for two texts (pair), a text (translate)",
    )
    parser.add_argument("--input", choices=tuple(INPUTS), help="kind of input (default: text)")
    parser.add_argument(
        "--try", dest="starts_to_try", choices=("auto", "none"), help="none: do not compare starts, as --no-compare"
    )
    add_setting_flags(parser, also=("variations",), first=FIRST)


def main(args: argparse.Namespace) -> int:
    """Train a model and print its folder."""
    config = _config(args)
    check_installed("torch", feature="Training", extra="train")
    is_new = not (args.resume or args.overwrite)
    material = read_before_torch(config, Path(args.out), is_new=is_new) if is_first_process() else None
    from heedful.jobs.teach.teach import training_job

    result = run_training(training_job(config), config, args, material=material)
    if not is_first_process():
        return INTERRUPTED if result.is_interrupted else 0
    _report(result, as_json=args.json)
    if result.is_interrupted and has_checkpoint(Path(args.out)):
        note(f"Stopped early. To resume: heedful {resume_command()}")
    return INTERRUPTED if result.is_interrupted else 0


def read_before_torch(config: Config, out: Path, *, is_new: bool) -> TrainingData | None:
    """Read the files before torch is imported, which takes seconds, so that faults in them are reported at once.

    Of a stream, only the first row is read here.
    """
    from heedful.data.bad_rows import BadRows
    from heedful.data.file_form import form_of
    from heedful.data.read import read_rows
    from heedful.store.folder import check_target
    from heedful.training.dataset import read_data

    if is_new:
        check_target(out)
    if config.data.stream:
        next(iter(read_rows(config.data.train or "", faults=BadRows(form=form_of(config.data)))), None)
        return None
    return read_data(config)


def _report(result: TrainResult, *, as_json: bool) -> None:
    figures = dict(result.facts.metrics) if result.facts else {}
    if as_json:
        path = str(result.path) if result.path else None
        print_json({"model": path, "interrupted": result.is_interrupted, "figures": figures})
    elif result.best is None:
        note("No epoch was finished, so no model was written.")
    else:
        from heedful.cli.shared.progress import shown_figures

        metrics = {name: figures.get(name, value) for name, value in result.best.metrics.items()}
        out.print(f"dev {shown_figures(metrics, ', ')} ({_when(result)})", markup=False)
        if result.facts and (teacher := result.facts.data.get("teacher_metrics")):
            out.print(f"teacher {shown_figures(teacher, ', ')}", markup=False)
        if result.facts and result.facts.data.get("valid_texts_learned"):
            n = result.facts.data["valid_texts"]
            note(f"After this was measured, the model was also trained on the validation set of {n:,} texts.")
        if result.facts and (bad := result.facts.data.get("bad_rows")):
            note(f"Skipped {bad:,} {'row' if bad == 1 else 'rows'} that could not be read.")
        out.print(f"model written to {result.path}", markup=False, soft_wrap=True)


def _when(result: TrainResult) -> str:
    best, last = result.best, result.records[-1].epoch
    assert best is not None
    if last == 0:
        return "only the head was trained"
    return f"epoch {best.epoch} of {last}" if best.epoch else f"before the first of {last} epochs"


def _config(args: argparse.Namespace) -> Config:
    settings = given_settings(args) | {name: value for name in ("task", "input") if (value := getattr(args, name))}
    if args.starts_to_try == "none":
        settings["compare"] = False
    if args.train_file is not None and not args.file.endswith(".toml"):
        raise HeedfulError(f"--train goes with a config.toml; {args.file} is the file to train on")
    if args.file.endswith(".toml"):
        if args.train_file is not None:
            settings["train"] = args.train_file
        return load_config(args.file).with_given(**settings)
    return Config().with_given(train=args.file, **settings)


def resume_command() -> str:
    """Return the command that resumes this training."""
    import shlex

    words = [word for word in sys.argv[1:] if word not in ("--resume", "--overwrite")]
    return shlex.join([*words, "--resume"])
