# Everything runs in .venv, made here on first use with the pinned versions of constraints.txt: what the demo needs, and
# then what development needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO_READY := $(VENV)/.demo-ready
READY := $(VENV)/.ready
# Tests that run beside each other.
JOBS ?= 2

# Tests start some hundred processes: none is to compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check bench clean

demo: $(DEMO_READY)
	$(BIN)/heedful demo --out demo

test: check
	$(BIN)/pytest -n $(JOBS)

# The quick part of `make test`: lint, format and types.
check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Needs ../shared/data, and takes hours; each benchmark can be run on its own (see benchmarks/README.md).
bench: $(READY)
	$(BIN)/pip install --quiet -c constraints.txt -e ".[bench]"
	$(BIN)/python -m benchmarks

$(DEMO_READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -c constraints.txt torch
	@$(BIN)/python -W ignore -c "import torch; v = torch.version; print(f'note: torch {torch.__version__} is a GPU build. It works, but the CPU build would save about 4.5 GB: install that into $(VENV) first.') if v.cuda or v.hip else print(f'torch {torch.__version__}: a CPU build')"
	$(BIN)/pip install --quiet -c constraints.txt -e ".[demo]"
	touch $(DEMO_READY)

$(READY): $(DEMO_READY)
	$(BIN)/pip install --quiet -c constraints.txt -e ".[dev]"
	touch $(READY)

clean:
	rm -rf $(VENV) build dist src/*.egg-info
