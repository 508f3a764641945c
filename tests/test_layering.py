"""The architecture as the folders show it: a module imports only from those above it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from docs.layers import (
    HIERARCHY_LAYERS,
    LAYERS,
    LAYOUT_LAYERS,
    SOURCE,
    imported_layers,
    layer_of,
    module_name,
    modules,
)


def imports_from_below(path: Path, layers: Sequence[str]) -> list[str]:
    """The imports of layers below the module's own."""
    own = layer_of(module_name(path), layers)
    assert own is not None, "the module is in no layer: name it in docs/layers.py"
    imported = imported_layers(path, layers)
    return sorted(name for name in imported if layers.index(name) > layers.index(own))


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_the_layers_above_it(path: Path) -> None:
    assert imports_from_below(path, LAYERS) == []


LAYOUT_MODULES = [path for path in modules() if module_name(path).startswith("layout.")]


@pytest.mark.parametrize("path", LAYOUT_MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_of_the_layout_package_imports_only_from_those_before_it(path: Path) -> None:
    assert imports_from_below(path, LAYOUT_LAYERS) == []


HIERARCHY_MODULES = [path for path in modules() if module_name(path).startswith("hierarchy.")]


@pytest.mark.parametrize("path", HIERARCHY_MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_of_the_hierarchy_package_imports_only_from_those_before_it(path: Path) -> None:
    assert imports_from_below(path, HIERARCHY_LAYERS) == []
