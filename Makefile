# Everything runs in .venv, made here on first use with the pinned versions of constraints.txt: what the demo needs, and
# then what development needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO_READY := $(VENV)/.demo-ready
READY := $(VENV)/.ready
# Tests that run beside each other.
JOBS ?= 2
PAGE := "src/heedful/serve/ui/**/*.{js,html}"
PAGE_READY := node_modules/.ready

# Tests start some hundred processes: none has to compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-quick check check-page page-types bench clean

demo: $(DEMO_READY)
	$(BIN)/heedful demo --out demo

test: check
	$(BIN)/pytest -n $(JOBS)

# The tests that neither train a model nor start processes.
test-quick: $(READY)
	$(BIN)/pytest -n $(JOBS) -m "not slow"

# The quick part of `make test`: lint and types, those of the page's JavaScript too where node is installed.
check: $(READY) check-page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check-page:
	@if command -v node > /dev/null && command -v npm > /dev/null; then $(MAKE) --no-print-directory page-types; \
	else echo "node or npm is not installed: the checks of the page's JavaScript are skipped"; fi

page-types: $(PAGE_READY)
	node_modules/.bin/tsc
	node_modules/.bin/prettier --check --log-level warn $(PAGE)

$(PAGE_READY): package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	touch $(PAGE_READY)

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
	rm -rf $(VENV) node_modules build dist src/*.egg-info
