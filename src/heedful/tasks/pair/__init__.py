"""One answer for two texts."""

from heedful.tasks.task import Task

TASK = Task(
    name="pair",
    about="one label, or a number, for two texts",
    answer="label",
    chooses_answer=True,
    model="heedful.tasks.pair.model:PairModel",
    goal="heedful.tasks.pair.goal:make_goal",
    evaluate="heedful.tasks.pair.evaluate:evaluate",
    noun="model that gives each pair of texts a {answer}",
    defaults={"head": "gated"},
    heads=("gated", "bilinear", "concat", "likeness"),
    files="heedful.tasks.pair.read",
    start_defaults={"head": "likeness"},
    start_head="heedful.tasks.pair.start:pair_settings",
    start="heedful.jobs.train.choose_start:read_start",
    explain_command="heedful.cli.shared.explain.pairs",
    n_texts=2,
)
