"""The search index."""

from __future__ import annotations

import shutil
import threading
from functools import cached_property
from pathlib import Path

from heedful.errors import HeedfulError
from heedful.files.lock import exclusive_lock
from heedful.runtime.model import Model, as_model, load
from heedful.search.about import About, fingerprint, model_name, read_about
from heedful.search.column_types import check_name
from heedful.search.filters import checked_filter
from heedful.search.index_folder import check_target, check_utf8, make_folder
from heedful.search.index_writing import IndexWriting
from heedful.search.ranking.index_searching import IndexSearching
from heedful.search.rows import ID
from heedful.search.table import Table
from heedful.store.folder import clean_up
from heedful.tasks.task import SIMILARITY


class Index(IndexSearching, IndexWriting):
    """A folder of texts to search by words and by meaning. Use `create` to make one and `open` to open it.

    Attributes:
        path: folder of the index.

    Example:
        >>> from heedful import Index
        >>> index = Index.create("animals", "en-small")
        >>> index.add([{"text": "a cat on the sofa", "price": 3}, {"text": "a train to rome", "price": 90}])
        Added(read=2, new=2, replaced=0)
        >>> index.search("a kitten", n=1)[0].text
        'a cat on the sofa'
    """

    def __init__(self, path: Path, about: About, model: Model | None, *, threads: int | None = None) -> None:
        self.path, self.about = path, about
        self._given, self._threads = model, threads
        self._table = Table(path, key=about.id or ID, width=about.width, has_words=about.has_words)
        self._lock, self._depth = threading.RLock(), 0

    @classmethod
    def create(
        cls,
        path: str | Path,
        model: Model | str | Path,
        *,
        text: str = "text",
        id: str | None = None,  # noqa: A002  the public name
        overwrite: bool = False,
    ) -> Index:
        """Create an empty index.

        Args:
            path: folder of the index.
            model: an encoder, its folder, or the name of a bundled one.
            text: name of the text column.
            id: name of the id column; by default ids are hashes of the rows.
            overwrite: replace an index that is in the folder.

        Returns:
            The index.

        Raises:
            HeedfulError: if the folder exists, or if the model is not an encoder.
            MissingExtraError: if LanceDB is not installed.

        Example:
            >>> from heedful import Index
            >>> Index.create("books", "en-small", text="title", id="isbn").count()
            0
        """
        path = Path(path)
        check_utf8(path)
        if not path.exists():
            with exclusive_lock(path):
                clean_up(path.absolute())
        check_target(path, overwrite=overwrite)
        model = as_model(model)
        if SIMILARITY not in model.can:
            raise HeedfulError(f"{model.path.name} is not an encoder. Search needs one, such as en-base")
        for name in (text, id or ID):
            check_name(name)
        if text == (id or ID):
            raise HeedfulError(f"column {text!r} cannot be both the text and the id")
        about = About(model_name(model), fingerprint(model), model.width, text, id)
        make_folder(path, about)
        return cls(path, about, model)

    @classmethod
    def open(cls, path: str | Path, *, model: Model | str | Path | None = None, threads: int | None = None) -> Index:
        """Open an index. Its model is loaded on first use.

        Args:
            path: folder of the index.
            model: the encoder that it was made with, if that was moved.
            threads: CPU threads of the encoder; all by default.

        Returns:
            The index.

        Raises:
            HeedfulError: if the folder is not an index, or was made with another model.

        Example:
            >>> from heedful import Index
            >>> Index.open("shop")
            <heedful index shop: 2 rows, model en-small>
        """
        path = Path(path)
        about = read_about(path)
        loaded = None if model is None else as_model(model, threads=threads)
        index = cls(path, about, loaded, threads=threads)
        if loaded is not None:
            index._check_fits(loaded)
        return index

    @cached_property
    def model(self) -> Model:
        """The encoder that made the vectors."""
        if self._given is not None:
            return self._given
        try:
            model = load(self.about.model, threads=self._threads)
        except HeedfulError as error:
            raise HeedfulError(f"{self.path}: {error}. Set model to its current path") from None
        self._check_fits(model)
        return model

    @property
    def columns(self) -> dict[str, str]:
        """The name and type (number, yes or no, text) of each column."""
        return self._table.columns

    def count(self, *, where: str | None = None) -> int:
        """Count the rows.

        Args:
            where: filter, such as "price < 10 and kind = 'food'".

        Returns:
            The number of rows, or of those that match the filter.

        Raises:
            HeedfulError: if the filter cannot be parsed or names an unknown column.

        Example:
            >>> index.count(where="price < 10")
            1
        """
        return self._table.count(self._checked(where))

    @property
    def is_approximate(self) -> bool:
        """Whether searches are approximate: see `optimise`."""
        return self._table.is_approximate

    def drop_if_empty(self) -> None:
        """Remove the folder of an index that has no rows."""
        if self.count() == 0:
            shutil.rmtree(self.path, ignore_errors=True)

    def _checked(self, where: str | None) -> str | None:
        return None if where is None else checked_filter(where, self.columns)

    def _check_fits(self, model: Model) -> None:
        if fingerprint(model) != self.about.fingerprint:
            raise HeedfulError(
                f"{self.path} was built with {self.about.model}, and {model.path} is another model (or was retrained), "
                "so their vectors are not comparable. Use the same model, or rebuild the index"
            )

    def __repr__(self) -> str:
        return f"<heedful index {self.path.name}: {self.count():,} rows, model {self.about.model}>"
