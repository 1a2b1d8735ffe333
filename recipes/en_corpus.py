"""The text that en-small and en-base were taught on: one sentence a line.

    python recipes/en_corpus.py CORPUS_FOLDER OUT.txt [--more] [--without FILE …]

CORPUS_FOLDER holds wikipedia, wikinews, tatoeba_en and chitchat (`.txt.gz`, one sentence a line), whose licences allow
it: CC BY-SA 3.0, CC BY 2.5, CC BY 2.0 FR and MIT. All of Tatoeba and of the shorter chitchat, the shorter sentences of
the other two and some of their longer ones; and sentences from the grammar of `en_sentences.py`, written here, for what
those lack: questions, scenes, opinions, headlines. `--more` adds longer news and Wikipedia sentences, more headlines
and scenes: what the last epochs were taught on as well. `--without` names files whose cells (split at tabs) must not
occur, such as the test sets of a benchmark.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import en_sentences

SHORT = {"wikinews": 20, "wikipedia": 16}  # words: all sentences up to these
LONGER = {"wikinews": 12_000, "wikipedia": 24_000}  # sentences beyond these
LONGEST_CHITCHAT = 30


def lines(path: Path) -> list[str]:
    """Return the lines of a file, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def real_sentences(folder: Path) -> list[str]:
    """Return the sentences that people wrote, shuffled."""
    rng = random.Random(0)
    found = lines(folder / "tatoeba_en.txt.gz")
    found += [s for s in lines(folder / "chitchat.txt.gz") if len(s.split()) <= LONGEST_CHITCHAT]
    for name, short in SHORT.items():
        sentences = lines(folder / f"{name}.txt.gz")
        found += [s for s in sentences if len(s.split()) <= short]
        found += rng.sample([s for s in sentences if len(s.split()) > short], LONGER[name])
    rng.shuffle(found)
    return found


def more_sentences(folder: Path, known: set[str]) -> list[str]:
    """Return what `--more` adds."""
    rng = random.Random(1)
    news = _between(lines(folder / "wikinews.txt.gz"), 21, 30, known)
    found = rng.sample(news, min(40_000, len(news)))
    found += rng.sample(_between(lines(folder / "wikipedia.txt.gz"), 17, 24, known), 25_000)
    found += en_sentences.headlines(random.Random(11), 40_000)
    found += en_sentences.scenes(random.Random(12), 40_000)
    return found


def _between(sentences: Sequence[str], fewest: int, most: int, known: set[str]) -> list[str]:
    return [s for s in sentences if fewest <= len(s.split()) <= most and s not in known]


def plain(text: str) -> str:
    """Return letters and digits only, so that other spacing or punctuation hides no copy."""
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def cells(files: Sequence[Path]) -> Iterator[str]:
    """Yield every cell of tab-separated files."""
    for path in files:
        for line in lines(path):
            yield from line.split("\t")


def main() -> None:
    """Write the corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--more", action="store_true")
    parser.add_argument("--without", type=Path, nargs="*", default=[])
    args = parser.parse_args()
    barred = {plain(cell) for cell in cells(args.without)}
    made = en_sentences.all_sentences(lines(args.folder / "wikipedia.txt.gz"))
    kept = [s for s in dict.fromkeys([*real_sentences(args.folder), *made]) if plain(s) not in barred]
    if args.more:
        more = more_sentences(args.folder, set(kept))
        kept = [s for s in dict.fromkeys([*kept, *more]) if plain(s) not in barred]
    args.out.write_text("\n".join(kept) + "\n", encoding="utf-8")
    print(f"{len(kept):,} sentences")


if __name__ == "__main__":
    main()
