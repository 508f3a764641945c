"""The compiled layout: a part of the wheel for one platform, made by mypyc where it is asked for.

    HATCH_BUILD_HOOK_ENABLE_CUSTOM=true pip install .

Without that the wheel is pure Python, and no compiler is needed. All is built beside the source, never in it:
a compiled module that lay beside its `.py` would go on being imported after the latter was edited.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Compiled is `held.layout`: pure functions, fully typed, where most of a document's time is spent. The reader
# stays Python because PDFium does its work, and `held.document` because all other code shares its values.
# More brings nothing (most of the time is in the interpreter's own functions), and takes half as long again.
OPTIMISATION = "1"


class CompiledLayout(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules to a wheel; an editable install never gets them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self._scratch = tempfile.TemporaryDirectory(prefix="held-compiled-")
        built = compiled(Path(self.root), Path(self._scratch.name))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] |= {str(path): place for path, place in built.items()}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._scratch.cleanup()


def layout_modules(root: Path) -> list[str]:
    """The modules that are compiled, by their paths below the root."""
    layout = root / "src" / "held" / "layout"
    modules = [path for path in sorted(layout.rglob("*.py")) if path.name != "__init__.py"]
    return [str(path.relative_to(root)) for path in modules]


def compiled(root: Path, scratch: Path) -> dict[Path, str]:
    """The compiled modules, each with its place in the wheel."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    # Types of libraries that are not at hand while building play no part in the layout.
    settings = ["--config-file=pyproject.toml", "--follow-imports=silent", "--ignore-missing-imports"]
    with contextlib.chdir(root):
        extensions = mypycify(
            [*settings, f"--cache-dir={scratch / 'types'}", *layout_modules(root)],
            opt_level=OPTIMISATION,
            debug_level="0",
            group_name="held",
            target_dir=str(scratch / "c"),
        )
        command = Distribution({"name": "held", "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib = str(scratch / "lib")  # type: ignore[attr-defined]
        command.build_temp = str(scratch / "objects")  # type: ignore[attr-defined]
        command.ensure_finalized()
        command.run()
    library = scratch / "lib"
    return {
        path: path.relative_to(library).as_posix() for path in sorted(library.rglob("*.*")) if path.is_file()
    }
