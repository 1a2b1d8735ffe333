"""The settings of `heedful.train` as keywords, for editors and type checkers.

Written from `heedful/settings.py` by `python -m tests.api.settings_source`.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class Settings(TypedDict, total=False):
    """Keywords of `heedful.train`. The first ones matter most."""

    text: str | None
    """Name of the text column; several names, separated by commas, are joined; for pairs the two texts."""
    label: str | None
    """Name of the label column; several names, separated by commas, for multilabel data."""
    valid_share: float
    """Share of the training file used for validation if there is no valid file."""
    start: str
    """Encoder to start from: a folder, en-base, or none; auto compares en-base with n-grams by cross-validation."""
    tune: Literal["auto", "all", "hops", "answer", "contrast", "contrast-hops"]
    """What to train when starting from an encoder: all, the hops and the head (hops), or only the head (answer);
    contrast and contrast-hops first make vectors of texts with the same label similar; auto goes by the number of
    texts, and with few of them by cross-validation."""
    encoder: Literal["bilstm", "cnn", "static", "transformer", "bert", "neighbours", "graph_attention"]
    """Layer that adds context to tokens; the last two are for graphs and molecules."""
    n_hops: int
    """Rows of attention (r)."""
    head: Literal["linear", "pruned", "full", "mapped", "vector", "tag", "gated", "bilinear", "concat", "likeness"]
    """Output layer; with linear and mapped every score is a sum over tokens. Encoders have vector, taggers tag, pair
    models gated, bilinear (every score is a sum over words and pairs of words), concat or likeness."""
    max_tokens: int
    """Longest text in tokens; longer texts are truncated."""
    epochs: int
    """Largest number of epochs; 0 chooses by the number of texts."""
    lr: float
    """Learning rate."""
    class_weights: Literal["none", "balanced"]
    """Give rare labels more weight."""
    figure: Literal["accuracy", "macro_f1", "roc_auc"]
    """Metric that chooses the best epoch."""
    seed: int
    """Same seed, same model."""
    threads: int
    """CPU threads; 0 chooses by the size of the model."""
    task: Literal["classify", "regress", "tag", "pair", "translate"]
    """What to predict."""
    input: Literal["text", "audio", "molecule", "graph", "vectors"]
    """Kind of input."""
    unlabelled: str | None
    """File of texts without labels, for the teacher to label; without a teacher, to learn vectors from."""
    answer: Literal["label", "number"]
    """What a pair model predicts."""
    sep: str | None
    """Separator of csv files, such as ; or tab; by default detected."""
    encoding: str | None
    """Encoding of text files, such as cp1252; by default detected."""
    header: bool | None
    """Whether the first row of a table has the column names; by default it has."""
    sheet: str | None
    """Sheet of an Excel file; by default the first."""
    skip_bad: bool
    """Skip rows that cannot be read, and report how many and why."""
    stream: bool
    """Read the file again in each epoch: for files larger than memory."""
    shuffle_rows: int
    """When streaming: number of rows in memory, which are shuffled together."""
    tokens: Literal["words", "subwords", "imported"]
    """What a token is."""
    lowercase: bool
    """Ignore case: Word and word are the same token."""
    vocab_size: int
    """Largest number of tokens in the vocab."""
    min_count: int
    """Smallest number of occurrences of a word in the vocab."""
    vectors: str | None
    """File of word vectors to start from (GloVe, word2vec, fastText)."""
    tune_vectors: bool
    """Train the word vectors too."""
    one_hot: bool
    """Represent words as one-hot vectors instead of learned ones."""
    ngrams: int
    """Largest number of character and word n-grams whose weights are added to the scores; 0 for none, -1 chooses."""
    min_texts: int
    """Training texts that an n-gram must occur in; 0 chooses by cross-validation."""
    letters: int
    """Width of a tagger's character features; 0 for none."""
    rate: int
    """Sample rate of audio in Hz; 0 takes the lowest of the training files, at most 16,000."""
    n_mels: int
    """Number of mel bands of a spectrogram."""
    reach: Literal["neighbours", "all"]
    """Which nodes or atoms a node or an atom may attend to."""
    surroundings: int
    """Radius in bonds of the atom environments that are learned like words; 0 for none."""
    edges: str | None
    """File of a graph's edges; its nodes are the rows of the training file."""
    features: str | None
    """Columns of node features, separated by commas; by default all numeric columns."""
    split: str | None
    """Column of a file of nodes that holds train, dev or test."""
    embed_width: int
    """Width of token vectors; a vectors file sets its own."""
    units: int
    """LSTM units in each direction (u), CNN filters for each kernel size, or the transformer's width."""
    n_layers: int
    """Layers of the transformer."""
    n_heads: int
    """Heads in each layer of the transformer."""
    self_score: Literal["additive", "dot", "scaled_dot", "general", "content", "location"]
    """Score function of the transformer's self-attention."""
    places: bool
    """Add positional encodings in the transformer."""
    inner_units: int
    """Units of the feed-forward part of a transformer layer."""
    n_positions: int
    """Rows in the table of positions of a bert encoder."""
    n_distances: int
    """Largest distance in the table of relative positions of a bert encoder; 0 for no table."""
    norm_epsilon: float
    """Added to the variance in the normalisations of a bert encoder."""
    pool_special: bool
    """Let the pooler read special tokens such as [CLS] and [SEP]."""
    unit_vectors: bool
    """Let encode scale the vectors of an encoder to length 1."""
    keep_words: bool
    """Append each token's own vector to its state."""
    context_dropout: float
    """With keep_words: share of the training inputs that are answered from their words alone, without context."""
    count: bool
    """Append each state multiplied by the sequence length: attention weights sum to 1 and cannot encode size."""
    whole: bool
    """Append the sum of all vectors to each vector: neighbours are only a part of a graph."""
    kernel_sizes: tuple[int, ...]
    """Kernel sizes of the CNN, in tokens."""
    pooler: Literal["structured", "mean", "first", "max", "last", "each"]
    """How states are pooled into rows."""
    score: Literal["additive", "dot", "scaled_dot", "general", "content", "location"]
    """Score function of structured attention; additive is the paper's."""
    attention_width: int
    """Width inside the attention (d_a)."""
    penalty: float
    """Coefficient of ‖AAᵀ − I‖² (Eq. 8), which makes hops differ."""
    vector_width: int
    """Width of a text's vector (heads mapped and vector)."""
    hidden: int
    """Units of the full head."""
    row_units: int
    """Units of the pruned head for each row of M (p)."""
    column_units: int
    """Units of the pruned head for each column of M (q)."""
    gate_units: int
    """Units for each hop of the gated and the bilinear head (k)."""
    crf: bool
    """Learn the transitions between the tags of a tagger."""
    decoder_units: int
    """LSTM units of a translator's decoder."""
    smoothing: float
    """Label smoothing of a translator."""
    dropout: float
    """Dropout rate."""
    input_dropout: float | None
    """Dropout rate of the input vectors; by default that of dropout."""
    attention_dropout: float | None
    """Dropout rate of the attention weights among neighbours; by default that of dropout."""
    optimiser: Literal["adam", "adamw", "sgd", "adagrad"]
    """Optimizer."""
    schedule: Literal["constant", "linear", "cosine"]
    """Schedule of the learning rate."""
    warmup: float
    """Share of the steps in which the learning rate rises."""
    batch_size: int
    """Texts in a batch; 0 chooses by the number of texts."""
    patience: int
    """Epochs without improvement before early stopping."""
    keep: Literal["best", "last"]
    """Epoch whose weights are kept: the best on dev, or the last if dev is too small to choose by."""
    average: float
    """Decay of the moving average of the weights, such as 0.99; 0 for no average."""
    clip: float
    """Largest norm of the gradients; 0 for no limit."""
    l2: float
    """Weight decay; with adamw decoupled from the gradient."""
    word_dropout: float
    """Share of tokens replaced by the unknown token in training."""
    miss_cost: float
    """Extra margin in the loss for missed spans, in score units."""
    other_case: float
    """Share of a tagger's training texts that are repeated in lower case or in capitals."""
    compare: bool
    """With start auto: compare starts by cross-validation; otherwise go by the language."""
    device: Literal["auto", "cpu", "cuda"]
    """Device to train on; auto takes a GPU if torch has one."""
    checkpoint_minutes: float
    """Minutes between checkpoints within an epoch."""
    variations: int
    """Variations of each training text that the teacher labels too; -1 chooses by the number of texts."""
    pairs: str | None
    """Two columns whose texts belong together, such as question,answer."""
    likeness: float
    """Weight of the error in the similarity of pairs, relative to that of single vectors."""
    ranking: float
    """Weight of the error in the ranking of the nearest texts."""
    near: int
    """Size of the groups of texts in a batch that are similar to the teacher."""
    kept_texts: int
    """Texts or pairs in the validation set, at most a tenth of all."""
    temperature: float
    """Temperature of the contrastive loss."""
    small: bool
    """Quantize the token table to 8 bits, other weights to 16 bits."""
