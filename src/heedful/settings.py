"""The settings: each with its default, what it is, and what values are right."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from heedful.network.encoders.parts import ENCODERS
from heedful.network.heads.parts import HEADS
from heedful.network.poolers.parts import POOLERS
from heedful.network.scores.parts import SCORES

GRAPH_ENCODERS = tuple(name for name, part in ENCODERS.items() if part.needs_neighbours)
BEST, LAST = "best", "last"


def setting(
    default: Any,
    about: str,
    *,
    choices: Collection[str] = (),  # of parts, their table: a part that is added to it can be chosen
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare a setting with its default, what it is, and what values are right."""
    return field(default=default, metadata={"about": about, "choices": choices, "low": low, "high": high})


@dataclass(frozen=True)
class DataSettings:
    """Which file, which columns, and how much is kept back."""

    train: str | None = setting(None, "file of labelled examples to learn from")
    valid: str | None = setting(
        None, "file for choosing the best epoch; without it a part of the training file is used"
    )
    text: str | None = setting(None, "name of the column with the text (of pairs, two with a comma between)")
    label: str | None = setting(
        None, "name of the column with the answer; several with commas: each yes, no or unknown"
    )
    answer: str = setting("label", "what the answer to a pair is", choices=("label", "number"))
    valid_share: float = setting(
        0.1, "part of the training file kept back where there is no valid file", low=0.01, high=0.5
    )
    skip_bad: bool = setting(False, "leave out rows that cannot be read, and say how many and why")
    stream: bool = setting(False, "read the file again in each epoch instead of holding it: for files beyond memory")
    shuffle_rows: int = setting(
        50_000, "when streaming: rows that are held at a time, and mixed", low=1, high=100_000_000
    )


@dataclass(frozen=True)
class TextSettings:
    """From text to tokens to numbers."""

    tokens: str = setting("words", "what a token is", choices=("words", "subwords"))
    lowercase: bool = setting(True, "treat Word and word as one")
    vocab_size: int = setting(50_000, "how many different tokens the model knows", low=3, high=2_000_000)
    min_count: int = setting(1, "how often a word must occur to be known", low=1, high=1_000_000_000)
    max_tokens: int = setting(1_000, "tokens read of each text; the rest is cut off", low=1, high=1_000_000)
    vectors: str | None = setting(None, "file of word vectors to start from (GloVe, word2vec, fastText)")
    tune_vectors: bool = setting(True, "let training change the word vectors")
    one_hot: bool = setting(
        False, "words are one-hot: a 1 in a place of its own, and nothing learned about them before"
    )
    letters: int = setting(
        0, "width of what a tagger learns from the letters of each word; 0 leaves letters out", low=0, high=1_024
    )


@dataclass(frozen=True)
class SourceSettings:
    """Inputs that are not texts."""

    rate: int = setting(
        0, "samples of sound in a second; 0 takes the lowest of the training files, at most 16,000", low=0, high=192_000
    )
    n_mels: int = setting(40, "bands of a sound's spectrum", low=4, high=256)
    reach: str = setting("neighbours", "whom a node or an atom may look at", choices=("neighbours", "all"))
    surroundings: int = setting(
        0, "how many bonds around an atom are looked up as words are, as patterns; 0 leaves them out", low=0, high=4
    )
    edges: str | None = setting(None, "file of a graph's edges, where the nodes are the rows of the training file")
    features: str | None = setting(
        None, "columns of a node's features, with commas; by themselves all that are numbers"
    )
    split: str | None = setting(None, "column that says train, dev or test, in a file of nodes")


@dataclass(frozen=True)
class ModelSettings:
    """The network: embed, encode, attend, answer."""

    embed_width: int = setting(100, "width of a token's vector (a vectors file brings its own)", low=1, high=65_536)
    encoder: str = setting(
        "bilstm",
        "what gives tokens their context; the last two are for graphs and molecules",
        choices=ENCODERS,
    )
    units: int = setting(
        100,
        "LSTM units in each direction (u), CNN filters for each kernel size, or the transformer's width",
        low=1,
        high=16_384,
    )
    n_layers: int = setting(2, "layers of the transformer", low=1, high=64)
    n_heads: int = setting(4, "heads in each layer of the transformer", low=1, high=256)
    self_score: str = setting(
        "scaled_dot",
        "how well one token fits another in the transformer",
        choices=SCORES,
    )
    places: bool = setting(True, "tell the transformer where in the sequence each token stands")
    inner_units: int = setting(400, "units of the fully connected part of a transformer's layer", low=1, high=65_536)
    keep_words: bool = setting(False, "keep each token's own vector beside its state")
    count: bool = setting(False, "keep each state also times their number: weights that sum to 1 cannot count")
    whole: bool = setting(False, "show the encoder the sum of all vectors beside each: neighbours see only a part")
    kernel_sizes: tuple[int, ...] = setting((3, 4, 5), "widths of the CNN's windows, in tokens", low=1, high=1_000)
    pooler: str = setting("structured", "how states become the embedding", choices=POOLERS)
    score: str = setting(
        "additive",
        "how well a token fits a hop of structured attention; additive is the paper's",
        choices=SCORES,
    )
    n_hops: int = setting(8, "rows of attention (r)", low=1, high=4_096)
    attention_width: int = setting(100, "width inside the attention (d_a)", low=1, high=16_384)
    penalty: float = setting(0.01, "coefficient of ‖AAᵀ − I‖² (Eq. 8), which keeps hops apart", low=0.0, high=1e6)
    head: str = setting(
        "pruned",
        "the layer that answers; an encoder of texts has vector, a tagger tag, pairs gated, concat or likeness",
        choices=HEADS,
    )
    vector_width: int = setting(384, "numbers in the vector of a text (heads mapped and vector)", low=1, high=65_536)
    hidden: int = setting(512, "units of the full head", low=1, high=65_536)
    row_units: int = setting(25, "units of the pruned head for each row of M (p)", low=1, high=4_096)
    column_units: int = setting(4, "units of the pruned head for each column of M (q)", low=1, high=4_096)
    gate_units: int = setting(32, "units for each hop of the gated head (k)", low=1, high=4_096)
    crf: bool = setting(False, "let a tagger weigh which tag follows which")
    decoder_units: int = setting(256, "LSTM units of a translator's decoder", low=1, high=16_384)
    smoothing: float = setting(0.1, "share of a translator's truth given to all other tokens", low=0.0, high=0.9)
    dropout: float = setting(0.4, "share of numbers dropped while training", low=0.0, high=0.95)
    input_dropout: float | None = setting(
        None, "share dropped of the vectors that come in; without it as dropout", low=0.0, high=0.95
    )
    attention_dropout: float | None = setting(
        None, "share dropped of the weights among neighbours; without it as dropout", low=0.0, high=0.95
    )


@dataclass(frozen=True)
class TrainSettings:
    """How the network learns."""

    optimiser: str = setting("adam", "how weights are changed", choices=("adam", "adamw", "sgd", "adagrad"))
    lr: float = setting(3e-3, "learning rate", low=1e-15, high=1e6)
    schedule: str = setting("linear", "how the learning rate falls", choices=("constant", "linear", "cosine"))
    warmup: float = setting(0.05, "part of the steps in which the learning rate rises", low=0.0, high=0.9)
    batch_size: int = setting(0, "texts in a step; 0 chooses by how many texts there are", low=0, high=1_000_000)
    epochs: int = setting(
        0, "passes over the training texts, at most; 0 chooses by how many texts there are", low=0, high=1_000_000
    )
    patience: int = setting(5, "epochs without a better figure before stopping", low=1, high=1_000_000)
    figure: str = setting("accuracy", "what the best epoch is best at", choices=("accuracy", "macro_f1", "roc_auc"))
    keep: str = setting(
        BEST,
        "which epoch's weights are kept: the best on dev, or the last where dev is too small to choose",
        choices=(BEST, LAST),
    )
    average: float = setting(
        0.0,
        "how much of the mean of earlier weights is kept at each step, such as 0.99; 0 takes the weights as they are",
        low=0.0,
        high=0.99999,
    )
    clip: float = setting(1.0, "largest norm of a gradient; 0 for no limit", low=0.0, high=1e9)
    l2: float = setting(
        0.0,
        "weight decay: part of the gradient, but with adamw apart from it, times the learning rate",
        low=0.0,
        high=1e6,
    )
    word_dropout: float = setting(0.05, "share of tokens read as unknown while training", low=0.0, high=0.9)
    miss_cost: float = setting(
        0.0, "how much dearer than others a span is that a tagger misses, in units of its scores", low=0.0, high=1e6
    )
    other_case: float = setting(
        0.0, "share of a tagger's training texts that it also reads in lower case or in capitals", low=0.0, high=1.0
    )
    class_weights: str = setting("none", "give rare labels more weight", choices=("none", "balanced"))
    start: str = setting(
        "auto", "encoder to begin from: a folder, en-base, or none; auto is en-base for English and a default network"
    )
    tune: str = setting(
        "auto",
        "what is trained when beginning from an encoder: all of it, or the answer only; auto goes by how many texts",
        choices=("auto", "all", "answer"),
    )
    seed: int = setting(0, "same seed, same model", low=0, high=2**32 - 1)
    device: str = setting(
        "auto", "where to train; auto takes a GPU if torch finds one", choices=("auto", "cpu", "cuda")
    )
    threads: int = setting(0, "CPU threads; 0 chooses by the size of the model", low=0, high=1_024)
    checkpoint_minutes: float = setting(5.0, "time between checkpoints inside an epoch", low=0.0, high=1e6)


@dataclass(frozen=True)
class EncodeSettings:
    """How an encoder of texts learns: from a teacher, or from pairs of texts that belong together."""

    teacher: str | None = setting(None, "folder or package of the teacher, or a .npy file of its vectors")
    pairs: str | None = setting(None, "two columns whose texts belong together, such as question,answer")
    likeness: float = setting(
        5.0, "weight of the error in the likeness of pairs, beside that of single vectors", low=0.0, high=1e6
    )
    ranking: float = setting(1.0, "weight of errors in which of the other texts are nearest", low=0.0, high=1e6)
    near: int = setting(
        1, "texts of a step come in groups of so many that the teacher finds near each other", low=1, high=1_000_000
    )
    kept_texts: int = setting(
        2_000, "texts or pairs kept back for checking, at most a tenth", low=1, high=1_000_000_000
    )
    temperature: float = setting(0.05, "by which likenesses are divided when texts compete", low=0.001, high=10.0)
    small: bool = setting(True, "keep one byte for each number of the table of tokens, and two for others")
