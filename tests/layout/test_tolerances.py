"""The list of layout thresholds as a whole."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from held.layout import tolerances


def test_each_tolerance_is_defined_once() -> None:
    # A second definition would silently change the value for whoever uses the first one.
    tree = ast.parse(Path(tolerances.__file__).read_text(encoding="utf-8"))
    assignments = [node for node in tree.body if isinstance(node, ast.Assign)]
    names = Counter(ast.unparse(node.targets[0]) for node in assignments)
    assert [name for name, count in names.items() if count > 1] == []
