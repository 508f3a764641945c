"""Builds the native reader (`src/held/reading/_native.c`) when a wheel is built or the source is installed.

It is optional: without a C compiler, or with HELD_NATIVE=off, the result is pure Python and gives the same
pages. A wheel gets the module with the stable ABI of Python 3.11, so one wheel serves all later versions. An
editable install gets it beside its source.
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
SOURCE = "src/held/reading/_native.c"
MODULE = "held.reading._native"
ABI = "cp311"
# Every product is rounded before it is added, as in Python: a fused operation would round once.
UNIX_FLAGS = ["-O2", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra"]
WINDOWS_FLAGS = ["/O2", "/std:c11", "/fp:precise"]


class NativeReader(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the native reader to a wheel, or puts it beside the source of an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            build(ROOT / "src")
            return
        self._scratch = tempfile.TemporaryDirectory(prefix="held-native-")
        built = build(Path(self._scratch.name))
        if built is None:
            return
        build_data["pure_python"] = False
        build_data["tag"] = _wheel_tag()
        place = Path(*MODULE.split(".")[:-1]) / built.name
        build_data["force_include"][str(built)] = place.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._scratch.cleanup()


def build(target: Path) -> Path | None:
    """Compile the module below `target`; None, and a message, where that is not possible."""
    if os.environ.get("HELD_NATIVE") == "off":
        return None
    try:
        return _compile(target)
    except Exception as error:  # no compiler, no headers of Python, an unknown system
        print(f"held is installed without its native reader, which reads faster: {error}", file=sys.stderr)
        return None


def _compile(target: Path) -> Path:
    from setuptools import Distribution, Extension

    flags = WINDOWS_FLAGS if sys.platform == "win32" else UNIX_FLAGS
    extra = os.environ.get("HELD_NATIVE_FLAGS", "").split()  # such as -fsanitize=address
    extension = Extension(
        MODULE,
        [str(ROOT / SOURCE)],
        extra_compile_args=[*flags, *extra],
        extra_link_args=extra,
        py_limited_api=True,
    )
    with tempfile.TemporaryDirectory(prefix="held-objects-") as objects:
        command = Distribution({"name": "held", "ext_modules": [extension]}).get_command_obj("build_ext")
        command.build_lib = str(target)  # type: ignore[attr-defined]
        command.build_temp = objects  # type: ignore[attr-defined]
        command.ensure_finalized()
        command.run()
        return Path(command.get_ext_fullpath(MODULE))  # type: ignore[attr-defined]


def _wheel_tag() -> str:
    # For this machine; cibuildwheel's repair step names the portable platform.
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{ABI}-abi3-{platform}"
