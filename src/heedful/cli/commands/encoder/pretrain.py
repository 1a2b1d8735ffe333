"""`heedful pretrain`."""

from __future__ import annotations

import argparse

from heedful.cli.commands.encoder.distill import NOT_HERE, add_run_flags, check_corpus
from heedful.cli.shared.encoder_report import report_encoder
from heedful.cli.shared.flags import ENCODER, add_setting_flags, given_settings
from heedful.cli.shared.training import run_training
from heedful.config import load_config
from heedful.errors import check_installed

USAGE = "heedful pretrain FILE -o MODEL [--pairs FIRST,SECOND] [settings …]"

EXAMPLE = """\
example:
  heedful pretrain notes.txt -o encoder                            # running text: each sentence predicts the next
  heedful pretrain faq.csv --pairs question,answer -o encoder      # two columns of matching texts
  heedful similar encoder "the pump leaks" "water under the pump"

Needs no teacher and no labels: for a domain or a language without a ready-made model. In a .txt file an empty line
ends a document; in other files each row is a document.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", help="file of texts, or a config.toml")
    parser.add_argument("--text", dest="text", metavar="NAME", default=argparse.SUPPRESS, help="column with the text")
    add_run_flags(parser)
    add_setting_flags(parser, ENCODER, without={*NOT_HERE, "likeness", "ranking", "near", "start"} - {"pairs"})


def main(args: argparse.Namespace) -> int:
    """Train the encoder and print its folder."""
    check_installed("torch", feature="Training", extra="train")
    check_corpus(args.file, args, has_pairs=hasattr(args, "pairs"))
    from heedful.jobs.encoders.encoder import encoder_config
    from heedful.jobs.encoders.pretrain import pretrain_model

    settings = given_settings(args)
    base = load_config(args.file) if args.file.endswith(".toml") else None
    if base is None:
        settings["train"] = args.file
    config = encoder_config(base, **settings)
    return report_encoder(run_training(pretrain_model, config, args), as_json=args.json)
