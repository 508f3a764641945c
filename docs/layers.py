"""The order of the packages, and what each of them imports, read from the source.

One list for the two that need it: `tests/test_layering.py` checks that a module imports only from those
above it, and `docs/architecture_page.py` draws the list.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "held"

# The layers, grouped by what they are for. A later one may import an earlier one.
GROUPS: dict[str, tuple[str, ...]] = {
    "Values": ("errors", "system", "document", "document_json", "tree"),
    "PDF to objects": ("numbering", "reading", "models", "layout"),
    "Objects to the tree": ("headings", "hierarchy"),
    "Truth and measures": ("metrics", "corpus"),
    "Uses of the tree": (
        "exports",
        "integrations",
        "extraction",
        "retrieval",
        "api",
        "langchain",
        "llama_index",
        "integrations.mcp",
        "dataset",
        "file_task",
        "batch",
        "distributed",
    ),
    "Learning": ("training", "paper"),
    "Service and command line": ("serve", "cli", "__main__"),
}
LAYERS = tuple(name for names in GROUPS.values() for name in names)

# Inside `held.layout` and `held.hierarchy` too, the order follows the data.
LAYOUT_LAYERS = (
    "layout.tolerances",
    "layout.characters",
    "layout.strokes",
    "layout.run_splitting",
    "layout.lines",
    "layout.rows",
    "layout.paragraph_cues",
    "layout.edge_lines",
    "layout.running_heads",
    "layout.furniture",
    "layout.contents_rows",
    "layout.printed_contents",
    "layout.tables",
    "layout.charts",
    "layout.figures",
    "layout.blocks",
    "layout.paragraphs",
    "layout.run_in_headings",
    "layout.footnotes",
    "layout.code_listings",
    "layout.openers",
    "layout.continuations",
    "layout.reading_order",
    "layout.page_layout",
    "layout.table_headings",
    "layout.rotated_text",
    "layout.title",
    "layout.recognise",
)
HIERARCHY_LAYERS = (
    "hierarchy.matching",
    "hierarchy.insertion",
    "hierarchy.oracle",
    "hierarchy.section_features",
    "hierarchy.heading_features",
    "hierarchy.comparisons",
    "hierarchy.position_features",
    "hierarchy.tree_check",
    "hierarchy.constraints",
    "hierarchy.boosted_step",
    "hierarchy.overrides",
    "hierarchy.pipeline",
    "hierarchy.bookmark_tree",
    "hierarchy.edited_hierarchy",
    "hierarchy.corrections",
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


def module_name(path: Path) -> str:
    """The dotted name of a file's module below `held`: `layout.lines.rows`."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def layer_of(module: str, layers: Sequence[str]) -> str | None:
    """The layer that a module below `held` lies in: the longest of the names that its own begins with."""
    within = [layer for layer in layers if f"{module}.".startswith(f"{layer}.")]
    return max(within, key=len, default=None)


def imported_layers(path: Path, layers: Sequence[str]) -> set[str]:
    """The layers that a file imports from."""
    names = (name.removeprefix("held.") for name in imported_modules(path))
    return {layer for name in names if (layer := layer_of(name, layers)) is not None}
