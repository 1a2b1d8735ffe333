"""Teachers, and the cache of what they said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heedful.errors import HeedfulError, TrainingError
from heedful.jobs.encoders import teacher as teacher_module
from heedful.jobs.encoders.teacher import HeedfulTeacher, TeacherCache, open_teacher, read_vectors, unit_rows

TEXTS = [f"text number {i}" for i in range(10)]


class Counting:
    """A teacher that counts what it is asked, and may break down."""

    def __init__(self, fingerprint: str = "a", *, breaks_after: int | None = None) -> None:
        self.name, self.fingerprint, self.breaks_after = "counting", fingerprint, breaks_after
        self.asked: list[str] = []

    def encode(self, texts):
        if self.breaks_after is not None and len(self.asked) >= self.breaks_after:
            raise KeyboardInterrupt
        self.asked += texts
        return np.array([[len(t), hash(t) % 97, ord(self.fingerprint)] for t in texts], dtype=np.float32)


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setattr(teacher_module, "SHARD", 4)


@pytest.fixture
def cache(tmp_path):
    return TeacherCache(tmp_path / "deep" / "cache")


def files(cache: TeacherCache) -> list[Path]:
    return sorted(cache.folder.iterdir())


def test_what_was_said_once_is_not_asked_again(cache):
    teacher, told = Counting(), []
    first = cache.vectors(teacher, TEXTS, progress=told.append)
    assert teacher.asked == TEXTS and told == [4, 8, 10] and len(files(cache)) == 3
    assert first.dtype == np.float16 and first.shape == (10, 3)
    np.testing.assert_allclose(np.linalg.norm(first.astype(np.float32), axis=1), 1, atol=2e-3)
    np.testing.assert_array_equal(cache.vectors(teacher, TEXTS), first)
    assert len(teacher.asked) == 10
    np.testing.assert_array_equal(TeacherCache(cache.folder).vectors(Counting(), TEXTS), first)


def test_killed_half_way_it_goes_on_where_it_was(cache):
    broken, whole = Counting(breaks_after=8), Counting()
    with pytest.raises(KeyboardInterrupt):
        cache.vectors(broken, TEXTS)
    assert broken.asked == TEXTS[:8] and all(file.suffix == ".npy" for file in files(cache))
    found = cache.vectors(whole, TEXTS)
    assert whole.asked == TEXTS[8:]
    np.testing.assert_array_equal(found, TeacherCache(cache.folder.with_name("fresh")).vectors(Counting(), TEXTS))


def test_another_teacher_and_other_texts_are_asked_for_themselves(cache):
    first, other = Counting("a"), Counting("b")
    vectors = cache.vectors(first, TEXTS)
    assert not np.array_equal(cache.vectors(other, TEXTS), vectors)
    assert other.asked == TEXTS
    np.testing.assert_array_equal(cache.vectors(Counting("a"), TEXTS), vectors)
    cache.vectors(first, [*TEXTS[:-1], "changed"])
    assert first.asked[10:] == [*TEXTS[8:-1], "changed"], "only the shard that changed"


def test_where_texts_end_counts(cache):
    """The same letters in other texts are other texts."""
    teacher = Counting()
    for texts in (["ab", "c"], ["a", "bc"], ["abc"], ["a", "b", "c"]):
        cache.vectors(teacher, texts)
    assert len(teacher.asked) == 8 and len(files(cache)) == 4


def test_a_null_in_a_text_is_not_the_end_of_one(cache):
    teacher = Counting()
    for texts in (["a\x00b", "c"], ["a", "b\x00c"]):
        cache.vectors(teacher, texts)
    assert teacher.asked == ["a\x00b", "c", "a", "b\x00c"]


@pytest.mark.parametrize("content", ["wrong length", "wrong rank"])
def test_a_shard_of_the_wrong_shape_is_made_again(cache, content):
    expected = cache.vectors(Counting(), TEXTS)
    wrong = np.zeros((3, 3), np.float16) if content == "wrong length" else np.zeros(4, np.float16)
    np.save(files(cache)[0], wrong)
    again = Counting()
    np.testing.assert_array_equal(cache.vectors(again, TEXTS), expected)
    assert len(again.asked) in (2, 4)
    cache.vectors(again, TEXTS)
    assert len(again.asked) in (2, 4), "it was put right on disk too"


@pytest.mark.parametrize("content", [b"", b"rubbish", "half"])
def test_a_shard_that_cannot_be_read_is_made_again(cache, content):
    expected = cache.vectors(Counting(), TEXTS)
    shard = files(cache)[0]
    whole = shard.read_bytes()
    shard.write_bytes(whole[: len(whole) // 2 + 40] if content == "half" else content)
    np.testing.assert_array_equal(cache.vectors(Counting(), TEXTS), expected)


def test_surrogates_and_empty_texts_have_a_place(cache):
    assert cache.vectors(Counting(), ["", "half \ud83d", "x"]).shape == (3, 3)


def test_unit_rows_leave_zero_alone():
    found = unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32))
    np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0]])


def test_vectors_from_a_file_are_scaled(tmp_path):
    for dtype in (np.float64, np.float32, np.float16):
        np.save(tmp_path / "v.npy", np.array([[3, 4], [0, 0], [0, 9]], dtype=dtype))
        found = read_vectors(tmp_path / "v.npy", 3)
        assert found.dtype == np.float16
        np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0], [0, 1]], atol=1e-3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (np.zeros((4, 2)), "has 4 vectors, but the corpus has 3 texts"),
        (np.zeros(3), r"of shape \(3,\), expected numbers \(text, width\)"),
        (np.zeros((3, 2), dtype=int), "holds int64"),
        (np.array([["a"], ["b"], ["c"]]), "holds <U1"),
        (np.array([[None]] * 3), "cannot be read as a .npy file"),
        (b"rubbish", "cannot be read as a .npy file"),
        (None, "cannot be read as a .npy file"),
        (b"", "cannot be read as a .npy file"),
        (
            np.full((3, 2), np.nan),
            "not a number|NaN|finite",
        ),
    ],
    ids=["length", "rank", "integers", "strings", "objects", "rubbish", "missing", "empty", "nan"],
)
def test_a_file_of_something_else_is_one_message(tmp_path, content, message):
    path = tmp_path / "v.npy"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        np.save(path, content, allow_pickle=True)
    with pytest.raises(TrainingError, match=message):
        read_vectors(path, 3)


@pytest.mark.parametrize("name", ["no-such-teacher", "./nowhere", "", "json", "os.path", "not/a/teacher", "numpy"])
def test_what_is_no_teacher_is_one_message(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HeedfulError, match="is not a teacher: expected a sentence-transformers folder"):
        open_teacher(name)


def test_the_name_of_the_running_module_is_no_teacher():
    with pytest.raises(HeedfulError, match="is not a teacher"):
        open_teacher("__main__")


def test_a_heedful_encoder_teaches_and_a_classifier_does_not(pretrained_folder, pretrained, tiny_folder):
    teacher = open_teacher(str(pretrained_folder))
    assert isinstance(teacher, HeedfulTeacher) and teacher.name == "encoder" and len(teacher.fingerprint) == 16
    np.testing.assert_allclose(teacher.encode(TEXTS), pretrained.embed(TEXTS, normalize=True), atol=1e-6)
    with pytest.raises(TrainingError, match="is a classifier; a teacher must be an encoder"):
        open_teacher(str(tiny_folder))


def test_a_package_that_holds_a_model_is_found_without_being_run(tmp_path, monkeypatch):
    home = tmp_path / "my_teacher_package"
    (home / "model").mkdir(parents=True)
    (home / "__init__.py").write_text("raise RuntimeError('was run')")
    (home / "model" / "modules.json").write_text("[]")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert teacher_module._in_package("my-teacher-package") == home / "model"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_a_sentence_transformers_model_teaches(tmp_path):
    library = pytest.importorskip("sentence_transformers")
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    from heedful.text.wordpiece import WordPieceTokeniser

    tokenizer = WordPieceTokeniser.trained(TEXTS, size=60)._tokenizer
    model = library.SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu")
    model.save(str(tmp_path / "teacher"))
    teacher = open_teacher(str(tmp_path / "teacher"))
    assert teacher.name == "teacher"
    expected = model.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(teacher.encode(TEXTS), expected, atol=1e-5)
    before = teacher.fingerprint
    assert open_teacher(str(tmp_path / "teacher")).fingerprint == before
    (tmp_path / "teacher" / "modules.json").write_text((tmp_path / "teacher" / "modules.json").read_text() + " ")
    assert open_teacher(str(tmp_path / "teacher")).fingerprint != before


@pytest.mark.parametrize("content", ["{}", "[]", "no json", '[{"idx": 0, "name": "0", "path": "", "type": "x.Y"}]'])
def test_a_folder_that_sentence_transformers_refuses_is_one_line(tmp_path, content):
    pytest.importorskip("sentence_transformers")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "modules.json").write_text(content)
    with pytest.raises(TrainingError, match="odd cannot be loaded by sentence-transformers: ") as caught:
        open_teacher(str(tmp_path / "odd"))
    assert len(str(caught.value).splitlines()) == 1


def test_a_full_disk_is_one_line(cache, limited_files):
    with limited_files(20), pytest.raises(HeedfulError, match=r"\.npy cannot be written: File too large"):
        cache.vectors(Counting(), TEXTS)
    assert list(cache.folder.iterdir()) == []
