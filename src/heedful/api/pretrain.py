"""`heedful.pretrain`: from a file of texts to an encoder."""

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


def pretrain(
    corpus: str | Path | None = None,
    out: str | Path = "encoder",
    *,
    config: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool | None = None,
    watcher: Watcher | None = None,
    **settings: Unpack[Settings],
) -> Encoder:
    """Train an encoder without a teacher, and return it. It is also in the folder `out`.

    The setting `pairs`, such as "question,answer", names two columns of matching texts. Without it the file is running
    text, and each sentence matches the next.

    Args:
        corpus: file of pairs of texts, or of running text.
        out: folder of the encoder.
        config: TOML file of settings; `settings` take precedence.
        resume: resume an interrupted training from its last checkpoint.
        overwrite: replace a model that is in the folder.
        progress: show progress on stderr; by default in a terminal and in a notebook.
        watcher: called with progress events, in place of the display.
        settings: such as `pairs`, `encoder`, `vector_width` or `epochs`; `heedful pretrain --help` lists all.

    Returns:
        The encoder.

    Raises:
        DataError: if the file cannot be read, or has fewer than 20 pairs.
        ConfigError: if a setting is unknown or has an invalid value, or if there is no corpus.
        ModelFolderError: if the folder exists and `overwrite` is not set.
        MissingExtraError: if torch is not installed.

    Example:
        >>> import heedful
        >>> heedful.pretrain("corpus.txt", "own", vector_width=16, epochs=1).width
        16
    """
    need("torch", feature="Training", extra="train")
    from heedful.jobs.encoders.encoder import encoder_config
    from heedful.jobs.encoders.pretrain import pretrain_model

    given: dict[str, Any] = dict(settings)
    if corpus is not None:
        given["train"] = str(corpus)
    chosen = encoder_config(load_config(config) if config is not None else None, **given)
    with watching(watcher, progress) as watch:
        result = pretrain_model(chosen, Path(out), resume=resume, overwrite=overwrite, watcher=watch)
    return cast("Encoder", load(result.path or out))
