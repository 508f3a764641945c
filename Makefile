# Each target installs what it needs into .venv: `make demo` and `make test` work on a fresh clone.
PYTHON ?= python3
BIN := .venv/bin
# Tests and the demo start many interpreters; bytecode keeps each from compiling the source again.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test test-research hunt coverage pythons docs serve test-serve test-ray test-ocr lint dist bench bench-tools experiments samples fonts chromium axe clean

demo: .venv/runtime
	@mkdir -p out
	@echo "samples/report-en.pdf has no bookmarks. These are its headings, with their pages (? is doubtful):"
	@echo
	@$(BIN)/held extract -v samples/report-en.pdf --format tree
	@echo
	@$(BIN)/held extract samples/report-en.pdf --format markdown --images out/figures -o out/report-en.md
	@$(BIN)/held extract samples/report-en.pdf --format html -o out/report-en.html
	@$(BIN)/held extract samples/report-en.pdf --format pdf -o out/report-en.pdf
	@echo "The same report is now in out/:"
	@echo "  report-en.html   the tree beside the text: open it in a browser"
	@echo "  report-en.pdf    the PDF with the tree as bookmarks: open it in a viewer"
	@echo "  report-en.md     Markdown with headings at their level, and its figures"
	@echo
	@echo "Now your own file, or a folder of them:"
	@echo "  $(BIN)/held extract FILE.pdf --format tree"
	@echo "  $(BIN)/held extract FOLDER --format html -o OUT"

# Tests of the product: everything below src/held; those of reading and layout with the Python reader, too.
test: lint chromium
	$(BIN)/pytest -n 2 --ignore tests/research
	HELD_NATIVE=off $(BIN)/pytest -n 2 tests/reading tests/layout tests/hostile

# Tests of the experiments, benchmarks and fuzzers below research/.
test-research: .venv/dev
	$(BIN)/pytest -n 2 tests/research

# Property tests with 2,000 new examples each; `make test` draws the same examples every time.
hunt: .venv/dev
	$(BIN)/pytest -n 2 -m hypothesis --hypothesis-profile=hunt

# Lines that no test runs. SlipCover stays fast on Python 3.11; pytest warns because it is imported first.
coverage: .venv/dev chromium
	$(BIN)/python -m slipcover --source src/held --skip-covered \
	-m pytest -n 2 -W "ignore:Module already imported"

# The same tests with other Python versions: make pythons PYTHONS="python3.12 python3.13".
PYTHONS ?= python3.12 python3.13
pythons: chromium
	for python in $(PYTHONS); do \
	$$python -m venv out/$$python && out/$$python/bin/python $(INSTALL) -e '.[dev,train]' \
	&& out/$$python/bin/pytest -n 2 || exit 1; done

# Starts `held serve` with the samples on http://127.0.0.1:8321/.
serve: .venv/serve
	$(BIN)/held serve samples --work out/serve --open $(ARGS)

# Integrations that are too large for `make test`: docling and the Model Context Protocol.
test-serve: .venv/dev chromium
	$(BIN)/python $(INSTALL) -e '.[docling,mcp]'
	$(BIN)/pytest tests/serve tests/integrations

# Text recognition: Tesseract from Debian's packages (only root can install them), and RapidOCR.
test-ocr: .venv/dev
	@command -v tesseract >/dev/null || { apt-get update -qq \
	&& apt-get install -y -qq tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra tesseract-ocr-chi-sim; } \
	|| echo "Tesseract is missing and cannot be installed here: its tests will skip."
	$(BIN)/python $(INSTALL) -e '.[ocr]'
	$(BIN)/pytest -rs tests/reading/ocr

# Ray and Lance, which are too large for `make test`.
test-ray: .venv/dev
	$(BIN)/python $(INSTALL) -e '.[ray,lance]' duckdb pandas 'moto[server]' s3fs
	$(BIN)/pytest tests/dataset tests/distributed tests/retrieval/test_engines.py

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Builds wheel and sdist, installs the wheel into an empty environment and runs the demo's job there.
dist: .venv/dev
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv --clear dist/empty
	dist/empty/bin/python $(INSTALL) dist/*.whl
	cd dist/empty && for form in markdown html pdf; \
	do bin/python -m held extract "$(CURDIR)/samples/report-en.pdf" --format $$form -o report.$$form || exit 1; done
	$(BIN)/held extract samples/report-en.pdf --format markdown | cmp - dist/empty/report.markdown
	rm -rf dist/empty
	@ls -l dist

# The documentation site in out/site: pages generated from the source, links and names checked.
docs: .venv/dev
	$(BIN)/python -m docs.architecture_page
	$(BIN)/python -m docs.cli_page
	$(BIN)/python -m docs.readme_table
	$(BIN)/python -m docs.readme_chart
	$(BIN)/python -m research.benchmarks.tools.page
	$(BIN)/pytest tests/test_readme.py tests/test_architecture.py
	$(BIN)/python $(INSTALL) -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

bench: .venv/dev
	$(BIN)/python -m research.benchmarks.reading
	$(BIN)/python -m research.benchmarks.search --documents 100

# Speed and accuracy of other tools, each installed below WORK: docs/research/benchmark.md.
bench-tools: .venv/dev
	$(BIN)/python -m research.benchmarks.extract --work $(WORK) $(ARGS)

# Writes all tables and figures of the paper to docs/research/results.md. LABELLED is the output of `held corpus build`.
# WORK keeps models and measurements, so that an interrupted run continues. ARGS="--quick" takes minutes.
LABELLED ?= labelled
WORK ?= work
experiments: .venv/dev
	$(BIN)/python -m research.run --data $(LABELLED) --work $(WORK) $(ARGS)

# Renders the samples again; the results are in the repository. WeasyPrint needs Pango and the fonts below.
samples: .venv/dev
	$(BIN)/python $(INSTALL) -e '.[samples]'
	$(BIN)/python -m samples.make

# Fonts of the samples, on Debian.
fonts:
	apt-get update -qq && apt-get install -y -qq libpango-1.0-0 libpangoft2-1.0-0 fontconfig fonts-liberation fonts-lato fonts-noto-cjk

# A browser for the tests of HTML pages. Without one those tests skip and say so.
chromium:
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& timeout 60 apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive timeout 240 apt-get install -y -qq --no-install-recommends chromium; } \
	|| echo "Chromium is missing and cannot be installed here: the browser tests will skip."

# axe-core, which judges the pages in the browser tests. Without it those tests skip and say so.
axe:
	npm install --silent --prefix out axe-core@4

.venv/bin/python:
	$(PYTHON) -m venv .venv

# What the native modules are built from; an editable install puts them beside their source.
NATIVE := $(wildcard src/held/*/_*.[ch]) hatch_build.py

.venv/runtime: pyproject.toml constraints.txt $(NATIVE) | .venv/bin/python
	$(BIN)/python $(INSTALL) -e .
	@touch $@

.venv/serve: pyproject.toml constraints.txt $(NATIVE) | .venv/bin/python
	$(BIN)/python $(INSTALL) -e '.[serve]'
	@touch $@ .venv/runtime

.venv/dev: pyproject.toml constraints.txt $(NATIVE) | .venv/bin/python
	$(BIN)/python $(INSTALL) -e '.[dev,train]'
	@touch $@ .venv/runtime

clean:
	rm -rf .venv out build dist .pytest_cache .mypy_cache .ruff_cache
