from __future__ import annotations

import json

import pytest

from heedful.cli.main import main

QUERY, TEXTS = "where is my parcel?", ["a lovely dinner", "the parcels came late", ""]


def lines(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_texts_are_ranked_with_parts_that_add_up(capsys):
    assert main(["rerank", "--json", "en-small", QUERY, *TEXTS]) == 0
    ranking = lines(capsys)
    assert ranking[0]["index"] == 1 and len(ranking) == 3
    for each in ranking:
        assert each["by_words"] + each["by_meaning"] == pytest.approx(each["score"], abs=1e-9)
    assert ranking[0]["matches"][0]["words"] == ["parcels"] and ranking[0]["words"][0]["adds"] > 0


@pytest.mark.parametrize("by", ["words", "meaning", "both"])
def test_the_terminal_shows_the_words(by, capsys):
    assert main(["rerank", "en-small", QUERY, *TEXTS, "-n", "1", "--by", by]) == 0
    said = capsys.readouterr().out
    assert "the parcels came late" in said and "2." not in said
    assert ("words: parcels" in said) == (by != "meaning") and ("meaning: " in said) == (by != "words")


def test_texts_of_a_file_are_ranked(tmp_path, capsys):
    file = tmp_path / "in.csv"
    file.write_text("n,message\n1,a lovely dinner\n2,the parcels came late\n")
    assert main(["rerank", "en-small", QUERY, "--file", str(file), "--text", "message", "--json", "-n", "1"]) == 0
    assert lines(capsys)[0]["text"] == "the parcels came late"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["en-small", QUERY], "give the texts to rank"),
        (["en-small", QUERY, "a", "--file", "b"], "give the texts to rank"),
        (["en-small", QUERY, "a", "-n", "0"], "n is 0, expected at least 1"),
        (["no-such", QUERY, "a"], "no-such"),
    ],
)
def test_faults_are_one_message_and_exit_2(arguments, said, capsys):
    assert main(["rerank", *arguments]) == 2
    assert said in capsys.readouterr().err
