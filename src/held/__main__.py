"""`python -m held`, the same as `held`."""

import gc

_COLLECTOR_THRESHOLD = 50_000  # new objects; with Python's 700 it would run a hundred times at start-up


def run() -> None:
    """Run the command line as a program of its own.

    Commands are short-lived, and keep most of their objects. So the garbage collector waits while the first
    modules are imported, declares them old (as `held.system.limits.pause_gc` does) and has a high threshold.
    """
    gc.disable()
    from held.cli import run as run_commands

    gc.freeze()
    gc.unfreeze()
    gc.set_threshold(_COLLECTOR_THRESHOLD)
    gc.enable()
    run_commands()


if __name__ == "__main__":
    run()
