"""A searchable document as bytes, and back: what an index keeps of a file.

The form is that of numpy (`.npz`): it is compressed, has a checksum for each part, and nothing in it is ever
executed. Texts and paths are JSON in it. What the ranker can know before the question is kept, too, so that
a question costs no tokenising. Passages are read when one is shown: most documents that are ranked show none.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from held.document import Box, Kind, PageRegion
from held.hierarchy.hierarchy import Hierarchy
from held.retrieval.bm25 import Postings
from held.retrieval.features import Searchable, searchable
from held.retrieval.hybrid import Embed, text_to_embed, vectors_of
from held.retrieval.passages import Passage, passages
from held.retrieval.rows import TableRow

_COLUMNS = (
    "text",
    "kind",
    "page",
    "path",
    "object",
    "position",
    "siblings",
    "pages",
    "parts",
    "rows",
    "unit",
)
"""What is kept of passages; a path is kept as its place among all paths."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, LookupError, ValueError, TypeError)
"""What reading damaged bytes can raise."""
_PASSAGES = "passages"  # the part that is read last, if at all
Watch = Callable[[], AbstractContextManager[None]]
"""Makes what stands around the reading of bytes that may be damaged, and gives its errors their name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What an index keeps of one document: its passages, and the printed labels of its pages.

    `vectors` are those that a function of the user's gave for the passages: (passages, D).
    """

    document: Searchable
    pages: int
    labels: tuple[str | None, ...] = ()
    first_page: int = 1
    vectors: NDArray[np.float32] | None = None

    def label(self, page: int) -> str | None:
        """What is printed as the page's number, None where the file does not say."""
        place = page - self.first_page
        return self.labels[place] if 0 <= place < len(self.labels) else None


def entry_of(hierarchy: Hierarchy, *, embed: Embed | None = None) -> Entry:
    """What an index keeps of a document; with `embed` the vectors of its passages, too."""
    document = hierarchy.document
    labels = tuple(page.label for page in document.pages)
    found = passages(hierarchy)
    return Entry(
        searchable(found),
        len(document.pages),
        labels if any(label is not None for label in labels) else (),
        document.first_page,
        None if embed is None else vectors_of([text_to_embed(passage) for passage in found], embed),
    )


def packed(entry: Entry) -> bytes:
    """The entry as bytes."""
    document = entry.document
    arrays = {f"document.{name}": array for name, array in _arrays(document).items()}
    arrays |= {f"postings.{name}": array for name, array in _arrays(document.postings).items()}
    arrays |= {f"labels.{name}": array for name, array in _arrays(document.labels).items()}
    if entry.vectors is not None:
        arrays["entry.vectors"] = entry.vectors
    about = {
        "pages": entry.pages,
        "labels": entry.labels,
        "first_page": entry.first_page,
        "words": document.postings.words,
        "label_words": document.labels.words,
        "about": sorted(document.about),
    }
    texts = {"about": _json_array(about), _PASSAGES: _json_array(_passages_to_json(document.passages))}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **texts, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def _json_array(value: Any) -> NDArray[np.uint8]:
    """A value as JSON in bytes: an array of one string would take four bytes for each character."""
    # Damaged fonts give lone surrogates, which plain UTF-8 refuses.
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return np.frombuffer(text, np.uint8)


def _json_value(array: NDArray[np.uint8]) -> Any:
    return json.loads(array.tobytes().decode("utf-8", "surrogatepass"))


def unpacked(content: bytes, watch: Watch = nullcontext) -> Entry:
    """The entry that bytes hold; one of `UNREADABLE` if they are damaged.

    Passages are read when the first is asked for, with `watch` around that.
    """
    with np.load(io.BytesIO(content), allow_pickle=False) as parts:
        about = _json_value(parts["about"])
        named = {name: parts[name] for name in parts.files if name not in ("about", _PASSAGES)}
    postings = Postings(tuple(about["words"]), **_of("postings", named))
    labels = Postings(tuple(about["label_words"]), **_of("labels", named))
    document = Searchable(
        passages=_StoredPassages(content, len(named["document.page"]), watch),
        postings=postings,
        labels=labels,
        about=frozenset(about["about"]),
        **_of("document", named),
    )
    vectors = named.get("entry.vectors")
    return Entry(document, about["pages"], tuple(about["labels"]), about["first_page"], vectors)


def _arrays(value: Searchable | Postings) -> dict[str, NDArray[Any]]:
    """The fields of a value that are arrays, by name."""
    found = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: array for name, array in found.items() if isinstance(array, np.ndarray)}


def _of(owner: str, named: dict[str, NDArray[Any]]) -> dict[str, Any]:
    prefix = f"{owner}."
    return {name.removeprefix(prefix): array for name, array in named.items() if name.startswith(prefix)}


def _passages_to_json(found: Sequence[Passage]) -> dict[str, Any]:
    """Passages as columns; a path, which many passages share, stands once."""
    paths: dict[tuple[tuple[int, ...], tuple[str, ...]], int] = {}
    of_passage = [paths.setdefault((p.ancestors, p.path), len(paths)) for p in found]
    headings = {obj: text for ancestors, path in paths for obj, text in zip(ancestors, path, strict=True)}
    return {
        "headings": list(headings.items()),
        "ancestors": [ancestors for ancestors, _ in paths],
        "path": of_passage,
        "text": [p.text for p in found],
        "kind": [p.kind.value for p in found],
        "page": [p.page for p in found],
        "object": [p.object for p in found],
        "position": [p.position for p in found],
        "siblings": [p.siblings for p in found],
        "pages": [p.pages for p in found],
        "parts": [[(part.page, *_rounded(part.box)) for part in p.parts] for p in found],
        "rows": [[_row_to_json(row) for row in p.rows] for p in found],
        "unit": [p.unit for p in found],
    }


def _row_to_json(row: TableRow) -> list[Any]:
    place = None if row.part is None else (row.part.page, *_rounded(row.part.box))
    return [row.label, row.values, row.headers, place]


def _rounded(box: Box) -> tuple[float, ...]:
    """A box in tenths of a point: nothing shown is finer."""
    return tuple(round(edge, 1) for edge in box)


def _part(value: list[Any]) -> PageRegion:
    page, *box = value
    return PageRegion(page, Box(*box))


def _row(value: list[Any]) -> TableRow:
    label, values, headers, place = value
    return TableRow(label, tuple(values), tuple(headers), None if place is None else _part(place))


class _Stored(NamedTuple):
    """What is stored of all passages: `_COLUMNS`, and the paths that one column has the places of."""

    columns: dict[str, Sequence[Any]]
    ancestors: Sequence[tuple[int, ...]]
    paths: Sequence[tuple[str, ...]]

    @classmethod
    def of(cls, value: dict[str, Any]) -> _Stored:
        headings = dict(value["headings"])
        ancestors = [tuple(objects) for objects in value["ancestors"]]
        paths = [tuple(headings[obj] for obj in objects) for objects in ancestors]
        return cls({name: value[name] for name in _COLUMNS}, ancestors, paths)


class _StoredPassages(Sequence[Passage]):
    """Passages as they are stored: one is made when it is asked for, as few ever are shown."""

    def __init__(self, content: bytes, count: int, watch: Watch) -> None:
        self._content, self._count, self._watch = content, count, watch

    @cached_property
    def _stored(self) -> _Stored:
        with self._watch(), np.load(io.BytesIO(self._content), allow_pickle=False) as parts:
            found = _Stored.of(_json_value(parts[_PASSAGES]))
            if {len(column) for column in found.columns.values()} != {self._count}:
                raise ValueError("columns of passages are of different lengths")
        return found

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Passage: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Passage, ...]: ...
    def __getitem__(self, place: int | slice) -> Passage | tuple[Passage, ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        everything = self._stored
        stored = {name: column[place] for name, column in everything.columns.items()}
        return Passage(
            text=stored["text"],
            kind=Kind(stored["kind"]),
            page=stored["page"],
            path=everything.paths[stored["path"]],
            object=stored["object"],
            position=stored["position"],
            siblings=stored["siblings"],
            ancestors=everything.ancestors[stored["path"]],
            pages=tuple(stored["pages"]),
            parts=tuple(map(_part, stored["parts"])),
            rows=tuple(map(_row, stored["rows"])),
            unit=stored["unit"],
        )
