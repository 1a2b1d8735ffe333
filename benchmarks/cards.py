"""The cards of the shipped encoders, with metrics from `results/embedding.json`.

python -m benchmarks.cards          # write src/heedful/shipped/*/README.md
python -m benchmarks.cards --check  # exit 1 where a card says something else
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.result import read_result

SHIPPED = Path(__file__).parents[1] / "src" / "heedful" / "shipped"
WHAT = {
    "en-small": "Sentence vectors for English from a table of word pieces: each piece has a vector and, for each of 8 "
    "hops, a score; a text's vector is a linear map of the 8 weighted means. It knows no word order.",
    "en-base": "Sentence vectors for English from a BiLSTM (160 units each way) with each word piece's own vector kept "
    "beside its state, 8 hops of attention, and a linear map. It can be trained further: "
    "`heedful train --start en-base`.",
}


def card(name: str) -> str:
    """Return a card as Markdown."""
    found = read_result("embedding")
    rows: dict[str, Any] = found["rows"]
    facts = json.loads((SHIPPED / name / "facts.json").read_text(encoding="utf-8"))
    own, teacher = rows[name], rows["teacher"]
    lines = [
        f"# {name}",
        "",
        WHAT[name],
        f"{own['width']} numbers; the first 64, 128 or 256 are a good shorter vector. "
        f"{facts['data']['known_tokens']:,} word pieces, case ignored, at most 512 in a text. Apache-2.0.",
        "",
        "## Training data",
        "",
        f"The vectors of all-MiniLM-L6-v2 (Apache-2.0) for {facts['data']['train_texts']:,} sentences: English "
        "Wikipedia (CC BY-SA 3.0), Wikinews (CC BY 2.5), Tatoeba (CC BY 2.0 FR), chitchat-dataset (MIT), and about "
        f"{MADE[name]} questions, scenes, opinions and headlines from our own grammar (`recipes/en_sentences.py`). "
        "No text of the sets it is measured on, and none with a non-commercial licence. One seed, one training; "
        "checkpoints, losses and data were chosen while looking at STS-B dev.",
        "",
        "## Metrics",
        "",
        "| | this model | its teacher |",
        "|---|---|---|",
        *(f"| {title} | {_figure(own, key)} | {_figure(teacher, key)} |" for title, key in FIGURES),
        "",
        "STS-B cut to the first 64 / 128 / 256 numbers: "
        + " / ".join(f"{100 * own['stsb_cut'][width]:.1f}" for width in ("64", "128", "256"))
        + ".",
        "",
        "All from one run of `python -m benchmarks.embedding`; how it compares with others is in docs/results.md of "
        "the project.",
        "",
        "## Limitations",
        "",
        WEAK[name],
        "",
        "## Reproduce",
        "",
        "`sh recipes/make_encoders.sh CORPUS_FOLDER WORK_FOLDER` contains all commands.",
        "",
    ]
    return "\n".join(lines)


MADE = {"en-small": "230,000", "en-base": "310,000"}
FIGURES = [
    ("STS-B dev, Spearman", "stsb"),
    ("SICK-R test, Spearman", "sick"),
    ("linear probe, SST-2 dev", "sst2"),
    ("linear probe, TREC dev", "trec"),
    ("linear probe, SUBJ", "subj"),
    ("linear probe, MR", "mr"),
    ("linear probe, AG News dev", "ag_news"),
]
WEAK = {
    "en-small": "Word order: *dog bites man* and *man bites dog* have the same vector. The type of a question, "
    "negation, and long texts of several thoughts suffer from that. Languages other than English.",
    "en-base": "Long texts of several thoughts; sarcasm; names it has never seen; languages other than English. "
    "Similarity is about topic first: a sentence and its negation are still near each other.",
}


def _figure(row: dict[str, Any], key: str) -> str:
    value = row["probes"][key] if key in row["probes"] else row[key]
    return f"{100 * value:.1f}"


def main() -> None:
    """Write the cards, or check them."""
    for folder in sorted(path for path in SHIPPED.iterdir() if path.is_dir() and path.name in WHAT):
        path, text = folder / "README.md", card(folder.name)
        if "--check" in sys.argv and path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what the results say; run: python -m benchmarks.cards")
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
