"""A server with all that the page can show, and pages of it in a browser that may do no wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import make_examples, train_tiny
from tests.made_once import made_once
from tests.serve.page_in_browser import DESK, Visit, link
from tests.serve.running import Running

from heedful.runtime.model import Model, load

pytest_plugins = ["tests.browser"]


@pytest.fixture(scope="session")
def shown_folder(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Path:
    """A classifier of three hops whose heatmaps were tested, and whose hops were looked at."""
    from heedful.jobs.audit.audit import audit

    def make(home: Path) -> None:
        folder = shutil.copytree(tiny_folder, home / "reviews")
        lines = ["text\tlabel", *(f"{each.text}\t{each.label}" for each in make_examples(30, seed=3))]
        (home / "texts.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        audit(load(folder, threads=1), home / "texts.tsv")

    return made_once(tmp_path_factory, "shown", make) / "reviews"


@pytest.fixture(scope="session")
def shown(shown_folder: Path) -> Model:
    """The same model, here."""
    return load(shown_folder, threads=1)


@pytest.fixture(scope="session")
def unsummed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier whose head is not linear: it has no contributions."""
    home = made_once(tmp_path_factory, "unsummed", lambda home: train_tiny(home / "unsummed", head="pruned"))
    return home / "unsummed"


@pytest.fixture(scope="session")
def unsummed(unsummed_folder: Path) -> Model:
    """The same model, here."""
    return load(unsummed_folder, threads=1)


@pytest.fixture(scope="session")
def page_server(
    shown_folder: Path, folders: dict[str, Path], unsummed_folder: Path, index_folder: Path
) -> Iterator[Running]:
    """A server of it and of others, for tests that leave it as it was."""
    more = (
        folders["many"],
        folders["price"],
        unsummed_folder,
        "en-tiny",
        "en-base",
        "--index",
        f"reviews={index_folder}",
    )
    with Running(shown_folder, *more) as it:
        yield it
        assert it.process.poll() is None
        assert "Traceback" not in it.log


See = Callable[..., Any]


@pytest.fixture
def see(browser: Any, page_server: Running) -> Iterator[See]:
    """Open a tab with values, as a link does; at the end its console must be empty and no one else asked.

    `said`: parts of what its console may say, such as the status of a request that is to fail.
    """
    opened: list[tuple[Visit, tuple[str, ...]]] = []

    def begin(
        tab: str = "",
        *,
        width: int = DESK,
        scheme: str = "light",
        server: Running = page_server,
        said: tuple[str, ...] = (),
        **values: str,
    ) -> Any:
        visit = Visit(browser, server.address, width=width, scheme=scheme)
        opened.append((visit, said))
        page = visit.context.new_page()
        page.goto(link(server, tab, **values))
        return page

    yield begin
    for visit, _ in opened:
        visit.context.close()
    for visit, said in opened:
        assert visit.requests, "the page itself was asked for: others would have been seen"
        assert visit.strangers() == []
        assert [each for each in visit.wrong if not any(part in each for part in said)] == []
