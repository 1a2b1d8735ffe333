"""`heedful explain` for a tagger."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from typing import cast

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.inputs import check_some_left, sources_of
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.picture import write_picture
from heedful.data.bad_rows import Faults
from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Explanation
from heedful.show.heatmaps.page import page
from heedful.tasks.tag.explain import TagExplanation
from heedful.tasks.tag.model import Tagger
from heedful.tasks.tag.show.page import tags_page
from heedful.tasks.tag.show.terminal import looked_lines, plain_tags, tagged_text

One = TagExplanation | Explanation
MOST = 200  # texts on one page or screen


def main(args: argparse.Namespace, model: Tagger, faults: Faults) -> int:
    """Show the label of each word and where it looked; with --word, what the label of one word depends on."""
    if args.hop is not None or args.hops or args.flip:
        raise HeedfulError("a tagger has a hop for each word: --word N is about one; --hop, --hops and --flip are not")
    stream = _explanations(args, model, faults)
    done = 0
    if args.json:
        for one in stream:
            print_json(one.to_dict())
            done += 1
        check_some_left(done, faults)
    else:
        shown = list(itertools.islice(stream, MOST))
        check_some_left(len(shown), faults, needed=True)
        if next(stream, None) is not None:
            note(f"showing the first {MOST} texts; --json gives all")
        _show(args, shown)
    for line in faults.report:
        note(line)
    return 0


def _explanations(args: argparse.Namespace, model: Tagger, faults: Faults) -> Iterator[One]:
    for chunk in sources_of(model, args, faults):
        for _, source in chunk:
            found = model.explain([source], word=_word(args.word, model), methods=args.methods, label=args.label)
            yield cast("list[One]", found)[0]


def _word(given: str | None, model: Tagger) -> int | str | None:
    """Return the number of a word, or the name of a node."""
    if given is None or model.config.input == "graph":
        return given
    if not given.lstrip("-").isdecimal():
        raise HeedfulError(f"--word is {given!r}, expected the number of a word, counted from 1")
    return int(given)


def _show(args: argparse.Namespace, shown: list[One]) -> None:
    if args.html:
        made = page(cast("list[Explanation]", shown)) if args.word else tags_page(cast("list[TagExplanation]", shown))
        write_page(args.html, made)
    elif args.svg or args.png:
        write_picture(shown, svg=args.svg, png=args.png)
    else:
        for one in shown:
            _print(one)


def _print(one: One) -> None:
    if isinstance(one, Explanation):
        from heedful.cli.commands.explain import show

        show(one)
    elif out.is_terminal and not out.no_color:
        out.print(tagged_text(one))
        for line in looked_lines(one):
            out.print(line, markup=False, style="dim")
    else:
        out.print(plain_tags(one), markup=False)
    out.print()
