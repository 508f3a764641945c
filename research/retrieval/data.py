"""The questions with their documents, under three trees: ours, none, and one of font sizes.

The passages are the same under all trees, cut by ours; only what stands above them and beside them differs.
Trees are kept in a cache folder under a hash of everything they come from.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from research.retrieval.relevance import Evidence, Flags, relevant_passages

import held
from held.corpus.sources import read_corpus_document
from held.errors import InputError
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.models.store import WEIGHTS
from held.retrieval.document_index import DocumentIndex, IndexEntry, build_entry, index_passages
from held.retrieval.passages import Passage, split_into_passages
from held.tree import ROOT, Tree

DEFAULT_FOLDER = Path("../shared/retrieval")
SHORT = 40  # pages; in shorter documents finding a page is nearly free
_SOURCES = ("document.py", "tree.py", "numbering", "layout", "headings", "hierarchy", "models")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one document, with its evidence."""

    id: str
    text: str
    document: str
    company: str
    split: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its document under one tree; `relevant` is about passages, `answers` about pages."""

    question: Question
    document: DocumentIndex
    page_count: int
    relevant: Flags
    answers: Flags
    page_texts: tuple[str, ...]

    @property
    def short(self) -> bool:
        return self.page_count < SHORT


def data_folder() -> Path:
    """Where the questions are: HELD_RETRIEVAL, or beside the repository."""
    return Path(os.environ.get("HELD_RETRIEVAL", DEFAULT_FOLDER))


def questions_in(folder: Path) -> list[Question]:
    """The questions of a folder."""
    path = folder / "questions.jsonl"
    if not path.is_file():
        raise InputError("no questions", file=path, advice="name their folder with HELD_RETRIEVAL")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Question(
            row["id"],
            row["question"],
            row["doc"],
            row["company"],
            row["split"],
            tuple(Evidence(piece["page"] + 1, piece["text"]) for piece in row["evidence"]),
        )
        for row in rows
    ]


def cases_of(questions: Sequence[Question], folder: Path, kept: Path, *, tree: str = "ours") -> list[Case]:
    """The questions with their documents under one of `TREES`."""
    documents = {name: _document(name, folder, kept, tree) for name in {q.document for q in questions}}
    return [_case(question, *documents[question.document]) for question in questions]


@cache
def _document(name: str, folder: Path, kept: Path, tree: str) -> tuple[DocumentIndex, Hierarchy]:
    hierarchy = kept_hierarchy(folder / "docs" / f"{name}.json.xz", kept)
    found = in_tree(split_into_passages(hierarchy), hierarchy, TREES[tree](hierarchy))
    return index_passages(found), hierarchy


def _case(question: Question, document: DocumentIndex, hierarchy: Hierarchy) -> Case:
    count = len(hierarchy.document.pages)
    answers = np.zeros(count, bool)
    answers[[piece.page - 1 for piece in question.evidence]] = True
    relevant = relevant_passages(document.passages, question.evidence)
    return Case(question, document, count, relevant, answers, _page_texts(hierarchy))


def _page_texts(hierarchy: Hierarchy) -> tuple[str, ...]:
    """The text of each page, running heads and printed contents included."""
    texts: list[list[str]] = [[] for _ in hierarchy.document.pages]
    for item in (*hierarchy.document.objects, *hierarchy.document.furniture):
        texts[item.page - 1].append(item.text)
    return tuple("\n".join(page) for page in texts)


def kept_hierarchy(path: Path, kept: Path) -> Hierarchy:
    """The document's hierarchy, from the cache where it is there."""
    key = hashlib.sha256(path.read_bytes() + _origin()).hexdigest()[:16]
    place = kept / f"{path.name.removesuffix('.json.xz')}-{key}.pickle"
    if place.is_file():
        found: Hierarchy = pickle.loads(place.read_bytes())
        return found
    is_pdf = path.suffix == ".pdf"
    hierarchy: Hierarchy = held.extract(path) if is_pdf else build_tree(read_corpus_document(path))
    kept.mkdir(parents=True, exist_ok=True)
    place.with_suffix(".part").write_bytes(pickle.dumps(hierarchy))
    place.with_suffix(".part").rename(place)
    return hierarchy


@cache
def kept_entry(path: Path, kept: Path) -> IndexEntry:
    """What an index keeps of a document, made once for all parts that ask it."""
    return build_entry(kept_hierarchy(path, kept))


@cache
def _origin() -> bytes:
    """A hash of the code and the weights that trees come from."""
    source = Path(held.__file__).parent
    named = [source / name for name in _SOURCES]
    code = [path for name in named for path in ([name] if name.is_file() else name.rglob("*.py"))]
    whole = hashlib.sha256()
    for path in sorted([*code, *(WEIGHTS / "base").glob("*.held")]):
        whole.update(path.read_bytes())
    return whole.digest()


def in_tree(found: Sequence[Passage], hierarchy: Hierarchy, tree: Tree) -> list[Passage]:
    """The same passages with their places in another tree."""
    objects, children, parents, paths = (
        hierarchy.document.objects,
        tree.children(),
        tree.parents(),
        tree.paths(),
    )
    position = {obj: place for below in children.values() for place, obj in enumerate(below, start=1)}
    return [
        replace(
            passage,
            ancestors=paths[passage.object][:-1],
            path=tuple(" ".join(objects[obj].text.split()) for obj in paths[passage.object][:-1]),
            position=position[passage.object],
            siblings=len(children[parents[passage.object]]),
        )
        for passage in found
    ]


def flat(hierarchy: Hierarchy) -> Tree:
    """No tree: every object under the root."""
    return Tree.from_parents([ROOT] * len(hierarchy.document.objects))


def by_font_size(hierarchy: Hierarchy) -> Tree:
    """The tree in which a heading stands under the last one that is larger, to half a point."""
    open_headings: list[tuple[int, int]] = []
    parents: dict[int, int] = {}
    for obj, item in enumerate(hierarchy.document.objects):
        size = round(2 * item.style.size)
        while obj in hierarchy.headings and open_headings and open_headings[-1][0] <= size:
            open_headings.pop()
        parents[obj] = open_headings[-1][1] if open_headings else ROOT
        if obj in hierarchy.headings:
            open_headings.append((size, obj))
    return Tree.from_parents(parents)


def _ours(hierarchy: Hierarchy) -> Tree:
    return hierarchy.tree


TREES: Mapping[str, Callable[[Hierarchy], Tree]] = {"ours": _ours, "none": flat, "font sizes": by_font_size}
