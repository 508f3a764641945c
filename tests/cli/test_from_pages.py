import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Held = Callable[..., Any]


def test_pages_are_recognised_and_keep_their_numbers(held: Held, pages_file: Path) -> None:
    value = json.loads(held("objects", pages_file, "--pages", "2-3").out)
    assert {item["page"] for item in value["objects"]} <= {2, 3}
    assert value["first_page"] == 2


def test_only_the_pages_asked_for_are_drawn(held: Held, pages_file: Path, tmp_path: Path) -> None:
    held("draw", pages_file, "--pages", "2-3", "-o", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["page-0002.png", "page-0003.png"]
