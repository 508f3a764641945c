"""Documents as text recognition reads their scans: what is lost, and what stays."""

from dataclasses import replace

from held.document import Style
from held.training.scanned_copies import scan
from tests.training.small_corpus import small_document


def test_the_same_seed_gives_the_same_scan() -> None:
    assert scan(small_document(1), seed=3) == scan(small_document(1), seed=3)


def test_a_scan_knows_no_fonts_colours_and_italics() -> None:
    plain = small_document(1)
    styled = Style("Serif-Italic", 12.0, "ff0000", italic=True)
    objects = tuple(replace(item, style=styled) for item in plain.document.objects)
    scanned = scan(replace(plain, document=replace(plain.document, objects=objects)), seed=3)
    looks = {(item.style.font, item.style.colour, item.style.italic) for item in scanned.document.objects}
    assert looks == {("", "000000", False)}


def test_the_labels_of_a_scan_are_those_of_the_document() -> None:
    plain = small_document(1)
    scanned = scan(plain, seed=3)
    assert (scanned.labels, scanned.parents) == (plain.labels, plain.parents)


def test_objects_of_one_size_mostly_keep_one_size() -> None:
    scanned = scan(small_document(1), seed=3)
    sizes = [item.style.size for item in scanned.document.objects]
    assert max(map(sizes.count, sizes)) > len(sizes) / 3
