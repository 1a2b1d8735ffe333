"""Methods of every model that a user holds: evaluate, save, load."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from heedful.errors import DataError, ModelFolderError
from heedful.lazy import imported

if TYPE_CHECKING:
    from heedful.data.table import Data
    from heedful.jobs.evaluate import Figures
    from heedful.runtime.model import Model


class HeldModel:
    """A mix-in for Model."""

    @classmethod
    def load(cls, folder: str | Path, *, threads: int | None = None) -> Self:
        """Load a model folder, or a bundled model by its name.

        Args:
            folder: path of the folder, or a name such as "en-base".
            threads: CPU threads; all by default.

        Returns:
            The model, of the class this is called on.

        Raises:
            ModelFolderError: if the folder is not a model, or a model of another class.

        Example:
            >>> from heedful import Encoder
            >>> Encoder.load("en-small").width
            384
        """
        from heedful.runtime.model import load

        model = load(folder, threads=threads)
        if not isinstance(model, cls):
            raise ModelFolderError(f"{folder} is a {type(model).__name__}, not a {cls.__name__}")
        return model

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write the model to another folder.

        Args:
            folder: path of the new folder.
            overwrite: replace a model that is there.

        Returns:
            The path of the new folder.

        Raises:
            ModelFolderError: if the folder exists, or cannot be written.

        Example:
            >>> import heedful
            >>> heedful.load(model.save("copy")).labels
            ('bad', 'good')
        """
        from heedful.store.contained_files import read_file
        from heedful.store.folder import is_transformer_folder, write_folder

        source, target = cast("Model", self).path, Path(folder)
        if not source.is_dir():
            raise ModelFolderError(f"{source}, the folder of this model, does not exist any more")
        if is_transformer_folder(source):  # it was converted in memory
            imported("heedful.jobs.encoders.transformers.import_encoder:import_encoder")(
                source, target, overwrite=overwrite
            )
            return target
        names = sorted(file.name for file in source.iterdir() if file.is_file() and not file.name.startswith("."))
        write_folder(target, {name: read_file(source, name) for name in names}, overwrite=overwrite)
        return target

    def evaluate(
        self,
        data: Data,
        *,
        text: str | None = None,
        label: str | None = None,
        on_note: Callable[[str], None] | None = None,
    ) -> Figures:
        """Compare the model's answers with labelled data.

        Args:
            data: path of a file, (texts, labels), a list of dicts, a DataFrame, an Arrow table or a dataset.
            text: name of the text column; by default that of the training data.
            label: name of the label column; by default that of the training data.
            on_note: called with a warning if rows of the data were in the training data; by default it is a
                UserWarning.

        Returns:
            The metrics of the task, such as `accuracy` and `macro_f1` of a classifier.

        Raises:
            DataError: if a row cannot be read.

        Example:
            >>> model.evaluate("test.csv")
            accuracy ...   macro F1 ...
            label  precision  recall ...
            >>> model.evaluate((["lovely tea and cake", "dreadful tea and cake"], ["good", "bad"])).accuracy
            1.0
        """
        from heedful.jobs.evaluate import evaluate

        return evaluate(cast("Model", self), data, text=text, label=label, on_note=on_note)

    def inputs_in(self, data: Any) -> list[Any] | None:
        """Return the inputs in a table or in a file of texts; None for anything else."""
        model = cast("Model", self)
        if isinstance(data, str | list | tuple) and not (isinstance(data, list) and data and isinstance(data[0], dict)):
            return None  # most calls
        if model.input.smallest is None:
            return None  # inputs that are files, arrays or graphs
        from heedful.data.memory import as_table

        source = data if isinstance(data, Path) and model.input.is_text else as_table(data)
        if source is None:
            return None
        from heedful.jobs.read_inputs import read_sources

        try:
            return [read for _, read in read_sources(model, source)]
        except DataError as error:
            wanted = model.config.data.text
            if error.line is not None or isinstance(source, Path) or wanted is None:
                raise
            problem = f"{error.problem}. The model reads {wanted!r}: rename a column, or pass the texts of one column"
            raise DataError(source, problem) from None
