"""Makes `data/word_weights.txt`: how little a word tells that stands on many pages of documents of all sorts.

    HELD_CORPUS=DIR python -m research.retrieval.common src/held/retrieval/data/word_weights.txt

A word's weight falls with the logarithm of the share of pages (of its script) that have it. Only train
documents are read, and none that is asked about in `own_questions.jsonl`.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from research.retrieval.own import corpus_folder, own_questions, stored_path

from held.corpus.sources import read_corpus_document
from held.retrieval.tokens import tokens

DOMAINS = ("en_fin", "zh_fin", "science", "manuals", "reports", "books", "word")
DOCUMENTS = 40  # of each domain
PAGES = 60  # the first ones of each document
FEWEST_WORDS = 20  # of a page that counts
TELLING = 0.005  # a word on fewer pages than this share weighs 1
LEAST = 0.1  # what a word weighs that is on every page
MOST_LISTED = 0.7  # words that weigh more are not worth a place in the list

HEAD = """# Words that tell little, by weight: they stand on many pages of documents of all sorts.
# Made by research/retrieval/common.py; a word that is not here weighs 1.
"""


def main(path: Path) -> int:
    """Writes the words by weight."""
    found: dict[float, list[str]] = {}
    for word, weight in sorted(_weights(corpus_folder()).items()):
        if weight <= MOST_LISTED:
            found.setdefault(weight, []).append(word)
    lines = [f"{weight}: {' '.join(found[weight])}" for weight in sorted(found)]
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    print({weight: len(words) for weight, words in sorted(found.items())})
    return 0


def _weights(corpus: Path) -> dict[str, float]:
    """The weight of each word, to a tenth."""
    having: Counter[str] = Counter()
    pages = {True: 0, False: 0}
    for words in _pages(corpus):
        having.update(words)
        pages[2 * sum(map(_is_chinese, words)) > len(words)] += 1
    shares = {word: count / pages[_is_chinese(word)] for word, count in having.items() if word.isalpha()}
    return {word: _weight(min(1.0, share)) for word, share in shares.items()}


def _weight(share: float) -> float:
    return round(min(1.0, max(LEAST, math.log(share) / math.log(TELLING))), 1)


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word[0] <= "\ufaff"


def _pages(corpus: Path) -> Iterator[set[str]]:
    """The words of each page."""
    for id in _documents(corpus):
        for page in read_corpus_document(stored_path(id, corpus)).pages[:PAGES]:
            words = set(tokens(" ".join(run.text for run in page.runs)))
            if len(words) >= FEWEST_WORDS:
                yield words


def _documents(corpus: Path) -> Iterator[str]:
    """Train documents of each domain, evenly out of all."""
    asked = {question.document for question in own_questions()}
    rows = [json.loads(line) for line in (corpus / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    for domain in DOMAINS:
        fit = [row["id"] for row in rows if row["domain"] == domain and row["split"] == "train"]
        fit = [id for id in fit if id not in asked]
        yield from fit[:: max(1, len(fit) // DOCUMENTS)][:DOCUMENTS]


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
