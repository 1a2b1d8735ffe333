"""The smallest set of words whose removal changes the prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heedful.errors import HeedfulError
from heedful.explain.attention.explain import check_can_explain
from heedful.explain.attention.explanation import Word
from heedful.explain.attention.flip_search import MOST_WORDS, search_of
from heedful.explain.attention.model_input import answers, read
from heedful.explain.shown import Forms, Shown
from heedful.runtime.model import Model
from heedful.tasks.task import FLIP


@dataclass(frozen=True, repr=False)
class Flip(Shown):
    """Words whose removal changes the answer; none if no such set was found.

    Attributes:
        text: the text.
        label: the answer.
        probability: of the answer.
        words: the words to remove.
        new_label: the answer without them.
        new_probability: of that answer.
        is_smallest: whether all smaller sets were tried.

    Example:
        >>> flip = model.flip("the soup was lovely")
        >>> [word.text for word in flip.words], flip.new_label
        (['lovely'], 'bad')
    """

    FORMS = Forms(
        page="heedful.show.flips.page:flip_page",
        fragment="heedful.show.flips.page:flip_fragment",
        plain="heedful.show.flips.terminal:plain_flip",
    )

    text: str
    label: str
    probability: float
    words: tuple[Word, ...]
    new_label: str
    new_probability: float
    is_smallest: bool

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        if not self.text.strip():
            return "There are no words to leave out."
        if not self.words and self.is_smallest:
            return f"Whatever is left out, this would still be {self.label}."
        if not self.words:
            return (
                f"No words were found without which this would not be {self.label}; the search ends after "
                f"{MOST_WORDS} words or some seconds."
            )
        named = [f"“{word.text}”" for word in self.words]
        listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
        surely = "" if self.is_smallest else " A smaller set may exist: not all were tried."
        return f"Without {listed} this would be {self.new_label} ({self.new_probability:.2f}).{surely}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            Words, new label and probability, and the sentence.

        Example:
            >>> model.flip("the soup was lovely").to_dict()["new_label"]
            'bad'
        """
        return {
            "words": [{"text": w.text, "start": w.start, "end": w.end} for w in self.words],
            "new_label": self.new_label,
            "new_probability": self.new_probability,
            "is_smallest": self.is_smallest,
            "sentence": self.sentence,
        }


def find_flip(model: Model, source: Any) -> Flip:
    """Find the smallest set of words that changes the answer: by contributions, or by trying all sets of a size."""
    check_can_explain(model)
    if FLIP not in model.can:
        raise HeedfulError(f"{model.path.name} {model.does}: there is no other label to change it to")
    reading = read(model, source)
    own = answers(model, [reading.features])[0]
    chosen, is_smallest = search_of(model, reading, int(own.argmax())).smallest() if reading.words else ((), True)
    new = answers(model, [reading.without(chosen)])[0] if chosen else own
    return Flip(
        text=reading.text,
        label=model.labels[int(own.argmax())],
        probability=float(own.max()),
        words=tuple(reading.words[i] for i in sorted(chosen)),
        new_label=model.labels[int(new.argmax())],
        new_probability=float(new.max()),
        is_smallest=is_smallest,
    )
