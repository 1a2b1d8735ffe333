"""One text in a page: its answer, the heatmaps side by side, each hop, and the same numbers in a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from heedful.show.heatmaps.view import Row, Sheet
from heedful.show.kit.html.document import escape
from heedful.show.kit.html.shaded_text import excerpt, is_excerpt, whole_text
from heedful.show.kit.text.truncate import shortened

MOST_HOPS = 30  # shown on their own
MOST_WORDS = 200  # in the table
LONGEST = 100  # characters of a label, and of a word in the table
_COMMAND = re.compile("`([^`]+)`")


def card(sheet: Sheet, *, note: str = "", drawn: str = "") -> str:
    """Return all there is to see of one text, as HTML; `drawn` is HTML of ours, above the words."""
    return (
        f'<section class="card">{_answer(sheet, note)}'
        + "".join(f'<p class="remark">{escape(line)}</p>' for line in sheet.remarks)
        + "".join(f'<p class="soft">{escape(line)}</p>' for line in sheet.notes)
        + f'{_verdict(sheet)}{drawn}<div class="maps">{"".join(_map(sheet, row) for row in sheet.rows)}</div>'
        + f"{_hops(sheet)}{_table(sheet) if sheet.words else ''}</section>"
    )


def _answer(sheet: Sheet, note: str) -> str:
    if not (sheet.title or note):
        return ""
    return (
        f'<div class="answer"><strong dir="auto">{_label(sheet.title)}</strong> <span>{escape(sheet.figure)}</span> '
        f'<span class="soft" dir="auto">{escape(shortened(sheet.others, 3 * LONGEST))}</span> '
        f"<span>{escape(note)}</span></div>"
    )


def _map(sheet: Sheet, row: Row) -> str:
    return f'<figure class="map"><figcaption>{_caption(row)}</figcaption>{whole_text(sheet, row)}</figure>'


def _caption(row: Row) -> str:
    target = f" for <em>{_label(row.target)}</em>" if row.target else ""
    about = f'<span class="soft">{escape(row.about)}</span>' if row.about else ""
    aside = f'<span class="aside">{_label(row.aside)}</span>' if row.aside else ""
    return f"<b>{_label(row.name)}{target}</b> {_legend(row)} {about} {aside}"


def _legend(row: Row) -> str:
    low, high = row.ends
    kind = "legend signed" if row.is_signed else "legend"
    return f'<span class="key">{escape(low)} <span class="{kind}" aria-hidden="true"></span> {escape(high)}</span>'


def _verdict(sheet: Sheet) -> str:
    kind = "doubt" if sheet.is_doubtful else "calm"
    said = _COMMAND.sub(r"<code>\1</code>", escape(sheet.verdict))
    return f'<p class="verdict {kind}">{said}</p>' if said else ""


def _hops(sheet: Sheet) -> str:
    if not sheet.hops:
        return ""
    rows = "".join(_hop(sheet, row) for row in sheet.hops[:MOST_HOPS])
    said = [f"Of {len(sheet.hops)} hops, the first {MOST_HOPS} are shown."] if len(sheet.hops) > MOST_HOPS else []
    if is_excerpt(sheet):
        said.append("Of this long text, each hop shows only the words around its strongest.")
    said += [escape(sheet.hops_account)] if sheet.hops_account else []
    about = f'<p class="soft">{" ".join(said)}</p>' if said else ""
    return (
        f"<details><summary>Each of the {len(sheet.hops)} hops on its own</summary>"
        f"{_verdict(sheet)}{about}{rows}</details>"
    )


def _hop(sheet: Sheet, row: Row) -> str:
    kind, more = ("hop adds", f' <span class="added">{escape(row.about)}</span>') if row.about else ("hop", "")
    return f'<div class="{kind}"><span class="soft">{escape(row.name)}{more}</span>{excerpt(sheet, row)}</div>'


def _table(sheet: Sheet) -> str:
    columns = [*sheet.rows, *sheet.hops[:MOST_HOPS]]
    order = np.argsort(-np.abs(sheet.rows[0].values), kind="stable")[:MOST_WORDS]
    head = "".join(f'<th class="n" scope="col">{_head(row)}</th>' for row in columns)
    rows = "".join(_table_row(sheet, columns, int(i)) for i in order)
    return (
        f'<details><summary>The same as numbers</summary>{_table_note(sheet)}<div class="scroll" tabindex="0" '
        'role="region" aria-label="numbers of each word"><table class="numbers"><thead><tr><th scope="col">word</th>'
        f"{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )


def _head(row: Row) -> str:
    return _label(row.name.lower()) + (f" for {_label(row.target)}" if row.target else "")


def _table_row(sheet: Sheet, columns: Sequence[Row], i: int) -> str:
    word = sheet.words[i]
    known = "" if word.is_known else ' class="unknown"'
    cells = "".join(f'<td class="n">{sheet.number(row, i)}</td>' for row in columns)
    return f'<tr><th scope="row" dir="auto"{known}>{_label(word.text)}</th>{cells}</tr>'


def _table_note(sheet: Sheet) -> str:
    if len(sheet.words) <= MOST_WORDS:
        return ""
    return f'<p class="soft">The {MOST_WORDS} words with the most weight, of {len(sheet.words):,}.</p>'


def _label(text: str) -> str:
    return escape(shortened(text, LONGEST))
