"""The same small report as for the commands."""

from tests.cli.conftest import report

__all__ = ["report"]
