"""Optional packages: the error that names what is missing, with a command that installs it here.

`held` may come from a package index, from a checkout or into an environment of pipx. The command names the
place that this installation came from, so that it works before any index has `held`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from held.errors import MissingPackageError

_CHECKOUT = Path(__file__).parents[3]


def missing_package(what: str, extra: str) -> MissingPackageError:
    """The error that something needs the packages of an extra: "drawing needs Pillow"."""
    return MissingPackageError(what, advice=install_command(extra))


def install_command(extra: str) -> str:
    """The command that installs an extra of `held` into this environment."""
    is_pipx = Path(sys.prefix, "pipx_metadata.json").is_file()
    command = "pipx install --force" if is_pipx else "pip install"
    return f"{command} '{_requirement(extra)}'"


def _requirement(extra: str) -> str:
    """The argument of `pip install`: a name, a URL, or the path of a checkout or wheel, with the extra."""
    path = _CHECKOUT
    if not (path / "pyproject.toml").is_file():  # otherwise an editable installation, or none at all
        from urllib.request import url2pathname

        url = _recorded_url()
        if not url.startswith("file:"):
            return f"held[{extra}] @ {url}" if url else f"held[{extra}]"
        path = Path(url2pathname(url.removeprefix("file://")))
    place = "." if path == Path.cwd() else str(path)
    return f"{place}[{extra}]"


def _recorded_url() -> str:
    """The URL that `held` was installed from; "" for a package index."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        # PEP 610: pip, pipx and uv record the address, unless it was an index.
        recorded = distribution("held").read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    return str(json.loads(recorded)["url"]) if recorded else ""
