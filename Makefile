# Everything runs from .venv in this folder, which needs only Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
CACHE := $(CURDIR)/.cache/tests
PYTEST := ZERMELO_CACHE=$(CACHE) $(BIN)/python -m pytest
# One worker more than cores, because many tests wait for other processes: with two cores, 6 minutes instead of 10.
# Neighbouring tests stay on one worker, because they use the same compiled programs.
PARALLEL := -n $(shell expr $$(nproc 2>/dev/null || echo 2) + 1) --dist worksteal

# Tests on random examples; `make slow` runs more of them.
RANDOM := tests/search/test_mcts.py tests/search/test_mcts_guides.py tests/search/test_random_trees.py \
	tests/search/test_proof_number.py tests/search/engine/test_exact.py tests/search/engine/test_several_threads.py \
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

# The matrix of games and algorithms with an empty cache; then all tests with the cache that it leaves.
cold: $(VENV)/.tested
	rm -rf $(CACHE)
	ZERMELO_EXPECT=cold $(PYTEST) -q $(PARALLEL) tests/test_matrix.py

# Tests of time limits run alone, and again if they fail: a shared machine may pause for a tenth of a second.
warm: cold
	ZERMELO_EXPECT=warm $(PYTEST) -q $(PARALLEL) -m "not slow and not timing" --durations=40
	ZERMELO_EXPECT=warm $(PYTEST) -q -m "timing and not slow" --durations=15 --reruns 4 --reruns-delay 1

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
