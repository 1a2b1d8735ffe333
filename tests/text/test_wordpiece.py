import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.data.read import read_texts
from heedful.data.samples.customer_messages import messages_path
from heedful.errors import ModelFolderError
from heedful.text.wordpiece import PAD_FORM, UNKNOWN_FORM, WordPieceTokeniser

TEXTS = [text for _, text in read_texts(messages_path("dev"))]
TRAINED = WordPieceTokeniser.trained(TEXTS, size=600)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(ANY_TEXT | st.sampled_from(TEXTS))
def test_places_are_inside_the_text_and_in_order(text):
    tokens = TRAINED.tokens(text)
    starts = [token.start for token in tokens]
    assert starts == sorted(starts)
    assert all(0 <= token.start <= token.end <= len(text) for token in tokens)
    assert [token.word for token in tokens] == sorted(token.word for token in tokens)


@given(st.sampled_from(TEXTS))
def test_pieces_are_the_text_and_their_words_fold_back(text):
    tokens = TRAINED.tokens(text)
    assert all(t.form.removeprefix("##") == text[t.start : t.end].lower() for t in tokens if t.form != UNKNOWN_FORM)
    first_of_word = [i == 0 or token.word != tokens[i - 1].word for i, token in enumerate(tokens)]
    assert first_of_word == [not token.form.startswith("##") for token in tokens]


@given(ANY_TEXT | st.sampled_from(TEXTS))
def test_ids_go_with_tokens_and_json_gives_the_same_back(text):
    again = WordPieceTokeniser.from_json(TRAINED.to_json())
    assert again.ids(text).tolist() == TRAINED.ids(text).tolist()
    assert again.tokens(text) == TRAINED.tokens(text)
    assert len(TRAINED.ids(text)) == len(TRAINED.tokens(text))
    assert all(0 < i < len(TRAINED) for i in TRAINED.ids(text))


def test_the_same_texts_give_the_same_pieces():
    assert len(TRAINED) == 600
    assert WordPieceTokeniser.trained(iter(TEXTS), size=600).to_json() == TRAINED.to_json()


@pytest.mark.parametrize("name", [PAD_FORM, UNKNOWN_FORM, "##e"])
def test_names_of_the_reserved_ids_mean_nothing_in_a_text(name):
    text = f"the {name} was late"
    tokens = TRAINED.tokens(text)
    assert 0 not in TRAINED.ids(text)
    assert name not in [text[token.start : token.end] for token in tokens]  # its marks are tokens, as in any text


def test_case_is_a_choice():
    assert TRAINED.ids("THE Box").tolist() == TRAINED.ids("the box").tolist()
    cased = WordPieceTokeniser.trained(["The the THE"] * 5, size=50, lowercase=False)
    assert len({tuple(cased.ids(word)) for word in ("The", "the", "THE")}) == 3


def test_an_unseen_character_makes_its_word_unknown():
    assert [(t.form, t.start, t.end) for t in TRAINED.tokens("the 猫")] == [("the", 0, 3), (UNKNOWN_FORM, 4, 5)]
    assert TRAINED.ids("猫").tolist() == [1]


@pytest.mark.parametrize("text", ["", "not json", "{}", '{"words": []}'])
def test_a_broken_file_is_one_message(text):
    with pytest.raises(ModelFolderError, match=r"tokenizer\.json is not readable"):
        WordPieceTokeniser.from_json(text)
