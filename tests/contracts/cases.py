"""The layers under contract: one line each."""

from heedful.layers.beside import Beside
from heedful.layers.bilstm import BiLstm
from heedful.layers.cnn import Cnn
from heedful.layers.heads import FullHead, MappedHead, PrunedHead, VectorHead
from heedful.layers.pooling import LastPooler, MaxPooler, MeanPooler
from heedful.layers.static import StaticEncoder
from heedful.layers.structured_attention import StructuredAttention
from heedful.layers.transformer import Transformer

WIDTH, HOPS, CLASSES = 8, 4, 3

ENCODERS = {
    "static": lambda: StaticEncoder(WIDTH),
    "bilstm": lambda: BiLstm(WIDTH, 5),
    "cnn": lambda: Cnn(WIDTH, 5, kernel_sizes=(2, 3, 4)),
    "transformer": lambda: Transformer(WIDTH, 6, n_layers=2, n_heads=2, inner=10),
    "bilstm beside the words": lambda: Beside(BiLstm(WIDTH, 5), WIDTH),
}
POOLERS = {
    "structured": lambda: StructuredAttention(WIDTH, n_hops=HOPS, attention_width=6),
    "mean": MeanPooler,
    "max": MaxPooler,
    "last": lambda: LastPooler(bidirectional=False),
    "last of both": lambda: LastPooler(bidirectional=True),
}
HEADS = {
    "full": lambda: FullHead(HOPS, WIDTH, CLASSES, hidden=7),
    "pruned": lambda: PrunedHead(HOPS, WIDTH, CLASSES, row_units=3, column_units=2),
    "mapped": lambda: MappedHead(HOPS, WIDTH, CLASSES, vector_width=6),
    "vector": lambda: VectorHead(HOPS, WIDTH, CLASSES),
}
