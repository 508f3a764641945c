"""The order of the packages, and what each of them imports, read from the source.

One list for the two that need it: `tests/test_layering.py` checks that a module imports only from those
above it, and `docs/architecture_page.py` draws the list.
"""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "held"

# What a few packages and modules are for together, and their names. A later one may import an earlier one.
ROOMS: dict[str, tuple[str, ...]] = {
    "Values and their forms": (
        "errors",
        "limits",
        "terminal",
        "locks",
        "writing",
        "stored",
        "processes",
        "progress",
        "document",
        "jsonvalue",
        "serial",
        "journal",
        "tree",
        "numerals",
        "numbering",
        "continued",
    ),
    "From a PDF to objects": ("tables", "pdf", "matching"),
    "Where objects go in a tree": ("insertion", "fixed"),
    "Truth and measures": ("metrics", "corpus"),
    "What models see and say": ("features", "models", "baselines"),
    "From objects to the hierarchy": ("pipeline", "portions", "trusted", "corrections"),
    "What people go on with": (
        "exports",
        "chunking",
        "adapters",
        "files",
        "forms",
        "extraction",
        "api",
        "draw",
        "retrieval",
        "assistants",
        "dataset",
        "batch",
        "distributed",
    ),
    "Learning": ("training",),
    "The service and the command line": ("serve", "cli", "__main__"),
}
LAYERS = tuple(name for names in ROOMS.values() for name in names)

# Inside `held.pdf` too the order of the packages is the way of the data.
PDF_LAYERS = (
    "reader",
    "lines",
    "furniture",
    "contents",
    "tables",
    "figures",
    "text",
    "page",
    "recognise",
)


def modules() -> list[Path]:
    """The files of all modules but that of `held` itself."""
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def imported_modules(path: Path) -> set[str]:
    """The modules of `held` that a file imports, with their full names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("held."):
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names if alias.name.startswith("held."))
    return names


def siblings_imported(path: Path, depth: int) -> set[str]:
    """The packages beside its own that a file imports from; `depth` is how deep in `held` they lie."""
    inside = ["held", *path.relative_to(SOURCE).parts[:depth]]
    imported = [name.split(".") for name in imported_modules(path)]
    return {name[depth + 1] for name in imported if name[: depth + 1] == inside and len(name) > depth + 1}
