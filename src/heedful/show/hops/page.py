"""What each hop reads, as one HTML page: no script, nothing from another host, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from heedful.explain.hops.atlas import Hop, HopAtlas, HopLabel, HopWord, Shares, Sighting
from heedful.show.hops.map import likeness_map, odd, word_map
from heedful.show.hops.view import lift_shade, mark_of
from heedful.show.kit.html.document import document, escape
from heedful.show.kit.text.sanitise import one_line
from heedful.show.kit.text.truncate import shortened

MOST_LABELS = 12  # in the table of a hop
NAME = 30  # letters of a word, and of a label
FAINT = 0.08  # of the strongest: no shade to be seen
EVEN = 3.0  # a word is as dark as can be when it has this many times its even share, or the largest weight above that

MAP = (
    "Each row is a hop, each column a word that some hop reads strongly. The stronger the colour, the more of the "
    "hop's weight the word gets where it stands: ×1, its even share, is blank; equal steps of colour are equal factors."
)
ACCOUNT = (
    "×4 is a word that gets four times its even share of a hop's weight, mean over the times it was seen; rare words "
    "are drawn towards ×1. Weights say where a hop looks. They have no sign, and do not say what it does to the answer."
)


def hops_page(atlas: HopAtlas) -> str:
    """Return a whole page."""
    n = len(atlas.hops)
    title = (
        f"What {'the one hop' if n == 1 else f'the {n} hops'} of {one_line(atlas.model)} read{'s' if n == 1 else ''}"
    )
    largest = max((word.lift for hop in atlas.hops for word in hop.words), default=1.0)
    cards = "\n".join(_card(atlas, hop, largest) for hop in atlas.hops)
    return document(
        title,
        f'<div class="hops"><style>\n{_hops_style()}</style>\n<h1>{escape(title)}</h1>\n{_summary(atlas)}\n'
        f"{_index(atlas) if n > 1 else ''}\n{_maps(atlas)}\n{cards}\n</div>",
    )


@cache
def _hops_style() -> str:
    return (files("heedful.show.hops") / "style.css").read_text(encoding="utf-8")


def _summary(atlas: HopAtlas) -> str:
    where = f" of {escape(one_line(atlas.file))}" if atlas.file else ""
    notes = "".join(f"<li>{escape(note[0].upper() + note[1:])}.</li>" for note in atlas.notes if len(atlas.hops) > 1)
    said = escape(atlas.suggestion).replace(atlas.command, f"<code>{atlas.command}</code>")
    forgotten = f" {atlas.n_forgotten:,} rare words were let go to bound memory." if atlas.n_forgotten else ""
    return (
        f'<p class="soft">Read in {atlas.n_texts:,} texts{where}, {atlas.n_words:,} words.{forgotten}</p>'
        f'<div class="found"><p><strong>{said}</strong></p>'
        f"{f'<ul>{notes}</ul>' if notes else ''}</div>"
    )


def _index(atlas: HopAtlas) -> str:
    links = "".join(
        f'<li><a href="#hop-{hop.number}"{odd(mark_of(atlas, hop))}>{hop.number}</a></li>' for hop in atlas.hops
    )
    return f'<nav aria-label="hops"><span class="soft">Hops</span><ol>{links}</ol></nav>'


def _maps(atlas: HopAtlas) -> str:
    alike = (
        f"<details><summary>How alike the hops are</summary>{likeness_map(atlas)}"
        '<p class="soft">The cosine of two hops\' weights, mean over texts: 1 is the same.</p></details>'
        if len(atlas.hops) > 1
        else ""
    )
    return (
        f'<section class="card"><h2>Hops against words</h2><p class="soft">{escape(MAP)}</p>{word_map(atlas)}'
        f'<p class="soft">{escape(ACCOUNT)}</p>{alike}</section>'
    )


def _card(atlas: HopAtlas, hop: Hop, largest: float) -> str:
    mark = mark_of(atlas, hop)
    tag = f' <span class="tag">{escape(mark)}</span>' if mark else ""
    return (
        f'<section class="card" id="hop-{hop.number}"><h2>Hop {hop.number}{tag}</h2>'
        f"{_chips(hop.words, largest)}{_figures(hop, atlas.even)}{_places(hop)}{_labels(atlas, hop, largest)}</section>"
    )


def _chips(words: Sequence[HopWord], largest: float) -> str:
    if not words:
        return '<p class="soft">No word stands out.</p>'
    return f'<ul class="chips">{"".join(_chip(word, lift_shade(word.lift, largest)) for word in words)}</ul>'


def _chip(word: HopWord, shade: float) -> str:
    kind, known = ("", "") if word.is_known else (" unknown", ", unknown to the model")
    about = f"seen {word.count:,} times, mean weight {word.weight:.3f}{known}"
    return (
        f'<li class="chip{kind}" dir="auto" style="--w:{shade:.2f}" title="{about}">'
        f'{escape(shortened(word.word, NAME))} <small dir="ltr">×{word.lift:.1f}</small></li>'
    )


def _figures(hop: Hop, even: Shares) -> str:
    heads = ("entropy", "on words", "on punctuation", "on unknown words", "on the first word", "on the last")
    rows = (("this hop", hop.entropy, hop.shares), ("reading evenly", 1.0, even))
    body = "".join(
        f'<tr><th scope="row">{name}</th><td class="n">{"–" if entropy is None else f"{entropy:.2f}"}</td>'
        + "".join(f'<td class="n">{_percent(share)}</td>' for share in vars(shares).values())
        + "</tr>"
        for name, entropy, shares in rows
    )
    head = "".join(f'<th class="n" scope="col">{name}</th>' for name in heads)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="figures of hop {hop.number}">'
        f'<table class="figures"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _places(hop: Hop) -> str:
    """Return the best place of each word, the others folded away; all of them of a hop that reads no words."""
    shown = 0 if hop.is_dead else 1
    best = "".join(_row(word, word.places[:shown]) for word in hop.words if word.places[:shown])
    rest = "".join(_row(word, word.places[shown:]) for word in hop.words if word.places[shown:])
    name = "More places" if best else "Where it reads these words"
    return (f'<dl class="places">{best}</dl>' if best else "") + (
        f'<details><summary>{name}</summary><dl class="places">{rest}</dl></details>' if rest else ""
    )


def _row(word: HopWord, places: Sequence[Sighting]) -> str:
    shown = "".join(f'<dd dir="auto">{_place(place)}</dd>' for place in places)
    name = escape(shortened(word.word, NAME))
    return f'<div><dt><span dir="auto">{name}</span> <small>{word.count:,} times</small></dt>{shown}</div>'


def _place(place: Sighting) -> str:
    """Return the words around, each on a ground as strong as the hop's weight on it, and the word itself marked."""
    darkest = max(*place.weights, min(1.0, EVEN / place.n_words))
    parts = ["" if place.is_start else "… "]
    at = 0
    for i, ((start, end), weight) in enumerate(zip(place.spans, place.weights, strict=True)):
        parts.append(escape(place.text[at:start]))
        shown, shade = escape(shortened(place.text[start:end], 2 * NAME)), weight / darkest
        if i == place.at:
            parts.append(f'<mark style="--w:{shade:.2f}" title="weight {weight:.3f}">{shown}</mark>')
        elif shade < FAINT:
            parts.append(shown)
        else:
            parts.append(f'<span class="heat" style="--w:{shade:.2f}" title="weight {weight:.3f}">{shown}</span>')
        at = end
    parts.append(f'{"" if place.is_end else " …"} <small class="soft" dir="ltr">{place.weight:.2f}</small>')
    return "".join(parts)


def _labels(atlas: HopAtlas, hop: Hop, largest: float) -> str:
    if not hop.by_label:
        return ""
    rows = "".join(_label(found, largest) for found in hop.by_label[:MOST_LABELS])
    which = "label" if atlas.labels_are == "true" else "the model's answer"
    few = f", the {MOST_LABELS} most frequent of {len(hop.by_label)}" if len(hop.by_label) > MOST_LABELS else ""
    return (
        f"<details><summary>By {which}{few}</summary>"
        f'<div class="scroll" tabindex="0" role="region" aria-label="hop {hop.number} by label"><table class="labels">'
        '<thead><tr><th scope="col">label</th><th class="n" scope="col">texts</th>'
        '<th class="n" scope="col">entropy</th><th scope="col">strongest words</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _label(found: HopLabel, largest: float) -> str:
    entropy = "–" if found.entropy is None else f"{found.entropy:.2f}"
    name = escape(shortened(found.label, NAME))
    return (
        f'<tr><th scope="row" dir="auto">{name}</th><td class="n">{found.n_texts:,}</td>'
        f'<td class="n">{entropy}</td><td>{_chips(found.words, largest)}</td></tr>'
    )
