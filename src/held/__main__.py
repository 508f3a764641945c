"""`python -m held`, the same as `held`."""

from held.cli import run

run()
