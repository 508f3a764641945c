"""The tables of generalisation.md and languages.md are made from stored results."""

from research.trees.page import before_and_now, domains, now, ways, with_tables

FIGURES = {"documents": 3, "F1": 0.5, "paths": 0.25, "parents": 1.0}


def test_a_table_is_put_between_its_marks() -> None:
    page = "# Page\n\n<!-- folds -->\n1 2 3\n<!-- end of folds -->\n\nText\n"
    changed = with_tables(page, {"folds": "new", "by hand": "is not on this page"})
    assert changed == page.replace("1 2 3", "new")


def test_each_measure_has_a_column_before_and_now() -> None:
    better = FIGURES | {"paths": 0.75}
    table = before_and_now(
        {"by language": {"de": FIGURES}}, {"by language": {"de": better}}, ("by language",)
    )
    assert table.splitlines()[-1] == "| de | 3 | 0.500 | 0.500 | 0.250 | 0.750 | 1.000 | 1.000 |"


def test_a_row_that_was_not_measured_before_says_so() -> None:
    table = before_and_now({"by hand": {}}, {"by hand": {"reports": FIGURES}}, ("by hand",))
    assert table.splitlines()[-1] == "| reports | 3 | - | 0.500 | - | 0.250 | - | 1.000 |"


def test_groups_follow_each_other_in_one_table() -> None:
    table = now({"a": {"one": FIGURES}, "b": {"two": FIGURES}}, ("a", "b"))
    assert [line.split(" | ")[0] for line in table.splitlines()[2:]] == ["| one", "| two"]


def test_each_way_of_training_has_a_row_and_each_kind_a_column() -> None:
    scores = {"both paths": 0.5, "both parents": 0.75}
    table = ways(
        {"as shipped": {"books": scores}, "bare": {}}, {"zh_fin": "prospectuses", "books": "law books"}
    )
    assert table.splitlines()[0] == "| paths, parents | law books |"
    assert table.splitlines()[2:] == ["| as shipped | 0.500, 0.750 |", "| bare | -, - |"]


def test_a_domain_left_out_has_a_row() -> None:
    scores = dict.fromkeys(("F1", "both paths", "both parents", "given paths", "given parents"), 0.5)
    assert domains({"books": scores}).splitlines()[-1] == "| books |" + " 0.500 |" * 5
