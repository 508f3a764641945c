"""The document as DOCX with heading styles, so that word processors show the tree.

The file is written with the standard library alone (ECMA-376, part 1, WordprocessingML). Word has nine
heading levels; deeper headings use the ninth.
"""

from __future__ import annotations

from collections.abc import Iterator

from held.document import Kind, PhysicalObject, TableCell
from held.exports.html_blocks import read_asset
from held.exports.object_text import escape_xml, strip_bullet, titled_levels
from held.exports.office_file import OFFICE, PACKAGE, content_types, relationships, zip_parts
from held.hierarchy import Hierarchy
from held.layout.tables.logical_grid import grid_of

MAX_HEADING_LEVEL = 9  # Word has the styles Heading 1 to Heading 9
MAX_PROPERTY_LENGTH = 255  # characters
_HEADING_SIZES = (36, 30, 26, 24, 22)  # half points, by level; deeper ones have the last
_TEXT_WIDTH = 9000  # twentieths of a point: A4 without margins, shared by the columns of a table
_STYLES = {Kind.CAPTION: "Caption", Kind.CODE: "NoSpacing"}

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_CORE_TYPE = "application/vnd.openxmlformats-package.core-properties+xml"
_BULLETS = (
    f'<w:numbering xmlns:w="{_MAIN}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">'
    '<w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/>'
    '<w:pPr><w:ind w:left="360" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)


def to_docx(hierarchy: Hierarchy, *, no_title: bool = False) -> bytes:
    """The whole text as a DOCX file."""
    body = "".join(_blocks(hierarchy, no_title=no_title))
    return zip_parts(_parts(hierarchy, body))


def _parts(hierarchy: Hierarchy, body: str) -> Iterator[tuple[str, str]]:
    """The names and contents of the parts of the file."""
    types = {
        "word/document.xml": f"{_MEDIA_TYPE}.document.main+xml",
        "word/styles.xml": f"{_MEDIA_TYPE}.styles+xml",
        "word/numbering.xml": f"{_MEDIA_TYPE}.numbering+xml",
        "docProps/core.xml": _CORE_TYPE,
    }
    yield "[Content_Types].xml", content_types(types)
    core = f"{PACKAGE}/relationships/metadata/core-properties"
    main_parts = [(f"{OFFICE}/officeDocument", "word/document.xml"), (core, "docProps/core.xml")]
    yield "_rels/.rels", relationships(main_parts)
    word_parts = [(f"{OFFICE}/styles", "styles.xml"), (f"{OFFICE}/numbering", "numbering.xml")]
    yield "word/_rels/document.xml.rels", relationships(word_parts)
    yield "word/styles.xml", _styles()
    yield "word/numbering.xml", _BULLETS
    yield "docProps/core.xml", _properties(hierarchy)
    page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    yield "word/document.xml", f'<w:document xmlns:w="{_MAIN}"><w:body>{body}{page}</w:body></w:document>'


def _styles() -> str:
    headings = ""
    for level in range(1, MAX_HEADING_LEVEL + 1):
        size = _HEADING_SIZES[min(level, len(_HEADING_SIZES)) - 1]
        headings += (
            f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>'
            '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/>'
            f'<w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
            f'<w:rPr><w:b/><w:sz w:val="{size}"/><w:szCs w:val="{size}"/></w:rPr></w:style>'
        )
    styles = "".join(line.strip() for line in read_asset("docx_styles.xml").splitlines())
    return styles.replace("</w:styles>", f"{headings}</w:styles>")


def _properties(hierarchy: Hierarchy) -> str:
    metadata = hierarchy.document.metadata
    values = {
        "title": metadata.title or hierarchy.document.source,
        "creator": "; ".join(metadata.authors),
        "language": metadata.language,
    }
    fields = ""
    for name, value in values.items():
        fields += f"<dc:{name}>{escape_xml(value[:MAX_PROPERTY_LENGTH])}</dc:{name}>"
    names = f'xmlns:cp="{PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return f"<cp:coreProperties {names}>{fields}</cp:coreProperties>"


def _blocks(hierarchy: Hierarchy, *, no_title: bool) -> Iterator[str]:
    """The headings, paragraphs and tables, in reading order."""
    titled = titled_levels(hierarchy, no_title=no_title)
    if titled.title:
        yield _paragraph(titled.title, "Heading1")
    for index, item in enumerate(hierarchy.document.objects):
        if index in titled.printed:
            continue
        if index in hierarchy.headings:
            level = min(titled.levels[index], MAX_HEADING_LEVEL)
            yield _paragraph(item.title, f"Heading{level}")
        else:
            yield _body(item, hierarchy.page_name(item.page))


def _body(item: PhysicalObject, page: str) -> str:
    if item.kind is Kind.TABLE and item.rows:
        return _table(item)
    if item.kind is Kind.FIGURE:
        text = f": {item.text}" if item.text else ""
        return _paragraph(f"[figure on page {page}{text}]")
    if item.kind is Kind.LIST_ITEM:
        text = strip_bullet(item.text)
        return _paragraph(text, "ListParagraph" if text == item.text else "ListBullet")
    return _paragraph(item.text, _STYLES.get(item.kind, ""))


def _paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    lines = [f'<w:t xml:space="preserve">{line}</w:t>' for line in escape_xml(text).split("\n")]
    return f"<w:p>{properties}<w:r>{'<w:br/>'.join(lines)}</w:r></w:p>"


def _table(item: PhysicalObject) -> str:
    grid = grid_of(item)
    covering: dict[tuple[int, int], TableCell] = {}
    for cell in grid.cells:
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                covering[row, column] = cell
    width = _TEXT_WIDTH // max(grid.width, 1)
    columns = f'<w:gridCol w:w="{width}"/>' * grid.width
    rows = ""
    for row in range(grid.height):
        cells = [_cell(covering.get((row, column)), row, column, width) for column in range(grid.width)]
        rows += f"<w:tr>{''.join(cells)}</w:tr>"
    properties = '<w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr>'
    # A paragraph between them, or Word joins two tables that follow each other.
    return f"<w:tbl>{properties}<w:tblGrid>{columns}</w:tblGrid>{rows}</w:tbl><w:p/>"


def _cell(cell: TableCell | None, row: int, column: int, width: int) -> str:
    """The cell at a position; "" where one to the left spans it. Below its first row a cell goes on empty."""
    if cell is None:
        return f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr><w:p/></w:tc>'
    if column > cell.column:
        return ""
    properties = f'<w:tcW w:w="{width * cell.column_span}" w:type="dxa"/>'
    if cell.column_span > 1:
        properties += f'<w:gridSpan w:val="{cell.column_span}"/>'
    is_first = row == cell.row
    if cell.row_span > 1:
        properties += '<w:vMerge w:val="restart"/>' if is_first else "<w:vMerge/>"
    content = _paragraph(cell.text) if is_first else "<w:p/>"
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"
