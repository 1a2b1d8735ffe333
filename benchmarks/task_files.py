"""Files of the task sets, in the form and with the splits that `benchmarks.tasks` needs, in a folder of their own."""

from __future__ import annotations

import csv
import random
import tarfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.datasets import CARVE
from benchmarks.result import DATA
from heedful.data.files.lines import read_lines


class Files(NamedTuple):
    """What a run learns from, chooses by, and is measured on."""

    train: Path
    valid: Path | None
    test: Path


Make = Callable[[Path, int], Files]  # a folder to write to, and the seed of a split
WORDS_OF_A_SENTENCE = range(3, 46)  # where sentences come from a corpus


def as_they_are(name: str, *, test: str = "test") -> Make:
    """Return the published splits."""

    def make(_: Path, __: int) -> Files:
        return Files(*(_found(name, split) for split in ("train", "dev", test)))

    return make


def with_dev(name: str) -> Make:
    """Return a tagged set whose dev texts are learned from too; the epoch is chosen on a part of both."""

    def make(folder: Path, _: int) -> Files:
        both = folder / "train_and_dev.tsv"
        texts = ["".join(text for _, text in read_lines(_found(name, split))) for split in ("train", "dev")]
        both.write_text(texts[0].rstrip("\n") + "\n\n" + texts[1].split("\n", 1)[1].lstrip("\n"), encoding="utf-8")
        return Files(both, None, _found(name, "test"))

    return make


def labelled_by_teacher(name: str, folder: Path, *, dev: bool = False, keep: int = 6_000) -> Make:
    """Return sentences of the corpora that a teacher has labelled, which learned the training texts (and dev) itself.

    They are made once and kept in a folder; `keep` sentences of each corpus.
    """

    def make(home: Path, seed: int) -> Files:
        from benchmarks.tag_teacher import read_tagged, sampled_sentences, tuned_teacher, write_labelled

        files = (with_dev if dev else as_they_are)(name)(home, seed)
        labelled = folder / f"{name}{'_with_dev' if dev else ''}_labelled.tsv"
        if not labelled.exists():
            folder.mkdir(exist_ok=True)
            teacher = tuned_teacher(read_tagged(files.train))
            texts = [tokens for tokens in sampled_sentences(keep) if len(tokens) in WORDS_OF_A_SENTENCE]
            write_labelled(labelled, teacher, texts)
        return files._replace(train=labelled)

    return make


def on_dev(name: str) -> Make:
    """Return a set whose test split is not to be had: measured on dev, the epoch chosen on a part of train."""

    def make(_: Path, __: int) -> Files:
        return Files(_found(name, "train"), None, _found(name, "dev"))

    return make


def random_split(name: str) -> Make:
    """Return a random 80/10/10 split that goes by the seed, as MoleculeNet has it."""

    def make(folder: Path, seed: int) -> Files:
        header, rows = _rows(_found(name, "all"))
        random.Random(CARVE + seed).shuffle(rows)
        a, b = round(0.8 * len(rows)), round(0.9 * len(rows))
        return _written(folder, header, (rows[:a], rows[a:b], rows[b:]))

    return make


def scaffold_split(name: str) -> Make:
    """Return the split by scaffolds: the same for every seed."""

    def make(folder: Path, _: int) -> Files:
        from heedful.inputs.molecule.scaffold import scaffold_split as split

        header, rows = _rows(_found(name, "all"))
        readable = [row for row in rows if _is_molecule(row[header.index("smiles")])]
        parts = split([row[header.index("smiles")] for row in readable])
        return _written(folder, header, [[readable[i] for i in part] for part in parts])

    return make


def spoken_digits(folder: Path, _: int) -> Files:
    """Unpack the recordings; of the training ones, index 5 to 9 are for choosing the epoch."""
    with tarfile.open(DATA / "fsdd/recordings.tar.gz") as tar:
        tar.extractall(folder, filter="data")
    files = []
    for split, kept in (("train", lambda i: i >= 10), ("train", lambda i: 5 <= i < 10), ("test", lambda _: True)):
        header, rows = _rows(_found("fsdd", split))
        at = {name: header.index(name) for name in ("path_in_tar", "digit", "index")}
        chosen = [[row[at["path_in_tar"]], row[at["digit"]]] for row in rows if kept(int(row[at["index"]]))]
        files.append(chosen)
    return _written(folder, ["path", "digit"], files)


def citations(_: Path, __: int) -> Files:
    """One file of nodes, in which a column says which are for learning, choosing and measuring."""
    nodes = _found("cora", "nodes")
    return Files(nodes, None, nodes)


def shortened(name: str, *, words: int, keep: int | None = None) -> Make:
    """Return the published splits with each text cut, and only so many training texts."""

    def make(folder: Path, seed: int) -> Files:
        parts = []
        for split in ("train", "dev", "test"):
            header, rows = _rows(_found(name, split))
            at = header.index("text")
            parts.append([[*row[:at], " ".join(row[at].split()[:words]), *row[at + 1 :]] for row in rows])
        if keep is not None:
            parts[0] = random.Random(CARVE + seed).sample(parts[0], keep)
        return _written(folder, header, parts)

    return make


def _found(name: str, split: str) -> Path:
    plain = DATA / name / f"{split}.tsv"
    return plain if plain.exists() else plain.with_suffix(".tsv.gz")


def _is_molecule(smiles: str) -> bool:
    from heedful.errors import HeedfulError
    from heedful.inputs.molecule.featuriser import read_smiles

    try:
        read_smiles(smiles)
    except HeedfulError:
        return False
    return True


def _rows(path: Path) -> tuple[list[str], list[list[str]]]:
    lines = [text.rstrip("\r\n").split("\t") for _, text in read_lines(path)]
    return lines[0], lines[1:]


def _written(folder: Path, header: Sequence[str], parts: Iterable[Sequence[Sequence[str]]]) -> Files:
    paths = [folder / f"{name}.csv" for name in ("train", "valid", "test")]
    for path, rows in zip(paths, parts, strict=True):
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *rows])
    return Files(*paths)
