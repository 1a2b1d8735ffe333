"""Sound files: frames of log-mel bands."""

from heedful.inputs.input import Input, Wording

INPUT = Input(
    name="audio",
    wording=Wording("sounds", "stretch", "stretches", "frames"),
    featuriser="heedful.inputs.audio.featuriser:SoundFeaturiser",
    picture="heedful.inputs.audio.picture:picture_of",
    columns=("path", "file", "filename", "audio", "sound", "wav", "recording"),
    endings=(".wav", ".flac", ".ogg"),
    is_path=True,
    is_scaled=True,
    extra="audio",
)
