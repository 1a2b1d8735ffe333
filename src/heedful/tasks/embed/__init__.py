"""A vector for each text."""

from heedful.tasks.task import EMBED, SIMILARITY, STEPS, Task

TASK = Task(
    name="embed",
    about="a vector for each text",
    answer="vector",
    model="heedful.tasks.embed.model:Encoder",
    can=frozenset({EMBED, SIMILARITY, STEPS}),
    sections=("encode",),
    card="heedful.store.cards.card:encoder_card",
)
