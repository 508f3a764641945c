"""Small entries of our own, for tests of the store and of searching."""

from held.document import Kind
from held.retrieval.document_index import IndexEntry, entry_to_bytes, index_passages
from held.retrieval.passages import Passage

Rows = list[tuple[tuple[str, ...], str, int]]  # the path, the text and the page of each passage

HARBOUR: Rows = [
    (("1 Harbours", "1.1 Depth"), "The basin is eleven metres deep at low tide.", 1),
    (("1 Harbours", "1.1 Depth"), "Dredging costs 2.5 million a year.", 2),
    (("1 Harbours", "1.2 Staff"), "Forty pilots work in shifts.", 3),
]
RAILWAY: Rows = [
    (("2 Trains",), "Each night six trains leave the quay.", 1),
    (("2 Trains",), "The track was laid anew in 2019, at a cost of 9 million.", 4),
]
CHINESE: Rows = [(("一、港口",), "港口的水深为十一米，每年疏浚一次。", 1)]


def entry_of_rows(rows: Rows, labels: tuple[str | None, ...] = ()) -> IndexEntry:
    """An entry with a passage for each row: path, text and page."""
    headings = {heading: n for n, heading in enumerate(dict.fromkeys(h for path, _, _ in rows for h in path))}
    found = [
        Passage(
            text,
            Kind.PARAGRAPH,
            page,
            path,
            object=100 + n,
            ancestors=tuple(headings[heading] for heading in path),
            pages=(page,),
        )
        for n, (path, text, page) in enumerate(rows)
    ]
    return IndexEntry(index_passages(found), max(page for _, _, page in rows), labels)


def content(rows: Rows) -> bytes:
    """The packed entry of rows."""
    return entry_to_bytes(entry_of_rows(rows))
