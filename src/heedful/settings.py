"""The settings: each with its default, a description and its valid values."""

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
# Settings that matter most, in the order in which help and editors list them.
FIRST = (
    "text", "label", "valid", "valid_share", "start", "tune", "teacher", "encoder", "n_hops", "head", "max_tokens",
    "epochs", "lr", "class_weights", "figure", "seed", "threads",
)  # fmt: skip


def setting(
    default: Any,
    about: str,
    *,
    choices: Collection[str] = (),  # of parts, their table: a part that is added to it can be chosen
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare a setting with its default, a description and its valid values."""
    return field(default=default, metadata={"about": about, "choices": choices, "low": low, "high": high})


@dataclass(frozen=True)
class DataSettings:
    """The files, their columns and the validation set."""

    train: str | None = setting(None, "file of labelled training examples")
    valid: str | None = setting(None, "file of validation examples; by default a part of the training file")
    unlabelled: str | None = setting(
        None, "file of texts without labels, for the teacher to label; without a teacher, to learn vectors from"
    )
    text: str | None = setting(
        None, "name of the text column; several names, separated by commas, are joined; for pairs the two texts"
    )
    label: str | None = setting(
        None, "name of the label column; several names, separated by commas, for multilabel data"
    )
    answer: str = setting("label", "what a pair model predicts", choices=("label", "number"))
    valid_share: float = setting(
        0.1, "share of the training file used for validation if there is no valid file", low=0.01, high=0.5
    )
    sep: str | None = setting(None, "separator of csv files, such as ; or tab; by default detected")
    encoding: str | None = setting(None, "encoding of text files, such as cp1252; by default detected")
    header: bool | None = setting(None, "whether the first row of a table has the column names; by default it has")
    sheet: str | None = setting(None, "sheet of an Excel file; by default the first")
    skip_bad: bool = setting(False, "skip rows that cannot be read, and report how many and why")
    stream: bool = setting(False, "read the file again in each epoch: for files larger than memory")
    shuffle_rows: int = setting(
        50_000, "when streaming: number of rows in memory, which are shuffled together", low=1, high=100_000_000
    )


@dataclass(frozen=True)
class TextSettings:
    """From text to tokens to numbers."""

    tokens: str = setting("words", "what a token is", choices=("words", "subwords", "imported"))
    lowercase: bool = setting(True, "ignore case: Word and word are the same token")
    vocab_size: int = setting(50_000, "largest number of tokens in the vocab", low=3, high=2_000_000)
    min_count: int = setting(1, "smallest number of occurrences of a word in the vocab", low=1, high=1_000_000_000)
    max_tokens: int = setting(1_000, "longest text in tokens; longer texts are truncated", low=1, high=1_000_000)
    vectors: str | None = setting(None, "file of word vectors to start from (GloVe, word2vec, fastText)")
    tune_vectors: bool = setting(True, "train the word vectors too")
    one_hot: bool = setting(False, "represent words as one-hot vectors instead of learned ones")
    ngrams: int = setting(
        -1,
        "largest number of character and word n-grams whose weights are added to the scores; 0 for none, -1 chooses",
        low=-1,
        high=10_000_000,
    )
    min_texts: int = setting(
        0, "training texts that an n-gram must occur in; 0 chooses by cross-validation", low=0, high=1_000_000
    )
    letters: int = setting(0, "width of a tagger's character features; 0 for none", low=0, high=1_024)


@dataclass(frozen=True)
class SourceSettings:
    """Inputs that are not texts."""

    rate: int = setting(
        0, "sample rate of audio in Hz; 0 takes the lowest of the training files, at most 16,000", low=0, high=192_000
    )
    n_mels: int = setting(40, "number of mel bands of a spectrogram", low=4, high=256)
    reach: str = setting(
        "neighbours", "which nodes or atoms a node or an atom may attend to", choices=("neighbours", "all")
    )
    surroundings: int = setting(
        0, "radius in bonds of the atom environments that are learned like words; 0 for none", low=0, high=4
    )
    edges: str | None = setting(None, "file of a graph's edges; its nodes are the rows of the training file")
    features: str | None = setting(
        None, "columns of node features, separated by commas; by default all numeric columns"
    )
    split: str | None = setting(None, "column of a file of nodes that holds train, dev or test")


@dataclass(frozen=True)
class ModelSettings:
    """The network: embed, encode, attend, answer."""

    embed_width: int = setting(100, "width of token vectors; a vectors file sets its own", low=1, high=65_536)
    encoder: str = setting(
        "bilstm",
        "layer that adds context to tokens; the last two are for graphs and molecules",
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
        "score function of the transformer's self-attention",
        choices=SCORES,
    )
    places: bool = setting(True, "add positional encodings in the transformer")
    inner_units: int = setting(400, "units of the feed-forward part of a transformer layer", low=1, high=65_536)
    n_positions: int = setting(512, "rows in the table of positions of a bert encoder", low=1, high=65_536)
    n_distances: int = setting(
        0, "largest distance in the table of relative positions of a bert encoder; 0 for no table", low=0, high=4_096
    )
    norm_epsilon: float = setting(
        1e-12, "added to the variance in the normalisations of a bert encoder", low=1e-15, high=0.1
    )
    pool_special: bool = setting(True, "let the pooler read special tokens such as [CLS] and [SEP]")
    unit_vectors: bool = setting(True, "let encode scale the vectors of an encoder to length 1")
    keep_words: bool = setting(False, "append each token's own vector to its state")
    context_dropout: float = setting(
        0.0,
        "with keep_words: share of the training inputs that are answered from their words alone, without context",
        low=0.0,
        high=0.95,
    )
    count: bool = setting(
        False, "append each state multiplied by the sequence length: attention weights sum to 1 and cannot encode size"
    )
    whole: bool = setting(False, "append the sum of all vectors to each vector: neighbours are only a part of a graph")
    kernel_sizes: tuple[int, ...] = setting((3, 4, 5), "kernel sizes of the CNN, in tokens", low=1, high=1_000)
    pooler: str = setting("structured", "how states are pooled into rows", choices=POOLERS)
    score: str = setting(
        "additive",
        "score function of structured attention; additive is the paper's",
        choices=SCORES,
    )
    n_hops: int = setting(8, "rows of attention (r)", low=1, high=4_096)
    attention_width: int = setting(100, "width inside the attention (d_a)", low=1, high=16_384)
    penalty: float = setting(0.01, "coefficient of ‖AAᵀ − I‖² (Eq. 8), which makes hops differ", low=0.0, high=1e6)
    head: str = setting(
        "linear",
        "output layer; with linear and mapped every score is a sum over tokens. Encoders have vector, taggers tag, "
        "pair models gated, bilinear (every score is a sum over words and pairs of words), concat or likeness",
        choices=HEADS,
    )
    vector_width: int = setting(384, "width of a text's vector (heads mapped and vector)", low=1, high=65_536)
    hidden: int = setting(512, "units of the full head", low=1, high=65_536)
    row_units: int = setting(25, "units of the pruned head for each row of M (p)", low=1, high=4_096)
    column_units: int = setting(4, "units of the pruned head for each column of M (q)", low=1, high=4_096)
    gate_units: int = setting(32, "units for each hop of the gated and the bilinear head (k)", low=1, high=4_096)
    crf: bool = setting(False, "learn the transitions between the tags of a tagger")
    decoder_units: int = setting(256, "LSTM units of a translator's decoder", low=1, high=16_384)
    smoothing: float = setting(0.1, "label smoothing of a translator", low=0.0, high=0.9)
    dropout: float = setting(0.4, "dropout rate", low=0.0, high=0.95)
    input_dropout: float | None = setting(
        None, "dropout rate of the input vectors; by default that of dropout", low=0.0, high=0.95
    )
    attention_dropout: float | None = setting(
        None, "dropout rate of the attention weights among neighbours; by default that of dropout", low=0.0, high=0.95
    )


@dataclass(frozen=True)
class TrainSettings:
    """How the network learns."""

    optimiser: str = setting("adam", "optimizer", choices=("adam", "adamw", "sgd", "adagrad"))
    lr: float = setting(3e-3, "learning rate", low=1e-15, high=1e6)
    schedule: str = setting("linear", "schedule of the learning rate", choices=("constant", "linear", "cosine"))
    warmup: float = setting(0.05, "share of the steps in which the learning rate rises", low=0.0, high=0.9)
    batch_size: int = setting(0, "texts in a batch; 0 chooses by the number of texts", low=0, high=1_000_000)
    epochs: int = setting(0, "largest number of epochs; 0 chooses by the number of texts", low=0, high=1_000_000)
    patience: int = setting(5, "epochs without improvement before early stopping", low=1, high=1_000_000)
    figure: str = setting("accuracy", "metric that chooses the best epoch", choices=("accuracy", "macro_f1", "roc_auc"))
    keep: str = setting(
        BEST,
        "epoch whose weights are kept: the best on dev, or the last if dev is too small to choose by",
        choices=(BEST, LAST),
    )
    average: float = setting(
        0.0,
        "decay of the moving average of the weights, such as 0.99; 0 for no average",
        low=0.0,
        high=0.99999,
    )
    clip: float = setting(1.0, "largest norm of the gradients; 0 for no limit", low=0.0, high=1e9)
    l2: float = setting(
        0.0,
        "weight decay; with adamw decoupled from the gradient",
        low=0.0,
        high=1e6,
    )
    word_dropout: float = setting(0.05, "share of tokens replaced by the unknown token in training", low=0.0, high=0.9)
    miss_cost: float = setting(0.0, "extra margin in the loss for missed spans, in score units", low=0.0, high=1e6)
    other_case: float = setting(
        0.0, "share of a tagger's training texts that are repeated in lower case or in capitals", low=0.0, high=1.0
    )
    class_weights: str = setting("none", "give rare labels more weight", choices=("none", "balanced"))
    start: str = setting(
        "auto",
        "encoder to start from: a folder, en-base, or none; auto compares en-base with n-grams by cross-validation",
    )
    compare: bool = setting(True, "with start auto: compare starts by cross-validation; otherwise go by the language")
    tune: str = setting(
        "auto",
        "what to train when starting from an encoder: all, the hops and the head (hops), or only the head (answer); "
        "contrast and contrast-hops first make vectors of texts with the same label similar; auto goes by the number "
        "of texts, and with few of them by cross-validation",
        choices=("auto", "all", "hops", "answer", "contrast", "contrast-hops"),
    )
    seed: int = setting(0, "same seed, same model", low=0, high=2**32 - 1)
    device: str = setting(
        "auto", "device to train on; auto takes a GPU if torch has one", choices=("auto", "cpu", "cuda")
    )
    threads: int = setting(0, "CPU threads; 0 chooses by the size of the model", low=0, high=1_024)
    checkpoint_minutes: float = setting(5.0, "minutes between checkpoints within an epoch", low=0.0, high=1e6)


@dataclass(frozen=True)
class EncodeSettings:
    """How an encoder of texts is trained: from a teacher, or from pairs of texts that belong together."""

    teacher: str | None = setting(
        None,
        "folder of an encoder or a model to learn the task from; to distill an encoder, its folder or package, or a "
        ".npy file of vectors",
    )
    variations: int = setting(
        -1,
        "variations of each training text that the teacher labels too; -1 chooses by the number of texts",
        low=-1,
        high=10_000,
    )
    pairs: str | None = setting(None, "two columns whose texts belong together, such as question,answer")
    likeness: float = setting(
        5.0, "weight of the error in the similarity of pairs, relative to that of single vectors", low=0.0, high=1e6
    )
    ranking: float = setting(1.0, "weight of the error in the ranking of the nearest texts", low=0.0, high=1e6)
    near: int = setting(
        1, "size of the groups of texts in a batch that are similar to the teacher", low=1, high=1_000_000
    )
    kept_texts: int = setting(
        2_000, "texts or pairs in the validation set, at most a tenth of all", low=1, high=1_000_000_000
    )
    temperature: float = setting(0.05, "temperature of the contrastive loss", low=0.001, high=10.0)
    small: bool = setting(True, "quantize the token table to 8 bits, other weights to 16 bits")
