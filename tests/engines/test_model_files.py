import numpy as np
import pytest

from heedful.engines.model_files import digest, load_files, read_files


def test_a_model_that_travelled_gives_the_same_vectors(tiny_folder, tiny_model):
    files = read_files(tiny_folder)
    assert {"README.md", "history.jsonl"} & {file.name for file in tiny_folder.iterdir()}, (
        "there is nothing to leave out"
    )
    assert "README.md" not in files
    far = load_files(files, "tiny", keep=False)
    assert far.path.name == "tiny" and not far.path.exists()
    np.testing.assert_array_equal(far.embed(["the parcel was great"]), tiny_model.embed(["the parcel was great"]))


def test_a_model_that_is_to_be_explained_keeps_its_weights(tiny_folder):
    far = load_files(read_files(tiny_folder), "tiny", keep=True)
    assert far.explain("the parcel was great", methods="gradient").effects


@pytest.mark.parametrize(
    ("name", "matters"), [("README.md", ()), ("audit.json", ("explain",)), ("model.onnx", ("embed", "explain"))]
)
def test_the_digest_changes_with_what_answers_depend_on(tiny_copy, name, matters):
    before = {command: digest(read_files(tiny_copy), command) for command in ("embed", "explain")}
    (tiny_copy / name).write_bytes(b"other")
    after = {command: digest(read_files(tiny_copy), command) for command in ("embed", "explain")}
    assert {command for command in before if before[command] != after[command]} == set(matters)
