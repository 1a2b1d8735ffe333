"""A vector for each text."""

from heedful.tasks.task import AUDIT, EMBED, HOPS, SIMILARITY, STEPS, Task

TASK = Task(
    name="embed",
    about="a vector for each text",
    answer="vector",
    model="heedful.tasks.embed.model:Encoder",
    goal="heedful.tasks.embed.distill:make_goal",
    evaluate="heedful.tasks.embed.evaluate:evaluate",
    can=frozenset({EMBED, SIMILARITY, STEPS, HOPS, AUDIT}),
    sections=("encode",),
    card="heedful.store.cards.card:encoder_card",
)
