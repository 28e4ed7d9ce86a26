# Everything runs from .venv in this folder, which is made from nothing but Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
CACHE := $(CURDIR)/.cache/tests
PYTEST := ZERMELO_CACHE=$(CACHE) $(BIN)/python -m pytest
# Neighbours stay together, since they compile the same programs.
PARALLEL := -n auto --dist worksteal

# The tests that look at random examples: at more of them in `make slow`.
RANDOM := tests/search/test_random_trees.py tests/search/test_proof_number.py tests/search/engine/test_exact.py \
	tests/trees/test_unknowns_random.py tests/trees/test_variations.py tests/conformance/test_check_registered_games.py

.PHONY: play test lint cold warm slow bench clean

play: $(VENV)/.installed
	@$(BIN)/zermelo

test: lint cold warm

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "zermelo needs Python 3.11 or later: try make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every game with every algorithm, nothing compiled before; then everything, with what that has left in the cache.
cold: $(VENV)/.tested
	rm -rf $(CACHE)
	ZERMELO_EXPECT=cold $(PYTEST) -q $(PARALLEL) tests/test_matrix.py

# What depends on the clock runs alone, and again where it fails: a shared machine may stand still for a tenth of a second.
warm: cold
	ZERMELO_EXPECT=warm $(PYTEST) -q $(PARALLEL) -m "not slow and not timing" --durations=40
	ZERMELO_EXPECT=warm $(PYTEST) -q -m "timing and not slow" --reruns 2

slow: $(VENV)/.tested
	$(PYTEST) -q -m slow
	ZERMELO_EXAMPLES=20 $(PYTEST) -q $(PARALLEL) $(RANDOM)

bench: $(BENCH)/.installed
	$(BENCH)/bin/python bench/peers.py
	$(BENCH)/bin/python bench/engine.py --long

$(BENCH)/.installed: pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	touch $@

clean:
	rm -rf $(VENV) $(BENCH) .cache dist build
