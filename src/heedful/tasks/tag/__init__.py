"""A label for each token or node."""

from heedful.tasks.task import Task

TASK = Task(
    name="tag",
    about="a label for each word or node",
    answer="tags",
    model="heedful.tasks.tag.model:Tagger",
    goal="heedful.tasks.tag.goal:make_goal",
    evaluate="heedful.tasks.tag.evaluate:evaluate",
    noun="tagger of each part of a {input}",
    defaults={"pooler": "each", "head": "tag", "penalty": 0.0, "score": "general", "letters": 100},
    by_input={
        # Few nodes have a label, so few weights and much dropout: the numbers of Veličković et al. 2018.
        "graph": {
            "encoder": "graph_attention",
            "n_layers": 1,
            "units": 64,
            "n_heads": 8,
            "dropout": 0.6,
            "lr": 5e-3,
            "l2": 5e-4,
            "schedule": "constant",
            "warmup": 0.0,
            "epochs": 300,
            "patience": 100,
        },
    },
    needs={"pooler": "each", "head": "tag"},
    heads=("tag",),
    files="heedful.tasks.tag.read",
    featuriser="heedful.tasks.tag.featuriser:WordCharFeaturiser",
    learn="heedful.tasks.tag.vocab:learn_featuriser",
    start="heedful.jobs.train.choose_start:read_tag_start",
    starts_by_itself=False,
    explain_command="heedful.cli.shared.explain.tags",
)
