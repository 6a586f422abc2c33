# Two commands on a fresh machine (Python 3.11+ and make): `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SEMANTIC ?=
EXTRAS ?=
DEMO ?= demo
# One more than there are processors: tests wait for the screen a quarter of their time.
WORKERS := $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

.PHONY: demo test samples clean

# The core only: what a person needs to try Curator.
$(VENV)/.core: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

# The `semantic` extra. torch first and pinned, so that a CPU build that pip already has is taken.
$(VENV)/.semantic: $(VENV)/.core
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[semantic]'
	touch $@

# Everything that the tests need.
$(VENV)/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.core $(VENV)/.semantic

# The engines that read hard pages: 420 MB, OpenCV with its GL libraries among them.
$(VENV)/.engines: $(VENV)/.dev
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[ocr,tables]'
	touch $@

demo: $(VENV)/.core $(if $(SEMANTIC),$(VENV)/.semantic)  ## the whole main job on the samples, then the app
	$(BIN)/curator demo $(DEMO)

# Tests start many programs: what they load is compiled once, also where the environment keeps no bytecode.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev $(if $(EXTRAS),$(VENV)/.engines)  ## every check and every test
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -q

samples: $(VENV)/.dev  ## write the sample documents and cases anew
	$(BIN)/python -m datasets.build
	$(BIN)/python -m datasets.build_cases

clean:
	rm -rf $(VENV) $(DEMO) .pytest_cache .mypy_cache .ruff_cache
