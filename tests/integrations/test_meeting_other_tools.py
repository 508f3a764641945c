"""Documents in the hands of other tools: notebooks, word processors, books, assistants, docling."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from zipfile import ZipFile

import pytest

import held
from held.document import (
    Box,
    Document,
    Kind,
    PageRegion,
    PageSize,
    PhysicalObject,
    Style,
    TableCell,
    TableStructure,
)
from held.errors import HeldError, InputError
from held.exports.formats import FORMATS, ExportOptions
from held.hierarchy import Hierarchy
from held.integrations.mcp import DocumentCache
from held.retrieval.search import Hit
from held.tree import Tree
from tests.serve.small_pdf import write_report
from tests.waiting import PATIENCE


def item(kind: Kind, text: str, rows: tuple[tuple[str, ...], ...] = ()) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(1, Box(72, 72, 300, 90)),), Style("Serif", 10), rows=rows)


@pytest.fixture
def document() -> held.StructuredDocument:
    objects = (
        item(Kind.PARAGRAPH, "1 Boats & <ships>"),
        item(Kind.PARAGRAPH, "They float."),
        item(Kind.PARAGRAPH, "1.1 Sails"),
        item(Kind.TABLE, "", (("Sail", "m²"), ("Jib", "12"))),
        item(Kind.LIST_ITEM, "• canvas"),
        item(Kind.FIGURE, ""),
        item(Kind.PARAGRAPH, "2 Harbours\x00"),
        item(Kind.FOOTNOTE, "a note"),
    )
    tree = Tree.from_parents([-1, 0, 0, 2, 2, 2, -1, 6])
    certain = dict.fromkeys((0, 2, 6), 1.0)
    made = Document("boats.pdf", (PageSize(612, 792),), objects)
    from held.api import as_structured

    return as_structured(Hierarchy(made, tree, certain, certain, 1, 0.0))


def test_the_text_of_a_section_can_have_all_below_it(document: held.StructuredDocument) -> None:
    boats = document.sections[0]
    assert boats.text == "They float."
    assert boats.full_text().split("\n\n")[:3] == ["They float.", "1.1 Sails", "• canvas"]


def test_all_sections_with_a_title_are_found(document: held.StructuredDocument) -> None:
    assert [section.title for section in document.find_all("1")] == ["1 Boats & <ships>", "1.1 Sails"]
    assert document.find_all("no such") == []


def test_notebooks_show_documents_sections_tables_and_hits(document: held.StructuredDocument) -> None:
    assert "<summary>1 Boats &amp; &lt;ships&gt;" in document._repr_html_()
    assert "<td>Jib</td>" in document.sections[0].sections[0]._repr_html_()
    assert document.objects[3]._repr_html_().startswith("<table>")
    hit = Hit("<b>", ("1 Boats",), 1, 0.5, "boats.pdf")
    assert "1 Boats · page 1" in hit._repr_html_()
    assert "<b>" not in hit._repr_html_()


def test_a_word_processor_has_the_headings(document: held.StructuredDocument) -> None:
    docx = pytest.importorskip("docx")
    made = docx.Document(io.BytesIO(FORMATS["docx"].write(document, ExportOptions()).content))
    styles = [(p.style.name, p.text) for p in made.paragraphs if p.style.name.startswith("Heading")]
    assert styles == [
        ("Heading 1", "1 Boats & <ships>"),
        ("Heading 2", "1.1 Sails"),
        ("Heading 1", "2 Harbours"),
    ]
    assert [cell.text for cell in made.tables[0].rows[1].cells] == ["Jib", "12"]


@pytest.mark.parametrize(
    ("item_text", "style", "text"),
    [
        ("• Jibs", "List Bullet", "Jibs"),
        ("(a) Jibs", "List Paragraph", "(a) Jibs"),
        ("☑ Jibs", "List Paragraph", "☑ Jibs"),
    ],
)
def test_a_word_processor_draws_bullets_and_nothing_beside_other_marks(
    item_text: str, style: str, text: str
) -> None:
    docx = pytest.importorskip("docx")
    made = Document("a.pdf", (PageSize(1, 1),), (item(Kind.LIST_ITEM, item_text),))
    tree = Hierarchy(made, Tree.from_parents([-1]), {}, {}, 0, 0.0)
    (paragraph,) = docx.Document(io.BytesIO(FORMATS["docx"].write(tree, ExportOptions()).content)).paragraphs
    assert (paragraph.style.name, paragraph.text) == (style, text)


def test_a_page_label_that_xml_cannot_hold_harms_no_word_file() -> None:
    docx = pytest.importorskip("docx")
    made = Document("a.pdf", (PageSize(1, 1, "i\ud800\x1b"),), (item(Kind.FIGURE, ""),))
    tree = Hierarchy(made, Tree.from_parents([-1]), {}, {}, 0, 0.0)
    (paragraph,) = docx.Document(io.BytesIO(FORMATS["docx"].write(tree, ExportOptions()).content)).paragraphs
    assert paragraph.text == "[figure on page i]"


def test_a_book_has_the_tree_as_its_contents(document: held.StructuredDocument) -> None:
    content = FORMATS["epub"].write(document, ExportOptions()).content
    assert content[30:58] == b"mimetypeapplication/epub+zip"
    with ZipFile(io.BytesIO(content)) as book:
        pages = {name: ET.fromstring(book.read(name)) for name in book.namelist() if "." in name}
    links = [a.text for a in pages["nav.xhtml"].iter("{http://www.w3.org/1999/xhtml}a")]
    assert links == ["1 Boats & <ships>", "1.1 Sails", "2 Harbours\ufffd"]
    assert len([name for name in pages if name.startswith("c")]) == 2


@pytest.mark.parametrize(("text", "language"), [("港口在冬天结冰。", b"zh"), ("1912", b"und")])
def test_a_book_says_in_which_language_it_is(text: str, language: bytes) -> None:
    made = Document("a.pdf", (PageSize(1, 1),), (item(Kind.PARAGRAPH, text),))
    tree = Hierarchy(made, Tree.from_parents([-1]), {}, {}, 0, 0.0)
    book = FORMATS["epub"].write(tree, ExportOptions()).content
    with ZipFile(io.BytesIO(book)) as opened:
        assert b"<dc:language>%s</dc:language>" % language in opened.read("book.opf")


def test_books_of_one_title_and_other_text_have_identifiers_of_their_own() -> None:
    def identifier(text: str) -> str:
        made = Document("a.pdf", (PageSize(1, 1),), (item(Kind.PARAGRAPH, text),))
        tree = Hierarchy(made, Tree.from_parents([-1]), {}, {}, 0, 0.0)
        with ZipFile(io.BytesIO(FORMATS["epub"].write(tree, ExportOptions()).content)) as opened:
            return opened.read("book.opf").decode().split("urn:held:")[1].split("<")[0]

    assert identifier("2024") == identifier("2024")
    assert identifier("2024") != identifier("2025")


def test_a_book_keeps_the_lines_of_code() -> None:
    made = Document("a.pdf", (PageSize(1, 1),), (item(Kind.CODE, "if tide:\n    sail()"),))
    tree = Hierarchy(made, Tree.from_parents([-1]), {}, {}, 0, 0.0)
    book = FORMATS["epub"].write(tree, ExportOptions()).content
    with ZipFile(io.BytesIO(book)) as opened:
        assert b"<pre>if tide:\n    sail()</pre>" in opened.read("c0.xhtml")


def test_a_book_without_a_heading_is_one_all_the_same() -> None:
    made = Document("a.pdf", (PageSize(1, 1),), (item(Kind.PARAGRAPH, "text"),))
    tree = Hierarchy(made, Tree.from_parents([-1]), {}, {}, 0, 0.0)
    book = FORMATS["epub"].write(tree, ExportOptions()).content
    with ZipFile(io.BytesIO(book)) as opened:
        ET.fromstring(opened.read("nav.xhtml"))


@pytest.mark.parametrize(
    ("parents", "headings"),
    [([-1, 0, -1, 2], {1, 2, 3}), ([-1, 0, 1, 0], {0, 2, 3}), ([-1, 0, 1, -1], {0, 1, 2, 3})],
    ids=["begins below", "skips one", "skips none"],
)
def test_the_contents_of_a_book_nest_though_a_tree_skips_levels(
    parents: list[int], headings: set[int]
) -> None:
    objects = tuple(item(Kind.PARAGRAPH, f"Harbour {i}") for i in range(4))
    made = Document("a.pdf", (PageSize(1, 1),), objects)
    tree = Hierarchy(made, Tree.from_parents(parents), dict.fromkeys(headings, 1.0), {}, 0, 0.0)
    with ZipFile(io.BytesIO(FORMATS["epub"].write(tree, ExportOptions()).content)) as book:
        contents = ET.fromstring(book.read("nav.xhtml"))
    links = [a.text for a in contents.iter("{http://www.w3.org/1999/xhtml}a")]
    assert links == [f"Harbour {i}" for i in sorted(headings)]


def test_langchain_loads_chunks_with_their_paths(tmp_path: Path) -> None:
    pytest.importorskip("langchain_core")
    from held.langchain import HeldLoader

    documents = HeldLoader(write_report(tmp_path / "a.pdf")).load()
    assert documents[0].metadata["path"][0] == "1 Harbours"
    assert documents[0].metadata["pages"] == [1]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> DocumentCache:
    folder = tmp_path_factory.mktemp("reports")
    write_report(folder / "a.pdf")
    return DocumentCache([folder])


def test_an_assistant_sees_outline_section_passages_and_tables(cache: DocumentCache) -> None:
    (path,) = cache.files()
    assert cache.outline(path, max_depth=1)[0]["title"] == "1 Harbours"
    assert "harbour office" in cache.section(path, "1.1 Depth")["text"]
    assert cache.search(path, "ships of the town", k=1)[0]["path"]
    assert cache.tables(path) == []
    with pytest.raises(HeldError, match="no section"):
        cache.section(path, "Nowhere")


def test_an_assistant_gets_nothing_outside_of_the_folders(cache: DocumentCache, tmp_path: Path) -> None:
    outside = write_report(tmp_path / "b.pdf")
    inside = Path(cache.files()[0]).parent
    (inside / "link.pdf").symlink_to(outside)
    for path in (str(outside), str(inside / "link.pdf"), str(inside / ".." / "b.pdf")):
        with pytest.raises(InputError):
            cache.outline(path)
    assert len(cache.files()) == 1


def test_docling_takes_the_document(document: held.StructuredDocument) -> None:
    pytest.importorskip("docling_core", reason="`make test-serve` installs docling-core")
    pytest.importorskip("tree_sitter", reason="`make test-serve` installs docling-core with its chunkers")
    from docling_core.transforms.chunker import HierarchicalChunker

    made = document.to_docling()
    assert "## 1.1 Sails" in made.export_to_markdown()
    chunks = list(HierarchicalChunker().chunk(made))
    assert chunks[0].meta.headings == ["1 Boats & <ships>"]
    assert type(made).model_validate_json(json.dumps(made.export_to_dict())).name == "boats.pdf"
    again = held.fix_levels(made.export_to_dict())
    assert again


def test_an_assistant_speaks_to_the_command(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="`make test-serve` installs mcp")
    write_report(tmp_path / "a.pdf")
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    command = [sys.executable, "-m", "held", "mcp", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        process.wait(timeout=PATIENCE)
    names = {tool["name"] for tool in answers[1]["result"]["tools"]}
    assert {"outline", "section", "search", "tables"} <= names


_HELLO = {
    "protocolVersion": "2024-11-05",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "0"},
}


def test_a_word_processor_has_the_cells_that_span_columns() -> None:
    library = pytest.importorskip("docx")
    cells = (
        TableCell(0, 0, "Boats", row_span=2, header=True),
        TableCell(0, 1, "Year", column_span=2, header=True),
        TableCell(1, 1, "2025"),
        TableCell(1, 2, "2024"),
    )
    rows = (("Boats", "Year", ""), ("", "2025", "2024"))
    item = PhysicalObject(
        Kind.TABLE, "", (PageRegion(1, Box(0, 0, 9, 9)),), rows=rows, table=TableStructure(cells)
    )
    document = Document("a.pdf", (PageSize(1, 1),), (item,))
    tree = Hierarchy(document, Tree.from_parents([-1]), {}, {}, 0, 0.0)
    made = library.Document(io.BytesIO(FORMATS["docx"].write(tree, ExportOptions()).content))
    first, second = made.tables[0].rows
    assert [cell.text for cell in first.cells] == ["Boats", "Year", "Year"]
    assert [cell.text for cell in second.cells] == ["Boats", "2025", "2024"]
