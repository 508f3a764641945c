"""Adds recognised text to the pages of a PDF: the entry point of `held.reading.ocr`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from held.document import Note, PageContent, Pages, Run, Style
from held.errors import UsageError
from held.reading.ocr.cache import PageCache, open_cache
from held.reading.ocr.engines import (
    ENGINES,
    RAPIDOCR,
    TESSERACT,
    check_options,
    install_advice,
    installed_engines,
    split_words,
)
from held.reading.ocr.page_text import RecognisedPage, RecognisedWord
from held.reading.ocr.pool import (
    LayerLines,
    Reading,
    ScannedFile,
    Unreadable,
    check_for_text,
    job_count,
    measure_layers,
    read_pages,
)
from held.reading.ocr.repairs import repair_lines
from held.reading.ocr.result_checks import (
    MIN_SAMPLE_CHARACTERS,
    MISREAD,
    RAPIDOCR_DATA,
    choose_language,
    find_misread,
    guess_language,
    is_layer_wrong,
    page_string,
    reading_notes,
)
from held.reading.ocr.styles import StyledLine, is_cjk, style_lines
from held.reading.text_checks import ALWAYS, AUTO, NEVER, OcrOptions, PageChoice, format_pages
from held.system.console import Progress
from held.system.limits import Limits

# Of the font size: how far a run reaches above and below its baseline, as in PDFs with common fonts.
ASCENT, DESCENT = 0.9, 0.22
MAX_GAP_EM = 1.3  # between words of one run; wider gaps separate columns and cells, as in `text_runs`
FIRST_HANGUL, LAST_HANGUL = "\uac00", "\ud7a3"
MONOSPACED_FONT = "Courier"  # the name tells the layout that code may be set in it
MIN_STAMP_TIMES = 3.0  # a stamped scan has so many times more recognised characters than real ones
SAMPLE_PAGES = 3  # pages that are tried to find the language


@dataclass(frozen=True, slots=True)
class ScanSource:
    """The file that pages were read from, and how its scanned pages are read."""

    path: Path
    password: str | None
    options: OcrOptions
    limits: Limits
    jobs: int | None = None


def add_recognised_text(
    pages: Pages, source: ScanSource, chosen: PageChoice, *, progress: Progress | None = None
) -> Pages:
    """The pages with the text of the chosen ones recognised, or of all.

    Pages whose text could not be read are listed in `unread`, and a note gives the reason.
    """
    options = source.options
    check_options(options)
    is_always = options.mode == ALWAYS
    wanted = list(range(len(pages.pages))) if is_always else chosen.without_text()
    layered = () if is_always else chosen.layered
    engines = _usable_engines(options)
    found: dict[int, RecognisedPage] = {}
    failed: dict[int, str] = {}
    if engines and (wanted or layered):
        cache = open_cache(source.path)
        reading = _choose_reading(pages, source, engines, wanted or layered, cache)
        if layered and _blames_layer(pages, source, reading, layered, cache):
            wanted = sorted({*wanted, *layered})
            layered = ()
        found, failed = _recognise(pages, source, reading, wanted, cache, progress)
        failed |= _misread(pages, source, found)
        found = {index: page for index, page in found.items() if index not in failed}
        pages = _with_reading_notes(pages, source, found, reading)
        found = _worth_keeping(pages, found, chosen, always=is_always)
    elif wanted:
        pages = _mark_unread(pages, source, chosen)
    numbers = tuple(index + pages.first_page for index in sorted(found))
    measured = found | _measure(pages, source, layered)
    result = replace(_with_text(pages, measured), recognised=numbers)
    return _with_failures(result, failed)


def _measure(pages: Pages, source: ScanSource, layered: Sequence[int]) -> dict[int, RecognisedPage]:
    """Pages whose text was recognised before, with sizes and weights measured on their images.

    The sizes in such layers are those of the boxes that some engine has found, and nothing in them is bold.
    """
    shift = pages.first_page - 1  # from the indices of `pages` to those of the file
    layers = {}
    for index in layered:
        runs = pages.pages[index].runs
        layers[index + shift] = _layer_lines(runs)
    file = _scanned_file(source)
    measured = {}
    for file_index, page in measure_layers(file, layers, jobs=job_count(source.jobs)):
        if isinstance(page, RecognisedPage):
            measured[file_index - shift] = page
    return measured


def _layer_lines(runs: Sequence[Run]) -> LayerLines:
    """The words of a text layer, line by line."""
    lines: LayerLines = []
    before: Run | None = None
    for run in runs:
        split = split_words(run.x0, run.y0, run.x1, run.y1, run.text, 1.0)
        words = [(*word[:5], run.x0, run.x1) for word in split]
        if not words:
            continue
        if before is not None and _follows(before, run):
            lines[-1] += words
        else:
            lines.append(words)
        before = run
    return lines


def _follows(before: Run, run: Run) -> bool:
    """Whether a run stands after another one on its line."""
    middle = (run.y0 + run.y1) / 2
    return before.y0 < middle < before.y1 and run.x0 > before.x0


def _blames_layer(
    pages: Pages, source: ScanSource, reading: Reading, layered: Sequence[int], cache: PageCache
) -> bool:
    """Whether the text layer of a scan says something else than what an engine reads with confidence.

    A sample tells: layers come from one program for a whole file.
    """
    index = _sample_indices(layered)[0]
    found, _ = _recognise(pages, source, reading, [index], cache, None)
    layer = "\n".join(run.text for run in pages.pages[index].runs)
    return index in found and is_layer_wrong(layer, found[index])


def recognised_pages(numbers: Sequence[int], source: ScanSource) -> dict[int, RecognisedPage]:
    """The recognised text of pages by their numbers, from the cache if it is there."""
    engines = _usable_engines(source.options)
    if not numbers or not engines:
        return {}
    empty = Pages("", (), (), first_page=1)
    cache = open_cache(source.path)
    wanted = [number - 1 for number in numbers]
    reading = _choose_reading(empty, source, engines, wanted, cache)
    found, _ = _recognise(empty, source, reading, wanted, cache, None)
    return {index + 1: page for index, page in found.items()}


def _usable_engines(options: OcrOptions) -> list[str]:
    """The installed engines that the options allow; one that is asked for must be installed."""
    installed = installed_engines()
    if options.mode == NEVER:
        return []
    if options.engine != AUTO:
        if options.engine not in installed:
            advice = f"install it: {ENGINES[options.engine].install()}"
            raise UsageError(f"the OCR engine {options.engine} is not installed", advice=advice)
        return [options.engine]
    if options.mode == ALWAYS and not installed:
        raise UsageError("no OCR engine is installed", advice=install_advice())
    return installed


# --- which pages could not be read ---


def _mark_unread(pages: Pages, source: ScanSource, chosen: PageChoice) -> Pages:
    """The pages with those listed as unread that show text nobody has read."""
    file = _scanned_file(source)
    shift = pages.first_page - 1
    to_check = [index + shift for index in (*chosen.empty, *chosen.stamped)]
    unread = [index + pages.first_page for index in chosen.garbage]
    for index, is_text in check_for_text(file, to_check, jobs=job_count(source.jobs)):
        if is_text is True or isinstance(is_text, Unreadable):
            unread.append(index + 1)
    if not unread:
        return pages
    advice = "--ocr auto reads them" if source.options.mode == NEVER else install_advice()
    note = Note(None, f"{format_pages(unread)}: text that was not read, in images or drawings; {advice}")
    return replace(pages, unread=tuple(sorted(unread)), notes=(*pages.notes, note))


def _misread(pages: Pages, source: ScanSource, found: dict[int, RecognisedPage]) -> dict[int, str]:
    """Why pages that an engine has read are unread all the same, by index."""
    shift = pages.first_page - 1
    by_file_index = {index + shift: page for index, page in found.items()}
    misread = find_misread(_scanned_file(source), by_file_index, jobs=job_count(source.jobs))
    return {index - shift: MISREAD for index in misread}


def _with_reading_notes(
    pages: Pages, source: ScanSource, found: dict[int, RecognisedPage], reading: Reading
) -> Pages:
    by_file_index = {index + pages.first_page - 1: page for index, page in found.items()}
    is_language_given = bool(source.options.languages)
    notes = reading_notes(by_file_index, reading, is_language_given=is_language_given)
    return replace(pages, notes=(*pages.notes, *notes))


def _with_failures(pages: Pages, failed: dict[int, str]) -> Pages:
    if not failed:
        return pages
    by_reason: dict[str, list[int]] = {}
    for index, reason in failed.items():
        by_reason.setdefault(reason, []).append(index + pages.first_page)
    notes = [Note(None, f"{format_pages(numbers)}: {reason}") for reason, numbers in by_reason.items()]
    unread = sorted(index + pages.first_page for index in failed)
    return replace(pages, unread=tuple(unread), notes=(*pages.notes, *notes))


# --- how they are read ---


def _choose_reading(
    pages: Pages, source: ScanSource, engines: Sequence[str], wanted: Sequence[int], cache: PageCache
) -> Reading:
    """The engine and the languages for this document."""
    options = source.options
    if options.languages:
        languages = tuple(options.languages.split("+"))
        prefers_rapid = RAPIDOCR in engines and RAPIDOCR_DATA.issuperset(languages)
        engine = RAPIDOCR if prefers_rapid else engines[0]
        return Reading(engine, () if engine == RAPIDOCR else languages)
    if TESSERACT not in engines:
        return Reading(engines[0])
    key = " ".join(engines)
    choice = cache.load_choice(key)
    if choice is None:
        choice = _find_choice(pages, source, engines, wanted, cache)
        cache.store_choice(key, *choice)
    engine, found = choice
    return Reading(engine, tuple(found))


def _find_choice(
    pages: Pages, source: ScanSource, engines: Sequence[str], wanted: Sequence[int], cache: PageCache
) -> tuple[str, list[str]]:
    from held.reading.ocr.tesseract import FALLBACK_LANGUAGE, installed_languages

    installed = installed_languages()
    own_text = _text_of_other_pages(pages, wanted)
    if len(own_text) >= MIN_SAMPLE_CHARACTERS:
        language = guess_language(own_text, installed)
        if language is not None:
            return TESSERACT, [language]
    for index in _sample_indices(wanted):

        def read(language: str, index: int = index) -> RecognisedPage | None:
            reading = Reading(TESSERACT, (language,))
            found, _ = _recognise(pages, source, reading, [index], cache, None)
            return found.get(index)

        first = (
            read(FALLBACK_LANGUAGE if FALLBACK_LANGUAGE in installed else installed[0]) if installed else None
        )
        if first is None or len(page_string(first)) < MIN_SAMPLE_CHARACTERS:
            continue
        language = choose_language(installed, read)
        if RAPIDOCR in engines and (language is None or language in RAPIDOCR_DATA):
            return RAPIDOCR, []
        if language is not None:
            return TESSERACT, [language]
    if not installed:
        return (RAPIDOCR, []) if RAPIDOCR in engines else (TESSERACT, [FALLBACK_LANGUAGE])
    return TESSERACT, [FALLBACK_LANGUAGE if FALLBACK_LANGUAGE in installed else installed[0]]


def _text_of_other_pages(pages: Pages, wanted: Sequence[int]) -> str:
    scanned = frozenset(wanted)
    texts = [run.text for index, page in enumerate(pages.pages) if index not in scanned for run in page.runs]
    return "\n".join(texts)


def _sample_indices(wanted: Sequence[int]) -> list[int]:
    """Pages from the middle outwards: first pages are often titles."""
    quarter, middle = len(wanted) // 4, len(wanted) // 2
    three_quarters = 3 * len(wanted) // 4
    tried = [wanted[middle], wanted[quarter], wanted[three_quarters], *wanted]
    different = list(dict.fromkeys(tried))
    return different[:SAMPLE_PAGES]


def _recognise(
    pages: Pages,
    source: ScanSource,
    reading: Reading,
    wanted: Sequence[int],
    cache: PageCache,
    progress: Progress | None,
) -> tuple[dict[int, RecognisedPage], dict[int, str]]:
    """The recognised pages by index, and why others could not be read."""
    shift = pages.first_page - 1  # indices of `pages` and of the file
    found: dict[int, RecognisedPage] = {}
    failed: dict[int, str] = {}
    for index in wanted:
        stored = cache.load_page(reading.name, index + shift)
        if stored is not None:
            found[index] = stored
    missing = [index + shift for index in wanted if index not in found]
    if progress and found:
        progress(len(found), len(wanted))
    for file_index, page in read_pages(_scanned_file(source), missing, reading, jobs=job_count(source.jobs)):
        index = file_index - shift
        if isinstance(page, Unreadable):
            failed[index] = page.reason
        else:
            found[index] = page
            cache.store_page(reading.name, file_index, page)
        if progress:
            progress(len(found) + len(failed), len(wanted))
    return found, failed


def _scanned_file(source: ScanSource) -> ScannedFile:
    return ScannedFile(str(source.path), source.password, source.limits)


def _worth_keeping(
    pages: Pages, found: dict[int, RecognisedPage], chosen: PageChoice, *, always: bool
) -> dict[int, RecognisedPage]:
    """The recognised pages that say more than the text that the file has."""
    kept = {}
    for index, page in found.items():
        characters = sum(len(word.text) for line in page.lines for word in line)
        own = sum(len(run.text) for run in pages.pages[index].runs)
        is_stamp = index in chosen.stamped and not always
        if characters and (not is_stamp or characters > MIN_STAMP_TIMES * own):
            kept[index] = page
    return kept


# --- from recognised pages to runs ---


def _with_text(pages: Pages, found: dict[int, RecognisedPage]) -> Pages:
    """The pages with the recognised ones in place of theirs."""
    indices = sorted(found)
    styled = style_lines([found[index] for index in indices])
    lines = [sorted(on_page, key=lambda line: line.baseline) for on_page in styled]
    texts = _line_texts(lines)
    styles = {style: number for number, style in enumerate(pages.styles)}
    content = list(pages.pages)
    for index, on_page, page_texts in zip(indices, lines, texts, strict=True):
        recognised = found[index]
        runs: list[Run] = []
        for line, text in zip(on_page, page_texts, strict=True):
            runs += _line_runs(line, text, styles)
        content[index] = PageContent(
            recognised.width,
            recognised.height,
            tuple(runs),
            recognised.rules,
            recognised.pictures,
            label=pages.pages[index].label,
            turn=recognised.turn,
        )
    return replace(pages, styles=tuple(styles), pages=tuple(content))


def _line_texts(pages: Sequence[Sequence[StyledLine]]) -> list[list[list[str]]]:
    """The words of each line, repaired. A repair that changes the number of words is left out."""
    words = [[[word.text for word in line.words] for line in lines] for lines in pages]
    joined = [[" ".join(line) for line in lines] for lines in words]
    styles = [[(line.size, line.bold[0]) for line in lines] for lines in pages]
    final = repair_lines(joined, styles)
    repaired = []
    for on_page, texts in zip(words, final, strict=True):
        pairs = zip(on_page, texts, strict=True)
        repaired.append([_split_like(line, text) for line, text in pairs])
    return repaired


def _split_like(words: list[str], text: str) -> list[str]:
    """A repaired text as the words of its line; the old ones if they no longer fit."""
    repaired = text.split(" ")
    if len(repaired) == len(words) + 1:  # "ltem3." is "Item 3."
        repaired[:2] = [f"{repaired[0]} {repaired[1]}"]
    return repaired if len(repaired) == len(words) else words


def _line_runs(line: StyledLine, texts: Sequence[str], styles: dict[Style, int]) -> list[Run]:
    """The runs of a line: stretches of one weight without a wide gap."""
    runs: list[Run] = []
    start = 0
    words = line.words
    for end in range(1, len(words) + 1):
        is_last = end == len(words)
        if (
            is_last
            or line.bold[end] != line.bold[start]
            or _is_wide_gap(words[end - 1], words[end], line.size)
        ):
            font = MONOSPACED_FONT if line.mono else ""
            style = Style(font, line.size, bold=line.bold[start], italic=line.italic)
            number = styles.setdefault(style, len(styles))
            text = join_words(texts[start:end])
            y0, y1 = line.baseline - ASCENT * line.size, line.baseline + DESCENT * line.size
            runs.append(Run(words[start].x0, y0, words[end - 1].x1, y1, number, text))
            start = end
    return runs


def _is_wide_gap(before: RecognisedWord, after: RecognisedWord, size: float) -> bool:
    return not -size < after.x0 - before.x1 <= MAX_GAP_EM * size


def join_words(words: Sequence[str]) -> str:
    """The words of a line with spaces between them, except between Chinese or Japanese characters."""
    text = words[0]
    for word in words[1:]:
        is_tight = _is_unspaced(text[-1]) and _is_unspaced(word[0])
        text += word if is_tight else f" {word}"
    return text


def _is_unspaced(character: str) -> bool:
    """Whether a character belongs to a script without spaces; Korean, as wide as Chinese, has them."""
    return is_cjk(character) and not FIRST_HANGUL <= character <= LAST_HANGUL
