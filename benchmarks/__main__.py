"""Run every benchmark, one after the other."""

from benchmarks import (
    accuracy,
    audit,
    classifiers,
    embed_corpus,
    embedding,
    explain_speed,
    few_labels,
    first_half_hour,
    languages,
    penalty_audit,
    rivals,
    run_speed,
    scale,
    scores,
    serve,
    soak,
    tasks,
    together,
    train_speed,
    unlabelled,
    wide_speed,
)

if __name__ == "__main__":
    quick = (
        first_half_hour,
        run_speed,
        explain_speed,
        embed_corpus,
        embedding,
        few_labels,
        rivals,
        unlabelled,
        wide_speed,
    )
    slow = (
        serve,
        soak,
        together,
        scale,
        train_speed,
        scores,
        audit,
        penalty_audit,
        languages,
        accuracy,
        classifiers,
        tasks,
    )
    for benchmark in (*quick, *slow):
        print(f"== {benchmark.__name__}", flush=True)
        benchmark.main()
