"""When something is missing, the page says so in its place: a key, the server, a model that fits."""

from __future__ import annotations

import pytest
from tests.serve.page_in_browser import TABS, TEXT, comes, drawn
from tests.serve.running import wait_for

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow


def give(page, key):
    page.wait_for_selector("#key-dialog[open]")
    page.fill("#key", key)
    page.keyboard.press("Enter")


def test_a_key_is_asked_for_and_kept_for_this_tab_only(see, start):
    server = start(key="open-sesame")
    page = see("read", server=server, text=TEXT, said=("401",))
    comes(page, "#key-dialog", "asks for a key")
    give(page, "wrong")
    comes(page, "#key-note", "refused")
    give(page, "open-sesame")
    drawn(page, "read")
    assert not page.is_visible("#key-dialog")
    page.reload()
    drawn(page, "read")
    assert page.evaluate("Object.keys(localStorage).concat(document.cookie)") == [""]
    page.click("#tab-model")
    drawn(page, "model")
    assert "$HEEDFUL_KEY" in page.inner_text("#calling")
    assert "open-sesame" not in page.content()


def test_without_a_key_the_page_says_what_is_missing(see, start):
    page = see("read", server=start("en-tiny", key="open-sesame"), said=("401",))
    page.wait_for_selector("#key-dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#trouble [role=alert]")
    page.click("#trouble button")
    page.wait_for_selector("#key-dialog[open]")


def test_a_key_that_was_declined_is_not_asked_for_again_by_a_request_that_was_under_way(see, start):
    page = see("read", server=start("en-tiny", key="open-sesame"), said=("401",))
    page.wait_for_selector("#key-dialog[open]")
    late = []
    page.route("**/indexes", lambda route: late.append(route))
    page.reload()
    page.wait_for_selector("#key-dialog[open]")
    wait_for(lambda: page.evaluate("1") and late)
    page.keyboard.press("Escape")
    page.wait_for_selector("#trouble [role=alert]")
    with page.expect_response("**/indexes") as answered:
        late[0].continue_()
    assert answered.value.status == 401
    page.evaluate("fetch('health').then((answer) => answer.text())")  # whatever the page does with the 401 is done now
    assert not page.is_visible("#key-dialog")
    page.unroute("**/indexes")
    page.click("#trouble button")
    page.wait_for_selector("#key-dialog[open]")


def test_a_server_that_is_gone_is_told_in_place_and_found_again(see, start):
    server = start()
    page = see("read", server=server, text=TEXT, said=("Failed to load resource",))
    drawn(page, "read")
    shown = page.inner_text("#heatmap")
    server.stop()
    page.fill("#text", "another text")
    comes(page, "#read-trouble [role=alert]", "cannot be reached")
    assert page.inner_text("#heatmap") == shown, "what was there is still to be seen"
    assert page.locator(".stale").count() == 2, "answer and words are faint: they are of the text before"
    assert page.input_value("#text") == "another text"
    with_port = start("--port", str(server.where[1]))
    assert with_port.address == server.address
    page.click("#read-trouble button")
    comes(page, "#heatmap", "another text")
    assert page.locator(".stale").count() == 0
    page.fill("#text", "another parcel")
    wait_for(lambda: page.locator("#read-trouble [role=alert]").count() == 0)
    comes(page, "#heatmap", "parcel")


def test_a_server_that_is_busy_is_asked_again(see):
    page = drawn(see("read", text="one", said=("429",)), "read")
    seen = []

    def busy(route):
        seen.append(route)
        if len(seen) > 1:
            route.continue_()
        else:
            route.fulfill(status=429, headers={"Retry-After": "1"}, json={"error": {"message": "The queue is full."}})

    page.route("**/explain", busy)
    page.fill("#text", "best parcel")
    comes(page, "#heatmap", "best parcel")
    assert len(seen) > 1


def test_with_an_encoder_alone_each_tab_shows_what_it_can_or_says_what_is_missing(see, start):
    page = see(server=start("en-base"))
    drawn(page, "compare")
    for tab, said in {"read": "no model to read with", "search": "No index is served"}.items():
        page.click(f"#tab-{tab}")
        comes(page, f"#panel-{tab}", said)
        assert "heedful serve" in page.inner_text(f"#panel-{tab} pre")
    for tab in ("steps", "model"):
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f"#panel-{tab} {TABS[tab]}, #panel-{tab} .empty")
