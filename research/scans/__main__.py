"""`python -m research.scans make|link|read|run|weights|cost|garbage|found`: see README.md."""

from __future__ import annotations

import sys

from research.scans import cost, data, garbage, read, run, weights

COMMANDS = {
    "make": data.make_main,
    "link": data.link_main,
    "read": read.main,
    "run": run.main,
    "weights": weights.main,
    "cost": cost.main,
    "garbage": garbage.main,
    "found": garbage.found_main,
}


def main() -> int:
    """Run the command that the first argument names."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    return COMMANDS[name](sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
