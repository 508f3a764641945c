"""What a store refuses is told with its URL, in one line."""

from __future__ import annotations

from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from held.dataset.parts import find_pdfs, local_copy, open_storage
from held.errors import InputError, UsageError


class Guarded(MemoryFileSystem):  # type: ignore[misc]
    """A store that lets nobody in."""

    protocol = "guarded"

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise PermissionError("no credentials\nand a long story")

    ls = find = isdir = size = cat_file = pipe_file = rm_file = _refuse


@pytest.fixture(autouse=True)
def _known_store() -> None:
    fsspec.register_implementation("guarded", Guarded, clobber=True)


def test_a_store_that_cannot_be_written_is_named() -> None:
    with pytest.raises(InputError, match=r"^guarded://out: cannot be written: no credentials$"):
        open_storage("guarded://out").write("run/name", b"")


def test_a_store_that_cannot_be_listed_is_named() -> None:
    with pytest.raises(InputError, match=r"^guarded://in: cannot be read: no credentials$"):
        find_pdfs("guarded://in")


def test_a_source_that_cannot_be_fetched_is_named() -> None:
    with (
        pytest.raises(InputError, match=r"^guarded://in/a.pdf: cannot be fetched: no credentials$"),
        local_copy("guarded://in/a.pdf"),
    ):
        pass


def test_a_source_that_is_not_there_is_named() -> None:
    with (
        pytest.raises(InputError, match=r"^memory://in/no.pdf: does not exist$"),
        local_copy("memory://in/no.pdf"),
    ):
        pass


def test_a_scheme_that_nobody_knows_is_named() -> None:
    with pytest.raises(UsageError, match="s4://bucket cannot be opened"):
        open_storage("s4://bucket")
