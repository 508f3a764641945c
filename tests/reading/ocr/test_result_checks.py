"""What is said about the result of an engine."""

from __future__ import annotations

from held.reading.ocr.page_text import RecognisedPage, RecognisedWord
from held.reading.ocr.pool import Reading
from held.reading.ocr.result_checks import is_layer_wrong, reading_notes

GERMAN = "Die Boote des Hafens werden in jedem Jahr von denen gezählt, die mit ihnen nach Hause kommen. " * 4
ENGLISH = "The boats of the harbour are counted every year by those who sail with them to their homes. " * 4


def page(text: str, *, turn: int = 0, confidence: float = 0.9) -> RecognisedPage:
    line = tuple(RecognisedWord(0, 0, 50, 10, word, confidence, 1.0) for word in text.split())
    return RecognisedPage(600, 800, 0.0, "tesseract", (line,), turn=turn)


def messages(pages: list[RecognisedPage], reading: Reading, *, is_language_given: bool = False) -> list[str]:
    notes = reading_notes(dict(enumerate(pages)), reading, is_language_given=is_language_given)
    return [note.message for note in notes]


def test_german_that_was_read_as_english_has_a_note_with_the_package() -> None:
    (message,) = messages([page(GERMAN)], Reading("tesseract", ("eng",)))
    assert message.endswith("read as eng, but seems to be deu; apt install tesseract-ocr-deu reads it better")


def test_a_language_that_was_read_as_such_has_no_note() -> None:
    assert not messages([page(GERMAN)], Reading("tesseract", ("deu",)))
    assert not messages([page(ENGLISH)], Reading("tesseract", ("eng",)))


def test_a_language_that_the_user_has_chosen_is_not_doubted() -> None:
    assert not messages([page(GERMAN)], Reading("tesseract", ("eng",)), is_language_given=True)


def test_rapidocr_needs_no_data_for_a_language() -> None:
    assert not messages([page(GERMAN)], Reading("rapidocr"))


def test_a_scan_that_was_read_with_little_confidence_has_a_note() -> None:
    garbled = page("HE FALE Pa EF TAS", confidence=0.6)
    (message,) = messages([garbled] * 100, Reading("tesseract", ("eng",)))
    assert "may be garbled" in message
    assert not messages([garbled] * 20, Reading("tesseract", ("eng",)))


def test_turned_pages_are_listed() -> None:
    pages = [page(ENGLISH), page(ENGLISH, turn=90), page(ENGLISH, turn=180)]
    (message,) = messages(pages, Reading("tesseract", ("eng",)))
    assert message == "pages 2-3: scanned sideways or upside down, and read upright"


def test_a_text_layer_that_lost_letters_is_wrong() -> None:
    lost = " ".join(word[:-1] for word in ENGLISH.split())
    assert is_layer_wrong(lost, page(ENGLISH))


def test_a_text_layer_with_the_words_of_the_page_is_good() -> None:
    misread = ENGLISH.replace("harbour", "harb0ur")
    assert not is_layer_wrong(misread, page(ENGLISH))


def test_signs_of_code_do_not_blame_a_text_layer() -> None:
    read = page("(*harbour, boats; ) = counted( *sail ; home: (year) " * 8)
    assert not is_layer_wrong("( * harbour , boats ; ) = counted ( * sail ; home : ( year )", read)


def test_a_chinese_text_layer_is_compared_by_its_characters() -> None:
    read = page("港口每年统计船只 船只由水手带回家 " * 6)
    assert not is_layer_wrong("港口每年统计 船只船只由水手 带回家", read)
    assert is_layer_wrong("丂丄丅丆 丏丒丗丟", read)


def test_a_reading_without_confidence_blames_no_layer() -> None:
    assert not is_layer_wrong("something else", page(ENGLISH, confidence=0.6))
