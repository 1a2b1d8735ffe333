"""Nothing in a text is hidden on the page: the characters that are shown as U+FFFD are those of other pages."""

from __future__ import annotations

import shutil

import pytest
from tests.serve.page_in_browser import comes, drawn
from tests.serve.page_in_node import in_node

from heedful.show.kit.text.sanitise import visible

pytest_plugins = ["tests.serve.page_fixtures"]

HIDDEN = """
const { visible } = await import(`${UI}/lib/visible.js`);
const main = (ranges) => ranges.flatMap(([from, to]) => {
  const found = [];
  for (let at = from; at < to; at += 1) {
    const text = `a${String.fromCodePoint(at)}b`;
    if (visible(text) !== text) found.push(at);
  }
  return found;
});
"""


def test_the_page_hides_and_shows_the_same_characters_as_other_pages():
    there = [at for at in range(0x110000) if visible(f"a{chr(at)}b") != f"a{chr(at)}b"]
    assert {0x202E, 0x200B, 0x2066, 0xD800, 0x1B} <= set(there)
    assert not {0x200C, 0x200D, 0xFE0F, 0xAD, 0x0A} & set(there)
    assert in_node(HIDDEN, [[0, 0x110000]]) == there


@pytest.mark.slow
def test_a_label_cannot_pass_itself_off_as_another(see, start, shown_folder, tmp_path):
    folder = shutil.copytree(shown_folder, tmp_path / "odd")
    facts = folder / "facts.json"
    text = facts.read_text(encoding="utf-8")
    label = "not spam\u202e maps\u202c"
    assert '"bad"' in text
    facts.write_text(text.replace('"bad"', f'"{label}"'), encoding="utf-8")
    (folder / "README.md").write_text(f"# A card\n\nIt says {label}.", encoding="utf-8")
    page = drawn(see("model", server=start(folder)), "model")
    comes(page, ".labels", "not spam\ufffd maps\ufffd")
    comes(page, "#card-text", "not spam\ufffd maps\ufffd")
    page = drawn(see("read", server=start(folder), text="the par\u200bcel \u202ecame"), "read")
    assert page.locator("#heatmap").evaluate("it => it.textContent") == "the par\ufffdcel \ufffdcame"
    assert "\u202e" not in page.inner_text("main")
