"""From the measurements of an audit to a verdict in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.explain.audit.audit import ATTENTION, CONTRIBUTIONS, RANDOM, Faithfulness
from heedful.inputs import INPUTS
from heedful.metrics.bootstrap import Interval
from heedful.store.verdict import Level, Verdict

WIDE = 0.05  # of probability: an interval that holds 0 and reaches beyond this says too little
SLIGHT = 0.02  # of probability: better than chance by less than this is not worth much
LITTLE_NEEDED = 0.06  # of probability: an answer that falls by less hardly needs the words that attention finds
LITTLE_MOVED = 0.02  # total variation: an answer that moves less does not depend on where attention looks
FLAT_TEXTS = 0.5  # share of texts whose words all have the same weight, above which there is nothing to judge

GOOD, POOR = 0.75, 0.2  # share of what leave-one-out finds

_SHARE = "these contributions find {share} of what removing each word finds"
SUM_WORDS: Mapping[Level, str] = {
    "better": "These contributions find {share} of what removing each word finds",
    "barely": f"Take the contributions as a hint: {_SHARE}",
    "unclear": f"Not known: {_SHARE}, and the interval is wide,",
    "no better": f"Do not rely on the contributions: {_SHARE}",
    "worse": f"Do not believe the contributions: {_SHARE}, less than random words,",
}
IDLE_SUM = "This model's answers hardly depend on any single word: removing words changes nothing"

_FOUND = "they find the words that this model uses"
WORDS: Mapping[Level, str] = {
    "better": "Attention finds the words that this model uses better than chance",
    "barely": f"Take the weights as a hint: {_FOUND} hardly better than chance",
    "unclear": f"Not known: whether {_FOUND} better than chance cannot be told from",
    "no better": f"Do not rely on the weights: {_FOUND} no better than chance",
    "worse": f"Do not believe the weights: {_FOUND} less well than chance",
}
IDLE = "This model's answers hardly depend on any single word: there is nothing that its weights could show"
FLAT = "This model gives every word the same weight: its heatmap says nothing about what the answer depends on."
UNMOVED = " The answer hardly changes when the weights are shuffled: other weights could give it too."
HARDLY_NEEDED = " Without the words that they find the answer stays nearly as probable."


def judge(
    methods: Mapping[str, Faithfulness],
    *,
    tested_on: str,
    share_flat: float,
    permutation: float | None,
    recovered: Mapping[str, Interval] | None = None,
    kind: str = "text",
) -> Verdict:
    """Judge the numbers that heatmaps show: contributions, or attention if the model has none.

    `tested_on` names the texts, `kind` is the kind of input. `recovered` has the share of each method in what
    leave-one-out finds beyond random words.
    """
    rename = INPUTS[kind].wording.rename
    if CONTRIBUTIONS in methods:
        return judge_contributions(methods, recovered or {}, tested_on=tested_on, rename=rename)
    measured = rename(_metrics(methods))
    if share_flat > FLAT_TEXTS:
        return Verdict("no better", rename(FLAT))
    if LEAVE_ONE_OUT in methods and methods[LEAVE_ONE_OUT].comprehensiveness.mean < SLIGHT:
        return Verdict("no better", f"{rename(IDLE)}. Tested on {tested_on} {measured}.")
    level, more = level_of(methods[ATTENTION]), ""
    if level == "better" and permutation is not None and permutation < LITTLE_MOVED:
        level, more = "barely", UNMOVED
    elif level == "better" and methods[ATTENTION].comprehensiveness.mean < LITTLE_NEEDED:
        level, more = "barely", rename(HARDLY_NEEDED)
    elif level == "unclear":
        more = rename(" More texts would tell.")
    between = " " if level == "unclear" else " on "
    return Verdict(level, f"{rename(WORDS[level])}{between}{tested_on} {measured}.{more}")


def judge_contributions(
    methods: Mapping[str, Faithfulness],
    recovered: Mapping[str, Interval],
    *,
    tested_on: str,
    rename: Callable[[str], str],
) -> Verdict:
    """Judge contributions by their share in what leave-one-out finds beyond random words."""
    needed = {name: _short(result.comprehensiveness.mean) for name, result in methods.items()}
    beyond = methods[LEAVE_ONE_OUT].needed_beyond_chance.mean
    if methods[LEAVE_ONE_OUT].comprehensiveness.mean < SLIGHT or beyond < SLIGHT:
        return Verdict("no better", rename(f"{IDLE_SUM}, on {tested_on}."))
    share = recovered[CONTRIBUTIONS]
    level = contribution_level(share, methods[CONTRIBUTIONS])
    measured = f"{needed[CONTRIBUTIONS]} against {needed[LEAVE_ONE_OUT]}; random words {needed[RANDOM]}"
    attention = f" Attention finds {_percent(recovered[ATTENTION].mean)}." if ATTENTION in recovered else ""
    more = " More texts would tell." if level == "unclear" else ""
    words = SUM_WORDS[level].format(share=_percent(share.mean))
    return Verdict(level, rename(f"{words} on {tested_on} ({measured}).{attention}{more}"))


def contribution_level(share: Interval, contributions: Faithfulness) -> Level:
    """Judge by the 95 % interval of the recovered share."""
    if contributions.needed_beyond_chance.high < 0:
        return "worse"
    if share.low >= GOOD:
        return "better"
    if share.high < POOR:
        return "no better"
    return "unclear" if share.low < POOR and share.high >= GOOD else "barely"


def _percent(share: float) -> str:
    return f"{max(0.0, 100 * share):.0f} %"


def level_of(attention: Faithfulness) -> Level:
    """Judge by the 95 % intervals of the difference from random words.

    What counts first is whether the answer needs the words; that they are enough may not be denied by the other test.
    """
    needed, enough = attention.needed_beyond_chance, attention.enough_beyond_chance
    if needed.high < 0:
        return "worse"
    if needed.low <= 0:
        return "unclear" if needed.high >= WIDE else "no better"
    return "barely" if needed.mean < SLIGHT or enough.high < 0 else "better"


def _metrics(methods: Mapping[str, Faithfulness]) -> str:
    needed = {name: _short(result.comprehensiveness.mean) for name, result in methods.items()}
    enough = {name: _short(result.sufficiency.mean) for name, result in methods.items()}
    best = f", {needed[LEAVE_ONE_OUT]} for leave-one-out" if LEAVE_ONE_OUT in methods else ""
    return (
        f"(comprehensiveness {needed[ATTENTION]} against {needed[RANDOM]} for random words{best}; "
        f"sufficiency {enough[ATTENTION]} against {enough[RANDOM]})"
    )


def _short(value: float) -> str:
    """Return two digits, with a true minus sign."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")
