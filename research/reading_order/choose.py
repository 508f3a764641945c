"""Names the papers whose two-column first pages are looked at: the same ones for the same corpus.

python -m research.reading_order.choose --corpus $HELD_CORPUS
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from held.corpus.sources import read_corpus_document
from held.document import PageContent

WANTED = 20
LONGEST = 40  # pages: longer documents are theses and books, whose first page is a title page
LOWER_PART = 0.45  # of the height: above it stand title, authors and abstract, often over both columns
SHORTEST_RUN = 4  # characters: pieces of formulas say nothing about columns
FEWEST_CHARACTERS = 600
LEAST_IN_A_COLUMN = 0.3
MOST_ACROSS = 0.06
GUTTER = 8.0  # points that a column may reach beyond the middle
_SEED = 7


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    corpus = os.environ.get("HELD_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    options = parser.parse_args(arguments)
    for name in islice(papers(options.corpus), WANTED):
        print(name)
    return 0


def papers(corpus: Path) -> Iterator[str]:
    """The ids of the papers whose first page has two columns, in an order by chance that stays the same."""
    with (corpus / "index.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    science = [row for row in rows if row["domain"] == "science" and row["split"] in ("train", "valid")]
    ids = sorted(row["id"] for row in science if row["n_pages"] <= LONGEST)
    random.Random(_SEED).shuffle(ids)
    for name in ids:
        pages = read_corpus_document(corpus / "docs" / f"{name}.json.xz")
        if has_two_columns(pages.pages[0]):
            yield name


def has_two_columns(page: PageContent) -> bool:
    """Whether most text in the lower part of a page stands left or right of its middle, and not across."""
    middle = page.width / 2
    low = [run for run in page.runs if run.y0 > LOWER_PART * page.height and len(run.text) >= SHORTEST_RUN]
    left = sum(len(run.text) for run in low if run.x1 < middle + GUTTER)
    right = sum(len(run.text) for run in low if run.x0 > middle - GUTTER)
    whole = sum(len(run.text) for run in low)
    if whole <= FEWEST_CHARACTERS or min(left, right) <= LEAST_IN_A_COLUMN * whole:
        return False
    return whole - left - right < MOST_ACROSS * whole


if __name__ == "__main__":
    sys.exit(main())
