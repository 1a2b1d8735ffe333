"""What drives each label over a corpus, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from heedful.errors import HeedfulError, did_you_mean, listed
from heedful.explain.shown import Forms, Shown


@dataclass(frozen=True)
class WordExample:
    """An occurrence in its context, with the contribution of each word of the context to the label."""

    text: str  # the window
    spans: tuple[tuple[int, int], ...]  # of its words in `text`
    contributions: tuple[float, ...]  # of those words
    first: int  # index of the first word of the occurrence among them
    end: int  # index after its last word
    is_start: bool  # the window starts at the start of the text
    is_end: bool

    @property
    def contribution(self) -> float:
        """The contribution of the word or phrase."""
        return sum(self.contributions[self.first : self.end])


@dataclass(frozen=True)
class LabelWord:
    """A word or phrase, and its contribution to the score of a label.

    A phrase is counted where its words have contributions of the same sign and each has a fair part in the sum.
    """

    form: str
    n_words: int
    count: int  # occurrences
    n_texts: int
    mean: float  # over texts, of the mean contribution in each text
    low: float  # 95 % bootstrap interval of the mean
    high: float
    examples: tuple[WordExample, ...] = ()


@dataclass(frozen=True)
class WordsOfLabel:
    """The words and phrases that add most to the score of a label, and those that take away most."""

    label: str
    n_texts: int  # with this prediction
    bias: float
    supporting: tuple[LabelWord, ...]  # strongest first
    opposing: tuple[LabelWord, ...]


@dataclass(frozen=True)
class Shortcut:
    """A single word that decides a label almost alone."""

    word: str
    label: str
    n_texts: int  # that contain it
    n_predicted: int  # of these, with the label predicted
    n_decided: int  # of these, with another prediction without the contribution of the word
    n_label: int  # texts with the label predicted

    @property
    def sentence(self) -> str:
        """The finding in words."""
        return (
            f"“{self.word}” may be a shortcut to {self.label}: {self.n_predicted:,} of the {self.n_texts:,} texts with "
            f"this word are predicted as {self.label}, and {self.n_decided:,} of them would not be without its "
            f"contribution. It occurs in {self.n_predicted:,} of the {self.n_label:,} texts predicted as {self.label}."
        )


@dataclass(frozen=True, repr=False)
class LabelWords(Shown):
    """The words and short phrases that drive each label over a corpus, and possible shortcuts.

    Attributes:
        model: name of the model's folder.
        file: name of the file of texts.
        task: the model's task.
        is_number: whether the answer is a number, and its name the only label.
        n_texts: texts with at least one word.
        n_words: words in these texts.
        min_count: smallest number of texts that a listed word occurs in.
        n_labels: number of labels of the model.
        labels: the words of each label, the most frequent prediction first.
        shortcuts: single words that decide a label almost alone.
        n_forgotten: rare words and phrases dropped to bound memory.

    Example:
        >>> "dreadful" in model.words(texts).of("bad").supporting[0].form
        True
    """

    FORMS = Forms(
        page="heedful.show.words.page:words_page",
        fragment="heedful.show.words.page:words_fragment",
        plain="heedful.show.words.terminal:plain_words",
    )

    model: str
    file: str
    task: str
    is_number: bool
    n_texts: int
    n_words: int
    min_count: int
    n_labels: int
    labels: tuple[WordsOfLabel, ...]
    shortcuts: tuple[Shortcut, ...] = ()
    n_forgotten: int = 0

    def of(self, label: str) -> WordsOfLabel:
        """Return the words of a label.

        Args:
            label: a label.

        Returns:
            Words for and against it, the strongest first.

        Raises:
            HeedfulError: if there is no such label.

        Example:
            >>> model.words(texts).of("good").label
            'good'
        """
        names = [part.label for part in self.labels]
        if label not in names:
            raise HeedfulError(f"no label {label!r} here.{did_you_mean(label, names)} There are: {listed(names)}")
        return self.labels[names.index(label)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            All fields, with a sentence for each shortcut.

        Example:
            >>> model.words(texts).to_dict()["n_labels"]
            2
        """
        tree = {name: value for name, value in vars(self).items() if name not in ("labels", "shortcuts")}
        return {
            "format": 1,
            **tree,
            "labels": [asdict(part) for part in self.labels],
            "shortcuts": [{**asdict(shortcut), "sentence": shortcut.sentence} for shortcut in self.shortcuts],
        }
