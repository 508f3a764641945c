"""Missing packages: the advice names the place that `held` was installed from."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from held.errors import HeldError
from held.system import optional_packages
from held.system.optional_packages import install_command, missing_package


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """No checkout around the package, as after `pip install`."""
    monkeypatch.setattr(optional_packages, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return monkeypatch


def record(installed: pytest.MonkeyPatch, url: str | None) -> None:
    """Pretends that pip has installed `held` from here; None: from an index."""
    text = None if url is None else json.dumps({"url": url})
    found = SimpleNamespace(read_text=lambda name: text)
    installed.setattr("importlib.metadata.distribution", lambda name: found)


def test_a_checkout_is_named_by_its_path_or_a_dot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checkout = Path(__file__).parents[2]
    monkeypatch.chdir(tmp_path)
    assert install_command("serve") == f"pip install '{checkout}[serve]'"
    monkeypatch.chdir(checkout)
    assert install_command("serve") == "pip install '.[serve]'"


@pytest.mark.parametrize(
    ("url", "command"),
    [
        (None, "pip install 'held[draw]'"),
        ("file:///home/a%20b/held", "pip install '/home/a b/held[draw]'"),
        ("https://example.org/held.git", "pip install 'held[draw] @ https://example.org/held.git'"),
    ],
)
def test_an_installed_package_is_named_as_it_came(
    installed: pytest.MonkeyPatch, url: str | None, command: str
) -> None:
    record(installed, url)
    assert install_command("draw") == command


def test_an_environment_of_pipx_is_installed_again(installed: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record(installed, None)
    (tmp_path / "pipx_metadata.json").touch()
    assert install_command("mcp") == "pipx install --force 'held[mcp]'"


def test_the_error_is_one_of_held_and_of_imports() -> None:
    error = missing_package("drawing needs Pillow", "draw")
    assert isinstance(error, HeldError)
    assert isinstance(error, ImportError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
