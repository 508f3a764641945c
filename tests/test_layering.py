"""The architecture as the folders show it: a module imports only from those above it."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "held"
LAYERS = [
    "errors",
    "processes",
    "progress",
    "document",
    "jsonvalue",
    "serial",
    "journal",
    "tree",
    "numerals",
    "numbering",
    "pdf",
    "matching",
    "insertion",
    "fixed",
    "metrics",
    "corpus",
    "features",
    "models",
    "baselines",
    "pipeline",
    "portions",
    "trusted",
    "corrections",
    "exports",
    "chunking",
    "adapters",
    "files",
    "forms",
    "extraction",
    "api",
    "draw",
    "retrieval",
    "batch",
    "training",
    "serve",
    "cli",
    "__main__",
]
# Inside `held.pdf` too the order of the packages is the way of the data.
PDF_LAYERS = [
    "reader",
    "lines",
    "furniture",
    "contents",
    "tables",
    "figures",
    "text",
    "page",
    "recognise",
]


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "__init__.py")


def imported_modules(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("held."):
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names if alias.name.startswith("held."))
    return names


def imports_from_below(path: Path, layers: list[str], depth: int) -> list[str]:
    """The imports of layers below the module's own; `depth` is how deep in the package the layers are."""
    own = path.relative_to(SOURCE).parts
    inside = ["held", *own[:depth]]
    imported = [name.split(".") for name in imported_modules(path)]
    siblings = {name[depth + 1] for name in imported if name[: depth + 1] == inside and len(name) > depth + 1}
    place = layers.index(own[depth].removesuffix(".py"))
    return sorted(name for name in siblings if layers.index(name) > place)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_the_layers_above_it(path: Path) -> None:
    assert imports_from_below(path, LAYERS, 0) == []


PDF_MODULES = [path for path in modules() if path.parts[-3] == "pdf" or path.name == "recognise.py"]


@pytest.mark.parametrize("path", PDF_MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_of_the_pdf_package_imports_only_from_those_before_it(path: Path) -> None:
    assert imports_from_below(path, PDF_LAYERS, 1) == []
