import pytest

from heedful.data.columns import label_column, text_column
from heedful.errors import DataError


def found(columns, *, text=None, label=None):
    """Find both, as read_examples does."""
    name = label_column("f.csv", columns, label, text=text)
    return text_column("f.csv", columns, text, label=name), name


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["text", "label"], ("text", "label")),
        (["label", "text"], ("text", "label")),
        (["Review", "Stars"], ("Review", "Stars")),
        (["id", "sentence", "sentiment"], ("sentence", "sentiment")),
        (["sentence", "kind"], ("sentence", "kind")),
        (["phrase", "label"], ("phrase", "label")),
        (["text", "message", "label", "topic"], ("text", "label")),
        (["", "text", "label"], ("text", "label")),
    ],
)
def test_columns_that_leave_no_doubt_are_found(columns, expected):
    assert found(columns) == expected


def test_what_was_asked_for_wins_over_names():
    assert found(["text", "note", "label", "kind"], text="note", label="kind") == ("note", "kind")


def test_the_other_of_two_columns_is_found_when_one_is_asked_for():
    assert found(["a", "b"], text="b") == ("b", "a")
    assert found(["a", "b"], label="b") == ("a", "b")


def test_labels_in_doubt_are_named_with_the_setting():
    with pytest.raises(DataError, match=r"which column is the label.*topic and feeling could both be.*Set label to"):
        found(["text", "topic", "feeling"])


def test_texts_in_doubt_are_named_with_the_setting():
    with pytest.raises(DataError, match=r"which column is the text.*review and comment could both be.*Set text to"):
        found(["review", "comment", "label"])


def test_names_that_say_nothing_are_all_listed():
    with pytest.raises(DataError, match=r"The columns are a, b, c; none is clearly the text. Set text to the name"):
        text_column("f.csv", ["a", "b", "c"], None)


@pytest.mark.parametrize("setting", ["text", "label"])
def test_a_column_that_is_not_there_is_an_error_with_the_nearest(setting):
    with pytest.raises(
        DataError, match=rf"no column 'reviw' \(setting {setting}\).*columns are review, stars. Did you mean rev"
    ):
        found(["review", "stars"], **{setting: "reviw"})


def test_a_misspelt_text_column_is_named_before_the_label_is_in_doubt():
    with pytest.raises(DataError, match="no column 'txet'"):
        found(["text", "topic", "feeling"], text="txet")


def test_one_column_is_a_text_but_not_an_example():
    assert text_column("f.txt", ["anything"], None) == "anything"
    with pytest.raises(
        DataError, match="no column is left for the label; expected one for the text and one for the label"
    ):
        found(["text"])


def test_text_and_label_cannot_be_the_same_column():
    with pytest.raises(DataError, match="'a' cannot be both"):
        found(["a", "b"], text="a", label="a")
