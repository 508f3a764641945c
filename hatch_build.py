"""Builds the native modules when a wheel is built or the source is installed: reader, JSON and boosted trees.

They are optional: without a C compiler, or with HELD_NATIVE=off, the result is pure Python and gives the same
trees. A wheel gets modules with the stable ABI of Python 3.11, so one wheel serves all later versions. An
editable install gets them beside their source.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
# Each is compiled beside its source of the same name.
MODULES = ("held.reading._native", "held.system._json", "held.models._trees")
ABI = "cp311"
# Every product is rounded before it is added, as in Python: a fused operation would round once.
UNIX_FLAGS = ["-O2", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra"]
WINDOWS_FLAGS = ["/O2", "/std:c11", "/fp:precise"]


class NativeModules(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the native modules to a wheel, or puts them beside the source of an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            build(ROOT / "src")
            return
        self._scratch = tempfile.TemporaryDirectory(prefix="held-native-")
        target = Path(self._scratch.name)
        built = build(target)
        if not built:
            return
        build_data["pure_python"] = False
        build_data["tag"] = _wheel_tag()
        for module in built:
            build_data["force_include"][str(module)] = module.relative_to(target).as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._scratch.cleanup()


def build(target: Path) -> list[Path]:
    """Compile the modules below `target`; none, and a message, where that is not possible."""
    if os.environ.get("HELD_NATIVE") == "off":
        return []
    try:
        return _compile(target)
    except Exception as error:  # no compiler, no headers of Python, an unknown system
        print(f"held is installed without its native modules, which are faster: {error}", file=sys.stderr)
        return []


def _compile(target: Path) -> list[Path]:
    from setuptools import Distribution, Extension

    flags = WINDOWS_FLAGS if sys.platform == "win32" else UNIX_FLAGS
    extensions = []
    for module in MODULES:
        source = ROOT.joinpath("src", *module.split(".")).with_suffix(".c")
        extension = Extension(module, [str(source)], extra_compile_args=flags, py_limited_api=True)
        extensions.append(extension)
    with tempfile.TemporaryDirectory(prefix="held-objects-") as objects:
        command = Distribution({"name": "held", "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib = str(target)  # type: ignore[attr-defined]
        command.build_temp = objects  # type: ignore[attr-defined]
        command.ensure_finalized()
        command.run()
        return [Path(command.get_ext_fullpath(module)) for module in MODULES]  # type: ignore[attr-defined]


def _wheel_tag() -> str:
    # For this machine; cibuildwheel's repair step names the portable platform.
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{ABI}-abi3-{platform}"
