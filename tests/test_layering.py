"""The architecture as the folders show it: a module imports only from those above it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from docs.layers import LAYERS, PDF_LAYERS, SOURCE, modules, siblings_imported


def imports_from_below(path: Path, layers: Sequence[str], depth: int) -> list[str]:
    """The imports of layers below the module's own; `depth` is how deep in the package the layers are."""
    place = layers.index(path.relative_to(SOURCE).parts[depth].removesuffix(".py"))
    return sorted(name for name in siblings_imported(path, depth) if layers.index(name) > place)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_the_layers_above_it(path: Path) -> None:
    assert imports_from_below(path, LAYERS, 0) == []


PDF_MODULES = [path for path in modules() if path.parts[-3] == "pdf" or path.name == "recognise.py"]


@pytest.mark.parametrize("path", PDF_MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_of_the_pdf_package_imports_only_from_those_before_it(path: Path) -> None:
    assert imports_from_below(path, PDF_LAYERS, 1) == []
