"""Templates escape by construction: none of them may switch that off."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from heedful.show.kit.html import templates
from heedful.show.kit.html.templates import commands, render

ROOT = Path(str(files("heedful")))
TEMPLATES = sorted(
    path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.html") if "serve" not in path.parts[len(ROOT.parts) :]
)


def test_there_is_a_template_beside_every_page():
    assert len(TEMPLATES) > 10
    pages = [path.relative_to(ROOT) for path in ROOT.rglob("page.py") if "serve" not in path.parts[len(ROOT.parts) :]]
    assert [page for page in pages if page.with_suffix(".html").as_posix() not in TEMPLATES] == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_compiles_and_never_marks_a_text_as_safe(name):
    templates._environment().get_template(name)
    source = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe|autoescape|Markup|<script", source)


def test_python_of_a_page_has_no_html():
    for path in [*ROOT.rglob("page.py"), ROOT / "show/kit/html/card.py", ROOT / "show/kit/html/shaded_text.py"]:
        if "serve" not in path.parts[len(ROOT.parts) :]:
            assert not re.search(r"</?[a-z]+[ >]", path.read_text(encoding="utf-8")), path


def test_text_is_escaped_and_hidden_characters_are_made_visible():
    body = render("show/kit/html/fragment.html", style="</style>\x00", body="<b>\u202e'\"&")
    assert body == '<style>&lt;/style&gt;�</style><div class="hf">&lt;b&gt;�&#39;&#34;&amp;</div>'
    assert "<b>" in render("show/kit/html/fragment.html", style="", body=Markup("<b>ours</b>"))


def test_a_value_that_is_missing_is_an_error():
    with pytest.raises(UndefinedError):
        render("show/kit/html/fragment.html", style="")


def test_commands_are_every_second_part_of_a_sentence():
    assert commands("Run `heedful audit` first.") == ["Run ", "heedful audit", " first."]
    assert commands("a lone ` stays") == ["a lone ` stays"]
