import sys
from dataclasses import replace
from pathlib import Path

import pytest

from held.document import Document, Kind
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.layout.recognise import recognise
from held.reading.read_pdf import read_pdf

sys.path.insert(0, str(Path(__file__).parent))

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="session")
def report_pdf() -> Path:
    return SAMPLES / "report-en.pdf"


@pytest.fixture(scope="session")
def ours(report_pdf: Path) -> Hierarchy:
    """What we make of the sample report."""
    return build_tree(recognise(read_pdf(report_pdf, jobs=0)))


@pytest.fixture(scope="session")
def theirs(ours: Hierarchy) -> Document:
    """The sample report as another parser might see it: the same objects, headings named, no styles."""
    objects = [
        replace(item, kind=Kind.HEADING if place in ours.headings else item.kind)
        for place, item in enumerate(ours.document.objects)
        if item.kind not in (Kind.TABLE, Kind.FIGURE, Kind.CONTENTS_ENTRY) and item.text
    ]
    return replace(ours.document, objects=tuple(objects))
