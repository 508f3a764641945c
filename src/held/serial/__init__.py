"""The JSON forms of pages and documents: versioned, and described by the schemas in `held/schemas`.

Reading back gives the same value. A document may also come from another layout engine with as little
as the text and page of each object: what is left out gets a default or is computed. An error names
the file and the way to the value that is wrong (`objects[3].box`).

`files` reads and writes JSON of any kind, `pages`, `documents` and `objects` have a form each, and `common`
what these share.
"""

from held.serial.common import DOCUMENT_FORMAT, PAGES_FORMAT, VERSIONS
from held.serial.documents import document_from_json, document_to_json, read_document
from held.serial.files import dumps, escaped, hash_of, read_json, read_json_value, write_json
from held.serial.pages import pages_from_json, pages_to_json, read_pages

__all__ = [
    "DOCUMENT_FORMAT",
    "PAGES_FORMAT",
    "VERSIONS",
    "document_from_json",
    "document_to_json",
    "dumps",
    "escaped",
    "hash_of",
    "pages_from_json",
    "pages_to_json",
    "read_document",
    "read_json",
    "read_json_value",
    "read_pages",
    "write_json",
]
