from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.explain.audit.audit import SHARES, Audit, Faithfulness, HopFigures
from heedful.metrics.bootstrap import Interval
from heedful.show.audit.page import audit_fragment, audit_page
from heedful.show.audit.plots import PLOTS
from heedful.show.audit.view import view
from heedful.show.audit.wording import HEADLINES, SUM_HEADLINES
from heedful.store.verdict import LEVELS, NOT_AUDITED, Verdict

EVIL = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> \"double\" 'single' &amp; javascript:alert(1) "
    "</span></style><style>@import 'http://evil.example/x.css'</style> https://evil.example \x00<scr\x00ipt> \x1b[31m "
    '" onfocus="alert(1)" title=\' <!-- --> ]]> \ud83d \u202e'
)
OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "b", "span", "section", "div", "strong",
    "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "dl", "dt", "dd", "code", "figure", "figcaption",
    "details", "summary", "svg", "desc", "rect", "path", "text",
}  # fmt: skip
NOT_MEASURED = Interval(float("nan"), float("nan"), float("nan"))
DEEP = {
    "uniform": {"figure": "accuracy", "learned": 0.86, "uniform": 0.85, "difference": 0.86 - 0.85},
    "seeds": {"n": 2, "agreement": {"mean": 0.5, "low": 0.45, "high": 0.55}, "accuracy": [0.85, 0.86]},
    "adversarial": {"distance": {"mean": 0.41, "low": 0.38, "high": 0.44}, "output_change": 0.009, "found": 0.8},
}
BETTER = Verdict("better", "On your data, attention finds the words this model uses better than chance.")
NO_BETTER = Verdict("no better", "On your data, attention finds the words this model uses no better than chance.")


def around(mean: float, width: float = 0.03) -> Interval:
    return Interval(mean, mean - width, mean + width)


def faithfulness(needed: float, enough: float) -> Faithfulness:
    return Faithfulness(
        around(needed),
        around(enough),
        around(needed - 0.12),
        around(0.38 - enough),
        tuple(needed * x for x in (0.2, 0.5, 1.0, 1.5, 1.8)),
        tuple(enough * x for x in (1.7, 1.3, 1.0, 0.7, 0.3)),
    )


def hops(n: int) -> HopFigures:
    rng = np.random.default_rng(n)
    weights = rng.dirichlet(np.full(20, 0.6), n)
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    return HopFigures(tuple(rng.uniform(0.3, 0.9, n).tolist()), tuple(map(tuple, (weights @ weights.T).tolist())))


def made_by_hand(needed: float = 0.41, enough: float = 0.09, *, n_hops: int = 4) -> Audit:
    methods = {
        "random": faithfulness(0.12, 0.38),
        "attention": faithfulness(needed, enough),
        "gradient": faithfulness(0.38, 0.12),
        "leave-one-out": faithfulness(0.52, 0.02),
    }
    agreement = {"attention, leave-one-out": around(0.34), "attention, gradient": around(-0.21)}
    verdict = BETTER if needed > 0.15 else NO_BETTER
    return Audit(verdict, "reviews", "test.tsv", 1500, 0.862, methods, agreement, hops(n_hops), around(0.18))


def mean_pooling() -> Audit:
    agreement = {"attention, leave-one-out": NOT_MEASURED, "leave-one-out, gradient": around(0.4)}
    one = HopFigures((1.0,), ((1.0,),))
    return replace(made_by_hand(0.12, 0.38), agreement=agreement, hops=one, permutation=Interval(0, 0, 0))


def without_torch() -> Audit:
    audit = made_by_hand()
    methods = {name: f for name, f in audit.methods.items() if name != "gradient"}
    why = {"permutation": "needs torch", "gradient": 'Run: pip install "heedful[train]"'}
    return replace(audit, methods=methods, permutation=None, accuracy=None, left_out=why)


def of_contributions(needed: float = 0.51, enough: float = 0.03) -> Audit:
    audit = made_by_hand()
    level = Verdict("better" if needed > 0.4 else "no better", "These contributions find some of it.")
    return replace(
        audit,
        verdict=level,
        methods={**audit.methods, "contributions": faithfulness(needed, enough)},
        agreement={**audit.agreement, "contributions, leave-one-out": around(0.87)},
        subject="contributions",
        recovered={"contributions": around((needed - 0.12) / 0.4), "attention": around(0.29 / 0.4)},
    )


KINDS = {
    "better": made_by_hand(),
    "contributions": of_contributions(),
    "contributions that fail": of_contributions(0.12, 0.38),
    "no better": made_by_hand(0.12, 0.38),
    "worse": made_by_hand(0.05, 0.5),
    "mean pooling": mean_pooling(),
    "30 hops": made_by_hand(n_hops=30),
    "without torch": without_torch(),
    "deep": replace(made_by_hand(), deep=DEEP),
    "nothing measured": Audit(NOT_AUDITED, "m", "f", 0, None, {}, {}, HopFigures((), ()), None),
}


def words(audit: Audit) -> str:
    return " ".join(" ".join(Reader(audit_page(audit)).parts).split())


def found(audit: Audit) -> dict[str, str]:
    return {check.key: check.finding for check in view(audit).checks}


def speaks(audit: Audit) -> dict[str, str]:
    return {check.key: check.speaks for check in view(audit).checks}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_audit_gives_a_sound_page(kind):
    audit = KINDS[kind]
    for source in (audit_page(audit), audit_fragment(audit)):
        assert set(Reader(source).tags) <= OURS
        assert not re.search(r"https?://|<script|<link|@import|url\(|src=|href=", source)
        assert not re.search(r"\bnan\b|\bNone\b", re.sub(r"<style>.*?</style>", "", source, flags=re.DOTALL))
    assert "default-src 'none'" in audit_page(audit)


@pytest.mark.parametrize("kind", KINDS)
def test_every_check_has_its_question_its_plot_its_reading_and_what_came_out(kind):
    shown, made = words(KINDS[kind]), view(KINDS[kind]).checks
    for check in made:
        for said in (check.question, check.finding, check.reading):
            assert said and " ".join(said.split()) in shown
        assert "<svg" in PLOTS[check.key](KINDS[kind])


def test_words_from_outside_leave_no_tag_no_attribute_and_no_control_character():
    audit = replace(
        made_by_hand(),
        verdict=Verdict("barely", EVIL),
        model=EVIL,
        file=EVIL,
        left_out={EVIL: EVIL},
        agreement={EVIL: around(0.1)},
        methods=dict(made_by_hand().methods) | {EVIL: faithfulness(0.2, 0.2)},
        deep={"uniform": DEEP["uniform"] | {"figure": EVIL}},
    )
    source = audit_page(audit)
    read = Reader(source)
    assert set(read.tags) <= OURS
    assert {name for name, _ in read.attributes} <= {
        "lang", "charset", "http-equiv", "content", "name", "class", "style", "aria-hidden", "aria-label", "tabindex",
        "role", "scope", "viewbox", "x", "y", "width", "height", "rx", "d", "transform",
    }  # fmt: skip
    assert all(re.fullmatch(r"--w:[\d.]+", value) for name, value in read.attributes if name == "style")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", source)
    source.encode("utf-8")
    assert "<script>alert(1)</script>" in "".join(read.text)


@pytest.mark.parametrize("level", LEVELS)
def test_the_verdict_comes_first_and_doubt_looks_different(level):
    source = audit_page(replace(made_by_hand(), verdict=Verdict(level, "What was found.")))
    read = Reader(source)
    (verdict,) = read.all("section", "big")
    assert ("calm" in verdict.classes) == (level == "better") == ("doubt" not in verdict.classes)
    assert HEADLINES[level] in verdict.text and "What was found." in verdict.text
    tags = [each.tag for each in read.elements]
    assert read.elements.index(verdict) < tags.index("svg")


def test_what_came_out_is_told_with_its_numbers():
    said = found(made_by_hand())
    assert said["needed"] == (
        "Without the words that attention weighs most, the answer becomes 0.41 less probable; "
        "without random words 0.12."
    )
    assert said["enough"] == (
        "With the words that attention weighs most alone, the answer becomes 0.09 less probable; "
        "with random words alone 0.38."
    )
    assert "needed by 0.29 (95 %: 0.26 to 0.32), which is better than chance" in said["chance"]
    assert said["agreement"] == "Agreement of attention with leave-one-out 0.34 and gradient × input −0.21."


def test_of_contributions_the_same_is_told_with_attention_beside():
    said = found(of_contributions())
    assert said["needed"] == (
        "Without the words with the largest contributions, the answer becomes 0.51 less probable; "
        "without random words 0.12."
    )
    assert said["enough"].startswith("With the words with the largest contributions alone, the answer becomes 0.03 ")
    assert "are needed by 0.39 (95 %: 0.36 to 0.42), which is better than chance" in said["chance"]
    share = "Of what leave-one-out finds beyond chance, contributions find 98 %. Attention finds 72 %."
    assert said["reach"] == share  # 0.39 and 0.29 of 0.40
    assert said["agreement"] == "Agreement of contributions with leave-one-out 0.87."
    assert SUM_HEADLINES["better"] in words(of_contributions())
    assert SUM_HEADLINES["no better"] in words(of_contributions(0.12, 0.38))


def test_checks_of_attention_tell_nothing_about_contributions():
    spoken = speaks(replace(of_contributions(), deep=DEEP, permutation=Interval(0, 0, 0)))
    assert {spoken[name] for name in ("permutation", "hops", "uniform", "adversarial")} == {"neither"}
    assert (spoken["needed"], spoken["enough"], spoken["reach"]) == ("for", "for", "for")
    failing = speaks(of_contributions(0.05, 0.5))
    assert (failing["needed"], failing["enough"], failing["reach"]) == ("against", "against", "against")


def test_an_answer_that_becomes_more_probable_is_told_so():
    assert found(made_by_hand(-0.05, 0.0))["needed"] == (
        "Without the words that attention weighs most, the answer becomes 0.05 more probable; "
        "without random words it becomes 0.12 less probable."
    )
    assert (
        "the answer stays as probable; with random words alone it becomes 0.38 less"
        in found(made_by_hand(1, 0))["enough"]
    )


def test_only_an_interval_wholly_above_0_speaks_for_heatmaps():
    assert [speaks(made_by_hand(needed))["needed"] for needed in (0.16, 0.14, 0.10, 0.08)] == [
        "for", "open", "open", "against",
    ]  # fmt: skip
    assert speaks(made_by_hand(0.41, 0.38))["chance"] == "open"
    assert speaks(made_by_hand(0.41, 0.50))["chance"] == "against"


def test_a_good_verdict_names_what_speaks_against_it():
    audit = replace(made_by_hand(), deep=DEEP)
    against = [check.name for check in view(audit).checks if check.speaks == "against"]
    assert against == ["Does learned attention help?", "Would other weights do as well?"]
    assert f"First read what speaks against them: {' '.join(against)}" in words(audit)
    assert "speaks against them" not in words(made_by_hand())


def test_a_method_that_surely_does_better_is_named():
    doubt, good, best = (made_by_hand(needed) for needed in (0.12, 0.41, 0.5))
    assert "leave-one-out finds the words" in words(doubt) and "(comprehensiveness 0.52 against 0.12)" in words(doubt)
    assert "Show that instead." in words(doubt) and "Show that beside them." in words(good)
    needed = [best.methods[name].needed_beyond_chance for name in ("attention", "leave-one-out")]
    assert needed[0].mean < needed[1].mean and needed[0].high > needed[1].low
    assert "better than attention" not in words(best)
    alone = {name: f for name, f in doubt.methods.items() if name in ("attention", "random")}
    assert "better than attention" not in words(replace(doubt, methods=alone))


def test_attention_stands_first_and_random_words_last():
    assert next(iter(made_by_hand().methods)) == "random"
    rows = re.search(r"Comprehensiveness.*?<tbody>(.*?)</tbody>", audit_page(made_by_hand()), re.DOTALL).group(1)
    assert re.findall(r'scope="row">([^<]*)', rows) == [
        "attention",
        "leave-one-out",
        "gradient × input",
        "random words",
    ]


def test_every_share_is_in_a_table():
    source = audit_page(made_by_hand())
    table = re.search(r"numbers of: Fall in probability without.*?</table>", source).group()
    assert re.findall(r'class="n">(\d+)</th>', table) == [f"{share * 100:g}" for share in SHARES]
    assert [float(x) for x in re.findall(r"<td[^>]*>([^<]*)", table)[:5]] == pytest.approx(
        made_by_hand().methods["attention"].without_top, abs=0.0006
    )


def test_mean_pooling_is_told_to_have_nothing_to_show():
    audit = mean_pooling()
    assert audit.hops.mean_overlap is None
    assert (
        found(audit)["hops"] == "There is one hop; every word weighs nearly the same, so a heatmap has nothing to show."
    )
    assert speaks(audit)["hops"] == speaks(audit)["permutation"] == "against"
    assert "Overlap of hops" not in words(audit) and "not defined" in words(audit)
    assert found(audit)["agreement"] == "Attention cannot be compared with another method."


def test_what_was_left_out_is_told_with_the_reason():
    audit = without_torch()
    assert "permutation" not in found(audit)
    shown = words(audit)
    assert "permutation needs torch" in shown
    assert 'gradient × input Run: pip install "heedful[train]"' in shown and "deep checks" in shown
    assert "The model is right on" not in shown and "The model is right on" in words(made_by_hand())


@pytest.mark.parametrize("key", DEEP)
def test_any_deep_check_may_be_missing(key):
    audit = replace(made_by_hand(), deep={name: found for name, found in DEEP.items() if name != key})
    assert set(DEEP) - set(found(audit)) == {key}
    assert "deep checks" not in words(audit)
    Reader(audit_page(audit))


def test_deep_checks_are_told_with_their_numbers():
    said = found(replace(made_by_hand(), deep=DEEP))
    assert DEEP["uniform"]["difference"] > 0.01  # by rounding alone
    assert (
        "accuracy with learned weights is 0.86, with equal ones 0.85: learned attention helps little" in said["uniform"]
    )
    assert "2 models" in said["seeds"] and "0.50" in said["seeds"]
    assert (
        said["adversarial"].startswith("For 80 % of the texts")
        and "0.41" in said["adversarial"]
        and "0.009" in said["adversarial"]
    )


def test_30_hops_are_all_shown():
    source = audit_page(KINDS["30 hops"])
    assert source.count('<rect class="cell"') == 900
    sharpest = min(range(30), key=KINDS["30 hops"].hops.entropy.__getitem__)
    assert f"the sharpest is hop {sharpest + 1}:" in source


def test_wide_tables_scroll_by_themselves_and_by_keyboard():
    source = audit_page(KINDS["30 hops"])
    assert source.count("<table>") == source.count('<div class="scroll" tabindex="0" role="region"') > 0


def test_the_page_says_how_to_repeat_it():
    audit = replace(made_by_hand(), model="my model", file="it's.tsv", seed=7)
    shown = words(audit)
    assert "heedful audit 'my model' 'it'\"'\"'s.tsv' --seed 7" in shown
    assert "heedful audit reviews test.tsv " in words(made_by_hand()) + " " and "--" not in words(made_by_hand())
    assert "heedful audit reviews test.tsv --deep" in words(KINDS["deep"])
    assert "1,500 texts" in shown and "Seed 7" in shown and "Agreement is not correctness" in shown


def test_a_fragment_brings_its_style_and_no_page():
    source = audit_fragment(made_by_hand())
    assert source.startswith('<div class="hf audit"><style>') and "<body" not in source
    assert ".hf .card" in source and ".audit .plot" in source


def test_how_near_attention_comes_to_leave_one_out_is_told_with_a_mark():
    reach = {check.key: check for check in view(made_by_hand()).checks}["reach"]
    assert "%" in reach.finding
    assert reach.speaks in ("for", "against", "open")


def test_a_difference_too_small_to_matter_speaks_for_nothing():
    from heedful.explain.audit import checks as rules
    from heedful.metrics.bootstrap import Interval
    from heedful.show.audit.findings import against_chance

    sure_but_tiny = Interval(0.004, 0.001, 0.008)
    assert rules.against_chance(sure_but_tiny) == "open"
    assert "better than chance, but hardly" in against_chance(sure_but_tiny)
    assert "0.001 to 0.008" in against_chance(sure_but_tiny)
