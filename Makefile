# Everything is set up into .venv by the targets themselves: `make demo` and `make test` are all one needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench samples clean

demo: .venv/runtime
	$(BIN)/held objects samples/report-en.pdf --format text | head -n 60

test: lint
	$(BIN)/pytest -n 2

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python benchmarks/reading.py

samples: .venv/dev
	$(BIN)/python samples/make.py

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/runtime: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ .venv/runtime

clean:
	rm -rf .venv out build dist .pytest_cache .mypy_cache .ruff_cache
