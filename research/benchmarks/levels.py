"""Shows that heading scores which ignore levels do not measure hierarchy.

    python -m research.benchmarks.levels

Reads the sample report, scores its headings, then sets all of them to level 1 and scores them again. The
score of headings stays the same, the score of paths does not. Needs nothing but the repository.
"""

from __future__ import annotations

import json

from research.benchmarks.tools.catalogue import REPOSITORY
from research.benchmarks.tools.markdown import Heading
from research.benchmarks.tools.page import table
from research.benchmarks.tools.score import Listed, TrueHeadings, ancestors_of, score

import held

SAMPLE = REPOSITORY / "samples" / "report-en.pdf"
TRUTH = REPOSITORY / "samples" / "report-en.truth.json"


def sample_truth() -> TrueHeadings:
    """The headings of the sample report, as they were written."""
    rows = json.loads(TRUTH.read_text(encoding="utf-8"))["headings"]
    chains = ancestors_of([row["level"] for row in rows])
    parents = [chain[-1] if chain else -1 for chain in chains]
    listed = [Listed((row["text"],), row["page"], parent) for row, parent in zip(rows, parents, strict=True)]
    return TrueHeadings(tuple(listed))


def main() -> None:
    truth = sample_truth()
    found = [Heading(section.level, section.title, section.page) for section in held.extract(SAMPLE).walk()]
    flat = [heading._replace(level=1) for heading in found]
    rows = []
    for name, headings in (("as found", found), ("every heading set to level 1", flat)):
        scores = score(headings, truth)
        rows.append([name, f"{scores.headings.f1:.3f}", f"{scores.paths.f1:.3f}"])
    print(table(["levels", "headings, F1", "headings under the right path, F1"], rows), end="")


if __name__ == "__main__":
    main()
