"""`python -m held.cli`, the same as `held`."""

from held.cli import main

main()
