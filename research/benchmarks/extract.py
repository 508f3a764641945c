"""From PDF to tree against the tools people use: speed, memory, headings and paths, in one run.

Each tool is installed into an environment of its own and called on one document after another, as a user
would; for each file all tools take their turn, so that a busy machine slows all alike. The files are
originals of the corpus, their outlines taken out, cut to their first pages. With `--folder` they are the PDFs
of a folder that have bookmarks, such as those that research/unseen/fetch.py downloads: no corpus is needed.
With `--by-hand` they are the documents whose complete outlines were made by hand; their originals are not
kept, so they are printed again from their stored pages (research/benchmarks/reprint.py). What is measured
stays in the work folder, so that a run that was ended goes on. Writes results as JSON, and from them a page
of docs/research.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from research.benchmarks.reprint import reprint
from research.benchmarks.tools.catalogue import FLOOR, LEFT_OUT, OURS, REPOSITORY, TOOLS, Tool
from research.benchmarks.tools.markdown import Heading, headings_of
from research.benchmarks.tools.measure import run
from research.benchmarks.tools.page import Figures, page_of
from research.benchmarks.tools.score import Scores, TrueHeadings, score, true_headings

from held.corpus.build import label_file
from held.corpus.sources import SourceFile, load_corpus_json, read_corpus_document, sources_in
from held.errors import HeldError
from held.hierarchy.matching.outline import listed_headings
from held.reading.read_pdf import read_pdf

CORPUS = Path(os.environ.get("HELD_CORPUS", REPOSITORY.parent / "shared" / "corpus"))
RESULTS = REPOSITORY / "research" / "benchmarks" / "results" / "extract.json"
RESULTS_BY_HAND = RESULTS.with_name("by-hand.json")
RESULTS_FOLDER = RESULTS.with_name("debian.json")
PAGE = REPOSITORY / "docs" / "research" / "benchmark.md"
PAGE_BY_HAND = PAGE.with_name("benchmark-by-hand.md")
PAGE_FOLDER = PAGE.with_name("benchmark-debian.md")
FOLDER_DOMAIN = "Debian"  # the kind of all documents of a folder
Truths = Mapping[str, TrueHeadings | None]
STARTS = 3  # runs on a single page; the cheapest is the tool's start-up


def install_tool(tool: Tool, work: Path) -> Figures:
    """The version of a tool in its environment, which is made where it is missing, or why there is none."""
    if tool.needs and not shutil.which(tool.needs):
        return {"error": f"needs {tool.needs}"}
    note = work / "environments" / f"{tool.environment}.json"
    if not note.is_file():
        note.parent.mkdir(parents=True, exist_ok=True)
        python = python_of(tool, work)
        subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
        wanted = [str(REPOSITORY)] if tool.name == OURS else list(tool.requirements)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
        done = subprocess.run(pip, capture_output=True, text=True)
        found = (
            {"version": version_of(tool, python)}
            if done.returncode == 0
            else {"error": last_line(done.stderr)}
        )
        note.write_text(json.dumps(found), encoding="utf-8")
    result: Figures = json.loads(note.read_text(encoding="utf-8"))
    return result


def version_of(tool: Tool, python: Path) -> str:
    package = tool.requirements[0].partition("[")[0].partition(">")[0]
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run(
        [str(python), "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def python_of(tool: Tool, work: Path) -> Path:
    return work.resolve() / "environments" / tool.environment / "bin" / "python"


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1][:200]


def prepare_copy(source: SourceFile, work: Path, pages: int) -> tuple[Path, int]:
    """A copy of a document's first pages without its outline, and how many pages it has.

    Tags go with the outline where the outline in the corpus was made from them: they are the truth there.
    """
    import pikepdf

    path = work.resolve() / "inputs" / f"{source.id}-{pages or 'all'}.pdf"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        from_tags = not is_pdf(source) and load_corpus_json(source.path).get("outline_from") == "tags"
        with pikepdf.open(original(source, work)) as pdf:
            if pages:
                del pdf.pages[pages:]
            for name in ("/Outlines", *(("/StructTreeRoot", "/MarkInfo") if from_tags else ())):
                if name in pdf.Root:
                    del pdf.Root[name]
            pdf.save(path.with_suffix(".part"))
        path.with_suffix(".part").rename(path)
    with pikepdf.open(path) as pdf:
        return path, len(pdf.pages)


def original(source: SourceFile, work: Path) -> Path:
    """The PDF of a document: its original, or its stored pages printed again where there is none."""
    if is_pdf(source):
        return source.path
    path = CORPUS / "pdfs" / f"{source.id}.pdf"
    if path.is_file():
        return path
    printed = work.resolve() / "reprinted" / path.name
    if not printed.is_file():
        printed.parent.mkdir(parents=True, exist_ok=True)
        reprint(load_corpus_json(source.path), printed.with_suffix(".part"))
        printed.with_suffix(".part").rename(printed)
    return printed


def is_pdf(source: SourceFile) -> bool:
    """Whether a document is a PDF itself, not one that the corpus stores."""
    return source.path.suffix.lower() == ".pdf"


def measure_tool(tool: Tool, source: Path, work: Path, timeout: float) -> Figures:
    """What a tool costs and finds on one file, from the work folder where it has been measured."""
    note = work / "measured" / tool.name / f"{source.stem}.json"
    if not note.is_file():
        note.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="held-bench-") as folder:
            output = Path(folder, "output.json")
            cost = run(
                tool.command(python_of(tool, work), source, output), folder=Path(folder), timeout=timeout
            )
            row = {**cost._asdict(), "headings": [] if cost.error else found_headings(output)}
        note.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    result: Figures = json.loads(note.read_text(encoding="utf-8"))
    return result


def found_headings(output: Path) -> list[Heading]:
    """The headings that a tool has written, as rows or in Markdown."""
    content = json.loads(output.read_text(encoding="utf-8"))
    if isinstance(content, dict):
        return [Heading(row["level"], row["title"], row["page"]) for row in content["headings"]]
    return headings_of(content)


def truth_of(source: SourceFile) -> TrueHeadings | None:
    """What the document's outline lists; None where its labels cannot be trusted, or come from its tags."""
    try:
        labelled = label_file(source)
    except HeldError:
        return None
    if labelled.dropped or (is_pdf(source) and labelled.labels_from != "outline"):
        return None
    pages = read_pdf(source.path, jobs=1) if is_pdf(source) else read_corpus_document(source.path)
    listed = listed_headings(pages.outline, last_page=len(pages.pages)).headings
    return true_headings(labelled, listed)


def start_up(tool: Tool, source: SourceFile, work: Path, timeout: float) -> float:
    """The CPU seconds that a tool takes for a single page."""
    page, _ = prepare_copy(source, work, 1)
    costs = []
    for turn in range(STARTS):
        copy = page.with_stem(f"start-{turn}")
        shutil.copyfile(page, copy)
        costs.append(measure_tool(tool, copy, work, timeout)["seconds"])
    return float(min(costs))


def truths_of(sources: Sequence[SourceFile]) -> Truths:
    """The truth of each document, by its id.

    PDFs are read in another process: what is measured later counts all processes that this one started.
    """
    with ProcessPoolExecutor(max_workers=1) as other:
        return dict(zip([source.id for source in sources], other.map(truth_of, sources), strict=True))


def rows(
    sources: Sequence[SourceFile],
    truths: Truths,
    tools: Sequence[Tool],
    first_pages: int,
    settings: argparse.Namespace,
) -> Iterator[Figures]:
    """For each file and tool what it costs and what its headings are worth."""
    for number, source in enumerate(sources, 1):
        path, pages = prepare_copy(source, settings.work, first_pages)
        truth = truths[source.id]
        for tool in tools:
            print(f"{number}/{len(sources)} {source.id} {tool.title}", file=sys.stderr)
            row = measure_tool(tool, path, settings.work, settings.timeout)
            headings = [Heading(*heading) for heading in row.pop("headings")]
            scores = strict = flat = Scores()
            if truth is not None:
                known = truth.up_to(pages)
                scores, strict = score(headings, known), score(headings, TrueHeadings(known.listed))
                flat = score([heading._replace(level=1) for heading in headings], known)
            yield {
                "tool": tool.name,
                "file": source.id,
                "domain": source.origin.domain if source.origin else FOLDER_DOMAIN,
                "pages": pages,
                "scored": truth is not None,
                "scores": scores,
                "unmasked": strict,
                "flat": flat,
                **row,
            }


def summary(tool: Tool, every: Sequence[Figures], start: float) -> Figures:
    """One tool over all files: speed and memory where it did not fail, and the figures of each domain."""
    found = [row for row in every if row["tool"] == tool.name]
    done = [row for row in found if not row["error"]]
    seconds, pages = sum(row["seconds"] for row in done), sum(row["pages"] for row in done)
    later = max(seconds - start * len(done), 0.001)
    domains = sorted({row["domain"] for row in found if row["scored"]})
    return {
        "pages": pages,
        "pages_per_cpu_second": round(pages / max(seconds, 0.001), 2),
        "pages_per_cpu_second_without_start": round(pages / later, 2),
        "start_cpu_seconds": round(start, 3),
        "peak_mb": max((row["peak_mb"] for row in done), default=0.0),
        "failed": {row["file"]: row["error"] for row in found if row["error"]},
        "domains": {domain: figures([row for row in found if row["domain"] == domain]) for domain in domains},
    }


def ahead_of(ours: Mapping[str, Figures], found: Sequence[Figures]) -> Figures:
    """The files where a tool has more of the paths right than we, with its path F1 and ours."""
    pairs = [(row, ours[row["file"]]) for row in found if row["scored"] and row["file"] in ours]
    paths = {one["file"]: (one["scores"].paths.f1, own["scores"].paths.f1) for one, own in pairs}
    return {file: [round(its, 3), round(own, 3)] for file, (its, own) in paths.items() if its > own}


def figures(found: Sequence[Figures]) -> Figures:
    """F1 of headings and paths over some files: also with every heading that the outline does not list
    counted as false (`_unmasked`), and with all of a tool's headings set to one level (`_flat`)."""
    scored = [row for row in found if row["scored"]]
    result: Figures = {"files": len(scored)}
    for name, end in (("scores", ""), ("unmasked", "_unmasked"), ("flat", "_flat")):
        total = Scores()
        for row in scored:
            total = total.plus(row[name])
        result |= {"true": total.headings.true, f"found{end}": total.headings.found}
        result |= {f"heading_f1{end}": round(total.headings.f1, 4), f"path_f1{end}": round(total.paths.f1, 4)}
    return result


def chosen_sources(settings: argparse.Namespace) -> list[SourceFile]:
    """The documents that are compared: those of the splits asked for whose PDF is there, or a share."""
    sources = sources_in(settings.folder or CORPUS)
    if not settings.folder:
        sources = [source for source in sources if is_chosen(source, settings)]
    if not sources:
        sys.exit(f"There is no original of split {' '.join(settings.split)} below {CORPUS}: set HELD_CORPUS.")
    if not settings.files:
        return sources
    # Ids begin with the domain or the package, so every n-th file is a share of each.
    return sources[:: max(1, round(len(sources) / settings.files))]


def is_chosen(source: SourceFile, settings: argparse.Namespace) -> bool:
    """Whether a document of the corpus is of the splits asked for, and has a PDF or an outline by hand."""
    if source.origin is None or source.origin.split not in settings.split:
        return False
    return is_by_hand(source) if settings.by_hand else (CORPUS / "pdfs" / f"{source.id}.pdf").is_file()


def is_by_hand(source: SourceFile) -> bool:
    """Whether the document's outline was made by hand and lists every heading."""
    return source.origin is not None and source.origin.labels_from == "manual"


def results(settings: argparse.Namespace) -> Figures:
    """The whole comparison."""
    sources = chosen_sources(settings)
    chosen = [tool for tool in TOOLS if not settings.tools or tool.name in settings.tools]
    state = {tool.name: install_tool(tool, settings.work) for tool in chosen}
    ready = [tool for tool in chosen if "version" in state[tool.name]]
    quick = [tool for tool in ready if tool.name in (OURS, FLOOR)]
    truths = truths_of(sources)
    found = list(rows(sources, truths, ready, settings.pages, settings))
    whole = list(rows(sources, truths, quick, 0, settings))
    ours = {row["file"]: row for row in found if row["tool"] == OURS}
    starts = {tool.name: start_up(tool, sources[0], settings.work, settings.timeout) for tool in ready}
    return {
        "split": settings.split,
        "by_hand": settings.by_hand,
        "folder": bool(settings.folder),
        "files": len(sources),
        "first_pages": settings.pages,
        "pages": sum(row["pages"] for row in found if row["tool"] == ready[0].name),
        "tools": {
            tool.name: {
                "title": tool.title,
                **state[tool.name],
                **summary(tool, found, starts[tool.name]),
                "ahead": ahead_of(ours, [row for row in found if row["tool"] == tool.name]),
            }
            for tool in ready
        },
        "whole_files": {tool.name: summary(tool, whole, starts[tool.name]) for tool in quick},
        "left_out": {tool.title: state[tool.name]["error"] for tool in chosen if tool not in ready}
        | {tool.title: "not asked for in this run" for tool in TOOLS if tool not in chosen}
        | LEFT_OUT,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--work", type=Path, required=True, help="folder for environments and measurements")
    parser.add_argument("--split", nargs="+", default=["valid"], help="splits of the corpus [default: valid]")
    parser.add_argument(
        "--pages", type=int, default=40, help="first pages of each file; 0: all [default: 40]"
    )
    parser.add_argument(
        "--by-hand", action="store_true", help="documents with complete outlines made by hand"
    )
    parser.add_argument("--folder", type=Path, help="the PDFs with bookmarks of this folder")
    parser.add_argument("--files", type=int, help="only about so many files, evenly over the domains")
    parser.add_argument(
        "--tools", nargs="+", help="only these, by the names in research/benchmarks/tools/catalogue.py"
    )
    parser.add_argument("--timeout", type=float, default=1200.0, help="seconds for one file [default: 1200]")
    parser.add_argument("-o", "--output", type=Path, help="the results [default: in the repository]")
    parser.add_argument("--page", type=Path, help="the page made of them [default: in docs/research]")
    settings = parser.parse_args()
    result = results(settings)
    output, page = RESULTS, PAGE
    if settings.by_hand:
        output, page = RESULTS_BY_HAND, PAGE_BY_HAND
    elif settings.folder:
        output, page = RESULTS_FOLDER, PAGE_FOLDER
    output, page = settings.output or output, settings.page or page
    output.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    page.write_text(page_of(result), encoding="utf-8")
    print(page_of(result))


if __name__ == "__main__":
    main()
