"""A sequence in another language for each text."""

from heedful.tasks.task import Task

TASK = Task(
    name="translate",
    about="a text in another language for each text",
    answer="text",
    model="heedful.tasks.translate.model:Translator",
    goal="heedful.tasks.translate.goal:make_goal",
    evaluate="heedful.tasks.translate.evaluate:evaluate",
    defaults={
        "tokens": "subwords",
        "lowercase": False,
        "vocab_size": 4_000,
        "max_tokens": 200,
        "embed_width": 256,
        "units": 128,
        "decoder_units": 256,
        "score": "general",
        "dropout": 0.25,
        "penalty": 0.0,
        "lr": 2e-3,
        "word_dropout": 0.0,
    },
    files="heedful.tasks.translate.read",
    featuriser="heedful.tasks.translate.read:TwoLanguages",
    learn="heedful.tasks.translate.goal:learn_featuriser",
    network="heedful.tasks.translate.goal:make_network",
    graphs="heedful.tasks.translate.parity:make_graphs",
    more_files=("decoder.onnx",),
    card="heedful.tasks.translate.card:translator_card",
    explain_command="heedful.cli.shared.explain.translation",
)
