"""A server under load, and its page with a long document.

    python -m research.benchmarks.serve -o research/benchmarks/results/serve.json

Load: more documents than the queue takes come in at once; the server is killed while it works them off and
started again. Counted are the answers by code, jobs that are lost, and the memory of the server.
Page: a report of 300 pages and 600 headings in a real browser: how long until its tree stands there, and
until a heading that is clicked is selected. Seconds are those of the clock: let the machine be at rest.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from held.system.bounded_json import write_json
from tests.browser.conftest import PROGRAMS
from tests.browser.devtools import Tab, running
from tests.serve.conftest import Served, serving

JOBS = 50
PAGES_OF_A_JOB = 20
MEGABYTES_OF_UPLOAD = 5
LONG_PAGES = 300
HEADINGS_A_PAGE = 2
CLICKS = 40
SECONDS_BETWEEN_LOOKS = 0.25
SENTENCE = "The harbour office counts every ship that comes in, and tells the town how many of them stay."
FINISHED = ("done", "partial", "failed")


def write_report(path: Path, pages: int, *, per_chapter: int = 10) -> Path:
    """A report with two numbered headings on each page: sections, and a chapter on every so many pages."""
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    for page in range(pages):
        chapter, place = divmod(page, per_chapter)
        section = f"{chapter + 1}.{place + 1}"
        first = (f"{chapter + 1} Harbour {chapter + 1}", 20) if place == 0 else (f"{section} Quays", 14)
        second = (f"{section}.1 Depth at quay {place + 1}", 12) if place else (f"{section} Staff", 14)
        y = _paragraph(canvas, 780.0)  # what opens each page at the same height would be a running head
        for title, size in (first, second):
            canvas.setFont("Helvetica-Bold", size)
            canvas.drawString(72, y, title)
            y = _paragraph(canvas, y - 2 * size)
        canvas.showPage()
    canvas.save()
    return path


def _paragraph(canvas: Canvas, y: float) -> float:
    """Ten lines of text from here on; where the next thing begins."""
    canvas.setFont("Times-Roman", 11)
    for _ in range(10):
        canvas.drawString(72, y, SENTENCE[:88])
        y -= 14
    return y - 30


def memory_of(process: int) -> float:
    """The memory that a process holds itself, in megabytes."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def code_of(served: Served, name: str, content: bytes) -> int:
    """What the server answers to a file."""
    answer = served.client.post("/v1/jobs", files={"file": (name, content)})
    if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
        assert int(answer.headers["Retry-After"]) > 0
    return answer.status_code


def statuses(served: Served) -> dict[str, str]:
    """The status of each job."""
    return {job["id"]: job["status"] for job in served.client.get("/v1/jobs").json()}


def work_off(served: Served, until: Callable[[Sequence[str]], bool]) -> list[tuple[int, float]]:
    """Waits; how many jobs were done at which memory of the server."""
    seen: list[tuple[int, float]] = []
    while True:
        now = list(statuses(served).values())
        done = sum(status in FINISHED for status in now)
        if not seen or seen[-1][0] != done:
            seen.append((done, round(memory_of(served.process.pid), 1)))
            print(f"{done}/{len(now)} jobs, {seen[-1][1]} MB", file=sys.stderr)
        if until(now):
            return seen
        time.sleep(SECONDS_BETWEEN_LOOKS)


def load(folder: Path) -> dict[str, Any]:
    """What comes of more jobs than may wait, with a kill in between."""
    content = write_report(folder / "report.pdf", PAGES_OF_A_JOB).read_bytes()
    options = ("--queue", str(JOBS), "--max-size", str(MEGABYTES_OF_UPLOAD))
    codes: Counter[int] = Counter()
    with serving(folder / "work", *options) as served:
        codes[code_of(served, "large.pdf", content + bytes(MEGABYTES_OF_UPLOAD << 20))] += 1
        codes[code_of(served, "no.pdf", b"a letter")] += 1
        while not codes[httpx.codes.TOO_MANY_REQUESTS]:
            codes[code_of(served, f"report-{codes.total()}.pdf", content)] += 1
        accepted = set(statuses(served))
        before = work_off(served, lambda now: sum(status in FINISHED for status in now) >= len(now) // 2)
        served.kill()
    with serving(folder / "work", *options) as served:
        lost = len(accepted - set(statuses(served)))
        after = work_off(served, lambda now: all(status in FINISHED for status in now))
        jobs = served.client.get("/v1/jobs").json()
        outlines = {served.client.get(f"/v1/jobs/{job['id']}/result?format=outline").content for job in jobs}
    return {
        "jobs": len(accepted),
        "codes": {str(code): count for code, count in sorted(codes.items())},
        "lost after kill -9": lost,
        "status": Counter(job["status"] for job in jobs),
        "attempts": Counter(str(job["attempts"]) for job in jobs),
        "different outlines": len(outlines),
        "jobs done and megabytes of the server": {"before the kill": before, "after it": after},
    }


def chosen_browser() -> str:
    """The browser that is there."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        sys.exit("there is no Chromium here: `make chromium` installs it on Debian, as root")
    return found


OPENING = """(async () => {{
  const start = performance.now();
  location.hash = "#{id}";
  const there = () => document.querySelectorAll("#tree li").length >= {headings};
  while (!there()) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}})()"""
SELECTING = """(async () => {{
  const item = document.querySelectorAll("#tree li")[{place}];
  const title = item.querySelector(".title").textContent;
  const start = performance.now();
  item.click();
  const shown = () => document.querySelector("#details h3")?.textContent === title;
  while (!shown() || item.ariaSelected !== "true") await new Promise(requestAnimationFrame);
  const selected = performance.now() - start;
  const boxed = () => document.querySelector(".box.marked")?.dataset.object === item.dataset.object;
  while (!boxed()) await new Promise(requestAnimationFrame);
  const marked = performance.now() - start;
  while (!document.querySelector("#picture").complete) await new Promise(requestAnimationFrame);
  return [selected, marked, performance.now() - start];
}})()"""


def page(folder: Path) -> dict[str, Any]:
    """The page with a long document: milliseconds until its tree stands there, and of selecting."""
    report = write_report(folder / "long.pdf", LONG_PAGES)
    program = chosen_browser()
    with serving(folder / "long") as served, running(program, folder / "profile") as browser:
        start = memory_of(served.process.pid)
        job = served.settled(served.post(report)["id"])
        idle = memory_of(served.process.pid)
        tab = browser.tab()
        tab.go(served.address)
        tab.until("document.querySelectorAll('.job.done').length === 1")
        ready = tab.value(OPENING.format(id=job["id"], headings=job["headings"]))
        opened = memory_of(served.process.pid)
        selected, marked, drawn = _click_headings(tab, job["headings"])
        again = tab.value(OPENING.format(id=job["id"], headings=job["headings"]))
    return {
        "pages": job["pages"],
        "headings": job["headings"],
        "seconds of the job": round(job["finished"] - job["started"], 2),
        "milliseconds until the tree stands there": {"first": round(ready), "again": round(again)},
        "milliseconds of a click until": {
            "heading and details are selected": _spread(selected),
            "its box is marked on the page": _spread(marked),
            "the page is drawn": _spread(drawn),
        },
        "megabytes of the server": {
            "at the start": round(start, 1),
            "after the job": round(idle, 1),
            "with the document open": round(opened, 1),
        },
    }


def _click_headings(tab: Tab, headings: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of clicks on headings all over the document, most on pages that were not drawn yet."""
    places = [(number * headings) // CLICKS for number in range(CLICKS)]
    found = [
        tab.value(SELECTING.format(place=place)) for place in places[1:]
    ]  # the first is selected already
    selected, marked, drawn = zip(*found, strict=True)
    return list(selected), list(marked), list(drawn)


def _spread(milliseconds: Sequence[float]) -> dict[str, float]:
    return {"median": round(statistics.median(milliseconds), 1), "most": round(max(milliseconds), 1)}


def main() -> None:
    """Measures and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = {
            "load of the machine at the start": round(os.getloadavg()[0], 1),
            "page": page(Path(folder)),
            "load": load(Path(folder)),
        }
    write_json(arguments.output, results)


if __name__ == "__main__":
    main()
