"""What the command can be told, by flag, by environment, and by mistake."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields

import pytest

from heedful.cli.commands.serve import add_arguments, open_indexes, settings_of
from heedful.cli.main import main
from heedful.errors import ConfigError, HeedfulError
from heedful.serve.models import ModelRegistry, named_folders
from heedful.serve.settings import KEY, ServeSettings, available_cores

OTHER = {
    "host": "0.0.0.0", "port": "9000", "workers": "3", "batch_tokens": "7", "wait_ms": "2.5", "queue_tokens": "9",
    "queue_requests": "21", "queue_seconds": "4.5",
    "queue_calls": "5", "held_mb": "3", "max_body_mb": "0.5", "max_texts": "11",
    "max_tokens": "12", "max_explained": "13",
    "explain_tokens": "14", "gradients": "yes", "request_seconds": "3.5", "load_seconds": "4.5", "watch_seconds": "5.5",
    "allowed_host": "a.example",
    "body_seconds": "1.5", "idle_seconds": "16", "connections": "17", "drain_seconds": "1.8",
    "stop_seconds": "19", "api_key_file": "keys.txt", "cors": "https://a.example", "watch": "yes", "log_level": "debug",
}  # fmt: skip
NAMES = [each.name for each in fields(ServeSettings)]


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    import os

    for name in list(os.environ):
        if name.startswith("HEEDFUL_"):
            monkeypatch.delenv(name)


def settings(*flags):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_of(parser.parse_args(flags))


def flag(name, value):
    start = "--" + name.replace("_", "-")
    return [start] if name in ("watch", "gradients") else [start, value]


def test_every_setting_is_tried_here():
    assert set(OTHER) == set(NAMES)


def test_a_setting_is_a_flag_and_a_variable_and_the_flag_wins(monkeypatch):
    for name in NAMES:
        variable = "HEEDFUL_" + name.upper()
        by_default, by_flag = getattr(settings(), name), getattr(settings(*flag(name, OTHER[name])), name)
        assert by_flag != by_default, name
        with monkeypatch.context() as patch:
            patch.setenv(variable, OTHER[name])
            assert getattr(settings(), name) == by_flag, name
            if name not in ("watch", "gradients"):
                patch.setenv(variable, "info" if name == "log_level" else "77")
                assert getattr(settings(*flag(name, OTHER[name])), name) == by_flag, name


def test_a_flag_wins_over_a_variable_that_is_wrong(monkeypatch):
    monkeypatch.setenv("HEEDFUL_PORT", "http")
    assert settings("--port", "0").port == 0


@pytest.mark.parametrize(("text", "expected"), [("yes", True), ("1", True), ("TRUE", True), ("no", False), ("", False)])
def test_yes_and_no_may_be_said_in_several_ways(monkeypatch, text, expected):
    monkeypatch.setenv("HEEDFUL_WATCH", text)
    assert settings().watch is expected


def test_all_that_is_wrong_is_said_at_once(monkeypatch):
    monkeypatch.setenv("HEEDFUL_MAX_TEXTS", "many")
    monkeypatch.setenv("HEEDFUL_WATCH", "perhaps")
    with pytest.raises(ConfigError) as told:
        settings("--port", "70000", "--batch-tokens", "0", "--log-level", "loud", "--wait-ms", "nan")
    said = str(told.value)
    for each in (
        "max_texts is 'many'",
        "watch is 'perhaps'",
        "port is 70000",
        "batch_tokens is 0",
        "'loud'",
        "wait_ms",
    ):
        assert each in said
    assert len(told.value.faults) == 6


@pytest.mark.parametrize("bad", ["-1", "x", "", "inf", "nan", "1e400", "0x10"])
def test_a_number_that_is_none_is_said(bad):
    numbers = [name for name in NAMES if type(getattr(ServeSettings(), name)) in (int, float)]
    assert len(numbers) > 15
    for name in numbers:
        with pytest.raises(ConfigError, match=name):
            settings(flag(name, bad)[0] + "=" + bad)


def test_a_mistake_is_one_message(capsys):
    assert main(["serve", "en-tiny", "--port", "http"]) == 2
    assert capsys.readouterr().err == "heedful: serve: port is 'http', expected a whole number\n"
    assert main(["serve"]) == 2
    assert "which model?" in capsys.readouterr().err
    assert main(["serve", "en-tony"]) == 2
    assert "en-tiny" in capsys.readouterr().err


def test_it_listens_only_to_this_machine_unless_told():
    assert settings().host == "127.0.0.1"


def test_keys_come_from_the_environment_and_a_file(tmp_path):
    file = tmp_path / "keys"
    file.write_text("one\n\n  two \n", encoding="utf-8")
    told = ServeSettings(api_key_file=str(file))
    assert told.keys({KEY: " three "}) == (b"three", b"one", b"two")
    assert told.keys({}) == (b"one", b"two")
    assert ServeSettings().keys({}) == ()


def test_a_key_of_several_words_is_one_key(tmp_path):
    file = tmp_path / "keys"
    file.write_text("a long sentence\nanother\n", encoding="utf-8")
    found = ServeSettings(api_key_file=str(file)).keys({KEY: "open sesame"})
    assert found == (b"open sesame", b"a long sentence", b"another")


def test_a_key_need_not_be_text():
    assert ServeSettings().keys({KEY: "a\udcff"}) == (b"a\xff",)  # as the environment gives bytes that are not UTF-8


@pytest.mark.parametrize("key", ["", " ", "\n"])
def test_an_empty_key_is_no_key(key, tmp_path):
    with pytest.raises(HeedfulError, match=f"{KEY} is empty"):
        ServeSettings().keys({KEY: key})
    file = tmp_path / "keys"
    file.write_text(key)
    with pytest.raises(HeedfulError, match="keys is empty"):
        ServeSettings(api_key_file=str(file)).keys({})
    with pytest.raises(HeedfulError, match="keys is empty"):
        ServeSettings(api_key_file=str(file)).keys({KEY: "good"})


def test_a_file_of_keys_that_cannot_be_read_is_said(tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xff")
    for name in ("none", "bytes", "."):
        with pytest.raises(HeedfulError, match="cannot be read as a file of keys"):
            ServeSettings(api_key_file=str(tmp_path / name)).keys({})


def test_models_are_named_by_their_folders_or_as_told(tiny_folder):
    folder = str(tiny_folder)
    assert named_folders([folder, f"mine={folder}", "en-tiny"]) == {
        "tiny": folder,
        "mine": folder,
        "en-tiny": "en-tiny",
    }


def test_two_models_of_one_name_are_refused(tiny_folder):
    with pytest.raises(HeedfulError, match="two models are named tiny: say NAME="):
        named_folders([str(tiny_folder), f"tiny={tiny_folder}"])


def test_two_indexes_of_one_name_are_refused(index_folder):
    given = [str(index_folder), f"mine={index_folder}"]
    assert list(open_indexes(given)) == ["reviews", "mine"]
    with pytest.raises(HeedfulError, match="two indexes are named reviews: say NAME="):
        open_indexes([*given, f"reviews={index_folder}"])


@pytest.mark.slow
def test_a_model_that_reads_files_is_refused(tmp_path):
    from heedful.config import Config
    from heedful.jobs.train.train import train_model

    soundfile = pytest.importorskip("soundfile")
    import numpy as np

    rng = np.random.default_rng(0)
    lines = ["path,label"]
    for i in range(12):
        soundfile.write(tmp_path / f"{i}.wav", rng.normal(0, 0.1, 4000), 16_000)
        lines.append(f"{i}.wav,{'ab'[i % 2]}")
    (tmp_path / "train.csv").write_text("\n".join(lines) + "\n")
    small = {"units": 4, "n_hops": 2, "attention_width": 4, "epochs": 1, "batch_size": 4}
    train_model(Config().with_given(**small, input="audio", train=str(tmp_path / "train.csv")), tmp_path / "model")
    with pytest.raises(HeedfulError, match="reads audio, which comes from files"):
        ModelRegistry({"sounds": str(tmp_path / "model")})


def test_what_is_not_installed_is_said(monkeypatch, capsys):
    for module in ("fastapi", "uvicorn", "httptools", "orjson", "prometheus_client"):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, module, None)
            assert main(["serve", "en-tiny"]) == 2
        assert 'pip install "heedful[serve]"' in capsys.readouterr().err


@pytest.mark.slow
def test_models_and_settings_may_all_come_from_the_environment(tiny_folder):
    from tests.serve.running import Running

    env = {"HEEDFUL_MODELS": f"mine={tiny_folder}, en-tiny", "HEEDFUL_MAX_TEXTS": "2", "HEEDFUL_PORT": "0"}
    with Running("--port", "0", env=env) as server:
        assert server.get("/ready").json["models"] == ["mine", "en-tiny"]
        assert server.post("/predict", {"input": ["a"] * 2}).status == 200
        assert "at most 2" in server.post("/predict", {"input": ["a"] * 3}).error["message"]


@pytest.mark.slow
def test_pages_of_other_origins_may_call_only_where_told(start, server):
    ask = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    for method, path in (("OPTIONS", "/predict"), ("GET", "/health")):
        assert "access-control-allow-origin" not in server.ask(method, path, headers=ask).headers
    told = start("--cors", "https://a.example/, https://b.example", key="k")
    asked = {**ask, "Access-Control-Request-Headers": "authorization,content-type"}
    found = told.ask("OPTIONS", "/predict", headers=asked)
    assert (found.status, found.headers["access-control-allow-origin"]) == (200, "https://a.example")
    assert "authorization" in found.headers["access-control-allow-headers"].lower()
    assert told.get("/health", Origin="https://b.example").headers["access-control-allow-origin"] == "https://b.example"
    assert "access-control-allow-origin" not in told.get("/health", Origin="https://c.example").headers
    told.key = "wrong"  # an error is also theirs to read
    found = told.ask("POST", "/predict", {"input": "a"}, {"Origin": "https://a.example"})
    assert (found.status, found.headers["access-control-allow-origin"]) == (401, "https://a.example")


@pytest.mark.parametrize(("said", "expected"), [("50000 100000", 1), ("100000000 100000", None), ("max 100000", None)])
def test_a_container_is_not_given_more_workers_than_cores(tmp_path, said, expected):
    (tmp_path / "cpu.max").write_text(said + "\n")
    bare = available_cores(tmp_path / "nothing")
    assert available_cores(tmp_path / "cpu.max") == (expected or bare)


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path):
    file = tmp_path / "keys.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert ServeSettings(api_key_file=str(file)).keys({}) == (b"one", b"two")


def test_names_may_be_given_several_times_and_with_commas():
    assert settings("--allowed-host", "A.example., b.example", "--allowed-host", ".c").allowed_hosts == (
        "a.example",
        "b.example",
        ".c",
    )
