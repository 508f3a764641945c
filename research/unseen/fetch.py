"""Draws PDFs with bookmarks from Debian packages that are not in the corpus, or fetches a lot again.

python -m research.unseen.fetch --listed pdfs.txt --corpus $HELD_CORPUS -o unseen --packages 260
python -m research.unseen.fetch --lot research/unseen/third-lot.jsonl -o unseen

A lot is a list of PDFs with their packages and hashes, so that anyone with apt can have the same files.
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
    parser.add_argument("--lot", type=Path, help="fetch this lot again instead of drawing a new one")
    parser.add_argument("--listed", type=Path, help="what apt-file found")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--packages", type=int, default=260, help="how many are drawn")
    parser.add_argument(
        "--earlier", type=Path, nargs="+", default=[], help="results of earlier lots, not to be drawn again"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    if options.lot:
        return fetch_lot(options.lot, options.output)
    if not (options.listed and options.corpus):
        parser.error("give --lot, or --listed and --corpus")
    draw_lot(options)
    return 0


def fetch_lot(lot: Path, folder: Path) -> int:
    """Download the PDFs of a lot. Exit code: 1 if some are gone or have changed."""
    wanted: dict[str, dict[str, str]] = {}
    for line in lot.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        wanted.setdefault(row["package"], {})[row["sha256"]] = row["file"]
    missing = 0
    for package, files in wanted.items():
        for _, content in package_pdfs(package, count=None):
            file = files.pop(hashlib.sha256(content).hexdigest(), None)
            if file is not None:
                (folder / file).write_bytes(content)
        for file in files.values():
            print(f"{file}: the package has no such PDF any more, or another edition of it", file=sys.stderr)
        missing += len(files)
    return 1 if missing else 0


def draw_lot(options: argparse.Namespace) -> None:
    """Draw packages, keep their PDFs that fit, and write the list of them beside them."""
    rows = [json.loads(line) for line in (options.corpus / "index.jsonl").open(encoding="utf-8")]
    hashes = {row["sha1"] for row in rows}
    known = {row["source"].removeprefix("deb:") for row in rows}
    for results in options.earlier:
        known |= packages_in_results(results)
    names = draw_packages(options.listed, known)
    lot = []
    for number, name in enumerate(names[: options.packages], 1):
        kept = 0
        for file, content in package_pdfs(name):
            is_new = hashlib.sha1(content).hexdigest() not in hashes
            if kept < PDFS_PER_PACKAGE and is_new and is_wanted(content):
                (options.output / f"{name}__{file}").write_bytes(content)
                sha256 = hashlib.sha256(content).hexdigest()
                lot.append({"package": name, "file": f"{name}__{file}", "sha256": sha256})
                kept += 1
        print(f"{number} of {options.packages} packages: {name}, {kept} kept", file=sys.stderr)
    lines = "".join(f"{json.dumps(row)}\n" for row in lot)
    (options.output / "lot.jsonl").write_text(lines, encoding="utf-8")


def packages_in_results(results: Path) -> set[str]:
    """The packages that the documents of a results file come from.

    Documents are called `package__file`, those of research/languages `language__package__file`.
    """
    documents = json.loads(results.read_text(encoding="utf-8"))["documents"]
    return {part for name in documents for part in name.split("__")[:2]}


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
