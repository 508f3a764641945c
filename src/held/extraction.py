"""A file on the whole way to its hierarchy, for the library and the command line alike.

`Extraction` is all that the hierarchy depends on beside the file: one value, which can be compared, hashed
and sent to another process. `extracted` goes the way, and tells a clock which stage it is at.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from held.document import Document, Pages
from held.errors import UsageError
from held.files import PageRange, pages_within, read, stored_tree
from held.hierarchy.overrides import Place, fixed_from
from held.hierarchy.subset import portion

if TYPE_CHECKING:
    from held.hierarchy.insertion import Strategy
    from held.hierarchy.pipeline import Hierarchy

Tell = Callable[[str, int, int], None]  # stage, done, total
Source = Path | bytes | Document | Pages

OUTLINES = ("ignore", "trust")
READ_HERE = 0  # jobs: no other process reads


@dataclass(frozen=True, slots=True)
class Extraction:
    """How a document becomes a hierarchy.

    model           a model that ships, or the folder of one
    pages           only these, and the headings above them
    order, beam     how positions are asked about, and how many trees are kept
    outline         whether the PDF's own bookmarks are trusted
    headings        found by the model, given by the document, or given where there are any
    fixed           what is known of objects, each with its place: see `held.hierarchy.overrides`
    max_depth       deeper headings become text of the section they stand in
    min_confidence  headings with less certainty are doubtful
    drop_doubtful   doubtful headings become text of the section before them
    """

    model: str = "base"
    pages: PageRange | None = None
    order: str = "ta"
    beam: int = 1
    outline: str = "ignore"
    headings: str = "auto"
    fixed: tuple[tuple[int, Place], ...] = ()
    max_depth: int | None = None
    min_confidence: float | None = None
    drop_doubtful: bool = False


_OF_MAKING = ("model", "order", "beam", "outline", "headings", "fixed")  # and not of what is shown of a tree


class Clock:
    """How long each stage took, and where progress goes."""

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell
        self._starts: list[tuple[str, float]] = []

    def begin(self, stage: str) -> None:
        """Ends the stage before."""
        self._starts.append((stage, perf_counter()))

    def tell(self, done: int, total: int) -> None:
        """Tells how far the stage is."""
        if self._tell is not None:
            self._tell(self._starts[-1][0], done, total)

    def tell_inserting(self, done: int, total: int) -> None:
        """Tells how many headings are inserted; the first call begins the stage."""
        if self._starts[-1][0] != "inserting":
            self.begin("inserting")
        self.tell(done, total)

    def seconds(self) -> dict[str, float]:
        """The time of each stage until now."""
        ends = [start for _, start in self._starts[1:]] + [perf_counter()]
        return {stage: end - start for (stage, start), end in zip(self._starts, ends, strict=True)}


def extracted(
    source: Source,
    options: Extraction,
    *,
    password: str | None = None,
    jobs: int | None = None,
    clock: Clock | None = None,
) -> Hierarchy:
    """The hierarchy of what a source holds; one that was written as JSON before is not made again."""
    if jobs != READ_HERE and isinstance(source, Path) and source.suffix.lower() == ".pdf":
        _start_reader()
    strategy = _strategy(options)
    clock = clock or Clock()
    clock.begin("reading")
    whole = _stored(source, options)
    if whole is None:
        value = _read(source, password, jobs, clock)
        pages_within(value, options.pages, _name(source, value))  # before long work in vain
        whole = _made(value, options, strategy, clock)
    return _portion(whole, options, source)


def _start_reader() -> None:
    """Starts the process that will read: models and numpy are imported meanwhile, on another core."""
    from held.reading.workers import start_early
    from held.system.limits import limits

    start_early(limits())


def _strategy(options: Extraction) -> Strategy:
    """How the tree is built; options that make no sense are refused."""
    from held.hierarchy.insertion import Order, Strategy
    from held.hierarchy.pipeline import Headings

    _check_choice("outline", options.outline, OUTLINES)
    _check_choice("order", options.order, tuple(Order))
    _check_choice("headings", options.headings, tuple(Headings))
    if options.max_depth is not None and options.max_depth < 1:
        raise UsageError(f"max_depth cannot be {options.max_depth}", advice="levels count from 1")
    if options.min_confidence is not None and not 0 <= options.min_confidence <= 1:
        raise UsageError(f"min_confidence cannot be {options.min_confidence}", advice="it is from 0 to 1")
    if options.fixed and options.outline == "trust":
        raise UsageError("places cannot be fixed where the bookmarks are trusted", advice="give one of both")
    return Strategy(Order(options.order), options.beam, normalise=True)


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{name} cannot be {value!r}", advice=f"it is one of {', '.join(choices)}")


def _stored(source: Source, options: Extraction) -> Hierarchy | None:
    """The hierarchy that the source is already, None where it has to be made."""
    found = stored_tree(source) if isinstance(source, Path) else None
    if found is None:
        return None
    idle = [name for name in _OF_MAKING if getattr(options, name) != getattr(Extraction(), name)]
    if idle:
        raise UsageError(
            f"holds a tree already, which {' and '.join(idle)} would not change",
            file=_name(source, found.document),
            advice="give the PDF, or the `document` in it",
        )
    return found


def _read(source: Source, password: str | None, jobs: int | None, clock: Clock) -> Pages | Document:
    if isinstance(source, Document | Pages):
        return source
    if isinstance(source, Path):
        return read(source, password=password, jobs=jobs, progress=clock.tell)
    from held.layout.lines.view import as_viewed
    from held.reading.read_pdf import read_pdf
    from held.reading.readable import require_text

    return as_viewed(require_text(read_pdf(source, password=password, jobs=jobs, progress=clock.tell)))


def _made(value: Pages | Document, options: Extraction, strategy: Strategy, clock: Clock) -> Hierarchy:
    """The hierarchy of all that was read."""
    clock.begin("recognising")
    document = _recognised(value, clock)
    clock.begin("headings")
    if options.outline == "trust":
        from held.hierarchy.bookmark_tree import trusted_tree_of

        outline = value.outline if isinstance(value, Pages) else ()
        return trusted_tree_of(
            document, outline, model=options.model, strategy=strategy, progress=clock.tell_inserting
        )
    from held.hierarchy.pipeline import Headings, tree_of

    return tree_of(
        document,
        model=options.model,
        strategy=strategy,
        headings=Headings(options.headings),
        fixed=[fixed_from(dict(options.fixed), object_count=len(document.objects))],
        progress=clock.tell_inserting,
    )


def _recognised(value: Pages | Document, clock: Clock) -> Document:
    if isinstance(value, Document):
        return value
    from held.layout.recognise import recognise

    return recognise(value, progress=clock.tell)


def _portion(hierarchy: Hierarchy, options: Extraction, source: Source) -> Hierarchy:
    """The part of the hierarchy that the options ask for."""
    if options.min_confidence is not None:
        hierarchy = replace(hierarchy, min_confidence=options.min_confidence)
    document = hierarchy.document
    pages = options.pages and pages_within(document, options.pages, _name(source, document))
    return portion(
        hierarchy, pages=pages or None, max_depth=options.max_depth, drop_doubtful=options.drop_doubtful
    )


def _name(source: Source, value: Pages | Document) -> Path:
    """What an error calls a source."""
    return source if isinstance(source, Path) else Path(os.fspath(value.source))
