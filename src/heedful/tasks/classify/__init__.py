"""One label for each input."""

from heedful.tasks.task import (
    AUDIT,
    BATCH,
    EMBED,
    EXPLAIN,
    FLIP,
    HOPS,
    PREDICT,
    STEPS,
    STREAM,
    TEACH,
    WORDS_BESIDE_STATES,
    Task,
)

TASK = Task(
    name="classify",
    about="one label for each input",
    answer="label",
    model="heedful.tasks.classify.model:Classifier",
    goal="heedful.tasks.classify.goal:make_goal",
    evaluate="heedful.tasks.classify.evaluate:evaluate",
    can=frozenset({PREDICT, EXPLAIN, EMBED, FLIP, AUDIT, HOPS, STEPS, STREAM, BATCH, TEACH}),
    by_input={"text": WORDS_BESIDE_STATES},
    start="heedful.jobs.train.choose_start:read_start",
)
