"""Any number of labels for each input."""

from heedful.tasks.task import AUDIT, BATCH, EMBED, EXPLAIN, HOPS, PREDICT, STEPS, TEACH, WORDS_BESIDE_STATES, Task

TASK = Task(
    name="multilabel",
    setting="classify",  # the labels of the data tell which of the two it is
    about="any number of labels for each input, each yes or no",
    answer="labels",
    model="heedful.tasks.multilabel.model:MultilabelClassifier",
    goal="heedful.tasks.multilabel.goal:make_goal",
    evaluate="heedful.tasks.multilabel.evaluate:evaluate",
    can=frozenset({PREDICT, EXPLAIN, EMBED, AUDIT, HOPS, STEPS, BATCH, TEACH}),
    by_input={"text": WORDS_BESIDE_STATES},
    start="heedful.jobs.train.choose_start:read_start",
)
