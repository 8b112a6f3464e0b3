PYTHON ?= python3
BIN := .venv/bin
LOUD_PIP := $(BIN)/python -m pip install --disable-pip-version-check
PIP := $(LOUD_PIP) --quiet
# The slowest forty are printed: a test that takes long must be worth it.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal --durations=40 --durations-min=0.5

.PHONY: play test test-all attack check format clean

play: .venv/ready
	@$(BIN)/duels

test: .venv/ready-to-test check
	$(PYTEST)

test-all: .venv/ready-to-test check
	@started=$$(date +%s); NUMBER_DUELS_SLOW=1 $(PYTEST) && \
	echo "All tests, with their long versions, took $$(( ($$(date +%s) - started + 59) / 60 )) minutes."

# Programs that try to take the server away from its players, on both databases; some ten minutes.
attack: .venv/ready-to-test
	$(BIN)/python -m tests.attacks

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
	@echo "Setting up, once: 80 MB to download, 330 MB in the folder .venv; a minute or two." >&2
	@echo "[1/4] A Python environment of its own ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "[2/4] The full screen: Textual ..." >&2
	@$(PIP) 'textual>=8,<9'
	@echo "[3/4] What opponents and hints are computed with: NumPy and Numba, most of it ..." >&2
	@$(LOUD_PIP) 'numpy>=2.0' 'numba>=0.60,<1' >&2
	@echo "[4/4] The games ..." >&2
	@$(PIP) --editable '.[play]'
	@touch $@
	@echo "Ready; the next time it starts at once." >&2

.venv/ready-to-test: .venv/ready
	@$(PIP) 'pip>=25.1' # the first that knows dependency groups
	@$(PIP) --group dev --editable '.[all]'
	@touch $@

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .hypothesis
