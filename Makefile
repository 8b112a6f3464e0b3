PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test test-all check format clean

play: .venv/ready
	@$(BIN)/duels

test: .venv/ready-to-test check
	$(BIN)/python -m pytest -n 2

test-all: .venv/ready-to-test check
	NUMBER_DUELS_SLOW=1 $(BIN)/python -m pytest -n 2

check: .venv/ready-to-test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

format: .venv/ready-to-test
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

# Everything is installed into a folder of its own: the system's Python is never touched.
.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Number Duels needs Python 3.11 or later: make play PYTHON=python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Setting up (once) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[solve,plot,web]'
	@touch $@

.venv/ready-to-test: .venv/ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .hypothesis
