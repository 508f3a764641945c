"""The argument parser of a research command, whose help is the docstring of its module, as it is written."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter


def make_parser(docstring: str, prog: str | None = None) -> ArgumentParser:
    """A parser that describes its command by a docstring and keeps the lines and examples in it."""
    return ArgumentParser(prog=prog, description=docstring, formatter_class=RawDescriptionHelpFormatter)
