"""The plots of an audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.explain.audit.audit import ATTENTION, RANDOM, SHARES, Audit, Faithfulness
from heedful.explain.audit.checks import FARTHEST, CheckName
from heedful.metrics.bootstrap import Interval
from heedful.show.audit.wording import KINDS, OTHER, method_name, ordered, pair_name
from heedful.show.kit.svg.charts import Line, Row, bars, columns, lines, matrix
from heedful.show.kit.text.sanitise import one_line


def _rows(audit: Audit, value: Callable[[Faithfulness], Interval], *, random: bool = True) -> list[Row]:
    methods = [(name, f) for name, f in ordered(audit) if random or name != RANDOM]
    return [Row(method_name(name), value(f), KINDS.get(name, OTHER)) for name, f in methods]


def _over_shares(audit: Audit, title: str, values: Callable[[Faithfulness], tuple[float, ...]]) -> str:
    series = [Line(method_name(name), values(f), KINDS.get(name, OTHER)) for name, f in ordered(audit)]
    return lines(title, series, [share * 100 for share in SHARES], below="% of the words")


def _plot_needed(audit: Audit) -> str:
    return bars("Comprehensiveness: more is better", _rows(audit, lambda f: f.comprehensiveness)) + _over_shares(
        audit, "Fall in probability without the top words", lambda f: f.without_top
    )


def _plot_enough(audit: Audit) -> str:
    return bars("Sufficiency: less is better", _rows(audit, lambda f: f.sufficiency)) + _over_shares(
        audit, "Fall in probability with the top words alone", lambda f: f.only_top
    )


def _plot_chance(audit: Audit) -> str:
    needed = _rows(audit, lambda f: f.needed_beyond_chance, random=False)
    enough = _rows(audit, lambda f: f.enough_beyond_chance, random=False)
    return bars("Needed beyond chance", needed, dots=True) + bars("Enough beyond chance", enough, dots=True)


def _plot_reach(audit: Audit) -> str:
    rows = _rows(audit, lambda method: method.needed_beyond_chance, random=False)
    return bars(
        "Needed beyond chance",
        [row for row in rows if row.name in map(method_name, (audit.subject, ATTENTION, LEAVE_ONE_OUT))],
    )


def _plot_permutation(audit: Audit) -> str:
    assert audit.permutation
    return bars("Probability moved by shuffled weights", [Row("attention", audit.permutation)], high=1)


def _plot_agreement(audit: Audit) -> str:
    rows = [Row(pair_name(pair), tau, 0 if audit.subject in pair else OTHER) for pair, tau in audit.agreement.items()]
    return bars("Kendall τ", rows, low=-1, high=1, dots=True)


def _plot_hops(audit: Audit) -> str:
    entropy = columns("Entropy of each hop", audit.hops.entropy, below="hop")
    return entropy + (matrix("Overlap of hops", audit.hops.overlap, of="hop") if len(audit.hops.entropy) > 1 else "")


def _plot_uniform(audit: Audit) -> str:
    result = audit.deep["uniform"]
    rows = [Row("learned weights", _point(result["learned"])), Row("equal weights", _point(result["uniform"]), 4)]
    return bars(f"{one_line(str(result['figure'])).capitalize()} of the model", rows, high=1)


def _plot_seeds(audit: Audit) -> str:
    result = audit.deep["seeds"]
    rows = [Row(f"model {i + 1}", _point(x)) for i, x in enumerate(result.get("accuracy", ()))]
    tau = bars("Kendall τ", [Row("between seeds", Interval(**result["agreement"]))], low=-1, high=1, dots=True)
    return tau + (bars("Accuracy of each model", rows, high=1) if rows else "")


def _plot_adversarial(audit: Audit) -> str:
    distance = Row("the farthest weights found", Interval(**audit.deep["adversarial"]["distance"]), 1)
    return bars("Jensen–Shannon distance", [distance], high=FARTHEST)


def _point(value: float) -> Interval:
    return Interval(value, value, value)


PLOTS: Mapping[CheckName, Callable[[Audit], str]] = {
    "needed": _plot_needed,
    "enough": _plot_enough,
    "chance": _plot_chance,
    "reach": _plot_reach,
    "permutation": _plot_permutation,
    "agreement": _plot_agreement,
    "hops": _plot_hops,
    "uniform": _plot_uniform,
    "seeds": _plot_seeds,
    "adversarial": _plot_adversarial,
}
