"""The architecture as the folders show it: a module imports only from those above it."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "held"
LAYERS = [
    "errors",
    "document",
    "jsonvalue",
    "serial",
    "tree",
    "numerals",
    "numbering",
    "pdf",
    "insertion",
    "metrics",
    "corpus",
    "features",
    "models",
    "baselines",
    "pipeline",
    "portions",
    "trusted",
    "exports",
    "chunking",
    "adapters",
    "files",
    "api",
    "draw",
    "retrieval",
    "training",
    "cli",
]


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "__init__.py")


def layer(name: str) -> int:
    return LAYERS.index(name.removesuffix(".py"))


def imported_layers(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("held."):
            names.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            names.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("held."))
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_the_layers_above_it(path: Path) -> None:
    own = layer(path.relative_to(SOURCE).parts[0])
    assert [name for name in imported_layers(path) if layer(name) > own] == []
