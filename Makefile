# make demo: the north star, headless.  make test: everything the default tests need, then the tests.
# Each makes .venv on first use; a second call goes straight to the work.
PYTHON ?= python3
VENV   ?= .venv
OUT    ?= build/demo
# make test TESTS=tests/data ARGS=-x
TESTS  ?= tests
ARGS   ?=
JOBS   ?= 2

BIN := $(VENV)/bin
RUN := OMP_NUM_THREADS=2 PYTHONDONTWRITEBYTECODE=1
# The whole suite runs in JOBS processes, a file's tests in one of them; 0: in this one.
SIDE_BY_SIDE := -n $(JOBS) --dist loadfile
NBVAL := $(if $(wildcard notebooks/*.ipynb),--nbval --nbval-current-env notebooks)
NBVAL += $(if $(wildcard notebooks/sanitize.cfg),--nbval-sanitize-with notebooks/sanitize.cfg)

.PHONY: help demo test test-all test-browser lab bench lint format labextension labextension-test live clean
help:
	@echo "make demo      run the north star headless; leaves $(OUT)/ with a notebook and a page"
	@echo "make test      default tests (under 15 minutes on 2 cores);  TESTS=... and ARGS=... go to pytest"
	@echo "make test-all  slow and browser tests too;  make test-browser: those alone, with screenshots in build/"
	@echo "make lab       open JupyterLab on notebooks/"
	@echo "make bench     benchmarks;  make lint: ruff and pyright;  make clean"

$(BIN)/python:
	@.ci/venv "$(PYTHON)" "$(VENV)"

$(VENV)/.demo: $(BIN)/python pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[demo]"
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/.demo

# LightGBM links to the system's OpenMP library, which slim images lack.
$(VENV)/.openmp: | $(VENV)/.demo
	@.ci/openmp $(BIN)/python
	@touch $@

$(VENV)/.chromium:
	@.ci/chromium
	@mkdir -p $(VENV) && touch $@

demo: $(VENV)/.demo $(VENV)/.openmp
	@$(RUN) $(BIN)/python -m lexsi_nb demo --out "$(OUT)"

test: $(VENV)/.dev $(VENV)/.openmp
	$(RUN) $(BIN)/python -m pytest $(if $(filter tests,$(TESTS)),$(SIDE_BY_SIDE) $(NBVAL)) $(TESTS) $(ARGS)

test-all: $(VENV)/.dev $(VENV)/.openmp $(VENV)/.chromium labextension labextension-test
	$(RUN) $(BIN)/python -m pytest -m "" $(if $(filter tests,$(TESTS)),$(NBVAL) labextension/ui-tests) $(TESTS) $(ARGS)

# Leaves what the tests saw in build/screenshots.
test-browser: $(VENV)/.dev $(VENV)/.openmp $(VENV)/.chromium labextension
	$(RUN) $(BIN)/python -m pytest -m browser tests/browser labextension/ui-tests $(ARGS)

# The Lab extension is built where Node is there. Without Node, Lab opens without it and cells fall back.
lab: $(VENV)/.dev $(VENV)/.openmp
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory labextension; \
	else echo "Node is not installed: JupyterLab opens without the extension's Insert button."; fi
	$(BIN)/jupyter lab notebooks $(if $(filter 0,$(shell id -u)),--allow-root)

SOURCES := $(wildcard labextension/src/*.ts labextension/style/*.css labextension/schema/*.json) labextension/package.json labextension/tsconfig.json
BUILT := lexsi_nb/labextension_dist/package.json

labextension: $(VENV)/.labextension
$(VENV)/.labextension: $(BUILT) $(VENV)/.dev
	@.ci/labextension-link $(BIN)/python
	@touch $@
$(BUILT): $(SOURCES) node_modules/.package-lock.json | $(VENV)/.dev
	@PATH="$(abspath $(BIN)):$$PATH" npm run --silent build
	@touch $@
node_modules/.package-lock.json: package.json package-lock.json labextension/package.json labextension/live/package.json
	npm ci --silent --no-audit --no-fund
	@touch $@
# What live widgets do in the page. Its two files are in git, so that a clone without Node has them.
live: node_modules/.package-lock.json
	npm run --silent build:live
labextension-test: node_modules/.package-lock.json
	npm test --silent

bench: $(VENV)/.dev $(VENV)/.openmp
	@for file in bench/*.py bench/routing/run.py; do echo "== $$file"; $(RUN) $(BIN)/python $$file || exit 1; done

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf build dist $(VENV) node_modules labextension/lib lexsi_nb/labextension_dist *.egg-info .pytest_cache .ruff_cache
