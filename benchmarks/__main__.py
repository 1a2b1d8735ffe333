"""Run every benchmark, one after the other."""

from benchmarks import (
    accuracy,
    audit,
    embed_corpus,
    embedding,
    explain_speed,
    few_labels,
    run_speed,
    scores,
    tasks,
    train_speed,
)

if __name__ == "__main__":
    quick = (run_speed, explain_speed, embed_corpus, embedding, few_labels)
    for benchmark in (*quick, train_speed, scores, audit, accuracy, tasks):
        print(f"== {benchmark.__name__}", flush=True)
        benchmark.main()
