"""Judges the check for garbage text on pages of the corpus, and on garbage that is made from them.

Garbage is text that a reader gets from a broken font or text layer: codes of another code page shown as
Latin-1, codes that are glyph numbers, letters that stand for others. `found` lists the pages of a folder of
PDFs that the check takes for garbage, to be looked at: old files have garbage that nobody made.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import pypdfium2
from research.commit import exact_commit
from research.result_file import report_result

from held.corpus.sources import CORPUS_SUFFIX, read_corpus_document
from held.reading.text_checks import has_wrong_code_page, is_garbage

# Code pages of old files, by the language of a document.
CODE_PAGES = {
    "ru": ("cp1251", "koi8-r"),
    "el": ("iso8859-7",),
    "zh": ("gb18030", "big5"),
    "ja": ("shift_jis", "euc_jp"),
    "ko": ("euc_kr",),
}
# The usual distance between the code of a Latin letter and its number among the glyphs of a TrueType font.
GLYPH_SHIFT = 29
FIRST_PRINTED, LAST_PRINTED = "!", "~"
MIN_LETTERS = 600  # Latin letters of a page that is made garbage
SPLITS = ("train", "valid")
SHOWN = 80  # characters of a page that `found` prints


def main(arguments: Sequence[str]) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(
        prog="research.scans garbage", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--documents", type=int, default=60, help="of each language at most")
    parser.add_argument("--pages", type=int, default=8, help="of each document")
    parser.add_argument("--seed", type=int, default=0, help="draws the documents")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    checked: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    names = set()
    for name, language, text in page_texts(options.corpus, options):
        names.add(name)
        checked["real"] += 1
        caught["real"] += is_garbage(text)
        flagged[name] += is_garbage(text)
        for kind, garbage in made_garbage(text, language):
            checked[kind] += 1
            caught[kind] += is_garbage(garbage)
    result: dict[str, Any] = {
        "commit": exact_commit(),
        "documents": len(names),
        "pages": {kind: {"judged": count, "garbage": caught[kind]} for kind, count in checked.items()},
        "real pages taken for garbage": {name: count for name, count in flagged.items() if count},
    }
    report_result(result, options.output)
    return 0


def found_main(arguments: Sequence[str]) -> int:
    """Exit code of `found`."""
    parser = argparse.ArgumentParser(
        prog="research.scans found", description="Lists the pages of PDFs that the check takes for garbage."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--pages", type=int, default=5, help="of each file")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    files: dict[str, Any] = {}
    judged = 0
    for path in sorted(options.folder.rglob("*.pdf")):
        texts = list(_sample_texts(path, options.pages)) if path.is_file() else []
        judged += len(texts)
        garbage = [text for text in texts if is_garbage(text)]
        if garbage:
            wrong_code_pages = sum(map(has_wrong_code_page, garbage))
            files[path.name] = {
                "judged": len(texts),
                "garbage": len(garbage),
                "accents": wrong_code_pages,
                "begins": " ".join(garbage[0].split())[:SHOWN],
            }
            print(path.name, files[path.name], flush=True)
    counts = {"files": len(files), "pages": sum(row["garbage"] for row in files.values())}
    result = {"commit": exact_commit(), "judged pages": judged, "garbage": counts}
    result["documents"] = {
        name: {key: value for key, value in row.items() if key != "begins"} for name, row in files.items()
    }
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


def _sample_texts(path: Path, count: int) -> Iterator[str]:
    """The texts of pages from all over a PDF; none where it cannot be read."""
    try:
        with pypdfium2.PdfDocument(path) as document:
            step = max(1, len(document) // count)
            for index in range(0, len(document), step)[:count]:
                yield document[index].get_textpage().get_text_bounded()
    except pypdfium2.PdfiumError as error:
        print(f"{path.name}: {error}", file=sys.stderr)


def page_texts(corpus: Path, options: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """The name and language of documents drawn by lot, and the texts of pages from all over them."""
    rows = [json.loads(line) for line in (corpus / "index.jsonl").open(encoding="utf-8")]
    random.Random(options.seed).shuffle(rows)
    taken: Counter[str] = Counter()
    for row in rows:
        file = corpus / "docs" / f"{row['id']}{CORPUS_SUFFIX}"
        language = row["lang"]
        if row["split"] not in SPLITS or taken[language] >= options.documents or not file.exists():
            continue
        taken[language] += 1
        pages = read_corpus_document(file).pages
        for page in pages[:: max(1, len(pages) // options.pages)]:
            yield row["id"], language, "\n".join(run.text for run in page.runs)
        print(f"\r{sum(taken.values())} documents", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def made_garbage(text: str, language: str) -> Iterable[tuple[str, str]]:
    """Kinds of garbage with the text as it would be read then."""
    for code_page in CODE_PAGES.get(language, ()):
        shown = text.encode(code_page, "ignore").decode("latin-1")
        if 2 * sum(not character.isascii() for character in shown) > len(shown):
            yield f"{code_page} as Latin-1", shown
    if sum(character in ascii_lowercase for character in text) >= MIN_LETTERS:
        yield "glyph numbers", "".join(map(_glyph_number, text))
        yield "other letters", text.translate(_exchanged_letters())


def _glyph_number(character: str) -> str:
    number = ord(character) - GLYPH_SHIFT
    return chr(number) if ord(FIRST_PRINTED) <= number <= ord(LAST_PRINTED) else character


def _exchanged_letters() -> dict[int, str]:
    """Each letter's substitute, the same for all pages."""
    order = list(ascii_lowercase)
    random.Random(0).shuffle(order)
    pairs = dict(pairwise([*order, order[0]]))  # no letter stands for itself
    small = {ord(letter): other for letter, other in pairs.items()}
    capitals = zip(ascii_uppercase, (pairs[letter].upper() for letter in ascii_lowercase), strict=True)
    return small | {ord(letter): other for letter, other in capitals}
