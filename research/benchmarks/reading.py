"""Speed and memory of reading PDFs: pages per CPU-second, as ratios measured in one run.

Four ways over the same files, one after the other for each file so that a busy machine slows all alike:
PDFium's plain text alone (the floor), our reading of runs, rules and images, the way to objects, and the
whole way to the tree. Then a generated PDF of 300 and one of 3,000 pages show whether the cost grows with the
square of anything, and one of two pages what it costs to start. Results are JSON on stdout or in a file, a
table on stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from ctypes import create_string_buffer
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

CORPUS = Path(os.environ.get("HELD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
WAYS = ("plain", "reading", "objects", "whole")
GOALS = {"reading": 0.5, "objects": 0.3, "whole": 0.33}
SMALL, LARGE = 300, 3000
LONG = 100  # pages, from which on starting anew for each file hardly counts
SHORT = 2  # pages of a file whose cost is that of starting
STARTS = 7  # of which the cheapest counts: the others were disturbed


def plain_text(path: Path) -> int:
    """The pages of a file, whose text was fetched and thrown away."""
    from held.reading.pdfium import library
    from held.reading.pdfium_reader import open_document, open_page, open_text, page_count

    with open_document(os.fsencode(path), None) as document:
        pages = page_count(document)
        for index in range(pages):
            with open_page(document, index) as page, open_text(page) as text:
                count = max(0, library.FPDFText_CountChars(text))
                buffer = create_string_buffer(2 * count + 2)
                library.FPDFText_GetText(text, 0, count, buffer)
                buffer.raw[: 2 * count].decode("utf-16-le", "replace")
    return pages


def read(path: Path) -> int:
    """The pages of a file, read as callers read it: in other processes."""
    from held.reading.read_pdf import read_pdf

    return len(read_pdf(path).pages)


def recognise_objects(path: Path) -> int:
    """The pages of a file, read and recognised."""
    from held.layout.recognise import recognise
    from held.reading.read_pdf import read_pdf

    pages = read_pdf(path)
    recognise(pages)
    return len(pages.pages)


def whole_way(path: Path) -> int:
    """The pages of a file, read, recognised and made a tree."""
    from held.hierarchy.pipeline import build_tree
    from held.layout.recognise import recognise
    from held.reading.read_pdf import read_pdf

    pages = read_pdf(path)
    build_tree(recognise(pages))
    return len(pages.pages)


RUN: dict[str, Callable[[Path], int]] = {
    "plain": plain_text,
    "reading": read,
    "objects": recognise_objects,
    "whole": whole_way,
}


def cpu_seconds() -> float:
    """The CPU time of this process and of its children, those that have ended and those that live."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    living = sum(nanoseconds_on_cpu(pid) for pid in process_tree(os.getpid())[1:]) / 1e9
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime + living


def nanoseconds_on_cpu(pid: int) -> int:
    try:
        return sum(
            int(task.joinpath("schedstat").read_text().split()[0])
            for task in Path(f"/proc/{pid}/task").iterdir()
        )
    except OSError:
        return 0


class Cost(NamedTuple):
    """What a file cost: its pages, and the CPU seconds of each way."""

    pages: int
    seconds: dict[str, float]


def compare(files: Sequence[Path], ways: Sequence[str], rounds: int) -> list[Cost]:
    """What each file costs, all ways after each other; of several rounds the cheapest of each counts."""
    for way in ways:  # once before the clock runs: imports, the library, the disk cache
        RUN[way](files[0])
    costs = []
    for done, path in enumerate(files, 1):
        print(f"\r{done}/{len(files)} files", end="", file=sys.stderr)
        seconds = dict.fromkeys(ways, float("inf"))
        for _ in range(rounds):
            for way in ways:
                start = cpu_seconds()
                pages = RUN[way](path)
                seconds[way] = min(seconds[way], cpu_seconds() - start)
        costs.append(Cost(pages, seconds))
    print(file=sys.stderr)
    return costs


def rates(costs: Sequence[Cost], ways: Sequence[str]) -> dict[str, Any]:
    """Pages per CPU-second of each way over all these files, and as shares of plain text."""
    pages = sum(cost.pages for cost in costs)
    seconds = {way: sum(cost.seconds[way] for cost in costs) for way in ways}
    return {
        "files": len(costs),
        "pages": pages,
        "pages_per_cpu_second": {way: round(pages / seconds[way], 1) for way in ways},
        "ratio_to_plain": {way: round(seconds["plain"] / seconds[way], 3) for way in ways},
    }


def start_up() -> dict[str, Any]:
    """What `held extract` of a file of two pages costs, and what starting Python alone does."""
    with tempfile.TemporaryDirectory(prefix="held-bench-") as folder:
        short, tree = Path(folder, "short.pdf"), Path(folder, "short.json")
        generate(short, SHORT)
        extract = ["-m", "held", "extract", str(short), "-o", str(tree)]
        return {
            "pages": SHORT,
            "held_extract_cpu_seconds": cheapest(extract),
            "python_alone_cpu_seconds": cheapest(["-c", ""]),
        }


def cheapest(arguments: Sequence[str]) -> float:
    """The fewest CPU seconds that Python took with these arguments, children included."""
    costs = []
    for _ in range(STARTS):
        start = cpu_seconds()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        costs.append(cpu_seconds() - start)
    return round(min(costs), 3)


def generate(path: Path, pages: int) -> None:
    """Writes a PDF of pages like those of a report: text in two sizes, a table with its grid, a footer."""
    import pikepdf

    with pikepdf.new() as pdf:
        names = {"/F1": "/Times-Roman", "/F2": "/Helvetica-Bold"}
        fonts = {
            key: pdf.make_indirect(
                pikepdf.Dictionary(
                    Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name(name)
                )
            )
            for key, name in names.items()
        }
        for number in range(1, pages + 1):
            page = pdf.add_blank_page(page_size=(595, 842))
            page.obj.Contents = pdf.make_stream(page_content(number).encode())
            page.obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(fonts))
        with pdf.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(f"{n + 1} Section", n) for n in range(pages))
        pdf.save(path)


def page_content(number: int) -> str:
    """The operators that draw one page."""
    words = "the company reports that revenue of the year was higher than expected and costs were lower"
    pieces = [show_text("F2", 14, 72, 780, f"{number} Section of the report")]
    pieces += [show_text("F1", 10, 72, 750 - 12 * line, f"{line} {words} {number}") for line in range(36)]
    for row in range(12):
        pieces.append(f"72 {300 - 16 * row} 450 0.5 re f")
        pieces += [
            show_text("F1", 10, 80 + 90 * column, 288 - 16 * row, f"{row * number:,}.{column}")
            for column in range(5)
        ]
    return "\n".join([*pieces, show_text("F1", 10, 297, 40, str(number))])


def show_text(font: str, size: int, x: int, y: int, text: str) -> str:
    return f"BT /{font} {size} Tf {x} {y} Td ({text}) Tj ET"


def peak_memory(path: Path, way: str) -> tuple[float, float]:
    """CPU seconds per page, and the most megabytes that all processes held at once, in a fresh process."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--one", way, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    peak = 0.0
    ended = Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(0.05):
            peak = max(peak, sum(map(resident, process_tree(process.pid))))

    watcher = Thread(target=watch)
    watcher.start()
    output, _ = process.communicate()
    ended.set()
    watcher.join()
    return float(output), round(peak, 1)


def process_tree(root: int) -> list[int]:
    """A process and its living descendants."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    tree = [root]
    for pid in tree:  # the list grows while it is walked
        tree += [child for child, parent in parents.items() if parent == pid]
    return tree


def resident(pid: int) -> float:
    """Megabytes of one process's memory that are in use."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def growth(ways: Sequence[str]) -> dict[str, Any]:
    """Cost per page and memory of a small and a large generated PDF."""
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="held-bench-") as folder:
        small, large = Path(folder, "small.pdf"), Path(folder, "large.pdf")
        generate(small, SMALL)
        generate(large, LARGE)
        for way in ways:
            few, _ = peak_memory(small, way)
            many, peak = peak_memory(large, way)
            result[way] = {
                "cpu_ms_per_page_300": round(1000 * few, 3),
                "cpu_ms_per_page_3000": round(1000 * many, 3),
                "ratio": round(many / few, 3),
                "peak_mb_3000": peak,
            }
    return result


def report(result: dict[str, Any]) -> None:
    """Prints the results as a table on stderr."""

    def show(*cells: object) -> None:
        print(*(f"{cell!s:>20}" for cell in cells), file=sys.stderr)

    for part in ("corpus", "long"):
        if part not in result:
            continue
        show(f"{part}: way", "pages per CPU-s", "of plain text", "goal")
        for way, rate in result[part]["pages_per_cpu_second"].items():
            show(way, rate, result[part]["ratio_to_plain"][way], GOALS.get(way, ""))
    if "growth" in result:
        show("way", "ms/page, 300 pages", "ms/page, 3000 pages", "ratio (goal 1.2)", "peak MB (goal 600)")
    for way, row in result.get("growth", {}).items():
        show(way, *row.values())
    show("start-up, CPU-s", result["start_up"]["held_extract_cpu_seconds"], "goal 0.25")


def _chosen(arguments: argparse.Namespace) -> list[Path]:
    """The originals of the corpus that are asked for."""
    originals = sorted((CORPUS / "pdfs").glob("*.pdf"))
    if arguments.originals:
        originals = [path for path in originals if path.stem in arguments.originals]
    if arguments.files:
        originals = originals[:: max(1, len(originals) // arguments.files)]
    return originals


def _of_originals(originals: list[Path], rounds: int) -> dict[str, Any]:
    """What each way costs on originals, and on the long ones among them; nothing where there are none."""
    if not originals:
        return {}
    costs = compare(originals, WAYS, rounds)
    result: dict[str, Any] = {"corpus": rates(costs, WAYS)}
    long = [cost for cost in costs if cost.pages >= LONG]
    if long:
        result["long"] = {"pages_at_least": LONG, **rates(long, WAYS)}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", "--output", type=Path, help="write the JSON here, not to stdout")
    parser.add_argument("--files", type=int, help="only so many of the corpus's originals")
    parser.add_argument("--originals", nargs="+", metavar="ID", help="only these of the corpus's originals")
    parser.add_argument("--rounds", type=int, default=1, help="how often each file is read")
    parser.add_argument("--without-growth", action="store_true", help="leave the generated PDFs out")
    parser.add_argument("--one", nargs=2, metavar=("WAY", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        way, path = arguments.one
        start = cpu_seconds()
        pages = RUN[way](Path(path))
        print((cpu_seconds() - start) / pages)
        return
    result = _of_originals(_chosen(arguments), arguments.rounds)
    if not arguments.without_growth:
        result["growth"] = growth(WAYS[1:])
    result["start_up"] = start_up()
    report(result)
    text = json.dumps(result, indent=2)
    if arguments.output:
        arguments.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
