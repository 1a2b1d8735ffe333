"""Whether heatmaps may be believed, as one HTML page: the verdict, then each check and what came out."""

from __future__ import annotations

import shlex
from functools import cache
from importlib.resources import files

from heedful.explain.audit.audit import SHARES, Audit
from heedful.metrics.bootstrap import DRAWS
from heedful.show.audit.checks import FEW, HARDLY, LITTLE, MANY, STEADY, UNSTEADY, Check, advice, checks, left_out
from heedful.show.audit.plots import PLOTS
from heedful.show.audit.wording import HEADLINES, SPOKEN, TITLE, Speaks, about, texts
from heedful.show.kit.html.document import document, escape, style
from heedful.show.kit.text.sanitise import one_line


def audit_page(audit: Audit) -> str:
    """Return a whole page."""
    return document(f"{TITLE} {one_line(audit.model)}", _account(audit, _audit_style()))


def audit_fragment(audit: Audit) -> str:
    """Return the account without a page around it, with its own style: for a notebook, or inside another page."""
    return _account(audit, style() + _audit_style())


@cache
def _audit_style() -> str:
    return (files("heedful.show.audit") / "style.css").read_text(encoding="utf-8")


def _account(audit: Audit, css: str) -> str:
    made = checks(audit)
    return (
        f'<div class="hf audit"><style>\n{css}</style>\n<h1>{TITLE}</h1><p class="soft">{_said(about(audit))}</p>\n'
        f"{_verdict(audit)}\n{_glance(made)}\n<h2>What was tested</h2>\n"
        + "\n".join(_section(check, audit) for check in made)
        + f"\n{_left_out(audit)}\n{_how(audit)}</div>"
    )


def _said(words: str) -> str:
    """Return words in which no line breaks before a % sign."""
    return escape(words.replace(" %", "\u00a0%"))


def _verdict(audit: Audit) -> str:
    kind = "doubt" if audit.verdict.is_warning else "calm"
    mark = "!" if audit.verdict.is_warning else "✓"
    said = "".join(f"<p>{escape(line)}</p>" for line in advice(audit))
    return (
        f'<section class="big {kind}"><h2><span class="sign" aria-hidden="true">{mark}</span> '
        f'{HEADLINES[audit.verdict.level]}</h2><p class="words">{escape(audit.verdict.words)}</p>{said}</section>'
    )


def _glance(made: list[Check]) -> str:
    rows = "".join(
        f"<li>{_mark(check.speaks)}<div><strong>{escape(check.name)}</strong> {_said(check.found)} "
        f'<span class="soft">({SPOKEN[check.speaks][1]})</span></div></li>'
        for check in made
    )
    return f'<h2>At a glance</h2><ul class="glance">{rows}</ul>'


def _mark(speaks: Speaks) -> str:
    return f'<span class="sign {speaks}" aria-hidden="true">{SPOKEN[speaks][0]}</span>'


def _section(check: Check, audit: Audit) -> str:
    return (
        f'<section class="card"><h3>{escape(check.name)}</h3><p>{escape(check.asks)}</p>'
        f'<p class="found">{_mark(check.speaks)}<span>{_said(check.found)}</span></p>'
        f'<div class="charts">{PLOTS[check.key](audit)}</div>'
        f'<p class="soft"><b>How to read it.</b> {_said(check.reading)}</p></section>'
    )


def _left_out(audit: Audit) -> str:
    rows = "".join(f"<dt>{escape(check)}</dt><dd>{escape(why)}</dd>" for check, why in left_out(audit))
    return f'<h2>What was left out</h2><dl class="notes">{rows}</dl>' if rows else ""


def _how(audit: Audit) -> str:
    shares = ", ".join(f"{share * 100:g}" for share in SHARES)
    flags = (" --deep" if audit.deep else "") + (f" --seed {audit.seed}" if audit.seed else "")
    command = f"heedful audit {shlex.quote(one_line(audit.model))} {shlex.quote(one_line(audit.file))}{flags}"
    notes = {
        "Texts": f"{texts(audit.n_texts)} of {one_line(audit.file)}. The label asked about is the one the model gave.",
        "Comprehensiveness": f"p(text) − p(text without the top words), mean over {shares} % of the words (ERASER).",
        "Sufficiency": "p(text) − p(the top words alone), mean over the same shares.",
        "Beyond chance": "The difference, text by text, from as many words picked at random.",
        "Intervals": f"95 %, by bootstrap over the texts ({DRAWS:,} draws).",
        "Shuffling": "Total variation between the probabilities with the weights as they are and shuffled.",
        "Agreement": "Kendall τ between the orders in which two methods put the words of a text, mean over texts.",
        "Hops": "Entropy of the weights, divided by the largest it can be; cosine between the weights of two hops.",
        "✓ ✗ ?": "For or against: the whole interval on one side of the limit "
        f"(chance 0; shuffling {HARDLY}; seeds above {STEADY} or below {UNSTEADY}). "
        f"Equal weights: more than {LITTLE} worse, or not. "
        f"Other weights: for fewer than {FEW * 100:.0f} % of the texts, or for {MANY * 100:.0f} % and more.",
        "Seed": str(audit.seed),
    }
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(note)}</dd>" for name, note in notes.items())
    return (
        f'<h2>How it was done</h2><dl class="notes">{rows}<dt>To repeat it</dt>'
        f"<dd><code>{escape(command)}</code></dd></dl>"
    )
