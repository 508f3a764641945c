"""Draws PDFs with bookmarks from Debian packages that are not in the corpus.

python -m research.unseen.fetch --listed pdfs.txt --corpus $HELD_CORPUS -o unseen --packages 260
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pypdfium2

# Translations and editions of documents that the corpus has, and specimens of fonts.
KNOWN = re.compile(
    r"(debian-(edu|faq|reference)|developers-reference|installation-guide|lilypond|fonts-|ubuntu-)"
)
SEED = 5
PDFS_PER_PACKAGE = 2  # PDFs of a package, among
LARGEST_PDFS = 8  # its largest
MIN_BOOKMARKS = 8
PAGES = range(6, 401)
LARGEST_PDF, LARGEST_PACKAGE = 15_000_000, 12_000_000  # bytes


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--listed", type=Path, required=True, help="what apt-file found")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--packages", type=int, default=260, help="how many are drawn")
    parser.add_argument("--earlier", type=Path, help="results of an earlier lot, not to be drawn again")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in (options.corpus / "index.jsonl").open(encoding="utf-8")]
    hashes = {row["sha1"] for row in rows}
    known = {row["source"].removeprefix("deb:") for row in rows}
    if options.earlier:
        known |= packages_in_results(options.earlier)
    names = draw_packages(options.listed, known)
    for number, name in enumerate(names[: options.packages], 1):
        kept = 0
        for file, content in package_pdfs(name):
            is_new = hashlib.sha1(content).hexdigest() not in hashes
            if kept < PDFS_PER_PACKAGE and is_new and is_wanted(content):
                (options.output / f"{name}__{file}").write_bytes(content)
                kept += 1
        print(f"{number} of {options.packages} packages: {name}, {kept} kept", file=sys.stderr)
    return 0


def packages_in_results(results: Path) -> set[str]:
    """The packages that the documents of a results file come from."""
    documents = json.loads(results.read_text(encoding="utf-8"))["documents"]
    return {name.partition("__")[0] for name in documents}


def draw_packages(listed: Path, known: set[str]) -> list[str]:
    """The packages that have PDFs and are not known, in the order of the lot."""
    with listed.open(encoding="utf-8") as lines:
        names = list(dict.fromkeys(line.split(":")[0] for line in lines))
    names = [name for name in names if name not in known and not name.startswith("texlive")]
    random.Random(SEED).shuffle(names)
    return [name for name in names if not KNOWN.match(name)]


def is_wanted(content: bytes) -> bool:
    """Whether a PDF is of a size to be measured, and has bookmarks."""
    if len(content) > LARGEST_PDF:
        return False
    try:
        document = pypdfium2.PdfDocument(content)
        return len(document) in PAGES and len(list(document.get_toc())) >= MIN_BOOKMARKS
    except pypdfium2.PdfiumError:
        return False


def package_pdfs(
    package: str, *, largest_package: int = LARGEST_PACKAGE, count: int | None = LARGEST_PDFS
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of a package's PDFs, the largest first; none where it is too large or gone."""
    with tempfile.TemporaryDirectory() as folder:
        if package_bytes(package) >= largest_package or _run(folder, "apt-get", "download", package):
            return
        archive = next(Path(folder).glob("*.deb"), None)
        if archive is None or _run(folder, "dpkg-deb", "--extract", archive.name, "files"):
            return
        found = [path for path in Path(folder, "files").rglob("*.pdf*") if path.is_file()]
        for path in sorted(found, key=lambda path: -path.stat().st_size)[:count]:
            content = path.read_bytes()
            yield path.name.removesuffix(".gz"), gzip.decompress(content) if path.suffix == ".gz" else content


def package_bytes(package: str) -> float:
    """The size of a package; infinite if there is none of this name."""
    shown = subprocess.run(["apt-cache", "show", package], capture_output=True, text=True, check=False)
    size = re.search(r"^Size: (\d+)", shown.stdout, re.MULTILINE)
    return int(size.group(1)) if size is not None else math.inf


def _run(folder: str, *command: str) -> int:
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
