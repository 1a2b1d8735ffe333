"""What is drawn of an audit, as plain values: the verdict, each check, and the numbers of each method."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from heedful.explain.audit import checks as rules
from heedful.explain.audit.audit import SHARES, Audit
from heedful.explain.audit.checks import CheckName, Speaks
from heedful.metrics.bootstrap import DRAWS
from heedful.show.audit.findings import words_of
from heedful.show.audit.wording import SPOKEN, about, advice, headline, method_name, texts
from heedful.show.kit.text.numbers import short
from heedful.show.kit.text.sanitise import one_line


@dataclass(frozen=True)
class CheckView:
    """One thing that was tested: the same words in a terminal and on a page."""

    key: CheckName
    name: str
    question: str
    finding: str
    speaks: Speaks
    mark: str
    meaning: str  # of the mark
    reading: str  # how to read the plots


@dataclass(frozen=True)
class AuditView:
    """Everything to see of an audit."""

    audit: Audit
    mark: str
    headline: str
    verdict: str
    is_warning: bool
    advice: tuple[str, ...]  # what to do about the verdict
    about: str  # what was tested on what
    checks: tuple[CheckView, ...]
    left_out: tuple[tuple[str, str], ...]  # check, and why it was not made
    notes: tuple[tuple[str, str], ...]  # how each number was made
    command: str  # that repeats it


def view(audit: Audit) -> AuditView:
    """Return what is to see of an audit."""
    made = tuple(_check(audit, check) for check in rules.checks(audit))
    return AuditView(
        audit=audit,
        mark="!" if audit.verdict.is_warning else "✓",
        headline=headline(audit),
        verdict=audit.verdict.words,
        is_warning=audit.verdict.is_warning,
        advice=tuple(_advice(audit, made)),
        about=about(audit),
        checks=made,
        left_out=tuple(_left_out(audit)),
        notes=tuple(_notes(audit).items()),
        command=_command(audit),
    )


def _check(audit: Audit, check: rules.Check) -> CheckView:
    words, (mark, meaning) = words_of(audit, check), SPOKEN[check.speaks]
    return CheckView(check.name, words.name, words.question, words.finding, check.speaks, mark, meaning, words.reading)


def _advice(audit: Audit, made: tuple[CheckView, ...]) -> list[str]:
    against = [check.name for check in made if check.speaks == "against"]
    sentences = [advice(audit)]
    if against and not audit.verdict.is_warning:
        sentences.append(f"First read what speaks against them: {' '.join(against)}")
    if better := rules.better_method(audit):
        shown, other = (short(audit.methods[name].comprehensiveness.mean) for name in (audit.subject, better))
        instead = "Show that instead." if audit.verdict.is_warning else "Show that beside them."
        sentences.append(
            f"On these texts {method_name(better)} finds the words that the answer depends on better than "
            f"{audit.subject} (comprehensiveness {other} against {shown}). {instead}"
        )
    return sentences


def _left_out(audit: Audit) -> list[tuple[str, str]]:
    reasons = [(method_name(check), one_line(reason)) for check, reason in audit.left_out.items()]
    if not audit.deep and not set(rules.DEEP) & set(audit.left_out):
        reasons.append(("deep checks", "not run: equal weights, other seeds, adversarial weights"))
    return reasons


def _notes(audit: Audit) -> dict[str, str]:
    shares = ", ".join(f"{share * 100:g}" for share in SHARES)
    return {
        "Texts": f"{texts(audit.n_texts)} of {one_line(audit.file)}. The label asked about is the one the model gave.",
        "Comprehensiveness": f"p(text) − p(text without the top words), mean over {shares} % of the words (ERASER).",
        "Sufficiency": "p(text) − p(the top words alone), mean over the same shares.",
        "Beyond chance": "The difference, text by text, from as many words picked at random.",
        "Intervals": f"95 %, by bootstrap over the texts ({DRAWS:,} draws).",
        "Shuffling": "Total variation between the probabilities with the weights as they are and shuffled.",
        "Agreement": "Kendall τ between the orders in which two methods put the words of a text, mean over texts.",
        "Hops": "Entropy of the weights, divided by the largest it can be; cosine between the weights of two hops.",
        "✓ ✗ ?": "For or against: the whole interval on one side of the limit "
        f"(chance 0; shuffling {rules.HARDLY}; seeds above {rules.STEADY} or below {rules.UNSTEADY}). "
        f"Equal weights: more than {rules.LITTLE} worse, or not. "
        f"Other weights: for fewer than {rules.FEW * 100:.0f} % of the texts, "
        f"or for {rules.MANY * 100:.0f} % and more.",
        "Seed": str(audit.seed),
    }


def _command(audit: Audit) -> str:
    flags = (" --deep" if audit.deep else "") + (f" --seed {audit.seed}" if audit.seed else "")
    return f"heedful audit {shlex.quote(one_line(audit.model))} {shlex.quote(one_line(audit.file))}{flags}"
