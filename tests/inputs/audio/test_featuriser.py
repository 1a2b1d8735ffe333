from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from heedful.config import Config
from heedful.data.batch import pad
from heedful.errors import DataError, HeedfulError, ModelFolderError
from heedful.inputs.audio.featuriser import SoundFeaturiser, stretches
from heedful.inputs.audio.log_mel import log_mel


def noise(n, seed=0):
    return (0.1 * np.random.default_rng(seed).normal(size=n)).astype(np.float32)


@pytest.fixture
def path(tmp_path):
    soundfile.write(tmp_path / "a.wav", noise(20_000), 8000, subtype="FLOAT")
    return tmp_path / "a.wav"


def test_a_path_and_its_samples_give_the_same_vectors(path):
    featuriser = SoundFeaturiser(rate=8000)
    (vectors,) = featuriser.features(path).arrays.values()
    assert np.array_equal(vectors, log_mel(noise(20_000), 8000))
    for same in (str(path), (noise(20_000), 8000)):
        assert np.array_equal(featuriser.features(same).arrays["vectors"], vectors)
    assert featuriser.shape.width == featuriser.width == vectors.shape[1] == 40
    assert featuriser.shape.names == ("vectors",)


def test_sounds_of_other_rates_give_nearly_the_same(path):
    seconds = np.arange(44_100) / 44_100
    chirp = np.sin(2 * np.pi * (300 + 1000 * seconds) * seconds) * np.hanning(44_100)
    featuriser = SoundFeaturiser(rate=8000)
    # A rate that is no multiple of the other has its samples at other places: made again, not cut out.
    other = np.arange(8000) / 8000
    same = np.sin(2 * np.pi * (300 + 1000 * other) * other) * np.interp(other, seconds, np.hanning(44_100))
    ours, theirs = (featuriser.features(one).arrays["vectors"] for one in ((chirp, 44_100), (same, 8000)))
    loud = theirs > 0.5
    assert loud.any() and np.abs(ours - theirs)[loud].max() < 0.1


@given(st.integers(1, 3_000), st.sampled_from([0.05, 0.1, 0.25, 1.0]))
def test_stretches_hold_every_frame_once_and_are_named_by_their_start(frames, stretch):
    names, sizes = stretches(frames, stretch)
    assert sum(sizes) == frames and min(sizes) >= 1 and len(set(names)) == len(names)
    starts = np.cumsum([0, *sizes[:-1]]) * 0.01
    assert [float(name) for name in names] == pytest.approx(starts, abs=0.0051)
    assert max(sizes) <= round(stretch * 100)


def test_a_second_has_ten_stretches_and_a_short_sound_shorter_ones():
    names, sizes = stretches(98)
    assert list(names) == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"]
    assert sizes == [10] * 9 + [8]
    assert list(stretches(45)[0][:3]) == ["0.00", "0.05", "0.10"]
    assert stretches(1) == (["0.00"], [1])


def test_parts_stand_where_they_say_and_have_all_frames(path):
    featuriser = SoundFeaturiser(rate=8000)
    text, spans, sizes = featuriser.parts(path)
    assert [text[a:b] for a, b in spans][:3] == ["0.0", "0.1", "0.2"]
    assert sum(sizes) == len(featuriser.features(path)) == 249


@pytest.mark.parametrize("rate", [8000, 11_075, 16_000])
@pytest.mark.parametrize("most", [1, 50, 2_000])
def test_a_long_sound_is_cut_at_max_tokens(rate, most):
    featuriser, long = SoundFeaturiser(rate=rate, max_tokens=most), (noise(60_000), 22_050)
    cut = most < 270
    assert len(featuriser.features(long)) == sum(featuriser.parts(long).sizes) == (most if cut else 271)
    assert featuriser.is_cut(long) is cut


def test_what_comes_after_the_cut_changes_nothing():
    featuriser = SoundFeaturiser(rate=8000, max_tokens=100)
    samples = noise(44_100 * 3)
    changed = samples.copy()
    changed[44_100 * 2 :] *= 100
    ours, theirs = (featuriser.features((one, 44_100)).arrays["vectors"] for one in (samples, changed))
    assert np.array_equal(ours, theirs)


def test_sounds_of_different_lengths_make_a_batch():
    featuriser = SoundFeaturiser(rate=8000)
    items = [featuriser.features((noise(n), 8000)) for n in (50, 4000, 2000)]
    batch = pad(items, [0, 1, 2])
    assert batch.inputs["vectors"].shape == (3, 49, 40) and batch.lengths.tolist() == [1, 49, 24]
    assert not batch.inputs["vectors"][2, 24:].any()


def test_it_is_learned_at_the_rate_of_the_files_or_the_one_asked_for(path):
    config = Config().changed(input="audio")
    assert SoundFeaturiser.learned([path], config).rate == 8000
    found = SoundFeaturiser.learned([path], config.changed(rate=16_000, n_mels=20, max_tokens=70))
    assert (found.rate, found.n_mels, found.max_tokens) == (16_000, 20, 70)


def test_written_and_read_it_is_the_same(path):
    one = SoundFeaturiser(rate=11_025, n_mels=30, max_tokens=77, stretch=0.05, by_band=True)
    two = SoundFeaturiser.from_json(one.to_json())
    assert vars(one) == vars(two)
    assert np.array_equal(one.features(path).arrays["vectors"], two.features(path).arrays["vectors"])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "audio"}', '{"kind": "text", "rate": 8000}', "[" * 100_000])
def test_a_broken_file_of_the_model_folder_is_one_message(text):
    with pytest.raises(ModelFolderError, match=r"input\.json is not readable"):
        SoundFeaturiser.from_json(text)


def test_settings_that_do_not_fit_say_what_would(path):
    for settings, reason in (
        ({"rate": 10}, "rate is 10, expected 1,000 to 384,000"),
        ({"n_mels": 0}, "n_mels is 0, expected 1 to 256"),
        ({"max_tokens": 10**9}, "max_tokens is 1000000000, expected 1 to 1,000,000"),
        ({"stretch": "long"}, "stretch is 'long'"),
    ):
        with pytest.raises(HeedfulError, match=reason):
            SoundFeaturiser(**settings)
    with pytest.raises(ModelFolderError, match="rate is 10"):
        SoundFeaturiser.from_json(SoundFeaturiser().to_json().replace("16000", "10"))


def test_a_fault_of_a_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.wav: no such file"):
        SoundFeaturiser().features(tmp_path / "none.wav")


def test_soundfile_is_not_needed_until_a_file_is_read():
    made = "import sys, numpy as np; from heedful.inputs.audio.featuriser import SoundFeaturiser as S; "
    run = "S().features((np.zeros(9), 8000)); assert 'soundfile' not in sys.modules and 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", made + run], check=True)
