"""Whether what an export wrote is a whole file of its format: an archive of XML that other programs open."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from xml.etree import ElementTree

XML_SUFFIXES = (".xml", ".rels", ".opf", ".xhtml")


def check_archive(content: bytes) -> None:
    """Raise an error unless every part can be unpacked and every XML part parsed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        damaged = archive.testzip()
        assert damaged is None, f"{damaged} is damaged"
        names = archive.namelist()
        assert len(set(names)) == len(names), "a part is there twice"
        for name in names:
            if name.endswith(XML_SUFFIXES):
                ElementTree.fromstring(archive.read(name))


def check_docx(content: bytes) -> None:
    """Raise an error unless python-docx opens the file."""
    import docx

    check_archive(content)
    docx.Document(io.BytesIO(content))


def check_xlsx(content: bytes) -> None:
    """Raise an error unless the sheets have different names, as Excel requires."""
    check_archive(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        workbook = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    sheets = [element.get("name", "") for element in workbook.iter() if element.tag.endswith("}sheet")]
    folded = {name.casefold() for name in sheets}
    assert len(folded) == len(sheets), "two sheets have one name"
    assert all(0 < len(name) <= 31 for name in sheets), "a sheet's name is too long or empty"


def check_pdf(content: bytes) -> None:
    """Raise an error unless qpdf opens the file."""
    import pikepdf

    pikepdf.open(io.BytesIO(content)).close()


CHECKS: Mapping[str, Callable[[bytes], None]] = {
    "docx": check_docx,
    "epub": check_archive,
    "xlsx": check_xlsx,
    "pdf": check_pdf,
}
