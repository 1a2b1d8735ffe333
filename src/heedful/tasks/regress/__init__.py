"""A number for each input."""

from heedful.tasks.task import BATCH, EMBED, EXPLAIN, HOPS, PREDICT, STEPS, STREAM, TEACH, WORDS_BESIDE_STATES, Task

TASK = Task(
    name="regress",
    about="a number for each input",
    answer="number",
    model="heedful.tasks.regress.model:Regressor",
    goal="heedful.tasks.regress.goal:make_goal",
    evaluate="heedful.tasks.regress.evaluate:evaluate",
    noun="model that gives each {input} a number",
    can=frozenset({PREDICT, EXPLAIN, EMBED, HOPS, STEPS, STREAM, BATCH, TEACH}),
    by_input={"text": WORDS_BESIDE_STATES},
    start="heedful.jobs.train.choose_start:read_start",
)
