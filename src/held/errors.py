"""The exceptions of `held`.

    HeldError
    ├── UsageError            the call is wrong
    │   ├── ConflictError     ... because somebody else has changed its subject meanwhile
    │   └── MissingPackageError  ... because an optional package is not installed; also an ImportError
    ├── InputError            a file cannot be used
    │   ├── NotAPdfError      it is not a PDF
    │   ├── DamagedPdfError   it is a PDF, but too damaged to read
    │   ├── EncryptedPdfError it needs a password, or a different one
    │   ├── NoPagesError      it has no pages
    │   └── NoTextError       it has pages but no text: a scan
    ├── FormatError           a JSON file does not have the expected format
    │   └── VersionError      ... because another version of held wrote it
    └── UnexpectedError       held itself fails on a file: a bug, or too little memory

The message is one line: which file, which page, what is wrong, what to do about it.
"""

from __future__ import annotations

import os

# Appended to the message of an exception that is not a HeldError.
INTERNAL_ERROR = "a fault in held: please report it where you got held from, with what --debug prints"


class HeldError(Exception):
    """Base class of all errors that the input or the caller causes."""

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
        location = [self.file] if self.file else []
        if self.page is not None:
            location.append(f"page {self.page}")
        message = self.what
        if location:
            message = f"{', '.join(location)}: {message}"
        if self.advice:
            message += f" ({self.advice})"
        return message

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are pickled between processes, and pickle would drop the keyword arguments.
        return _rebuild, (type(self), self.what, self.file, self.page, self.advice)


def _rebuild(
    kind: type[HeldError], what: str, file: str | None, page: int | None, advice: str | None
) -> HeldError:
    return kind(what, file=file, page=page, advice=advice)


class UsageError(HeldError):
    """The call is wrong."""


class ConflictError(UsageError):
    """Somebody else has changed the subject of the call meanwhile."""


class MissingPackageError(UsageError, ModuleNotFoundError):
    """An optional package is not installed; the advice is the command that installs it."""


class InputError(HeldError):
    """A file cannot be used."""


class NotAPdfError(InputError):
    """The file is not a PDF."""


class DamagedPdfError(InputError):
    """The file is a PDF, but too damaged to read."""


class EncryptedPdfError(InputError):
    """The file needs a password, or a different one."""


class NoPagesError(InputError):
    """The file has no pages."""


class NoTextError(InputError):
    """The file has pages but no text on them."""


class FormatError(HeldError):
    """A JSON file does not have the expected format."""


class VersionError(FormatError):
    """A JSON file has a format version that this version of held cannot read."""


class UnexpectedError(HeldError):
    """`held` itself fails on a file: a bug, or too little memory. `__cause__` has the traceback."""
