"""Style sheets: how each kind of text looks in the English and in the Chinese report.

Several heading levels share the size of the running text, as in real reports: weight, slant, indent or the
number alone tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from samples.fonts import Face
from samples.lines import Span, TextStyle

LEFT, RIGHT, TOP, BOTTOM = 72.0, 523.0, 84.0, 770.0
MEASURE = RIGHT - LEFT


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """How a level is set; `tab` is the distance at which the title stands after its number."""

    style: TextStyle
    leading: float
    before: float
    after: float
    tab: float = 0.0
    indent: float = 0.0
    centred: bool = False
    new_page: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that the look of a report depends on."""

    company: str
    report: str
    body: TextStyle
    bold: TextStyle
    italic: TextStyle
    mark: TextStyle
    label: TextStyle
    small: TextStyle
    small_bold: TextStyle
    caption: TextStyle
    head: TextStyle
    cover: TextStyle
    headings: Mapping[int, HeadingStyle]
    front: HeadingStyle
    leading: float
    small_leading: float
    paragraph_gap: float
    first_indent: float
    accent: str
    tint: str
    contents_levels: int
    bullet: Span

    @property
    def chinese(self) -> bool:
        return self.body.chinese


def english(faces: Mapping[str, Face]) -> Sheet:
    """The English sheet: a text serif with a sans for the upper headings, numbers set apart by a tab."""
    teal = "0b5563"
    serif, sans, strong = faces["LiberationSerif"], faces["Lato-Regular"], faces["Lato-Bold"]
    body = TextStyle(serif, 11)
    bold = TextStyle(faces["LiberationSerif-Bold"], 11)
    italic = TextStyle(faces["LiberationSerif-Italic"], 11)
    slanted = TextStyle(faces["LiberationSerif-BoldItalic"], 11)
    return Sheet(
        company="Lanchuan Instruments Limited",
        report="Annual Report 2025",
        body=body,
        bold=bold,
        italic=italic,
        mark=replace(body, size=6.8, rise=3.6),
        label=TextStyle(sans, 15, teal),
        small=TextStyle(sans, 8.6),
        small_bold=TextStyle(strong, 8.6),
        caption=TextStyle(strong, 8.6, teal),
        head=TextStyle(sans, 8, "5f6b70"),
        cover=TextStyle(strong, 34, "ffffff"),
        headings={
            1: HeadingStyle(TextStyle(strong, 30, teal), 36, 150, 22, new_page=True),
            2: HeadingStyle(TextStyle(strong, 19, teal), 24, 0, 9, tab=34, new_page=True),
            3: HeadingStyle(TextStyle(strong, 12.5, teal), 16, 17, 1, tab=34),
            4: HeadingStyle(bold, 14, 13, -1, tab=34),
            5: HeadingStyle(slanted, 14, 11, -2, tab=22),
            6: HeadingStyle(italic, 14, 10, -2, tab=22),
        },
        front=HeadingStyle(TextStyle(strong, 19, teal), 24, 0, 16, new_page=True),
        leading=15.8,
        small_leading=11.8,
        paragraph_gap=7,
        first_indent=0,
        accent=teal,
        tint="e3eef0",
        contents_levels=3,
        bullet=Span("•", body),
    )


def chinese(faces: Mapping[str, Face]) -> Sheet:
    """The Chinese sheet: Song with Times-like digits, made bold by stroking the outlines as Word does it."""
    red = "8c1d18"
    song, latin = faces["NotoSerifCJKsc-Regular"], faces["LiberationSerif"]
    hei, strong = faces["NotoSansCJKsc-Regular"], faces["NotoSansCJKsc-Bold"]
    body = TextStyle(song, 12, latin=latin, chinese=True)
    bold = replace(body, stroked=True)
    small = replace(body, size=9.5)
    black = TextStyle(strong, 12, chinese=True)
    return Sheet(
        company="澜川仪器股份有限公司",
        report="2025年年度报告",
        body=body,
        bold=bold,
        italic=replace(body, face=hei, latin=None),
        mark=replace(body, size=7, rise=4.2),
        label=replace(black, size=15, colour=red),
        small=small,
        small_bold=replace(black, size=9.5),
        caption=replace(black, size=9.5),
        head=replace(small, colour="444444"),
        cover=TextStyle(strong, 32, red, chinese=True),
        headings={
            1: HeadingStyle(replace(black, size=17), 26, 0, 16, centred=True, new_page=True),
            2: HeadingStyle(replace(black, size=14), 22, 14, 5),
            3: HeadingStyle(black, 21, 9, 3),
            4: HeadingStyle(bold, 21, 7, 2, indent=24),
            5: HeadingStyle(bold, 21, 5, 1, indent=24),
            6: HeadingStyle(body, 21, 4, 1, indent=24),
        },
        front=HeadingStyle(replace(black, size=17), 26, 0, 16, centred=True, new_page=True),
        leading=22,
        small_leading=14,
        paragraph_gap=1.5,
        first_indent=24,
        accent=red,
        tint="f3ece6",
        contents_levels=2,
        bullet=Span("●", replace(body, size=7, rise=1.6)),
    )
