"""Exact-match precision, recall and F1 of recognised objects on tagged PDFs, by kind.

    python -m research.layout.run --choose        # which files' tags are usable: writes usable.json
    python -m research.layout.run                 # train and valid files
    python -m research.layout.run --final         # the test files, too: for final runs only

Which files are usable is decided by their tags alone, before anything is scored.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from research.layout.measure import USABLE_SHARE, LayoutScore, score, usable_files
from research.result_file import write_result

from held.document import Kind
from held.metrics import Matches

USABLE = Path(__file__).with_name("usable.json")
KINDS = (Kind.PARAGRAPH, Kind.TABLE, Kind.FIGURE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    if options.choose:
        return choose(options.corpus)
    files = chosen(options.corpus, final=options.final)
    scores = {}
    for name in files:
        print(f"layout: {name}", file=sys.stderr)
        scores[name] = _score(options.corpus / "pdfs" / f"{name}.pdf")
    _print_table(scores)
    for name, found in scores.items():
        _print_misses(name, found, options.examples)
    if options.output:
        write_result(options.output, summary(scores))
    return 0


def choose(corpus: Path) -> int:
    """Writes the share of usable text of every tagged file, and which of them are usable."""
    shares = usable_files(sorted((corpus / "pdfs").glob("*.pdf")))
    usable = sorted(name for name, share in shares.items() if share >= USABLE_SHARE)
    value = {"least_share": USABLE_SHARE, "usable": usable, "shares": dict(sorted(shares.items()))}
    write_result(USABLE, value)
    print(f"{len(usable)} of {len(shares)} tagged files are usable: {', '.join(usable)}")
    return 0


def chosen(corpus: Path, *, final: bool) -> list[str]:
    """The usable files; those of the test split only in a final run."""
    with (corpus / "index.jsonl").open(encoding="utf-8") as lines:
        splits = {row["id"]: row["split"] for row in map(json.loads, lines)}
    usable = json.loads(USABLE.read_text(encoding="utf-8"))["usable"]
    return [name for name in usable if final or splits.get(name) != "test"]


def _score(path: Path) -> LayoutScore:
    from held.layout.recognise import recognise
    from held.reading.read_pdf import read_pdf
    from held.reading.tags import read_tags

    return score(read_tags(path), recognise(read_pdf(path)))


def summary(scores: dict[str, LayoutScore]) -> dict[str, object]:
    """The counts and figures by file and over all, without a word of the documents."""
    rows = {name: _figures(found.matches) for name, found in scores.items()}
    return {"files": rows, "all": _figures(total(scores))}


def total(scores: dict[str, LayoutScore]) -> dict[Kind, Matches]:
    """The matches of all files together."""
    added: dict[Kind, Matches] = {}
    for found in scores.values():
        for kind, matches in found.matches.items():
            added[kind] = added.get(kind, Matches()) + matches
    return added


def _figures(matches: dict[Kind, Matches]) -> dict[str, dict[str, float]]:
    return {
        str(kind): {
            "true": m.true,
            "found": m.found,
            "both": m.both,
            "precision": round(m.precision, 4),
            "recall": round(m.recall, 4),
            "f1": round(m.f1, 4),
        }
        for kind, m in matches.items()
    }


def _print_table(scores: dict[str, LayoutScore]) -> None:
    print(f"{'file':24}{'kind':12}{'true':>7}{'found':>7}{'both':>7}{'P':>8}{'R':>8}{'F1':>8}")
    rows = [(name, found.matches) for name, found in scores.items()]
    for name, matches in [*rows, ("all", total(scores))]:
        for kind in KINDS:
            if kind in matches:
                m = matches[kind]
                figures = f"{m.precision:8.4f}{m.recall:8.4f}{m.f1:8.4f}"
                print(f"{name:24}{kind:12}{m.true:7}{m.found:7}{m.both:7}{figures}")


def _print_misses(name: str, found: LayoutScore, most: int) -> None:
    step = max(1, len(found.misses) // most) if most else 1
    for miss in found.misses[::step][:most]:
        print(f"  {name} p. {miss.page}  {miss.text!r}")
        for nearest in miss.nearest:
            print(f"      {nearest}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="research.layout.run", description=__doc__.splitlines()[0])
    corpus = os.environ.get("HELD_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--choose", action="store_true", help="decide which files' tags are usable, and stop")
    parser.add_argument("--final", action="store_true", help="score the files of the test split, too")
    parser.add_argument("--examples", type=int, default=0, metavar="N", help="missed paragraphs of each file")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the figures as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
