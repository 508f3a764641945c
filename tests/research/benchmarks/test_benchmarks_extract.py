"""The comparison with other tools: where one of them is ahead."""

from typing import Any

from research.benchmarks.extract import ahead_of
from research.benchmarks.tools.score import Scores

from held.metrics import Matches


def row(file: str, right: int, *, scored: bool = True) -> dict[str, Any]:
    """A file of ten headings, all found, so many of them with the right path."""
    return {"file": file, "scored": scored, "scores": Scores(paths=Matches(right, 10, 10))}


def test_a_tool_is_ahead_where_more_of_its_paths_are_right() -> None:
    ours = {one["file"]: one for one in (row("a", 5), row("b", 5), row("c", 5))}
    assert ahead_of(ours, [row("a", 9), row("b", 5), row("c", 1)]) == {"a": [0.9, 0.5]}


def test_a_file_without_truth_puts_nobody_ahead() -> None:
    assert ahead_of({"a": row("a", 5)}, [row("a", 9, scored=False)]) == {}
