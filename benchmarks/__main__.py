"""Run every benchmark, one after the other."""

from benchmarks import accuracy, embed_corpus, embedding, few_labels, run_speed, train_speed

if __name__ == "__main__":
    for benchmark in (run_speed, embed_corpus, embedding, few_labels, train_speed, accuracy):
        print(f"== {benchmark.__name__}", flush=True)
        benchmark.main()
