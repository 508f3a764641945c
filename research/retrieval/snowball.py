"""Compares our forms of words with the Snowball stemmers, on words of train documents.

    pip install snowballstemmer
    HELD_CORPUS=DIR python -m research.retrieval.snowball -o research/retrieval/results/snowball.json

A pair is two words of a language that share their first letters. `both` counts pairs that Snowball gives one
stem and that differ in endings alone for us.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

from research.commit import short_commit
from research.result_file import report_result
from research.retrieval.own import corpus_folder, stored_path

from held.corpus.sources import read_corpus_document
from held.retrieval.tokens import fold, is_same_word, tokens

STEMMERS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "ru": "russian",
}
DOCUMENTS = 12  # of each language
PAGES = 60  # the first ones of each document
FEWEST_TIMES = 3  # that a word occurs
SHARED_LETTERS = 4  # at the start of the words of a pair


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    snowball = import_module("snowballstemmer")
    found: dict[str, Any] = {"commit": short_commit(), "languages": {}}
    for language, name in STEMMERS.items():
        words = _words(language, corpus_folder())
        found["languages"][language] = _compare(words, language, snowball.stemmer(name))
    report_result(found, options.output)
    return 0


def _words(language: str, corpus: Path) -> list[str]:
    """The words that train documents of a language have several times."""
    rows = [json.loads(line) for line in (corpus / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    ids = [row["id"] for row in rows if row["lang"] == language and row["split"] == "train"]
    times: Counter[str] = Counter()
    for id in ids[:DOCUMENTS]:
        times.update(_words_of_document(stored_path(id, corpus)))
    return [word for word, count in times.items() if count >= FEWEST_TIMES]


def _words_of_document(path: Path) -> Iterator[str]:
    for page in read_corpus_document(path).pages[:PAGES]:
        for run in page.runs:
            yield from (word for word in tokens(run.text) if word.isalpha() and len(word) >= SHARED_LETTERS)


def _compare(words: Sequence[str], language: str, stemmer: Any) -> dict[str, float]:
    groups: dict[str, list[str]] = defaultdict(list)
    for word in words:
        groups[fold(word)[:SHARED_LETTERS]].append(word)
    stems = {word: fold(stemmer.stemWord(word)) for word in words}
    theirs = ours = both = 0
    for group in groups.values():
        for one, other in combinations(group, 2):
            is_theirs = stems[one] == stems[other]
            is_ours = is_same_word(one, other, language)
            theirs += is_theirs
            ours += is_ours
            both += is_theirs and is_ours
    share = round(both / max(1, theirs), 3)
    return {"words": len(words), "Snowball": theirs, "ours": ours, "both": both, "share": share}


if __name__ == "__main__":
    raise SystemExit(main())
