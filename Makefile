# Everything runs in a virtual environment of its own, made once, with pinned dependencies.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONSAFEPATH := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test check lint types wheel lock clean

run: $(VENV)/.ready-run
	$(BIN)/envolve run

test: $(VENV)/.ready-test
	$(BIN)/pytest -n 2 --dist worksteal

check: lint types test wheel

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready-test
	$(BIN)/mypy

wheel: $(VENV)/.ready-test
	$(BIN)/python tests/wheel_smoke.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready-run: requirements.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --require-hashes -r requirements.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.ready-test: requirements-dev.txt $(VENV)/.ready-run
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.txt
	touch $@

# Needs uv. Lock files carry hashes and no index address.
lock:
	uv pip compile pyproject.toml requirements-build.in --generate-hashes --no-emit-index-url --no-annotate --no-header --universal --python-version 3.11 -o requirements.txt
	uv pip compile pyproject.toml requirements-build.in --extra dev -c requirements.txt --generate-hashes --no-emit-index-url --no-annotate --no-header --universal --python-version 3.11 -o requirements-dev.txt

clean:
	rm -rf $(VENV) runs dist
