"""The index of one document: everything that can be computed before a question, in memory and as bytes.

The bytes are numpy's `.npz` format: compressed, with a checksum for each part, and nothing in it is ever
executed. Texts and paths are JSON inside it. Passages are decoded when the first one is shown: most documents
that are ranked show none.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from held.document import Box, Kind, PageRegion
from held.hierarchy import Hierarchy
from held.numbering.words import find_language
from held.retrieval.bm25 import Floats, Ints, InvertedIndex, build_inverted_index
from held.retrieval.embeddings import (
    Bytes,
    Embed,
    embed_passages,
    quantize,
    shipped_word_vectors,
    sum_by_group,
    text_vectors,
)
from held.retrieval.page_types import TOP_WORDS, PageWords, prominence, score_page_types
from held.retrieval.passages import Passage, TableRow, split_into_passages
from held.retrieval.tokens import content_words, tokens

TITLE_LINES = 4  # of a passage at the top of a page that may be its title

DAMAGE_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, LookupError, ValueError, TypeError)
"""What reading damaged bytes can raise."""

ErrorContext = Callable[[], AbstractContextManager[None]]
"""Makes a context manager that turns `DAMAGE_ERRORS` into an error that names the index."""

Words = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    """The passages of one document, ready for questions.

    The texts of `texts` are the P passages first, then the H headings above them: T = P + H.
    """

    passages: Sequence[Passage]
    texts: InvertedIndex
    # Pairs of a heading's text number and a passage below it; a passage's nearest heading comes last.
    heading: Ints
    below: Ints
    section: Ints  # (P,), the number of the heading right above
    page: Ints  # (P,)
    labels: InvertedIndex  # the content words of the table rows' labels
    row_owner: Ints  # (rows,), the passage of each row
    page_types: Floats  # (P, types), how much the passage's page is of each type
    title_words: frozenset[str]  # words of the first page, which names the document
    vectors: Bytes  # (T, D), sums of word vectors, quantized
    vector_scales: Floats  # (T,)
    vector_norms: Floats  # (P, 4), of the passage, its headings, its section and its page
    prominence: Floats  # (P,), from 0 to 1: how much the passage may answer by itself
    language: str = ""  # a code such as "de"; empty if it is not known


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What an index stores of one document: its passages, and the printed labels of its pages.

    `vectors` are the user's embeddings of the passages: (P, D).
    """

    document: DocumentIndex
    pages: int
    labels: tuple[str | None, ...] = ()
    first_page: int = 1
    vectors: Floats | None = None

    def label(self, page: int) -> str | None:
        """The printed number of a page, None if the file has none."""
        index = page - self.first_page
        return self.labels[index] if 0 <= index < len(self.labels) else None


def build_entry(hierarchy: Hierarchy, *, embed: Embed | None = None) -> IndexEntry:
    """The entry of a document; with `embed` it has the vectors of the passages, too."""
    document = hierarchy.document
    labels = tuple(page.label for page in document.pages)
    has_labels = any(label is not None for label in labels)
    passages = split_into_passages(hierarchy)
    return IndexEntry(
        index_passages(passages),
        len(document.pages),
        labels if has_labels else (),
        document.first_page,
        None if embed is None else embed_passages(passages, embed),
    )


def index_passages(passages: Sequence[Passage]) -> DocumentIndex:
    """The index of the passages of one document."""
    headings: dict[int, str] = {}
    for passage in passages:
        headings |= zip(passage.ancestors, passage.path, strict=True)
    # The texts are numbered: first the passages, then the headings.
    text_number = {heading: len(passages) + number for number, heading in enumerate(headings)}
    words = [tokens(passage.text) for passage in passages]
    words += [tokens(heading) for heading in headings.values()]

    pairs: list[tuple[int, int]] = []
    path_words: list[list[str]] = []
    sections: dict[tuple[int, ...], int] = {}
    section: list[int] = []
    row_owner: list[int] = []
    label_words: list[list[str]] = []
    for number, passage in enumerate(passages):
        above = [text_number[heading] for heading in passage.ancestors]
        pairs += [(heading, number) for heading in above]
        path_words.append([word for heading in above for word in words[heading]])
        section.append(sections.setdefault(passage.ancestors[-1:], len(sections)))
        for row in passage.rows:
            row_owner.append(number)
            label_words.append(content_words(tokens(row.label)))

    heading, below = np.array(pairs, np.int32).reshape(-1, 2).T
    pages = [passage.page for passage in passages]
    groups = _Groups(
        heading,
        below,
        section=np.array(section, np.int32),
        page=np.array(pages, np.int32),
    )
    texts = build_inverted_index(words)
    vectors, scales = quantize(text_vectors(texts, shipped_word_vectors()))
    own_words = words[: len(passages)]
    return DocumentIndex(
        tuple(passages),
        texts,
        *groups,
        labels=build_inverted_index(label_words),
        row_owner=np.array(row_owner, np.int32),
        page_types=_page_types(passages, own_words, path_words),
        title_words=_title_words(passages, own_words, path_words),
        vectors=vectors,
        vector_scales=scales,
        vector_norms=_vector_norms(vectors * scales[:, None], groups, len(passages)),
        prominence=np.array([prominence(passage) for passage in passages], np.float32),
        language=find_language(passage.text for passage in passages),
    )


class _Groups(NamedTuple):
    """The fields of `DocumentIndex` of the same names."""

    heading: Ints
    below: Ints
    section: Ints
    page: Ints


def _vector_norms(vectors: Floats, groups: _Groups, count: int) -> Floats:
    own = np.arange(count)
    path = sum_by_group(vectors, groups.heading, groups.below, count)
    section = sum_by_group(vectors, own, groups.section, group_count(groups.section))
    page = sum_by_group(vectors, own, groups.page, group_count(groups.page))
    columns = [vectors[:count], path, section[groups.section], page[groups.page]]
    norms = [np.linalg.norm(column, axis=1) for column in columns]
    return np.stack(norms, axis=1).astype(np.float32)


def group_count(group: Ints) -> int:
    """The number of groups that group numbers refer to."""
    return int(group.max(initial=-1)) + 1


def _page_types(passages: Sequence[Passage], words: Words, path_words: Words) -> Floats:
    """How much the page of each passage is of each type."""
    texts: dict[int, list[str]] = {}
    headings: dict[int, list[str]] = {}
    titles: dict[int, list[str]] = {}
    for passage, own, path in zip(passages, words, path_words, strict=True):
        text = texts.setdefault(passage.page, [])
        title_lines = titles.setdefault(passage.page, [])
        title_lines += passage.path[-1:]
        is_at_top = len(text) < TOP_WORDS
        if is_at_top:
            title_lines += passage.text.split("\n", TITLE_LINES)[:TITLE_LINES]
        headings.setdefault(passage.page, []).extend(path)
        text.extend(own)
    pages = sorted(texts)
    page_words = [PageWords(texts[page], headings[page], titles[page]) for page in pages]
    scores = score_page_types(page_words)
    row_of_page = {page: row for row, page in enumerate(pages)}
    rows = [row_of_page[passage.page] for passage in passages]
    return scores[np.array(rows, np.int32)]


def _title_words(passages: Sequence[Passage], words: Words, path_words: Words) -> frozenset[str]:
    """The words of the first page and of the headings above it."""
    first_page = min((passage.page for passage in passages), default=0)
    found: set[str] = set()
    for passage, own, path in zip(passages, words, path_words, strict=True):
        if passage.page == first_page:
            found.update(own, path)
    return frozenset(found)


# The names of the arrays in the bytes, and the fields that they are. The order is part of the format.
_DOCUMENT_ARRAYS = {
    "above": "heading",
    "below": "below",
    "section": "section",
    "page": "page",
    "owner": "row_owner",
    "kinds": "page_types",
    "meaning": "vectors",
    "meaning_step": "vector_scales",
    "meaning_length": "vector_norms",
    "prominence": "prominence",
}
_INVERTED_INDEX_ARRAYS = ("starts", "texts", "counts", "lengths")
_PASSAGE_COLUMNS = (
    "text",
    "kind",
    "page",
    "path",  # a number: many passages share a path
    "object",
    "position",
    "siblings",
    "pages",
    "parts",
    "rows",
    "unit",
)


def entry_to_bytes(entry: IndexEntry) -> bytes:
    """The entry as an index stores it."""
    document = entry.document
    facts = {
        "pages": entry.pages,
        "labels": entry.labels,
        "first_page": entry.first_page,
        "words": document.texts.words,
        "label_words": document.labels.words,
        "about": sorted(document.title_words),
        "language": document.language,
    }
    arrays: dict[str, NDArray[Any]] = {
        "about": _json_to_array(facts),
        "passages": _json_to_array(_passages_to_json(document.passages)),
    }
    for name, field in _DOCUMENT_ARRAYS.items():
        arrays[f"document.{name}"] = getattr(document, field)
    for prefix, index in (("postings", document.texts), ("labels", document.labels)):
        for name in _INVERTED_INDEX_ARRAYS:
            arrays[f"{prefix}.{name}"] = getattr(index, name)
    if entry.vectors is not None:
        arrays["entry.vectors"] = entry.vectors
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def entry_from_bytes(content: bytes, error_context: ErrorContext = nullcontext) -> IndexEntry:
    """The entry that the bytes contain; raises one of `DAMAGE_ERRORS` if they are damaged.

    Passages are decoded later, when the first one is used, inside `error_context`.
    """
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        facts = _json_from_array(stored["about"])
        arrays = {name: stored[name] for name in stored.files if name not in ("about", "passages")}
    document_arrays = {}
    for name, field in _DOCUMENT_ARRAYS.items():
        document_arrays[field] = arrays[f"document.{name}"]
    document = DocumentIndex(
        passages=_StoredPassages(content, len(document_arrays["page"]), error_context),
        texts=_inverted_index(facts["words"], "postings", arrays),
        labels=_inverted_index(facts["label_words"], "labels", arrays),
        title_words=frozenset(facts["about"]),
        language=facts["language"],
        **document_arrays,
    )
    vectors = arrays.get("entry.vectors")
    return IndexEntry(document, facts["pages"], tuple(facts["labels"]), facts["first_page"], vectors)


def _inverted_index(words: Sequence[str], prefix: str, arrays: dict[str, NDArray[Any]]) -> InvertedIndex:
    own = [arrays[f"{prefix}.{name}"] for name in _INVERTED_INDEX_ARRAYS]
    return InvertedIndex(tuple(words), *own)


def _json_to_array(value: Any) -> NDArray[np.uint8]:
    """A value as JSON bytes: a numpy string would take four bytes for each character."""
    # Damaged fonts give lone surrogates, which plain UTF-8 refuses.
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def _json_from_array(array: NDArray[np.uint8]) -> Any:
    text = array.tobytes().decode("utf-8", "surrogatepass")
    return json.loads(text)


def _passages_to_json(passages: Sequence[Passage]) -> dict[str, Any]:
    """Passages as columns; each path is stored once."""
    paths: dict[tuple[tuple[int, ...], tuple[str, ...]], int] = {}
    path_numbers = [paths.setdefault((p.ancestors, p.path), len(paths)) for p in passages]
    headings: dict[int, str] = {}
    for ancestors, path in paths:
        headings |= zip(ancestors, path, strict=True)
    return {
        "headings": list(headings.items()),
        "ancestors": [ancestors for ancestors, _ in paths],
        "path": path_numbers,
        "text": [p.text for p in passages],
        "kind": [p.kind.value for p in passages],
        "page": [p.page for p in passages],
        "object": [p.object for p in passages],
        "position": [p.position for p in passages],
        "siblings": [p.siblings for p in passages],
        "pages": [p.pages for p in passages],
        "parts": [[_region_to_json(part) for part in p.parts] for p in passages],
        "rows": [[_row_to_json(row) for row in p.rows] for p in passages],
        "unit": [p.unit for p in passages],
    }


def _row_to_json(row: TableRow) -> list[Any]:
    region = None if row.part is None else _region_to_json(row.part)
    return [row.label, row.values, row.headers, region]


def _row_from_json(value: list[Any]) -> TableRow:
    label, values, headers, region = value
    part = None if region is None else _region_from_json(region)
    return TableRow(label, tuple(values), tuple(headers), part)


def _region_to_json(region: PageRegion) -> tuple[float, ...]:
    """The page and the box in tenths of a point: nothing shown is finer."""
    edges = [round(edge, 1) for edge in region.box]
    return (region.page, *edges)


def _region_from_json(value: list[Any]) -> PageRegion:
    page, *box = value
    return PageRegion(page, Box(*box))


class _PassageColumns(NamedTuple):
    """The stored columns, and the paths that the column `path` has the numbers of."""

    columns: dict[str, Sequence[Any]]
    ancestors: Sequence[tuple[int, ...]]
    paths: Sequence[tuple[str, ...]]


class _StoredPassages(Sequence[Passage]):
    """Passages in their stored form; each is built when it is used, as few are ever shown."""

    def __init__(self, content: bytes, count: int, error_context: ErrorContext) -> None:
        self._content, self._count, self._error_context = content, count, error_context

    @cached_property
    def _columns(self) -> _PassageColumns:
        with self._error_context(), np.load(io.BytesIO(self._content), allow_pickle=False) as arrays:
            value = _json_from_array(arrays["passages"])
            headings = dict(value["headings"])
            ancestors = [tuple(objects) for objects in value["ancestors"]]
            paths = [tuple(headings[obj] for obj in objects) for objects in ancestors]
            columns = {name: value[name] for name in _PASSAGE_COLUMNS}
            if {len(column) for column in columns.values()} != {self._count}:
                raise ValueError("columns of passages have different lengths")
        return _PassageColumns(columns, ancestors, paths)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Passage: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Passage, ...]: ...
    def __getitem__(self, index: int | slice) -> Passage | tuple[Passage, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(*index.indices(len(self))))
        stored = self._columns
        row = {name: column[index] for name, column in stored.columns.items()}
        return Passage(
            text=row["text"],
            kind=Kind(row["kind"]),
            page=row["page"],
            path=stored.paths[row["path"]],
            object=row["object"],
            position=row["position"],
            siblings=row["siblings"],
            ancestors=stored.ancestors[row["path"]],
            pages=tuple(row["pages"]),
            parts=tuple(map(_region_from_json, row["parts"])),
            rows=tuple(map(_row_from_json, row["rows"])),
            unit=row["unit"],
        )
