"""At least one call of every command, on an untrusted PDF.

`{pdf}` is the file, `{folder}` its folder, and `{out}` a folder for results that has an `outline.tsv`. Later
calls use the results of earlier ones. A test checks that no command is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

Call = tuple[str, ...]
Calls = Mapping[str, tuple[Call, ...]]

CALLS: Calls = {
    "extract": (
        ("{pdf}", "-o", "{out}/a.json"),
        ("{pdf}", "--format", "tree"),
        ("{pdf}", "--outline", "trust", "-o", "{out}/b.md"),
        ("{pdf}", "-o", "{out}/b.pdf"),
        ("{pdf}", "-o", "{out}/b.docx", "--tables", "{out}/csv"),
        ("{pdf}", "-o", "{out}/b.epub"),
        ("{pdf}", "-o", "{out}/b.html", "--images", "{out}/images"),
        ("{pdf}", "-o", "{out}/b.jsonl"),
        ("{folder}", "-o", "{out}/batch", "--summary", "{out}/summary.json"),
    ),
    "objects": (("{pdf}", "-o", "{out}/o.json"),),
    "tables": (("{pdf}",), ("{pdf}", "-o", "{out}/t.xlsx"), ("{pdf}", "-o", "{out}/t.csv", "--tidy")),
    "draw": (("{pdf}", "-o", "{out}/drawn", "--scale", "0.3"),),
    "bookmark": (("{pdf}", "{out}/outline.tsv", "-o", "{out}/c.pdf"),),
    "compare": (("{out}/a.json", "{out}/a.json"),),
    "label": (("{pdf}", "-o", "{out}/labels"),),
    "corpus build": (("{folder}", "-o", "{out}/corpus"),),
    "corpus stats": (("{out}/corpus", "-o", "{out}/stats.json"),),
    "corpus manifest": (("{out}/corpus", "-o", "{out}/listed.jsonl"),),
    "corpus from-manifest": (("{out}/manifest.jsonl", "--files", "{folder}", "-o", "{out}/again"),),
    "index": (("{pdf}", "-o", "{out}/i.held"),),
    "search": (("{pdf}", "tax"), ("{out}/i.held", "tax")),
    "evaluate": (("base", "--data", "{out}/corpus", "--split", "train"),),
    "schema": (("tree",),),
}
# On a tree as JSON, which is `{pdf}` here.
TREE_CALLS: Calls = {
    "extract": (
        ("{pdf}", "-o", "{out}/a.docx"),
        ("{pdf}", "-o", "{out}/a.epub"),
        ("{pdf}", "-o", "{out}/a.html"),
        ("{pdf}", "--format", "tree", "--max-depth", "2"),
    ),
    "tables": (
        ("{pdf}", "-o", "{out}/t.xlsx"),
        ("{pdf}", "-o", "{out}/tables/"),
        ("{pdf}", "--tidy", "--format", "csv"),
    ),
    "compare": (("{pdf}", "{pdf}"),),
    "index": (("{pdf}", "-o", "{out}/i.held"),),
    "search": (("{pdf}", "tax"), ("{out}/i.held", "tax")),
}
SCAN_CALLS: Calls = {
    "extract": (("{pdf}", "-o", "{out}/a.json"), ("{pdf}", "-o", "{out}/a.pdf", "--ocr", "auto")),
    "draw": (("{pdf}", "-o", "{out}/drawn", "--scale", "0.3"),),
}
TRAINING: Calls = {
    "train headings": (("--data", "{out}/corpus", "-o", "{out}/headings.held"),),
    "train put-or-skip": (("--data", "{out}/corpus", "-o", "{out}/put.held"),),
    "train toc": (("--data", "{out}/corpus", "-o", "{out}/toc.held"),),
    "train pembe": (("--data", "{out}/corpus", "-o", "{out}/pembe.held"),),
    "train embeddings": (("--data", "{out}/corpus", "-o", "{out}/embeddings.npz"),),
    "train corrections": (("{out}/corpus", "-o", "{out}/taught"),),
    "train ranker": (("{out}/questions.jsonl", "-o", "{out}/ranker.held"),),
}
# These run until they are killed.
SERVING: Mapping[str, Call] = {
    "serve": ("{folder}", "--work", "{out}/work", "--port", "0"),
    "edit": ("{pdf}", "--work", "{out}/edited", "--no-open"),
    "mcp": ("{folder}",),
}


def fill_calls(calls: Calls, pdf: Path, out: Path) -> Iterator[list[str]]:
    """The arguments of each call on a file, in order."""
    for name, variants in calls.items():
        for variant in variants:
            yield [*name.split(), *words(variant, pdf, out)]


def words(call: Call, pdf: Path, out: Path) -> list[str]:
    """The arguments of a call after its command."""
    return [part.format(pdf=pdf, folder=pdf.parent, out=out) for part in call]


def prepare_folder(out: Path) -> Path:
    """Create the folder for results, with the files that some calls need."""
    out.mkdir()
    (out / "outline.tsv").write_text("1\t1\tOne\n", encoding="utf-8")
    (out / "manifest.jsonl").touch()
    (out / "questions.jsonl").touch()
    return out
