"""`heedful.distill`: from a teacher and a file of texts to an encoder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from heedful.api.settings import Settings
from heedful.api.watching import watching
from heedful.config import load_config
from heedful.errors import need
from heedful.runtime.model import load
from heedful.training.history import Watcher

if TYPE_CHECKING:
    from heedful.tasks.embed.model import Encoder


def distill(
    teacher: str | Path | None = None,
    corpus: str | Path | None = None,
    out: str | Path = "encoder",
    *,
    config: str | Path | None = None,
    cache: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool | None = None,
    watcher: Watcher | None = None,
    **settings: Unpack[Settings],
) -> Encoder:
    """Train a small encoder to reproduce a teacher's vectors, and return it. It is also in the folder `out`.

    Args:
        teacher: folder or name of an encoder, a model of sentence-transformers, or a .npy file of vectors.
        corpus: file of texts, at least 20 different ones.
        out: folder of the encoder.
        config: TOML file of settings; `settings` take precedence.
        cache: folder for the teacher's vectors; by default beside `out`.
        resume: resume an interrupted training from its last checkpoint.
        overwrite: replace a model that is in the folder.
        progress: show progress on stderr; by default in a terminal and in a notebook.
        watcher: called with progress events, in place of the display.
        settings: such as `encoder`, `vector_width` or `epochs`; `heedful distill --help` lists all.

    Returns:
        The encoder.

    Raises:
        DataError: if the file cannot be read, or has too few texts.
        ConfigError: if a setting is unknown or has an invalid value, or if there is no teacher or corpus.
        ModelFolderError: if the folder exists and `overwrite` is not set.
        MissingExtraError: if torch is not installed.

    Example:
        >>> import heedful
        >>> heedful.distill("en-small", "corpus.txt", "small", vector_width=16, epochs=1).width
        16
    """
    need("torch", feature="Training", extra="train")
    from heedful.jobs.encoders.distill import distill_model
    from heedful.jobs.encoders.encoder import encoder_config

    given: dict[str, Any] = dict(settings)
    paths = {"teacher": teacher, "train": corpus}
    given |= {name: str(path) for name, path in paths.items() if path is not None}
    chosen = encoder_config(load_config(config) if config is not None else None, **given)
    with watching(watcher, progress) as watch:
        result = distill_model(
            chosen, Path(out), cache=Path(cache) if cache else None, resume=resume, overwrite=overwrite, watcher=watch
        )
    return cast("Encoder", load(result.path or out))
