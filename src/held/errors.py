"""Everything that `held` can refuse, as one tree of exceptions.

    HeldError
    ├── UsageError            the call itself is wrong
    │   └── ConflictError     ... because somebody else has changed what it speaks of
    ├── InputError            a file cannot be used
    │   ├── NotAPdfError      it is something else
    │   ├── DamagedPdfError   it is a PDF, but broken beyond reading
    │   ├── EncryptedPdfError it needs a password, or another one
    │   ├── NoPagesError      it has no pages
    │   └── NoTextError       it has pages but no text: a scan
    └── FormatError           a JSON file is not what it should be
        └── VersionError      ... because it was written by another version

The message is one line: which file, which page, what is wrong, what to do.
"""

from __future__ import annotations

import os

# What is said of an error that nobody foresaw.
FAULT = "a fault in held: please report it where you got held from, with what --debug prints"


class HeldError(Exception):
    """Base of all errors that are the input's or the caller's, not ours."""

    def __init__(
        self,
        what: str,
        *,
        file: str | os.PathLike[str] | None = None,
        page: int | None = None,
        advice: str | None = None,
    ) -> None:
        self.what = what
        self.file = None if file is None else os.fspath(file)
        self.page = page
        self.advice = advice
        super().__init__(what)

    def __str__(self) -> str:
        place = self.file or ""
        if self.page is not None:
            place += f", page {self.page}" if place else f"page {self.page}"
        message = f"{place}: {self.what}" if place else self.what
        return f"{message} ({self.advice})" if self.advice else message

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process boundaries: keyword arguments must survive pickling.
        return _rebuild, (type(self), self.what, self.file, self.page, self.advice)


def _rebuild(
    kind: type[HeldError], what: str, file: str | None, page: int | None, advice: str | None
) -> HeldError:
    return kind(what, file=file, page=page, advice=advice)


class UsageError(HeldError):
    """The call itself is wrong."""


class ConflictError(UsageError):
    """What the call speaks of was changed by somebody else meanwhile."""


class InputError(HeldError):
    """A file cannot be used."""


class NotAPdfError(InputError):
    """The file is not a PDF."""


class DamagedPdfError(InputError):
    """The file is a PDF, but too broken to read."""


class EncryptedPdfError(InputError):
    """The file needs a password, or another one than was given."""


class NoPagesError(InputError):
    """The file has no pages."""


class NoTextError(InputError):
    """The file has pages but no text on them."""


class FormatError(HeldError):
    """A JSON file is not what it should be."""


class VersionError(FormatError):
    """A JSON file was written by a version that this one does not know."""
