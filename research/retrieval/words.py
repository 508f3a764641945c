"""Which tokens: English on the questions of split train, Chinese with headings as questions.

There are no Chinese questions, so the headings of Chinese reports (train and valid) stand in for them: a
heading, which is hidden, asks for the passages of its section. Plain BM25 over passages answers.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from research.retrieval.data import cases_of, questions_in
from research.retrieval.made_questions import Asking, made_questions

from held.corpus.sources import sources_in
from held.corpus.store import labelled_path, read_labelled
from held.hierarchy.pipeline import tree_of
from held.metrics.ranking import average_precision, ranked, recall_at
from held.retrieval.bm25 import bm25, postings_of
from held.retrieval.tokens import tokens

Tokens = Callable[[str], list[str]]
TOPICS = Asking(topics=20, figures=0, statements=0, strange_words=0)
DOCUMENTS = 20


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """mAP and recall@10 of BM25 with each kind of tokens."""
    questions = [question for question in questions_in(options.data) if question.split == "train"]
    cases = cases_of(questions, options.data, options.cache)
    asked = [([p.text for p in c.document.passages], c.question.text, c.relevant) for c in cases]
    found: dict[str, Any] = {"English": {name: _figures(asked, form) for name, form in ENGLISH.items()}}
    if options.corpus:
        made = list(_chinese(options.corpus))
        found["Chinese"] = {name: _figures(made, form) for name, form in CHINESE.items()}
        found["Chinese questions"] = len(made)
    return found


def _chinese(folder: Path) -> Any:
    """Headings of Chinese reports as questions: texts of passages, the heading, and which answer."""
    sources = Path(os.environ.get("HELD_CORPUS", "../shared/corpus"))
    origins = [(source.id, source.origin) for source in sources_in(sources)]
    chosen = [id for id, o in origins if o and o.domain == "zh_fin" and o.split in ("train", "valid")]
    for id in chosen[:DOCUMENTS]:
        document, questions = made_questions(
            tree_of(read_labelled(labelled_path(folder, id)).document), TOPICS
        )
        texts = [passage.text for passage in document.passages]
        yield from ((texts, question.query, question.relevant) for question in questions)


def _figures(asked: Sequence[tuple[list[str], str, Any]], form: Tokens) -> dict[str, float]:
    rankings = []
    known: tuple[list[str], Any] = ([], None)
    for texts, query, relevant in asked:
        if texts is not known[0]:
            known = (texts, postings_of([form(text) for text in texts]))
        rankings.append(ranked(bm25(known[1], form(query)), relevant))
    return {
        "mAP": round(float(np.mean(list(map(average_precision, rankings)))), 4),
        "recall@10": round(float(np.mean([recall_at(ranking, 10) for ranking in rankings])), 4),
    }


def _unstemmed(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _snowball(text: str) -> list[str]:
    import Stemmer  # type: ignore[import-not-found,unused-ignore]

    found: list[str] = Stemmer.Stemmer("english").stemWords(_unstemmed(text))
    return found


def _segmented(text: str) -> list[str]:
    import jieba

    return [word for word in jieba.lcut(text.lower()) if word.strip() and any(map(str.isalnum, word))]


def _characters(text: str) -> list[str]:
    return [character for word in tokens(text) for character in (word if word[0] > "\u3400" else [word])]


def _both(text: str) -> list[str]:
    return tokens(text) + _segmented(text)


ENGLISH: dict[str, Tokens] = {
    "words as printed": _unstemmed,
    "without a plural's s": tokens,
    "Snowball": _snowball,
}
CHINESE: dict[str, Tokens] = {
    "pairs of characters": tokens,
    "single characters, pairs split": _characters,
    "jieba": _segmented,
    "pairs and jieba": _both,
}
