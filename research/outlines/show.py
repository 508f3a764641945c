"""Prints the objects of a labelled document so that a person can write down its complete outline.

    python -m research.outlines.show LABELLED ID [--pages 1-40]

Each line has the object's index, its place and look, what the outline in the corpus and the shipped model
say, and the beginning of its text:

    212 p14 x72 y310 14.0B b | *L2 m2 .97 | Climate-related risks

`14.0B` is the font size with B(old), I(talic), U(nderlined), C(entred); the letter after it stands for font
and colour. `*L2` is an entry of level 2 in the corpus, `m2 .97` a heading of level 2 for the model, with its
probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from research.arguments import make_parser

from held.corpus.store import LabelledDocument, labelled_path, read_labelled
from held.document import Document, Kind, PhysicalObject, Style
from held.headings.object_features import DocumentFeatures
from held.hierarchy.pipeline import build_tree, heading_step, score_objects
from held.metrics import Label

_LONG_TEXT = 100  # characters that are printed of a possible heading
_SHORT_TEXT = 45  # … and of a paragraph that the model is sure is none
_NO_HEADING = 0.02  # probability below which a text of several lines is printed short
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main() -> None:
    """Print the document that the command line names."""
    parser = make_parser(__doc__)
    parser.add_argument("labelled", type=Path)
    parser.add_argument("id")
    parser.add_argument("--pages", default="1-100000", help="such as 1-40")
    parser.add_argument("--blind", action="store_true", help="leave out the outline of the corpus")
    options = parser.parse_args()
    first, last = map(int, options.pages.split("-"))
    labelled = read_labelled(labelled_path(options.labelled, options.id))
    for page, line in listing(labelled, blind=options.blind):
        if first <= page <= last:
            print(line)


def listing(labelled: LabelledDocument, *, blind: bool = False) -> Iterator[tuple[int, str]]:
    """The lines to print, each with its page."""
    document = labelled.document
    probabilities = _heading_probabilities(document)
    hierarchy = build_tree(document)
    model_levels = hierarchy.tree.levels()
    true_levels = labelled.levels()
    letters = _style_letters(document)
    page = 0
    for index, item in enumerate(document.objects):
        if item.page != page:
            page = item.page
            yield page, f"--- page {page}"
        evidence = []
        if labelled.labels[index] is Label.HEADING and not blind:
            evidence.append(f"*L{true_levels[index]}")
        if index in hierarchy.headings:
            evidence.append(f"m{model_levels[index]}")
        if probabilities[index] >= _NO_HEADING:
            evidence.append(f"{probabilities[index]:.2f}".lstrip("0"))
        place = f"{index} p{item.page} x{item.box.x0:.0f} y{item.box.y0:.0f}"
        look = _look(item, letters)
        text = _short_text(item, float(probabilities[index]))
        yield page, f"{place} {look} | {' '.join(evidence)} | {text}"


def _heading_probabilities(document: Document) -> np.ndarray:
    (scores,) = score_objects(heading_step("base"), [DocumentFeatures(document)])
    return np.asarray(scores)


def _style_letters(document: Document) -> dict[tuple[str, str], str]:
    letters: dict[tuple[str, str], str] = {}
    for item in document.objects:
        key = (item.style.font, item.style.colour)
        if key not in letters:
            letters[key] = _LETTERS[len(letters) % len(_LETTERS)]
    return letters


def _look(item: PhysicalObject, letters: dict[tuple[str, str], str]) -> str:
    style: Style = item.style
    flags = "".join(
        flag
        for flag, present in (
            ("B", style.bold),
            ("I", style.italic),
            ("U", style.underlined),
            ("C", item.centred),
        )
        if present
    )
    letter = letters[style.font, style.colour]
    kind = "" if item.kind is Kind.PARAGRAPH else f" {item.kind}"
    return f"{style.size:.1f}{flags} {letter}{kind}"


def _short_text(item: PhysicalObject, probability: float) -> str:
    text = " ".join(item.text.split())
    is_body = item.kind in (Kind.TABLE, Kind.FIGURE) or (item.lines > 1 and probability < _NO_HEADING)
    length = _SHORT_TEXT if is_body else _LONG_TEXT
    return text if len(text) <= length else f"{text[:length]}…"


if __name__ == "__main__":
    main()
