"""The layers under contract: one line each."""

from heedful.network.encoders.bilstm import BiLstm
from heedful.network.encoders.cnn import Cnn
from heedful.network.encoders.static import StaticEncoder
from heedful.network.encoders.transformer import Transformer
from heedful.network.heads.heads import FullHead, MappedHead, PrunedHead, VectorHead
from heedful.network.heads.tag_head import TagHead
from heedful.network.poolers.hop_attention import HopAttention
from heedful.network.poolers.mean_max_last import LastPooler, MaxPooler, MeanPooler
from heedful.network.poolers.structured_attention import StructuredAttention
from heedful.network.scores import Additive, Content, Dot, General, Location, ScaledDot
from heedful.network.wrappers.global_sum import Whole
from heedful.network.wrappers.keep_input import Beside
from heedful.network.wrappers.scale_by_length import Counted

WIDTH, HOPS, CLASSES = 8, 4, 3

ENCODERS = {
    "static": lambda: StaticEncoder(WIDTH),
    "bilstm": lambda: BiLstm(WIDTH, 5),
    "cnn": lambda: Cnn(WIDTH, 5, kernel_sizes=(2, 3, 4)),
    "transformer": lambda: Transformer(WIDTH, 6, n_layers=2, n_heads=2, inner=10),
    "bilstm beside the words": lambda: Beside(BiLstm(WIDTH, 5), WIDTH),
    "bilstm that counts": lambda: Counted(BiLstm(WIDTH, 5)),
    "transformer that sees the whole": lambda: Whole(
        Transformer(2 * WIDTH, 6, n_layers=2, n_heads=2, inner=10, places=False)
    ),
}
POOLERS = {
    "structured": lambda: StructuredAttention(WIDTH, n_hops=HOPS, attention_width=6),
    "hops, additive": lambda: HopAttention(Additive(5, WIDTH, width=6), n_hops=HOPS),
    "hops, dot": lambda: HopAttention(Dot(WIDTH, WIDTH), n_hops=HOPS),
    "hops, scaled dot": lambda: HopAttention(ScaledDot(WIDTH, WIDTH), n_hops=HOPS),
    "hops, general": lambda: HopAttention(General(5, WIDTH), n_hops=HOPS),
    "hops, content": lambda: HopAttention(Content(WIDTH, WIDTH), n_hops=HOPS),
    "hops, location": lambda: HopAttention(Location(5, width=6), n_hops=HOPS),
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
    "tag": lambda: TagHead(WIDTH, CLASSES, hidden=7),
}
