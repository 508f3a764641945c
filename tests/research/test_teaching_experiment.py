"""Which documents are taught, and on which a taught model is measured."""

from dataclasses import replace
from pathlib import Path

from research.teaching.run import documents_of_other_groups, draw_documents, link_other_domains, means

from held.corpus.store import LabelledDocument
from held.document import Document

EMPTY = LabelledDocument("", Document("a.pdf", (), ()), (), (), ())
DOCUMENTS = [replace(EMPTY, id=f"{group}{n}", group=group) for group in "abcd" for n in range(3)]


def test_corrected_documents_are_of_different_groups() -> None:
    corrected = draw_documents(DOCUMENTS, draw=1, most=2)
    assert len({labelled.group for labelled in corrected}) == 2


def test_half_of_the_groups_stay_unseen_however_many_documents_are_wanted() -> None:
    assert len({labelled.group for labelled in draw_documents(DOCUMENTS, draw=1, most=10)}) == 2


def test_nothing_is_measured_on_a_group_that_was_taught() -> None:
    corrected = draw_documents(DOCUMENTS, draw=1, most=1)
    scored = documents_of_other_groups(DOCUMENTS, corrected)
    assert len(scored) == 9
    assert not {labelled.group for labelled in scored} & {labelled.group for labelled in corrected}


def test_the_model_at_the_start_learns_from_other_domains_alone(tmp_path: Path) -> None:
    for name in ("reports-1", "reports-2", "books-1", "made-1"):
        (tmp_path / f"{name}.held.json.xz").touch()
    folder = link_other_domains(tmp_path, "reports", tmp_path / "others", every=1)
    assert sorted(path.name.partition(".")[0] for path in folder.iterdir()) == ["books-1", "made-1"]


def test_means_are_those_over_draws_of_the_same_count() -> None:
    rows = [{"corrected": 1, "headings": 0.5, "paths": p} for p in (0.2, 0.4)]
    (row,) = means([*rows])
    assert (row["paths"], row["least"], row["most"]) == (0.3, 0.2, 0.4)
