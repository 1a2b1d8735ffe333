"""`heedful import`."""

from __future__ import annotations

import argparse
from pathlib import Path

from heedful.cli.shared.console import note, out, print_json
from heedful.errors import check_installed
from heedful.jobs.encoders.transformers.pooling import POOLERS

USAGE = "heedful import FOLDER -o MODEL [--int8] [--prompt TEXT] [--pooling mean|cls|max]"

EXAMPLE = """\
example:
  heedful import ./all-MiniLM-L6-v2 -o minilm           # then: heedful embed minilm notes.txt
  heedful import ./e5-small -o e5 --prompt "query: " --int8
  heedful train data.csv --start ./all-MiniLM-L6-v2     # hops and a head on top; no import needed

The folder is one that transformers or sentence-transformers saved, with config.json, model.safetensors and
tokenizer.json: BERT, MiniLM, E5, DistilBERT, RoBERTa, XLM-R or MPNet. Nothing in it is run as code, and nothing is
downloaded. The encoder needs no torch; its vectors equal the original's to 1e-4, with --int8 nearly so.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("folder", help="folder of a transformer")
    parser.add_argument("-o", "--out", default="encoder", help="folder for the model (default: encoder)")
    parser.add_argument("--int8", action="store_true", help="multiply 8-bit numbers: two to three times as fast")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="longest text in tokens (default: the folder's)")
    parser.add_argument("--pooling", choices=tuple(POOLERS), help="how states become a vector (default: the folder's)")
    parser.add_argument("--prompt", help="text before every input, or the name of one of the folder's prompts")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing model")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def main(args: argparse.Namespace) -> int:
    """Import the transformer and print the folder of the encoder."""
    check_installed("onnx", feature="Importing a transformer", extra="train")
    from heedful.jobs.encoders.transformers.import_encoder import ImportOptions, import_encoder

    options = ImportOptions(args.int8, args.max_tokens, args.pooling, args.prompt)
    path, silent = Path(args.out), args.quiet or args.json
    facts = import_encoder(
        Path(args.folder), path, options, overwrite=args.overwrite, on_note=(lambda _: None) if silent else note
    )
    if args.json:
        print_json({"model": str(path), **facts.data})
    else:
        size = sum(file.stat().st_size for file in path.iterdir() if file.is_file())
        out.print(f"encoder written to {path}, {size / 1e6:.1f} MB", markup=False, soft_wrap=True)
    return 0
