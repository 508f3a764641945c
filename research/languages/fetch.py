"""Gathers PDFs with bookmarks in languages that the corpus hardly has, from Debian packages.

python -m research.languages.fetch --listed pdfs.txt --corpus $HELD_CORPUS -o folder

`pdfs.txt` is what `apt-file search -x '\\.pdf(\\.gz)?$'` prints. A file is kept as
LANGUAGE__PACKAGE__NAME.pdf if the corpus does not have it and most of its text is not English.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pypdfium2
from research.unseen.fetch import is_wanted, package_pdfs

from held.numbering.words import find_language

# A language in the name of a package or a file: maint-guide-fr, install.de.pdf, texlive-lang-polish.
NAMED_LANGUAGE = re.compile(
    r"(?i)(texlive-lang-|[._/-](ar|bg|ca|cs|da|de|el|es|fi|fr|he|hu|id|it|ja|ko|nb|nl|no|pl|pt|ro|ru|sk|sv|tr|uk|vi|zh)"
    r"([_-](br|pt|no|cn|tw))?[._:/-])"
)
# Sixteen editions of one book, and packages of several hundred megabytes.
LEFT_OUT = re.compile(r"installation-guide-(?!amd64)|debian-edu-doc-legacy|texlive-(?!lang)")
PDFS_PER_LANGUAGE = 2  # of a package
LARGEST_PACKAGE = 150_000_000  # bytes
SAMPLE_PAGES = 12
UNWANTED = ("", "en")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--listed", type=Path, required=True, help="what apt-file found")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in (options.corpus / "index.jsonl").open(encoding="utf-8")]
    hashes = {row["sha1"] for row in rows}
    for package in packages_in_languages(options.listed.read_text(encoding="utf-8").splitlines()):
        kept: Counter[str] = Counter()
        for name, content in package_pdfs(package, largest_package=LARGEST_PACKAGE, count=None):
            if hashlib.sha1(content).hexdigest() in hashes or not is_wanted(content):
                continue
            language = language_of(content)
            if language not in UNWANTED and kept[language] < PDFS_PER_LANGUAGE:
                (options.output / f"{language}__{package}__{name}").write_bytes(content)
                kept[language] += 1
        print(f"{package}: {dict(kept)}", file=sys.stderr, flush=True)
    return 0


def packages_in_languages(listed: Iterable[str]) -> list[str]:
    """The packages that have files with the name of a language; lines are `package: path`."""
    named = [line.split(":")[0] for line in listed if NAMED_LANGUAGE.search(line.replace(": ", "/"))]
    return [package for package in dict.fromkeys(named) if not LEFT_OUT.match(package)]


def language_of(content: bytes) -> str:
    """The language of a PDF, by pages from all over it."""
    with pypdfium2.PdfDocument(content) as document:
        step = max(1, len(document) // SAMPLE_PAGES)
        pages = range(0, len(document), step)
        return find_language([document[page].get_textpage().get_text_bounded() for page in pages])


if __name__ == "__main__":
    sys.exit(main())
