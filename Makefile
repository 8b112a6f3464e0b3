PYTHON ?= python3
BIN := .venv/bin
LOUD_PIP := $(BIN)/python -m pip install --disable-pip-version-check
PIP := $(LOUD_PIP) --quiet
# Three workers for two cores, because tests of screens, servers and browsers wait. The slowest are printed.
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal --durations=20 --durations-min=1

# $(call stage,NAME,MINUTES,COMMAND) runs a command, and prints how long it took and may take.
stage = started=$$(date +%s); $(3) && spent=$$(( $$(date +%s) - started )) && \
	printf '%s took %d:%02d of at most %d:00 minutes.\n' '$(1)' $$((spent / 60)) $$((spent % 60)) $(2)

# What one process has compiled, the others need not; some machines say otherwise.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test test-system test-all test-lowest test-integrations attack docs dist page style types unit-tests format lock clean

play: .venv/ready
	@$(BIN)/duels

# Types are checked beside the tests, which leave a core waiting now and then.
test: .venv/ready-to-test
	@$(call stage,make test,5,$(MAKE) --no-print-directory style && \
	$(MAKE) --no-print-directory --jobs=2 types unit-tests)

unit-tests: .venv/ready-to-test
	$(PYTEST)

# Tests of real processes, terminals, browsers and databases; one of them reads the site.
test-system: .venv/ready-to-test docs/_build/html/index.html
	@$(call stage,make test-system,4,$(PYTEST) -m "system and not slow")

# All tests, in their long versions.
test-all: .venv/ready-to-test
	@$(call stage,make test-all,40,$(MAKE) --no-print-directory style types docs && \
	NUMBER_DUELS_SLOW=1 $(PYTEST) -m "")

# Programs that try to take the server away from its players, on both databases; some ten minutes.
attack: .venv/ready-to-test
	$(BIN)/python -m tests.attacks

# The site: no warning, no link to nothing, nothing asked of another host.
docs: .venv/ready-to-test
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --builder html docs docs/_build/html
	@$(BIN)/python scripts/check_site.py docs/_build/html
	@echo "Open docs/_build/html/index.html"

docs/_build/html/index.html:
	@$(MAKE) --no-print-directory docs

# What is released, in the folder dist: the same bytes from the same commit, wherever it is built.
DIST ?= dist
dist: .venv/ready
	rm -f $(DIST)/number_duels-*
	$(BIN)/python -m hatchling build --directory $(DIST)

# The page without a server: a folder for any static host, that asks nothing of another one.
PAGE ?= $(DIST)/page
page: .venv/ready node_modules/pyodide/package.json
	$(BIN)/python scripts/build_page.py $(PAGE)
	@echo "To try it: python3 -m http.server --directory $(PAGE)"

node_modules/pyodide/package.json: package.json
	npm install --no-audit --no-fund
	@touch $@

# The game of CONTRIBUTING.md keeps the rules of src, too.
style: .venv/ready-to-test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/ruff check --stdin-filename src/number_duels/games/take_away.py - <tests/sixth_game/toys/take_away.py

types: .venv/ready-to-test
	$(BIN)/mypy
	$(BIN)/pyrefly check

format: .venv/ready-to-test
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

# Everything is installed into a folder of its own: the system's Python is never touched. What is
# installed is what was tested, by its hash; `pip install number-duels[...]` takes any fitting versions.
.venv/ready: pyproject.toml requirements/play.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Number Duels needs Python 3.11 or later: make play PYTHON=python3.11")'
	@echo "Setting up, once: 95 MB to download, 400 MB in the folder .venv; a minute or two." >&2
	@echo "[1/3] A Python environment of its own ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "[2/3] The full screen, the server, and what opponents and hints are computed with ..." >&2
	@$(LOUD_PIP) --require-hashes --requirement requirements/play.txt >&2
	@echo "[3/3] The games ..." >&2
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@
	@echo "Ready. The command is .venv/bin/duels; after 'source .venv/bin/activate' it is just duels." >&2

# Of these 13,000 modules most are never imported. What the tests import is compiled once, here:
# three workers that start at the same time would each compile all of it.
.venv/ready-to-test: .venv/ready requirements/test.txt
	@$(PIP) --no-compile --require-hashes --requirement requirements/test.txt
	@$(BIN)/python -m pytest --collect-only --quiet -m "" >/dev/null || true
	@touch $@

# The versions that are installed here, with their hashes and for every platform:
# `make lock` keeps what still fits, `make lock UPGRADE=--upgrade` takes the newest of everything.
LOCK = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" --quiet $(UPGRADE)
lock: .venv/ready
	@$(PIP) uv
	$(LOCK) --extra play --extra web --group build --output-file requirements/play.txt
	$(LOCK) --all-extras --group build --group dev --group docs --constraint requirements/play.txt \
	--output-file requirements/test.txt
	$(LOCK) --extra web --extra postgres --group build --constraint requirements/test.txt \
	--output-file requirements/server.txt

# The oldest versions that pyproject.toml allows, on the oldest Python: rules, solvers, server, adapters.
test-lowest: .venv/ready
	@$(PIP) uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-lowest
	$(BIN)/uv pip compile pyproject.toml --resolution lowest-direct --all-extras --group build \
	--group dev --no-emit-index-url --quiet --output-file .venv-lowest/requirements.txt
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python -r .venv-lowest/requirements.txt
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python --no-deps --no-build-isolation --editable .
	.venv-lowest/bin/python -m pytest -n 2 --dist worksteal -W default $(LOWEST)
LOWEST = tests/core tests/games tests/solvers tests/players tests/review tests/arena tests/adapters \
	tests/web --ignore tests/web/browser tests/terminal/app tests/test_code_blocks.py

# The recipes of examples/recipes with the real libraries, each in an environment of its own: gigabytes, and
# not part of `make test`. What came out is kept in docs/data/integrations.txt; LIBRARY=sb3 runs one.
test-integrations: .venv/ready
	$(BIN)/python -m tests.integrations $(LIBRARY)

clean:
	rm -rf .venv .venv-lowest .venv-integrations dist build docs/_build .mypy_cache .ruff_cache .hypothesis
